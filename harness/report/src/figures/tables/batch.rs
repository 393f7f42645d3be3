//! Times over batches of instances, the mean and the worst, published and measured.

use crate::analysis::comparison::{Configuration, absent, configurations};
use crate::analysis::{Analysis, Outcome, caveats};
use crate::figures::{self, Cell, Grid};
use crate::group::by_first;
use crate::results::{BatchFigure, Figure, Instance, conditions, same_families};
use crate::stats::float;
use crate::text::count;

type Column<'a> = figures::Column<'a, Line<'a>>;

/// An approach: measured, published, or both.
struct Line<'a> {
    labels: [&'a str; 3],
    configuration: Option<Configuration<'a>>,
    published: Vec<&'a BatchFigure>,
}

pub fn build(analysis: &Analysis) -> Vec<Grid> {
    let experiment = &analysis.experiment;
    if experiment.batch.is_empty() {
        return Vec::new();
    }
    let batches = by_first(experiment.catalog.instances.iter().map(|instance| (batch_of(&instance.name), instance)));
    let sources = by_first(experiment.batch.iter().map(|figure| (figure.source.as_str(), ())));
    let sources: Vec<&str> = sources.into_iter().map(|(source, _)| source).collect();
    let mut columns: Vec<Column> = sources.iter().flat_map(|source| published(source)).collect();
    for (name, instances) in &batches {
        columns.extend(measured(&format!("here: {name}, {}", count(instances.len() as u64, "instance")), instances));
    }
    let lines = lines(analysis);
    let mut notes = vec![
        "Time: of building the model (compiling, grounding) and of solving; >: a limit ended some run, which counts with its time \
         until then"
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
        caveats: caveats::of_shown(analysis.aggregates().outcomes.iter(), false),
        ..grid
    }]
}

/// A row for each formulation and solver of the config, and for each published approach that is none of them.
fn lines(analysis: &Analysis) -> Vec<Line<'_>> {
    let figures = &analysis.experiment.batch;
    let is = |figure: &BatchFigure, configuration: &Configuration| {
        same_families(&figure.formulation, &configuration.formulation.families) && figure.solver == configuration.solver
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
    [(Figure::Mean, "mean (s)"), (Figure::Worst, "worst (s)")].map(|(wanted, heading)| {
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
            let at_least = all.iter().any(|outcome| outcome.tally.is_limited());
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
