//! How and where the rows of a page were measured: by the sessions of the manifest that rows of the page are from.

use std::collections::{BTreeMap, BTreeSet};

use record::{HostFacts, SessionFacts, Status, natural_order};

use crate::analysis::Analysis;
use crate::results::{Run, Setting, ended, some};
use crate::text::count;

/// One sentence without the full stop for each thing, and for each kind of session.
pub fn provenance(analysis: &Analysis) -> Vec<String> {
    let (manifest, runs) = (analysis.experiment.manifest(), analysis.experiment.runs());
    let used = used(analysis);
    let mut found = machines(runs, &used);
    let mut versions: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let (mut builds, mut days) = (BTreeSet::new(), BTreeSet::new());
    for run in runs {
        let setting = &run.setting;
        versions.entry(&setting.solver).or_default().extend(named(&setting.solver_version));
        builds.extend(named(&setting.build));
        days.extend(named(run.day()));
    }
    let version = |solver: &String| {
        let found = versions.get(solver.as_str()).map(|v| v.iter().cloned().collect::<Vec<_>>()).unwrap_or_default();
        joined(&[solver, &found.join(" and ")], " ")
    };
    let solvers: Vec<_> = analysis.experiment.catalog.solvers.iter().map(version).collect();
    if !solvers.is_empty() {
        found.push(format!("Solvers: {}", solvers.join(", ")));
    }
    let mut measured = vec![format!("Runs: {} of {}", ended(runs), manifest.planned)];
    measured.extend(period(&days).map(|period| format!("measured {period}")));
    if !builds.is_empty() {
        measured.push(format!("tilebench {}", some(&builds)));
    }
    measured.push(format!("profile {}", manifest.profile.as_deref().unwrap_or("none")));
    found.push(measured.join("; "));
    found.extend(limits(runs));
    found.extend(meanings(analysis));
    found.extend(sessions(&used));
    found
}

/// What `optimal` and seeds mean where solvers of several kinds stand side by side.
fn meanings(analysis: &Analysis) -> Vec<String> {
    let kinds = analysis.experiment.catalog.formulations.iter().map(|f| f.kind.clone());
    let others: BTreeSet<_> = kinds.filter(|kind| kind != "mip").collect();
    let is_optimal = |run: &Run| others.contains(&run.setting.kind) && run.status == Status::Optimal;
    let optimal = analysis.experiment.runs().iter().any(is_optimal);
    let optimal =
        optimal.then(|| format!("Status optimal of {}: a solution; there nothing is optimised", some(&others)));
    let has_seeds = analysis.aggregates().outcomes.iter().any(|o| o.seeds > 1);
    let seeds = has_seeds.then(|| "Seeds: runs of solvers that take none are repeats (tilebench solvers)".to_owned());
    optimal.into_iter().chain(seeds).collect()
}

fn limits(runs: &[Run]) -> Option<String> {
    let values = |of: fn(&Setting) -> &str| {
        let values: BTreeSet<_> = runs.iter().map(|r| of(&r.setting)).collect();
        let mut values: Vec<_> = values.into_iter().collect();
        values.sort_by(|a, b| natural_order(a, b));
        values.join(", ")
    };
    let (time, cpu, memory) = (values(|s| &s.time_limit), values(|s| &s.cpu_limit), values(|s| &s.memory_limit));
    (!runs.is_empty()).then(|| format!("Limits of a run: time {time}; CPU time {cpu}; memory {memory}"))
}

/// A session, and the runs of the page that are from it.
struct Used<'a> {
    session: &'a SessionFacts,
    runs: u64,
    days: BTreeSet<String>,
    /// As the rows say it: what the machine allowed may have changed on the way.
    isolation: BTreeSet<String>,
}

fn used(analysis: &Analysis) -> Vec<Used<'_>> {
    let unused = |session| Used { session, runs: 0, days: BTreeSet::new(), isolation: BTreeSet::new() };
    let mut all: Vec<_> = analysis.experiment.manifest().sessions.iter().map(unused).collect();
    for run in analysis.experiment.runs() {
        if let Some(used) = run.session.and_then(|index| all.get_mut(index)) {
            used.runs += 1;
            if !used.days.contains(run.day()) {
                used.days.insert(run.day().to_owned());
            }
            let isolation = &run.setting.isolation;
            if !isolation.is_empty() && !used.isolation.contains(isolation) {
                used.isolation.insert(isolation.clone());
            }
        }
    }
    all.retain(|used| used.runs > 0);
    all
}

/// A line for each machine, with what the sessions know of it; one that changed between sessions has several.
fn machines(runs: &[Run], used: &[Used]) -> Vec<String> {
    let name = |host: &str, cpu: &str| joined(&[host, cpu], ", ");
    let described = |u: &Used| name(&u.session.host.host, &u.session.host.cpu_model) + &details(&u.session.host);
    let mut lines: BTreeSet<_> = used.iter().map(described).collect();
    let mut seen = BTreeSet::new();
    for setting in runs.iter().filter(|r| r.session.is_none()).map(|r| &r.setting) {
        if seen.insert((&setting.host, &setting.cpu_model)) {
            lines.insert(name(&setting.host, &setting.cpu_model));
        }
    }
    lines.into_iter().filter(|line| !line.is_empty()).map(|line| format!("Machine: {line}")).collect()
}

/// One line for sessions that are alike, however many.
fn sessions(used: &[Used]) -> Vec<String> {
    let mut kinds: Vec<(String, Vec<&Used>)> = Vec::new();
    // The build is said of the rows and the solvers too; where sessions differ it must be said whose it is.
    let builds: BTreeSet<_> = used.iter().map(|u| &u.session.git_commit).collect();
    let hosts: BTreeSet<_> = used.iter().map(|u| &u.session.host.host).collect();
    for used in used {
        let session = used.session;
        let mut text = count(session.jobs, "job") + " at a time, ";
        text += if session.pinned { "each pinned to CPUs of its own" } else { "not pinned" };
        if !used.isolation.is_empty() {
            text += &format!(", isolation {}", some(&used.isolation));
        }
        if hosts.len() > 1 {
            text += &format!(", on {}", session.host.host);
        }
        if builds.len() > 1 {
            text += &format!(", tilebench {}", session.git_commit);
        }
        match kinds.iter_mut().find(|k| k.0 == text) {
            Some(kind) => kind.1.push(used),
            None => kinds.push((text, vec![used])),
        }
    }
    let several = kinds.len() > 1;
    let line = |(text, members): (String, Vec<&Used>)| {
        let what = if members.len() == 1 { "Session".to_owned() } else { format!("{} sessions", members.len()) };
        if !several {
            return format!("{what}: {text}");
        }
        let days: BTreeSet<_> = members.iter().flat_map(|u| u.days.iter().cloned()).collect();
        let runs: u64 = members.iter().map(|u| u.runs).sum();
        joined(&[&what, &period(&days).unwrap_or_default()], " ") + &format!(", {}: {text}", count(runs, "run"))
    };
    kinds.into_iter().map(line).collect()
}

fn period(days: &BTreeSet<String>) -> Option<String> {
    match (days.first()?, days.last()?) {
        (first, last) if first == last => Some(format!("on {first}")),
        (first, last) => Some(format!("from {first} to {last}")),
    }
}

/// What only a session tells of a machine.
fn details(host: &HostFacts) -> String {
    let number = |number: u32, what: &str| if number == 0 { String::new() } else { count(number, what) };
    let memory = if host.memory_b == 0 { String::new() } else { format!("{} MiB of memory", host.memory_b >> 20) };
    let governor = if host.governor.is_empty() { String::new() } else { format!("governor {}", host.governor) };
    let (cores, cpus) = (number(host.cores, "core"), number(host.cpus, "logical CPU"));
    let parts = joined(&[&cores, &cpus, &memory, &host.os, &host.kernel, &governor], ", ");
    if parts.is_empty() { parts } else { format!(", {parts}") }
}

fn joined(parts: &[&str], between: &str) -> String {
    parts.iter().copied().filter(|p| !p.is_empty()).collect::<Vec<_>>().join(between)
}

fn named(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}
