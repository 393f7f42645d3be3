//! The keys of a config file, as serde reads them. What they mean is worked out in the parent module.

use std::collections::BTreeMap;

use model::Formulation;
use record::ReportSpec;
use serde::Deserialize;
use serde::de::IgnoredAny;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::source::Source;
use crate::RunnerError;

/// Patterns for instance files, each with its place in the config.
pub(super) type Patterns = Vec<Spanned<String>>;

/// Everything but the formulations.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConfigFile {
    pub experiment: Spanned<String>,
    pub title: String,
    #[serde(default)]
    pub description: String,
    #[serde(default = "one")]
    pub order_seed: u64,
    pub seeds: Option<Spanned<Vec<u64>>>,
    pub threads: Option<Spanned<u32>>,
    #[serde(default)]
    pub instances: Patterns,
    #[serde(default)]
    pub limits: LimitsFile,
    #[serde(default)]
    pub profile: BTreeMap<String, ProfileFile>,
    pub solver: Vec<SolverFile>,
    #[serde(default)]
    pub report: ReportSpec,
    /// Taken out beforehand; stands here so that messages list it among the known keys.
    #[serde(rename = "formulation", default)]
    _formulation: Option<IgnoredAny>,
}

/// `[limits]`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LimitsFile {
    pub time: Option<Spanned<String>>,
    pub cpu: Option<Spanned<String>>,
    pub memory: Option<Spanned<String>>,
}

/// `[profile.NAME]`: what it overrides.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProfileFile {
    pub time: Option<Spanned<String>>,
    pub cpu: Option<Spanned<String>>,
    pub memory: Option<Spanned<String>>,
    pub instances: Option<Patterns>,
    pub seeds: Option<Spanned<Vec<u64>>>,
    /// `formulation.NAME.instances = [...]`.
    #[serde(default)]
    pub formulation: BTreeMap<Spanned<String>, FormulationOverride>,
}

/// What a profile overrides of one formulation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FormulationOverride {
    pub instances: Patterns,
}

/// `[[solver]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SolverFile {
    pub name: Spanned<String>,
    pub label: Option<Spanned<String>>,
    #[serde(default)]
    pub options: BTreeMap<String, Spanned<toml::Value>>,
    pub threads: Option<Spanned<u32>>,
}

/// `[[formulation]]`.
#[derive(Debug)]
pub(super) struct FormulationFile {
    pub formulation: Formulation,
    /// Replaces the experiment's instances for this formulation.
    pub instances: Option<Patterns>,
    /// Byte of the config at which it begins.
    pub offset: usize,
}

fn one() -> u64 {
    1
}

/// Splits a config into its formulations and the rest.
///
/// `instances` is taken out of each formulation by hand: serde cannot flatten a struct into another and
/// still refuse unknown keys.
pub(super) fn parse(source: &Source) -> Result<(ConfigFile, Vec<FormulationFile>), RunnerError> {
    let table = source.table()?;
    let whole = table.span();
    let mut table = table.into_inner();
    let formulations = match table.remove("formulation") {
        None => return Err(source.error(0..0, "no [[formulation]]: an experiment needs at least one")),
        Some(value) => formulations(source, value)?,
    };
    let rest = source.read_as(Spanned::new(whole, DeValue::Table(table)))?;
    Ok((rest, formulations))
}

fn formulations(source: &Source, value: Spanned<DeValue<'_>>) -> Result<Vec<FormulationFile>, RunnerError> {
    let span = value.span();
    let DeValue::Array(entries) = value.into_inner() else {
        return Err(source.error(span, "formulation is a list: write [[formulation]] with double brackets"));
    };
    entries
        .into_iter()
        .map(|entry| {
            let span = entry.span();
            match entry.into_inner() {
                DeValue::Table(table) => one_formulation(source, table, span),
                _ => Err(source.error(span, "a formulation is a table with name and families")),
            }
        })
        .collect()
}

fn one_formulation(
    source: &Source,
    mut table: DeTable<'_>,
    span: std::ops::Range<usize>,
) -> Result<FormulationFile, RunnerError> {
    let instances = table.remove("instances").map(|patterns| source.read_as(patterns)).transpose()?;
    let offset = span.start;
    let formulation = source.read_as(Spanned::new(span, DeValue::Table(table)))?;
    Ok(FormulationFile { formulation, instances, offset })
}
