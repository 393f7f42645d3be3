//! What goes to programs in files and what they leave: how models are written, how a solution is read, and how it becomes an answer once
//! the program has read the whole model.

use std::collections::HashMap;
use std::io::{self, Write};

use model::ir::{Domain, Model};
use model::sat::Cnf;
use model::{Representation, formats};

use crate::backend::*;

/// How far values may be from whole numbers and still be a solution.
const INTEGRAL: f64 = 1e-5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Lp,
    Mps,
    Dimacs,
}

puzzle::words!(Format: Lp "lp", Mps "mps", Dimacs "dimacs");

impl Format {
    /// Name of the model file: programs go by its ending.
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Lp => "model.lp",
            Self::Mps => "model.mps",
            Self::Dimacs => "model.cnf",
        }
    }

    pub fn kind(self) -> FormulationKind {
        self.kinds()[0]
    }

    /// The same, as backends list their kinds.
    pub fn kinds(self) -> &'static [FormulationKind] {
        match self {
            Self::Lp | Self::Mps => &[FormulationKind::Mip],
            Self::Dimacs => &[FormulationKind::Sat],
        }
    }

    /// A file of this format with a model of one variable that must be 1, or true.
    pub fn smallest(self) -> &'static str {
        match self {
            Self::Lp => "Minimize\n obj: x\nSubject To\n c: x >= 1\nBinary\n x\nEnd\n",
            Self::Mps => {
                "NAME model\nROWS\n N obj\n G row\nCOLUMNS\n    MARKER 'MARKER' 'INTORG'\n    x_1_1 obj 1\n    x_1_1 row 1\n    \
                 MARKER 'MARKER' 'INTEND'\nRHS\n    RHS row 1\nBOUNDS\n BV BND x_1_1\nENDATA\n"
            }
            Self::Dimacs => "p cnf 1 1\n1 0\n",
        }
    }
}

/// Models that programs solve in files.
pub(super) trait FileModel: Representation {
    /// Writes the model.
    /// Errors: a file that cannot be written, a format for models of another kind.
    fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()>;

    /// What a reader of that file finds.
    fn counts(&self, format: Format) -> Counts;

    /// Values for all variables in their order.
    /// Errors: values of variables that there are not, or none of some that there are.
    fn values(&self, values: Values, format: Format) -> Result<Option<Vec<Self::Value>>, String>;

    /// Whether values can be a solution at all.
    fn plausible(&self, _values: &[Self::Value]) -> bool {
        true
    }
}

/// An answer from a report, once the two parts of it fit together and the model was read whole.
pub(super) fn accept<F: FileModel>(model: &F, report: Report, format: Format) -> Result<Solved<F::Value>, String> {
    let Report { mut outcome, without, values, counts: read } = report;
    let wrote = model.counts(format);
    for (what, read, wrote) in [("rows", read.rows, wrote.rows), ("columns", read.columns, wrote.columns)] {
        if let (Some(read), Some(wrote)) = (read, wrote)
            && read != wrote
        {
            return Err(format!("the model file has {wrote} {what}, and it read {read}"));
        }
    }
    let mut values = model.values(values, format)?;
    match outcome.status {
        // Some write the point where they stopped, solution or not.
        SolveStatus::Feasible if values.as_deref().is_some_and(|values| !model.plausible(values)) => {
            (outcome.status, outcome.objective_value, values) = (without, None, None);
        }
        SolveStatus::Optimal | SolveStatus::Feasible if values.is_none() => {
            return Err(format!("it says {:?} and gives no solution", outcome.native_status.unwrap_or_default()));
        }
        SolveStatus::Optimal | SolveStatus::Feasible => {}
        _ => values = None,
    }
    match &values {
        Some(values) => {
            hold_against(model, values, &mut outcome).map_err(|why| format!("{why}: some may be missing"))?
        }
        None => outcome.objective_value = None,
    }
    if outcome.status == SolveStatus::Infeasible {
        outcome.bound = None;
    }
    Ok(Solved { outcome, values })
}

impl FileModel for Model {
    fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        match format {
            Format::Lp => formats::lp(self, out),
            Format::Mps => formats::mps(self, "model", out),
            Format::Dimacs => Err(unfit(format)),
        }
    }

    fn counts(&self, format: Format) -> Counts {
        let rows = self.rows().iter();
        let rows: usize = match format {
            // A row between two different bounds is two rows there.
            Format::Lp => rows
                .map(|row| match row.lower == row.upper {
                    true => 1,
                    false => usize::from(row.lower.is_finite()) + usize::from(row.upper.is_finite()),
                })
                .sum(),
            // A row without bounds is one more objective there.
            Format::Mps => rows.filter(|row| row.lower.is_finite() || row.upper.is_finite()).count(),
            Format::Dimacs => return Counts::default(),
        };
        Counts { rows: Some(rows as u64), columns: Some(self.variables().len() as u64) }
    }

    fn values(&self, values: Values, format: Format) -> Result<Option<Vec<f64>>, String> {
        let count = self.variables().len();
        match values {
            Values::None => Ok(None),
            Values::Literals { .. } => Err("the solution is one of clauses".to_owned()),
            Values::Listed(listed) => {
                if listed.len() != count {
                    return Err(format!("the solution file has {} values for {count} variables", listed.len()));
                }
                let mut all = vec![0.0; count];
                for (index, value) in order(self, format).into_iter().zip(listed) {
                    all[index] = value;
                }
                Ok(Some(all))
            }
            Values::Named { values, all: complete } => {
                let index: HashMap<&str, usize> =
                    self.variables().iter().enumerate().map(|(index, v)| (v.name.as_str(), index)).collect();
                let mut all = vec![None; count];
                for (name, value) in values {
                    let index = *index.get(name.as_str()).ok_or_else(|| {
                        format!("the solution file has a value for {name}, which is no variable of the model")
                    })?;
                    if all[index].replace(value).is_some() {
                        return Err(format!("the solution file has two values for {name}"));
                    }
                }
                if let Some(first) = all.iter().position(Option::is_none).filter(|_| complete) {
                    let (missing, name) = (all.iter().filter(|v| v.is_none()).count(), &self.variables()[first].name);
                    return Err(format!("the solution file lacks the values of {missing} variables, first {name}"));
                }
                Ok(Some(all.into_iter().map(Option::unwrap_or_default).collect()))
            }
        }
    }

    fn plausible(&self, values: &[f64]) -> bool {
        values.iter().all(|value| (value - value.round()).abs() <= INTEGRAL) && self.broken_by(values).is_empty()
    }
}

impl FileModel for Cnf {
    fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        if format == Format::Dimacs { formats::dimacs(self, &[], out) } else { Err(unfit(format)) }
    }

    fn counts(&self, _format: Format) -> Counts {
        Counts { rows: Some(self.len() as u64), columns: Some(self.variables() as u64) }
    }

    fn values(&self, values: Values, _format: Format) -> Result<Option<Vec<bool>>, String> {
        let (literals, complete) = match values {
            Values::None => return Ok(None),
            Values::Literals { literals, all } => (literals, all),
            Values::Named { .. } | Values::Listed(_) => return Err("the solution is none of clauses".to_owned()),
        };
        let mut all = vec![None; self.variables()];
        for literal in literals {
            let value = all.get_mut(literal.unsigned_abs() as usize - 1);
            let value = value.ok_or_else(|| format!("it gives {literal}, and there is no such variable"))?;
            if value.replace(literal > 0).is_some_and(|before| before != (literal > 0)) {
                return Err(format!("it gives both {literal} and {}", -literal));
            }
        }
        if let Some(first) = all.iter().position(Option::is_none).filter(|_| complete) {
            let missing = all.iter().filter(|value| value.is_none()).count();
            return Err(format!("it gives no value to {missing} variables, first {}", first + 1));
        }
        Ok(Some(all.into_iter().map(Option::unwrap_or_default).collect()))
    }
}

fn unfit(format: Format) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("no model of this kind in the format {}", format.name()))
}

/// The variables in the order in which a reader of the file first meets them.
fn order(model: &Model, format: Format) -> Vec<usize> {
    let count = model.variables().len();
    if format != Format::Lp {
        return (0..count).collect();
    }
    let fixed = |index: &usize| model.variables()[*index].lower == model.variables()[*index].upper;
    let integer = |index: &usize| model.variables()[*index].domain == Domain::Integer;
    // An empty objective is written with the first variable.
    let first = (model.objective().is_empty() && count > 0).then_some(0);
    let objective = model.objective().iter().map(|(var, _)| var.0);
    let rows = model.rows().iter().filter(|row| row.lower.is_finite() || row.upper.is_finite());
    let rows = rows.flat_map(|row| row.terms.iter().map(|(var, _)| var.0));
    let bounds = (0..count).filter(|index| fixed(index) || integer(index));
    let mut seen = vec![false; count];
    let met = first.into_iter().chain(objective).chain(rows).chain(bounds).chain(0..count);
    met.filter(|&index| !std::mem::replace(&mut seen[index], true)).collect()
}

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

impl Reader {
    /// What most solvers of linear models have in common.
    pub const COMMON: Self = Self {
        name: "",
        kind: FormulationKind::Mip,
        wants_file: true,
        codes: &[0],
        licence: &[],
        refusals: &[],
        read: |_| Err("nothing reads it".to_owned()),
    };
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

/// The number that a text begins with; `None` if it is infinite, or there is none.
pub(super) fn number(text: &str) -> Option<f64> {
    let word = text.split_whitespace().next()?;
    let value: f64 = word.trim_end_matches([',', ';', '%']).parse().ok()?;
    value.is_finite().then_some(value)
}

/// The whole number that a text begins with; `None` if there is none, or it is abbreviated (`429K`).
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
