//! How and where the rows of a page were measured: by the sessions of the manifest that rows of the page are from.

use std::collections::{BTreeMap, BTreeSet};

use record::{EngineFacts, HostFacts, SessionFacts, Status, natural_order};

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
    // Apart from the runs: experiments of one session have it in common.
    let mut measured = vec![format!("Profile {}", manifest.profile.as_deref().unwrap_or("none"))];
    measured.extend(period(&days).map(|period| format!("measured {period}")));
    if !builds.is_empty() {
        measured.push(format!("tilebench {}", some(&builds)));
    }
    found.push(measured.join("; "));
    let version = |solver: &String| {
        let found = versions.get(solver.as_str()).map(|v| v.iter().cloned().collect::<Vec<_>>()).unwrap_or_default();
        joined(&[solver, &found.join(" and ")], " ")
    };
    let solvers: Vec<_> = analysis.experiment.catalog.solvers.iter().map(version).collect();
    if !solvers.is_empty() {
        found.push(format!("Solvers: {}", solvers.join(", ")));
    }
    found.push(format!("Runs: {} of {}", ended(runs), manifest.planned));
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

/// A line for the machines that are alike, with what the sessions know of them; one that changed between sessions has several.
fn machines(runs: &[Run], used: &[Used]) -> Vec<String> {
    let mut alike: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for host in used.iter().map(|used| &used.session.host) {
        alike.entry(joined(&[&host.cpu_model, &details(host)], ", ")).or_default().insert(&host.host);
    }
    for setting in runs.iter().filter(|r| r.session.is_none()).map(|r| &r.setting) {
        alike.entry(setting.cpu_model.clone()).or_default().insert(&setting.host);
    }
    let line = |(what, hosts): (String, BTreeSet<&str>)| {
        let number = if hosts.len() == 1 { "Machine".to_owned() } else { format!("{} machines", hosts.len()) };
        let described = joined(&[&some(&hosts), &what], ", ");
        (!described.is_empty()).then(|| (described.clone(), format!("{number}: {described}")))
    };
    // By their names, of which the first stands first.
    alike.into_iter().filter_map(line).collect::<BTreeMap<_, _>>().into_values().collect()
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
        if builds.len() > 1 {
            text += &format!(", tilebench {}", session.git_commit);
        }
        text += &job(&session.engine).map(|job| format!(", {job}")).unwrap_or_default();
        match kinds.iter_mut().find(|k| k.0 == text) {
            Some(kind) => kind.1.push(used),
            None => kinds.push((text, vec![used])),
        }
    }
    let several = kinds.len() > 1;
    let line = |(mut text, members): (String, Vec<&Used>)| {
        if hosts.len() > 1 {
            text += &format!(", on {}", some(members.iter().map(|u| &u.session.host.host).collect::<BTreeSet<_>>()));
        }
        text += &tasks(&members);
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

/// The job that a session ran in, with what was allocated.
fn job(engine: &EngineFacts) -> Option<String> {
    let job = engine.job_in_words()?;
    let cpus = if engine.cpus == 0 { String::new() } else { count(engine.cpus, "CPU") };
    let memory = if engine.memory_b == 0 { String::new() } else { mib(engine.memory_b) };
    let allocated = joined(&[&cpus, &memory], " and ");
    Some(if allocated.is_empty() { job } else { format!("{job} with {allocated} allocated") })
}

/// The tasks of a job that sessions ran in, those that the engine started again with the number of the attempt.
fn tasks(members: &[&Used]) -> String {
    let task = |engine: &EngineFacts| (engine.task.parse::<u64>().ok(), engine.attempt.filter(|attempt| *attempt > 0));
    let tasks: BTreeSet<_> = members.iter().map(|used| task(&used.session.engine)).collect();
    let number = tasks.iter().filter(|(task, _)| task.is_some()).count();
    let named = tasks.into_iter().filter_map(|(task, attempt)| {
        let task = task.map(|task| task.to_string());
        let attempt = attempt.map(|attempt| format!("attempt {attempt}"));
        (task.is_some() || attempt.is_some()).then(|| task.into_iter().chain(attempt).collect::<Vec<_>>().join(" "))
    });
    let named = some(named);
    match number {
        _ if named.is_empty() => named,
        0 => format!(", {named}"),
        1 => format!(", task {named}"),
        _ => format!(", tasks {named}"),
    }
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
    let memory = if host.memory_b == 0 { String::new() } else { mib(host.memory_b) + " of memory" };
    let governor = if host.governor.is_empty() { String::new() } else { format!("governor {}", host.governor) };
    let (cores, cpus) = (number(host.cores, "core"), number(host.cpus, "logical CPU"));
    joined(&[&cores, &cpus, &memory, &host.os, &host.kernel, &governor], ", ")
}

fn mib(bytes: u64) -> String {
    format!("{} MiB", bytes >> 20)
}

fn joined(parts: &[&str], between: &str) -> String {
    parts.iter().copied().filter(|p| !p.is_empty()).collect::<Vec<_>>().join(between)
}

fn named(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}
