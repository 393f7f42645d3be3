//! What a reader must know before comparing the figures of an experiment.

use std::collections::{BTreeMap, BTreeSet};

use record::{Category, Manifest, RESTRICTED, RunRow, Status};

use super::{Catalog, PublishedRow, foreign};
use crate::tables;

/// Numbers of rows that are not shown.
pub struct LeftOut {
    /// Attempts that a later one of the same run superseded.
    pub attempts: usize,
    /// Rows of runs that the plan of the manifest does not hold.
    pub earlier: usize,
}

/// One sentence for each thing that is not as a clean comparison wants it.
pub fn warnings(
    manifest: &Manifest,
    runs: &[RunRow],
    left_out: &LeftOut,
    published: &[PublishedRow],
    catalog: &Catalog,
) -> Vec<String> {
    let mut found = wrong_answers(runs);
    found.extend(contradictions(runs));
    if runs.is_empty() {
        found.push("no run has ended yet".to_owned());
    } else if (ended(runs) as u64) < manifest.planned {
        found.push(format!("only {} of {} planned runs have ended", ended(runs), manifest.planned));
    }
    if left_out.attempts > 0 {
        let more = left_out.attempts;
        let verb = if more == 1 { "attempt was" } else { "attempts were" };
        found.push(format!("{more} earlier {verb} superseded; the latest attempt of each run counts"));
    }
    if left_out.earlier > 0 {
        let rows = if left_out.earlier == 1 { "row of an earlier plan is" } else { "rows of earlier plans are" };
        found.push(format!("{} {rows} left out: the latest plan does not hold these runs", left_out.earlier));
    }
    found.extend(mixed(runs));
    found.extend(other_machine(manifest, runs));
    found.extend(unmatched(published, catalog, shows_nameless(manifest, catalog)));
    found
}

fn wrong_answers(runs: &[RunRow]) -> Vec<String> {
    let wrong: BTreeSet<_> = runs.iter().filter(|r| r.category == Category::Wrong).map(cell).collect();
    if wrong.is_empty() {
        return Vec::new();
    }
    vec![format!("WRONG answers (instance / formulation / solver): {}", join(&wrong))]
}

/// Number of runs that a resumption would not do again.
pub fn ended(runs: &[RunRow]) -> usize {
    runs.iter().filter(|run| run.status.is_final()).count()
}

/// Runs that claim there is no solution where another run found one: at least one of them, or the judge, errs.
fn contradictions(runs: &[RunRow]) -> Option<String> {
    let solved: BTreeMap<_, _> = runs
        .iter()
        .filter(|r| r.category == Category::Correct && r.status.has_solution())
        .map(|r| (r.instance_hash.as_str(), cell(r)))
        .rev()
        .collect();
    let found: BTreeSet<_> = runs
        .iter()
        .filter(|r| r.status == Status::Infeasible && r.termination_reason != RESTRICTED)
        .filter_map(|r| Some(format!("{}, solved by {}", cell(r), solved.get(r.instance_hash.as_str())?)))
        .collect();
    (!found.is_empty())
        .then(|| format!("WRONG claims that there is no solution, where another run found one: {}", join(&found)))
}

/// The manifest describes the machine of the latest session, which need not be that of the rows.
fn other_machine(manifest: &Manifest, runs: &[RunRow]) -> Option<String> {
    let host = &manifest.latest_session()?.host;
    let ours = [(&host.host, values(runs, |r| &r.host)), (&host.cpu_model, values(runs, |r| &r.cpu_model))];
    let (latest, rows) =
        ours.iter().find(|(name, rows)| !name.is_empty() && !rows.is_empty() && !rows.contains(*name))?;
    Some(format!("the latest session ran on {latest}, but the rows are from {}", join(rows)))
}

/// Rows that should agree and do not.
fn mixed(runs: &[RunRow]) -> Vec<String> {
    let mut found = Vec::new();
    let mut differ = |what: &str, values: BTreeSet<String>| {
        if values.len() > 1 {
            found.push(format!("rows of {} {what}: {}", values.len(), join(&values)));
        }
    };
    differ("hosts, whose times must not be compared", values(runs, |r| &r.host));
    differ("CPU models, whose times must not be compared", values(runs, |r| &r.cpu_model));
    differ("builds of tilebench", runs.iter().filter_map(build).collect());
    for (solver, versions) in by(runs, |r| r.solver.clone(), |r| r.solver_version.clone()) {
        differ(&format!("versions of solver {solver}"), versions);
    }
    for (instance, hashes) in by(runs, |r| r.instance.clone(), |r| r.instance_hash.clone()) {
        differ(&format!("files under the instance name {instance}"), hashes);
    }
    let definition = |r: &RunRow| [r.families.as_str(), &r.objective, &r.subloops, &r.hole_treatment].join(" | ");
    for (formulation, definitions) in by(runs, |r| r.formulation.clone(), definition) {
        differ(&format!("definitions of formulation {formulation}"), definitions);
    }
    let limit = |r: &RunRow| r.time_limit_s.map_or_else(|| "none".to_owned(), |s| format!("{s} s"));
    let limits: BTreeSet<_> = by(runs, cell, limit).into_values().filter(|l| l.len() > 1).flatten().collect();
    differ("time limits for one and the same cell", limits);
    if runs.iter().any(|r| r.git_dirty == Some(true)) {
        found.push("measured with a build of uncommitted changes".to_owned());
    }
    found
}

fn cell(run: &RunRow) -> String {
    format!("{} / {} / {}", run.instance, run.formulation, run.solver)
}

/// The build of tilebench that made a row, where it is known.
pub fn build(run: &RunRow) -> Option<String> {
    let dirty = if run.git_dirty == Some(true) { "-dirty" } else { "" };
    (!run.git_commit.is_empty()).then(|| format!("{}{dirty}", run.git_commit))
}

fn values(runs: &[RunRow], column: impl Fn(&RunRow) -> &String) -> BTreeSet<String> {
    runs.iter().map(column).filter(|v| !v.is_empty()).cloned().collect()
}

fn by(
    runs: &[RunRow],
    key: impl Fn(&RunRow) -> String,
    value: impl Fn(&RunRow) -> String,
) -> BTreeMap<String, BTreeSet<String>> {
    let mut groups: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for run in runs {
        groups.entry(key(run)).or_default().insert(value(run));
    }
    groups
}

/// Whether the page has a table with a place for published figures that name no formulation.
fn shows_nameless(manifest: &Manifest, catalog: &Catalog) -> bool {
    let wanted = &manifest.report.tables;
    catalog.is_bounded() && (wanted.is_empty() || wanted.iter().any(|t| t == tables::BOUNDED))
}

fn unmatched(published: &[PublishedRow], catalog: &Catalog, shows_nameless: bool) -> Vec<String> {
    let known =
        |families: &str, objective: Option<&str>| catalog.formulations.iter().any(|f| f.is(families, objective));
    let lost: BTreeSet<_> = published
        .iter()
        .map(|p| (p.formulation.as_str(), p.objective.as_deref()))
        .filter(|(families, objective)| !known(families, *objective))
        .collect();
    let text = |(families, objective): (&str, Option<&str>)| {
        let figures = format!("published figures of {} are in no table", foreign(families, objective));
        match objective {
            _ if families.is_empty() && shows_nameless => None,
            _ if families.is_empty() => Some("published figures that name no formulation are in no table".to_owned()),
            Some(_) if known(families, None) => Some(format!("{figures}: here these families have another objective")),
            _ => Some(format!("{figures}: no formulation here has exactly these families")),
        }
    };
    lost.into_iter().filter_map(text).collect::<BTreeSet<_>>().into_iter().collect()
}

fn join(values: &BTreeSet<String>) -> String {
    values.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}
