//! From configs to plans: instances x formulations x solvers x seeds, checked and shuffled.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use model::Formulation;
use puzzle::{InputError, Instance};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha12Rng;
use record::SolverFacts;

use super::checks::Checks;
use super::identity::short_hash;
use super::matrix::{Block, Matrix};
use super::{ExperimentPlan, PlannedInstance, RunId, SolverInfo, probe};
use crate::config::{BlockChoice, Config};
use crate::formulation::PlannedFormulation;
use crate::{RunOptions, RunnerError, Vocabulary};

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
        let config = Config::load(path, options.profile.as_deref(), &vocabulary)?;
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
    if plans.iter().all(ExperimentPlan::is_empty) {
        return Err(RunnerError::Usage(match options.filters.is_empty() {
            true => "no configs, so no runs".to_owned(),
            false => {
                let asked = || plans.iter().flat_map(ExperimentPlan::asked);
                let idle = options.filters.iter().find_map(|filter| filter.idle(asked()));
                idle.unwrap_or_else(|| {
                    "no run passes all the filters; --dry-run without --filter lists what there is".to_owned()
                })
            }
        }));
    }
    plans.retain(|plan| !plan.is_empty());
    Ok(plans)
}

fn plan_one(
    config: Config,
    options: &RunOptions,
    known: &[SolverInfo],
    loader: &mut Loader,
) -> Result<ExperimentPlan, RunnerError> {
    let (solvers, known_solvers) = probe::choose(&config, known)?;
    let (formulations, refusals) = choose_formulations(&config);
    let mut names: HashMap<String, PathBuf> = HashMap::new();
    let mut matrix = Matrix::default();
    // Number of runs of the combinations, which stand before those that are included.
    let mut combinations = 0;
    for choice in &config.blocks {
        let formulation = &formulations[choice.formulation];
        let mut instances = Vec::with_capacity(choice.instances.len());
        for path in &choice.instances {
            let instance = loader.load(path).map_err(|error| of_pattern(&config, path, error))?;
            refuse_namesakes(&config, choice, &mut names, &instance)?;
            instances.push(instance);
        }
        let block = Block {
            formulation: Arc::clone(formulation),
            instances,
            solvers: choice.solvers.iter().map(|&solver| Arc::clone(&solvers[solver])).collect(),
            seeds: Arc::clone(&choice.seeds),
            repeats: choice.repeats,
            limits: choice.limits,
        };
        matrix.push(block).map_err(|reason| config.error(choice.line, reason))?;
        if !choice.included {
            combinations = matrix.len();
        }
    }
    let kept = not_excluded(&config, &matrix, combinations)?;
    Checks { config: &config, matrix: &matrix, solvers: &solvers, kept: &kept, refusals: &refusals }.all(known)?;
    let asked = without_doubles(&config, &matrix, kept)?;
    refuse_idle_includes(&config, &matrix, &asked)?;
    let passes = |number: &u32| {
        // Without filters no run has to be made for this.
        options.filters.is_empty() || {
            let run = matrix.run(*number);
            options.filters.iter().all(|filter| filter.matches(&run))
        }
    };
    let mut order: Vec<u32> = asked.iter().copied().filter(passes).collect();
    order.shuffle(&mut ChaCha12Rng::seed_from_u64(config.order_seed));
    Ok(ExperimentPlan {
        unserved: unserved(&config),
        formulations: config.formulations.iter().map(|f| f.written.name.clone()).collect(),
        solvers: solvers
            .iter()
            .map(|s| SolverFacts { name: s.label.clone(), backend: s.name.clone(), version: s.version.clone() })
            .collect(),
        known_solvers,
        experiment: config.experiment,
        title: config.title,
        description: config.description,
        profile: config.profile,
        order_seed: config.order_seed,
        jobs: options.jobs.max(1),
        config_text: config.text,
        report: config.report,
        published: config.published,
        warmup: config.warmup,
        matrix,
        asked,
        order,
    })
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

/// Numbers of the runs that no `[[exclude]]` takes out of the combinations.
fn not_excluded(config: &Config, matrix: &Matrix, combinations: u32) -> Result<Vec<u32>, RunnerError> {
    let mut struck = vec![false; config.excludes.len()];
    let mut stays = |number: &u32| {
        if config.excludes.is_empty() || *number >= combinations {
            return true;
        }
        let run = matrix.run(*number);
        let mut hits = 0;
        for (exclude, struck) in config.excludes.iter().zip(&mut struck) {
            let hit = exclude.filters.iter().all(|filter| filter.matches(&run));
            *struck |= hit;
            hits += usize::from(hit);
        }
        hits == 0
    };
    let kept: Vec<u32> = (0..matrix.len()).filter(&mut stays).collect();
    let idle = config.excludes.iter().zip(struck).find(|(exclude, struck)| exclude.must_fit && !struck);
    if let Some((idle, _)) = idle {
        return Err(config.error(idle.line, "no run has all of these properties, so this exclude takes nothing out"));
    }
    if kept.is_empty() {
        let what = if matrix.len() == 0 { "there are no runs" } else { "every run is excluded" };
        let profile = config.profile.as_ref().map(|name| format!(" under profile {name}")).unwrap_or_default();
        return Err(RunnerError::Usage(format!("{}: {what}{profile}", config.path.display())));
    }
    Ok(kept)
}

/// The runs without those that an `[[include]]` asks for a second time.
fn without_doubles(config: &Config, matrix: &Matrix, asked: Vec<u32>) -> Result<Vec<u32>, RunnerError> {
    let mut known: HashMap<RunId, u32> = HashMap::with_capacity(asked.len());
    let mut kept = Vec::with_capacity(asked.len());
    for number in asked {
        match known.entry(matrix.run_id(number)) {
            Entry::Vacant(entry) => {
                entry.insert(number);
                kept.push(number);
            }
            Entry::Occupied(entry) => {
                let (first, second) = (matrix.run(*entry.get()), matrix.run(number));
                if first.label() != second.label() {
                    let line = match first.solver.label == second.solver.label {
                        true => config.blocks[matrix.block_of(number)].line,
                        false => solver_line(config, &second.solver.label),
                    };
                    let (first, second) = (first.label(), second.label());
                    let reason = format!("\"{first}\" and \"{second}\" are the same run twice; take one of them out");
                    return Err(config.error(line, reason));
                }
            }
        }
    }
    Ok(kept)
}

fn solver_line(config: &Config, label: &str) -> usize {
    config.solvers.iter().find(|solver| solver.label == label).map_or(1, |solver| solver.line)
}

/// Refuses an `[[include]]` all of whose runs are there without it.
fn refuse_idle_includes(config: &Config, matrix: &Matrix, asked: &[u32]) -> Result<(), RunnerError> {
    let must_add: Vec<usize> = config.blocks.iter().filter(|block| block.must_add).map(|block| block.line).collect();
    if must_add.is_empty() {
        return Ok(());
    }
    let adding: HashSet<usize> = asked.iter().map(|number| config.blocks[matrix.block_of(*number)].line).collect();
    match must_add.into_iter().find(|line| !adding.contains(line)) {
        Some(line) => Err(config.error(line, "every run of this include is there without it, so it adds nothing")),
        None => Ok(()),
    }
}

/// Reads each instance file once, however many formulations and configs use it.
#[derive(Default)]
struct Loader {
    known: HashMap<PathBuf, Arc<PlannedInstance>>,
}

impl Loader {
    fn load(&mut self, path: &Path) -> Result<Arc<PlannedInstance>, RunnerError> {
        let io = |source| InputError::Io { path: path.to_owned(), source };
        let real = fs::canonicalize(path).map_err(io)?;
        if let Some(known) = self.known.get(&real) {
            return Ok(Arc::clone(known));
        }
        let text = fs::read_to_string(path).map_err(io)?;
        let instance = Instance::parse(&text, path)?;
        let hash = short_hash(&instance.canonical());
        let facts = instance.facts();
        let planned = Arc::new(PlannedInstance { instance, facts, path: path.to_owned(), text, hash });
        self.known.insert(real, Arc::clone(&planned));
        Ok(planned)
    }
}
