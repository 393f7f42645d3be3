//! The data of the page: JSON in compressed chunks, each of which the page unpacks when it is needed; and all columns of all runs
//! and solves, read once more, cell by cell, since a report keeps only what tables and plots show.

use std::collections::{BTreeMap, HashMap};
use std::io::BufWriter;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use csv::StringRecord;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use record::{IterationRow, Row, RunRow, TableReader};
use serde::Serialize;
use serde_json::Number;
use serde_json::value::{RawValue, Value, to_raw_value};

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
        while let Some(row) = rows.next_cells() {
            let row = row?;
            if let Some(place) = self.find(&row[run_id], &row[attempt]) {
                take(place, row);
            }
        }
        Ok(())
    }
}

/// All columns of the runs by name, with the cells in the order of the runs; columns without any value are left out.
pub fn runs(name: String, experiment: &Experiment, places: &Places) -> Result<Chunk, ReportError> {
    let header = RunRow::columns();
    let mut read = vec![vec![Box::<str>::default(); experiment.len()]; header.len()];
    places.each::<RunRow>(&experiment.files.runs(), |place, row| {
        read.iter_mut().zip(row).for_each(|(column, cell)| column[place] = cell.into());
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
        let cells = experiment.runs().iter().zip(read);
        let cells = cells.map(|(run, cell)| of_plan.map_or(&**cell, |of| of(&run.setting)));
        columns.extend(Column::of(cells, is_number(column)).map(|cells| (column.name, cells)));
    }
    Ok(Chunk::of(name, &BTreeMap::from([("columns", columns)])))
}

#[derive(Serialize)]
#[serde(untagged)]
enum Column<'a> {
    /// Numbers, `null` for what is none.
    Numbers { values: Vec<Option<Number>> },
    /// Texts, each once, and which of them each run has.
    Words { words: Vec<&'a str>, codes: Vec<Option<usize>> },
}

impl<'a> Column<'a> {
    /// A column of such cells; none if all are empty.
    fn of(cells: impl Iterator<Item = &'a str> + Clone, is_number: bool) -> Option<Self> {
        // A seed may have more digits than JavaScript keeps.
        let is_long = |cell: &str| cell.parse::<u64>().is_ok_and(|value| value >= 1 << 53);
        if is_number && !cells.clone().any(is_long) {
            let values: Vec<Option<Number>> = cells.map(|cell| cell.parse().ok()).collect();
            return values.iter().any(Option::is_some).then_some(Self::Numbers { values });
        }
        let (mut words, mut known) = (Vec::new(), HashMap::new());
        let mut code = |cell: &'a str| {
            *known.entry(cell).or_insert_with(|| {
                words.push(cell);
                words.len() - 1
            })
        };
        let codes = cells.map(|cell| (!cell.is_empty()).then(|| code(cell))).collect();
        (!words.is_empty()).then_some(Self::Words { words, codes })
    }
}

pub fn of_solves() -> Vec<&'static str> {
    record::columns::<IterationRow>().into_iter().filter(|name| !KEYS.contains(name)).collect()
}

/// The solves of the runs that are shown: run, iteration, and its cells as a list.
pub struct Solves(Vec<(usize, u64, Box<RawValue>)>);

impl Solves {
    pub fn read(experiment: &Experiment, places: &Places) -> Result<Self, ReportError> {
        let columns = IterationRow::columns();
        let iteration = columns.iter().position(|column| column.name == "iteration").unwrap_or_default();
        let cell = |(cell, column): (&str, &record::Column)| match is_number(column) {
            _ if cell.is_empty() => Value::Null,
            true => cell.parse().map_or(Value::Null, Value::Number),
            false => Value::from(cell),
        };
        let mut solves = Vec::new();
        places.each::<IterationRow>(&experiment.files.iterations(), |place, row| {
            let shown = row.iter().zip(&columns).filter(|(_, column)| !KEYS.contains(&column.name));
            let cells = to_raw_value(&shown.map(cell).collect::<Vec<_>>()).expect("JSON has all of it");
            solves.push((place, row[iteration].parse().unwrap_or(u64::MAX), cells));
        })?;
        // As the experiment orders them.
        solves.sort_by_key(|(place, iteration, _)| (*place, *iteration));
        Ok(Self(solves))
    }

    pub fn of_run(&self, run: usize, shown: &[Solve]) -> Vec<&RawValue> {
        let first = self.0.partition_point(|solve| solve.0 < run);
        let mut of_run = self.0[first..].iter().take_while(|solve| solve.0 == run);
        // Both in order; the file may have grown since the others were read.
        shown.iter().filter_map(|solve| Some(&*of_run.find(|found| found.1 == solve.iteration)?.2)).collect()
    }
}
