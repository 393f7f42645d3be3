//! Published figures beside ours: time, solves, loops and holes by challenge and places, in the layout of the paper's Table 1 and of the
//! slides' tables; and what a table of challenges has a row or a column for, an instance or a board that was only published.

use std::collections::{BTreeMap, BTreeSet};

use record::{Published, SolverFacts, natural_order};

use super::cells;
use super::grid;
use crate::analysis::comparison::{IsOf, is_bounded};
use crate::analysis::reproduction::{Reproduction, Scoreboard, Standing, reproductions};
use crate::analysis::{Analysis, Outcome, PublishedOutcome, caveats, repeats};
use crate::figures::{Cell, Grid};
use crate::results::{Formulation, Instance, PublishedRow, board, foreign};
use crate::stats::float;

/// The table where published figures stand beside the experiment.
pub fn published(analysis: &Analysis, _: bool) -> Vec<Grid> {
    if analysis.experiment.published.is_empty() { Vec::new() } else { vec![Layout::of(analysis, |_| true).grid()] }
}

/// The table of bounded boards; that of published figures shows the same and more.
pub fn bounded(analysis: &Analysis, is_named: bool) -> Vec<Grid> {
    let has_published = !analysis.experiment.published.is_empty();
    if !analysis.experiment.catalog.is_bounded() || (has_published && !is_named) {
        return Vec::new();
    }
    vec![Layout::of(analysis, if has_published { |_| true } else { is_bounded }).grid()]
}

struct Layout<'a> {
    analysis: &'a Analysis,
    /// The published rows that some line shows.
    published: Vec<&'a PublishedRow>,
    cases: Vec<Case<'a>>,
    lines: Vec<Line<'a>>,
}

/// A row of the table: a board under a formulation, or under one that is not said.
struct Line<'a> {
    case: Case<'a>,
    formulation: Option<&'a Formulation>,
    /// The published result, and what was measured of it on this board.
    reproduction: Option<Reproduction<'a>>,
    /// Outcomes by solver, in the order of the experiment.
    outcomes: Vec<Option<&'a Outcome>>,
}

type Column<'c, 'a> = grid::Column<'c, Line<'a>>;

impl<'a> Layout<'a> {
    fn of(analysis: &'a Analysis, is_shown: IsOf) -> Self {
        let catalog = &analysis.experiment.catalog;
        let is_known = |p: &PublishedRow| {
            p.formulation.is_empty()
                || catalog.formulations.iter().any(|f| f.is(&p.formulation, p.objective.as_deref()))
        };
        let published: Vec<_> = analysis.experiment.published.iter().filter(|p| is_known(p)).collect();
        let mut cases: Vec<_> = catalog.instances.iter().filter(|i| is_shown(i)).filter_map(Case::of).collect();
        cases.extend(Case::missing(&cases, &published));
        Case::sort(&mut cases);
        let reproductions = reproductions(analysis);
        let mut lines = Vec::new();
        for case in &cases {
            for formulation in catalog.formulations.iter().map(Some).chain([None]) {
                let is_of = |first: &PublishedRow| match formulation {
                    Some(formulation) => formulation.is(&first.formulation, first.objective.as_deref()),
                    None => first.formulation.is_empty(),
                };
                let of = |r: &&Reproduction| case.shows(&r.published.first) && is_of(&r.published.first);
                let outcome = |solver: &String| {
                    let (instance, formulation) = (case.instance?, formulation?);
                    analysis.outcome(&instance.name, &formulation.name, solver)
                };
                let mut reproduction = reproductions.iter().find(of).cloned();
                let outcomes: Vec<_> = catalog.solvers.iter().map(outcome).collect();
                // Where the source does not say which formulation it was, there are no outcomes beside it.
                if let (Some(reproduction), Some(_)) = (&mut reproduction, formulation) {
                    reproduction.outcomes = outcomes.iter().flatten().copied().collect();
                }
                if reproduction.is_some() || outcomes.iter().any(Option::is_some) {
                    lines.push(Line { case: *case, formulation, reproduction, outcomes });
                }
            }
        }
        Self { analysis, published, cases, lines }
    }

    fn grid(&self) -> Grid {
        let is_bounded = self.analysis.experiment.catalog.is_bounded();
        let sizes = |c: &Case| (c.challenge, if is_bounded { c.places } else { None });
        let is_named = self.cases.windows(2).any(|c| sizes(&c[0]) == sizes(&c[1]));
        let formulations: BTreeSet<_> = self.lines.iter().map(|l| l.formulation.map(|f| f.name.as_str())).collect();
        let has_formulations = formulations.len() > 1;
        let mut stubs = vec!["challenge"];
        stubs.extend(is_bounded.then_some("places"));
        stubs.extend(is_named.then_some("instance"));
        stubs.extend(has_formulations.then_some("formulation"));
        let labels = |line: &Line| {
            let mut labels = vec![line.case.challenge.to_string()];
            labels.extend(is_bounded.then(|| line.case.places.map(|p| p.to_string()).unwrap_or_default()));
            labels.extend(is_named.then(|| line.case.instance.map_or_else(String::new, |i| i.name.clone())));
            let name = || line.formulation.map_or_else(|| foreign("", None), |f| f.name.clone());
            labels.extend(has_formulations.then(name));
            labels
        };
        let mut grid = Grid::of::<_, String>(&stubs, labels, &self.columns(), &self.lines);
        if has_formulations {
            grid.rule_between(1 + usize::from(is_bounded));
        }
        cells::count_where_they_differ(&mut grid.rows);
        let mut notes = self.notes();
        notes.extend(cells::brackets(&grid.rows));
        let conditions = conditions(self.published.iter().map(|row| row.source.as_str()));
        let caption = match Scoreboard::of(self.analysis) {
            Some(board) => format!("Published and measured: {}{conditions}", board.text()),
            None => "Time, loops and holes on bounded boards".to_owned(),
        };
        Grid { caption, notes, caveats: caveats::of_shown(self.analysis.outcomes.iter(), false), ..grid }
    }

    fn columns(&self) -> Vec<Column<'_, 'a>> {
        let has_holes = self.analysis.experiment.catalog.may_have_holes();
        let outcomes = || self.lines.iter().flat_map(|line| line.outcomes.iter().flatten());
        let published = || self.lines.iter().filter_map(Line::published);
        let has_solves = published().any(|p| p.solves > 1) || outcomes().any(|o| o.solves.is_some_and(|s| s > 1.0));
        let mut columns: Vec<Column> = Vec::new();
        if !self.published.is_empty() {
            let heading = published_heading(self.analysis, &self.published);
            let mut add = |name, cell: fn(&PublishedOutcome) -> Cell| {
                let of = move |line: &Line| line.published().map_or(Cell::BLANK, cell);
                columns.push(Column::new(&heading, name, of));
            };
            add("time (s)", |p| Cell::time(p.total_s, false, (!p.solved).then(|| "not solved".to_owned())));
            if has_solves {
                add("solves", |p| Cell::number(p.solves));
            }
            if has_holes && published().any(|p| p.hole.is_some()) {
                add("hole", |p| p.hole.map_or(Cell::BLANK, cells::published_hole));
            }
            add("loops", |p| p.loops.map_or(Cell::BLANK, |loops| Cell::count(Some(float(loops)))));
        }
        for (place, solver) in self.analysis.experiment.catalog.solvers.iter().enumerate() {
            let heading = self.heading(solver);
            let mut add = |name, cell: fn(&Outcome) -> Cell| {
                columns.push(Column::new(&heading, name, move |line: &Line| line.cell(place, cell)));
            };
            add("time (s)", time);
            if has_solves {
                add("solves", |o| if Standing::of(o) == Standing::NotRun { Cell::DASH } else { Cell::count(o.solves) });
            }
            if has_holes {
                add("hole", |o| cells::holes(o.holes));
            }
            add("loops", |o| Cell::count(o.loops));
        }
        if !self.published.is_empty() {
            let speedup = |line: &Line| line.reproduction.as_ref().and_then(Reproduction::speedup);
            let ratio =
                move |line: &Line| line.reproduction.as_ref().map_or(Cell::BLANK, |_| Cell::ratio(speedup(line)));
            columns.push(Column::new("", "published / fastest", ratio));
        }
        columns
    }

    /// The solver, and how it takes the rows if it is no solver of integer programs.
    fn heading(&self, solver: &str) -> String {
        let experiment = &self.analysis.experiment;
        let takes_rows =
            experiment.manifest().solvers.iter().find(|s| s.name == solver).and_then(SolverFacts::takes_rows);
        let are_rows = experiment.catalog.formulations.iter().all(|formulation| formulation.kind == "mip");
        takes_rows.filter(|_| are_rows).map_or_else(|| solver.to_owned(), |how| format!("{solver}, {how}"))
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = vec!["Time: of building the model and of all solves".to_owned()];
        if !self.published.is_empty() {
            notes.push(
                "Reproduced: the same formulation was solved on a board of that size, to the optimum where the objective is weighted, \
                 and the answer checked; where it only reports subloops and holes the answer may have some. Puzzle solved: it has none \
                 (solved here only: the source did not solve it). Bold: the fastest of the row that reproduced it"
                    .to_owned(),
            );
        }
        if self.analysis.experiment.catalog.may_have_holes() {
            notes.push("Hole: no, or the number of holes in the last solution (published: yes or no)".to_owned());
        }
        let formulations = self.analysis.experiment.catalog.formulations.iter();
        let titles: Vec<_> = formulations.map(Formulation::definition).collect();
        let which = if titles.len() == 1 { "Formulation" } else { "Formulations" };
        notes.push(format!("{which}: {}", titles.join("; ")));
        if !self.published.is_empty() {
            let source = published_source(self.analysis, self.published.iter().copied());
            notes.extend(source.map(|source| source + "; empty: not published"));
        }
        let mut remarks: BTreeMap<&str, BTreeSet<(u64, Option<u64>)>> = BTreeMap::new();
        for row in self.published.iter().filter(|p| !p.note.is_empty()) {
            remarks.entry(&row.note).or_default().insert((row.challenge, row.places));
        }
        for (remark, boards) in remarks {
            let boards: Vec<_> = boards.into_iter().map(|(c, p)| board(c, p)).collect();
            notes.push(format!("Remark on the published figures of challenge {}: {remark}", boards.join(", ")));
        }
        notes.extend(Case::not_measured(&self.cases));
        let outcomes = || self.analysis.outcomes.iter();
        notes.extend(repeats(&outcomes()));
        notes.extend(cells::meanings(&outcomes()));
        notes
    }
}

impl<'a> Line<'a> {
    fn published(&self) -> Option<&'a PublishedOutcome> {
        self.reproduction.as_ref().map(|reproduction| reproduction.published)
    }

    /// The cell of a solver; bold for the fastest that reproduced the published result.
    fn cell(&self, solver: usize, cell: fn(&Outcome) -> Cell) -> Cell {
        let Some(outcome) = self.outcomes[solver] else {
            // The first column says it, of a board that was published.
            return Cell::DASH;
        };
        let is_time = |cell: &Cell| matches!(cell.value, grid::Value::Time { .. });
        let fastest = self.reproduction.as_ref().and_then(Reproduction::fastest_s);
        let cell = cell(outcome);
        let is_fastest = is_time(&cell)
            && self.outcomes.iter().flatten().count() > 1
            && self.reproduction.as_ref().is_some_and(|r| r.standing_of(outcome) == Standing::Reproduced)
            && outcome.total_s.is_some_and(|time| fastest == Some(time));
        let bold = cell.bold || is_fastest;
        cell.bold_if(bold)
    }
}

fn time(outcome: &Outcome) -> Cell {
    let is_explained = outcome.loops.is_some_and(|l| l > 1.0) || outcome.holes.is_some_and(|h| h > 0.0);
    // What the other columns say need not be a remark.
    let time = if is_explained { cells::total(outcome) } else { cells::answer(outcome) };
    cells::spread(outcome, time)
}

/// A challenge, and if it was measured the instance that poses it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Case<'a> {
    pub challenge: u64,
    pub places: Option<u64>,
    /// The instance; none for what was only published.
    pub instance: Option<&'a Instance>,
}

impl<'a> Case<'a> {
    pub fn of(instance: &'a Instance) -> Option<Self> {
        Some(Self { challenge: instance.challenge?, places: instance.places, instance: Some(instance) })
    }

    /// The boards of published rows that none of these cases shows.
    pub fn missing(cases: &[Self], published: &[&PublishedRow]) -> Vec<Self> {
        let lost = published.iter().filter(|p| !cases.iter().any(|c| c.shows(p)));
        let boards: BTreeSet<_> = lost.map(|p| (p.challenge, p.places)).collect();
        boards.into_iter().map(|(challenge, places)| Self { challenge, places, instance: None }).collect()
    }

    pub fn sort(cases: &mut [Self]) {
        let name = |c: &Self| c.instance.map_or("", |i| i.name.as_str());
        cases.sort_by(|a, b| {
            let numbers = (a.challenge, a.places).cmp(&(b.challenge, b.places));
            numbers.then_with(|| natural_order(name(a), name(b)))
        });
    }

    pub fn shows(&self, row: &PublishedRow) -> bool {
        match self.instance {
            Some(instance) => row.fits(instance),
            None => (row.challenge, row.places) == (self.challenge, self.places),
        }
    }

    pub fn of_published<'p>(&self, rows: &[&'p PublishedRow]) -> Vec<&'p PublishedRow> {
        rows.iter().filter(|row| self.shows(row)).copied().collect()
    }

    /// Which of them were not measured, as a sentence.
    pub fn not_measured(cases: &[Self]) -> Option<String> {
        let missing = cases.iter().filter(|c| c.instance.is_none());
        let boards: Vec<_> = missing.map(|c| board(c.challenge, c.places)).collect();
        (!boards.is_empty()).then(|| format!("Not measured here: challenge {}", boards.join(", ")))
    }
}

pub fn published_heading(analysis: &Analysis, rows: &[&PublishedRow]) -> String {
    let spec = analysis.experiment.manifest().report.published.as_ref();
    spec.map_or("published".to_owned(), |spec| heading(spec, rows.iter().map(|p| p.source.as_str())))
}

/// The heading of figures from these sources: the label, or the sources where the label does not name them.
pub fn heading<'a>(spec: &Published, sources: impl Iterator<Item = &'a str>) -> String {
    let sources: BTreeSet<_> = sources.collect();
    if spec.sources.is_empty() || sources.iter().any(|s| !is_other(spec, s)) {
        return spec.label.clone();
    }
    sources.into_iter().map(source_name).collect::<Vec<_>>().join(", ")
}

/// What readers call a source of published figures.
fn source_name(source: &str) -> &str {
    match source {
        "" => "source unknown",
        "kino-uno-2012" => "K&U 2012",
        "kino-uno-slides" => "K&U slides",
        other => other,
    }
}

/// Whether the label of the figures names another source than this one.
pub fn is_other(spec: &Published, source: &str) -> bool {
    spec.sources.first().is_none_or(|first| first != source)
}

/// What follows the caption of a table or plot that shows figures of these sources, if there are any: they measure no solver of ours. The
/// paper does not print its boards; those of the slides are known.
pub fn conditions<'a>(sources: impl Iterator<Item = &'a str>) -> &'static str {
    let sources: BTreeSet<_> = sources.collect();
    if sources.is_empty() {
        ""
    } else if sources.iter().any(|source| !source.starts_with("kino-uno")) {
        "; published: their program, their machine"
    } else if sources.contains("kino-uno-2012") {
        "; published: CPLEX 12.2, their machine, other boards"
    } else {
        "; published: CPLEX 12.2, their machine"
    }
}

/// Where published figures are from, as a sentence; none where none are shown. The label names a source; of figures from others it says
/// which: `challenge 3: K&U slides`.
pub fn published_source<'a>(analysis: &Analysis, rows: impl Iterator<Item = &'a PublishedRow>) -> Option<String> {
    let spec = analysis.experiment.manifest().report.published.as_ref()?;
    let mut challenges: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
    for row in rows {
        challenges.entry(&row.source).or_default().insert(row.challenge);
    }
    let is_said = spec.sources.is_empty() && challenges.len() < 2;
    challenges.retain(|source, _| is_other(spec, source) && !is_said);
    let text = |(source, challenges): (&&str, &BTreeSet<u64>)| {
        let numbers: Vec<_> = challenges.iter().map(ToString::to_string).collect();
        format!("; challenge {}: {}", numbers.join(", "), source_name(source))
    };
    let others: String = challenges.iter().map(text).collect();
    Some(format!("{}: published figures, table {}{others}", spec.label, spec.table))
}

/// The total time of a published solution process, with a remark where the puzzle was not solved by it.
pub fn published_time(rows: &[&PublishedRow]) -> Cell {
    let remark = rows.iter().any(|p| !p.solved).then(|| "not solved".to_owned());
    Cell::time(rows.iter().map(|p| p.time_s).sum(), false, remark)
}
