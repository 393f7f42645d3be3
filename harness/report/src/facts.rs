//! How and where the rows of a page were measured: from the rows, since the manifest knows the latest session only.

use std::collections::BTreeSet;

use record::{HostFacts, RunRow};

use crate::Experiment;
use crate::experiment::{build, ended};

/// One sentence without the full stop for each kind of fact.
pub fn facts(experiment: &Experiment) -> Vec<String> {
    let (manifest, runs) = (experiment.manifest(), experiment.runs());
    let mut facts = Vec::new();
    let machines = distinct(runs, |r| Some(joined(&[&r.host, &r.cpu_model], ", ")));
    let latest = manifest.latest_session().cloned().unwrap_or_default();
    let described = joined(&[&latest.host.host, &latest.host.cpu_model], ", ");
    match machines.as_slice() {
        [] => {}
        [one] if *one == described => facts.push(format!("Machine: {one}{}", details(&latest.host))),
        [one] => facts.push(format!("Machine: {one}")),
        several => facts.push(format!("Machines: {}", several.join("; "))),
    }
    let version = |solver: &String| {
        let versions = distinct(runs, |r| (r.solver == *solver).then(|| r.solver_version.clone()));
        joined(&[solver, &versions.join(" and ")], " ")
    };
    let solvers: Vec<_> = experiment.catalog().solvers.iter().map(version).collect();
    if !solvers.is_empty() {
        facts.push(format!("Solvers: {}", solvers.join(", ")));
    }
    let mut measured = vec![format!("Runs: {} of {}", ended(runs), manifest.planned)];
    let days = distinct(runs, |r| Some(r.started_at.split('T').next()?.to_owned()));
    match days.as_slice() {
        [] => {}
        [day] => measured.push(format!("measured on {day}")),
        [first, .., last] => measured.push(format!("measured from {first} to {last}")),
    }
    let builds = distinct(runs, build);
    if !builds.is_empty() {
        measured.push(format!("tilebench {}", builds.join(", ")));
    }
    facts.push(measured.join("; "));
    let plural = if latest.jobs == 1 { "" } else { "s" };
    facts.push(format!(
        "Latest session: profile {}, {} job{plural} at a time",
        manifest.profile.as_deref().unwrap_or("none"),
        latest.jobs
    ));
    facts
}

/// What only the manifest tells of a machine.
fn details(host: &HostFacts) -> String {
    let mut text = String::new();
    if host.cpus > 0 {
        text += &format!(", {} logical CPU{}", host.cpus, if host.cpus == 1 { "" } else { "s" });
    }
    if host.memory_b > 0 {
        text += &format!(", {} MiB of memory", host.memory_b >> 20);
    }
    if !host.kernel.is_empty() {
        text += &format!(", {}", host.kernel);
    }
    if !host.governor.is_empty() {
        text += &format!(", governor {}", host.governor);
    }
    text
}

fn joined(parts: &[&str], between: &str) -> String {
    parts.iter().copied().filter(|p| !p.is_empty()).collect::<Vec<_>>().join(between)
}

/// The values that occur, without empty ones, in order.
fn distinct(runs: &[RunRow], value: impl Fn(&RunRow) -> Option<String>) -> Vec<String> {
    let values: BTreeSet<_> = runs.iter().filter_map(value).filter(|v| !v.is_empty()).collect();
    values.into_iter().collect()
}
