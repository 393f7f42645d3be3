//! Asking solvers for their versions: those that a config uses, once for each set of options, and those that are built in.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use record::SolverFacts;

use super::{PlannedSolver, SolverInfo, Unavailable};
use crate::RunnerError;
use crate::config::Config;
use crate::suggest::nearest_first;

/// A solver and its options.
type Asked<'a> = (&'a str, &'a BTreeMap<String, String>);

/// The solvers of a config, and what the manifest lists: those that are built in and those that the config uses. Only
/// these are asked for their versions: starting a program to ask it takes time, and a profile may leave it out.
///
/// # Errors
/// A solver that there is not.
pub(super) fn choose(
    config: &Config,
    known: &[SolverInfo],
) -> Result<(Vec<Arc<PlannedSolver>>, Vec<SolverFacts>), RunnerError> {
    let mut used = vec![false; config.solvers.len()];
    for index in config.blocks.iter().filter(|block| !block.instances.is_empty()).flat_map(|block| &block.solvers) {
        used[*index] = true;
    }
    let none = BTreeMap::new();
    let mut said: HashMap<Asked<'_>, Result<String, Unavailable>> = HashMap::new();
    let mut facts = Vec::new();
    for info in known.iter().filter(|info| info.built_in) {
        let version = (info.version)(&info.name, &none);
        note(&mut facts, &info.name, version.as_deref().unwrap_or_default());
        said.insert((&info.name, &none), version);
    }
    let mut chosen = Vec::with_capacity(config.solvers.len());
    for (choice, used) in config.solvers.iter().zip(used) {
        let info = known.iter().find(|info| info.name == choice.name).ok_or_else(|| {
            let known = nearest_first(&choice.name, known.iter().map(|info| info.name.as_str()));
            config.error(choice.line, format!("unknown solver \"{}\"; known solvers: {known}", choice.name))
        })?;
        let version = match used {
            // Nobody will ask for it.
            false => Ok(String::new()),
            true => {
                let ask = || (info.version)(&info.name, &choice.options);
                said.entry((&info.name, &choice.options)).or_insert_with(ask).clone()
            }
        };
        if used {
            note(&mut facts, &info.name, version.as_deref().unwrap_or_default());
        }
        chosen.push(Arc::new(PlannedSolver {
            name: choice.name.clone(),
            label: choice.label.clone(),
            available: version.as_ref().map(drop).map_err(Clone::clone),
            version: version.unwrap_or_default(),
            options: choice.options.clone(),
            threads: choice.threads,
            proof: choice.proof,
        }));
    }
    Ok((chosen, facts))
}

/// A solver and version that are not in the list yet.
fn note(facts: &mut Vec<SolverFacts>, name: &str, version: &str) {
    let new = SolverFacts { name: name.to_owned(), backend: name.to_owned(), version: version.to_owned() };
    if !facts.contains(&new) {
        facts.push(new);
    }
}
