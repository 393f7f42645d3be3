//! All columns of all runs, column by column: what the table of runs sorts and filters.

use std::collections::HashMap;

use record::RunRow;

use super::json::{self, WHOLE};
use super::rows::{Places, each};
use crate::ReportError;
use crate::results::Experiment;

/// The columns of `runs.csv` that hold numbers.
const NUMBERS: [&str; 33] = [
    "attempt",
    "challenge",
    "places",
    "seed",
    "repeat",
    "threads",
    "jobs",
    "time_limit_s",
    "cpu_limit_s",
    "memory_limit_b",
    "exit_code",
    "exit_signal",
    "objective_value",
    "bound",
    "gap",
    "loops",
    "holes",
    "iterations",
    "cuts",
    "variables",
    "constraints",
    "nonzeros",
    "build_time_s",
    "solve_time_s",
    "wall_time_s",
    "cpu_time_s",
    "peak_memory_b",
    "nodes",
    "simplex_iterations",
    "conflicts",
    "propagations",
    "root_bound",
    "schema_version",
];

/// The columns as JSON, with the rows in the order of the runs.
pub fn runs(experiment: &Experiment, places: &Places) -> Result<Vec<u8>, ReportError> {
    let header = record::columns::<RunRow>();
    let count = experiment.len();
    let mut columns: Vec<_> = header.iter().map(|name| Column::new(name, count)).collect();
    each::<RunRow>(&experiment.files().runs(), places, |place, row| {
        for (column, cell) in columns.iter_mut().zip(row) {
            if !cell.is_empty() {
                column.set(place, cell);
            }
        }
    })?;
    // A plan may call a cell otherwise than its rows do.
    for (place, run) in experiment.runs().iter().enumerate() {
        let names = [&run.setting.instance, &run.setting.formulation, &run.setting.solver];
        for (name, value) in ["instance", "formulation", "solver"].into_iter().zip(names) {
            if let Some(index) = header.iter().position(|h| *h == name) {
                columns[index].set(place, value);
            }
        }
    }
    let shown = header.iter().zip(&columns).filter(|(name, column)| **name != "schema_version" && !column.is_empty());
    let mut text = b"{\"columns\":{".to_vec();
    for (index, (name, column)) in shown.enumerate() {
        if index > 0 {
            text.push(b',');
        }
        json::text(name, &mut text);
        text.push(b':');
        column.write(&mut text);
    }
    text.extend_from_slice(b"}}");
    Ok(text)
}

/// A column in the making.
enum Column {
    /// Numbers, none where it is not a number.
    Numbers(Vec<f64>),
    /// Texts, each once, and which of them each run has.
    Words { words: Vec<String>, codes: Vec<Option<u32>>, known: HashMap<String, u32>, last: Option<u32> },
}

impl Column {
    fn new(name: &str, count: usize) -> Self {
        if NUMBERS.contains(&name) { Self::Numbers(vec![f64::NAN; count]) } else { Self::words(count) }
    }

    fn words(count: usize) -> Self {
        Self::Words { words: Vec::new(), codes: vec![None; count], known: HashMap::new(), last: None }
    }

    fn set(&mut self, place: usize, cell: &str) {
        match self {
            Self::Numbers(values) => {
                let value = cell.parse().unwrap_or(f64::NAN);
                // A seed may have more digits than JavaScript keeps.
                if value.abs() >= WHOLE && cell.bytes().all(|b| b.is_ascii_digit()) {
                    *self = Self::spelled(values);
                    self.set(place, cell);
                } else {
                    values[place] = value;
                }
            }
            Self::Words { words, codes, known, last } => {
                // Most rows say what the row before them says.
                let code = last.filter(|last| words[*last as usize] == cell).or_else(|| known.get(cell).copied());
                let code = code.unwrap_or_else(|| {
                    let code = words.len() as u32;
                    words.push(cell.to_owned());
                    known.insert(cell.to_owned(), code);
                    code
                });
                codes[place] = Some(code);
                *last = Some(code);
            }
        }
    }

    /// Numbers as texts.
    fn spelled(values: &[f64]) -> Self {
        let mut column = Self::words(values.len());
        for (place, value) in values.iter().enumerate().filter(|(_, value)| value.is_finite()) {
            column.set(place, &value.to_string());
        }
        column
    }

    fn is_empty(&self) -> bool {
        match self {
            Self::Numbers(values) => values.iter().all(|value| !value.is_finite()),
            Self::Words { codes, .. } => codes.iter().all(Option::is_none),
        }
    }

    fn write(&self, text: &mut Vec<u8>) {
        match self {
            Self::Numbers(values) => {
                text.extend_from_slice(b"{\"values\":");
                json::list(values, text, |value, text| json::number(*value, text));
            }
            Self::Words { words, codes, .. } => {
                // Numbered anew, in the order of the runs: that of the rows in their file shall make no difference.
                let (mut numbers, mut order) = (vec![None; words.len()], Vec::new());
                for code in codes.iter().flatten().map(|code| *code as usize) {
                    numbers[code].get_or_insert_with(|| {
                        order.push(code);
                        order.len() - 1
                    });
                }
                text.extend_from_slice(b"{\"words\":");
                json::list(order, text, |code, text| json::text(&words[code], text));
                text.extend_from_slice(b",\"codes\":");
                json::list(codes, text, |code, text| {
                    let number = code.and_then(|code| numbers[code as usize]);
                    json::number(number.map_or(f64::NAN, |number| number as f64), text);
                });
            }
        }
        text.push(b'}');
    }
}
