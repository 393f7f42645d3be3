//! From configs to plans: instances x formulations x solvers x seeds, checked and shuffled; and the plan of a single run.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use model::Formulation;
use puzzle::{InputError, Instance};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha12Rng;
use record::{HARD_LIMIT, RunRow, SOFT_LIMIT, SolverFacts, Status, TableReader, short_hash};

use super::checks::{Candidate, Checks};
use super::solvers::{self, PlannedSolver, SolverInfo};
use super::{Common, ExperimentPlan, MOST_RUNS, PlannedInstance, PlannedRun, RunId};
use crate::config::{BlockChoice, Config, Limits};
use crate::{RunOptions, RunnerError, Vocabulary};

/// Seed by which the order of the runs is shuffled.
pub(crate) const ORDER_SEED: u64 = 1;

/// Plans the experiments of some configs. Nothing is started or written.
///
/// # Errors
/// A config or instance that cannot be used, a formulation that does not fit an instance, an unknown solver,
/// two runs that are the same, a filter that leaves nothing.
pub fn plan(
    configs: &[PathBuf],
    options: &RunOptions,
    solvers: &[SolverInfo],
) -> Result<Vec<ExperimentPlan>, RunnerError> {
    // Names of solvers are looked up below, where more can be said of one that is none.
    let vocabulary = Vocabulary { solvers: Vec::new(), ..options.vocabulary.clone() };
    let mut loader = Loader::default();
    let mut sources: HashMap<String, &Path> = HashMap::new();
    let mut plans = Vec::with_capacity(configs.len());
    for path in configs {
        let config = Config::load(path, options.profile.as_deref(), &options.settings, &vocabulary)?;
        if let Some(other) = sources.insert(config.experiment.clone(), path) {
            return Err(RunnerError::Usage(format!(
                "{} and {} are both experiment \"{}\" and would share a results directory; rename one",
                other.display(),
                path.display(),
                config.experiment
            )));
        }
        plans.push(plan_one(config, options, solvers, &mut loader)?);
    }
    // What is left out of an experiment is recorded too, be it all of it.
    let is_nothing = |plan: &ExperimentPlan| plan.is_empty() && plan.too_long == 0;
    if plans.iter().all(is_nothing) {
        return Err(RunnerError::Usage(match options.filters.is_empty() {
            true => "no configs, so no runs".to_owned(),
            false => {
                let asked = || plans.iter().flat_map(|plan| plan.asked());
                let idle = options.filters.iter().find_map(|filter| filter.idle(asked()));
                idle.unwrap_or_else(|| {
                    "no run passes all the filters; --dry-run without --filter lists what there is".to_owned()
                })
            }
        }));
    }
    plans.retain(|plan| !is_nothing(plan));
    // After the filters have been found to leave something: a shard may be empty.
    if let Some(shard) = options.shard {
        plans.iter_mut().for_each(|plan| plan.keep(shard));
    }
    Ok(plans)
}

fn plan_one(
    config: Config,
    options: &RunOptions,
    known: &[SolverInfo],
    loader: &mut Loader,
) -> Result<ExperimentPlan, RunnerError> {
    let infos = config
        .solvers
        .iter()
        .map(|choice| SolverInfo::find(known, &choice.name).map_err(|reason| config.error(choice.line, reason)));
    let infos: Vec<&SolverInfo> = infos.collect::<Result<_, _>>()?;
    let solvers = solvers::choose(&config, &infos);
    loader.keep(&config.files.made)?;
    let candidates = candidates(&config, &solvers, loader)?;
    let kept = not_excluded(&config, candidates)?;
    Checks { config: &config, infos: &infos, solvers: &solvers, kept: &kept }.all()?;
    let kept = without_doubles(&config, kept)?;
    let mut asked: Vec<PlannedRun> = kept.into_iter().map(|candidate| candidate.run).collect();
    let efforts = if options.also_long { Efforts::default() } else { Efforts::of(&config)? };
    let passes = |run: &PlannedRun| options.filters.iter().all(|filter| filter.matches(run));
    let too_long = asked.extract_if(.., |run| efforts.is_too_long(run)).filter(passes).count();
    let mut order: Vec<usize> = (0..asked.len()).filter(|position| passes(&asked[*position])).collect();
    order.shuffle(&mut ChaCha12Rng::seed_from_u64(ORDER_SEED));
    // Of numbers that are not negative the bits have their order.
    order.sort_by_cached_key(|position| efforts.expected_s(&asked[*position]).to_bits());
    Ok(ExperimentPlan {
        unserved: unserved(&config),
        solvers: solvers
            .iter()
            .map(|s| SolverFacts { name: s.label.clone(), backend: s.name.clone(), version: s.version.clone() })
            .collect(),
        too_long,
        shard: None,
        config,
        jobs: options.jobs.max(1),
        asked,
        order,
    })
}

/// Every run of every block, in the order of the config, the excluded ones too.
fn candidates(
    config: &Config,
    solvers: &[Arc<PlannedSolver>],
    loader: &mut Loader,
) -> Result<Vec<Candidate>, RunnerError> {
    let mut names: HashMap<String, PathBuf> = HashMap::new();
    let mut candidates = Vec::new();
    for (block, choice) in config.blocks.iter().enumerate() {
        let formulation = &config.formulations[choice.formulation].formulation;
        let lengths = [choice.instances.len(), choice.solvers.len(), choice.seeds.len(), choice.repeats as usize];
        let runs = lengths.into_iter().fold(1usize, usize::saturating_mul);
        if runs.saturating_add(candidates.len()) > MOST_RUNS {
            let reason = format!("more than {MOST_RUNS} runs in one experiment: split it");
            return Err(config.error(choice.line, reason));
        }
        candidates.reserve(runs);
        for path in &choice.instances {
            let instance = loader.load(path).map_err(|error| of_pattern(config, path, error))?;
            refuse_namesakes(config, choice, &mut names, &instance)?;
            for &solver in &choice.solvers {
                let common = Common::of(&instance, formulation, &solvers[solver]);
                for (&seed, repeat) in choice.seeds.iter().flat_map(|seed| (1..=choice.repeats).map(move |n| (seed, n)))
                {
                    let run = PlannedRun {
                        run_id: common.key(seed, repeat, choice.limits).id(),
                        instance: Arc::clone(&instance),
                        formulation: Arc::clone(formulation),
                        solver: Arc::clone(&solvers[solver]),
                        seed,
                        repeat,
                        limits: choice.limits,
                    };
                    candidates.push(Candidate { run, block, solver });
                }
            }
        }
    }
    Ok(candidates)
}

/// Names of the formulations that have instances, and no solver for them.
fn unserved(config: &Config) -> Vec<String> {
    let of = |index: usize| config.blocks.iter().filter(move |block| block.formulation == index);
    let is_unserved = |index: &usize| {
        of(*index).any(|block| !block.instances.is_empty()) && of(*index).all(|block| block.solvers.is_empty())
    };
    let names = (0..config.formulations.len()).filter(is_unserved);
    names.map(|index| config.formulations[index].written.name.clone()).collect()
}

/// That a pattern matches more than instances.
fn of_pattern(config: &Config, path: &Path, error: RunnerError) -> RunnerError {
    match (config.files.matched.get(path), error) {
        (Some((line, pattern)), RunnerError::Instance(error)) if !matches!(error, InputError::Io { .. }) => {
            config.error(*line, format!("\"{pattern}\" matches a file that is no sound instance: {error}"))
        }
        (_, error) => error,
    }
}

/// Two files of one name would share a file in the results directory.
fn refuse_namesakes(
    config: &Config,
    choice: &BlockChoice,
    names: &mut HashMap<String, PathBuf>,
    instance: &PlannedInstance,
) -> Result<(), RunnerError> {
    let name = &instance.instance.name;
    let first = names.entry(name.clone()).or_insert_with(|| instance.path.clone());
    if *first == instance.path {
        return Ok(());
    }
    let (first, second) = (first.display(), instance.path.display());
    Err(config.error(choice.line, format!("{first} and {second} are both instance \"{name}\"; rename one")))
}

/// The runs that no `[[exclude]]` takes out; those of an `[[include]]` none does.
fn not_excluded(config: &Config, mut candidates: Vec<Candidate>) -> Result<Vec<Candidate>, RunnerError> {
    let mut used = vec![false; config.excludes.len()];
    let none = candidates.is_empty();
    candidates.retain(|candidate| {
        let mut stays = true;
        if !config.blocks[candidate.block].included {
            for (exclude, used) in config.excludes.iter().zip(&mut used) {
                if exclude.filters.iter().all(|filter| filter.matches(&candidate.run)) {
                    (*used, stays) = (true, false);
                }
            }
        }
        stays
    });
    let idle = config.excludes.iter().zip(used).find(|(exclude, used)| exclude.must_fit && !used);
    if let Some((idle, _)) = idle {
        return Err(config.error(idle.line, "no run has all of these properties, so this exclude takes nothing out"));
    }
    if candidates.is_empty() {
        let what = if none { "there are no runs" } else { "every run is excluded" };
        let profile = config.profile.as_ref().map(|name| format!(" under profile {name}")).unwrap_or_default();
        return Err(RunnerError::Usage(format!("{}: {what}{profile}", config.path.display())));
    }
    Ok(candidates)
}

/// The runs without those that an `[[include]]` asks for a second time. It may not ask for them under other limits.
fn without_doubles(config: &Config, candidates: Vec<Candidate>) -> Result<Vec<Candidate>, RunnerError> {
    let mut known: HashMap<RunId, usize> = HashMap::with_capacity(candidates.len());
    let mut cells = HashSet::with_capacity(candidates.len());
    let mut kept: Vec<Candidate> = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        match known.entry(candidate.run.run_id) {
            Entry::Vacant(entry) => {
                let (run, block) = (&candidate.run, &config.blocks[candidate.block]);
                let instance = Arc::as_ptr(&run.instance);
                if !cells.insert((instance, block.formulation, candidate.solver, run.seed, run.repeat)) {
                    let reason = format!(
                        "\"{}\" is planned already, under other limits: exclude it from what the config runs anyway, or take it out of one of the includes",
                        run.label()
                    );
                    return Err(config.error(block.line, reason));
                }
                entry.insert(kept.len());
                kept.push(candidate);
            }
            Entry::Occupied(entry) => {
                let first = &kept[*entry.get()];
                let [one, other] = [first.run.label(), candidate.run.label()];
                if one != other {
                    let line = match first.solver == candidate.solver {
                        true => config.blocks[candidate.block].line,
                        false => config.solvers[candidate.solver].line,
                    };
                    let [of_one, of_other] = [&first.run, &candidate.run].map(|run| &run.instance.instance.name);
                    let why = match of_one == of_other {
                        true => String::new(),
                        false => format!(", as {of_one} and {of_other} are the same puzzle"),
                    };
                    let reason = format!("\"{one}\" and \"{other}\" are the same run twice{why}; take one of them out");
                    return Err(config.error(line, reason));
                }
            }
        }
    }
    Ok(kept)
}

/// Reads each instance file once, however many formulations and configs use it.
#[derive(Default)]
struct Loader {
    known: HashMap<PathBuf, Arc<PlannedInstance>>,
}

impl Loader {
    /// Keeps instances whose texts are in no file, by their paths.
    fn keep(&mut self, made: &HashMap<PathBuf, String>) -> Result<(), RunnerError> {
        for (path, text) in made {
            let planned = PlannedInstance::new(Instance::parse(text, path)?, path, text.clone());
            self.known.insert(path.clone(), planned);
        }
        Ok(())
    }

    fn load(&mut self, path: &Path) -> Result<Arc<PlannedInstance>, RunnerError> {
        if let Some(known) = self.known.get(path) {
            return Ok(Arc::clone(known));
        }
        let io = |source| InputError::Io { path: path.to_owned(), source };
        let real = fs::canonicalize(path).map_err(io)?;
        if let Some(known) = self.known.get(&real) {
            return Ok(Arc::clone(known));
        }
        let text = puzzle::read_text(path).map_err(io)?;
        let planned = PlannedInstance::new(Instance::parse(&text, path)?, path, text);
        self.known.insert(real, Arc::clone(&planned));
        Ok(planned)
    }
}

/// A run that is asked for by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct SingleRun<'a> {
    /// The instance.
    pub instance: Arc<PlannedInstance>,
    /// What to solve it with.
    pub formulation: Formulation,
    /// Name of the backend.
    pub solver: &'a str,
    /// Options of the backend, as text.
    pub options: BTreeMap<String, String>,
    /// Threads of the backend.
    pub threads: u32,
    /// Whether it writes a proof of infeasibility.
    pub proof: bool,
    /// Seed of the backend.
    pub seed: u64,
    /// What the run may use.
    pub limits: Limits,
}

impl PlannedInstance {
    /// An instance with the text of its file.
    #[must_use]
    pub fn new(instance: Instance, path: &Path, text: String) -> Arc<Self> {
        let (hash, facts) = (short_hash(&instance.canonical()), instance.facts());
        Arc::new(Self { instance, facts, path: path.to_owned(), text, hash })
    }
}

impl SingleRun<'_> {
    /// Plans the run. Nothing is started but, perhaps, a program that is asked for its version.
    ///
    /// # Errors
    /// A formulation that does not fit the instance, a solver that there is not, that cannot be used here, or that refuses the
    /// formulation, its options, threads or seed.
    pub fn plan(self, known: &[SolverInfo]) -> Result<PlannedRun, RunnerError> {
        let usage = RunnerError::Usage;
        let Self { instance, formulation, solver: name, options, threads, proof, seed, limits } = self;
        formulation.check(&instance.instance).map_err(|error| usage(error.to_string()))?;
        let info = SolverInfo::find(known, name).map_err(usage)?;
        let version = (info.version)(name, &options).map_err(|lack| usage(lack.message))?;
        (info.check_formulation)(name, &formulation, &options, proof).map_err(usage)?;
        (info.check_options)(name, &options, threads, seed).map_err(usage)?;
        let formulation = Arc::new(formulation);
        let label = name.to_owned();
        let solver = PlannedSolver { name: label.clone(), label, version, available: Ok(()), options, threads, proof };
        Ok(PlannedRun {
            run_id: Common::of(&instance, &formulation, &solver).key(seed, 1, limits).id(),
            instance,
            formulation,
            solver: Arc::new(solver),
            seed,
            repeat: 1,
            limits,
        })
    }
}

/// What earlier runs came to, by the question that was asked; nothing where a config names no earlier results.
#[derive(Debug, Default)]
struct Efforts(HashMap<RunId, Effort>);

/// What came of all runs of one question.
#[derive(Debug, Clone, Copy, Default)]
struct Effort {
    /// The least wall time of those that ended by themselves, in seconds.
    ended_s: Option<f64>,
    /// The longest limit that struck before any solution was found. One that struck after that left an answer, if not the best.
    tried_s: f64,
}

impl Efforts {
    /// Reads the results that the config names.
    fn of(config: &Config) -> Result<Self, RunnerError> {
        let Some((dir, line)) = &config.effort else { return Ok(Self::default()) };
        if !dir.manifest().is_file() {
            let reason = format!(
                "effort: no results in {} (the folder, relative to the config, and the experiment); --also-long does without",
                dir.root().display()
            );
            return Err(config.error(*line, reason));
        }
        let failed = |error| config.error(*line, format!("effort: {error}"));
        let mut efforts = Self::default();
        for row in TableReader::<RunRow>::open(&dir.runs()).map_err(failed)? {
            let (_, row) = row.map_err(failed)?;
            efforts.0.entry(row.key().question()).or_default().add(&row);
        }
        Ok(efforts)
    }

    fn of_run(&self, run: &PlannedRun) -> Option<Effort> {
        if self.0.is_empty() {
            return None;
        }
        let common = Common::of(&run.instance, &run.formulation, &run.solver);
        self.0.get(&common.key(run.seed, run.repeat, Limits::default()).question()).copied()
    }

    /// Whether earlier runs took longer than the run may, or as long as it may and did not end.
    fn is_too_long(&self, run: &PlannedRun) -> bool {
        let effort = self.of_run(run);
        run.limits.time_s.zip(effort).is_some_and(|(limit, effort)| effort.ended_s.unwrap_or(effort.tried_s) >= limit)
    }

    /// The seconds that it will take, by earlier runs; of what has not ended yet more than its limit, and infinite for what is unknown.
    fn expected_s(&self, run: &PlannedRun) -> f64 {
        self.of_run(run).map_or(f64::INFINITY, |effort| effort.ended_s.unwrap_or(f64::MAX))
    }
}

impl Effort {
    fn add(&mut self, row: &RunRow) {
        if matches!(row.status, Status::Optimal | Status::Infeasible) {
            let least = self.ended_s.unwrap_or(f64::INFINITY);
            self.ended_s = row.wall_time_s.map(|wall| wall.min(least)).or(self.ended_s);
        } else if row.status == Status::Timeout {
            // Another limit than that of time may have struck long before it.
            let is_whole = [SOFT_LIMIT, HARD_LIMIT].contains(&row.termination_reason.as_str());
            let tried_s = if is_whole { row.time_limit_s } else { row.wall_time_s };
            self.tried_s = self.tried_s.max(tried_s.unwrap_or(0.0));
        }
    }
}
