//! Solvers of all kinds side by side: what each solved, the largest board, how often it was the fastest, memory, effort; the records of
//! each kind; and the numbers of solutions that searches counted.

use record::{Category, RunRow, Status, counted_in};

use super::cells;
use super::grid;
use crate::analysis::comparison::{Configuration, IsOf, SETTINGS, absent, configurations, fewer_runs, parts};
use crate::analysis::{Analysis, Outcome, caveats, is_unproven, repeats};
use crate::figures::number::grouped;
use crate::figures::{Cell, Grid, Value};
use crate::group::by_first;
use crate::results::{Instance, Run};
use crate::stats::{float, median};

struct Judged<'a> {
    configuration: &'a Configuration<'a>,
    runs: Vec<&'a Run>,
}

type Column<'a> = grid::Column<'a, Judged<'a>>;

pub fn solvers(analysis: &Analysis, is_named: bool) -> Vec<Grid> {
    let configurations = configurations(analysis);
    // With one kind the tables of times and iterations say it all, unless a config names its tables.
    if configurations.is_empty() || !(is_named || analysis.experiment.catalog.has_kinds()) {
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
        Column::new("", "unsolved runs", other_ends),
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
        "Solved: instances of those that were run, where every run was correct and, where the objective is weighted, proven the \
         best. Fastest: instances that it solved in the least time of all. Unsolved runs: how each other run ended"
            .to_owned(),
        "Nodes, conflicts: of runs that solved their instance, what each solver calls so; figures of different solvers do \
         not compare".to_owned(),
    ];
    if settings().next().is_some() {
        let places =
            if settings().any(|(name, ..)| name == "bounded") { "; on bounded boards also the places" } else { "" };
        notes.push(format!("Largest solved: tiles of the largest board of which it found a solution{places}"));
    }
    notes.extend(fewer_runs(&parts(analysis)));
    notes.extend(absent(analysis));
    vec![Grid {
        caption: "Solvers of all kinds".to_owned(),
        notes,
        caveats: caveats::of_shown(analysis.outcomes.iter(), true),
        ..grid
    }]
}

/// The instance with the most tiles, of those the one with the most places, that it found a solution of.
fn largest(configuration: &Configuration, instances: &[Instance], is: IsOf) -> Cell {
    let solved = instances.iter().filter(|i| is(i) && i.challenge.is_some() && configuration.found(i).is_some());
    solved.max_by_key(|i| (i.challenge, i.places)).map_or(Cell::DASH, size)
}

/// Its tiles, on bounded boards with the places.
fn size(instance: &Instance) -> Cell {
    match (instance.challenge, instance.places) {
        (None, _) => Cell::DASH,
        (Some(challenge), Some(places)) if places > challenge => {
            let [tiles, places] = [challenge, places].map(|number| grouped(&number.to_string()));
            Cell::text(format!("{tiles} in {places}"))
        }
        (Some(challenge), _) => Cell::number(challenge),
    }
}

/// Whether a run was correct and, where the objective is weighted, its solution is proven the best.
fn is_solved(run: &Run) -> bool {
    run.category == Category::Correct && !is_unproven(run.status, &run.setting.objective)
}

/// How the runs ended that solved nothing.
fn other_ends(judged: &Judged) -> Cell {
    let mut others: Vec<_> = judged.runs.iter().copied().filter(|run| !is_solved(run)).collect();
    others.sort_by_key(|run| Status::ALL.iter().position(|status| *status == run.status));
    let ends = by_first(others.iter().map(|run| (end(run), ())));
    let parts: Vec<_> = ends.iter().map(|(end, runs)| format!("{end} {}", runs.len())).collect();
    let any_wrong = others.iter().any(|run| run.category == Category::Wrong);
    if parts.is_empty() { Cell::DASH } else { Cell::text(parts.join(", ")).bold_if(any_wrong) }
}

/// How a run ended that solved nothing: its status or, of a solution that does not solve the puzzle, what is the matter with it.
fn end(run: &Run) -> &'static str {
    match run.category {
        Category::Wrong => return "wrong",
        Category::Correct => return "not proven the best",
        _ => {}
    }
    let is_flawed = run.category == Category::Unknown && run.status.has_solution();
    let last = run.solves.last();
    let loops = run.loops.or_else(|| last?.loops);
    let holes = run.holes.or_else(|| last?.holes);
    match (loops.is_some_and(|loops| loops > 1), holes.is_some_and(|holes| holes > 0)) {
        (true, true) if is_flawed => "subloops and holes",
        (true, false) if is_flawed => "subloops",
        (false, true) if is_flawed => "holes",
        _ => run.status.name(),
    }
}

fn effort(judged: &Judged, of: fn(&Run) -> Option<u64>) -> Cell {
    let solved = judged.runs.iter().filter(|run| is_solved(run));
    Cell::count(median(solved.filter_map(|run| of(run)).map(float).collect()).map(f64::round))
}

/// What a configuration solved.
struct Record<'a> {
    setting: &'static str,
    configuration: &'a Configuration<'a>,
    instance: &'a Instance,
    outcome: &'a Outcome,
}

type RecordColumn<'a> = grid::Column<'a, Record<'a>>;

pub fn records(analysis: &Analysis, is_named: bool) -> Vec<Grid> {
    let configurations = configurations(analysis);
    // Elsewhere the table of solvers says what was largest.
    if !is_named {
        return Vec::new();
    }
    let instances = &analysis.experiment.catalog.instances;
    let mut records: Vec<Record> = Vec::new();
    for (setting, _, is) in SETTINGS {
        let solved = configurations.iter().flat_map(|configuration| {
            let found = |instance: &&Instance| is(instance) && instance.challenge.is_some();
            let of = move |instance| {
                let outcome = configuration.found(instance)?;
                Some(Record { setting, configuration, instance, outcome })
            };
            instances.iter().filter(found).filter_map(of)
        });
        let by_kind = by_first(solved.map(|record| (&record.configuration.formulation.kind, record)));
        let larger = |best, record| if beats(&record, &best) { record } else { best };
        records.extend(by_kind.into_iter().filter_map(|(_, of_kind)| of_kind.into_iter().reduce(larger)));
    }
    if records.is_empty() {
        return Vec::new();
    }
    let columns = [
        RecordColumn::new("", "tiles", |r| size(r.instance)),
        RecordColumn::new("", "time (s)", |r| cells::total(r.outcome)),
        RecordColumn::new("", "instance", |r| Cell::text(r.instance.name.clone())),
        RecordColumn::new("by", "formulation", |r| Cell::text(r.configuration.formulation.name.clone())),
        RecordColumn::new("by", "solver", |r| Cell::text(r.configuration.solver.to_owned())),
    ];
    let labels = |r: &Record| vec![r.setting.to_owned(), r.configuration.formulation.kind.clone()];
    vec![Grid {
        caption: "Records".to_owned(),
        notes: vec![
            "The largest board that each kind of formulation found a verified solution of, in all its runs; of equally large ones \
             that of the least time"
                .to_owned(),
        ],
        caveats: caveats::of_shown(records.iter().map(|r| r.outcome), false),
        ..Grid::of::<_, String>(&["setting", "kind"], labels, &columns, &records)
    }]
}

/// More tiles, then more places, then less time.
fn beats(record: &Record, other: &Record) -> bool {
    let size = |r: &Record| (r.instance.challenge, r.instance.places);
    let time = |r: &Record| r.outcome.total_s.unwrap_or(f64::INFINITY);
    size(record) > size(other) || size(record) == size(other) && time(record) < time(other)
}

/// What a configuration counted on an instance.
struct Counted<'a> {
    configuration: &'a Configuration<'a>,
    outcome: &'a Outcome,
    counts: Vec<u128>,
}

type CountedColumn<'a> = grid::Column<'a, Counted<'a>>;

pub fn counts(analysis: &Analysis, _: bool) -> Vec<Grid> {
    let counting: Vec<_> =
        configurations(analysis).into_iter().filter(|c| RunRow::counts(&c.formulation.families)).collect();
    let of = |name: &str| {
        let counted = counting.iter().filter_map(|configuration| {
            let outcome = configuration.outcome(name)?;
            Some(Counted { configuration, outcome, counts: counted(analysis, outcome) })
        });
        counted.collect::<Vec<_>>()
    };
    let all: Vec<_> = analysis.experiment.catalog.instances.iter().flat_map(|i| of(&i.name)).collect();
    if all.is_empty() {
        return Vec::new();
    }
    let shown = || all.iter().map(|counted| counted.outcome);
    let mut notes = count_notes(all.iter().filter_map(|counted| counted.counts.first().copied()).collect());
    notes.extend(repeats(&shown()));
    // Formulation and solver are named where several counted.
    let named = if counting.len() > 1 { 3 } else { 1 };
    let labels = |counted: &Counted| {
        let [_, formulation, solver] = counted.configuration.labels();
        [counted.outcome.key.instance.as_str(), formulation, solver][..named].iter().map(|l| (*l).to_owned()).collect()
    };
    let columns = [
        CountedColumn::new("", "solutions", |counted| count_cell(&counted.counts, counted.outcome)),
        CountedColumn::new("", "time (s)", |counted| cells::total(counted.outcome)),
    ];
    vec![Grid {
        caption: "Number of solutions".to_owned(),
        notes,
        caveats: caveats::of_shown(shown(), false),
        ..Grid::of::<_, String>(&["instance", "formulation", "solver"][..named], labels, &columns, &all)
    }]
}

/// The numbers that completed runs counted, each once.
fn counted(analysis: &Analysis, outcome: &Outcome) -> Vec<u128> {
    // An objective does not have all digits.
    let counts = |run: &Run| matches!(run.category, Category::Correct | Category::Wrong);
    let counted = |run: &Run| counted_in(run.native_status.as_ref().filter(|_| counts(run))?);
    let mut counts: Vec<_> = analysis.runs_of(outcome).filter_map(counted).collect();
    counts.sort();
    counts.dedup();
    counts
}

fn count_cell(counts: &[u128], outcome: &Outcome) -> Cell {
    match counts {
        [] => cells::status(&outcome.tally),
        [count] => Cell::from(Value::Whole(*count)).bold_if(outcome.tally.judged(Category::Wrong) > 0),
        several => {
            let all: Vec<_> = several.iter().map(|count| grouped(&count.to_string())).collect();
            Cell::text(format!("contradiction: {}", all.join(" and "))).bold_if(true)
        }
    }
}

fn count_notes(mut counts: Vec<u128>) -> Vec<String> {
    let what = "Copies of a tile can stand in for each other, and a uniform tile has one rotation: solutions that differ in no more count \
                as one";
    let mut notes = vec![what.to_owned()];
    counts.sort();
    if let [least, .., most] = counts[..] {
        let (last, middle) = (counts.len() - 1, counts.len() / 2);
        // Halfway between the two in the middle, rounded down.
        let median = counts[last - middle].midpoint(counts[middle]);
        let instances = grouped(&counts.len().to_string());
        let [least, median, most] = [least, median, most].map(|count| grouped(&count.to_string()));
        notes.push(format!("Of {instances} counts: the least {least}, the median {median}, the most {most}"));
    }
    notes
}
