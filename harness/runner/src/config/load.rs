//! An experiment as its config describes it. Reading checks the file against the schema, applies the profile, and makes the
//! formulations, the solvers and the pairs of the two.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use record::{Baseline, Published, ReportSpec, ResultsDir};
use toml::de::DeTable;

use super::blocks::Parts;
use super::claims::claims;
use super::file::{
    At, ConfigFile, ExperimentName, ProfileFile, PublishedFile, ReportFile, SolverFile, Threads, Warmup,
};
use super::names::{Files, FoundFiles, check_name, is_suite};
use super::schema::{Vocabulary, check, config_schema, of_list};
use super::source::{Setting, Source, error_on};
use super::{BlockChoice, Exclude, FormulationChoice, SolverChoice, formulations};
use crate::RunnerError;
use crate::text::alternatives;

/// An experiment as its config describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// The config file.
    pub path: PathBuf,
    /// Its text, byte for byte; settings of the command line follow as remarks.
    pub text: String,
    /// Name of the experiment and of its results directory.
    pub experiment: String,
    /// One line for headings.
    pub title: String,
    /// Free text, may be empty.
    pub description: String,
    /// The profile that was applied.
    pub profile: Option<String>,
    /// A part of the name of the CPU model that the machine must have, and the line that asks for it.
    pub cpu_model: Option<(String, usize)>,
    /// Throw-away runs before the measured ones, for each worker and solver.
    pub warmup: u32,
    /// Formulations, in the order of the config.
    pub formulations: Vec<FormulationChoice>,
    /// Solvers, in the order of the config.
    pub solvers: Vec<SolverChoice>,
    /// What to run: products of the parts.
    pub blocks: Vec<BlockChoice>,
    /// Runs of the blocks that are not to be done.
    pub excludes: Vec<Exclude>,
    /// How to report the runs.
    pub report: ReportSpec,
    /// The file of published figures, if the report names one.
    pub published: Option<PathBuf>,
    /// The earlier results of this experiment that tell which runs are too long, and the line that names them.
    pub effort: Option<(ResultsDir, usize)>,
    /// What the patterns for instance files stand for.
    pub files: FoundFiles,
}

impl Config {
    /// Reads a config file with some keys set anew, and applies a profile.
    ///
    /// # Errors
    /// A file that cannot be read, an unknown key, a value that makes no sense, a pattern that matches
    /// nothing, a name that there is not; with the line and what would be right.
    pub fn load(
        path: &Path,
        profile: Option<&str>,
        settings: &[Setting],
        vocabulary: &Vocabulary,
    ) -> Result<Self, RunnerError> {
        let (source, schema) = (Source::read(path, settings)?, config_schema(vocabulary));
        let table = source.table(|name| of_list(name, &schema))?;
        refuse_others(&source, table.get_ref())?;
        check(&source, &table, &schema)?;
        refuse_idle(&source, table.get_ref(), profile)?;
        let file: ConfigFile = source.read_as(table)?;
        check_experiment(&source, &file.experiment)?;

        let none = ProfileFile::default();
        let keys = profile.map_or(Ok(&none), |name| choose_profile(&source, &file, name))?;
        let files = Files::new(&source, vocabulary.make_suite);
        let solvers = solvers(&source, &file)?;
        let mut formulations = Vec::new();
        for entry in &file.formulation {
            formulations.extend(formulations::expand(&source, entry, &file.defaults.formulation)?);
        }
        refuse_namesakes(&source, &formulations)?;
        let parts = Parts {
            source: &source,
            file: &file,
            profile: (profile, keys),
            formulations: &formulations,
            solvers: &solvers,
            files: &files,
        };
        let (blocks, excludes) = (parts.blocks()?, parts.excludes()?);
        let (names, labels) = (parts.formulation_names(), parts.solver_labels());
        let baseline = baseline(&source, &file.report, &names, &labels)?;
        let published = file.report.published.as_ref().map(|at| published(&source, at, vocabulary)).transpose()?;
        let (figures, published) = published.unzip();
        let report = ReportSpec {
            tables: file.report.tables.clone(),
            plots: file.report.plots.clone(),
            baseline,
            published: figures,
            claims: claims(&source, &file.claim, &names, &labels)?,
        };
        let effort = keys.effort.as_ref().map(|at| {
            let dir = source.folder().join(at.get()).join(&file.experiment.get().0);
            (ResultsDir::new(dir), source.line(at.span().start))
        });
        let cpu_model = cpu_model(&source, &file)?;
        let warmup = keys.warmup.as_ref().or(file.warmup.as_ref()).map_or(0, |Warmup(number)| *number);
        let formulations = formulations.into_iter().map(|expanded| expanded.choice).collect();
        Ok(Self {
            experiment: file.experiment.into_inner().0,
            title: file.title,
            description: file.description,
            profile: profile.map(str::to_owned),
            cpu_model,
            warmup,
            formulations,
            solvers,
            blocks,
            excludes,
            report,
            published,
            effort,
            files: files.into_found(),
            text: source.with_remarks(),
            path: source.path,
        })
    }

    /// Nothing, if runs of this config may be measured on a machine of this CPU model.
    pub(crate) fn check_cpu_model(&self, here: &str) -> Result<(), RunnerError> {
        match &self.cpu_model {
            Some((wanted, line)) if !here.to_lowercase().contains(&wanted.to_lowercase()) => {
                let here = if here.is_empty() { "not known".to_owned() } else { format!("\"{here}\"") };
                let reason =
                    format!("[require] cpu_model asks for \"{wanted}\", and the CPU model of this machine is {here}");
                Err(self.error(*line, format!("{reason}: run it on such a machine, or change the key")))
            }
            _ => Ok(()),
        }
    }

    /// Every file that a plan of this config rests on: itself, instances and suites, published figures, and of earlier results what
    /// planning reads.
    #[must_use]
    pub fn inputs(&self) -> Vec<PathBuf> {
        let earlier =
            self.effort.iter().flat_map(|(dir, _)| [dir.manifest(), dir.runs()]).filter(|path| path.is_file());
        let config = std::iter::once(self.path.clone());
        config.chain(self.files.read.iter().cloned()).chain(self.published.clone()).chain(earlier).collect()
    }

    /// An error about a line of this config.
    #[must_use]
    pub fn error(&self, line: usize, reason: impl Into<String>) -> RunnerError {
        error_on(&self.path, &self.text, line, reason.into())
    }
}

fn choose_profile<'a>(source: &Source, file: &'a ConfigFile, name: &str) -> Result<&'a ProfileFile, RunnerError> {
    file.profile.get(name).ok_or_else(|| {
        RunnerError::Usage(format!(
            "{}: no [profile.{name}]; {}",
            source.path.display(),
            alternatives(name, file.profile.keys().map(String::as_str))
        ))
    })
}

/// Refuses an instance or a suite in place of a config.
fn refuse_others(source: &Source, table: &DeTable<'_>) -> Result<(), RunnerError> {
    let what = match ["instances", "formulation", "solver"].iter().any(|key| table.contains_key(*key)) {
        true => return Ok(()),
        false if table.contains_key("kind") => "an instance, which `tilebench solve` solves",
        false if is_suite(&source.path) => "a suite of instances",
        false => return Ok(()),
    };
    let reason = "a config names instances and suites in its list `instances` (tilebench new-config makes one)";
    Err(source.error(0..0, format!("this is {what}; {reason}")))
}

/// Refuses settings of profiles that are not applied, and of keys that the profile sets too, since that goes before them.
fn refuse_idle<'a>(source: &'a Source, table: &DeTable<'_>, profile: Option<&str>) -> Result<(), RunnerError> {
    let refused = |setting: &Setting, why: String| {
        Err(RunnerError::Usage(format!("{}, --set {setting}: {why}", source.path.display())))
    };
    for setting in &source.settings {
        if let Some(of) = setting.profile().filter(|of| Some(*of) != profile) {
            return refused(setting, format!("profile {of} is not applied; --profile {of} applies it"));
        }
    }
    let Some(name) = profile else { return Ok(()) };
    let keys = table.get("profile").and_then(|of| of.get_ref().get(name)).and_then(|of| of.get_ref().as_table());
    let is_idle = |key: &String| keys.is_some_and(|keys| keys.contains_key(key.as_str()));
    let idle = |setting: &'a Setting| Some((setting, setting.in_profile().into_iter().find(is_idle)?));
    source.settings.iter().find_map(idle).map_or(Ok(()), |(setting, key)| {
        refused(setting, format!("[profile.{name}] has `{key}` too and goes before it; set profile.{name}.{key}"))
    })
}

fn check_experiment(source: &Source, name: &At<ExperimentName>) -> Result<(), RunnerError> {
    let ExperimentName(text) = name.get();
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !text.is_empty() && text.len() <= 100 && text.chars().all(fits) {
        return Ok(());
    }
    let reason = format!("experiment \"{text}\" names a directory: use a-z, 0-9 and - only, at most 100 of them");
    Err(source.error(name.span(), reason))
}

/// The part of the name of a CPU model that is asked for, and its line.
fn cpu_model(source: &Source, file: &ConfigFile) -> Result<Option<(String, usize)>, RunnerError> {
    let Some(at) = &file.require.cpu_model else { return Ok(None) };
    match at.get().0.trim() {
        "" => {
            let reason =
                "require.cpu_model is empty: give a part of the model's name such as \"EPYC 7763\", or leave it out";
            Err(source.error(at.span(), reason))
        }
        part => Ok(Some((part.to_owned(), source.line(at.span().start)))),
    }
}

fn solvers(source: &Source, file: &ConfigFile) -> Result<Vec<SolverChoice>, RunnerError> {
    let default = file.defaults.solver.threads.as_ref();
    let mut labels = HashSet::new();
    let mut chosen = Vec::with_capacity(file.solver.len());
    for entry in &file.solver {
        let SolverFile { name, label, threads, proof, options } = entry.get();
        let label = label.as_ref().unwrap_or(name);
        check_name(source, "solver", label)?;
        if !labels.insert(label.get()) {
            let reason = format!("two solvers are called \"{}\"; give one of them another label", label.get());
            return Err(source.error(label.span(), reason));
        }
        chosen.push(SolverChoice {
            name: name.get().clone(),
            label: label.get().clone(),
            options: options.iter().map(|(key, value)| (key.clone(), value.text())).collect(),
            threads: threads.as_ref().or(default).map_or(1, |Threads(number)| *number),
            proof: *proof,
            line: source.line(name.span().start),
        });
    }
    Ok(chosen)
}

fn refuse_namesakes(source: &Source, formulations: &[formulations::Expanded<'_>]) -> Result<(), RunnerError> {
    let mut names = HashSet::new();
    let mut choices = formulations.iter().map(|expanded| &expanded.choice);
    match choices.find(|choice| !names.insert(choice.written.name.as_str())) {
        None => Ok(()),
        Some(choice) => {
            let name = &choice.written.name;
            let reason = format!("two formulations are named \"{name}\"; names must differ");
            Err(source.error_on(choice.line, reason))
        }
    }
}

fn baseline(
    source: &Source,
    file: &ReportFile,
    formulations: &[&str],
    solvers: &[&str],
) -> Result<Option<String>, RunnerError> {
    let Some(wanted) = &file.baseline else { return Ok(None) };
    if Baseline::find(wanted.get(), formulations, solvers).is_some() {
        return Ok(Some(wanted.get().clone()));
    }
    // Of a pair the part that is wrong.
    let (first, second) = wanted.get().rsplit_once(',').unwrap_or((wanted.get(), ""));
    let wrong = if formulations.contains(&first.trim()) { second.trim() } else { first.trim() };
    let names = formulations.iter().chain(solvers).copied();
    let reason = format!(
        "baseline \"{}\" is no formulation, no solver and no \"formulation, solver\" of this config; {}",
        wanted.get(),
        alternatives(wrong, names)
    );
    Err(source.error(wanted.span(), reason))
}

/// Published figures, and their file.
fn published(
    source: &Source,
    at: &PublishedFile,
    vocabulary: &Vocabulary,
) -> Result<(Published, PathBuf), RunnerError> {
    let PublishedFile { file, table, label, sources } = at;
    let path = source.folder().join(file.get());
    if !path.is_file() {
        let reason = format!("published figures: no file {} (relative to the config)", path.display());
        return Err(source.error(file.span(), reason));
    }
    let published = Published {
        file: file.get().clone(),
        table: table.get().clone(),
        label: label.clone(),
        sources: sources.clone(),
    };
    if let Some(check) = vocabulary.check_published {
        check(&path, &published)
            .map_err(|reason| source.error(table.span(), format!("published figures: {reason}")))?;
    }
    Ok((published, path))
}
