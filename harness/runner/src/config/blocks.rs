//! What to run: the combinations of all with all, without `[[exclude]]`, and `[[include]]`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use model::FormulationKind;

use super::file::{At, ConfigFile, ExcludeFile, IncludeFile, Memory, Patterns, ProfileFile, Repeats, Seeds, Time};
use super::formulations::Expanded;
use super::names::{Files, Filter, Property, chosen, positions};
use super::source::Source;
use super::{BlockChoice, DEFAULT_SEED, Exclude, Limits, SolverChoice};
use crate::RunnerError;
use crate::text::{parse_bytes, parse_duration};

pub(super) struct Parts<'a> {
    pub source: &'a Source,
    pub file: &'a ConfigFile,
    /// Name and keys of the profile that is applied; without one, no keys.
    pub profile: (Option<&'a str>, &'a ProfileFile),
    pub formulations: &'a [Expanded<'a>],
    pub solvers: &'a [SolverChoice],
    pub files: &'a Files<'a>,
}

impl<'a> Parts<'a> {
    /// All formulations on all instances under all solvers, as far as the profile wants them, and what is included.
    pub fn blocks(&self) -> Result<Vec<BlockChoice>, RunnerError> {
        self.check_profiles()?;
        let wanted = self.formulations_of(self.profile.1.formulations.as_ref())?;
        let solvers = indices(&self.solvers_of(self.profile.1.solvers.as_ref())?);
        let instances = self.instances()?;
        let mut served = BTreeSet::new();
        let mut included = Vec::new();
        for include in &self.file.include {
            let mut formulations = indices(&self.formulations_of(include.get().formulations.as_ref())?);
            let profiles = include.get().profiles.as_ref();
            // What names its profiles is not narrowed by them.
            let all: Vec<usize> = (0..self.solvers.len()).collect();
            let solvers = if profiles.is_some() { &all } else { &solvers };
            formulations.retain(|index| profiles.is_some() || wanted[*index]);
            if self.applies(profiles)? {
                let blocks = self.include(include, &formulations, solvers, &instances)?;
                served.extend(blocks.iter().filter(|block| !block.instances.is_empty()).map(|block| block.formulation));
                included.extend(blocks);
            }
        }

        let template = self.template(None)?;
        let mut blocks = Vec::with_capacity(self.formulations.len() + included.len());
        for (formulation, instances) in instances.into_iter().enumerate().filter(|(index, _)| wanted[*index]) {
            let choice = &self.formulations[formulation].choice;
            if instances.is_empty() && !served.contains(&formulation) {
                let name = &choice.written.name;
                let reason = format!("formulation \"{name}\" has no instances; give instances = [...]");
                return Err(self.source.error_on(choice.line, reason));
            }
            let own = self.solvers_of(self.formulations[formulation].solvers)?;
            let solvers = solvers.iter().copied().filter(|index| own[*index]).collect();
            blocks.push(BlockChoice { formulation, instances, solvers, line: choice.line, ..template.clone() });
        }
        blocks.extend(included);
        Ok(blocks)
    }

    /// Whether there is what the profiles name, also those that are not applied.
    fn check_profiles(&self) -> Result<(), RunnerError> {
        let names = self.formulation_names();
        for profile in self.file.profile.values() {
            self.formulations_of(profile.formulations.as_ref())?;
            self.solvers_of(profile.solvers.as_ref())?;
            for key in profile.formulation.keys() {
                positions("formulation", key.get(), &names).map_err(|reason| self.source.error(key.span(), reason))?;
            }
        }
        Ok(())
    }

    fn include(
        &self,
        include: &At<IncludeFile>,
        formulations: &[usize],
        of_profile: &[usize],
        instances: &[Vec<PathBuf>],
    ) -> Result<Vec<BlockChoice>, RunnerError> {
        let file = include.get();
        let own = file.instances.as_ref().map(|patterns| self.files.expand(patterns)).transpose()?;
        let template = self.template(Some(file))?;
        let line = self.source.line(include.span().start);
        let block = |&formulation: &usize| {
            // As with instances: what the include names goes before what the formulation does.
            let chosen = self.solvers_of(file.solvers.as_ref().or(self.formulations[formulation].solvers))?;
            Ok(BlockChoice {
                formulation,
                instances: own.clone().unwrap_or_else(|| instances[formulation].clone()),
                solvers: of_profile.iter().copied().filter(|index| chosen[*index]).collect(),
                line,
                included: true,
                ..template.clone()
            })
        };
        formulations.iter().map(block).collect()
    }

    fn instances(&self) -> Result<Vec<Vec<PathBuf>>, RunnerError> {
        let (file, profile) = (self.file, self.profile.1);
        let names = self.formulation_names();
        let mut overrides: BTreeMap<usize, (&At<String>, &Patterns)> = BTreeMap::new();
        let exact = |key: &At<String>| names.contains(&key.get().as_str());
        let (very, patterns): (Vec<_>, Vec<_>) = profile.formulation.iter().partition(|(key, _)| exact(key));
        for (key, of) in very.into_iter().chain(patterns) {
            let found = positions("formulation", key.get(), &names);
            for index in found.map_err(|reason| self.source.error(key.span(), reason))? {
                match overrides.get(&index) {
                    Some((other, _)) if exact(other) => {}
                    Some((other, _)) => {
                        let name = names[index];
                        let reason =
                            format!("\"{}\" and \"{}\" both fit formulation \"{name}\"", other.get(), key.get());
                        return Err(self.source.error(key.span(), reason));
                    }
                    None => {
                        overrides.insert(index, (key, &of.instances));
                    }
                }
            }
        }
        let base = profile.instances.as_ref().unwrap_or(&file.instances);
        let of = |(index, expanded): (usize, &Expanded<'_>)| {
            let replaced = overrides.get(&index).map(|(_, patterns)| *patterns);
            self.files.expand(replaced.or(expanded.instances).unwrap_or(base))
        };
        self.formulations.iter().enumerate().map(of).collect()
    }

    /// A block with limits, seeds and repeats, and with nothing to run yet.
    fn template(&self, include: Option<&IncludeFile>) -> Result<BlockChoice, RunnerError> {
        let (file, profile) = (self.file, self.profile.1);
        let time = layers(&profile.time, include, |i| &i.time, &file.limits.time);
        let cpu = layers(&profile.cpu, include, |i| &i.cpu, &file.limits.cpu);
        let memory = layers(&profile.memory, include, |i| &i.memory, &file.limits.memory);
        let seeds = layers(&profile.seeds, include, |i| &i.seeds, &file.seeds);
        let repeats = layers(&profile.repeats, include, |i| &i.repeats, &file.repeats);
        let limits = Limits {
            time_s: self.parsed(&time, |Time(text)| parse_duration(text))?,
            cpu_s: self.parsed(&cpu, |Time(text)| parse_duration(text))?,
            memory_b: self.parsed(&memory, |Memory(text)| parse_bytes(text))?,
        };
        Ok(BlockChoice {
            formulation: 0,
            instances: Vec::new(),
            solvers: Vec::new(),
            seeds: self.parsed(&seeds, Seeds::expand)?.unwrap_or_else(|| vec![DEFAULT_SEED]).into(),
            repeats: repeats.first().map_or(1, |Repeats(number)| *number),
            limits,
            line: 1,
            seeds_line: seeds.first().map_or(1, |at| self.source.line(at.span().start)),
            included: false,
        })
    }

    /// The foremost value; the others are checked too.
    fn parsed<T, V>(
        &self,
        layers: &[&At<T>],
        parse: impl Fn(&T) -> Result<V, String>,
    ) -> Result<Option<V>, RunnerError> {
        let parse = |at: &At<T>| parse(at.get()).map_err(|reason| self.source.error(at.span(), reason));
        let values: Vec<V> = layers.iter().copied().map(parse).collect::<Result<_, _>>()?;
        Ok(values.into_iter().next())
    }

    /// Whether an entry goes under the profile.
    pub fn applies(&self, profiles: Option<&Vec<At<String>>>) -> Result<bool, RunnerError> {
        let names: Vec<&str> = self.file.profile.keys().map(String::as_str).collect();
        let wanted = chosen(self.source, "profile", profiles, &names)?;
        let own = |name| names.iter().zip(&wanted).any(|(known, wanted)| *known == name && *wanted);
        Ok(profiles.is_none() || self.profile.0.is_some_and(own))
    }

    fn formulations_of(&self, wanted: Option<&Vec<At<String>>>) -> Result<Vec<bool>, RunnerError> {
        chosen(self.source, "formulation", wanted, &self.formulation_names())
    }

    fn solvers_of(&self, wanted: Option<&Vec<At<String>>>) -> Result<Vec<bool>, RunnerError> {
        chosen(self.source, "solver", wanted, &self.solver_labels())
    }

    pub fn formulation_names(&self) -> Vec<&'a str> {
        self.formulations.iter().map(|expanded| expanded.choice.written.name.as_str()).collect()
    }

    pub fn solver_labels(&self) -> Vec<&'a str> {
        self.solvers.iter().map(|solver| solver.label.as_str()).collect()
    }
}

/// Values of a key, the foremost first: of the profile, the include, the config. An include that names its profiles goes before them.
fn layers<'v, T>(
    profile: &'v Option<T>,
    include: Option<&'v IncludeFile>,
    of_include: impl Fn(&'v IncludeFile) -> &'v Option<T>,
    file: &'v Option<T>,
) -> Vec<&'v T> {
    let is_first = include.is_some_and(|include| include.profiles.is_some());
    let include = include.map(of_include);
    let order = if is_first { [include, Some(profile)] } else { [Some(profile), include] };
    order.into_iter().chain([Some(file)]).flatten().flatten().collect()
}

fn indices(mask: &[bool]) -> Vec<usize> {
    (0..mask.len()).filter(|index| mask[*index]).collect()
}

impl Parts<'_> {
    /// Runs of the combinations that are not to be done.
    pub fn excludes(&self) -> Result<Vec<Exclude>, RunnerError> {
        if self.file.exclude.is_empty() {
            return Ok(Vec::new());
        }
        let formulations = self.formulation_names();
        let solvers = self.solver_labels();
        let [instances, seeds] = [self.instance_names(), self.seed_names()];
        let [instances, seeds] = [&instances, &seeds].map(|names| names.iter().map(String::as_str).collect::<Vec<_>>());
        let kinds: Vec<&str> = FormulationKind::ALL.iter().map(|kind| kind.name()).collect();
        // Under a profile, or where profiles have instances or seeds of their own, there may be nothing to take out just now.
        let others = |profile: &ProfileFile| {
            profile.instances.is_some() || profile.seeds.is_some() || !profile.formulation.is_empty()
        };
        let must_fit = self.profile.0.is_none() && !self.file.profile.values().any(others);
        let mut excludes = Vec::with_capacity(self.file.exclude.len());
        for exclude in &self.file.exclude {
            let ExcludeFile { instance, challenge, colour, formulation, kind, solver, seed, profiles } = exclude.get();
            let mut filters = Vec::new();
            for (property, wanted, names) in [
                (Property::Instance, instance, Some(&instances)),
                (Property::Challenge, challenge, None),
                (Property::Colour, colour, None),
                (Property::Formulation, formulation, Some(&formulations)),
                (Property::Kind, kind, Some(&kinds)),
                (Property::Solver, solver, Some(&solvers)),
                (Property::Seed, seed, Some(&seeds)),
            ] {
                let Some(wanted) = wanted else { continue };
                let wrong = |reason| self.source.error(wanted.span(), reason);
                let texts = wanted.get().texts();
                if let Some(names) = names {
                    for text in &texts {
                        positions(property.name(), text, names).map_err(wrong)?;
                    }
                }
                // Where something has that very name, nothing else is meant.
                let is_name = |text: &str| names.is_some_and(|names| names.contains(&text));
                filters.push(Filter::any_of(property, &texts, is_name).map_err(wrong)?);
            }
            if filters.is_empty() {
                let reason = "this exclude names no property, so it would take out every run";
                return Err(self.source.error(exclude.span(), reason));
            }
            if self.applies(profiles.as_ref())? {
                excludes.push(Exclude { filters, must_fit, line: self.source.line(exclude.span().start) });
            }
        }
        Ok(excludes)
    }

    fn instance_names(&self) -> BTreeSet<String> {
        let of_entries = self.formulations.iter().filter_map(|expanded| expanded.instances);
        let of_profiles =
            self.file.profile.values().flat_map(|profile| {
                profile.instances.iter().chain(profile.formulation.values().map(|of| &of.instances))
            });
        // What is wrong with another profile is said when it is used. Its files are part of the plan, which names them.
        let paths = |patterns| self.files.expand(patterns).unwrap_or_default();
        let paths = of_entries.chain([&self.file.instances]).chain(of_profiles).flat_map(paths);
        paths.filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned())).collect()
    }

    fn seed_names(&self) -> BTreeSet<String> {
        let of_profiles = self.file.profile.values().filter_map(|profile| profile.seeds.as_ref());
        let seeds =
            self.file.seeds.iter().chain(of_profiles).flat_map(|seeds| seeds.get().expand().unwrap_or_default());
        let default = self.file.seeds.is_none().then_some(DEFAULT_SEED);
        seeds.chain(default).map(|seed| seed.to_string()).collect()
    }
}
