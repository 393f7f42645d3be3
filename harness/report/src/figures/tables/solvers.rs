//! Solvers of all kinds side by side: what each solved, the largest board, how often it was the fastest, memory, effort.

use record::{Category, Status};

use super::{Table, cells};
use crate::analysis::configurations::{Configuration, IsOf, SETTINGS, absent, configurations};
use crate::analysis::{Analysis, Outcome, caveats};
use crate::figures::{Cell, Grid, Group, Row};
use crate::results::{Instance, Run};
use crate::stats::{float, median};

/// The table.
pub const SOLVERS: Table = Table {
    name: "solvers",
    shows: "formulations and solvers of all kinds: what each solved, the largest board, peak memory, nodes and conflicts",
    build,
};

fn build(analysis: &Analysis) -> Vec<Grid> {
    let configurations: Vec<_> = configurations(analysis).into_iter().map(|e| Judged::of(e, analysis)).collect();
    // With one kind the tables of times and iterations say it all, unless a config names its tables.
    let kinds = analysis.experiment.catalog().formulations.windows(2).any(|pair| pair[0].kind != pair[1].kind);
    let chosen = analysis.names_tables();
    if configurations.is_empty() || !(chosen || kinds) {
        return Vec::new();
    }
    let instances = &analysis.experiment.catalog().instances;
    let settings: Vec<_> = SETTINGS.iter().filter(|(.., is)| instances.iter().any(is)).collect();
    let best: Vec<Option<f64>> = instances.iter().map(|i| fastest(&configurations, &i.name)).collect();
    let rows = configurations.iter().map(|configuration| {
        let mut cells = vec![configuration.solved()];
        cells.extend(settings.iter().map(|(.., is)| configuration.largest(instances, *is)));
        let wins =
            instances.iter().zip(&best).filter(|(i, best)| best.is_some() && configuration.time(&i.name) == **best);
        cells.push(Cell::count(Some(float(wins.count() as u64))));
        cells.push(configuration.other_ends());
        cells.extend([
            configuration.memory(),
            configuration.effort(|run| run.nodes),
            configuration.effort(|run| run.conflicts),
        ]);
        Row::new(configuration.configuration.labels(), cells)
    });
    let mut rows: Vec<_> = rows.collect();
    cells::rule_between_kinds(&mut rows);
    let mut notes = notes(&settings);
    notes.extend(absent(analysis));
    vec![Grid {
        caption: "Solvers of all kinds".to_owned(),
        notes,
        caveats: caveats::of_shown(analysis.aggregates().outcomes.iter(), true),
        stubs: ["kind", "formulation", "solver"].map(ToOwned::to_owned).to_vec(),
        groups: vec![
            Group::new("", ["solved"]),
            Group::new("largest solved", settings.iter().map(|(name, ..)| (*name).to_owned())),
            Group::new("", ["fastest", "unsolved"]),
            Group::new("peak memory (MiB)", ["most"]),
            Group::new("median, solved", ["nodes", "conflicts"]),
        ],
        rows,
        ..Grid::default()
    }]
}

fn notes(settings: &[&(&str, &str, IsOf)]) -> Vec<String> {
    let mut notes = vec![
        "Solved: instances of those that were run, where every run was correct. Fastest: instances that it solved in the \
         least time of all"
            .to_owned(),
        "Nodes, conflicts: of runs that solved their instance, what each solver calls so; figures of different solvers do \
         not compare".to_owned(),
    ];
    if settings.iter().any(|(name, ..)| *name == "bounded") {
        notes.push("Largest solved: tiles, on bounded boards tiles in places".to_owned());
    }
    notes
}

/// A formulation under a solver with its runs.
struct Judged<'a> {
    configuration: Configuration<'a>,
    runs: Vec<&'a Run>,
}

/// The least time in which an instance was solved.
fn fastest(configurations: &[Judged], instance: &str) -> Option<f64> {
    configurations.iter().filter_map(|configuration| configuration.time(instance)).reduce(f64::min)
}

impl<'a> Judged<'a> {
    fn of(configuration: Configuration<'a>, analysis: &'a Analysis) -> Self {
        let is_own = |run: &&Run| {
            run.setting.formulation == configuration.formulation.name && run.setting.solver == configuration.solver
        };
        let runs = analysis.experiment.runs().iter().filter(is_own).collect();
        Self { configuration, runs }
    }

    fn outcome(&self, instance: &str) -> Option<&'a Outcome> {
        self.configuration.outcome(instance)
    }

    /// The time in which it solved an instance.
    fn time(&self, instance: &str) -> Option<f64> {
        self.configuration.time(instance)
    }

    fn solved(&self) -> Cell {
        let outcomes = &self.configuration.outcomes;
        Cell::text(format!("{}/{}", outcomes.iter().filter(|o| o.is_solved()).count(), outcomes.len()))
    }

    /// The instance with the most tiles, of those the one with the most places, that it found a solution of.
    fn largest(&self, instances: &[Instance], is: IsOf) -> Cell {
        let found = |o: &Outcome| o.is_solved() && o.tally.statuses.iter().all(|(status, _)| status.has_solution());
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
        Cell::count(self.runs.iter().filter_map(|run| run.peak_memory_b).max().map(cells::mebibytes))
    }

    fn effort(&self, of: fn(&Run) -> Option<u64>) -> Cell {
        let solved = self.runs.iter().filter(|run| run.category == Category::Correct);
        Cell::count(median(solved.filter_map(|run| of(run)).map(float).collect()).map(f64::round))
    }
}
