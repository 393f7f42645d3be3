//! Published figures: reading `published.csv`, matching its formulations to ours.

use std::collections::BTreeSet;
use std::path::Path;

use crate::ReportError;

/// One published solve.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedRow {
    /// Challenge number.
    pub challenge: u64,
    /// Constraint families, as the paper lists them.
    pub formulation: String,
    /// 0 for the first solve.
    pub iteration: u64,
    /// Time in seconds.
    pub time_s: f64,
    /// Loops in its solution, where the paper gives them.
    pub loops: Option<u64>,
}

/// Whether two texts list the same constraint families, in whatever order.
///
/// The match is exact: papers list a family only where they use it, so one more makes another formulation.
pub fn same_families(a: &str, b: &str) -> bool {
    families(a) == families(b)
}

fn families(text: &str) -> BTreeSet<&str> {
    text.split([' ', ',', '+', '\t']).filter(|f| !f.is_empty()).collect()
}

/// Reads the rows of one table of the file; further columns are allowed and ignored.
pub fn read(path: &Path, table: &str) -> Result<Vec<PublishedRow>, ReportError> {
    let wrong = |line: u64, column: Option<&str>, reason: String| ReportError::Published {
        path: path.to_owned(),
        line,
        column: column.map(ToOwned::to_owned),
        reason,
    };
    let mut reader = csv::Reader::from_path(path).map_err(|e| csv_error(path, e))?;
    let header = reader.headers().map_err(|e| csv_error(path, e))?.clone();
    let column = |name: &str| header.iter().position(|h| h == name);
    let required = |name: &str| {
        column(name).ok_or_else(|| {
            let need = "table, challenge, formulation, iteration, time_s and perhaps loops";
            wrong(1, Some(name), format!("missing; published figures need the columns {need}"))
        })
    };
    let [tables, challenge, formulation, iteration, time] = [
        required("table")?,
        required("challenge")?,
        required("formulation")?,
        required("iteration")?,
        required("time_s")?,
    ];
    let loops = column("loops");

    let mut rows: Vec<PublishedRow> = Vec::new();
    let mut others = BTreeSet::new();
    for record in reader.records() {
        let record = record.map_err(|e| csv_error(path, e))?;
        let line = record.position().map_or(0, csv::Position::line);
        let cell = |index: usize| record.get(index).unwrap_or_default().trim();
        let whole = |index: usize| {
            let text = cell(index);
            text.parse::<u64>().map_err(|_| wrong(line, header.get(index), format!("`{text}` is not a whole number")))
        };
        if cell(tables) != table {
            others.insert(cell(tables).to_owned());
            continue;
        }
        let text = cell(time);
        let time_s = text.parse::<f64>().ok().filter(|t| t.is_finite() && *t >= 0.0).ok_or_else(|| {
            wrong(line, Some("time_s"), format!("`{text}` is not a time in seconds, for example 12944.06"))
        })?;
        let row = PublishedRow {
            challenge: whole(challenge)?,
            formulation: cell(formulation).to_owned(),
            iteration: whole(iteration)?,
            time_s,
            loops: loops.filter(|l| !cell(*l).is_empty()).map(whole).transpose()?,
        };
        let twice = |r: &PublishedRow| {
            (r.challenge, r.iteration) == (row.challenge, row.iteration)
                && same_families(&r.formulation, &row.formulation)
        };
        if rows.iter().any(twice) {
            let reason = format!(
                "challenge {}, iteration {} of {} stands here a second time",
                row.challenge, row.iteration, row.formulation
            );
            return Err(wrong(line, None, reason));
        }
        rows.push(row);
    }
    if rows.is_empty() {
        let others: Vec<_> = others.into_iter().collect();
        let reason = format!("no rows of table `{table}`; the file has the tables {}", others.join(", "));
        return Err(wrong(1, Some("table"), reason));
    }
    rows.sort_by_key(|r| (r.challenge, r.iteration));
    Ok(rows)
}

fn csv_error(path: &Path, error: csv::Error) -> ReportError {
    let line = error.position().map_or(1, csv::Position::line);
    match error.into_kind() {
        csv::ErrorKind::Io(source) => ReportError::Io { path: path.to_owned(), source },
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => ReportError::Published {
            path: path.to_owned(),
            line,
            column: None,
            reason: format!("{len} cells where the header has {expected_len}"),
        },
        other => ReportError::Published { path: path.to_owned(), line, column: None, reason: format!("{other:?}") },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_match_as_sets_and_exactly() {
        assert!(same_families("C1 C2' C3 C4", "C4, C3, C2', C1"));
        assert!(!same_families("C1 C2 C3 C4", "C1 C2' C3 C4"));
        assert!(!same_families("C1 C2 C3 C4", "C1 C2 C3 C4 C5"));
    }
}
