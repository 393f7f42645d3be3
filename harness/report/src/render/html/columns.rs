//! The data of the page: JSON in compressed chunks, each of which the page unpacks when it is needed; and all columns of all runs
//! and solves, read once more, cell by cell, since a report keeps only what tables and plots show.

use std::collections::{BTreeMap, HashMap};
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use csv::StringRecord;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use record::{IterationRow, Row, RunRow, TableReader};
use serde::de::IgnoredAny;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::ReportError;
use crate::results::{Experiment, Setting, Solve};

/// How hard to compress: beyond it twice the time saves no tenth of the bytes.
const COMPRESSION: Compression = Compression::new(3);

pub struct Chunk {
    pub name: String,
    /// zlib in base64.
    pub text: String,
}

impl Chunk {
    pub fn of(name: String, data: &(impl Serialize + ?Sized)) -> Self {
        let mut encoder = ZlibEncoder::new(Vec::new(), COMPRESSION);
        serde_json::to_writer(BufWriter::with_capacity(1 << 16, &mut encoder), data).expect("JSON has all of it");
        Self { name, text: STANDARD.encode(encoder.finish().expect("writing to memory does not fail")) }
    }
}

/// Whole numbers below it are exact in JavaScript.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// A number as JavaScript reads it: `null` for what is none, without a fraction where it is whole.
#[derive(Debug, Clone, Copy)]
struct Number(f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(value) = *self;
        if value.fract() == 0.0 && value.abs() < WHOLE {
            serializer.serialize_i64(value as i64)
        } else {
            serializer.serialize_f64(value)
        }
    }
}

/// Whether the cells of a column are numbers, as its unit says; else they are texts.
fn is_number(column: &record::Column) -> bool {
    let unit = column.unit();
    ["integer", "count", "seconds", "bytes", "number"].iter().any(|word| unit.starts_with(word))
}

/// Columns that identify the run of a solve.
const KEYS: [&str; 2] = ["run_id", "attempt"];

/// The index and the attempt of each run that is shown, by its id.
pub struct Places<'a> {
    by_id: HashMap<&'a str, (usize, u32)>,
}

impl<'a> Places<'a> {
    pub fn of(experiment: &'a Experiment) -> Self {
        let runs = experiment.runs().iter().enumerate();
        Self { by_id: runs.map(|(place, run)| (run.run_id.as_str(), (place, run.attempt))).collect() }
    }

    /// The index of a run, if this is the attempt that is shown.
    fn find(&self, run_id: &str, attempt: &str) -> Option<usize> {
        let (place, shown) = *self.by_id.get(run_id)?;
        let attempt: u32 = attempt.parse().ok()?;
        (attempt == shown).then_some(place)
    }

    /// Calls `take` for each row of a run that is shown, with the index of the run and the cells in the order of the columns.
    fn each<T: Row>(&self, path: &Path, mut take: impl FnMut(usize, &StringRecord)) -> Result<(), ReportError> {
        let header = record::columns::<T>();
        let column = |name: &str| header.iter().position(|h| *h == name).unwrap_or_default();
        let (run_id, attempt) = (column("run_id"), column("attempt"));
        let mut rows = TableReader::<T>::open(path)?;
        // Solves of a run mostly follow each other.
        let (mut last, mut place) = ([String::new(), String::new()], None);
        while let Some(row) = rows.next_cells() {
            let row = row?;
            let key = [&row[run_id], &row[attempt]];
            if last != key {
                (last, place) = (key.map(str::to_owned), self.find(key[0], key[1]));
            }
            if let Some(place) = place {
                take(place, row);
            }
        }
        Ok(())
    }
}

/// All columns of the runs by name, with the cells in the order of the runs; columns without any value are left out.
pub fn runs(name: String, experiment: &Experiment, places: &Places) -> Result<Chunk, ReportError> {
    let header = RunRow::columns();
    let mut read = vec![Texts::new(experiment.len()); header.len()];
    places.each::<RunRow>(&experiment.files.runs(), |place, row| {
        read.iter_mut().zip(row).for_each(|(column, cell)| column.put(place, cell));
    })?;
    let mut columns = BTreeMap::new();
    for (column, read) in header.iter().zip(&read).filter(|(column, _)| column.name != "schema_version") {
        // A plan may call a cell otherwise than its rows do.
        let of_plan: Option<fn(&Setting) -> &str> = match column.name {
            "instance" => Some(|setting| &setting.instance),
            "formulation" => Some(|setting| &setting.formulation),
            "solver" => Some(|setting| &setting.solver),
            _ => None,
        };
        let cells = experiment.runs().iter().zip(read.all());
        let cells = cells.map(|(run, cell)| of_plan.map_or(cell, |of| of(&run.setting)));
        columns.extend(Column::of(cells, is_number(column)).map(|cells| (column.name, cells)));
    }
    Ok(Chunk::of(name, &BTreeMap::from([("columns", columns)])))
}

/// Texts in one piece, each at a place.
#[derive(Clone)]
struct Texts {
    all: String,
    at: Vec<Range<usize>>,
}

impl Texts {
    fn new(places: usize) -> Self {
        Self { all: String::new(), at: vec![0..0; places] }
    }

    fn put(&mut self, place: usize, text: &str) {
        let start = self.all.len();
        self.all.push_str(text);
        self.at[place] = start..self.all.len();
    }

    fn all(&self) -> impl Iterator<Item = &str> + Clone {
        self.at.iter().map(|at| &self.all[at.clone()])
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum Column<'a> {
    /// Numbers, `null` for what is none.
    Numbers { values: Vec<Number> },
    /// Texts, each once, and which of them each run has.
    Words { words: Vec<&'a str>, codes: Vec<Option<usize>> },
}

impl<'a> Column<'a> {
    /// A column of such cells; none if all are empty.
    fn of(cells: impl Iterator<Item = &'a str> + Clone, is_number: bool) -> Option<Self> {
        // A seed may have more digits than JavaScript keeps.
        let is_long = |cell: &str| {
            cell.len() > 15
                && cell.bytes().all(|b| b.is_ascii_digit())
                && cell.parse().is_ok_and(|value: f64| value >= WHOLE)
        };
        if is_number && !cells.clone().any(is_long) {
            let values: Vec<f64> = cells.map(|cell| cell.parse().unwrap_or(f64::NAN)).collect();
            let is_any = values.iter().any(|value| value.is_finite());
            return is_any.then(|| Self::Numbers { values: values.into_iter().map(Number).collect() });
        }
        let (mut words, mut known, mut last) = (Vec::new(), HashMap::new(), 0);
        let mut code = |cell: &'a str| {
            // Neighbours are often alike.
            if words.get(last) != Some(&cell) {
                last = *known.entry(cell).or_insert_with(|| {
                    words.push(cell);
                    words.len() - 1
                });
            }
            last
        };
        let codes = cells.map(|cell| (!cell.is_empty()).then(|| code(cell))).collect();
        (!words.is_empty()).then_some(Self::Words { words, codes })
    }
}

pub fn of_solves() -> Vec<&'static str> {
    record::columns::<IterationRow>().into_iter().filter(|name| !KEYS.contains(name)).collect()
}

/// The solves of the runs that are shown.
pub struct Solves {
    /// The cells of each as a list.
    json: String,
    /// Run, iteration, where its list is.
    places: Vec<(usize, u64, Range<usize>)>,
}

/// Whether JSON has the number that a cell holds, as it is there.
fn is_json(cell: &str) -> bool {
    // Most are digits, perhaps with a point, which takes less time to see.
    let mut points = 0;
    for byte in cell.bytes() {
        match byte {
            b'0'..=b'9' => {}
            b'.' => points += 1,
            _ => {
                let begins = cell.starts_with(|c: char| c == '-' || c.is_ascii_digit());
                return begins && serde_json::from_str::<IgnoredAny>(cell).is_ok();
            }
        }
    }
    points <= 1 && !cell.ends_with('.') && matches!(cell.as_bytes(), [b'0'] | [b'0', b'.', ..] | [b'1'..=b'9', ..])
}

/// A cell as JSON: a number with the digits that it has in its file, if JSON has such numbers.
fn write_cell(json: &mut Vec<u8>, cell: &str, is_number: bool) {
    let written = if cell.is_empty() {
        json.write_all(b"null").map_err(serde_json::Error::io)
    } else if !is_number {
        serde_json::to_writer(json, cell)
    } else if is_json(cell) {
        json.write_all(cell.as_bytes()).map_err(serde_json::Error::io)
    } else {
        serde_json::to_writer(json, &cell.parse().ok().map(Number))
    };
    written.expect("writing to memory does not fail");
}

impl Solves {
    pub fn read(experiment: &Experiment, places: &Places) -> Result<Self, ReportError> {
        let columns = IterationRow::columns();
        let iteration = columns.iter().position(|column| column.name == "iteration").unwrap_or_default();
        let shown = columns.iter().map(|column| (!KEYS.contains(&column.name)).then(|| is_number(column)));
        let shown: Vec<_> = shown.collect();
        let (mut json, mut solves) = (Vec::new(), Vec::new());
        places.each::<IterationRow>(&experiment.files.iterations(), |place, row| {
            let start = json.len();
            for (cell, is_number) in row.iter().zip(&shown).filter_map(|(cell, shown)| Some((cell, (*shown)?))) {
                json.push(if json.len() == start { b'[' } else { b',' });
                write_cell(&mut json, cell, is_number);
            }
            json.push(b']');
            solves.push((place, row[iteration].parse().unwrap_or(u64::MAX), start..json.len()));
        })?;
        // As the experiment orders them.
        solves.sort_by_key(|(place, iteration, _)| (*place, *iteration));
        Ok(Self { json: String::from_utf8(json).expect("rows are text"), places: solves })
    }

    pub fn of_run(&self, run: usize, shown: &[Solve]) -> Vec<&RawValue> {
        let first = self.places.partition_point(|solve| solve.0 < run);
        let mut of_run = self.places[first..].iter().take_while(|solve| solve.0 == run);
        // Both in order; the file may have grown since the others were read.
        let of_run = shown.iter().filter_map(|solve| of_run.find(|found| found.1 == solve.iteration));
        of_run.map(|solve| serde_json::from_str(&self.json[solve.2.clone()]).expect("it was written here")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::write_cell;

    #[test]
    fn numbers_that_json_does_not_have_are_written_so_that_it_has_them() {
        let written = |text: &str| {
            let mut json = Vec::new();
            write_cell(&mut json, text, true);
            String::from_utf8(json).expect("text")
        };
        for same in ["0", "-0.5", "12", "1.25e-7", "1e20", "2E+3", "0.1"] {
            assert_eq!(written(same), same);
        }
        for (text, right) in
            [("+1", "1"), (".5", "0.5"), ("01", "1"), ("NaN", "null"), ("inf", "null"), ("x", "null"), ("1e", "null")]
        {
            assert_eq!(written(text), right);
        }
    }
}
