//! How and where rows were measured: what figures must not be compared without knowing (rows that were measured under different
//! circumstances, runs that the machine disturbed), and what a page says of its sessions. Caveats are computed from the rows behind
//! a table, since tables are lifted from their page.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use record::{EngineFacts, HostFacts, SessionFacts, Status, UNAVAILABLE, formulation_options, natural_order};

use crate::analysis::Outcome;
use crate::group::by_first;
use crate::results::{Experiment, Formulation, Run, Setting, ended};
use crate::text::{count, joined, known, plural, some};

/// Cells that are named; the others are counted.
const NAMED: usize = 5;

/// The caveats of a page with these outcomes, in full sentences without the full stop.
pub fn of_page(outcomes: &[Outcome]) -> Vec<String> {
    let mut found = Vec::new();
    let mixed = mixed(outcomes.iter(), false);
    if !mixed.is_empty() {
        found.push(format!("mixed rows, not to be compared without care: {}", mixed.join("; ")));
    }
    let (disturbed, overdrawn, all) = odd(outcomes.iter());
    if disturbed > 0 {
        found.push(format!(
            "{disturbed} of {all} runs, single-threaded, took over 10 % and 0.5 s longer than their CPU time, so they waited or were disturbed: {}",
            disturbed_cells(outcomes)
        ));
    }
    if overdrawn > 0 {
        found.push(format!(
            "{overdrawn} of {all} runs took over 10 % and 0.5 s more CPU time than their threads can: solvers that do not keep to `threads`"
        ));
    }
    found
}

/// The caveats of a table or plot that shows these outcomes, in few words; `memory` where it shows memory figures.
pub fn of_shown<'a>(outcomes: impl Iterator<Item = &'a Outcome> + Clone, memory: bool) -> Vec<String> {
    let mut found = Vec::new();
    let mixed = mixed(outcomes.clone(), memory);
    if !mixed.is_empty() {
        found.push(format!("mixed rows: {}", mixed.join("; ")));
    }
    let solved = outcomes.clone().filter(|outcome| outcome.is_solved());
    let unproven: u64 = solved.map(|outcome| outcome.tally.ended_as(Status::Feasible)).sum();
    if unproven > 0 {
        let ended = plural(unproven, "run ended", "runs ended");
        found.push(format!(
            "{ended} with a solution not proven the best: solved, since any solution serves the objective"
        ));
    }
    let (disturbed, overdrawn, all) = odd(outcomes);
    if disturbed > 0 {
        found.push(format!("{disturbed} of {all} runs waited or were disturbed"));
    }
    if overdrawn > 0 {
        found.push(format!("more CPU time than their threads can use in {overdrawn} of {all} runs"));
    }
    found
}

/// The caveat of what is compared under one limit, though on so many instances the limits differ.
pub fn of_limits(instances: usize) -> Vec<String> {
    let on = count(instances, "instance");
    let caveat = format!("time limits that are not the same for all, on {on}: the least of them counts for all");
    if instances > 0 { vec![caveat] } else { Vec::new() }
}

/// Disturbed runs, those that took more CPU time than they should, and all.
fn odd<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> (u64, u64, u64) {
    outcomes.fold((0, 0, 0), |sum, o| (sum.0 + o.disturbed, sum.1 + o.overdrawn, sum.2 + o.tally.all))
}

/// The cells with disturbed runs, each with their number where not all of them are: the first, and how many more.
fn disturbed_cells(outcomes: &[Outcome]) -> String {
    let disturbed = || outcomes.iter().filter(|o| o.disturbed > 0);
    let name = |o: &Outcome| {
        let of =
            if o.disturbed < o.tally.all { format!(" ({} of {})", o.disturbed, o.tally.all) } else { String::new() };
        format!("{}{of}", o.key.cell())
    };
    let listed = joined(disturbed().take(NAMED).map(name), ", ");
    match disturbed().count().saturating_sub(NAMED) {
        0 => listed,
        others => format!("{listed} and {}", plural(others, "more cell", "more cells")),
    }
}

/// What differs between the settings of these outcomes that a clean comparison has the same, in few words each.
fn mixed<'a>(outcomes: impl Iterator<Item = &'a Outcome>, memory: bool) -> Vec<String> {
    let cells: Vec<&[Arc<Setting>]> = outcomes.map(|outcome| outcome.settings.as_slice()).collect();
    let settings: Vec<&Setting> = cells.iter().copied().flatten().map(AsRef::as_ref).collect();
    let settings = settings.as_slice();
    let values = |of: fn(&Setting) -> &str| -> BTreeSet<&str> { settings.iter().map(|s| known(of(s))).collect() };
    let mut found = Vec::new();
    found.extend(several("hosts", &values(|s| &s.host)));
    found.extend(several("CPU models", &values(|s| &s.cpu_model)));
    found.extend(changed(settings));
    let jobs: BTreeSet<_> = settings.iter().map(|s| s.jobs).collect();
    if jobs.len() > 1 {
        let numbers: Vec<_> = jobs.iter().map(ToString::to_string).collect();
        found.push(format!("{} jobs at a time", numbers.join(" and ")));
    }
    if settings.iter().any(|s| s.pinned) && settings.iter().any(|s| !s.pinned) {
        found.push("pinned and not pinned".to_owned());
    }
    found.extend(several("kinds of isolation", &values(|s| &s.isolation)));
    if memory {
        // A run without a peak has no source.
        let sources: BTreeSet<_> =
            settings.iter().map(|s| s.memory_source.as_str()).filter(|s| !s.is_empty()).collect();
        found.extend(several("sources of memory figures", &sources));
    }
    found.extend(several("builds of tilebench", &values(|s| &s.build)));
    for (solver, versions) in by(settings, |s| &s.solver, |s| known(&s.solver_version)) {
        found.extend(several(&format!("versions of {solver}"), &versions));
    }
    for (instance, hashes) in by(settings, |s| &s.instance, |s| s.instance_hash.as_str()) {
        found.extend(several(&format!("files under the instance name {instance}"), &hashes));
    }
    // Of other kinds than mip, what a formulation leaves open follows the puzzle: whether it has loops, and more places than tiles.
    let name =
        |s: &'a Setting| (&s.formulation, (s.kind != "mip").then(|| (s.has_loops(), s.challenge.cmp(&s.places))));
    let definition = |s: &'a Setting| {
        let options = formulation_options(&s.options);
        let parts = [&s.families, &s.objective, &s.subloops, &s.hole_treatment].map(String::as_str).join(" | ");
        if options.is_empty() { parts } else { format!("{parts} | {options}") }
    };
    for ((formulation, ..), definitions) in by(settings, name, definition) {
        found.extend(several(&format!("definitions of formulation {formulation}"), &definitions));
    }
    found.extend(within_cells(&cells));
    found
}

/// What changed on a machine between sessions.
fn changed(settings: &[&Setting]) -> Vec<String> {
    let mut machines: BTreeMap<_, BTreeMap<_, &HostFacts>> = BTreeMap::new();
    for setting in settings {
        if let Some(machine) = &setting.machine {
            // Sessions share them: their addresses tell them apart.
            let facts = machines.entry((&setting.host, &setting.cpu_model)).or_default();
            facts.insert(std::ptr::from_ref::<HostFacts>(machine), machine);
        }
    }
    let mut found = Vec::new();
    for ((host, _), facts) in machines {
        let mut differing = |what: &str, of: &dyn Fn(&HostFacts) -> String| {
            let values: BTreeSet<_> = facts.values().map(|f| known(&of(f)).to_owned()).collect();
            found.extend(several(&format!("{what} on {}", known(host)), &values));
        };
        let number = |count: u32| if count == 0 { String::new() } else { count.to_string() };
        differing("numbers of cores", &|f| number(f.cores));
        differing("numbers of logical CPUs", &|f| number(f.cpus));
        differing("operating systems", &|f| f.os.clone());
        differing("kernels", &|f| f.kernel.clone());
        differing("governors", &|f| f.governor.clone());
        let sizes = || facts.values().map(|f| f.memory_b);
        let (least, most) = (sizes().min().unwrap_or_default(), sizes().max().unwrap_or_default());
        // What a kernel keeps for itself is not the same at every start.
        if most - least > most / 100 {
            differing("sizes of memory", &|f| {
                if f.memory_b == 0 { String::new() } else { format!("{} MiB", f.memory_b >> 20) }
            });
        }
    }
    found
}

/// Limits and the like may differ between cells, and not within one.
fn within_cells(cells: &[&[Arc<Setting>]]) -> Vec<String> {
    let cells: Vec<_> = cells.iter().filter(|cell| cell.len() > 1).collect();
    let differing = |what: &str, of: fn(&Setting) -> String| {
        let values = cells.iter().map(|cell| cell.iter().map(|s| of(s)).collect::<BTreeSet<_>>());
        let values: BTreeSet<_> = values.filter(|v| v.len() > 1).flatten().collect();
        several(&format!("{what} for one and the same cell"), &values)
    };
    let options = |s: &Setting| if s.options.is_empty() { "none".to_owned() } else { s.options.clone() };
    let found = [
        differing("time limits", |s| s.time_limit.clone()),
        differing("CPU limits", |s| s.cpu_limit.clone()),
        differing("memory limits", |s| s.memory_limit.clone()),
        differing("numbers of threads", |s| s.threads.to_string()),
        differing("options", options),
    ];
    found.into_iter().flatten().collect()
}

/// `2 hosts (box, laptop)`, where there are several.
fn several<T: AsRef<str>>(what: &str, values: &BTreeSet<T>) -> Option<String> {
    (values.len() > 1).then(|| format!("{} {what} ({})", values.len(), some(values)))
}

fn by<'a, K: Ord, V: Ord>(
    settings: &[&'a Setting],
    key: impl Fn(&'a Setting) -> K,
    value: impl Fn(&'a Setting) -> V,
) -> BTreeMap<K, BTreeSet<V>> {
    let mut groups: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for setting in settings {
        groups.entry(key(setting)).or_default().insert(value(setting));
    }
    groups
}

/// How and where the runs of an experiment with these outcomes were measured: one sentence without the full stop for each thing, and
/// for each kind of session.
pub fn provenance(experiment: &Experiment, outcomes: &[Outcome]) -> Vec<String> {
    let (manifest, runs) = (experiment.manifest(), experiment.runs());
    let used = used(experiment);
    let mut found = machines(runs, &used);
    let mut versions: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let (mut builds, mut days) = (BTreeSet::new(), BTreeSet::new());
    for run in runs {
        if run.status == Status::Unsupported && run.termination_reason == UNAVAILABLE {
            versions.entry(&run.setting.solver).or_default().insert("(missing)".to_owned());
        }
        versions.entry(&run.setting.solver).or_default().extend(named(&run.setting.solver_version));
        builds.extend(named(&run.setting.build));
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
        joined([solver, &found.join(" and ")], " ")
    };
    let solvers: Vec<_> = experiment.catalog.solvers.iter().map(version).collect();
    if !solvers.is_empty() {
        found.push(format!("Solvers: {}", solvers.join(", ")));
    }
    let definitions: Vec<_> = experiment.catalog.formulations.iter().map(Formulation::definition).collect();
    if !definitions.is_empty() {
        found.push(format!("Formulations: {}", definitions.join("; ")));
    }
    found.push(format!("Runs: {} of {}", ended(runs), manifest.planned));
    found.extend(limits(runs));
    found.extend(meanings(experiment, outcomes));
    found.extend(sessions(&used));
    found
}

/// What `optimal` and seeds mean where there are solvers of several kinds.
fn meanings(experiment: &Experiment, outcomes: &[Outcome]) -> Vec<String> {
    let kinds = experiment.catalog.formulations.iter().map(|f| f.kind.clone());
    let others: BTreeSet<_> = kinds.filter(|kind| kind != "mip").collect();
    let is_optimal = |run: &Run| others.contains(&run.setting.kind) && run.status == Status::Optimal;
    let optimal = experiment.runs().iter().any(is_optimal);
    let optimal =
        optimal.then(|| format!("Status optimal of {}: a solution; there nothing is optimised", some(&others)));
    let has_seeds = outcomes.iter().any(|o| o.seeds > 1);
    let seeds = has_seeds.then(|| {
        "Seeds: runs of a solver that takes none are repeats (tilebench solvers), unless an option makes it choose at random"
            .to_owned()
    });
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

fn used(experiment: &Experiment) -> Vec<Used<'_>> {
    let unused = |session| Used { session, runs: 0, days: BTreeSet::new(), isolation: BTreeSet::new() };
    let mut all: Vec<_> = experiment.manifest().sessions.iter().map(unused).collect();
    for run in experiment.runs() {
        if let Some(used) = run.session.and_then(|index| all.get_mut(index)) {
            used.runs += 1;
            used.days.insert(run.day().to_owned());
            used.isolation.extend(named(&run.setting.isolation));
        }
    }
    all.retain(|used| used.runs > 0);
    all
}

/// A line for the machines that are alike, with what the sessions know of them; one that changed between sessions has several.
fn machines(runs: &[Run], used: &[Used]) -> Vec<String> {
    let mut alike: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for host in used.iter().map(|used| &used.session.host) {
        alike.entry(joined([&host.cpu_model, &details(host)], ", ")).or_default().insert(&host.host);
    }
    for setting in runs.iter().filter(|r| r.session.is_none()).map(|r| &r.setting) {
        alike.entry(setting.cpu_model.clone()).or_default().insert(&setting.host);
    }
    let line = |(what, hosts): (String, BTreeSet<&str>)| {
        let number = if hosts.len() == 1 { "Machine".to_owned() } else { format!("{} machines", hosts.len()) };
        let described = joined([&some(&hosts), &what], ", ");
        (!described.is_empty()).then(|| (described.clone(), format!("{number}: {described}")))
    };
    // In the order of their first names.
    alike.into_iter().filter_map(line).collect::<BTreeMap<_, _>>().into_values().collect()
}

/// One line for sessions that are alike, however many.
fn sessions(used: &[Used]) -> Vec<String> {
    // The build is said of the rows and the solvers too; where sessions differ it must be said whose it is.
    let builds: BTreeSet<_> = used.iter().map(|u| &u.session.git_commit).collect();
    let hosts: BTreeSet<_> = used.iter().map(|u| &u.session.host.host).collect();
    let described = |used: &Used| {
        let session = used.session;
        let isolation = some(&used.isolation);
        joined(
            [
                count(session.jobs, "job") + " at a time",
                if session.pinned { "each pinned to CPUs of its own" } else { "not pinned" }.to_owned(),
                if isolation.is_empty() { isolation } else { format!("isolation {isolation}") },
                if builds.len() > 1 { format!("tilebench {}", session.git_commit) } else { String::new() },
                job(&session.engine).unwrap_or_default(),
            ],
            ", ",
        )
    };
    let kinds = by_first(used.iter().map(|used| (described(used), used)));
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
        joined([what, period(&days).unwrap_or_default()], " ") + &format!(", {}: {text}", count(runs, "run"))
    };
    kinds.into_iter().map(line).collect()
}

/// The job that a session ran in, with what was allocated.
fn job(engine: &EngineFacts) -> Option<String> {
    let job = engine.job_in_words()?;
    let cpus = if engine.cpus == 0 { String::new() } else { count(engine.cpus, "CPU") };
    let memory = if engine.memory_b == 0 { String::new() } else { mib(engine.memory_b) };
    let allocated = joined([&cpus, &memory], " and ");
    Some(if allocated.is_empty() { job } else { format!("{job} with {allocated} allocated") })
}

/// The tasks of a job that sessions ran in.
fn tasks(members: &[&Used]) -> String {
    let tasks: BTreeSet<u64> = members.iter().filter_map(|used| used.session.engine.task.parse().ok()).collect();
    let named = some(tasks.iter().map(u64::to_string));
    match tasks.len() {
        0 => named,
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
    joined([&cores, &cpus, &memory, &host.os, &host.kernel, &governor], ", ")
}

fn mib(bytes: u64) -> String {
    format!("{} MiB", bytes >> 20)
}

fn named(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}
