//! From configs to plans: instances x formulations x solvers x seeds, checked and shuffled.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use puzzle::{InputError, Instance};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha12Rng;
use record::SolverFacts;

use super::identity::short_hash;
use super::{ExperimentPlan, PlannedInstance, PlannedRun, PlannedSolver, SolverInfo};
use crate::config::{Config, FormulationChoice};
use crate::formulation::PlannedFormulation;
use crate::suggest::nearest_first;
use crate::{RunOptions, RunnerError};

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
    let mut loader = Loader::default();
    let mut sources: HashMap<String, &Path> = HashMap::new();
    let mut plans = Vec::with_capacity(configs.len());
    for path in configs {
        let config = Config::load(path, options.profile.as_deref())?;
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
    if plans.iter().all(|plan| plan.runs.is_empty()) {
        return Err(RunnerError::Usage(match options.filters.is_empty() {
            true => "no configs, so no runs".to_owned(),
            false => "no run passes the filters; --dry-run without --filter lists what there is".to_owned(),
        }));
    }
    plans.retain(|plan| !plan.runs.is_empty());
    Ok(plans)
}

fn plan_one(
    config: Config,
    options: &RunOptions,
    known: &[SolverInfo],
    loader: &mut Loader,
) -> Result<ExperimentPlan, RunnerError> {
    let solvers = choose_solvers(&config, known)?;
    let mut names: HashMap<String, Arc<PlannedInstance>> = HashMap::new();
    let mut runs: Vec<PlannedRun> = Vec::new();
    for choice in &config.formulations {
        let formulation = PlannedFormulation::new(choice.formulation.clone()).map_err(|reason| {
            config.error(choice.line, format!("formulation \"{}\": {reason}", choice.formulation.name))
        })?;
        let formulation = Arc::new(formulation);
        for path in &choice.instances {
            let instance = loader.load(path)?;
            check_pair(&config, choice, &formulation, &instance)?;
            let first = names.entry(instance.instance.name.clone()).or_insert_with(|| Arc::clone(&instance));
            if first.path != instance.path {
                return Err(config.error(
                    choice.line,
                    format!(
                        "{} and {} are both instance \"{}\"; rename one",
                        first.path.display(),
                        instance.path.display(),
                        instance.instance.name
                    ),
                ));
            }
            for solver in &solvers {
                runs.extend(config.seeds.iter().map(|seed| {
                    let (instance, formulation) = (Arc::clone(&instance), Arc::clone(&formulation));
                    PlannedRun::new(instance, formulation, Arc::clone(solver), *seed, config.limits)
                }));
            }
        }
    }
    refuse_doubles(&config, &runs)?;
    let run_ids = runs.iter().map(|run| run.run_id.clone()).collect();
    runs.retain(|run| options.filters.iter().all(|filter| filter.matches(run)));
    runs.shuffle(&mut ChaCha12Rng::seed_from_u64(config.order_seed));
    Ok(ExperimentPlan {
        formulations: config.formulations.iter().map(|f| f.formulation.name.clone()).collect(),
        solvers: solvers
            .iter()
            .map(|s| SolverFacts { name: s.label.clone(), backend: s.name.clone(), version: s.version.clone() })
            .collect(),
        experiment: config.experiment,
        title: config.title,
        description: config.description,
        profile: config.profile,
        order_seed: config.order_seed,
        jobs: options.jobs.max(1),
        config_text: config.text,
        report: config.report,
        published: config.published,
        run_ids,
        runs,
    })
}

fn choose_solvers(config: &Config, known: &[SolverInfo]) -> Result<Vec<Arc<PlannedSolver>>, RunnerError> {
    let chosen = config.solvers.iter().map(|choice| {
        let info = known.iter().find(|info| info.name == choice.name).ok_or_else(|| {
            let known = nearest_first(&choice.name, known.iter().map(|info| info.name.as_str()));
            config.error(choice.line, format!("unknown solver \"{}\"; known solvers: {known}", choice.name))
        })?;
        if info.available.is_ok() {
            let check = |seed| (info.check_options)(&choice.name, &choice.options, choice.threads, seed);
            // With a seed that every solver takes, only the options can be at fault.
            check(Config::DEFAULT_SEED).map_err(|reason| config.error(choice.line, reason))?;
            for &seed in &config.seeds {
                check(seed).map_err(|reason| {
                    config.error(config.seeds_line, format!("seed {seed} for solver \"{}\": {reason}", choice.label))
                })?;
            }
        }
        Ok(Arc::new(PlannedSolver {
            name: choice.name.clone(),
            label: choice.label.clone(),
            version: info.version.clone(),
            available: info.available.clone(),
            options: choice.options.clone(),
            threads: choice.threads,
        }))
    });
    chosen.collect()
}

fn check_pair(
    config: &Config,
    choice: &FormulationChoice,
    formulation: &PlannedFormulation,
    instance: &PlannedInstance,
) -> Result<(), RunnerError> {
    formulation.check(&instance.instance).map_err(|reason| {
        config.error(
            choice.line,
            format!(
                "formulation \"{}\" does not fit instance {}: {reason}",
                choice.formulation.name, instance.instance.name
            ),
        )
    })
}

fn refuse_doubles(config: &Config, runs: &[PlannedRun]) -> Result<(), RunnerError> {
    let mut known: HashMap<&str, &PlannedRun> = HashMap::new();
    for run in runs {
        if let Some(other) = known.insert(&run.run_id, run) {
            return Err(RunnerError::Usage(format!(
                "{}: \"{}\" and \"{}\" are the same run under two names; take one of them out",
                config.path.display(),
                other.label(),
                run.label()
            )));
        }
    }
    Ok(())
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
        let planned = Arc::new(PlannedInstance { instance, path: path.to_owned(), text, hash });
        self.known.insert(real, Arc::clone(&planned));
        Ok(planned)
    }
}
