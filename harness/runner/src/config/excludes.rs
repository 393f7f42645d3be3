//! `[[exclude]]`: which of the combinations are not run.

use std::collections::BTreeSet;

use model::FormulationKind;

use super::blocks::Parts;
use super::entries::ExcludeFile;
use super::file::Patterns;
use super::names::positions;
use super::values::{At, Seeds};
use super::{Config, Exclude};
use crate::{Filter, RunnerError};

impl Parts<'_> {
    /// Runs of the combinations that are not to be done.
    ///
    /// # Errors
    /// Names that there are not under any profile, texts that are no patterns.
    pub fn excludes(&self) -> Result<Vec<Exclude>, RunnerError> {
        if self.file.exclude.is_empty() {
            return Ok(Vec::new());
        }
        let formulations = self.formulation_names();
        let solvers = self.solver_labels();
        let (instances, instances_vary) = self.instance_names();
        let (seeds, seeds_vary) = self.seed_names();
        let (instances, seeds): (Vec<&str>, Vec<&str>) =
            (instances.iter().map(String::as_str).collect(), seeds.iter().map(String::as_str).collect());
        let kinds: Vec<&str> = FormulationKind::ALL.iter().map(|kind| kind.name()).collect();
        let mut excludes = Vec::with_capacity(self.file.exclude.len());
        for exclude in &self.file.exclude {
            let ExcludeFile { instance, challenge, colour, formulation, kind, solver, seed, profiles } = exclude.get();
            let mut filters = Vec::new();
            for (key, wanted, names) in [
                ("instance", instance, Some(&instances)),
                ("challenge", challenge, None),
                ("colour", colour, None),
                ("formulation", formulation, Some(&formulations)),
                ("kind", kind, Some(&kinds)),
                ("solver", solver, Some(&solvers)),
                ("seed", seed, Some(&seeds)),
            ] {
                let Some(wanted) = wanted else { continue };
                let wrong = |reason| self.source.error(wanted.span(), reason);
                let texts = wanted.get().texts();
                if let Some(names) = names {
                    for text in &texts {
                        positions(key, text, names).map_err(wrong)?;
                    }
                }
                // Where something has that very name, nothing else is meant.
                let is_name = |text: &str| names.is_some_and(|names| names.contains(&text));
                filters.push(Filter::any_of(key, &texts, is_name).map_err(wrong)?);
            }
            if filters.is_empty() {
                let reason = "this exclude names no property, so it would take out every run";
                return Err(self.source.error(exclude.span(), reason));
            }
            if self.applies(profiles.as_ref())? {
                // Under a profile, or where profiles add something, there may be nothing to take out just now.
                let must_fit = self.profile.0.is_none() && !instances_vary && !seeds_vary;
                excludes.push(Exclude { filters, must_fit, line: self.source.line(exclude.span().start) });
            }
        }
        Ok(excludes)
    }

    /// Names of the instances under any profile and without one; whether profiles have some of their own.
    fn instance_names(&self) -> (Vec<String>, bool) {
        let names = |patterns: &Patterns| {
            // What is wrong with another profile is said when it is used.
            let paths = self.files.expand(patterns).unwrap_or_default();
            paths.into_iter().filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
        };
        let of_entries = self.formulations.iter().filter_map(|expanded| expanded.instances);
        let plain: BTreeSet<String> = of_entries.chain([&self.file.instances]).flat_map(names).collect();
        let of_profiles = self.file.profile.values().flat_map(|profile| {
            profile.instances.iter().chain(profile.formulation.values().map(|of| &of.instances)).flat_map(names)
        });
        together(plain, of_profiles)
    }

    fn seed_names(&self) -> (Vec<String>, bool) {
        let names = |seeds: &At<Seeds>| {
            seeds.get().expand().unwrap_or_default().into_iter().map(|seed| seed.to_string()).collect::<Vec<_>>()
        };
        let plain = self.file.seeds.as_ref().map_or_else(|| vec![Config::DEFAULT_SEED.to_string()], names);
        let of_profiles = self.file.profile.values().filter_map(|profile| profile.seeds.as_ref()).flat_map(names);
        together(plain.into_iter().collect(), of_profiles)
    }
}

fn together(mut plain: BTreeSet<String>, more: impl Iterator<Item = String>) -> (Vec<String>, bool) {
    let before = plain.len();
    plain.extend(more);
    let vary = plain.len() > before;
    (plain.into_iter().collect(), vary)
}
