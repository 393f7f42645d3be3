//! What figures must not be compared without knowing: rows that were measured under different circumstances, and runs
//! that the machine disturbed. Computed from the rows behind a table, since tables are lifted from their page.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use record::HostFacts;

use crate::analysis::Outcome;
use crate::results::{Setting, known, some};

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
            named(outcomes)
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
    found.extend(disturbances(outcomes));
    found
}

/// How many of the runs the machine disturbed, in few words.
pub fn disturbances<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> Vec<String> {
    let (disturbed, overdrawn, all) = odd(outcomes);
    let waited = (disturbed > 0).then(|| format!("{disturbed} of {all} runs waited or were disturbed"));
    let overdrew =
        (overdrawn > 0).then(|| format!("more CPU time than their threads can use in {overdrawn} of {all} runs"));
    waited.into_iter().chain(overdrew).collect()
}

/// Disturbed runs, those that took more CPU time than they should, and all.
fn odd<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> (u64, u64, u64) {
    outcomes.fold((0, 0, 0), |sum, o| (sum.0 + o.disturbed, sum.1 + o.overdrawn, sum.2 + o.tally.all))
}

/// The cells with disturbed runs, each with their number where not all of them are: the first, and how many more.
fn named(outcomes: &[Outcome]) -> String {
    let disturbed = || outcomes.iter().filter(|o| o.disturbed > 0);
    let name = |o: &Outcome| {
        let (instance, formulation, solver) = o.key.parts();
        let of =
            if o.disturbed < o.tally.all { format!(" ({} of {})", o.disturbed, o.tally.all) } else { String::new() };
        format!("{instance} / {formulation} / {solver}{of}")
    };
    let listed: Vec<_> = disturbed().take(NAMED).map(name).collect();
    match disturbed().count() - listed.len() {
        0 => listed.join(", "),
        1 => listed.join(", ") + " and 1 more cell",
        others => format!("{} and {others} more cells", listed.join(", ")),
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
        let numbers: BTreeSet<_> = jobs.iter().map(ToString::to_string).collect();
        found.push(format!("{} jobs at a time", numbers.into_iter().collect::<Vec<_>>().join(" and ")));
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
    let definition = |s: &'a Setting| [s.families.as_str(), &s.objective, &s.subloops, &s.hole_treatment];
    for (formulation, definitions) in by(settings, |s| &s.formulation, definition) {
        let definitions: BTreeSet<_> = definitions.iter().map(|parts| parts.join(" | ")).collect();
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

fn by<'a, V: Ord>(
    settings: &[&'a Setting],
    key: impl Fn(&'a Setting) -> &'a str,
    value: impl Fn(&'a Setting) -> V,
) -> BTreeMap<&'a str, BTreeSet<V>> {
    let mut groups: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for setting in settings {
        groups.entry(key(setting)).or_default().insert(value(setting));
    }
    groups
}
