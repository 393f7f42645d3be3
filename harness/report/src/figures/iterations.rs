//! The papers' table: times by iteration and challenge number, published and measured side by side.

use std::collections::BTreeSet;

use super::cells;
use super::published::{Case, conditions, published_heading, published_source, published_time};
use crate::analysis::comparison::configurations;
use crate::analysis::{Analysis, Outcome, caveats, repeats};
use crate::figures::{Cell, Grid, Group, Row, Value};
use crate::group::by_first;
use crate::results::{Formulation, Instance, PublishedRow, board};
use crate::stats::float;

/// The table says more than that of the times if that has one column only, some run has several iterations, or there are published figures
/// to stand beside. A config that names its tables decides for itself.
pub fn iterations(analysis: &Analysis, is_named: bool) -> Vec<Grid> {
    let layouts = layouts(analysis);
    let says_more = |l: &Layout| l.last_iteration() > 0 || l.columns.iter().any(|c| l.has_published(c));
    let is_worth_it = is_named || configurations(analysis).len() == 1 || layouts.iter().any(says_more);
    if is_worth_it { layouts.iter().map(Layout::grid).collect() } else { Vec::new() }
}

fn layouts(analysis: &Analysis) -> Vec<Layout<'_>> {
    analysis.experiment.catalog.formulations.iter().flat_map(|f| Layout::of(analysis, f)).collect()
}

/// Iterations that have a row of their own; the rest share one. Solvers that are quick re-solve hundreds of times.
const SHOWN: u64 = 40;

/// What iterations are, where they are not all solves of one model.
pub(super) fn meanings_of_iterations(formulation: &Formulation) -> impl Iterator<Item = String> {
    let meanings = [
        (
            formulation.subloops.starts_with("lazy"),
            "With lazy cuts, which are added while the solver runs, an iteration is a solution that was cut off, or the last one, with \
             the time since the one before",
        ),
        (
            formulation.has_option("loop-first"),
            "With loop-first an iteration lays either the designated lines alone, or tiles that have them",
        ),
        (
            formulation.has_option("places-first"),
            "With places-first iterations are of one choice of places after another",
        ),
    ];
    meanings.into_iter().filter(|(is_so, _)| *is_so).map(|(_, meaning)| meaning.to_owned())
}

/// One grid: a formulation on one board variant, or on all bounded boards, where every instance is a column.
struct Layout<'a> {
    analysis: &'a Analysis,
    formulation: &'a Formulation,
    variant: String,
    solvers: Vec<&'a str>,
    published: Vec<&'a PublishedRow>,
    columns: Vec<Case<'a>>,
}

impl<'a> Layout<'a> {
    fn of(analysis: &'a Analysis, formulation: &'a Formulation) -> Vec<Self> {
        let catalog = &analysis.experiment.catalog;
        let has = |instance: &str, solver: &str| analysis.outcome(instance, &formulation.name, solver).is_some();
        let published: Vec<_> = analysis
            .experiment
            .published
            .iter()
            .filter(|p| formulation.is(&p.formulation, p.objective.as_deref()))
            .collect();
        let bounded = catalog.is_bounded();
        let measured = catalog.instances.iter().filter(|i| catalog.solvers.iter().any(|s| has(&i.name, s)));
        let variant = |instance: &'a Instance| if bounded { String::new() } else { instance.variant() };
        let mut variants = by_first(measured.filter_map(|i| Some((variant(i), Case::of(i)?))));
        // Nothing of the published table is left out: what no variant measures stands in the first grid.
        let measured: Vec<_> = variants.iter().flat_map(|v| &v.1).copied().collect();
        if let Some(first) = variants.first_mut() {
            first.1.extend(Case::missing(&measured, &published));
            Case::sort(&mut first.1);
        }
        let solvers = catalog.solvers.iter().filter(|s| catalog.instances.iter().any(|i| has(&i.name, s)));
        let solvers: Vec<_> = solvers.map(String::as_str).collect();
        let layout = |(variant, columns)| Self {
            analysis,
            formulation,
            variant,
            solvers: solvers.clone(),
            published: published.clone(),
            columns,
        };
        variants.into_iter().map(layout).collect()
    }

    fn grid(&self) -> Grid {
        let board = if self.variant.is_empty() { String::new() } else { format!(", board variant {}", self.variant) };
        let key = if self.variant.is_empty() { String::new() } else { format!("-{}", self.variant) };
        let last = self.last_iteration();
        let own = if last > SHOWN { SHOWN } else { last + 1 };
        let mut rows: Vec<_> =
            (0..own).map(|i| self.row(&i.to_string(), |p| published_step(p, i), |c, s| self.step(c, s, i))).collect();
        if own <= last {
            rows.push(self.row(&format!("{own} to {last}"), |p| published_rest(p, own), |c, s| self.rest(c, s, own)));
        }
        let steps = rows.len();
        let build = |c: &Case, s: &str| Cell::seconds(self.outcome(c, s).and_then(|o| o.build_s));
        rows.push(self.row("build", |_| Cell::BLANK, build));
        rows.push(self.row("total", published_time, |c, s| self.total(c, s)));
        rows.extend(self.spread());
        rows.push(self.row("loops", published_loops, |c, s| Cell::count(self.outcome(c, s).and_then(|o| o.loops))));
        if self.analysis.experiment.catalog.may_have_holes() {
            rows.push(self.row("holes", published_hole, |c, s| cells::holes(self.outcome(c, s).and_then(|o| o.holes))));
        }
        rows.push(self.row(
            "status",
            |_| Cell::BLANK,
            |c, s| self.outcome(c, s).map_or(Cell::DASH, |o| cells::status(&o.tally)),
        ));
        let shown: Vec<_> = self.columns.iter().flat_map(|c| c.of_published(&self.published)).collect();
        let conditions = conditions(shown.iter().map(|row| row.source.as_str()));
        let mut grid = Grid {
            key: format!("{}{key}", self.formulation.name),
            caption: format!(
                "Solve time (s) by iteration, formulation {}{board}{conditions}",
                self.formulation.title()
            ),
            notes: self.notes(),
            caveats: caveats::of_shown(self.shown(), false),
            stubs: vec!["iteration".to_owned()],
            groups: self.columns.iter().map(|c| self.group(c)).collect(),
            rows,
        };
        grid.foot_from(steps);
        grid
    }

    fn is_bounded(&self) -> bool {
        self.analysis.experiment.catalog.is_bounded()
    }

    fn group(&self, column: &Case) -> Group {
        let same = self.columns.iter().filter(|c| c.challenge == column.challenge).count();
        let text = match column.instance {
            Some(instance) if self.is_bounded() => instance.name.clone(),
            Some(instance) if same > 1 => format!("challenge {} ({})", column.challenge, instance.name),
            Some(_) => format!("challenge {}", column.challenge),
            None => format!("challenge {}", board(column.challenge, column.places)),
        };
        let published =
            self.has_published(column).then(|| published_heading(self.analysis, &column.of_published(&self.published)));
        let columns = published.into_iter().chain(self.solvers.iter().map(|s| (*s).to_owned()));
        Group::new(text, columns)
    }

    fn row(
        &self,
        label: &str,
        published: impl Fn(&[&PublishedRow]) -> Cell,
        measured: impl Fn(&Case, &str) -> Cell,
    ) -> Row {
        let mut cells = Vec::new();
        for column in &self.columns {
            if self.has_published(column) {
                cells.push(published(&column.of_published(&self.published)));
            }
            cells.extend(self.solvers.iter().map(|s| measured(column, s)));
        }
        Row::new(vec![label.to_owned()], cells)
    }

    fn step(&self, column: &Case, solver: &str, iteration: u64) -> Cell {
        let step = self.outcome(column, solver).and_then(|o| o.step(iteration));
        step.map_or(Cell::DASH, cells::step)
    }

    /// As the status row names the timeout, the total need only be a lower bound.
    fn total(&self, column: &Case, solver: &str) -> Cell {
        let mut cell = self.outcome(column, solver).map_or(Cell::DASH, cells::total);
        if let Value::Time { at_least: true, remark, .. } = &mut cell.value {
            remark.take_if(|r| r == "timeout");
        }
        cell
    }

    /// All iterations from one on together.
    fn rest(&self, column: &Case, solver: &str, from: u64) -> Cell {
        let Some(outcome) = self.outcome(column, solver) else { return Cell::DASH };
        let steps: Vec<_> = outcome.steps.iter().filter(|step| step.iteration >= from).collect();
        if steps.is_empty() {
            return Cell::DASH;
        }
        let spent = steps.iter().filter_map(|step| step.total_s.or(step.bound_s));
        Cell::time(spent.sum(), steps.iter().any(|step| step.total_s.is_none()), None)
    }

    fn outcome(&self, column: &Case, solver: &str) -> Option<&'a Outcome> {
        let instance = column.instance?;
        self.analysis.outcome(&instance.name, &self.formulation.name, solver)
    }

    fn last_iteration(&self) -> u64 {
        let measured = self.shown().filter_map(|o| o.steps.last());
        let published = self.columns.iter().flat_map(|c| c.of_published(&self.published)).map(|p| p.iteration);
        measured.map(|s| s.iteration).chain(published).max().unwrap_or(0)
    }

    fn has_published(&self, column: &Case) -> bool {
        self.published.iter().any(|p| column.shows(p))
    }

    fn shown(&self) -> impl Iterator<Item = &'a Outcome> + Clone {
        let pairs = self.columns.iter().flat_map(|c| self.solvers.iter().map(move |s| (c, *s)));
        pairs.filter_map(|(column, solver)| self.outcome(column, solver))
    }

    /// The least and the most of the totals, where these are medians; and of how many runs, if not all of as many.
    fn spread(&self) -> Vec<Row> {
        if self.shown().all(|o| o.range.is_none()) {
            return Vec::new();
        }
        let of = |c: &Case, s: &str| self.outcome(c, s).and_then(|o| o.range);
        let blank = |_: &[&PublishedRow]| Cell::BLANK;
        let mut rows = vec![
            self.row("total, least", blank, |c, s| {
                of(c, s).map_or(Cell::BLANK, |o| Cell::time(o.least_s, false, None))
            }),
            self.row("total, most", blank, |c, s| of(c, s).map_or(Cell::BLANK, |o| Cell::time(o.most_s, o.open, None))),
        ];
        let counts: BTreeSet<_> = self.shown().map(|o| o.tally.all).collect();
        if counts.len() > 1 {
            let count = |o: &Outcome| Cell::number(o.tally.all);
            rows.push(self.row("runs", blank, |c, s| self.outcome(c, s).map_or(Cell::DASH, count)));
        }
        rows
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = vec![
            "Total: of building the model and of all iterations; the time limit where that ended the run".to_owned(),
        ];
        notes.extend(meanings_of_iterations(self.formulation));
        if !self.published.is_empty() {
            let shown = self.columns.iter().flat_map(|c| c.of_published(&self.published));
            notes.extend(published_source(self.analysis, shown));
        }
        notes.extend(Case::not_measured(&self.columns));
        if let Some(medians) = repeats(&self.shown()) {
            notes.push(format!(
                "{medians}: of an iteration over the runs that had it, and of the total over the runs' totals; \
                 so iterations need not add up to the total"
            ));
        }
        notes
    }
}

fn published_step(rows: &[&PublishedRow], iteration: u64) -> Cell {
    let step = rows.iter().find(|p| p.iteration == iteration);
    step.map_or(Cell::DASH, |step| published_time(&[step]))
}

fn published_rest(rows: &[&PublishedRow], from: u64) -> Cell {
    let rest: Vec<_> = rows.iter().filter(|p| p.iteration >= from).copied().collect();
    if rest.is_empty() { Cell::DASH } else { published_time(&rest) }
}

fn published_loops(rows: &[&PublishedRow]) -> Cell {
    Cell::count(rows.last().and_then(|p| p.loops).map(float))
}

fn published_hole(rows: &[&PublishedRow]) -> Cell {
    rows.last().and_then(|p| p.hole).map_or(Cell::DASH, cells::published_hole)
}
