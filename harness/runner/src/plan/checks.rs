//! Whether the runs that a config asks for can be done, before any is: formulations, instances, options, seeds. Pairs that the
//! config excludes need not fit.

use std::collections::HashSet;
use std::sync::Arc;

use model::FormulationKeys;

use super::PlannedRun;
use super::solvers::{Lack, PlannedSolver, SolverInfo};
use crate::RunnerError;
use crate::config::{Config, DEFAULT_SEED, SolverChoice};

/// A run that the config asks for, and where from.
pub(super) struct Candidate {
    pub run: PlannedRun,
    /// Index of its block.
    pub block: usize,
    /// Index of its solver.
    pub solver: usize,
}

pub(super) struct Checks<'a> {
    pub config: &'a Config,
    /// What is known of the solvers of the config.
    pub infos: &'a [&'a SolverInfo],
    /// The solvers of the config.
    pub solvers: &'a [Arc<PlannedSolver>],
    /// The runs that are not excluded.
    pub kept: &'a [Candidate],
}

struct Used<'a> {
    /// The least and the greatest seed of each solver, each with its block.
    seeds: Vec<Option<[(u64, usize); 2]>>,
    /// A run of each pair of a formulation and an instance.
    pairs: Vec<&'a Candidate>,
    /// A run of each pair of a formulation and a solver.
    solved_by: Vec<&'a Candidate>,
}

impl Checks<'_> {
    /// Checks everything.
    pub fn all(&self) -> Result<(), RunnerError> {
        let used = self.used();
        used.solved_by.iter().try_for_each(|candidate| self.solved_by(candidate))?;
        for index in 0..self.config.solvers.len() {
            self.solver(&used, index)?;
        }
        used.pairs.iter().try_for_each(|candidate| self.pair(candidate))
    }

    fn used(&self) -> Used<'_> {
        let seeds = vec![None; self.config.solvers.len()];
        let mut used = Used { seeds, pairs: Vec::new(), solved_by: Vec::new() };
        let (mut pairs, mut solved) = (HashSet::new(), HashSet::new());
        for candidate in self.kept {
            let formulation = self.config.blocks[candidate.block].formulation;
            if solved.insert((formulation, candidate.solver)) {
                used.solved_by.push(candidate);
            }
            if pairs.insert((formulation, Arc::as_ptr(&candidate.run.instance))) {
                used.pairs.push(candidate);
            }
            let seed = (candidate.run.seed, candidate.block);
            let seeds = used.seeds[candidate.solver].get_or_insert([seed, seed]);
            *seeds = [seed.min(seeds[0]), if seed.0 > seeds[1].0 { seed } else { seeds[1] }];
        }
        used
    }

    /// Whether a solver takes its options, with every seed that it is to be given.
    fn solver(&self, used: &Used<'_>, index: usize) -> Result<(), RunnerError> {
        let (choice, info, seeds) = (&self.config.solvers[index], self.infos[index], used.seeds[index]);
        let check = |seed| (info.check_options)(&choice.name, &choice.options, choice.threads, seed);
        // With a seed that every solver takes, only the options can be at fault.
        check(DEFAULT_SEED).map_err(|reason| self.config.error(choice.line, reason))?;
        if let Err(refusal) = &self.solvers[index].available
            && refusal.lack == Lack::Options
        {
            return Err(self.config.error(choice.line, refusal.message.clone()));
        }
        // What a solver takes as a seed is a range, so that those between the least and the greatest are in it too.
        for (seed, block) in seeds.into_iter().flatten() {
            check(seed).map_err(|reason| {
                let line = self.config.blocks[block].seeds_line;
                self.config.error(line, format!("seed {seed} for solver \"{}\": {reason}", choice.label))
            })?;
        }
        Ok(())
    }

    /// Whether a solver solves formulations like this one, whatever the instance.
    fn solved_by(&self, candidate: &Candidate) -> Result<(), RunnerError> {
        let block = &self.config.blocks[candidate.block];
        let chosen = &self.config.formulations[block.formulation].formulation;
        let fits = |index: usize| {
            let SolverChoice { name, options, proof, .. } = &self.config.solvers[index];
            (self.infos[index].check_formulation)(name, chosen, options, *proof)
        };
        let choice = &self.config.solvers[candidate.solver];
        fits(candidate.solver).map_err(|reason| {
            let fitting = (0..self.infos.len()).filter(|other| fits(*other).is_ok());
            let fitting: Vec<String> =
                fitting.map(|other| format!("\"{}\"", self.config.solvers[other].label)).collect();
            let remedy = match fitting.as_slice() {
                [] => "none of the solvers of this config is for it: add a [[solver]] that is, or leave the formulation out".to_owned(),
                labels => format!(
                    "name those that do in the formulation: solvers = [{}]; or take the pair out by [[exclude]]",
                    labels.join(", ")
                ),
            };
            let (name, label, kind) = (chosen.name(), &choice.label, chosen.kind());
            let reason =
                format!("formulation \"{name}\" (kind {kind}) is not for solver \"{label}\": {reason}; {remedy}");
            self.config.error(block.line, reason)
        })
    }

    fn pair(&self, candidate: &Candidate) -> Result<(), RunnerError> {
        let block = &self.config.blocks[candidate.block];
        let (choice, instance) = (&self.config.formulations[block.formulation], &candidate.run.instance);
        let chosen = &choice.formulation;
        chosen.check(&instance.instance).map_err(|reason| {
            let fits = |other: FormulationKeys| other.read().is_ok_and(|other| other.check(&instance.instance).is_ok());
            let remedy = choice.remedy(fits);
            let (name, instance) = (chosen.name(), &instance.instance.name);
            let reason = format!("formulation \"{name}\" does not fit instance {instance}: {reason}{remedy}");
            self.config.error(block.line, reason)
        })
    }
}
