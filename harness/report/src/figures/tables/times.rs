//! Total solve times by instance, formulation and solver: for comparing these. Few solvers are columns; many are rows,
//! with a table for each setting, since no page is wide enough for them.

use super::{Table, cells};
use crate::analysis::configurations::{Configuration, Part, absent, by_setting, configurations};
use crate::analysis::{Analysis, caveats, repeats};
use crate::figures::{Cell, Grid, Group, Row, Value};
use crate::results::Instance;
use crate::stats::shifted_geometric_mean;

/// Shift of the geometric means in seconds: differences far below it hardly count.
const SHIFT_S: f64 = 1.0;

/// Formulations and solvers that still stand side by side.
const SIDE_BY_SIDE: usize = 8;

/// The table.
pub const TIMES: Table = Table { name: "times", shows: "total solve time by instance, formulation and solver", build };

fn build(analysis: &Analysis) -> Vec<Grid> {
    let configurations = configurations(analysis);
    let instances: Vec<_> = analysis.experiment.catalog().instances.iter().collect();
    let challenges = instances.iter().any(|i| i.challenge.is_some());
    // With one column the table of iterations says it all, unless a config names its tables.
    let chosen = analysis.names_tables();
    if configurations.is_empty() || (configurations.len() == 1 && challenges && !chosen) {
        return Vec::new();
    }
    let parts = if configurations.len() > SIDE_BY_SIDE {
        by_setting(&configurations, &instances)
    } else {
        vec![Part { key: "", of: String::new(), configurations, instances }]
    };
    parts.into_iter().map(|part| Layout(part).grid(analysis)).collect()
}

/// A part of the experiment as a table.
struct Layout<'a>(Part<'a>);

impl Layout<'_> {
    fn grid(&self, analysis: &Analysis) -> Grid {
        let is_upright =
            self.0.configurations.len() > SIDE_BY_SIDE && self.0.configurations.len() >= self.0.instances.len();
        let (stubs, groups, mut rows) = if is_upright { self.upright() } else { self.side_by_side() };
        cells::count_where_they_differ(&mut rows);
        let outcomes = || self.0.configurations.iter().flat_map(|e| e.outcomes.iter().copied());
        let mut notes: Vec<_> = repeats(&outcomes()).into_iter().collect();
        notes.extend(cells::brackets(&rows));
        if self.0.configurations.len() > 1 {
            let first = if is_upright { "row" } else { "column" };
            notes.push(format!(
                "Bold: the fastest that solved the instance. Ratio: of shifted geometric means \
                 (shift {SHIFT_S} s) to the first {first}, over the instances that both solved"
            ));
        }
        notes.extend(cells::meanings(&outcomes()));
        notes.extend(absent(analysis));
        Grid {
            key: self.0.key.replace(' ', "-"),
            caption: format!("Total solve time (s){}", self.0.of),
            notes,
            caveats: caveats::of_shown(outcomes(), false),
            stubs,
            groups,
            rows,
            ..Grid::default()
        }
    }

    /// Columns are formulations and solvers.
    fn side_by_side(&self) -> (Vec<String>, Vec<Group>, Vec<Row>) {
        let row = |label: &str, cells: Vec<Cell>| Row::new(vec![label.to_owned()], cells);
        let of = |instance: &&Instance| row(&instance.name, self.times(instance));
        let mut rows: Vec<_> = self.0.instances.iter().map(of).collect();
        rows.push(row("solved", self.0.configurations.iter().map(|e| self.share(e)).collect()).ruled());
        if self.0.configurations.len() > 1 {
            let (ratios, counts) = self.0.configurations.iter().map(|e| self.ratio(e)).unzip();
            rows.extend([row("ratio", ratios), row("ratio over", counts)]);
        }
        (vec!["instance".to_owned()], groups(&self.0.configurations), rows)
    }

    /// Rows are formulations and solvers.
    fn upright(&self) -> (Vec<String>, Vec<Group>, Vec<Row>) {
        let mut rows: Vec<_> = self.0.configurations.iter().map(|e| Row::new(e.labels(), Vec::new())).collect();
        for instance in &self.0.instances {
            rows.iter_mut().zip(self.times(instance)).for_each(|(row, cell)| row.cells.push(cell));
        }
        for (row, configuration) in rows.iter_mut().zip(&self.0.configurations) {
            let (ratio, count) = self.ratio(configuration);
            row.cells.extend([self.share(configuration), ratio, count]);
        }
        cells::rule_between_kinds(&mut rows);
        let names = self.0.instances.iter().map(|i| i.name.clone());
        let last = ["solved", "ratio", "ratio over"];
        let stubs = ["kind", "formulation", "solver"].map(ToOwned::to_owned).to_vec();
        (stubs, vec![Group::new("", names), Group::new("", last)], rows)
    }

    /// What each came to on an instance; the fastest in bold.
    fn times(&self, instance: &Instance) -> Vec<Cell> {
        let times: Vec<_> = self.0.configurations.iter().map(|e| e.time(&instance.name)).collect();
        let best = times.iter().flatten().copied().reduce(f64::min).filter(|_| self.0.configurations.len() > 1);
        let cell = |configuration: &Configuration, time: &Option<f64>| {
            let found = configuration.outcome(&instance.name);
            let cell = found.map_or(Cell::DASH, |o| cells::spread(o, cells::answer(o)));
            let bold = cell.bold || (time.is_some() && *time == best);
            cell.bold_if(bold)
        };
        self.0.configurations.iter().zip(&times).map(|(e, t)| cell(e, t)).collect()
    }

    /// How many instances it solved, of those that it was run on.
    fn share(&self, configuration: &Configuration) -> Cell {
        let done = self.0.instances.iter().filter(|i| configuration.time(&i.name).is_some()).count();
        Cell::text(format!("{done}/{}", configuration.outcomes.len()))
    }

    /// The ratio to the first, and over how many instances.
    fn ratio(&self, configuration: &Configuration) -> (Cell, Cell) {
        let Some(first) = self.0.configurations.first().filter(|first| first.labels() != configuration.labels()) else {
            return (Value::Ratio(1.0).into(), Cell::BLANK);
        };
        let both = |i: &&Instance| Some((first.time(&i.name)?, configuration.time(&i.name)?));
        let pairs: Vec<_> = self.0.instances.iter().filter_map(both).collect();
        (ratio(&pairs).map_or(Cell::DASH, |r| Value::Ratio(r).into()), Cell::text(pairs.len().to_string()))
    }
}

/// Solvers by formulation, below the kinds where there are several.
fn groups(configurations: &[Configuration]) -> Vec<Group> {
    let several = configurations.windows(2).any(|pair| pair[0].formulation.kind != pair[1].formulation.kind);
    let mut groups: Vec<Group> = Vec::new();
    for [kind, formulation, solver] in configurations.iter().map(Configuration::labels) {
        match groups.last_mut().filter(|g| g.text == formulation) {
            Some(group) => group.columns.push(solver.to_owned()),
            None => groups.push(Group {
                over: if several { kind.to_owned() } else { String::new() },
                ..Group::new(formulation, [solver])
            }),
        }
    }
    groups
}

fn ratio(pairs: &[(f64, f64)]) -> Option<f64> {
    let mean =
        |side: fn(&(f64, f64)) -> f64| shifted_geometric_mean(&pairs.iter().map(side).collect::<Vec<_>>(), SHIFT_S);
    Some(mean(|pair| pair.1)? / mean(|pair| pair.0)?).filter(|ratio| ratio.is_finite())
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
