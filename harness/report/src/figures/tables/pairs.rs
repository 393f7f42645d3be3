//! Each formulation and solver against the baseline: the speed-up with its interval, and whether the difference may be chance.

use rayon::prelude::*;

use crate::analysis::Analysis;
use crate::analysis::comparison::{Comparison, absent, comparisons, has_kinds};
use crate::figures::{self, Cell, Grid};
use crate::stats::{
    LEAST_UNITS, LEVEL, SHORTEST_S, Score, geometric_interval, geometric_mean, holm, log_ratio, mcnemar, wilcoxon,
};

pub fn build(analysis: &Analysis) -> Vec<Grid> {
    // Few instances prove nothing, unless a config names its tables.
    let least = if analysis.names_tables() { 1 } else { LEAST_UNITS };
    let comparisons = comparisons(analysis).into_iter().filter(|c| c.instances.len() >= least);
    comparisons.map(|comparison| grid(&comparison, analysis)).collect()
}

/// A configuration and the baseline.
struct Pair<'a> {
    labels: Vec<&'a str>,
    /// Whether a difference may be called significant.
    may_lead: bool,
    speed_up: Option<f64>,
    interval: Option<(f64, f64)>,
    /// Instances that both solved, that at least one solved, that only one of them solved.
    both: usize,
    any: usize,
    only_it: usize,
    only_base: usize,
    /// The p-values of the tests, as they are and after the correction.
    wilcoxon: [Option<f64>; 2],
    mcnemar: [Option<f64>; 2],
}

type Column<'a> = figures::Column<'a, Pair<'a>>;

fn grid(comparison: &Comparison, analysis: &Analysis) -> Grid {
    let others = comparison.configurations.par_iter().zip(&comparison.scores).enumerate().skip(1);
    let pair = |(number, (configuration, scores)): (_, (_, &Vec<_>))| Pair {
        may_lead: comparison.may_lead(number),
        ..Pair::of(comparison.labels(configuration), scores, &comparison.scores[0])
    };
    let mut pairs: Vec<_> = others.map(pair).collect();
    let wilcoxon = holm(&pairs.iter().map(|pair| pair.wilcoxon[0]).collect::<Vec<_>>());
    let mcnemar = holm(&pairs.iter().map(|pair| pair.mcnemar[0]).collect::<Vec<_>>());
    for (pair, adjusted) in pairs.iter_mut().zip(wilcoxon.into_iter().zip(mcnemar)) {
        (pair.wilcoxon[1], pair.mcnemar[1]) = adjusted;
    }
    let adjusted =
        |pair: &Pair, p: [Option<f64>; 2]| Cell::p(p[1]).bold_if(pair.may_lead && p[1].is_some_and(|p| p <= LEVEL));
    let columns = [
        Column::new("speed-up", "mean", |pair| Cell::ratio(pair.speed_up)),
        Column::new("speed-up", "from", |pair| Cell::ratio(pair.interval.map(|interval| interval.0))),
        Column::new("speed-up", "to", |pair| Cell::ratio(pair.interval.map(|interval| interval.1))),
        Column::new("speed-up", "n", |pair| Cell::number(pair.both)),
        Column::new("Wilcoxon", "p", |pair| Cell::p(pair.wilcoxon[0])),
        Column::new("Wilcoxon", "Holm", move |pair| adjusted(pair, pair.wilcoxon)),
        Column::new("Wilcoxon", "n", |pair| Cell::number(pair.any)),
        Column::new("McNemar", "p", |pair| Cell::p(pair.mcnemar[0])),
        Column::new("McNemar", "Holm", move |pair| adjusted(pair, pair.mcnemar)),
        Column::new("McNemar", "only it", |pair| Cell::number(pair.only_it)),
        Column::new("McNemar", "only baseline", |pair| Cell::number(pair.only_base)),
    ];
    let mut grid = Grid::of(comparison.stubs(), |pair| pair.labels.clone(), &columns, &pairs);
    if has_kinds(&comparison.configurations) {
        grid.rule_between(1);
    }
    Grid {
        key: comparison.key.to_owned(),
        caption: format!("Against the baseline {}{}", comparison.baseline(), comparison.of),
        notes: notes(comparison, analysis),
        caveats: comparison.caveats(),
        ..grid
    }
}

fn notes(comparison: &Comparison, analysis: &Analysis) -> Vec<String> {
    let mut notes = comparison.notes();
    notes.extend([
        format!(
            "Speed-up: geometric mean of the baseline's time over its time, on the n instances that both solved; from, to: \
             95 % interval over these (none for fewer than {LEAST_UNITS}). Rows of different n are over different instances"
        ),
        "Wilcoxon: signed-rank test of the logarithms of these quotients, on the n instances that at least one of both \
         solved; the other counts as its time limit there, or as the time of the one that solved it where that is longer"
            .to_owned(),
        "McNemar: exact test of how many instances only the one and only the other solved; times and limits do not count"
            .to_owned(),
        format!(
            "p: two-sided; Holm: corrected for the rows of this table; bold: at most {LEVEL}, of those that solved anything"
        ),
    ]);
    if comparison.scores.iter().flatten().any(|score| score.time_s.is_some_and(|time| time < SHORTEST_S)) {
        notes
            .push(format!("Times below {SHORTEST_S} s count as that, here and in profiles: they cannot be told apart"));
    }
    notes.extend(absent(analysis));
    notes
}

impl<'a> Pair<'a> {
    fn of(labels: Vec<&'a str>, scores: &[Score], base: &[Score]) -> Self {
        let pairs = || base.iter().copied().zip(scores.iter().copied());
        let solved = |is: fn(bool, bool) -> bool| -> Vec<f64> {
            let kept = pairs().filter(|(base, it)| is(base.time_s.is_some(), it.time_s.is_some()));
            kept.filter_map(|(base, it)| log_ratio(base, it)).collect()
        };
        let (both, any) = (solved(|base, it| base && it), solved(|base, it| base || it));
        let (only_it, only_base) = (solved(|base, it| !base && it).len(), solved(|base, it| base && !it).len());
        Self {
            labels,
            may_lead: true,
            speed_up: geometric_mean(&both),
            interval: geometric_interval(&both.iter().map(|log| (*log, 1.0)).collect::<Vec<_>>()),
            both: both.len(),
            any: any.len(),
            only_it,
            only_base,
            wilcoxon: [wilcoxon(&any), None],
            mcnemar: [mcnemar(only_it as u64, only_base as u64), None],
        }
    }
}
