//! Solvers of all kinds side by side: what each solved, the largest board, how often it was the fastest, memory, effort.

use record::{Category, Status};

use super::cells;
use crate::analysis::comparison::{Configuration, IsOf, SETTINGS, absent, configurations, fewer_runs, parts};
use crate::analysis::{Analysis, caveats};
use crate::figures::{self, Cell, Grid};
use crate::results::{Instance, Run};
use crate::stats::{float, median};

struct Judged<'a> {
    configuration: &'a Configuration<'a>,
    runs: Vec<&'a Run>,
}

type Column<'a> = figures::Column<'a, Judged<'a>>;

pub fn build(analysis: &Analysis) -> Vec<Grid> {
    let configurations = configurations(analysis);
    // With one kind the tables of times and iterations say it all, unless a config names its tables.
    if configurations.is_empty() || !(analysis.names_tables() || analysis.experiment.catalog.has_kinds()) {
        return Vec::new();
    }
    let judged = configurations.iter().map(|configuration| Judged {
        configuration,
        runs: configuration.outcomes.iter().flat_map(|outcome| analysis.runs_of(outcome)).collect(),
    });
    let judged: Vec<_> = judged.collect();
    let instances = &analysis.experiment.catalog.instances;
    let settings = || SETTINGS.into_iter().filter(|(.., is)| instances.iter().any(is));
    let fastest = |i: &Instance| configurations.iter().filter_map(|c| c.time(&i.name)).reduce(f64::min);
    let best: Vec<_> = instances.iter().filter_map(|i| Some((i.name.as_str(), fastest(i)?))).collect();
    let wins = |c: &Configuration| best.iter().filter(|(name, best)| c.time(name) == Some(*best)).count();
    let mut columns = vec![Column::new("", "solved", |judged| {
        let (all, c) = (&judged.configuration.outcomes, judged.configuration);
        Cell::text(format!("{}/{}", all.iter().filter(|o| c.time(&o.key.instance).is_some()).count(), all.len()))
    })];
    for (name, _, is) in settings() {
        columns.push(Column::new("largest solved", name, move |judged| largest(judged.configuration, instances, is)));
    }
    columns.extend([
        Column::new("", "fastest", |judged| Cell::number(wins(judged.configuration))),
        Column::new("", "unsolved", other_ends),
        Column::new("peak memory (MiB)", "most", |judged| {
            Cell::count(judged.runs.iter().filter_map(|run| run.peak_memory_b).max().map(cells::mebibytes))
        }),
        Column::new("median, solved", "nodes", |judged| effort(judged, |run| run.nodes)),
        Column::new("median, solved", "conflicts", |judged| effort(judged, |run| run.conflicts)),
    ]);
    let stubs = ["kind", "formulation", "solver"];
    let mut grid = Grid::of(&stubs, |judged| judged.configuration.labels().to_vec(), &columns, &judged);
    grid.rule_between(1);
    let mut notes = vec![
        "Solved: instances of those that were run, where every run was correct. Fastest: instances that it solved in the \
         least time of all"
            .to_owned(),
        "Nodes, conflicts: of runs that solved their instance, what each solver calls so; figures of different solvers do \
         not compare".to_owned(),
    ];
    if settings().any(|(name, ..)| name == "bounded") {
        notes.push("Largest solved: tiles, on bounded boards tiles in places".to_owned());
    }
    notes.extend(fewer_runs(&parts(analysis)));
    notes.extend(absent(analysis));
    vec![Grid {
        caption: "Solvers of all kinds".to_owned(),
        notes,
        caveats: caveats::of_shown(analysis.aggregates().outcomes.iter(), true),
        ..grid
    }]
}

/// The instance with the most tiles, of those the one with the most places, that it found a solution of.
fn largest(configuration: &Configuration, instances: &[Instance], is: IsOf) -> Cell {
    let solved = instances.iter().filter(|i| is(i) && i.challenge.is_some() && configuration.found(i).is_some());
    solved.max_by_key(|i| (i.challenge, i.places)).map_or(Cell::DASH, size)
}

/// Its tiles, on bounded boards with the places.
pub fn size(instance: &Instance) -> Cell {
    match (instance.challenge, instance.places) {
        (None, _) => Cell::DASH,
        (Some(challenge), Some(places)) if places > challenge => Cell::text(format!("{challenge} in {places}")),
        (Some(challenge), _) => Cell::number(challenge),
    }
}

/// How the runs ended that solved nothing.
fn other_ends(judged: &Judged) -> Cell {
    let (mut parts, mut any_wrong) = (Vec::new(), false);
    for status in Status::ALL {
        let count = |is_wrong: bool| {
            let is = |run: &&&Run| run.category != Category::Correct && (run.category == Category::Wrong) == is_wrong;
            judged.runs.iter().filter(|run| run.status == status).filter(is).count()
        };
        let (other, wrong) = (count(false), count(true));
        parts.extend((other > 0).then(|| format!("{status} {other}")));
        parts.extend((wrong > 0).then(|| format!("wrong {wrong}")));
        any_wrong |= wrong > 0;
    }
    if parts.is_empty() { Cell::DASH } else { Cell::text(parts.join(", ")).bold_if(any_wrong) }
}

fn effort(judged: &Judged, of: fn(&Run) -> Option<u64>) -> Cell {
    let solved = judged.runs.iter().filter(|run| run.category == Category::Correct);
    Cell::count(median(solved.filter_map(|run| of(run)).map(float).collect()).map(f64::round))
}
