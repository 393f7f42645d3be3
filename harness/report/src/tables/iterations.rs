//! The papers' table: times by iteration and challenge number, published and measured side by side.

use std::collections::BTreeSet;

use super::case::Case;
use super::{Table, cells};
use crate::aggregate::{Outcome, float};
use crate::experiment::{Formulation, PublishedRow, board, heading, other_sources};
use crate::grid::{Cell, Grid, Group, Row, Value};
use crate::{Experiment, ReportError};

/// The table.
pub struct Iterations;

impl Table for Iterations {
    fn name(&self) -> &'static str {
        "iterations"
    }

    fn shows(&self) -> &'static str {
        "solve time by iteration and challenge number, beside the published figures"
    }

    fn build(&self, experiment: &Experiment) -> Result<Vec<Grid>, ReportError> {
        Ok(experiment.catalog().formulations.iter().flat_map(|f| Layout::of(experiment, f)).map(|l| l.grid()).collect())
    }
}

/// One grid: a formulation on one board variant, or on all bounded boards, where every instance is a column.
struct Layout<'a> {
    experiment: &'a Experiment,
    formulation: &'a Formulation,
    variant: &'a str,
    outcomes: Vec<&'a Outcome>,
    solvers: Vec<&'a str>,
    published: Vec<&'a PublishedRow>,
    columns: Vec<Case<'a>>,
}

impl<'a> Layout<'a> {
    fn of(experiment: &'a Experiment, formulation: &'a Formulation) -> Vec<Self> {
        let outcomes: Vec<_> =
            experiment.aggregates().outcomes.iter().filter(|o| o.key.formulation == formulation.name).collect();
        let published: Vec<_> =
            experiment.published().iter().filter(|p| formulation.is(&p.formulation, p.objective.as_deref())).collect();
        let bounded = experiment.catalog().is_bounded();
        let mut variants: Vec<(&str, Vec<Case>)> = Vec::new();
        for instance in &experiment.catalog().instances {
            let Some(column) = Case::of(instance) else { continue };
            if !outcomes.iter().any(|o| o.key.instance == instance.name) {
                continue;
            }
            let name = if bounded { "" } else { instance.variant() };
            match variants.iter_mut().find(|v| v.0 == name) {
                Some(variant) => variant.1.push(column),
                None => variants.push((name, vec![column])),
            }
        }
        // Nothing of the published table is left out: what no variant measures stands in the first grid.
        let measured: Vec<_> = variants.iter().flat_map(|v| &v.1).copied().collect();
        if let Some(first) = variants.first_mut() {
            first.1.extend(Case::missing(&measured, &published));
            Case::sort(&mut first.1);
        }
        let solvers: Vec<_> = experiment
            .catalog()
            .solvers
            .iter()
            .filter(|s| outcomes.iter().any(|o| o.key.solver == **s))
            .map(String::as_str)
            .collect();
        let layout = |(variant, columns)| Self {
            experiment,
            formulation,
            variant,
            outcomes: outcomes.clone(),
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
        let mut rows: Vec<_> =
            (0..=last).map(|i| self.row(&i.to_string(), |p| published_step(p, i), |c, s| self.step(c, s, i))).collect();
        let mut total = self.row("total", cells::published_time, |c, s| self.total(c, s));
        total.ruled = true;
        rows.push(total);
        rows.push(self.row("loops", published_loops, |c, s| Cell::count(self.outcome(c, s).and_then(|o| o.loops))));
        if self.is_bounded() {
            rows.push(self.row("holes", published_hole, |c, s| cells::holes(self.outcome(c, s).and_then(|o| o.holes))));
        }
        rows.push(self.row(
            "status",
            |_| Cell::BLANK,
            |c, s| self.outcome(c, s).map_or(Cell::DASH, |o| cells::status(&o.tally)),
        ));
        Grid {
            key: format!("{}{key}", self.formulation.name),
            caption: format!("Solve time (s) by iteration, formulation {}{board}", self.formulation.title()),
            notes: self.notes(),
            stubs: vec!["iteration".to_owned()],
            axis: Some(if self.is_bounded() { "instance" } else { "challenge" }.to_owned()),
            groups: self.columns.iter().map(|c| self.group(c)).collect(),
            rows,
        }
    }

    fn is_bounded(&self) -> bool {
        self.experiment.catalog().is_bounded()
    }

    fn group(&self, column: &Case) -> Group {
        let same = self.columns.iter().filter(|c| c.challenge == column.challenge).count();
        let text = match column.instance {
            Some(instance) if self.is_bounded() => instance.name.clone(),
            Some(instance) if same > 1 => format!("{} ({})", column.challenge, instance.name),
            Some(_) => column.challenge.to_string(),
            None => board(column.challenge, column.places),
        };
        let published = self.has_published(column).then(|| self.label(column));
        let columns = published.into_iter().chain(self.solvers.iter().map(|s| (*s).to_owned())).collect();
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
        Row { ruled: false, labels: vec![label.to_owned()], cells }
    }

    fn step(&self, column: &Case, solver: &str, iteration: u64) -> Cell {
        let steps = &self.experiment.aggregates().steps;
        let step = self
            .outcome(column, solver)
            .and_then(|o| steps.iter().find(|s| s.key == o.key && s.iteration == iteration));
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

    fn outcome(&self, column: &Case, solver: &str) -> Option<&'a Outcome> {
        let instance = column.instance?;
        self.outcomes.iter().find(|o| o.key.instance == instance.name && o.key.solver == solver).copied()
    }

    fn last_iteration(&self) -> u64 {
        let instances: Vec<_> = self.columns.iter().filter_map(|c| c.instance).map(|i| i.name.as_str()).collect();
        let measured = self
            .experiment
            .aggregates()
            .steps
            .iter()
            .filter(|s| s.key.formulation == self.formulation.name && instances.contains(&s.key.instance.as_str()));
        let published = self.columns.iter().flat_map(|c| c.of_published(&self.published)).map(|p| p.iteration);
        measured.map(|s| s.iteration).chain(published).max().unwrap_or(0)
    }

    fn has_published(&self, column: &Case) -> bool {
        self.published.iter().any(|p| column.shows(p))
    }

    fn label(&self, column: &Case) -> String {
        let spec = self.experiment.manifest().report.published.as_ref();
        let rows = column.of_published(&self.published);
        spec.map_or("published".to_owned(), |spec| heading(spec, rows.iter().map(|p| p.source.as_str())))
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if let (false, Some(spec)) = (self.published.is_empty(), &self.experiment.manifest().report.published) {
            let shown = self.columns.iter().flat_map(|c| c.of_published(&self.published));
            let others = other_sources(spec, shown).map(|o| format!("; {o}")).unwrap_or_default();
            notes.push(format!("{}: published figures, table {}{others}", spec.label, spec.table));
        }
        notes.extend(Case::not_measured(&self.columns));
        let shown = |o: &&&Outcome| self.columns.iter().any(|c| c.instance.is_some_and(|i| i.name == o.key.instance));
        if let Some(medians) = repeats(self.outcomes.iter().filter(shown).copied()) {
            notes.push(format!(
                "{medians}: of an iteration over the runs that had it, and of the total over the runs' totals; \
                 so iterations need not add up to the total"
            ));
        }
        notes
    }
}

/// Says that figures are medians, where they are.
pub fn repeats<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> Option<String> {
    let counts: BTreeSet<_> = outcomes.map(|o| o.tally.all).collect();
    let most = counts.last().copied().filter(|most| *most > 1)?;
    let up_to = if counts.len() > 1 { "up to " } else { "" };
    Some(format!("Medians of {up_to}{most} runs (seeds)"))
}

fn published_step(rows: &[&PublishedRow], iteration: u64) -> Cell {
    let step = rows.iter().find(|p| p.iteration == iteration);
    step.map_or(Cell::DASH, |step| cells::published_time(&[step]))
}

fn published_loops(rows: &[&PublishedRow]) -> Cell {
    Cell::count(rows.last().and_then(|p| p.loops).map(float))
}

fn published_hole(rows: &[&PublishedRow]) -> Cell {
    rows.last().and_then(|p| p.hole).map_or(Cell::DASH, cells::published_hole)
}
