//! A comparison for other programs: as JSON, and as JUnit XML as GitHub, GitLab and Jenkins read it.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use super::{Case, Change, Comparison, Counts, Finding, Options, Side, Subject, Tested, Verdict};
use crate::text::xml;

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
        aspect: finding.aspect.as_str(),
        verdict: finding.verdict.as_str(),
        text: &finding.text,
        group: &finding.subject,
        run: finding.case.and_then(|case| comparison.cases.get(case)),
    };
    let document = Document {
        regression: comparison.is_regression(),
        options: &comparison.options,
        base: &comparison.base,
        new: &comparison.new,
        matched: comparison.matched,
        warnings: &comparison.warnings,
        findings: comparison.findings.iter().map(entry).collect(),
        counts: comparison.counts,
        changed_counts: &comparison.changes,
        tests: &comparison.tests,
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

/// A test case in the making.
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

/// Attributes that count tests.
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
    let verdict = if finding.verdict == Verdict::Worse && !finding.fails {
        "worse, no failure"
    } else {
        finding.verdict.as_str()
    };
    format!("{} ({verdict}): {}", finding.aspect, finding.text)
}

/// The value of an attribute between double quotes, on one line.
fn attribute(text: &str) -> String {
    xml(text).replace(['\n', '\t'], " ")
}
