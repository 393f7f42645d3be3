//! A comparison as text: as Markdown, for a comment on a pull request; as JSON; and as JUnit XML as GitHub, GitLab and Jenkins
//! read it.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use super::{Aspect, Case, Change, Comparison, Counts, Finding, Options, Side, Subject, Tested, Verdict};
use crate::stats::Trimmed;
use crate::text::{count, markdown as escape, xml};

/// No more bytes than this are written; GitHub refuses comments of more than 65,536 characters.
pub const MOST_CHARACTERS: usize = 60_000;

/// By this line a workflow finds the comment that it wrote before.
const MARK: &str = "<!-- tilebench compare -->";

/// Bytes kept for what must stand below every list.
const RESERVED: usize = 3_000;

/// Most characters of one warning or one difference.
const LONGEST: usize = 400;

/// The comparison as Markdown: the verdict, regressions, and in folded sections whatever else differs. Lists end with the
/// number of what is left out where the text would be too long.
#[must_use]
pub fn markdown(comparison: &Comparison) -> String {
    let mut text = format!("{MARK}\n### tilebench: {}\n\n{}\n", verdict(comparison), sides(comparison));
    for warning in &comparison.warnings {
        let _ = write!(text, "\n> **Warning:** {}.\n", safe(warning));
    }
    let shown = Shown { comparison, several: comparison.new.experiments.len() > 1 };
    let regressions: Vec<_> = comparison.regressions().collect();
    if !regressions.is_empty() {
        text.push('\n');
        shown.findings(&mut text, &regressions);
    }
    let folded = [
        (Verdict::Worse, "worse, of kinds that do not fail"),
        (Verdict::Borderline, "at a limit on one side, which two measurements of one program may differ in"),
        (Verdict::Changed, "changed, neither better nor worse or not to be judged"),
        (Verdict::Better, "better"),
    ];
    for (verdict, title) in folded {
        let found: Vec<_> = comparison.others(verdict).collect();
        if !found.is_empty() {
            let title = format!("{} {title}", found.len());
            folded_in(&mut text, &title, |text| shown.findings(text, &found));
        }
    }
    let counts = comparison.counts;
    if counts.compared > 0 {
        let title = format!("Counts and sizes: {} of {} are equal", counts.equal, counts.compared);
        if comparison.changes.is_empty() {
            let _ = write!(text, "\n{title}.\n");
        } else {
            folded_in(&mut text, &title, |text| shown.changes(text));
        }
    }
    for (aspect, title) in [(Aspect::Time, "Times by group"), (Aspect::Memory, "Peak memory by group")] {
        let tests: Vec<_> = comparison.tests.iter().filter(|tested| tested.aspect == aspect).collect();
        // Of memory nothing is said unless somebody asks or it differs.
        let wanted = comparison.options.fails(aspect) || tests.iter().any(|tested| tested.verdict.is_some());
        if !tests.is_empty() && wanted {
            folded_in(&mut text, title, |text| shown.tests(text, &tests));
        }
    }
    text + "\n" + &rules(&comparison.options)
}

/// `2 regressions (wrong 1, time 1)`.
fn verdict(comparison: &Comparison) -> String {
    let regressions: Vec<_> = comparison.regressions().collect();
    if regressions.is_empty() {
        return "no regression".to_owned();
    }
    let mut kinds: Vec<(Aspect, usize)> = Vec::new();
    for finding in &regressions {
        match kinds.iter_mut().find(|(aspect, _)| *aspect == finding.aspect) {
            Some((_, count)) => *count += 1,
            None => kinds.push((finding.aspect, 1)),
        }
    }
    let kinds: Vec<_> = kinds.iter().map(|(aspect, count)| format!("{aspect} {count}")).collect();
    format!("{} ({})", count(regressions.len(), "regression"), kinds.join(", "))
}

fn sides(comparison: &Comparison) -> String {
    let (base, new) = (&comparison.base, &comparison.new);
    let alone = |side: &Side, name: &str| format!("{} only in {name}", side.alone);
    format!(
        "{} runs are in both; {}, {}. BASE: tilebench {}. NEW: tilebench {}.",
        comparison.matched,
        alone(base, "BASE"),
        alone(new, "NEW"),
        builds(base),
        builds(new)
    )
}

fn builds(side: &Side) -> String {
    let builds: Vec<_> = side.builds.iter().take(4).map(|build| safe(build)).collect();
    match (builds.is_empty(), side.builds.len() - builds.len()) {
        (true, _) => "of unknown revision".to_owned(),
        (false, 0) => builds.join(", "),
        (false, others) => format!("{} and {others} more", builds.join(", ")),
    }
}

/// What decided, so that the comment can be read alone.
fn rules(options: &Options) -> String {
    let fails: Vec<_> = Aspect::ALL.into_iter().filter(|aspect| options.fails(*aspect)).map(Aspect::name).collect();
    format!(
        "<sub>Fails on: {}. Times and memory: trimmed mean of the ratios of at least {} instances (medians over seeds and \
         repeats) from {} on, with an interval above {} for itself or beside the other groups; alpha {} in all. \
         Counts: above {} in a group, single-threaded runs that ended by themselves, equal versions of the solver.</sub>\n",
        if fails.is_empty() { "nothing".to_owned() } else { fails.join(", ") },
        Trimmed::LEAST,
        options.time_threshold,
        Options::DRIFT,
        options.alpha,
        options.count_threshold
    )
}

struct Shown<'a> {
    comparison: &'a Comparison,
    several: bool,
}

impl Shown<'_> {
    fn findings(&self, text: &mut String, findings: &[&Finding]) {
        let rows = findings.iter().map(|finding| {
            let run = finding.case.and_then(|case| self.comparison.cases.get(case));
            let name = match run {
                Some(case) if self.several => format!("{}: {}", case.experiment, case.name()),
                Some(case) => case.name(),
                None => finding.subject.name(self.several),
            };
            format!("| {} | {} | {} |\n", finding.aspect, safe(&name), safe(&finding.text))
        });
        table(text, "| what | where | BASE → NEW |\n|---|---|---|\n", rows);
    }

    fn changes(&self, text: &mut String) {
        let rows = self.comparison.changes.iter().map(|change| {
            let Change { quantity, changed, runs, ratio, most, verdict, .. } = change;
            let verdict = verdict.name();
            format!(
                "| {} | {quantity} | {changed} of {runs} | {ratio:.3} | {} | {verdict} |\n",
                self.group(&change.subject),
                safe(most)
            )
        });
        let head = "| group | count | runs that differ | ratio | most | |\n|---|---|---:|---:|---|---|\n";
        table(text, head, rows);
    }

    fn tests(&self, text: &mut String, tests: &[&Tested]) {
        let range = |(low, high): (f64, f64)| format!("{low:.3} to {high:.3}");
        let rows = tests.iter().map(|tested| {
            let interval = tested.interval.map(range).unwrap_or_default();
            let beside = tested.beside.map(|(_, interval)| range(interval)).unwrap_or_default();
            let seen = tested.seen.map(|seen| format!("{seen:.2}")).unwrap_or_default();
            let verdict = match tested.verdict {
                Some(verdict) => verdict.name(),
                None if tested.seen.is_none() => "too few instances",
                None => "",
            };
            let remark = if tested.comparable { "" } else { "*" };
            format!(
                "| {} | {} | {} | {} | {:.3}{remark} | {interval} | {beside} | {seen} | {verdict} |\n",
                self.group(&tested.subject),
                tested.instances,
                tested.runs,
                tested.left_out,
                tested.ratio
            )
        });
        let head = "| group | instances | runs | left out | ratio | interval | beside the others | noticed from | |\n\
                    |---|---:|---:|---:|---:|---:|---:|---:|---|\n";
        table(text, head, rows);
        if tests.iter().any(|tested| !tested.comparable) {
            *text += "\n\\* measured under other circumstances\n";
        }
    }

    fn group(&self, subject: &Subject) -> String {
        safe(&subject.name(self.several))
    }
}

/// A section that is opened by a click. An empty line must stand between HTML and Markdown.
fn folded_in(text: &mut String, title: &str, content: impl FnOnce(&mut String)) {
    let _ = write!(text, "\n<details><summary>{title}</summary>\n\n");
    content(text);
    *text += "\n</details>\n";
}

/// A table of as many rows as there is room for.
fn table(text: &mut String, head: &str, rows: impl ExactSizeIterator<Item = String>) {
    let (all, mut shown) = (rows.len(), 0);
    if text.len() + head.len() + RESERVED < MOST_CHARACTERS {
        *text += head;
        for row in rows {
            if text.len() + row.len() + RESERVED > MOST_CHARACTERS {
                break;
            }
            *text += &row;
            shown += 1;
        }
    }
    if shown < all {
        let _ = write!(text, "\n{} more are left out here: `--json` and `--junit` write all of them.\n", all - shown);
    }
}

/// Text that GitHub shows as it is, but for its end if it is long: no markup, no mention of a user, no link to an issue.
fn safe(text: &str) -> String {
    let short = match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_owned(),
    };
    escape(&short.replace(char::is_control, " ")).replace('@', "@<!-- -->").replace('#', "#<!-- -->")
}

#[derive(Serialize)]
struct Entry<'a> {
    fails: bool,
    aspect: &'static str,
    verdict: &'static str,
    text: &'a str,
    group: &'a Subject,
    /// The run, if it is one run that differs.
    run: Option<&'a Case>,
}

/// The comparison as JSON, with `regression` (true or false) on top. Of the runs it holds those of which something is found.
///
/// # Errors
/// None that is known: a number that is not finite is written as null.
pub fn json<'a>(comparison: &'a Comparison) -> Result<String, serde_json::Error> {
    let entry = |finding: &'a Finding| Entry {
        fails: finding.fails,
        aspect: finding.aspect.name(),
        verdict: finding.verdict.name(),
        text: &finding.text,
        group: &finding.subject,
        run: finding.case.and_then(|case| comparison.cases.get(case)),
    };
    #[derive(Serialize)]
    struct Document<'a> {
        regression: bool,
        options: &'a Options,
        base: &'a Side,
        new: &'a Side,
        matched: usize,
        warnings: &'a [String],
        findings: Vec<Entry<'a>>,
        counts: Counts,
        changed_counts: &'a [Change],
        tests: &'a [Tested],
    }
    let Comparison { options, base, new, matched, warnings, findings, counts, changes, tests, .. } = comparison;
    let document = Document {
        regression: comparison.is_regression(),
        options,
        base,
        new,
        matched: *matched,
        warnings,
        findings: findings.iter().map(entry).collect(),
        counts: *counts,
        changed_counts: changes,
        tests,
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

struct Test<'a> {
    class: String,
    name: String,
    time_s: f64,
    findings: Vec<&'a Finding>,
    skipped: Option<&'static str>,
    output: Option<&'a str>,
}

/// The comparison as JUnit XML: a suite for each experiment and solver with a case for each run, and a suite of the groups, whose
/// counts, times and memory are no matter of single runs. Regressions are failures; runs that NEW does not have are skipped, unless missing runs fail;
/// whatever else is found stands in the output of its case.
#[must_use]
pub fn junit(comparison: &Comparison) -> String {
    let suites = suites(comparison);
    let all: Vec<_> = suites.iter().flat_map(|(_, tests)| tests).collect();
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tilebench compare\"".to_owned();
    text += &totals(&all);
    text += ">\n";
    for (name, tests) in &suites {
        let _ =
            writeln!(text, "  <testsuite name=\"{}\"{}>", attribute(name), totals(&tests.iter().collect::<Vec<_>>()));
        for test in tests {
            case(&mut text, test);
        }
        text += "  </testsuite>\n";
    }
    text + "</testsuites>\n"
}

/// The suites in the order of their first runs, that of the groups last.
fn suites(comparison: &Comparison) -> Vec<(String, Vec<Test<'_>>)> {
    let mut of_run: BTreeMap<usize, Vec<&Finding>> = BTreeMap::new();
    let mut of_group: BTreeMap<_, Vec<&Finding>> = BTreeMap::new();
    for finding in &comparison.findings {
        match finding.case {
            Some(place) => of_run.entry(place).or_default().push(finding),
            None => of_group.entry(&finding.subject).or_default().push(finding),
        }
    }
    // By experiment and solver.
    let mut suites: BTreeMap<(&str, &str), Vec<Test>> = BTreeMap::new();
    for (place, case) in comparison.cases.iter().enumerate() {
        let suite = suites.entry((&case.experiment, &case.solver)).or_default();
        suite.push(of_case(case, of_run.remove(&place).unwrap_or_default()));
    }
    let mut all: Vec<_> = suites.into_iter().map(|((e, s), tests)| (format!("{e} / {s}"), tests)).collect();
    let several = comparison.new.experiments.len() > 1;
    for test in &comparison.tests {
        of_group.entry(&test.subject).or_default();
    }
    let groups = of_group.into_iter().map(|(subject, findings)| Test {
        class: "groups".to_owned(),
        name: subject.name(several),
        time_s: 0.0,
        findings,
        skipped: None,
        output: None,
    });
    all.push(("groups".to_owned(), groups.collect()));
    all
}

fn of_case<'a>(case: &'a Case, findings: Vec<&'a Finding>) -> Test<'a> {
    let shown = case.new.as_ref().or(case.base.as_ref());
    Test {
        class: format!("{}.{}", case.experiment, case.solver),
        name: case.name(),
        time_s: case.new.as_ref().and_then(|ended| ended.wall_time_s).unwrap_or(0.0),
        findings,
        skipped: case.new.is_none().then_some("only in BASE"),
        output: shown.and_then(|ended| ended.message.as_deref()),
    }
}

impl Test<'_> {
    fn fails(&self) -> bool {
        self.findings.iter().any(|finding| finding.fails)
    }

    fn is_skipped(&self) -> bool {
        self.skipped.is_some() && !self.fails()
    }
}

fn totals(tests: &[&Test]) -> String {
    let count = |is: fn(&Test) -> bool| tests.iter().filter(|test| is(test)).count();
    let time: f64 = tests.iter().map(|test| test.time_s).sum();
    format!(
        " tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{time:.3}\"",
        count(|_| true),
        count(|test| test.fails()),
        count(|test| test.is_skipped())
    )
}

fn case(text: &mut String, test: &Test) {
    let (class, name) = (attribute(&test.class), attribute(&test.name));
    let _ = write!(text, "    <testcase classname=\"{class}\" name=\"{name}\" time=\"{:.3}\"", test.time_s);
    let failing: Vec<_> = test.findings.iter().copied().filter(|finding| finding.fails).collect();
    let others: Vec<_> = test.findings.iter().copied().filter(|finding| !finding.fails).collect();
    let output = test.output.filter(|_| !test.findings.is_empty());
    if failing.is_empty() && others.is_empty() && test.skipped.is_none() {
        *text += "/>\n";
        return;
    }
    *text += ">\n";
    // Readers want at most one failure a case.
    if let Some(first) = failing.first() {
        let lines: Vec<_> = failing.iter().map(|finding| line(finding)).chain(output.map(str::to_owned)).collect();
        let message = attribute(&first.text);
        let _ = write!(text, "      <failure message=\"{message}\" type=\"{}\">", first.aspect);
        let _ = writeln!(text, "{}</failure>", xml(&lines.join("\n")));
    } else if let Some(reason) = test.skipped {
        let _ = writeln!(text, "      <skipped message=\"{reason}\"/>");
    }
    if !others.is_empty() {
        let lines: Vec<_> = others.iter().map(|finding| line(finding)).collect();
        let _ = writeln!(text, "      <system-out>{}</system-out>", xml(&lines.join("\n")));
    }
    *text += "    </testcase>\n";
}

fn line(finding: &Finding) -> String {
    let verdict =
        if finding.verdict == Verdict::Worse && !finding.fails { "worse, no failure" } else { finding.verdict.name() };
    format!("{} ({verdict}): {}", finding.aspect, finding.text)
}

/// The value of an attribute between double quotes, on one line.
fn attribute(text: &str) -> String {
    xml(text).replace(['\n', '\t'], " ")
}
