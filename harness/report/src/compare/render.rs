//! A comparison as text: as Markdown, for a comment on a pull request; as JSON; and as JUnit XML as GitHub, GitLab and Jenkins
//! read it.

use std::collections::BTreeMap;
use std::fmt::Write;

use record::Category;
use serde::Serialize;

use super::{Aspect, Case, Comparison, Finding, Options, Side, Tested, Verdict};
use crate::group::by_first;
use crate::stats::Trimmed;
use crate::text::{count, listed, markdown as escape, plural, xml};

/// No more bytes than this are written; GitHub refuses comments of more than 65,536 characters.
pub const MOST_CHARACTERS: usize = 60_000;

/// By this line a workflow finds the comment that it wrote before.
const MARK: &str = "<!-- tilebench compare -->";

/// Bytes kept for what follows below every list.
const RESERVED: usize = 3_000;

/// Most characters of one warning or one difference.
const LONGEST: usize = 1_000;

/// The comparison as Markdown: the verdict, regressions, and in folded sections whatever else differs. Lists end with the
/// number of what is left out where the text would be too long.
#[must_use]
pub fn markdown(comparison: &Comparison) -> String {
    let mut text = format!("{MARK}\n### tilebench: {}\n\n{}\n", verdict(comparison), sides(comparison));
    for warning in &comparison.warnings {
        let _ = write!(text, "\n> **Warning:** {}.\n", safe(warning));
    }
    let shown = Shown { comparison, several: comparison.has_several() };
    let failing: Vec<_> = comparison.findings.iter().filter(|finding| finding.fails).collect();
    if !failing.is_empty() {
        text.push('\n');
        shown.findings(&mut text, &failing);
    }
    let folded = [
        (Verdict::Worse, "worse, of kinds that do not fail"),
        (Verdict::Missing, "missing, which does not fail"),
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
        let _ = write!(text, "\nCounts and sizes: {} of {} are equal.\n", counts.equal, counts.compared);
    }
    for (aspect, title) in [(Aspect::Time, "Times by group"), (Aspect::Memory, "Peak memory by group")] {
        let tests: Vec<_> = comparison.tests.iter().filter(|tested| tested.aspect == aspect).collect();
        // Of memory nothing is said unless somebody asks or it differs.
        let fails = comparison.options.fails(aspect);
        let wanted = fails || aspect == Aspect::Time || tests.iter().any(|tested| tested.verdict.is_some());
        if !tests.is_empty() && wanted {
            folded_in(&mut text, title, |text| shown.tests(text, &tests));
        }
    }
    text + "\n" + &rules(&comparison.options)
}

/// `2 regressions (wrong 1, time 1); incomplete: 3 runs of BASE not measured in NEW`.
fn verdict(comparison: &Comparison) -> String {
    let kinds = by_first(comparison.regressions().map(|finding| (finding.aspect, ())));
    let mut parts = Vec::new();
    if !kinds.is_empty() {
        let texts: Vec<_> = kinds.iter().map(|(aspect, of)| format!("{aspect} {}", of.len())).collect();
        parts.push(format!("{} ({})", count(comparison.regressions().count(), "regression"), texts.join(", ")));
    }
    if comparison.is_incomplete() {
        parts.push(format!("incomplete: {} of BASE not measured in NEW", count(comparison.base.alone, "run")));
    }
    if parts.is_empty() {
        parts.push("no regression".to_owned());
    }
    let wrong = comparison.others(Verdict::Changed).filter(|finding| finding.aspect == Aspect::Wrong);
    let sides = |case: &Case| [&case.base, &case.new].map(|side| side.as_ref().map(|ended| ended.category));
    let on_both =
        |finding: &&Finding| comparison.case(finding).is_some_and(|case| sides(case) == [Some(Category::Wrong); 2]);
    let (both, one): (Vec<_>, Vec<_>) = wrong.partition(on_both);
    if !both.is_empty() {
        parts.push(format!("{} on both sides", count(both.len(), "wrong answer")));
    }
    let unlike =
        comparison.tests.iter().filter(|test| test.aspect == Aspect::Time && test.verdict == Some(Verdict::Changed));
    let slower = unlike.filter(|test| !test.subject.solver.is_empty() && test.ratio > 1.0);
    let ratios: Vec<_> = slower.map(|test| test.ratio).collect();
    if let Some(most) = ratios.iter().copied().reduce(f64::max) {
        parts.push(format!("{} not judged, up to × {most:.2}", count(ratios.len(), "slower group")));
    }
    if !one.is_empty() {
        parts.push(format!(
            "{} on one side by another run",
            plural(one.len(), "answer is refuted", "answers are refuted")
        ));
    }
    parts.join("; ")
}

fn sides(Comparison { base, new, matched, .. }: &Comparison) -> String {
    format!(
        "{} in both; {} only in BASE, {} only in NEW. BASE: tilebench {}. NEW: tilebench {}.",
        plural(*matched, "run is", "runs are"),
        base.alone,
        new.alone,
        builds(base),
        builds(new)
    )
}

fn builds(side: &Side) -> String {
    if side.builds.is_empty() {
        return "of unknown revision".to_owned();
    }
    listed(side.builds.iter().map(|build| safe(build)), 4)
}

/// What decided, so that the comment can be read alone.
fn rules(options: &Options) -> String {
    let fails: Vec<_> = Aspect::ALL.into_iter().filter(|aspect| options.fails(*aspect)).map(Aspect::name).collect();
    format!(
        "<sub>Fails on: {}. Times and memory: trimmed mean of the ratios of at least {} instances (medians over seeds and \
         repeats) from {} on, with an interval above {} for itself or beside the other groups; alpha {} in all. \
         Counts: above {} in a group, single-threaded runs that ended by themselves{}.</sub>\n",
        if fails.is_empty() { "nothing".to_owned() } else { fails.join(", ") },
        Trimmed::LEAST,
        options.time_threshold,
        Options::DRIFT,
        options.alpha,
        options.count_threshold,
        if options.insists_on(Aspect::Count) { "" } else { ", equal versions of the solver" }
    )
}

struct Shown<'a> {
    comparison: &'a Comparison,
    several: bool,
}

impl Shown<'_> {
    fn findings(&self, text: &mut String, findings: &[&Finding]) {
        let rows = findings.iter().map(|finding| {
            let name = match self.comparison.case(finding) {
                Some(case) if self.several => format!("{}: {}", case.experiment, case.name()),
                Some(case) => case.name(),
                None => finding.subject.name(self.several),
            };
            format!("| {} | {} | {} |\n", finding.aspect, safe(&name), safe(&finding.text))
        });
        table(text, "| what | where | BASE → NEW |\n|---|---|---|\n", rows);
    }

    fn tests(&self, text: &mut String, tests: &[&Tested]) {
        let range = |(low, high): (f64, f64)| format!("{low:.3} to {high:.3}");
        let rows = tests.iter().map(|tested| {
            let interval = tested.interval.map(range).unwrap_or_default();
            let beside = tested.beside.map(|(_, interval)| range(interval)).unwrap_or_default();
            let seen = tested.seen.map(|seen| format!("{seen:.2}")).unwrap_or_default();
            let verdict = match tested.verdict {
                Some(verdict) => verdict.name(),
                None => tested.blind().unwrap_or_default(),
            };
            let remark = if tested.comparable { "" } else { "*" };
            format!(
                "| {} | {} | {} | {} | {:.3}{remark} | {interval} | {beside} | {seen} | {verdict} |\n",
                safe(&tested.subject.name(self.several)),
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

/// The comparison as JSON, with `regression` and `incomplete` (true or false) on top. Of the runs it holds those of which something is found.
/// A number that is not finite is written as null.
#[must_use]
pub fn json(comparison: &Comparison) -> String {
    #[derive(Serialize)]
    struct Entry<'a> {
        #[serde(flatten)]
        finding: &'a Finding,
        run: Option<&'a Case>,
    }
    #[derive(Serialize)]
    struct Document<'a> {
        regression: bool,
        incomplete: bool,
        findings: Vec<Entry<'a>>,
        #[serde(flatten)]
        comparison: &'a Comparison,
    }
    let entry = |finding| Entry { finding, run: comparison.case(finding) };
    let document = Document {
        regression: comparison.is_regression(),
        incomplete: comparison.is_incomplete(),
        findings: comparison.findings.iter().map(entry).collect(),
        comparison,
    };
    serde_json::to_string_pretty(&document).expect("JSON has all of it") + "\n"
}

/// A case of JUnit: a run or a group.
struct Test<'a> {
    class: String,
    name: String,
    time_s: f64,
    findings: Vec<&'a Finding>,
    /// Whether NEW does not have it.
    is_missing: bool,
    output: Option<&'a str>,
}

impl Test<'_> {
    fn fails(&self) -> bool {
        self.findings.iter().any(|finding| finding.fails)
    }
}

/// The suite of the groups.
const GROUPS: &str = "groups";

/// The comparison as JUnit XML: a suite for each experiment and solver with a case for each run, and a suite of the groups, whose
/// counts, times and memory are no matter of single runs, and which has the warnings. Regressions are failures; runs that NEW does not
/// have are skipped, unless missing runs fail; whatever else is found is in the output of its case.
#[must_use]
pub fn junit(comparison: &Comparison) -> String {
    let suites = suites(comparison);
    let all = totals(suites.iter().flat_map(|(_, tests)| tests));
    let mut text =
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tilebench compare\"{all}>\n");
    for (name, tests) in &suites {
        let _ = writeln!(text, "  <testsuite name=\"{}\"{}>", attribute(name), totals(tests.iter()));
        tests.iter().for_each(|test| case(&mut text, test));
        if name == GROUPS && !comparison.warnings.is_empty() {
            let _ = writeln!(text, "    <system-err>{}</system-err>", xml(&comparison.warnings.join("\n")));
        }
        text += "  </testsuite>\n";
    }
    text + "</testsuites>\n"
}

/// The suites by experiment and solver, and behind them that of the groups.
fn suites(comparison: &Comparison) -> Vec<(String, Vec<Test<'_>>)> {
    let mut of_run: BTreeMap<usize, Vec<&Finding>> = BTreeMap::new();
    let of_tests = comparison.tests.iter().map(|test| (&test.subject, Vec::new()));
    let mut of_group: BTreeMap<_, Vec<&Finding>> = of_tests.collect();
    for finding in &comparison.findings {
        match finding.case {
            Some(place) => of_run.entry(place).or_default().push(finding),
            None => of_group.entry(&finding.subject).or_default().push(finding),
        }
    }
    let mut suites: BTreeMap<(&str, &str), Vec<Test>> = BTreeMap::new();
    for (place, case) in comparison.cases.iter().enumerate() {
        let shown = case.new.as_ref().or(case.base.as_ref());
        suites.entry((&case.experiment, &case.solver)).or_default().push(Test {
            class: format!("{}.{}", case.experiment, case.solver),
            name: case.name(),
            time_s: case.new.as_ref().and_then(|ended| ended.wall_time_s).unwrap_or(0.0),
            findings: of_run.remove(&place).unwrap_or_default(),
            is_missing: case.new.is_none(),
            output: shown.and_then(|ended| ended.message.as_deref()),
        });
    }
    let several = comparison.has_several();
    let groups = of_group.into_iter().map(|(subject, findings)| Test {
        class: GROUPS.to_owned(),
        name: subject.name(several),
        time_s: 0.0,
        findings,
        is_missing: false,
        output: None,
    });
    let suites = suites.into_iter().map(|((experiment, solver), tests)| (format!("{experiment} / {solver}"), tests));
    suites.chain([(GROUPS.to_owned(), groups.collect())]).collect()
}

fn totals<'a>(tests: impl Iterator<Item = &'a Test<'a>> + Clone) -> String {
    let failures = tests.clone().filter(|test| test.fails()).count();
    let skipped = tests.clone().filter(|test| test.is_missing && !test.fails()).count();
    let time: f64 = tests.clone().map(|test| test.time_s).sum();
    let all = tests.count();
    format!(" tests=\"{all}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\" time=\"{time:.3}\"")
}

fn case(text: &mut String, test: &Test) {
    let (class, name) = (attribute(&test.class), attribute(&test.name));
    let _ = write!(text, "    <testcase classname=\"{class}\" name=\"{name}\" time=\"{:.3}\"", test.time_s);
    if test.findings.is_empty() && !test.is_missing {
        *text += "/>\n";
        return;
    }
    *text += ">\n";
    let (failing, others): (Vec<&Finding>, Vec<_>) = test.findings.iter().partition(|finding| finding.fails);
    // Readers want at most one failure a case.
    if let Some(first) = failing.first() {
        let lines: Vec<_> = failing.iter().map(|finding| line(finding)).chain(test.output.map(str::to_owned)).collect();
        let message = attribute(&first.text);
        let _ = write!(text, "      <failure message=\"{message}\" type=\"{}\">", first.aspect);
        let _ = writeln!(text, "{}</failure>", xml(&lines.join("\n")));
    } else if test.is_missing {
        *text += "      <skipped message=\"not measured in NEW\"/>\n";
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
