//! Total times by instance, formulation and solver: for comparing these. Few solvers are columns; many are rows,
//! with a table for each setting, since no page is wide enough for them.

use super::cells;
use crate::analysis::comparison::{Configuration, Part, absent, configurations, has_kinds, parts};
use crate::analysis::{Analysis, Outcome, caveats, repeats};
use crate::figures::{Cell, Grid, Group, Row};
use crate::results::Instance;
use crate::stats::shifted_geometric_mean;

/// Shift of the geometric means in seconds: differences far below it hardly count.
const SHIFT_S: f64 = 1.0;

/// Formulations and solvers that still stand side by side.
const SIDE_BY_SIDE: usize = 8;

pub fn build(analysis: &Analysis) -> Vec<Grid> {
    let configurations = configurations(analysis);
    let instances: Vec<_> = analysis.experiment.catalog.instances.iter().collect();
    let challenges = instances.iter().any(|i| i.challenge.is_some());
    // With one column the table of iterations says it all, unless a config names its tables.
    if configurations.is_empty() || (configurations.len() == 1 && challenges && !analysis.names_tables()) {
        return Vec::new();
    }
    let parts = if configurations.len() > SIDE_BY_SIDE {
        parts(analysis)
    } else {
        vec![Part { key: "", of: String::new(), configurations, instances }]
    };
    parts.iter().map(|part| grid(analysis, part)).collect()
}

fn grid(analysis: &Analysis, part: &Part) -> Grid {
    let several = part.configurations.len() > 1;
    let is_upright = part.configurations.len() > SIDE_BY_SIDE && part.configurations.len() >= part.instances.len();
    let mut grid = if is_upright { upright(part) } else { side_by_side(part) };
    cells::count_where_they_differ(&mut grid.rows);
    let outcomes = || part.configurations.iter().flat_map(|c| c.outcomes.iter().copied());
    let mut notes = vec!["Times of building the model (compiling, grounding) and of all solves".to_owned()];
    notes.extend(repeats(&outcomes()));
    notes.extend(cells::brackets(&grid.rows));
    if several {
        let first = if is_upright { "row" } else { "column" };
        notes.push(format!(
            "Bold: the fastest that solved the instance. Ratio: of shifted geometric means \
             (shift {SHIFT_S} s) to the first {first}, over the instances that all who solved any have solved; build, solve: sums \
             over the same"
        ));
    }
    notes.extend(part.fewer_runs());
    notes.extend(cells::meanings(&outcomes()));
    notes.extend(absent(analysis));
    Grid {
        key: part.key.replace(' ', "-"),
        caption: format!("Total time (s){}", part.of),
        notes,
        caveats: caveats::of_shown(outcomes(), false),
        ..grid
    }
}

/// Columns are formulations and solvers.
fn side_by_side(part: &Part) -> Grid {
    let mut rows: Vec<_> = part.instances.iter().map(|i| Row::new([&i.name], times(part, i))).collect();
    rows.push(Row::new(["solved"], part.configurations.iter().map(|c| share(part, c)).collect()).ruled());
    if part.configurations.len() > 1 {
        let by_all = part.solved_by_all();
        let columns: Vec<_> = part.configurations.iter().map(|c| compared(part, c, &by_all)).collect();
        let row = |(at, name): (usize, &str)| Row::new([name], columns.iter().map(|cells| cells[at].clone()).collect());
        rows.extend(COMPARED.into_iter().enumerate().map(row));
    }
    Grid { stubs: vec!["instance".to_owned()], groups: groups(&part.configurations), rows, ..Grid::default() }
}

/// Rows are formulations and solvers.
fn upright(part: &Part) -> Grid {
    let mut rows: Vec<_> = part.configurations.iter().map(|c| Row::new(c.labels(), Vec::new())).collect();
    for instance in &part.instances {
        rows.iter_mut().zip(times(part, instance)).for_each(|(row, cell)| row.cells.push(cell));
    }
    let by_all = part.solved_by_all();
    for (row, configuration) in rows.iter_mut().zip(&part.configurations) {
        row.cells.push(share(part, configuration));
        row.cells.extend(compared(part, configuration, &by_all));
    }
    let stubs = ["kind", "formulation", "solver"].map(ToOwned::to_owned).to_vec();
    let names = Group::new("", part.instances.iter().map(|i| &i.name));
    let groups = vec![names, Group::new("", std::iter::once("solved").chain(COMPARED))];
    let mut grid = Grid { stubs, groups, rows, ..Grid::default() };
    grid.rule_between(1);
    grid
}

/// What each came to on an instance; the fastest in bold.
fn times(part: &Part, instance: &Instance) -> Vec<Cell> {
    // What is bold is what is shown: the median of all runs.
    let time = |c: &Configuration| c.outcome(&instance.name).filter(|o| o.is_solved()).and_then(|o| o.total_s);
    let best = part.configurations.iter().filter_map(time).reduce(f64::min);
    let best = best.filter(|_| part.configurations.len() > 1);
    let cell = |configuration: &Configuration| {
        let found = configuration.outcome(&instance.name);
        let cell = found.map_or(Cell::DASH, |o| cells::spread(o, cells::answer(o)));
        let bold = cell.bold || (best.is_some() && time(configuration) == best);
        cell.bold_if(bold)
    };
    part.configurations.iter().map(cell).collect()
}

/// How many instances it solved, of those that it was run on.
fn share(part: &Part, configuration: &Configuration) -> Cell {
    let done = part.instances.iter().filter(|i| configuration.time(&i.name).is_some()).count();
    Cell::text(format!("{done}/{}", configuration.outcomes.len()))
}

/// What is said of the instances that all solved.
const COMPARED: [&str; 4] = ["ratio", "ratio over", "build", "solve"];

/// The ratio to the first, over how many instances, and the sums of both parts of the times on these. Who solved none has no ratio, nor
/// has anybody to a first that solved none.
fn compared(part: &Part, configuration: &Configuration, by_all: &[&Instance]) -> [Cell; 4] {
    let times = |c: &Configuration| by_all.iter().map(|i| c.time(&i.name)).collect::<Option<Vec<_>>>();
    let both = part.configurations.first().and_then(times).zip(times(configuration)).filter(|_| !by_all.is_empty());
    let Some((first, times)) = both else { return [Cell::DASH, Cell::number(0_u64), Cell::DASH, Cell::DASH] };
    let outcomes = || by_all.iter().filter_map(|i| configuration.compared(&i.name));
    let sum =
        |of: fn(&Outcome) -> Option<f64>| Cell::seconds(outcomes().filter_map(of).reduce(|sum, value| sum + value));
    [Cell::ratio(quotient(&first, &times)), Cell::number(by_all.len()), sum(|o| o.build_s), sum(|o| o.solve_s)]
}

/// Solvers by formulation, below the kinds where there are several.
fn groups(configurations: &[Configuration]) -> Vec<Group> {
    let several = has_kinds(configurations);
    let of_one = configurations.chunk_by(|a, b| a.formulation.name == b.formulation.name);
    let group = |of: &[Configuration]| Group {
        over: if several { of[0].formulation.kind.clone() } else { String::new() },
        ..Group::new(&of[0].formulation.name, of.iter().map(|c| c.solver))
    };
    of_one.map(group).collect()
}

/// Of shifted geometric means, the second over the first.
fn quotient(first: &[f64], second: &[f64]) -> Option<f64> {
    let mean = |times: &[f64]| shifted_geometric_mean(times, SHIFT_S);
    Some(mean(second)? / mean(first)?).filter(|ratio| ratio.is_finite())
}

#[cfg(test)]
mod tests {
    use super::quotient;

    #[test]
    fn ratio_of_shifted_geometric_means() {
        // Means of (1, 7) and (3, 15) shifted by 1: 4 - 1 and 8 - 1.
        let found = quotient(&[1.0, 7.0], &[3.0, 15.0]);
        assert!(found.is_some_and(|r| (r - 7.0 / 3.0).abs() < 1e-12), "{found:?}");
        assert_eq!(quotient(&[], &[]), None);
    }
}
