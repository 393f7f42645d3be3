//! Arguments of `tilebench compare`.

use std::path::PathBuf;

use clap::ValueEnum;

#[derive(Debug, clap::Args)]
pub struct Compare {
    /// What is compared with: a results directory, or a folder of several
    pub base: PathBuf,
    /// What is compared: the same, measured anew
    pub new: PathBuf,
    /// Which differences are regressions; left out: all but memory and missing. If `time` is named here, times fail also where
    /// they were measured under other circumstances (host, CPU model, governor, pinning, jobs) or disturbed
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT,...")]
    pub fail_on: Vec<CompareAspect>,
    /// Ratio of times (and of memory) above which a group of runs is a regression, if the test says so too
    #[arg(long, value_name = "RATIO", value_parser = ratio, default_value = "1.25")]
    pub time_threshold: f64,
    /// Ratio of counts above which a group of runs is a regression
    #[arg(long, value_name = "RATIO", value_parser = ratio, default_value = "1.1")]
    pub count_threshold: f64,
    /// Level of significance of the tests, after correction for their number
    #[arg(long, value_name = "P", value_parser = level, default_value = "0.01")]
    pub alpha: f64,
    /// Write the Markdown to this file too
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// Write JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write JSON; `-`: to standard output, instead of the Markdown
    #[arg(long, value_name = "FILE|-")]
    pub json: Option<PathBuf>,
}

/// What a difference is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CompareAspect {
    /// An answer that is wrong, or two answers of which one must be
    Wrong,
    /// A run that fails, or no longer solves its instance
    Failure,
    /// Another status that is worth less, such as feasible for optimal
    Status,
    /// A worse objective value, or two different optima
    Objective,
    /// More iterations, cuts, nodes, conflicts, ..., or larger models, where they depend on the program alone
    Count,
    /// Longer times of a group of runs
    Time,
    /// More memory of a group of runs
    Memory,
    /// Runs that NEW does not have
    Missing,
}

fn ratio(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number > 1.0 && f64::is_finite(number) => Ok(number),
        _ => Err("a ratio is a number above 1".to_owned()),
    }
}

fn level(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number > 0.0 && number < 1.0 => Ok(number),
        _ => Err("a level of significance is a number between 0 and 1".to_owned()),
    }
}
