//! Two sets of results compared, run by run: what became worse, what better, what only changed, and what two measurements
//! of one program may differ in.
//!
//! [`compare`] matches the runs (`matching.rs`), judges each pair (`answers.rs`), then each group of runs: counts that are
//! the same whenever the same program does the same work (`counts.rs`), times and memory by a test (`paired.rs`), runs that fall
//! over a limit together (`drift.rs`).
//! What makes a run borderline, and what is comparable at all, is in `answers.rs` too. The rules and their reasons are in
//! METHODOLOGY.md, "Comparisons".

mod answers;
mod circumstances;
mod counts;
mod drift;
mod finding;
mod machine;
mod markdown;
mod matching;
mod paired;

use std::collections::{BTreeMap, BTreeSet};

use record::Category;

use crate::ReportError;
use crate::results::Experiment;
use crate::text;
use matching::{Matched, Member};

pub use counts::Change;
pub use finding::{Aspect, Case, Comparison, Counts, Ended, Finding, Options, Side, Subject, Verdict};
pub use machine::{json, junit};
pub use markdown::{MOST_CHARACTERS, markdown};
pub use paired::Tested;

/// Compares the results of two measurements, each of one experiment or several.
///
/// # Errors
/// A file that ends within a row; no run that both sides have; a run that one experiment of a side has twice.
pub fn compare(base: &[Experiment], new: &[Experiment], options: &Options) -> Result<Comparison, ReportError> {
    let matched = matching::matched(base, new)?;
    let (cases, mut findings) = of_runs(&matched, options);
    findings.extend(missing(&matched.only_base, true, options));
    findings.extend(missing(&matched.only_new, false, options));
    let groups = matching::groups(&matched.pairs);
    let mut counts = Counts::default();
    let mut changes = Vec::new();
    for group in &groups {
        for (change, finding) in counts::changes(group, &mut counts, options) {
            changes.push(change);
            findings.push(finding);
        }
    }
    let mut tests = Vec::new();
    let quiet = !circumstances::any_busy(&matched.pairs);
    let times = paired::times(&groups, quiet, options);
    for (tested, finding) in times.into_iter().chain(paired::memory(&groups, options)) {
        tests.push(tested);
        findings.extend(finding);
    }
    findings.extend(drift::drifts(&groups, quiet, options));
    // What fails comes first; the rest in the order of the runs.
    findings.sort_by_key(|finding| (!finding.fails, finding.verdict, finding.aspect));
    let warnings = circumstances::warnings(base, new, &matched, options);
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

/// Every run, and what is found of single runs.
fn of_runs(matched: &Matched, options: &Options) -> (Vec<Case>, Vec<Finding>) {
    let (mut cases, mut findings) = (Vec::new(), Vec::new());
    let mut note = |member: &Member, place: usize, aspect: Aspect, verdict: Verdict, text: String| {
        let finding = Finding::of_group(aspect, verdict, matching::subject(member), text, options);
        findings.push(Finding { case: Some(place), ..finding });
    };
    for pair in &matched.pairs {
        for (aspect, verdict, text) in answers::differences(pair) {
            note(&pair.new, cases.len(), aspect, verdict, text);
        }
        cases.push(case(&pair.new, Some(&pair.base), Some(&pair.new)));
    }
    // A wrong answer is one whether or not it was asked for before.
    for (members, is_base) in [(&matched.only_base, true), (&matched.only_new, false)] {
        for member in members {
            let (side, verdict) = if is_base { ("BASE", Verdict::Better) } else { ("NEW", Verdict::Worse) };
            if member.run.category == Category::Wrong {
                let text = format!("wrong in {side}, and not run on the other side");
                note(member, cases.len(), Aspect::Wrong, verdict, text);
            }
            cases.push(if is_base { case(member, Some(member), None) } else { case(member, None, Some(member)) });
        }
    }
    (cases, findings)
}

/// Runs that only one side has, by group.
fn missing(members: &[Member], is_base: bool, options: &Options) -> Vec<Finding> {
    let mut numbers: BTreeMap<Subject, usize> = BTreeMap::new();
    for member in members {
        *numbers.entry(matching::subject(member)).or_default() += 1;
    }
    let side = if is_base { "BASE" } else { "NEW" };
    let verdict = if is_base { Verdict::Worse } else { Verdict::Better };
    let finding = |(subject, count): (Subject, usize)| {
        let text = format!("{} only in {side}", text::count(count, "run"));
        Finding::of_group(Aspect::Missing, verdict, subject, text, options)
    };
    numbers.into_iter().map(finding).collect()
}

/// A run, under the names that this member has.
fn case(named: &Member, base: Option<&Member>, new: Option<&Member>) -> Case {
    let setting = &named.run.setting;
    Case {
        experiment: named.experiment.name().to_owned(),
        instance: setting.instance.clone(),
        formulation: setting.formulation.clone(),
        solver: setting.solver.clone(),
        seed: named.run.seed,
        repeat: named.run.repeat,
        base: base.map(ended),
        new: new.map(ended),
    }
}

fn ended(member: &Member) -> Ended {
    let run = member.run;
    Ended {
        run_id: run.run_id.to_string(),
        status: run.status,
        category: run.category,
        reason: run.termination_reason.to_string(),
        wall_time_s: run.wall_time_s,
        message: run.message.as_deref().map(str::to_owned),
    }
}
