//! Runs that earlier sessions ended and that the plan does not hold any more, with the reason: an edited config, another profile.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use record::{ResultsDir, RunRow};

use crate::plan::{ExperimentPlan, PlannedRun, RunId, options_text};
use crate::text::{count, duration, memory};

/// Reasons that a note lists.
const LISTED: usize = 6;

/// What rows call a run: instance, formulation, solver, seed, repeat.
type Name<'a> = (&'a str, &'a str, &'a str, u64, u32);

/// The runs that count no more, by reason.
pub(super) struct Dropped<'a> {
    plan: &'a ExperimentPlan,
    asked: HashSet<RunId>,
    /// Made when a row is met that needs it.
    index: OnceCell<Index<'a>>,
    reasons: BTreeMap<String, HashSet<RunId>>,
}

/// The runs of the plan by what rows call them, and each of these properties.
#[derive(Default)]
struct Index<'a> {
    runs: HashMap<Name<'a>, &'a PlannedRun>,
    properties: HashSet<(&'static str, String)>,
}

impl<'a> Dropped<'a> {
    pub fn new(plan: &'a ExperimentPlan) -> Self {
        // Filters choose what to run; they do not take runs out of the plan.
        let asked = plan.asked().iter().map(|run| run.run_id).collect();
        Self { plan, asked, index: OnceCell::new(), reasons: BTreeMap::new() }
    }

    /// Whether the plan holds a run.
    pub fn is_asked(&self, run_id: RunId) -> bool {
        self.asked.contains(&run_id)
    }

    /// Takes note of a row of an earlier session.
    pub fn add(&mut self, run_id: RunId, row: &RunRow) {
        if self.is_asked(run_id) {
            return;
        }
        let reason = self.reason(row);
        self.reasons.entry(reason).or_default().insert(run_id);
    }

    /// What to say of them, if there are any: how many, and why.
    pub fn note(&self, dir: &ResultsDir) -> Option<String> {
        let runs: usize = self.reasons.values().map(HashSet::len).sum();
        if runs == 0 {
            return None;
        }
        let mut reasons: Vec<(usize, &str)> =
            self.reasons.iter().map(|(why, runs)| (runs.len(), why.as_str())).collect();
        reasons.sort_by_key(|(runs, why)| (Reverse(*runs), *why));
        let more = reasons.len().saturating_sub(LISTED);
        let mut text =
            reasons.iter().take(LISTED).map(|(runs, why)| format!("{runs}: {why}")).collect::<Vec<_>>().join("; ");
        if more > 0 {
            text += &format!("; and {}", count(more as u64, "other reason"));
        }
        let named = |profile: Option<String>| profile.map_or_else(|| "none".to_owned(), |name| format!("\"{name}\""));
        let before = dir.read_manifest().ok().map(|manifest| manifest.profile);
        let profile = before.filter(|before| *before != self.plan.config.profile).map(|before| {
            format!(" (profile {} before, {} now)", named(before), named(self.plan.config.profile.clone()))
        });
        let (runs, root) = (count(runs as u64, "run"), dir.root().display());
        Some(format!(
            "{runs} in {root} are not of this plan{}, so reports leave them out; {text}",
            profile.unwrap_or_default()
        ))
    }

    /// Why the plan does not hold the run of a row.
    fn reason(&self, row: &RunRow) -> String {
        let index = self.index.get_or_init(|| Index::of(self.plan));
        let name = (row.instance.as_str(), row.formulation.as_str(), row.solver.as_str(), row.seed, row.repeat);
        if let Some(run) = index.runs.get(&name) {
            return changed(row, run);
        }
        let missing = properties(name).into_iter().find(|property| !index.properties.contains(property));
        match missing {
            Some((what, value)) => format!("the plan has no {what} {value}"),
            None => format!("the plan leaves out {} by {} on {}", row.formulation, row.solver, row.instance),
        }
    }
}

impl<'a> Index<'a> {
    fn of(plan: &'a ExperimentPlan) -> Self {
        let mut index = Self::default();
        for run in plan.asked() {
            let name = name_of(run);
            index.runs.insert(name, run);
            index.properties.extend(properties(name));
        }
        index
    }
}

/// What a name consists of.
fn properties((instance, formulation, solver, seed, repeat): Name<'_>) -> [(&'static str, String); 5] {
    [
        ("instance", instance.to_owned()),
        ("formulation", format!("\"{formulation}\"")),
        ("solver", format!("\"{solver}\"")),
        ("seed", seed.to_string()),
        ("repeat", repeat.to_string()),
    ]
}

fn name_of(run: &PlannedRun) -> Name<'_> {
    let (instance, formulation) = (run.instance.instance.name.as_str(), run.formulation.formulation.name());
    (instance, formulation, &run.solver.label, run.seed, run.repeat)
}

/// What of a run is another than in its row: all that makes its identity.
fn changed(row: &RunRow, run: &PlannedRun) -> String {
    let about = run.formulation.about(&run.instance.instance.puzzle);
    let time = |limit: Option<f64>| limit.map_or_else(|| "none".to_owned(), duration);
    let bytes = |limit: Option<u64>| limit.map_or_else(|| "none".to_owned(), memory);
    let limits = run.limits;
    let pairs = [
        ("instance", row.instance_hash.clone(), run.instance.hash.clone()),
        ("kind", row.kind.clone(), about.kind.name().to_owned()),
        ("families", row.families.clone(), about.families),
        ("objective", row.objective.clone(), about.objective),
        ("subloops", row.subloops.clone(), about.subloops),
        ("holes", row.hole_treatment.clone(), about.holes),
        ("backend", row.backend.clone(), run.solver.name.clone()),
        ("options", row.options.clone(), options_text(&run.formulation, &run.solver)),
        ("threads", row.threads.to_string(), run.solver.threads.to_string()),
        ("time limit", time(row.time_limit_s), time(limits.time_s)),
        ("CPU limit", time(row.cpu_limit_s), time(limits.cpu_s)),
        ("memory limit", bytes(row.memory_limit_b), bytes(limits.memory_b)),
    ];
    let shown = |text: &str| if text.is_empty() { "none".to_owned() } else { text.to_owned() };
    let differs = pairs.iter().filter(|(_, then, now)| then != now).map(|(what, then, now)| match *what {
        "instance" => format!("the file of instance {} describes another puzzle now", row.instance),
        what => format!("{what} {}, now {}", shown(then), shown(now)),
    });
    let differs = differs.collect::<Vec<_>>().join(", ");
    if differs.is_empty() { "identified in another way".to_owned() } else { differs }
}
