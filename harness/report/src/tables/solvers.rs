//! Solvers of all kinds side by side: what each solved, the largest board, how often it was the fastest, memory, effort.

use record::{Category, Status};

use super::{Table, cells};
use crate::aggregate::{Outcome, float, median};
use crate::caveats;
use crate::experiment::{Formulation, Instance, Run};
use crate::grid::{Cell, Grid, Group, Row};
use crate::{Experiment, ReportError};

/// The table.
pub struct Solvers;

impl Table for Solvers {
    fn name(&self) -> &'static str {
        "solvers"
    }

    fn shows(&self) -> &'static str {
        "formulations and solvers of all kinds: what each solved, the largest board, peak memory, nodes and conflicts"
    }

    fn build(&self, experiment: &Experiment) -> Result<Vec<Grid>, ReportError> {
        let entrants = entrants(experiment);
        // With one kind the tables of times and iterations say it all, unless a config names its tables.
        let kinds = entrants.windows(2).any(|pair| pair[0].formulation.kind != pair[1].formulation.kind);
        let chosen = !experiment.manifest().report.tables.is_empty();
        if entrants.is_empty() || !(chosen || kinds) {
            return Ok(Vec::new());
        }
        let instances = &experiment.catalog().instances;
        let settings: Vec<_> = SETTINGS.iter().filter(|(_, is)| instances.iter().any(is)).collect();
        let best: Vec<Option<f64>> = instances.iter().map(|i| fastest(&entrants, &i.name)).collect();
        let rows = entrants.iter().map(|entrant| {
            let mut cells = vec![entrant.solved()];
            cells.extend(settings.iter().map(|(_, is)| entrant.largest(instances, *is)));
            let wins =
                instances.iter().zip(&best).filter(|(i, best)| best.is_some() && entrant.time(&i.name) == **best);
            cells.push(Cell::count(Some(float(wins.count() as u64))));
            cells.push(entrant.other_ends());
            cells.extend([entrant.memory(), entrant.effort(|run| run.nodes), entrant.effort(|run| run.conflicts)]);
            let labels = [&entrant.formulation.kind, &entrant.formulation.name, entrant.solver];
            Row { ruled: false, labels: labels.map(Clone::clone).to_vec(), cells }
        });
        let columns = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Ok(vec![Grid {
            key: String::new(),
            caption: "Solvers of all kinds".to_owned(),
            notes: notes(&settings),
            caveats: caveats::of_shown(experiment.aggregates().outcomes.iter(), true),
            stubs: ["kind", "formulation", "solver"].map(ToOwned::to_owned).to_vec(),
            axis: None,
            groups: vec![
                Group::new("", columns(&["solved"])),
                Group::new("largest solved", settings.iter().map(|(name, _)| (*name).to_owned()).collect()),
                Group::new("", columns(&["fastest", "not solved"])),
                Group::new("peak memory", columns(&["most (MiB)"])),
                Group::new("median of a run", columns(&["nodes", "conflicts"])),
            ],
            rows: rows.collect(),
        }])
    }
}

/// What distinguishes instances of a setting.
type IsOf = fn(&Instance) -> bool;

const SETTINGS: [(&str, IsOf); 3] = [
    ("fixed", |i| i.places.is_some() && i.places == i.challenge),
    ("bounded", |i| i.challenge.zip(i.places).is_some_and(|(challenge, places)| places > challenge)),
    ("open plane", |i| i.challenge.is_some() && i.places.is_none()),
];

fn notes(settings: &[&(&str, IsOf)]) -> Vec<String> {
    let mut notes = vec![
        "Solved: instances of those that were run, where every run was correct. Fastest: instances that it solved in the \
         least time of all"
            .to_owned(),
        "Nodes, conflicts: what each solver calls so; figures of different solvers do not compare".to_owned(),
    ];
    if settings.iter().any(|(name, _)| *name == "bounded") {
        notes.push("Largest solved: tiles, on bounded boards tiles in places".to_owned());
    }
    notes
}

/// A formulation under a solver.
struct Entrant<'a> {
    formulation: &'a Formulation,
    solver: &'a String,
    outcomes: Vec<&'a Outcome>,
    runs: Vec<&'a Run>,
}

fn entrants(experiment: &Experiment) -> Vec<Entrant<'_>> {
    let catalog = experiment.catalog();
    let pairs = catalog.formulations.iter().flat_map(|f| catalog.solvers.iter().map(move |s| (f, s)));
    let mut entrants: Vec<Entrant> = pairs
        .map(|(formulation, solver)| {
            let is_own = |o: &&Outcome| o.key.formulation == formulation.name && o.key.solver == *solver;
            let outcomes = experiment.aggregates().outcomes.iter().filter(is_own).collect();
            Entrant { formulation, solver, outcomes, runs: Vec::new() }
        })
        .filter(|entrant| !entrant.outcomes.is_empty())
        .collect();
    for run in experiment.runs() {
        let is_own =
            |e: &&mut Entrant| e.formulation.name == run.setting.formulation && *e.solver == run.setting.solver;
        if let Some(entrant) = entrants.iter_mut().find(is_own) {
            entrant.runs.push(run);
        }
    }
    entrants
}

/// The least time in which an instance was solved.
fn fastest(entrants: &[Entrant], instance: &str) -> Option<f64> {
    entrants.iter().filter_map(|entrant| entrant.time(instance)).reduce(f64::min)
}

impl Entrant<'_> {
    fn outcome(&self, instance: &str) -> Option<&Outcome> {
        self.outcomes.iter().copied().find(|o| o.key.instance == instance)
    }

    /// The time in which it solved an instance.
    fn time(&self, instance: &str) -> Option<f64> {
        self.outcome(instance).filter(|o| cells::is_solved(o)).and_then(|o| o.total_s)
    }

    fn solved(&self) -> Cell {
        let solved = self.outcomes.iter().filter(|o| cells::is_solved(o)).count();
        Cell::text(format!("{solved}/{}", self.outcomes.len()))
    }

    /// The instance with the most tiles, of those the one with the most places, that it found a solution of.
    fn largest(&self, instances: &[Instance], is: IsOf) -> Cell {
        let found =
            |o: &Outcome| cells::is_solved(o) && o.tally.statuses.iter().all(|(status, _)| status.has_solution());
        let solved = instances.iter().filter(|i| is(i)).filter(|i| self.outcome(&i.name).is_some_and(found));
        let sizes = solved.filter_map(|i| Some((i.challenge?, i.places)));
        match sizes.max() {
            None => Cell::DASH,
            Some((challenge, Some(places))) if places > challenge => Cell::text(format!("{challenge} in {places}")),
            Some((challenge, _)) => Cell::count(Some(float(challenge))),
        }
    }

    /// How the runs ended that solved nothing.
    fn other_ends(&self) -> Cell {
        let mut parts: Vec<String> = Vec::new();
        for status in Status::ALL {
            let ended = |run: &&&Run| run.status == status && run.category != Category::Correct;
            let wrong = self.runs.iter().filter(ended).filter(|run| run.category == Category::Wrong).count();
            let other = self.runs.iter().filter(ended).count() - wrong;
            parts.extend((other > 0).then(|| format!("{status} {other}")));
            parts.extend((wrong > 0).then(|| format!("wrong {wrong}")));
        }
        let wrong = self.runs.iter().any(|run| run.category == Category::Wrong);
        if parts.is_empty() { Cell::DASH } else { Cell::text(parts.join(", ")).bold_if(wrong) }
    }

    fn memory(&self) -> Cell {
        #[expect(clippy::cast_precision_loss, reason = "rounded to MiB anyway")]
        let mebibytes = |bytes: u64| (bytes as f64 / f64::from(1 << 20)).round();
        Cell::count(self.runs.iter().filter_map(|run| run.peak_memory_b).max().map(mebibytes))
    }

    fn effort(&self, of: fn(&Run) -> Option<u64>) -> Cell {
        Cell::count(median(self.runs.iter().filter_map(|run| of(run)).map(float).collect()))
    }
}
