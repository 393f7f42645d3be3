//! Numbers of solutions, as searches counted them.

use record::{Category, RunRow, Status};

use super::cells;
use crate::analysis::comparison::{Configuration, configurations};
use crate::analysis::{Analysis, Outcome, caveats, repeats};
use crate::figures::number::grouped;
use crate::figures::{self, Cell, Grid};
use crate::results::Run;
use crate::stats::{float, median};

/// Whole numbers up to this one are exact where they are recorded, 2^53.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// What a configuration counted on an instance.
struct Counted<'a> {
    configuration: &'a Configuration<'a>,
    outcome: &'a Outcome,
    counts: Vec<f64>,
}

type Column<'a> = figures::Column<'a, Counted<'a>>;

pub fn build(analysis: &Analysis) -> Vec<Grid> {
    let counting: Vec<_> =
        configurations(analysis).into_iter().filter(|c| RunRow::counts(&c.formulation.families)).collect();
    let of = |name: &str| {
        let counted = counting.iter().filter_map(|configuration| {
            let outcome = configuration.outcome(name)?;
            Some(Counted { configuration, outcome, counts: counts(analysis, outcome) })
        });
        counted.collect::<Vec<_>>()
    };
    let all: Vec<_> = analysis.experiment.catalog.instances.iter().flat_map(|i| of(&i.name)).collect();
    if all.is_empty() {
        return Vec::new();
    }
    let shown = || all.iter().map(|counted| counted.outcome);
    let mut notes = notes(&all.iter().filter_map(|counted| counted.counts.first().copied()).collect::<Vec<_>>());
    notes.extend(repeats(&shown()));
    // Who counted is said where several did.
    let named = if counting.len() > 1 { 3 } else { 1 };
    let labels = |counted: &Counted| {
        let [_, formulation, solver] = counted.configuration.labels();
        [counted.outcome.key.instance.as_str(), formulation, solver][..named].iter().map(|l| (*l).to_owned()).collect()
    };
    let columns = [
        Column::new("", "solutions", |counted| cell(&counted.counts, counted.outcome)),
        Column::new("", "time (s)", |counted| cells::total(counted.outcome)),
    ];
    vec![Grid {
        caption: "Number of solutions".to_owned(),
        notes,
        caveats: caveats::of_shown(shown(), false),
        ..Grid::of::<_, String>(&["instance", "formulation", "solver"][..named], labels, &columns, &all)
    }]
}

/// What the runs counted that came to their end, each number once.
fn counts(analysis: &Analysis, outcome: &Outcome) -> Vec<f64> {
    // A proof that there is none is a count too.
    let counted = |run: &Run| {
        let none = (run.status == Status::Infeasible).then_some(0.0);
        run.objective_value.or(none).filter(|_| run.category == Category::Correct)
    };
    let mut counts: Vec<_> = analysis.runs_of(outcome).filter_map(counted).collect();
    counts.sort_by(f64::total_cmp);
    counts.dedup();
    counts
}

fn cell(counts: &[f64], outcome: &Outcome) -> Cell {
    match counts {
        [] => cells::status(&outcome.tally),
        [count] if *count <= EXACT => Cell::count(Some(*count)),
        [count] => Cell::text(words(*count)),
        several => {
            let all: Vec<_> = several.iter().map(|count| words(*count)).collect();
            Cell::text(format!("contradiction: {}", all.join(" and "))).bold_if(true)
        }
    }
}

/// A count in words; one that may have lost its last digits says so.
fn words(count: f64) -> String {
    let about = if count > EXACT { "about " } else { "" };
    format!("{about}{}", grouped(&format!("{count:.0}")))
}

fn notes(counts: &[f64]) -> Vec<String> {
    let what = "Copies of a tile can stand in for each other, and a uniform tile has one rotation: solutions that differ in no more count \
                as one";
    let mut notes = vec![what.to_owned()];
    let (least, most) = (counts.iter().copied().reduce(f64::min), counts.iter().copied().reduce(f64::max));
    if let (Some(least), Some(most), Some(median)) = (least, most, median(counts.to_vec()))
        && counts.len() > 1
    {
        let instances = grouped(&float(counts.len()).to_string());
        let [least, median, most] = [least, median, most].map(words);
        notes.push(format!("Of {instances} counts: the least {least}, the median {median}, the most {most}"));
    }
    notes
}
