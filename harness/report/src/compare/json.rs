//! A comparison as JSON, for other programs.

use serde::Serialize;

use super::{Case, Change, Comparison, Counts, Finding, Options, Side, Subject, Tested};

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
