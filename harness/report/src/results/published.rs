//! Published figures: what a row says, which of our runs it is compared with, and how files of them are read: every message names
//! file, line and column, and what would be right.

use std::collections::BTreeSet;
use std::path::Path;

use csv::StringRecord;
use puzzle::words;
use record::{Published, RecordError};

use super::catalog::{Instance, same_families};
use crate::ReportError;
use crate::text::joined;

#[derive(Debug, Clone, PartialEq)]
pub struct PublishedRow {
    /// Where it was published; empty where the file does not say.
    pub source: String,
    pub challenge: u64,
    /// Places of the board, where the file gives them.
    pub places: Option<u64>,
    /// Constraint families, as the paper lists them; empty where it does not say.
    pub formulation: String,
    /// The objective, where the file gives it.
    pub objective: Option<String>,
    /// 0 for the first solve.
    pub iteration: u64,
    pub time_s: f64,
    /// Whether its solution has a hole, where the paper says so.
    pub hole: Option<bool>,
    /// Loops in its solution, where the paper gives them.
    pub loops: Option<u64>,
    /// Whether the puzzle was solved by it; `false` only where the paper says so.
    pub solved: bool,
    /// Remark of the transcriber, may be empty.
    pub note: String,
}

impl PublishedRow {
    /// Whether it is a figure of that instance: the same challenge, and as many places where it names them.
    pub fn fits(&self, instance: &Instance) -> bool {
        instance.challenge == Some(self.challenge) && (self.places.is_none() || self.places == instance.places)
    }

    /// Its challenge, and its places where it names them: `20 on 37 places`.
    pub fn board(&self) -> String {
        board(self.challenge, self.places)
    }
}

/// A challenge, and the places where they are said: `20 on 37 places`.
pub fn board(challenge: u64, places: Option<u64>) -> String {
    places.map_or_else(|| challenge.to_string(), |places| format!("{challenge} on {places} places"))
}

/// How to name a published formulation that is none of ours.
pub fn foreign(families: &str, objective: Option<&str>) -> String {
    match objective {
        _ if families.is_empty() => "formulation not said".to_owned(),
        Some(objective) => format!("{families} ({objective})"),
        None => families.to_owned(),
    }
}

/// What an approach was published to take over a batch of instances, as a paper prints it that does not list its runs.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchFigure {
    /// Where it was published.
    pub source: String,
    /// How the source names the approach.
    pub approach: String,
    /// The same approach here: what the column `families` says of its formulation.
    pub formulation: String,
    /// The label of its solver here.
    pub solver: String,
    pub figure: BatchStatistic,
    /// In seconds.
    pub time_s: f64,
}

/// What is said of the times of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchStatistic {
    Mean,
    Worst,
}

words!(BatchStatistic: Mean "mean time", Worst "worst time");

const REQUIRED: [&str; 4] = ["table", "challenge", "formulation", "time_s"];

const OPTIONAL: [&str; 8] = ["iteration", "places", "objective", "hole", "loops", "solved", "note", "source"];

/// The columns of files of figures of batches, which are told by the column `figure`.
const OF_BATCHES: [&str; 7] = ["source", "table", "approach", "formulation", "solver", "figure", "value"];

/// Reads the rows of one table of the file that come from the sources asked for, of single runs or of batches; further columns are
/// allowed and ignored.
pub fn read(path: &Path, spec: &Published) -> Result<(Vec<PublishedRow>, Vec<BatchFigure>), ReportError> {
    let failed = |error| csv_error(path, error);
    let mut reader = csv::Reader::from_path(path).map_err(failed)?;
    let header = reader.headers().map_err(failed)?.clone();
    let has = |name: &str| header.iter().any(|heading| heading == name);
    let required: &[&str] = match has("figure") {
        true => &OF_BATCHES,
        false => &REQUIRED,
    };
    let source = (!spec.sources.is_empty()).then_some("source");
    if let Some(missing) = required.iter().copied().chain(source).find(|name| !has(name)) {
        let reason = match has("figure") {
            true => format!("missing; figures of batches need the columns {}", OF_BATCHES.join(", ")),
            false => {
                let (need, more) = (REQUIRED.join(", "), OPTIONAL.join(", "));
                format!("missing; published figures need the columns {need} and may have {more}")
            }
        };
        return Err(wrong(path, 1, Some(missing), reason));
    }

    let (mut rows, mut figures): (Vec<PublishedRow>, Vec<BatchFigure>) = (Vec::new(), Vec::new());
    let (mut tables, mut sources) = (BTreeSet::new(), BTreeSet::new());
    for record in reader.records() {
        let record = record.map_err(failed)?;
        let line = Line { path, header: &header, record: &record };
        if line.cell("table") != spec.table {
            tables.insert(line.cell("table").to_owned());
        } else if !spec.sources.is_empty() && !spec.sources.iter().any(|s| s == line.cell("source")) {
            sources.insert(line.cell("source").to_owned());
        } else if has("figure") {
            figures.push(line.figure()?);
        } else {
            let row = line.row()?;
            if rows.iter().any(|r| is_same_solve(r, &row)) {
                let name = foreign(&row.formulation, row.objective.as_deref());
                let (board, iteration) = (row.board(), row.iteration);
                let reason = format!("challenge {board}, iteration {iteration} of {name} stands here a second time");
                return Err(line.wrong(None, reason));
            }
            rows.push(row);
        }
    }
    if rows.is_empty() && figures.is_empty() {
        let (table, wanted) = (&spec.table, spec.sources.join(" or "));
        let (column, reason) = match sources.is_empty() {
            true => ("table", format!("no rows of table `{table}`; the file has the tables {}", joined(tables, ", "))),
            false => {
                let others = joined(sources, ", ");
                ("source", format!("no rows of table `{table}` from {wanted}; the file has that table from {others}"))
            }
        };
        return Err(wrong(path, 1, Some(column), reason));
    }
    rows.sort_by_key(|r| (r.challenge, r.places, r.iteration));
    Ok((rows, figures))
}

fn is_same_solve(a: &PublishedRow, b: &PublishedRow) -> bool {
    (a.challenge, a.places, &a.objective, a.iteration) == (b.challenge, b.places, &b.objective, b.iteration)
        && same_families(&a.formulation, &b.formulation)
}

struct Line<'a> {
    path: &'a Path,
    header: &'a StringRecord,
    record: &'a StringRecord,
}

impl Line<'_> {
    fn row(&self) -> Result<PublishedRow, ReportError> {
        Ok(PublishedRow {
            source: self.cell("source").to_owned(),
            challenge: self.whole("challenge")?,
            places: self.filled("places").map(|_| self.whole("places")).transpose()?,
            formulation: self.cell("formulation").to_owned(),
            objective: self.filled("objective").map(ToOwned::to_owned),
            // Without the column every row is a process of one solve; an empty cell is a slip.
            iteration: if self.column("iteration").is_some() { self.whole("iteration")? } else { 0 },
            time_s: self.seconds("time_s", "12944.06")?,
            hole: self.yes("hole")?,
            loops: self.filled("loops").map(|_| self.whole("loops")).transpose()?,
            solved: self.yes("solved")?.unwrap_or(true),
            note: self.cell("note").to_owned(),
        })
    }

    fn figure(&self) -> Result<BatchFigure, ReportError> {
        let word = self.cell("figure");
        let wrong = || self.wrong(Some("figure"), format!("`{word}` is neither `mean time` nor `worst time`"));
        Ok(BatchFigure {
            source: self.cell("source").to_owned(),
            approach: self.cell("approach").to_owned(),
            formulation: self.cell("formulation").to_owned(),
            solver: self.cell("solver").to_owned(),
            figure: BatchStatistic::of_word(word).ok_or_else(wrong)?,
            time_s: self.seconds("value", "146.33")?,
        })
    }

    fn column(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|h| h == name)
    }

    /// Empty also where there is no such column.
    fn cell(&self, name: &str) -> &str {
        self.column(name).and_then(|index| self.record.get(index)).unwrap_or_default().trim()
    }

    fn filled(&self, name: &str) -> Option<&str> {
        Some(self.cell(name)).filter(|text| !text.is_empty())
    }

    fn whole(&self, name: &str) -> Result<u64, ReportError> {
        let text = self.cell(name);
        text.parse().map_err(|_| self.wrong(Some(name), format!("`{text}` is not a whole number")))
    }

    fn seconds(&self, name: &str, example: &str) -> Result<f64, ReportError> {
        let text = self.cell(name);
        let time = text.parse::<f64>().ok().filter(|time| time.is_finite() && *time >= 0.0);
        time.ok_or_else(|| self.wrong(Some(name), format!("`{text}` is not a time in seconds, for example {example}")))
    }

    fn yes(&self, name: &str) -> Result<Option<bool>, ReportError> {
        match self.cell(name) {
            "" => Ok(None),
            "yes" => Ok(Some(true)),
            "no" => Ok(Some(false)),
            other => Err(self.wrong(Some(name), format!("`{other}` is neither `yes` nor `no` nor empty"))),
        }
    }

    fn wrong(&self, column: Option<&str>, reason: String) -> ReportError {
        wrong(self.path, self.record.position().map_or(0, csv::Position::line), column, reason)
    }
}

fn wrong(path: &Path, line: u64, column: Option<&str>, reason: String) -> ReportError {
    ReportError::Published { path: path.to_owned(), line, column: column.map(ToOwned::to_owned), reason }
}

fn csv_error(path: &Path, error: csv::Error) -> ReportError {
    let line = error.position().map_or(1, csv::Position::line);
    match error.into_kind() {
        csv::ErrorKind::Io(source) => RecordError::Io { path: path.to_owned(), source }.into(),
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            wrong(path, line, None, format!("{len} cells where the header has {expected_len}"))
        }
        other => wrong(path, line, None, format!("{other:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_match_as_sets_and_exactly() {
        assert!(same_families("C1 C2' C3 C4", "C4, C3, C2', C1"));
        assert!(same_families("B1 B2 B3 B4+B5 B6'", "B1 B2 B3 B4 B5 B6'"));
        assert!(!same_families("B1 B2 B3 B4+B5 B6'", "B1 B2 B3 B4 B5 B6''"));
        assert!(!same_families("C1 C2 C3 C4", "C1 C2' C3 C4"));
        assert!(!same_families("C1 C2 C3 C4", "C1 C2 C3 C4 C5"));
    }
}
