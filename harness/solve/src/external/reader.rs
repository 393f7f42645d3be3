//! What programs leave behind, and the readers of it by their names.

use model::FormulationKind;

use super::formats::Counts;
use super::programs::{cbc, cplex, glpk, gurobi, highs, sat, scip};
use crate::backend::{Solve, SolveStatus};

/// What a program has left behind.
#[derive(Debug, Clone, Copy)]
pub(super) struct Left<'a> {
    /// All that it printed.
    pub log: &'a str,
    /// Its solution file, if it wrote one.
    pub solution: Option<&'a str>,
    /// Whether it ran as long as it was allowed to.
    pub out_of_time: bool,
    /// Its exit code, if it ended by itself.
    pub exit: Option<i32>,
    /// Whether it is one that the harness knows by name, and so keeps to what its manual says of exit codes.
    pub named: bool,
}

/// What a reader makes of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Report {
    pub outcome: Solve,
    /// The status where what it gives turns out to be no solution: the limit that it stopped at.
    pub without: SolveStatus,
    pub values: Values,
    /// What the program says that it has read.
    pub counts: Counts,
}

/// Values as programs write them.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Values {
    /// There are none.
    None,
    /// Of variables by name; some list all, some only those that are not 0.
    Named { values: Vec<(String, f64)>, all: bool },
    /// Of the columns in the order of the file, all of them.
    Listed(Vec<f64>),
    /// The literals that hold; some leave out variables that may have either value.
    Literals { literals: Vec<i32>, all: bool },
}

/// How to read what a program leaves behind.
pub(super) struct Reader {
    /// The name used in configs.
    pub name: &'static str,
    pub kind: FormulationKind,
    /// Whether it wants a solution file; else it is content with the output.
    pub wants_file: bool,
    /// Exit codes of programs that have done their work.
    pub codes: &'static [i32],
    /// What programs print that have no licence for this.
    pub licence: &'static [&'static str],
    /// What programs print that do not take an option.
    pub refusals: &'static [&'static str],
    pub read: fn(Left<'_>) -> Result<Report, String>,
}

/// All readers.
pub(super) static READERS: &[&Reader] = &[
    &gurobi::READER,
    &cplex::READER,
    &scip::READER,
    &glpk::READER,
    &cbc::READER,
    &highs::READER,
    &sat::COMPETITION,
    &sat::MINISAT,
];

impl Report {
    /// A report of which only the status is known.
    pub fn of(status: SolveStatus, native: impl Into<String>) -> Self {
        Self { outcome: Solve::of(status, native), without: status, values: Values::None, counts: Counts::default() }
    }

    /// A report of a program that stopped at a limit, with a solution or without one.
    pub fn stopped(without: SolveStatus, has_solution: bool, native: impl Into<String>) -> Self {
        let status = if has_solution { SolveStatus::Feasible } else { without };
        Self { without, ..Self::of(status, native) }
    }
}

/// The solution file.
///
/// # Errors
/// There is none.
pub(super) fn solution<'a>(left: Left<'a>) -> Result<&'a str, String> {
    left.solution.ok_or_else(|| "there is no solution file".to_owned())
}

/// A value in a solution file.
///
/// # Errors
/// A word that is no number, or no finite one.
pub(super) fn value(word: &str) -> Result<f64, String> {
    let value: Option<f64> = word.parse().ok();
    value.filter(|value| value.is_finite()).ok_or_else(|| format!("the solution file has {word:?} for a number"))
}

/// A line `name value ...` of a solution file.
///
/// # Errors
/// A line that is none.
pub(super) fn named(line: &str) -> Result<(String, f64), String> {
    let mut words = line.split_whitespace();
    match (words.next(), words.next()) {
        (Some(name), Some(word)) => Ok((name.to_owned(), value(word)?)),
        _ => Err(format!("the solution file has the line {line:?}")),
    }
}
