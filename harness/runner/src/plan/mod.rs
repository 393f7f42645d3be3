//! Plans: the runs that configs ask for, each with its identity, before anything is started; which of them pass a filter or are in
//! a shard.

mod build;
mod checks;
mod solvers;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use model::{Formulation, FormulationColumns};
use puzzle::{Facts, Instance};
use record::{PlanRow, RunKey, RunRow, RunTest, Selection, SolverFacts, Test, short_hash};

use crate::config::{Config, Filter, Limits, Property};
use crate::protocol::{Heard, Job};
use crate::text::{alternatives, count, duration, table};

pub(crate) use build::ORDER_SEED;
pub use build::{SingleRun, plan};
pub use record::RunId;
pub use solvers::{CheckFormulation, CheckOptions, Lack, PlannedSolver, Probe, SolverInfo, Unavailable};

/// Most runs of one experiment: all of them are kept in memory.
const MOST_RUNS: usize = 1_000_000;

/// An instance of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedInstance {
    /// The instance.
    pub instance: Instance,
    /// What result rows say of it.
    pub facts: Facts,
    /// The file it was read from.
    pub path: PathBuf,
    /// The file, byte for byte.
    pub text: String,
    /// Hash of what determines the puzzle.
    pub hash: String,
}

/// One run to be done.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedRun {
    /// Hash of everything that determines the run.
    pub run_id: RunId,
    /// The instance.
    pub instance: Arc<PlannedInstance>,
    /// The formulation.
    pub formulation: Arc<Formulation>,
    /// The solver.
    pub solver: Arc<PlannedSolver>,
    /// Seed of the backend.
    pub seed: u64,
    /// Which of the repeats that the config asks for, from 1.
    pub repeat: u32,
    /// What the run may use.
    pub limits: Limits,
}

/// The runs of one config, in the order in which they are to be done.
#[derive(Debug, Clone, PartialEq)]
pub struct ExperimentPlan {
    /// The config. What it says of the experiment as a whole is looked up here.
    pub config: Config,
    /// Number of worker processes at a time.
    pub jobs: usize,
    /// Formulations that the profile leaves without a solver, in the order of the config.
    pub unserved: Vec<String>,
    /// Solvers, in the order of the config.
    pub solvers: Vec<SolverFacts>,
    /// How many runs are left out as earlier ones did not end within the limit.
    pub too_long: usize,
    /// The part of the plan that is to be done; `None`: all of it.
    pub shard: Option<Shard>,
    /// Every run that the config asks for, whatever the filters, in its order.
    asked: Vec<PlannedRun>,
    /// Positions in `asked` of the runs of the shard that pass the filters, in the order in which they are to be done.
    order: Vec<usize>,
}

impl PlannedRun {
    /// The run as a job for a worker.
    #[must_use]
    pub fn job(&self, git_commit: &str, log: Option<PathBuf>) -> Job {
        Job {
            schema_version: record::SCHEMA_VERSION,
            git_commit: git_commit.to_owned(),
            instance_name: self.instance.instance.name.clone(),
            instance_text: self.instance.text.clone(),
            formulation: Formulation::clone(&self.formulation),
            solver: self.solver.name.clone(),
            options: self.solver.options.clone(),
            seed: self.seed,
            threads: self.solver.threads,
            begun: None,
            time_limit_s: self.limits.time_s,
            cpu_limit_s: self.limits.cpu_s,
            memory_limit_b: self.limits.memory_b,
            log,
            proof: None,
            heard: Heard::new(),
        }
    }

    /// The run in words: instance, formulation, solver, seed and, after the first, repeat.
    #[must_use]
    pub fn label(&self) -> String {
        let (instance, formulation) = (&self.instance.instance.name, self.formulation.name());
        run_label(instance, formulation, &self.solver.label, self.seed, self.repeat)
    }

    /// The run as a row of `plan.csv`.
    #[must_use]
    pub fn row(&self) -> PlanRow {
        PlanRow {
            run_id: self.run_id.to_string(),
            instance: self.instance.instance.name.clone(),
            formulation: self.formulation.name().to_owned(),
            solver: self.solver.label.clone(),
            seed: self.seed,
            repeat: self.repeat,
        }
    }
}

pub(crate) fn run_label(instance: &str, formulation: &str, solver: &str, seed: u64, repeat: u32) -> String {
    let repeat = if repeat > 1 { format!(" repeat {repeat}") } else { String::new() };
    format!("{instance} {formulation} {solver} seed {seed}{repeat}")
}

impl ExperimentPlan {
    /// Number of runs to be done: those of the shard that pass the filters.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether nothing is to be done.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The run at an index below [`ExperimentPlan::len`], in the order in which they are to be done.
    ///
    /// # Panics
    /// An index that is too large.
    #[must_use]
    pub fn run(&self, index: usize) -> &PlannedRun {
        &self.asked[self.order[index]]
    }

    /// The runs to be done, in that order.
    pub fn runs(&self) -> impl ExactSizeIterator<Item = &PlannedRun> {
        self.order.iter().map(|position| &self.asked[*position])
    }

    /// Every run that the config asks for, whatever the filters, in the order of the config.
    #[must_use]
    pub fn asked(&self) -> &[PlannedRun] {
        &self.asked
    }

    /// What tells this plan from others: the beginning of the hash of the ids of all runs that the config asks for.
    #[must_use]
    pub fn hash(&self) -> String {
        short_hash(&self.asked.iter().map(|run| run.run_id.to_string()).collect::<String>())
    }

    /// For each solver of the runs to be done the one with the fewest tiles.
    pub(crate) fn smallest_runs(&self) -> Vec<PlannedRun> {
        let mut smallest: BTreeMap<&str, &PlannedRun> = BTreeMap::new();
        let tiles = |run: &PlannedRun| run.instance.facts.challenge.unwrap_or(u64::MAX);
        for run in self.runs() {
            let found = smallest.entry(&run.solver.label).or_insert(run);
            if tiles(run) < tiles(found) {
                *found = run;
            }
        }
        smallest.into_values().cloned().collect()
    }

    /// What a user should know of it: formulations that the profile leaves without a solver, runs that are left out since earlier
    /// ones were too long, claims without enough boards, a shard without runs.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        let Config { experiment, profile, effort, .. } = &self.config;
        if !self.unserved.is_empty() {
            let names: Vec<String> = self.unserved.iter().map(|name| format!("\"{name}\"")).collect();
            let profile = profile.as_deref().map(|profile| format!("profile \"{profile}\" ")).unwrap_or_default();
            let several = if names.len() == 1 { "formulation" } else { "formulations" };
            let names = names.join(", ");
            remarks.push(format!("{profile}leaves {several} {names} without a solver: no runs of that"));
        }
        if let Some((dir, _)) = effort.as_ref().filter(|_| self.too_long > 0) {
            let (runs, dir) = (count(self.too_long, "run"), dir.root().display());
            remarks.push(format!("{runs} left out: they did not end within the time limit in {dir}"));
        }
        let undecided = self.undecided();
        if !undecided.is_empty() {
            let claims = undecided.join("; ");
            remarks.push(format!("{experiment} has too few boards to decide claims: {claims}"));
        }
        if let Some(shard) = self.shard.filter(|_| self.is_empty()) {
            let instances = count(self.groups(), "instance");
            let why = format!("each of the {instances} is in one shard");
            remarks.push(format!("shard {shard} of {experiment} has no runs to do: {why}"));
        }
        remarks
    }

    /// The claims that the plan has fewer boards for than they ask for.
    fn undecided(&self) -> Vec<String> {
        // Each board with the solver that is to solve it.
        let runs = |test: &RunTest, side: &Selection| -> HashSet<(&str, &str)> {
            let is_of = |run: &&PlannedRun| {
                let tiles = run.instance.facts.challenge;
                run.formulation.name() == side.formulation
                    && run.solver.available.is_ok()
                    && side.solver.as_ref().is_none_or(|solver| *solver == run.solver.label)
                    && (test.tiles.is_empty() || tiles.is_some_and(|tiles| test.tiles.contains(&tiles)))
            };
            let runs = self.asked.iter().filter(is_of);
            runs.map(|run| (run.instance.hash.as_str(), run.solver.label.as_str())).collect()
        };
        let undecided = self.config.report.claims.iter().filter_map(|claim| {
            let Test::Runs(test) = &claim.test else { return None };
            let mut found = runs(test, &test.of);
            if let Some(against) = &test.against {
                let others = runs(test, against);
                found.retain(|(board, solver)| {
                    let other = against.solver.as_deref().unwrap_or(solver);
                    // Nothing is held against itself.
                    let is_another = test.of.formulation != against.formulation || *solver != other;
                    is_another && others.contains(&(*board, other))
                });
            }
            let boards: HashSet<_> = found.into_iter().map(|(board, _)| board).collect();
            let (found, needed) = (boards.len(), test.boards as usize);
            (found < needed).then(|| format!("{} ({found} of {needed})", claim.id))
        });
        undecided.collect()
    }

    /// The solvers of the runs to be done that are not here, each with the reason.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        let missing = self.runs().filter_map(|run| Some((&run.solver.label, run.solver.available.as_ref().err()?)));
        let missing: BTreeMap<_, _> = missing.collect();
        missing.into_iter().map(|(solver, reason)| format!("{solver}: {}", reason.message)).collect()
    }

    /// Instances of the runs to be done, each once, in the order of the config.
    #[must_use]
    pub fn instances(&self) -> Vec<&PlannedInstance> {
        let mut positions = self.order.clone();
        positions.sort_unstable();
        let mut seen = HashSet::new();
        let each = positions.into_iter().map(|position| &self.asked[position].instance);
        each.filter(|instance| seen.insert(Arc::as_ptr(instance))).map(Arc::as_ref).collect()
    }
}

/// The runs as a table, for `--dry-run`.
impl fmt::Display for ExperimentPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Config { experiment, title, profile, .. } = &self.config;
        let profile = profile.as_ref().map(|p| format!(", profile {p}")).unwrap_or_default();
        let shard = self.shard.map(|shard| format!(", shard {shard}")).unwrap_or_default();
        writeln!(f, "{experiment}: {title}{profile}{shard}")?;
        let row = |run: &PlannedRun| {
            [
                run.run_id.to_string(),
                run.instance.instance.name.clone(),
                run.formulation.name().to_owned(),
                run.solver.label.clone(),
                run.seed.to_string(),
                run.repeat.to_string(),
                run.limits.time_s.map_or_else(|| "none".to_owned(), duration),
            ]
        };
        let head = ["run_id", "instance", "formulation", "solver", "seed", "repeat", "limit"];
        table(f, &head, &self.runs().map(row).collect::<Vec<_>>())?;
        for missing in self.missing() {
            writeln!(f, "{missing}")?;
        }
        Ok(())
    }
}

/// The column `options`: those of the backend by name, then what else is asked for that takes time.
pub(crate) fn options_text(formulation: &Formulation, solver: &PlannedSolver) -> String {
    let options = solver.options.iter().map(|(key, value)| format!("{key}={value}"));
    let proof = solver.proof.then(|| "proof=true".to_owned());
    let root_bound = formulation.root_bound().then(|| "root-bound=true".to_owned());
    let own = formulation.options().into_iter().map(|(key, value)| format!("{key}={value}"));
    options.chain(proof).chain(root_bound).chain(own).collect::<Vec<_>>().join("; ")
}

/// What the runs of an instance, a formulation and a solver have in common.
#[derive(Debug, Clone, PartialEq)]
struct Common<'a> {
    instance: &'a PlannedInstance,
    solver: &'a PlannedSolver,
    about: FormulationColumns,
    options: String,
}

impl<'a> Common<'a> {
    fn of(instance: &'a PlannedInstance, formulation: &Formulation, solver: &'a PlannedSolver) -> Self {
        let (about, options) =
            (formulation.columns().about(&instance.instance.puzzle), options_text(formulation, solver));
        Self { instance, solver, about, options }
    }

    /// What determines one of them: the columns which its row will have.
    fn key(&self, seed: u64, repeat: u32, limits: Limits) -> RunKey<'_> {
        RunKey {
            instance_hash: &self.instance.hash,
            kind: self.about.kind.name(),
            families: &self.about.families,
            objective: &self.about.objective,
            subloops: &self.about.subloops,
            hole_treatment: &self.about.holes,
            backend: &self.solver.name,
            options: &self.options,
            threads: self.solver.threads,
            seed,
            repeat,
            time_limit_s: limits.time_s,
            cpu_limit_s: limits.cpu_s,
            memory_limit_b: limits.memory_b,
        }
    }
}

impl PlannedRun {
    /// The columns in which it differs from a row, each with the values of the row and of the run.
    pub(crate) fn differences(&self, row: &RunRow) -> Vec<(String, [String; 2])> {
        let common = Common::of(&self.instance, &self.formulation, &self.solver);
        row.key().differences(&common.key(self.seed, self.repeat, self.limits))
    }

    fn property(&self, property: Property) -> Option<Cow<'_, str>> {
        let facts = &self.instance.facts;
        Some(match property {
            Property::Instance => self.instance.instance.name.as_str().into(),
            Property::Challenge => facts.challenge?.to_string().into(),
            Property::Colour => facts.colour.as_deref()?.into(),
            Property::Formulation => self.formulation.name().into(),
            Property::Kind => self.formulation.kind().name().into(),
            Property::Solver => self.solver.label.as_str().into(),
            Property::Seed => self.seed.to_string().into(),
        })
    }
}

impl Filter {
    /// Whether a run has the property. A solver is given by its label, which is its backend where the config names none.
    #[must_use]
    pub fn matches(&self, run: &PlannedRun) -> bool {
        run.property(self.property()).is_some_and(|value| self.fits(&value))
    }

    /// That no run passes it, and what there is, nearest first.
    pub(super) fn idle<'a>(&self, runs: impl Iterator<Item = &'a PlannedRun>) -> Option<String> {
        let known: BTreeSet<_> = runs.filter_map(|run| run.property(self.property())).collect();
        let there = || alternatives(self.last(), known.iter().map(Cow::as_ref));
        (!known.iter().any(|value| self.fits(value))).then(|| format!("no run passes the filter {self}; {}", there()))
    }
}

/// What a run without a time limit is taken to last, in seconds.
pub const UNLIMITED_S: f64 = 3600.0;

impl ExperimentPlan {
    /// Number of instances, equal puzzles counted once: no more shards than these have runs.
    #[must_use]
    pub fn groups(&self) -> usize {
        groups(&self.asked).len()
    }

    /// Of each of so many shards the number of its runs and the sum of their time limits in seconds, whatever the filters; a run
    /// without a limit counts as an hour.
    #[must_use]
    pub fn shard_loads(&self, shards: usize) -> Vec<(usize, f64)> {
        let (_, loads) = cut(&self.asked, shards);
        loads.into_iter().map(|load| (load.runs, load.milliseconds as f64 / 1000.0)).collect()
    }

    /// The names of the instances in each of so many shards.
    #[must_use]
    pub fn shard_instances(&self, shards: usize) -> Vec<BTreeSet<String>> {
        let (shard_of, mut instances) = (cut(&self.asked, shards).0, vec![BTreeSet::new(); shards]);
        for PlannedRun { instance, .. } in &self.asked {
            if let Some(shard) = shard_of.get(instance.hash.as_str()) {
                instances[*shard].insert(instance.instance.name.clone());
            }
        }
        instances
    }

    pub(super) fn keep(&mut self, shard: Shard) {
        let Self { asked, order, .. } = self;
        let (shard_of, _) = cut(asked, shard.of);
        order.retain(|position| shard_of.get(asked[*position].instance.hash.as_str()) == Some(&(shard.number - 1)));
        self.shard = Some(shard);
    }
}

/// Runs and the sum of their limits, in milliseconds, which add up alike in any order.
#[derive(Clone, Copy, Default)]
struct Load {
    milliseconds: u64,
    runs: usize,
}

impl Load {
    fn add(&mut self, other: Self) {
        self.milliseconds += other.milliseconds;
        self.runs += other.runs;
    }
}

/// Instances by their hashes.
fn groups(runs: &[PlannedRun]) -> BTreeMap<&str, Load> {
    let mut groups = BTreeMap::<&str, Load>::new();
    for run in runs {
        let milliseconds = (run.limits.time_s.unwrap_or(UNLIMITED_S) * 1000.0).round() as u64;
        groups.entry(run.instance.hash.as_str()).or_default().add(Load { milliseconds, runs: 1 });
    }
    groups
}

/// All runs of an instance are in one shard, so that one machine measures them. The shard of each instance, counted from 0, and what
/// each shard comes to: instances one by one, the longest first, each to the shard that has the least so far.
fn cut(runs: &[PlannedRun], shards: usize) -> (HashMap<&str, usize>, Vec<Load>) {
    let mut groups: Vec<(&str, Load)> = groups(runs).into_iter().collect();
    groups.sort_by_key(|(hash, load)| (Reverse(load.milliseconds), *hash));
    let (mut shard_of, mut loads) = (HashMap::with_capacity(groups.len()), vec![Load::default(); shards]);
    let mut least: BinaryHeap<Reverse<(u64, usize)>> = (0..shards.min(groups.len())).map(|i| Reverse((0, i))).collect();
    for (hash, load) in groups {
        let Some(Reverse((_, shard))) = least.pop() else { break };
        shard_of.insert(hash, shard);
        loads[shard].add(load);
        least.push(Reverse((loads[shard].milliseconds, shard)));
    }
    (shard_of, loads)
}

/// One of several parts of a plan: `3/8` is the third of eight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    pub(crate) number: usize,
    pub(crate) of: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        let shard = numbers.filter(|(number, of)| (1..=*of).contains(number) && *of <= MOST_RUNS);
        shard
            .map(|(number, of)| Self { number, of })
            .ok_or_else(|| format!("a shard is written I/N, I from 1 to N, N at most {MOST_RUNS}"))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}
