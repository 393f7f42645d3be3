//! Reading a config: applies the profile, follows the patterns, checks every value.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use toml::Spanned;

use super::file::{self, ConfigFile, FormulationFile, FormulationOverride, ProfileFile, SolverFile};
use super::instances::expand;
use super::source::Source;
use super::{BlockChoice, Config, FormulationChoice, Limits, SolverChoice, parse_bytes, parse_duration};
use crate::RunnerError;
use crate::suggest::nearest_first;

impl Config {
    /// Reads a config file and applies a profile.
    ///
    /// # Errors
    /// A file that cannot be read, an unknown key, a value that makes no sense, a pattern that matches
    /// nothing, a profile that the config does not have; with the line and what would be right.
    pub fn load(path: &Path, profile: Option<&str>) -> Result<Self, RunnerError> {
        let source = Source::read(path)?;
        let (mut file, formulations) = file::parse(&source)?;
        let chosen = choose_profile(&source, &mut file, profile)?;
        check_name(&source, &file.experiment)?;

        let threads = threads_of(&source, file.threads.as_ref(), 1)?;
        let limits = Limits {
            time_s: parsed(&source, chosen.time.as_ref().or(file.limits.time.as_ref()), parse_duration)?,
            cpu_s: parsed(&source, chosen.cpu.as_ref().or(file.limits.cpu.as_ref()), parse_duration)?,
            memory_b: parsed(&source, chosen.memory.as_ref().or(file.limits.memory.as_ref()), parse_bytes)?,
        };
        let base = expand(&source, chosen.instances.as_ref().unwrap_or(&file.instances))?;
        let formulations = choose_formulations(&source, formulations, &chosen.formulation, &base)?;
        let solvers = choose_solvers(&source, &file.solver, threads)?;
        let published = published_file(&source, &file)?;
        let seeds = chosen.seeds.or(file.seeds);
        let seeds_line = source.line(seeds.as_ref().map_or(0, |seeds| seeds.span().start));
        let seeds = choose_seeds(&source, seeds)?;
        let (formulations, instances): (Vec<_>, Vec<_>) = formulations.into_iter().unzip();
        let block = |(formulation, instances)| BlockChoice {
            formulation,
            instances,
            solvers: (0..solvers.len()).collect(),
            seeds: seeds.clone(),
            repeats: 1,
            limits,
            line: formulations[formulation].line,
            seeds_line,
        };
        let blocks = instances.into_iter().enumerate().map(block).collect();
        Ok(Self {
            experiment: file.experiment.into_inner(),
            title: file.title,
            description: file.description,
            profile: profile.map(str::to_owned),
            order_seed: file.order_seed,
            warmup: 0,
            formulations,
            solvers,
            blocks,
            excludes: Vec::new(),
            report: file.report,
            published,
            path: source.path,
            text: source.text,
        })
    }
}

fn choose_profile(source: &Source, file: &mut ConfigFile, name: Option<&str>) -> Result<ProfileFile, RunnerError> {
    let Some(name) = name else {
        return Ok(ProfileFile::default());
    };
    match file.profile.remove(name) {
        Some(profile) => Ok(profile),
        None => Err(RunnerError::Usage(format!(
            "{}: no [profile.{name}]; this config has {}",
            source.path.display(),
            nearest_first(name, file.profile.keys().map(String::as_str))
        ))),
    }
}

fn check_name(source: &Source, name: &Spanned<String>) -> Result<(), RunnerError> {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !name.get_ref().is_empty() && name.get_ref().chars().all(fits) {
        return Ok(());
    }
    Err(source
        .error(name.span(), format!("experiment \"{}\" names a directory: use a-z, 0-9 and - only", name.get_ref())))
}

fn parsed<T>(
    source: &Source,
    text: Option<&Spanned<String>>,
    parse: fn(&str) -> Result<T, String>,
) -> Result<Option<T>, RunnerError> {
    text.map(|text| parse(text.get_ref()).map_err(|reason| source.error(text.span(), reason))).transpose()
}

fn threads_of(source: &Source, threads: Option<&Spanned<u32>>, default: u32) -> Result<u32, RunnerError> {
    match threads {
        None => Ok(default),
        Some(threads) if *threads.get_ref() > 0 => Ok(*threads.get_ref()),
        Some(threads) => Err(source.error(threads.span(), "threads is at least 1")),
    }
}

fn choose_seeds(source: &Source, seeds: Option<Spanned<Vec<u64>>>) -> Result<Vec<u64>, RunnerError> {
    let Some(seeds) = seeds else {
        return Ok(vec![Config::DEFAULT_SEED]);
    };
    let mut known = HashSet::new();
    if seeds.get_ref().is_empty() {
        return Err(source.error(seeds.span(), "no seeds, so no runs; leave seeds out for [1]"));
    }
    match seeds.get_ref().iter().find(|seed| !known.insert(**seed)) {
        Some(seed) => Err(source.error(seeds.span(), format!("seed {seed} stands here twice"))),
        None => Ok(seeds.into_inner()),
    }
}

fn choose_formulations(
    source: &Source,
    files: Vec<FormulationFile>,
    overrides: &BTreeMap<Spanned<String>, FormulationOverride>,
    base: &[PathBuf],
) -> Result<Vec<(FormulationChoice, Vec<PathBuf>)>, RunnerError> {
    for name in overrides.keys() {
        let mut known = files.iter().map(|f| f.formulation.name.as_str());
        if !known.any(|k| k == name.get_ref()) {
            let known = nearest_first(name.get_ref(), files.iter().map(|f| f.formulation.name.as_str()));
            let reason = format!("no [[formulation]] is named \"{}\"; there is {known}", name.get_ref());
            return Err(source.error(name.span(), reason));
        }
    }
    let mut names = HashSet::new();
    let mut chosen = Vec::with_capacity(files.len());
    for file in files {
        let at = file.offset..file.offset;
        let name = file.formulation.name.clone();
        let replaced = overrides.iter().find(|(key, _)| *key.get_ref() == name).map(|(_, o)| &o.instances);
        let instances = match replaced.or(file.instances.as_ref()) {
            Some(patterns) => expand(source, patterns)?,
            None => base.to_vec(),
        };
        if instances.is_empty() {
            return Err(source.error(at, format!("formulation \"{name}\" has no instances; give instances = [...]")));
        }
        if !names.insert(name.clone()) {
            return Err(source.error(at, format!("two formulations are named \"{name}\"; names must differ")));
        }
        let line = source.line(file.offset);
        chosen.push((FormulationChoice { formulation: file.formulation, line }, instances));
    }
    Ok(chosen)
}

fn choose_solvers(source: &Source, files: &[SolverFile], threads: u32) -> Result<Vec<SolverChoice>, RunnerError> {
    let mut labels = HashSet::new();
    let mut chosen = Vec::with_capacity(files.len());
    for file in files {
        let label = file.label.as_ref().unwrap_or(&file.name);
        if !labels.insert(label.get_ref()) {
            let reason = format!("two solvers are called \"{}\"; give one of them another label", label.get_ref());
            return Err(source.error(label.span(), reason));
        }
        let options = file.options.iter().map(|(key, value)| {
            option_text(value.get_ref()).map(|text| (key.clone(), text)).ok_or_else(|| {
                source.error(value.span(), format!("option {key} must be a string, a number or true or false"))
            })
        });
        chosen.push(SolverChoice {
            name: file.name.get_ref().clone(),
            label: label.get_ref().clone(),
            options: options.collect::<Result<_, _>>()?,
            threads: threads_of(source, file.threads.as_ref(), threads)?,
            line: source.line(file.name.span().start),
        });
    }
    if chosen.is_empty() {
        return Err(source.error(0..0, "no [[solver]]: an experiment needs at least one"));
    }
    Ok(chosen)
}

fn option_text(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(_) | toml::Value::Float(_) | toml::Value::Boolean(_) => Some(value.to_string()),
        _ => None,
    }
}

fn published_file(source: &Source, file: &ConfigFile) -> Result<Option<PathBuf>, RunnerError> {
    let Some(published) = &file.report.published else {
        return Ok(None);
    };
    let path = source.folder().join(&published.file);
    if path.is_file() {
        return Ok(Some(path));
    }
    // ReportSpec belongs to another crate and carries no spans: look for the text itself.
    let at = source.text.find(&published.file).unwrap_or(0);
    let reason = format!("published figures: no file {} (relative to the config)", path.display());
    Err(source.error(at..at, reason))
}
