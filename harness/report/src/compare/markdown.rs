//! A comparison as Markdown, for a comment on a pull request.

use std::fmt::Write;

use super::{Aspect, Change, Comparison, Finding, Options, Side, Subject, Tested, Verdict};
use crate::text::{count, markdown as escape};

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
        (Verdict::Borderline, "near a limit, where two measurements of one program differ"),
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
            let title = format!("{title}{}", blind(&tests, &comparison.options));
            folded_in(&mut text, &title, |text| shown.tests(text, &tests));
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
    let fails: Vec<_> = Aspect::ALL.into_iter().filter(|aspect| options.fails(*aspect)).map(Aspect::as_str).collect();
    format!(
        "<sub>Fails on: {}. Times and memory: geometric mean of ratios above {}, Wilcoxon's signed-rank test over at least {} \
         instances (medians over seeds and repeats) with p < {} after Holm's correction over the groups. Counts: above {} in a \
         group, single-threaded runs that ended by themselves, equal versions of the solver. Runs that a limit stopped have no \
         part in either.</sub>\n",
        if fails.is_empty() { "nothing".to_owned() } else { fails.join(", ") },
        options.time_threshold,
        Options::LEAST_INSTANCES,
        options.alpha,
        options.count_threshold
    )
}

/// How many groups are too small for the test, whatever is measured.
fn blind(tests: &[&Tested], options: &Options) -> String {
    let small = tests.iter().filter(|tested| tested.is_blind(options)).count();
    if small == 0 { String::new() } else { format!(" ({small} of {} have too few instances to tell)", tests.len()) }
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
            let verdict = verdict.as_str();
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
        let rows = tests.iter().map(|tested| {
            let interval = tested.interval.map(|(low, high)| format!("{low:.3} to {high:.3}")).unwrap_or_default();
            let p = tested.p_holm.map(|p| format!("{p:.2e}")).unwrap_or_default();
            let verdict = match tested.verdict {
                Some(verdict) => verdict.as_str(),
                None if tested.is_blind(&self.comparison.options) => "too few instances",
                None => "",
            };
            let remark = if tested.comparable { "" } else { "*" };
            format!(
                "| {} | {} | {} | {} | {:.3}{remark} | {interval} | {p} | {verdict} |\n",
                self.group(&tested.subject),
                tested.instances,
                tested.runs,
                tested.left_out,
                tested.ratio
            )
        });
        let head = "| group | instances | runs | left out | ratio | 95 % interval | p (Holm) | |\n\
                    |---|---:|---:|---:|---:|---:|---:|---|\n";
        table(text, head, rows);
        if tests.iter().any(|tested| !tested.comparable) {
            *text += "\n\\* measured under other circumstances, or disturbed\n";
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
