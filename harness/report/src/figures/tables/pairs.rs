//! Each formulation and solver against the baseline: the speed-up with its interval, and whether the difference may be chance.

use rayon::prelude::*;

use super::{Table, cells};
use crate::analysis::Analysis;
use crate::analysis::comparison::{Comparison, comparisons};
use crate::analysis::configurations::absent;
use crate::figures::{Cell, Grid, Group, Row};
use crate::stats::{
    LEAST_UNITS, SHORTEST_S, Score, bootstrap, float, geometric_mean, holm, log_ratio, mcnemar, wilcoxon,
};

/// Up to this p-value a difference is called significant.
const LEVEL: f64 = 0.05;

/// The table.
pub const PAIRS: Table = Table {
    name: "pairs",
    shows: "each formulation and solver against the baseline: speed-up with its interval, Wilcoxon's and McNemar's test",
    build,
};

fn build(analysis: &Analysis) -> Vec<Grid> {
    // Few instances prove nothing, unless a config names its tables.
    let chosen = analysis.names_tables();
    let comparisons = comparisons(analysis).into_iter().filter(|c| chosen || c.instances.len() >= LEAST_UNITS);
    comparisons.map(|comparison| grid(&comparison, analysis)).collect()
}

fn grid(comparison: &Comparison, analysis: &Analysis) -> Grid {
    let base = &comparison.scores[0];
    let pairs: Vec<_> = comparison.scores[1..].par_iter().map(|scores| Pair::of(scores, base)).collect();
    let wilcoxon = holm(&pairs.iter().map(|pair| pair.wilcoxon).collect::<Vec<_>>());
    let mcnemar = holm(&pairs.iter().map(|pair| pair.mcnemar).collect::<Vec<_>>());
    let mut rows = Vec::new();
    for (index, (configuration, pair)) in comparison.configurations[1..].iter().zip(&pairs).enumerate() {
        let count = |n: u64| Cell::count(Some(float(n)));
        let adjusted = |p: Option<f64>| Cell::p(p).bold_if(p.is_some_and(|p| p <= LEVEL));
        let (low, high) = pair.interval.unzip();
        let cells = vec![
            Cell::ratio(pair.speed_up),
            Cell::ratio(low),
            Cell::ratio(high),
            count(pair.both),
            Cell::p(pair.wilcoxon),
            adjusted(wilcoxon[index]),
            count(pair.any),
            Cell::p(pair.mcnemar),
            adjusted(mcnemar[index]),
            count(pair.only_it),
            count(pair.only_base),
        ];
        rows.push(Row::new(comparison.labels(configuration), cells));
    }
    if comparison.has_kinds() {
        cells::rule_between_kinds(&mut rows);
    }
    let mut notes = vec![comparison.scope()];
    notes.extend(explained());
    if comparison.scores.iter().flatten().any(|score| score.time_s.is_some_and(|time| time < SHORTEST_S)) {
        notes
            .push(format!("Times below {SHORTEST_S} s count as that, here and in profiles: they cannot be told apart"));
    }
    notes.extend(absent(analysis));
    Grid {
        key: comparison.key.to_owned(),
        caption: format!("Against the baseline {}{}", comparison.baseline(), comparison.of),
        notes,
        caveats: comparison.caveats(),
        stubs: comparison.stubs(),
        groups: vec![
            Group::new("speed-up", ["mean", "from", "to", "n"]),
            Group::new("Wilcoxon", ["p", "Holm", "n"]),
            Group::new("McNemar", ["p", "Holm", "only it", "only baseline"]),
        ],
        rows,
        ..Grid::default()
    }
}

fn explained() -> [String; 4] {
    [
        format!(
            "Speed-up: geometric mean of the baseline's time over its time, on the n instances that both solved; from, to: \
             95 % bootstrap interval over these (none for fewer than {LEAST_UNITS})"
        ),
        "Wilcoxon: signed-rank test of the logarithms of these quotients, on the n instances that at least one of both \
         solved; the other counts as its time limit there, or as the time of the one that solved it where that is longer"
            .to_owned(),
        "McNemar: exact test of how many instances only the one and only the other solved; times and limits do not count"
            .to_owned(),
        format!("p: two-sided; Holm: corrected for the rows of this table; bold: at most {LEVEL}"),
    ]
}

/// A configuration and the baseline.
struct Pair {
    speed_up: Option<f64>,
    interval: Option<(f64, f64)>,
    /// Instances that both solved, that at least one solved, that only one of them solved.
    both: u64,
    any: u64,
    only_it: u64,
    only_base: u64,
    wilcoxon: Option<f64>,
    mcnemar: Option<f64>,
}

impl Pair {
    fn of(scores: &[Score], base: &[Score]) -> Self {
        let pairs = || base.iter().copied().zip(scores.iter().copied());
        let solved = |is: fn(bool, bool) -> bool| -> Vec<f64> {
            let kept = pairs().filter(|(base, it)| is(base.time_s.is_some(), it.time_s.is_some()));
            kept.filter_map(|(base, it)| log_ratio(base, it)).collect()
        };
        let (both, any) = (solved(|base, it| base && it), solved(|base, it| base || it));
        let (only_it, only_base) = (solved(|base, it| !base && it).len(), solved(|base, it| base && !it).len());
        let (only_it, only_base) = (only_it as u64, only_base as u64);
        Self {
            speed_up: geometric_mean(&both),
            interval: bootstrap(&both, |logs| geometric_mean(logs).unwrap_or(f64::NAN)),
            both: both.len() as u64,
            any: any.len() as u64,
            only_it,
            only_base,
            wilcoxon: wilcoxon(&any).map(|test| test.p),
            mcnemar: mcnemar(only_it, only_base),
        }
    }
}
