//! CSV: one file a table, figures raw; and the points of plots.
//!
//! Warnings stand above the header, each behind a `#`.

use super::{Exporter, File};
use crate::ReportError;
use crate::grid::{Grid, Value};
use crate::page::Page;
use crate::plots::Chart;

/// What follows the stem of a plot in the name of the file with its figures.
pub const CURVES: &str = "-curves";

/// The exporter.
pub struct Csv;

impl Exporter for Csv {
    fn experiment(&self, page: &Page) -> Result<Vec<File>, ReportError> {
        page.tables.iter().map(|t| Ok((format!("{}.csv", t.stem), grid(&t.grid, &page.warnings)?))).collect()
    }

    fn index(&self, _: &[Page]) -> Vec<File> {
        Vec::new()
    }
}

/// The points of a chart and the medians its lines run through.
pub fn curves(chart: &Chart, warnings: &[String]) -> Result<String, ReportError> {
    let header = ["curve", "kind", "instance", "x", "y"].map(ToOwned::to_owned).to_vec();
    let mut rows = vec![header];
    for curve in &chart.curves {
        for point in &curve.points {
            rows.push(vec![
                curve.label.clone(),
                point.kind.name().to_owned(),
                point.instance.clone(),
                number(point.x),
                number(point.y),
            ]);
        }
        for (x, y) in &curve.medians {
            let y = y.map(number).unwrap_or_default();
            rows.push(vec![curve.label.clone(), "median".to_owned(), String::new(), number(*x), y]);
        }
    }
    text(rows, warnings)
}

fn grid(grid: &Grid, warnings: &[String]) -> Result<String, ReportError> {
    let axis = grid.axis.as_ref().map(|a| format!("{a} ")).unwrap_or_default();
    let heading = |[over, group, column]: [&str; 3]| {
        let axis = if over.is_empty() && group.is_empty() { "" } else { axis.as_str() };
        let parts: Vec<_> = [over, group, column].into_iter().filter(|part| !part.is_empty()).collect();
        format!("{axis}{}", parts.join(" / "))
    };
    let mut rows = vec![grid.stubs.iter().cloned().chain(grid.headings().map(heading)).collect::<Vec<_>>()];
    for row in &grid.rows {
        rows.push(row.labels.iter().cloned().chain(row.cells.iter().map(|c| raw(&c.value))).collect());
    }
    text(rows, warnings)
}

fn raw(value: &Value) -> String {
    match value {
        Value::Blank | Value::Dash => String::new(),
        Value::Text(text) => text.clone(),
        Value::Count(value) | Value::Ratio(value) => number(*value),
        Value::Time { seconds, at_least, remark } => {
            let bound = if *at_least { ">" } else { "" };
            let remark = remark.as_ref().map(|r| format!(" ({r})")).unwrap_or_default();
            format!("{bound}{}{remark}", number(*seconds))
        }
    }
}

/// All digits that were measured, without the noise of adding floats.
fn number(value: f64) -> String {
    let text = format!("{value:.9}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn text(rows: Vec<Vec<String>>, warnings: &[String]) -> Result<String, ReportError> {
    let mut bytes = Vec::new();
    for warning in warnings {
        bytes.extend_from_slice(format!("# warning: {}\n", warning.replace('\n', " ")).as_bytes());
    }
    let mut writer = csv::Writer::from_writer(bytes);
    for row in rows {
        writer.write_record(row)?;
    }
    let bytes = writer.into_inner().map_err(|e| csv::Error::from(e.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
