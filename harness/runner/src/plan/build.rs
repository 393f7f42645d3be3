//! From configs to plans: instances x formulations x solvers x seeds, checked and shuffled.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use model::Formulation;
use puzzle::{InputError, Instance};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha12Rng;
use record::SolverFacts;

use super::checks::{Candidate, Checks};
use super::effort::Efforts;
use super::solvers::{self, PlannedSolver, SolverInfo};
use super::{Common, ExperimentPlan, PlannedFormulation, PlannedInstance, PlannedRun, RunId};
use crate::config::{BlockChoice, Config};
use crate::{RunOptions, RunnerError, Vocabulary};

/// Most runs of one experiment: all of them are kept in memory.
const MOST_RUNS: usize = 1_000_000;

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
    let names = solvers.iter().map(|info| info.name.clone()).collect();
    let vocabulary = Vocabulary { solvers: names, ..options.vocabulary.clone() };
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
    let (solvers, known_solvers) = solvers::choose(&config, known)?;
    let (formulations, refusals) = choose_formulations(&config);
    loader.keep(&config.made)?;
    let candidates = candidates(&config, &formulations, &solvers, loader)?;
    let kept = not_excluded(&config, candidates)?;
    Checks { config: &config, solvers: &solvers, kept: &kept, refusals: &refusals }.all(known)?;
    let kept = without_doubles(&config, kept)?;
    let mut asked: Vec<PlannedRun> = kept.into_iter().map(|candidate| candidate.run).collect();
    let efforts = if options.also_long { Efforts::default() } else { Efforts::of(&config)? };
    let passes = |run: &PlannedRun| options.filters.iter().all(|filter| filter.matches(run));
    let too_long = asked.extract_if(.., |run| efforts.is_too_long(run)).filter(passes).count();
    let mut order: Vec<usize> = (0..asked.len()).filter(|position| passes(&asked[*position])).collect();
    order.shuffle(&mut ChaCha12Rng::seed_from_u64(ORDER_SEED));
    order.sort_by(|a, b| f64::total_cmp(&efforts.expected_s(&asked[*a]), &efforts.expected_s(&asked[*b])));
    Ok(ExperimentPlan {
        unserved: unserved(&config),
        solvers: solvers
            .iter()
            .map(|s| SolverFacts { name: s.label.clone(), backend: s.name.clone(), version: s.version.clone() })
            .collect(),
        known_solvers,
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
    formulations: &[Arc<PlannedFormulation>],
    solvers: &[Arc<PlannedSolver>],
    loader: &mut Loader,
) -> Result<Vec<Candidate>, RunnerError> {
    let mut names: HashMap<String, PathBuf> = HashMap::new();
    let mut candidates = Vec::new();
    for (block, choice) in config.blocks.iter().enumerate() {
        let formulation = &formulations[choice.formulation];
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

/// The formulations, and of each why no instance can be solved with it. Those are an error only where they are to be run.
fn choose_formulations(config: &Config) -> (Vec<Arc<PlannedFormulation>>, Vec<Option<String>>) {
    let chosen = config.formulations.iter().map(|choice| {
        let (formulation, refusal) = match &choice.formulation {
            Ok(formulation) => (formulation.clone(), None),
            // A stand-in, of which no run is made.
            Err(reason) => (Formulation::plain(&choice.written.name, choice.written.kind), Some(reason.to_string())),
        };
        (Arc::new(PlannedFormulation::new(formulation)), refusal)
    });
    chosen.unzip()
}

/// That a pattern matches more than instances.
fn of_pattern(config: &Config, path: &Path, error: RunnerError) -> RunnerError {
    match (config.matched.get(path), error) {
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

/// The runs without those that an `[[include]]` asks for a second time.
fn without_doubles(config: &Config, candidates: Vec<Candidate>) -> Result<Vec<Candidate>, RunnerError> {
    let mut known: HashMap<RunId, usize> = HashMap::with_capacity(candidates.len());
    let mut kept: Vec<Candidate> = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        match known.entry(candidate.run.run_id) {
            Entry::Vacant(entry) => {
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
                    let reason = format!("\"{one}\" and \"{other}\" are the same run twice; take one of them out");
                    return Err(config.error(line, reason));
                }
            }
        }
    }
    Ok(kept)
}

/// Reads each instance file once, however many formulations and configs use it.
#[derive(Default)]
pub(super) struct Loader {
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

    pub fn load(&mut self, path: &Path) -> Result<Arc<PlannedInstance>, RunnerError> {
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
