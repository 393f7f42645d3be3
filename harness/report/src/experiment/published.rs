//! Published figures: reading `published.csv`, matching its formulations to ours.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use record::Published;

use crate::ReportError;

/// One published solve.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedRow {
    /// Where it was published; empty where the file does not say.
    pub source: String,
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

/// Where the figures of each challenge were published, by source, where that is not the source that the label
/// of the figures names: `challenge 3: kino-uno-slides`.
pub fn other_sources<'a>(spec: &Published, rows: impl Iterator<Item = &'a PublishedRow>) -> Option<String> {
    let mut challenges: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
    for row in rows {
        challenges.entry(&row.source).or_default().insert(row.challenge);
    }
    if spec.sources.is_empty() && challenges.len() < 2 {
        return None;
    }
    challenges.retain(|source, _| is_other(spec, source));
    let text = |(source, challenges): (&&str, &BTreeSet<u64>)| {
        let numbers: Vec<_> = challenges.iter().map(ToString::to_string).collect();
        let source = if source.is_empty() { "source unknown" } else { source };
        format!("challenge {}: {source}", numbers.join(", "))
    };
    let texts: Vec<_> = challenges.iter().map(text).collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

/// Whether the label of the figures names another source than this one.
pub fn is_other(spec: &Published, source: &str) -> bool {
    spec.sources.first().is_none_or(|first| first != source)
}

/// The heading of figures from these sources: the label, or the sources where the label does not name them.
pub fn heading<'a>(spec: &Published, sources: impl Iterator<Item = &'a str>) -> String {
    let sources: BTreeSet<_> = sources.collect();
    if spec.sources.is_empty() || sources.iter().any(|s| !is_other(spec, s)) {
        return spec.label.clone();
    }
    sources.into_iter().collect::<Vec<_>>().join(", ")
}

/// Reads the rows of one table of the file that come from the sources asked for; further columns are allowed
/// and ignored.
pub fn read(path: &Path, spec: &Published) -> Result<Vec<PublishedRow>, ReportError> {
    let table = spec.table.as_str();
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
            let need = "table, challenge, formulation, iteration, time_s and perhaps loops and source";
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
    let source = if spec.sources.is_empty() { column("source") } else { Some(required("source")?) };

    let mut rows: Vec<PublishedRow> = Vec::new();
    let (mut others, mut other_sources) = (BTreeSet::new(), BTreeSet::new());
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
        let source = source.map_or("", cell);
        if !spec.sources.is_empty() && !spec.sources.iter().any(|s| s == source) {
            other_sources.insert(source.to_owned());
            continue;
        }
        let text = cell(time);
        let time_s = text.parse::<f64>().ok().filter(|t| t.is_finite() && *t >= 0.0).ok_or_else(|| {
            wrong(line, Some("time_s"), format!("`{text}` is not a time in seconds, for example 12944.06"))
        })?;
        let row = PublishedRow {
            source: source.to_owned(),
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
    if rows.is_empty() && !other_sources.is_empty() {
        let others: Vec<_> = other_sources.into_iter().collect();
        let reason = format!(
            "no rows of table `{table}` from {}; the file has that table from {}",
            spec.sources.join(" or "),
            others.join(", ")
        );
        return Err(wrong(1, Some("source"), reason));
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
