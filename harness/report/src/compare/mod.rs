//! Two sets of results compared, run by run: what became worse, what better, what only changed, and what two measurements
//! of one program may differ in.
//!
//! [`compare`] matches the runs (`matching.rs`), judges each pair (`runs.rs`), then each group of runs: counts that are the same
//! whenever the same program does the same work, runs that cross a limit together (`groups.rs`), times and memory (`measured.rs`).
//! What is comparable at all is in `circumstances.rs`. The rules and their reasons are in docs/guide/compare.md.

mod circumstances;
mod comparison;
mod finding;
mod groups;
mod matching;
mod measured;
mod render;
mod runs;

use std::collections::BTreeSet;

use crate::ReportError;
use crate::results::Experiment;

pub use comparison::Comparison;
pub use finding::{Aspect, Case, Counts, Ended, Finding, Options, Side, Subject, Verdict};
pub use groups::Change;
pub use measured::Tested;
pub use render::{MOST_CHARACTERS, json, junit, markdown};

/// Compares the results of two measurements, each of one experiment or several.
///
/// # Errors
/// A file that ends within a row; no run that both sides have; a run that one experiment of a side has twice.
pub fn compare(base: &[Experiment], new: &[Experiment], options: &Options) -> Result<Comparison, ReportError> {
    let matched = matching::matched(base, new)?;
    let (cases, mut findings) = runs::of_runs(&matched, options);
    findings.extend(runs::missing(&matched.only_base, true, options));
    findings.extend(runs::missing(&matched.only_new, false, options));
    findings.extend(runs::unfinished(base, true, options));
    findings.extend(runs::unfinished(new, false, options));
    let groups = matching::groups(&matched.pairs);
    let mut counts = Counts::default();
    let mut changes = Vec::new();
    for group in &groups {
        for (change, finding) in groups::changes(group, &mut counts, options) {
            changes.push(change);
            findings.push(finding);
        }
    }
    let mut tests = Vec::new();
    let busy = circumstances::any_busy(&matched.pairs);
    for (tested, finding) in measured::measured(&groups, busy, options) {
        tests.push(tested);
        findings.extend(finding);
    }
    findings.extend(groups::drifts(&groups, options));
    // What fails comes first; the rest in the order of the runs.
    findings.sort_by_key(|finding| (!finding.fails, finding.verdict, finding.aspect));
    let mut warnings = circumstances::warnings(base, new, &matched, options);
    warnings.extend(measured::blindness(&groups, &tests, options));
    let [base_interrupted, new_interrupted] = matched.interrupted;
    Ok(Comparison {
        options: options.clone(),
        base: side(base, base_interrupted, matched.only_base.len()),
        new: side(new, new_interrupted, matched.only_new.len()),
        matched: matched.pairs.len(),
        warnings,
        findings,
        counts,
        changes,
        tests,
        cases,
    })
}

fn side(experiments: &[Experiment], interrupted: usize, alone: usize) -> Side {
    let builds: BTreeSet<_> = experiments.iter().flat_map(|e| e.runs()).map(|run| run.setting.build.as_str()).collect();
    let all: usize = experiments.iter().map(Experiment::len).sum();
    Side {
        experiments: experiments.iter().map(|e| e.name().to_owned()).collect(),
        runs: all - interrupted,
        interrupted,
        alone,
        builds: builds.into_iter().filter(|build| !build.is_empty()).map(str::to_owned).collect(),
    }
}
