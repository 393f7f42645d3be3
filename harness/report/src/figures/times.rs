//! Times: by instance, formulation and solver, for comparing these, where few configurations are columns and many are rows; and over
//! batches of instances, the mean and the worst, published and measured.

use super::cells;
use super::grid;
use super::published::conditions;
use crate::analysis::comparison::{Configuration, Part, absent, configurations, fewer_runs, has_kinds, parts};
use crate::analysis::{Analysis, Outcome, caveats, repeats};
use crate::figures::{Cell, Grid, Group, Row};
use crate::group::by_first;
use crate::results::{BatchFigure, BatchStatistic, Instance};
use crate::stats::{SHIFT_S, float, shifted_geometric_mean};
use crate::text::count;

/// Formulations and solvers that still stand side by side.
const SIDE_BY_SIDE: usize = 8;

pub fn times(analysis: &Analysis, is_named: bool) -> Vec<Grid> {
    let configurations = configurations(analysis);
    let instances: Vec<_> = analysis.experiment.catalog.instances.iter().collect();
    let challenges = instances.iter().any(|i| i.challenge.is_some());
    // With one column the table of iterations says it all, unless a config names its tables.
    if configurations.is_empty() || (configurations.len() == 1 && challenges && !is_named) {
        return Vec::new();
    }
    let parts = if configurations.len() > SIDE_BY_SIDE {
        parts(analysis)
    } else {
        vec![Part { key: "", of: String::new(), configurations, instances }]
    };
    parts.iter().map(|part| times_grid(analysis, part)).collect()
}

fn times_grid(analysis: &Analysis, part: &Part) -> Grid {
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
    notes.extend(fewer_runs(std::slice::from_ref(part)));
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

/// The lines of the table, each with a cell for each configuration: one for each instance, and those over all instances.
fn lines<'a>(part: &Part<'a>) -> [Vec<(&'a str, Vec<Cell>)>; 2] {
    let on_instances = part.instances.iter().map(|i| (i.name.as_str(), times_on(part, i))).collect();
    let mut on_all = vec![("solved", part.configurations.iter().map(|c| share(part, c)).collect())];
    if part.configurations.len() > 1 {
        let by_all = part.solved_by_all();
        let compared: Vec<_> = part.configurations.iter().map(|c| compared(part, c, &by_all)).collect();
        let line = |(at, name): (usize, &'a str)| (name, compared.iter().map(|cells| cells[at].clone()).collect());
        on_all.extend(COMPARED.into_iter().enumerate().map(line));
    }
    [on_instances, on_all]
}

/// Columns are formulations and solvers.
fn side_by_side(part: &Part) -> Grid {
    let lines = lines(part).into_iter().flatten();
    let rows = lines.map(|(name, cells)| Row::new([name], cells)).collect();
    let stubs = vec!["instance".to_owned()];
    let mut grid = Grid { stubs, groups: groups(&part.configurations), rows, ..Grid::default() };
    grid.foot_from(part.instances.len());
    grid
}

/// Rows are formulations and solvers.
fn upright(part: &Part) -> Grid {
    let lines = lines(part);
    let groups = lines.iter().map(|of| Group::new("", of.iter().map(|(name, _)| *name))).collect();
    let cells = |at: usize| lines.iter().flatten().map(|(_, cells)| cells[at].clone()).collect();
    let rows = part.configurations.iter().enumerate().map(|(at, c)| Row::new(c.labels(), cells(at)));
    let stubs = ["kind", "formulation", "solver"].map(ToOwned::to_owned).to_vec();
    let mut grid = Grid { stubs, groups, rows: rows.collect(), ..Grid::default() };
    grid.rule_between(1);
    grid
}

/// The time of each configuration on an instance; the fastest in bold.
fn times_on(part: &Part, instance: &Instance) -> Vec<Cell> {
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

/// Figures over the instances that all configurations solved.
const COMPARED: [&str; 4] = ["ratio", "ratio over", "build", "solve"];

/// The ratio to the first, over how many instances, and the sums of both parts of the times on these. One that solved none has
/// dashes; if the first solved none, nobody has a ratio.
fn compared(part: &Part, configuration: &Configuration, by_all: &[&Instance]) -> [Cell; 4] {
    let times = |c: &Configuration| by_all.iter().map(|i| c.time(&i.name)).collect::<Option<Vec<_>>>();
    let Some(own) = times(configuration).filter(|_| !by_all.is_empty()) else {
        return [Cell::DASH, Cell::number(0_u64), Cell::DASH, Cell::DASH];
    };
    let first = part.configurations.first().and_then(times);
    let ratio = first.and_then(|first| quotient(&first, &own));
    let outcomes = || by_all.iter().filter_map(|i| configuration.compared(&i.name));
    let sum =
        |of: fn(&Outcome) -> Option<f64>| Cell::seconds(outcomes().filter_map(of).reduce(|sum, value| sum + value));
    [Cell::ratio(ratio), Cell::number(by_all.len()), sum(|o| o.build_s), sum(|o| o.solve_s)]
}

/// Solvers by formulation, with its kind where there are several.
fn groups(configurations: &[Configuration]) -> Vec<Group> {
    let several = has_kinds(configurations);
    let of_one = configurations.chunk_by(|a, b| a.formulation.name == b.formulation.name);
    let group = |of: &[Configuration]| {
        let [kind, formulation, _] = of[0].labels();
        let heading = if several { format!("{kind}: {formulation}") } else { formulation.to_owned() };
        Group::new(heading, of.iter().map(|c| c.solver))
    };
    of_one.map(group).collect()
}

/// Of shifted geometric means, the second over the first.
fn quotient(first: &[f64], second: &[f64]) -> Option<f64> {
    let mean = |times: &[f64]| shifted_geometric_mean(times, SHIFT_S);
    Some(mean(second)? / mean(first)?).filter(|ratio| ratio.is_finite())
}

type Column<'a> = grid::Column<'a, Line<'a>>;

/// An approach: measured, published, or both.
struct Line<'a> {
    labels: [&'a str; 3],
    configuration: Option<Configuration<'a>>,
    published: Vec<&'a BatchFigure>,
}

pub fn batch(analysis: &Analysis, _: bool) -> Vec<Grid> {
    let experiment = &analysis.experiment;
    if experiment.batch.is_empty() {
        return Vec::new();
    }
    let batches = by_first(experiment.catalog.instances.iter().map(|instance| (batch_of(&instance.name), instance)));
    let sources = by_first(experiment.batch.iter().map(|figure| (figure.source.as_str(), ())));
    let sources: Vec<&str> = sources.into_iter().map(|(source, _)| source).collect();
    let mut columns: Vec<Column> = sources.iter().flat_map(|source| published(source)).collect();
    for (name, instances) in &batches {
        columns.extend(measured(&format!("here: {name}, {}", count(instances.len(), "instance")), instances));
    }
    let lines = approaches(analysis);
    let mut notes = vec![
        "Time: of building the model (compiling, grounding) and of solving; >: some run did not come to its end, and counts with its \
         time until then"
            .to_owned(),
        "A batch: the instances whose names differ in their number only. With several runs of an instance the mean is of \
         their medians, the worst of all runs"
            .to_owned(),
    ];
    notes.extend(absent(analysis));
    let mut grid = Grid::of(&["kind", "formulation", "solver"], |line| line.labels.to_vec(), &columns, &lines);
    grid.rule_between(1);
    vec![Grid {
        caption: format!("Mean and worst times over batches{}", conditions(sources.into_iter())),
        notes,
        caveats: caveats::of_shown(analysis.outcomes.iter(), false),
        ..grid
    }]
}

/// A row for each formulation and solver of the config, and for each published approach that is none of them.
fn approaches(analysis: &Analysis) -> Vec<Line<'_>> {
    let figures = &analysis.experiment.batch;
    let is = |figure: &BatchFigure, configuration: &Configuration| {
        configuration.formulation.is(&figure.formulation, None) && figure.solver == configuration.solver
    };
    let configurations = configurations(analysis);
    let foreign = figures.iter().filter(|figure| !configurations.iter().any(|configuration| is(figure, configuration)));
    let lines: Vec<Line> = by_first(foreign.map(|figure| (figure.approach.as_str(), figure)))
        .into_iter()
        .map(|(approach, published)| Line { labels: ["", approach, ""], configuration: None, published })
        .collect();
    let measured = configurations.into_iter().map(|configuration| Line {
        labels: configuration.labels(),
        published: figures.iter().filter(|figure| is(figure, &configuration)).collect(),
        configuration: Some(configuration),
    });
    measured.chain(lines).collect()
}

/// A batch by its instances: their names without the number at the end.
fn batch_of(name: &str) -> &str {
    name.rsplit_once('-')
        .filter(|(_, number)| number.bytes().all(|b| b.is_ascii_digit()))
        .map_or(name, |(stem, _)| stem)
}

fn published<'a>(source: &'a str) -> [Column<'a>; 2] {
    [(BatchStatistic::Mean, "mean (s)"), (BatchStatistic::Worst, "worst (s)")].map(|(wanted, heading)| {
        Column::new(source, heading, move |line: &Line| {
            let found = line.published.iter().find(|figure| figure.source == source && figure.figure == wanted);
            found.map_or(Cell::BLANK, |figure| Cell::time(figure.time_s, false, None))
        })
    })
}

fn measured<'a>(heading: &str, instances: &'a [&'a Instance]) -> [Column<'a>; 3] {
    let outcomes = move |line: &Line<'a>| -> Vec<&'a Outcome> {
        let of = |configuration: &Configuration<'a>| {
            instances.iter().filter_map(|i| configuration.outcome(&i.name)).collect()
        };
        line.configuration.as_ref().map(of).unwrap_or_default()
    };
    let solved = move |line: &Line<'a>| match outcomes(line) {
        all if all.is_empty() => Cell::BLANK,
        all => Cell::text(format!("{}/{}", all.iter().filter(|outcome| outcome.is_solved()).count(), all.len())),
    };
    let time = move |time: fn(&Outcome) -> Option<f64>, of: fn(&[f64]) -> f64| {
        move |line: &Line<'a>| {
            let all = outcomes(line);
            let spent = |outcome: &Outcome| outcome.bound_s.filter(|_| outcome.tally.is_limited());
            let times: Option<Vec<f64>> = all.iter().map(|outcome| time(outcome).or_else(|| spent(outcome))).collect();
            let is_open = |o: &&Outcome| o.tally.is_limited() || o.range.is_some_and(|range| range.open);
            let at_least = all.iter().any(is_open);
            match times {
                Some(times) if !times.is_empty() => Cell::time(of(&times), at_least, None),
                _ if all.is_empty() => Cell::BLANK,
                _ => Cell::DASH,
            }
        }
    };
    [
        Column::new(heading, "solved", solved),
        Column::new(heading, "mean (s)", time(|o| o.total_s, |times| times.iter().sum::<f64>() / float(times.len()))),
        Column::new(heading, "worst (s)", time(Outcome::slowest_s, |times| times.iter().copied().fold(0.0, f64::max))),
    ]
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
