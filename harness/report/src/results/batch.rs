//! Published figures over a batch of instances: the mean and the worst time of an approach, as a paper prints them that does not
//! list its runs. A file of such figures has the column `figure`.

use std::path::Path;

use csv::StringRecord;
use record::Published;

use super::published::{csv_error, wrong};
use crate::ReportError;

/// What an approach was published to take over a batch.
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
    pub figure: Figure,
    /// In seconds.
    pub time_s: f64,
}

/// What is said of the times of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    Mean,
    Worst,
}

/// The columns of such files; further ones are allowed and ignored.
const COLUMNS: [&str; 7] = ["source", "table", "approach", "formulation", "solver", "figure", "value"];

/// The figures of one table of a file, from the sources asked for; `None` where the file is one of single runs.
pub fn read(path: &Path, spec: &Published) -> Result<Option<Vec<BatchFigure>>, ReportError> {
    let mut reader = csv::Reader::from_path(path).map_err(|e| csv_error(path, e))?;
    let header = reader.headers().map_err(|e| csv_error(path, e))?.clone();
    let column = |name: &str| header.iter().position(|heading| heading == name);
    if column("figure").is_none() {
        return Ok(None);
    }
    if let Some(missing) = COLUMNS.into_iter().find(|name| column(name).is_none()) {
        let reason = format!("missing; figures of batches need the columns {}", COLUMNS.join(", "));
        return Err(wrong(path, 1, Some(missing), reason));
    }
    let mut figures = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|e| csv_error(path, e))?;
        let cell = |name: &str| column(name).and_then(|index| record.get(index)).unwrap_or_default().trim();
        let wanted = spec.sources.is_empty() || spec.sources.iter().any(|source| source == cell("source"));
        if cell("table") == spec.table && wanted {
            figures.push(figure(&cell).map_err(|(name, reason)| wrong(path, line(&record), Some(name), reason))?);
        }
    }
    if figures.is_empty() {
        let reason = format!("no rows of table `{}` from the sources asked for", spec.table);
        return Err(wrong(path, 1, Some("table"), reason));
    }
    Ok(Some(figures))
}

fn line(record: &StringRecord) -> u64 {
    record.position().map_or(0, csv::Position::line)
}

/// A row of the table, or which of its cells is wrong and why.
fn figure<'a>(cell: &impl Fn(&str) -> &'a str) -> Result<BatchFigure, (&'static str, String)> {
    let figure = match cell("figure") {
        "mean time" => Figure::Mean,
        "worst time" => Figure::Worst,
        other => return Err(("figure", format!("`{other}` is neither `mean time` nor `worst time`"))),
    };
    let text = cell("value");
    let time_s = text.parse::<f64>().ok().filter(|time| time.is_finite() && *time >= 0.0);
    Ok(BatchFigure {
        source: cell("source").to_owned(),
        approach: cell("approach").to_owned(),
        formulation: cell("formulation").to_owned(),
        solver: cell("solver").to_owned(),
        figure,
        time_s: time_s.ok_or_else(|| ("value", format!("`{text}` is not a time in seconds, for example 146.33")))?,
    })
}
