//! Total solve times, one column a formulation and solver: for comparing these.

use super::iterations::repeats;
use super::{Table, cells};
use crate::aggregate::Outcome;
use crate::caveats;
use crate::grid::{Cell, Grid, Group, Row, Value};
use crate::{Experiment, ReportError};

/// Shift of the geometric means in seconds: differences far below it hardly count.
const SHIFT_S: f64 = 1.0;

/// The table.
pub struct Times;

impl Table for Times {
    fn name(&self) -> &'static str {
        "times"
    }

    fn shows(&self) -> &'static str {
        "total solve time by instance, formulation and solver"
    }

    fn build(&self, experiment: &Experiment) -> Result<Vec<Grid>, ReportError> {
        let columns = columns(experiment);
        let challenges = experiment.catalog().instances.iter().any(|i| i.challenge.is_some());
        // With one column the table of iterations says it all, unless a config names its tables.
        let chosen = !experiment.manifest().report.tables.is_empty();
        if columns.is_empty() || (columns.len() == 1 && challenges && !chosen) {
            return Ok(Vec::new());
        }
        let mut rows: Vec<_> =
            experiment.catalog().instances.iter().map(|i| row(experiment, &i.name, &columns)).collect();
        rows.extend(footer(experiment, &columns));
        cells::count_where_they_differ(&mut rows);
        let mut notes: Vec<_> = repeats(&experiment.aggregates().outcomes.iter()).into_iter().collect();
        notes.extend(cells::brackets(&rows));
        if columns.len() > 1 {
            notes.push(format!(
                "Bold: the fastest that solved the instance. Ratio: of shifted geometric means \
                 (shift {SHIFT_S} s) to the first column, over the instances that both solved"
            ));
        }
        notes.extend(cells::meanings(&experiment.aggregates().outcomes));
        Ok(vec![Grid {
            key: String::new(),
            caption: "Total solve time (s)".to_owned(),
            notes,
            caveats: caveats::of_shown(experiment.aggregates().outcomes.iter(), false),
            stubs: vec!["instance".to_owned()],
            axis: None,
            groups: groups(experiment, &columns),
            rows,
        }])
    }
}

/// A formulation and a solver.
type Column<'a> = (&'a str, &'a str);

fn columns(experiment: &Experiment) -> Vec<Column<'_>> {
    let catalog = experiment.catalog();
    let all = catalog.formulations.iter().flat_map(|f| catalog.solvers.iter().map(|s| (f.name.as_str(), s.as_str())));
    all.filter(|c| catalog.instances.iter().any(|i| find(experiment, &i.name, *c).is_some())).collect()
}

/// Solvers by formulation, below the kinds where there are several.
fn groups(experiment: &Experiment, columns: &[Column]) -> Vec<Group> {
    let formulations = &experiment.catalog().formulations;
    let several = formulations.windows(2).any(|pair| pair[0].kind != pair[1].kind);
    let kind = |name: &str| formulations.iter().find(|f| f.name == name).map(|f| f.kind.clone()).filter(|_| several);

    let mut groups: Vec<Group> = Vec::new();
    for (formulation, solver) in columns {
        match groups.last_mut().filter(|g| g.text == *formulation) {
            Some(group) => group.columns.push((*solver).to_owned()),
            None => groups.push(Group {
                over: kind(formulation).unwrap_or_default(),
                ..Group::new(*formulation, vec![(*solver).to_owned()])
            }),
        }
    }
    groups
}

fn find<'a>(experiment: &'a Experiment, instance: &str, (formulation, solver): Column) -> Option<&'a Outcome> {
    experiment.aggregates().outcome(instance, formulation, solver)
}

/// The time of a run that counts in comparisons.
fn solved(experiment: &Experiment, instance: &str, column: Column) -> Option<f64> {
    find(experiment, instance, column).filter(|o| cells::is_solved(o)).and_then(|o| o.total_s)
}

fn row(experiment: &Experiment, instance: &str, columns: &[Column]) -> Row {
    let times: Vec<_> = columns.iter().map(|c| solved(experiment, instance, *c)).collect();
    let best = times.iter().flatten().copied().reduce(f64::min).filter(|_| columns.len() > 1);
    let cell = |column: &Column, time: &Option<f64>| {
        let cell = find(experiment, instance, *column).map_or(Cell::DASH, |o| cells::spread(o, cells::answer(o)));
        let bold = cell.bold || (time.is_some() && *time == best);
        cell.bold_if(bold)
    };
    let cells = columns.iter().zip(&times).map(|(c, t)| cell(c, t)).collect();
    Row { ruled: false, labels: vec![instance.to_owned()], cells }
}

fn footer(experiment: &Experiment, columns: &[Column]) -> Vec<Row> {
    let instances = &experiment.catalog().instances;
    let row = |label: &str, cells: Vec<Cell>| Row { ruled: false, labels: vec![label.to_owned()], cells };
    let share = |column: &Column| {
        let run = instances.iter().filter(|i| find(experiment, &i.name, *column).is_some()).count();
        let done = instances.iter().filter(|i| solved(experiment, &i.name, *column).is_some()).count();
        Cell::text(format!("{done}/{run}"))
    };
    let mut rows = vec![Row { ruled: true, ..row("solved", columns.iter().map(share).collect()) }];
    if let Some((first, others)) = columns.split_first().filter(|c| !c.1.is_empty()) {
        let pairs = |column: &Column| -> Vec<(f64, f64)> {
            let both = |name: &str| Some((solved(experiment, name, *first)?, solved(experiment, name, *column)?));
            instances.iter().filter_map(|i| both(&i.name)).collect()
        };
        let ratios = others.iter().map(|c| ratio(&pairs(c)).map_or(Cell::DASH, |r| Value::Ratio(r).into()));
        let counts = others.iter().map(|c| Cell::text(pairs(c).len().to_string()));
        rows.push(row("ratio", std::iter::once(Value::Ratio(1.0).into()).chain(ratios).collect()));
        rows.push(row("ratio over", std::iter::once(Cell::BLANK).chain(counts).collect()));
    }
    rows
}

fn ratio(pairs: &[(f64, f64)]) -> Option<f64> {
    let mean = |side: fn(&(f64, f64)) -> f64| {
        #[expect(clippy::cast_precision_loss, reason = "no experiment has 2^52 instances")]
        let count = pairs.len() as f64;
        (pairs.iter().map(|p| (side(p) + SHIFT_S).ln()).sum::<f64>() / count).exp() - SHIFT_S
    };
    let (base, other) = (mean(|p| p.0), mean(|p| p.1));
    Some(other / base).filter(|r| r.is_finite())
}

#[cfg(test)]
mod tests {
    use super::ratio;

    #[test]
    fn ratio_of_shifted_geometric_means() {
        // Means of (1, 7) and (3, 15) shifted by 1: 4 - 1 and 8 - 1.
        let found = ratio(&[(1.0, 3.0), (7.0, 15.0)]);
        assert!(found.is_some_and(|r| (r - 7.0 / 3.0).abs() < 1e-12), "{found:?}");
        assert_eq!(ratio(&[]), None);
    }
}
