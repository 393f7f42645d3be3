//! The slides' table of bounded boards: time, holes and subloops by challenge and places, published and measured.

use std::collections::{BTreeMap, BTreeSet};

use super::cells::{self, Case, published_heading, published_source};
use crate::analysis::{Analysis, Outcome, caveats, repeats};
use crate::figures::{Cell, Grid, Group, Row};
use crate::results::{Instance, PublishedRow, board, foreign};
use crate::stats::float;

pub fn build(analysis: &Analysis) -> Vec<Grid> {
    let bounded = analysis.experiment.catalog.is_bounded();
    if bounded { vec![Layout::of(analysis).grid()] } else { Vec::new() }
}

struct Layout<'a> {
    analysis: &'a Analysis,
    blocks: Vec<Block<'a>>,
    cases: Vec<Case<'a>>,
    /// The published rows that some block shows.
    published: Vec<&'a PublishedRow>,
}

struct Block<'a> {
    formulation: String,
    figures: Figures<'a>,
}

enum Figures<'a> {
    Published(Vec<&'a PublishedRow>),
    Measured(&'a str),
}

impl<'a> Layout<'a> {
    fn of(analysis: &'a Analysis) -> Self {
        let (catalog, aggregates) = (&analysis.experiment.catalog, analysis.aggregates());
        let (mut blocks, mut published) = (Vec::new(), Vec::new());
        let mut publish = |formulation: &str, rows: Vec<&'a PublishedRow>| {
            published.extend_from_slice(&rows);
            let figures = Figures::Published(rows);
            Block { formulation: formulation.to_owned(), figures }
        };
        let select = |wanted: &dyn Fn(&PublishedRow) -> bool| -> Option<Vec<_>> {
            let rows: Vec<_> = analysis.experiment.published.iter().filter(|p| wanted(p)).collect();
            Some(rows).filter(|rows| !rows.is_empty())
        };
        for formulation in &catalog.formulations {
            let rows = select(&|p| formulation.is(&p.formulation, p.objective.as_deref()));
            blocks.extend(rows.map(|rows| publish(&formulation.name, rows)));
            for solver in &catalog.solvers {
                let measured = |i: &Instance| aggregates.outcome(&i.name, &formulation.name, solver).is_some();
                if catalog.instances.iter().any(measured) {
                    let figures = Figures::Measured(solver);
                    blocks.push(Block { formulation: formulation.name.clone(), figures });
                }
            }
        }
        let nameless = select(&|p| p.formulation.is_empty());
        blocks.extend(nameless.map(|rows| publish(&foreign("", None), rows)));
        let mut cases: Vec<_> = catalog.instances.iter().filter_map(Case::of).collect();
        cases.extend(Case::missing(&cases, &published));
        Case::sort(&mut cases);
        Self { analysis, blocks, cases, published }
    }

    fn grid(&self) -> Grid {
        let named = self.cases.windows(2).any(|c| (c[0].challenge, c[0].places) == (c[1].challenge, c[1].places));
        let mut stubs = vec!["challenge".to_owned(), "places".to_owned()];
        stubs.extend(named.then(|| "instance".to_owned()));
        let mut rows: Vec<_> = self.cases.iter().map(|c| self.row(c, named)).collect();
        cells::count_where_they_differ(&mut rows);
        let mut notes = self.notes();
        notes.extend(cells::brackets(&rows));
        Grid {
            caption: format!(
                "Time, holes and subloops on bounded boards{}",
                cells::published_conditions(&self.published)
            ),
            notes,
            caveats: caveats::of_shown(self.analysis.aggregates().outcomes.iter(), false),
            stubs,
            groups: self.blocks.iter().map(|b| self.group(b)).collect(),
            rows,
            ..Grid::default()
        }
    }

    fn group(&self, block: &Block) -> Group {
        let text = match &block.figures {
            Figures::Measured(solver) => (*solver).to_owned(),
            Figures::Published(rows) => published_heading(self.analysis, rows),
        };
        Group { over: block.formulation.clone(), ..Group::new(text, ["time (s)", "hole", "subloops"]) }
    }

    fn row(&self, case: &Case, named: bool) -> Row {
        let mut labels = vec![case.challenge.to_string(), case.places.map(|p| p.to_string()).unwrap_or_default()];
        labels.extend(named.then(|| case.instance.map_or_else(String::new, |i| i.name.clone())));
        let aggregates = self.analysis.aggregates();
        let figures = |block: &Block| match &block.figures {
            Figures::Published(rows) => published(&case.of_published(rows)),
            Figures::Measured(solver) => {
                let of = |i: &Instance| aggregates.outcome(&i.name, &block.formulation, solver);
                case.instance.and_then(of).map_or([Cell::DASH; 3], measured)
            }
        };
        Row::new(labels, self.blocks.iter().flat_map(figures).collect())
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = vec![
            "Time: of building the model and of all solves".to_owned(),
            "Hole: no, or the number of holes in the last solution (published: yes or no)".to_owned(),
            "Subloops: 0 where there is one loop, else the number of loops".to_owned(),
        ];
        let formulations = self.analysis.experiment.catalog.formulations.iter();
        let titles: Vec<_> = formulations.map(|f| format!("{}, {}", f.title(), f.treatment())).collect();
        notes.push(format!("Formulations: {}", titles.join("; ")));
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
        let outcomes = || self.analysis.aggregates().outcomes.iter();
        notes.extend(repeats(&outcomes()));
        notes.extend(cells::meanings(&outcomes()));
        notes
    }
}

/// Time, hole and subloops of a published solution process.
fn published(rows: &[&PublishedRow]) -> [Cell; 3] {
    let Some(last) = rows.last() else { return [Cell::DASH; 3] };
    let hole = last.hole.map_or(Cell::BLANK, cells::published_hole);
    [cells::published_time(rows), hole, last.loops.map_or(Cell::BLANK, |loops| subloops(float(loops)))]
}

fn measured(outcome: &Outcome) -> [Cell; 3] {
    let explained = outcome.loops.is_some_and(|l| l > 1.0) || outcome.holes.is_some_and(|h| h > 0.0);
    // What the other columns say need not be a remark.
    let time = if explained { cells::total(outcome) } else { cells::answer(outcome) };
    [cells::spread(outcome, time), cells::holes(outcome.holes), outcome.loops.map_or(Cell::DASH, subloops)]
}

fn subloops(loops: f64) -> Cell {
    Cell::count(Some(if loops > 1.0 { loops } else { 0.0 }))
}
