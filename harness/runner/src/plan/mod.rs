//! Plans: the runs that configs ask for, each with its identity, before anything is started.

mod build;
mod checks;
mod effort;
mod filter;
mod shard;
mod single;
mod solvers;

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use model::{Caveats, Formulation, FormulationColumns, Start};
use puzzle::{Facts, Instance, Puzzle};
use record::{PlanRow, RunKey, SolverFacts};

pub(crate) use build::ORDER_SEED;
pub use build::plan;
pub use record::RunId;
pub use shard::UNLIMITED_S;
pub use single::SingleRun;
pub use solvers::{CheckFormulation, CheckOptions, Lack, PlannedSolver, Probe, SolverInfo, Unavailable};

use crate::Shard;
use crate::config::{Config, Limits};
use crate::protocol::{Heard, Job};
use crate::text::{count, duration, table};

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

/// A formulation with what its columns show.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedFormulation {
    /// The formulation.
    pub formulation: Formulation,
    /// What the columns show of it, for puzzles with loops.
    pub columns: FormulationColumns,
    /// What its answers may lack, and what they do not prove.
    pub caveats: Caveats,
    /// Whether its runs also solve the linear relaxation of the first model.
    pub root_bound: bool,
}

impl PlannedFormulation {
    /// Looks a formulation's facts up.
    #[must_use]
    pub fn new(formulation: Formulation) -> Self {
        let (columns, caveats) = (formulation.columns(), formulation.caveats());
        Self { columns, caveats, root_bound: formulation.root_bound(), formulation }
    }

    /// Its kind, as the column shows it.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.formulation.kind().name()
    }

    /// What the columns show of it for an instance of a puzzle.
    #[must_use]
    pub fn about(&self, puzzle: &Puzzle) -> FormulationColumns {
        self.columns.clone().about(puzzle)
    }
}

/// One run to be done.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedRun {
    /// Hash of everything that determines the run.
    pub run_id: RunId,
    /// The instance.
    pub instance: Arc<PlannedInstance>,
    /// The formulation.
    pub formulation: Arc<PlannedFormulation>,
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
    /// The solvers that are built in, whether the config uses them or not, and those that it uses.
    pub known_solvers: Vec<SolverFacts>,
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
            formulation: self.formulation.formulation.clone(),
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
            root_bound: self.formulation.root_bound,
            heard: Heard::new(),
        }
    }

    /// The run in words: instance, formulation, solver, seed and, after the first, repeat.
    #[must_use]
    pub fn label(&self) -> String {
        let (instance, formulation) = (&self.instance.instance.name, self.formulation.formulation.name());
        run_label(instance, formulation, &self.solver.label, self.seed, self.repeat)
    }

    /// The run as a row of `plan.csv`.
    #[must_use]
    pub fn row(&self) -> PlanRow {
        PlanRow {
            run_id: self.run_id.to_string(),
            instance: self.instance.instance.name.clone(),
            formulation: self.formulation.formulation.name().to_owned(),
            solver: self.solver.label.clone(),
            seed: self.seed,
            repeat: self.repeat,
        }
    }
}

/// A run in words.
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

    /// That formulations have no runs, since the profile names none of their solvers.
    pub(crate) fn without_solver(&self) -> Option<String> {
        let names: Vec<String> = self.unserved.iter().map(|name| format!("\"{name}\"")).collect();
        let profile =
            self.config.profile.as_deref().map(|profile| format!("profile \"{profile}\" ")).unwrap_or_default();
        let several = if names.len() == 1 { "formulation" } else { "formulations" };
        let which = format!("{profile}leaves {several} {} without a solver: no runs of that", names.join(", "));
        (!names.is_empty()).then_some(which)
    }

    /// That runs are left out, since earlier ones were too long.
    pub(crate) fn without_long_runs(&self) -> Option<String> {
        let (dir, _) = self.config.effort.as_ref().filter(|_| self.too_long > 0)?;
        let runs = count(self.too_long as u64, "run");
        Some(format!("{runs} left out: they did not end within the time limit in {}", dir.root().display()))
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
                run.formulation.formulation.name().to_owned(),
                run.solver.label.clone(),
                run.seed.to_string(),
                run.repeat.to_string(),
                run.limits.time_s.map_or_else(|| "none".to_owned(), duration),
            ]
        };
        let head = ["run_id", "instance", "formulation", "solver", "seed", "repeat", "limit"];
        table(f, &head, &self.runs().map(row).collect::<Vec<_>>())?;
        let missing =
            self.asked.iter().filter_map(|run| Some((&run.solver.label, run.solver.available.as_ref().err()?)));
        for (solver, reason) in missing.collect::<BTreeMap<_, _>>() {
            writeln!(f, "{solver} is not available here: {}", reason.message)?;
        }
        Ok(())
    }
}

/// First 16 hex digits of the hash of a text.
fn short_hash(text: &str) -> String {
    let mut hex = blake3::hash(text.as_bytes()).to_hex().to_string();
    hex.truncate(16);
    hex
}

/// The column `options`: those of the backend by name, then what else is asked for that takes time.
pub(crate) fn options_text(formulation: &PlannedFormulation, solver: &PlannedSolver) -> String {
    let options = solver.options.iter().map(|(key, value)| format!("{key}={value}"));
    let proof = solver.proof.then(|| "proof=true".to_owned());
    let root_bound = formulation.root_bound.then(|| "root-bound=true".to_owned());
    let start = formulation.formulation.start().map(|Start { by, share }| format!("start={by}; start-share={share}"));
    options.chain(proof).chain(root_bound).chain(start).collect::<Vec<_>>().join("; ")
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
    fn of(instance: &'a PlannedInstance, formulation: &PlannedFormulation, solver: &'a PlannedSolver) -> Self {
        let (about, options) = (formulation.about(&instance.instance.puzzle), options_text(formulation, solver));
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
