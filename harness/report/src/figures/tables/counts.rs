//! Numbers of solutions, as searches counted them.

use record::{Category, Status};

use super::{Table, cells};
use crate::analysis::configurations::{Configuration, configurations};
use crate::analysis::{Analysis, Outcome, caveats, repeats};
use crate::figures::number::grouped;
use crate::figures::{Cell, Grid, Group, Row};
use crate::results::Run;
use crate::stats::{float, median};

/// Whole numbers up to this one are exact where they are recorded, 2^53.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// What `families` of a formulation says that counts.
const COUNTING: &str = "strategy=count";

/// The table.
pub const COUNTS: Table = Table {
    name: "counts",
    shows: "number of solutions of each instance, where runs counted them (strategy count)",
    build,
};

fn build(analysis: &Analysis) -> Vec<Grid> {
    let counting: Vec<_> = configurations(analysis).into_iter().filter(is_counting).collect();
    let several = counting.len() > 1;
    let (mut rows, mut shown, mut found) = (Vec::new(), Vec::new(), Vec::new());
    for instance in &analysis.experiment.catalog().instances {
        let of =
            counting.iter().filter_map(|configuration| Some((configuration, configuration.outcome(&instance.name)?)));
        for (configuration, outcome) in of {
            let counts = counts(analysis, outcome);
            let mut labels = vec![instance.name.clone()];
            labels.extend(configuration.labels()[1..].iter().filter(|_| several).map(|label| (*label).to_owned()));
            rows.push(Row::new(labels, vec![cell(&counts, outcome), cells::total(outcome)]));
            found.extend(counts.first().copied());
            shown.push(outcome);
        }
    }
    if rows.is_empty() {
        return Vec::new();
    }
    let mut notes = notes(&found);
    notes.extend(repeats(&shown.iter().copied()));
    let stubs = if several { &["instance", "formulation", "solver"][..] } else { &["instance"] };
    vec![Grid {
        caption: "Number of solutions".to_owned(),
        notes,
        caveats: caveats::of_shown(shown.iter().copied(), false),
        stubs: stubs.iter().map(|stub| (*stub).to_owned()).collect(),
        groups: vec![Group::new("", ["solutions", "time (s)"])],
        rows,
        ..Grid::default()
    }]
}

fn is_counting(configuration: &Configuration) -> bool {
    let formulation = configuration.formulation;
    formulation.kind == "search" && formulation.families.split_whitespace().any(|word| word == COUNTING)
}

/// What the runs counted that came to their end, each number once.
fn counts(analysis: &Analysis, outcome: &Outcome) -> Vec<f64> {
    let runs = outcome.members.iter().filter_map(|member| analysis.experiment.runs().get(*member as usize));
    // A proof that there is none is a count too.
    let counted = |run: &Run| {
        let none = (run.status == Status::Infeasible).then_some(0.0);
        run.objective_value.or(none).filter(|_| run.category == Category::Correct)
    };
    let mut counts: Vec<_> = runs.filter_map(counted).collect();
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
        let instances = grouped(&float(counts.len() as u64).to_string());
        notes.push(format!(
            "Of {instances} counts: the least {}, the median {}, the most {}",
            words(least),
            words(median),
            words(most)
        ));
    }
    notes
}
