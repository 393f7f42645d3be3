//! What programs leave behind, and how it is read.

use crate::backend::*;

#[derive(Debug, Clone, Copy)]
pub(super) struct Left<'a> {
    pub log: &'a str,
    /// Its solution file, if it wrote one.
    pub solution: Option<&'a str>,
    /// Whether it ran as long as it was allowed to.
    pub out_of_time: bool,
    /// Its exit code, one of the reader's.
    pub exit: i32,
    /// Whether it is one that the harness knows by name, and so keeps to what its manual says of exit codes.
    pub named: bool,
}

/// Rows and columns, or clauses and variables, as a program says that it has read them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counts {
    pub rows: Option<u64>,
    pub columns: Option<u64>,
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
    None,
    /// Of variables by name; some list all, some only those that are not 0.
    Named {
        values: Vec<(String, f64)>,
        all: bool,
    },
    /// Of the columns in the order of the file, all of them.
    Listed(Vec<f64>),
    /// The literals that hold; some leave out variables that may have either value.
    Literals {
        literals: Vec<i32>,
        all: bool,
    },
}

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

pub(super) fn solution<'a>(left: Left<'a>) -> Result<&'a str, String> {
    left.solution.ok_or_else(|| "there is no solution file".to_owned())
}

/// A value in a solution file.
pub(super) fn value(word: &str) -> Result<f64, String> {
    let value: Option<f64> = word.parse().ok();
    value.filter(|value| value.is_finite()).ok_or_else(|| format!("the solution file has {word:?} for a number"))
}

/// A line `name value ...` of a solution file.
pub(super) fn named(line: &str) -> Result<(String, f64), String> {
    let mut words = line.split_whitespace();
    match (words.next(), words.next()) {
        (Some(name), Some(word)) => Ok((name.to_owned(), value(word)?)),
        _ => Err(format!("the solution file has the line {line:?}")),
    }
}

/// What follows a label in the last line that begins with it, without colons and spaces between.
pub(super) fn after<'a>(text: &'a str, label: &str) -> Option<&'a str> {
    let mut rests = text.lines().rev().filter_map(|line| line.trim_start().strip_prefix(label));
    // `decisions` is not `decisions/conflicts`.
    let ends = |rest: &&str| rest.is_empty() || rest.starts_with([':', ' ', '\t']) || label.ends_with(':');
    rests.find(ends).map(|rest| rest.trim_start_matches([':', ' ', '\t']).trim_end())
}

/// The first line in which a text stands.
pub(super) fn line_with<'a>(text: &'a str, part: &str) -> Option<&'a str> {
    text.lines().find(|line| line.contains(part)).map(str::trim)
}

/// The figure that a text begins with; infinite ones are none.
pub(super) fn number(text: &str) -> Option<f64> {
    let word = text.split_whitespace().next()?;
    let value: f64 = word.trim_end_matches([',', ';', '%']).parse().ok()?;
    value.is_finite().then_some(value)
}

/// The whole number that a text begins with; abbreviated ones (429K) are none.
pub(super) fn count(text: &str) -> Option<u64> {
    text.split_whitespace().next()?.trim_end_matches([',', ';']).parse().ok()
}

/// The whole number before a word: 4 in `4 rows, 5 columns` for `rows`.
pub(super) fn count_before(line: &str, word: &str) -> Option<u64> {
    let words: Vec<&str> = line.split_whitespace().collect();
    words.windows(2).find(|pair| pair[1].trim_end_matches([',', ';']) == word).and_then(|pair| count(pair[0]))
}

/// The last lines of a text that have something in them, for messages.
pub(super) fn tail(text: &str) -> String {
    const LINES: usize = 5;
    const CHARACTERS: usize = 200;
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(LINES)..];
    let cut: Vec<String> = last.iter().map(|line| line.chars().take(CHARACTERS).collect()).collect();
    if cut.is_empty() { "it printed nothing".to_owned() } else { format!("it printed: {}", cut.join(" / ")) }
}
