//! Formulations and solvers on the instances that they have in common: what each solved, PAR-2, shifted geometric means and what it
//! contributes to the virtual best; and each against the baseline, with intervals and tests.

use rayon::prelude::*;
use record::{Baseline, Category, Status};

use super::grid;
use crate::analysis::comparison::{Comparison, Configuration, absent, comparisons, has_kinds};
use crate::analysis::{Analysis, Outcome};
use crate::figures::{Cell, Grid};
use crate::stats::{
    Contribution, LEAST_UNITS, LEVEL, PENALTY, SHIFT_S, SHORTEST_S, Score, contributions, float, geometric_interval,
    geometric_mean, holm, log_ratio, mcnemar, par, shifted_geometric_mean, virtual_best, wilcoxon,
};
use crate::text::count;

/// Shifts of the geometric means, in seconds.
const SHIFTS_S: [f64; 2] = [SHIFT_S, 10.0];

/// PAR-2 and the shifted geometric means.
type Means = [Option<f64>; 1 + SHIFTS_S.len()];

/// A configuration, or the virtual best.
struct Line<'a> {
    labels: Vec<&'a str>,
    solved: u64,
    means: Means,
    /// What the virtual best has no part in.
    own: Option<Own>,
}

#[derive(Default)]
struct Own {
    wrong: u64,
    unknown: u64,
    error: u64,
    /// Parts of the mean time on what all solved, in seconds.
    build_s: Option<f64>,
    solve_s: Option<f64>,
    /// Whether its means may be called the least.
    may_lead: bool,
    contribution: Contribution,
}

type Column<'a> = grid::Column<'a, Line<'a>>;

pub fn scores(analysis: &Analysis, _: bool) -> Vec<Grid> {
    comparisons(analysis).iter().map(|comparison| scores_grid(comparison, analysis)).collect()
}

fn scores_grid<'a>(comparison: &Comparison<'a>, analysis: &Analysis) -> Grid {
    let by_all = comparison.solved_by_all();
    let all =
        comparison.configurations.iter().zip(&comparison.scores).zip(contributions(&comparison.scores)).enumerate();
    let line = |(number, ((configuration, scores), contribution)): (usize, ((&Configuration<'a>, &Vec<Score>), _))| {
        let solved_any = scores.iter().any(|score| score.time_s.is_some());
        let part = |of: fn(&Outcome) -> Option<f64>| {
            let values: Vec<_> = by_all.iter().filter_map(|i| of(configuration.compared(&i.name)?)).collect();
            (solved_any && !values.is_empty()).then(|| values.iter().sum::<f64>() / float(values.len()))
        };
        let may_lead = comparison.may_lead(number);
        let (build_s, solve_s) = (part(|o| o.build_s), part(|o| o.solve_s));
        let mut own = Own { build_s, solve_s, may_lead, contribution, ..Own::default() };
        let mut solved = 0;
        for (instance, score) in comparison.instances.iter().zip(scores) {
            if let Some(outcome) = configuration.compared(&instance.name) {
                *place(outcome, score, &mut solved, &mut own) += 1;
            }
        }
        Line { labels: comparison.labels(configuration), solved, means: means(scores), own: Some(own) }
    };
    let mut lines: Vec<_> = all.map(line).collect();
    // There is no ratio to a baseline that solved nothing.
    let base = if lines[0].solved > 0 { lines[0].means } else { Means::default() };
    let least = least(&lines);
    let best = virtual_best(&comparison.scores);
    let mut labels = vec![""; comparison.stubs().len()];
    labels[0] = "virtual best";
    let solved = best.iter().filter(|score| score.time_s.is_some()).count() as u64;
    lines.push(Line { labels, solved, means: means(&best), own: None });
    let mut grid = Grid::of(comparison.stubs(), |line| line.labels.clone(), &columns(base, least), &lines);
    if has_kinds(&comparison.configurations) {
        grid.rule_between(1);
    }
    grid.foot_from(lines.len() - 1);
    Grid {
        key: comparison.key.to_owned(),
        caption: format!("Scores over common instances{}", comparison.of),
        notes: scores_notes(comparison, analysis, by_all.len()),
        caveats: comparison.caveats(),
        ..grid
    }
}

/// Each mean is followed by its ratio to that of the baseline; the least mean is bold.
fn columns<'a>(base: Means, least: Means) -> Vec<Column<'a>> {
    let own = |of: fn(&Own) -> Cell| move |line: &Line| line.own.as_ref().map_or(Cell::BLANK, of);
    let mut columns = vec![
        Column::new("instances", "solved", |line| Cell::number(line.solved)),
        Column::new("instances", "wrong", own(|own| Cell::number(own.wrong).bold_if(own.wrong > 0))),
        Column::new("instances", "unknown", own(|own| Cell::number(own.unknown))),
        Column::new("instances", "error", own(|own| Cell::number(own.error))),
    ];
    let shifted = SHIFTS_S.map(|shift| format!("mean, shift {shift} s"));
    for (index, name) in std::iter::once("PAR-2".to_owned()).chain(shifted).enumerate() {
        columns.push(Column::new(&name, "s", move |line: &Line| {
            let mean = line.means[index];
            let may_lead = line.own.as_ref().is_some_and(|own| own.may_lead);
            Cell::seconds(mean).bold_if(may_lead && mean.is_some() && mean == least[index])
        }));
        columns.push(Column::new(name, "ratio", move |line: &Line| {
            let ratio = line.means[index].zip(base[index]).map(|(mean, base)| mean / base);
            Cell::ratio(ratio.filter(|ratio| ratio.is_finite()))
        }));
    }
    columns.extend([
        Column::new("solved by all", "build (s)", own(|own| Cell::seconds(own.build_s))),
        Column::new("solved by all", "solve (s)", own(|own| Cell::seconds(own.solve_s))),
        Column::new("virtual best", "fastest", own(|own| Cell::number(own.contribution.fastest))),
        Column::new("virtual best", "unique", own(|own| Cell::number(own.contribution.unique))),
    ]);
    columns
}

fn scores_notes(comparison: &Comparison, analysis: &Analysis, by_all: usize) -> Vec<String> {
    let unlimited = comparison.scores.iter().flatten().any(|s| s.time_s.is_none() && s.limit_s.is_none());
    let unlimited = if unlimited { ". No mean where there was no limit for what was not solved" } else { "" };
    let mut notes = comparison.notes();
    notes.extend([
        "Solved: every run of the instance is correct; its time, of building and solving, is their median. Else wrong or error if \
         any of them is, else unknown"
            .to_owned(),
        format!(
            "PAR-2: mean time; what was not solved counts as twice the time limit. Mean, shift: shifted geometric mean of \
             the times; what was not solved counts as the time limit{unlimited}"
        ),
        format!(
            "Ratio: to {}, of the same figures; none where it solved nothing. Bold: the least of those that solved anything",
            comparison.name(0)
        ),
        format!(
            "Solved by all: the parts of the mean time on the {} that all who solved any have solved",
            count(by_all, "instance")
        ),
        "Virtual best: for each instance the least time of all. Fastest: instances solved in that time. Unique: solved by no \
         other"
            .to_owned(),
    ]);
    notes.extend(absent(analysis));
    notes
}

fn means(scores: &[Score]) -> Means {
    let limited: Option<Vec<_>> = scores.iter().map(|score| score.penalised(1.0)).collect();
    let [first, second] = SHIFTS_S.map(|shift| shifted_geometric_mean(limited.as_ref()?, shift));
    [par(scores, PENALTY), first, second]
}

/// The least means among configurations that may lead.
fn least(lines: &[Line]) -> Means {
    let may_lead = |line: &&Line| line.own.as_ref().is_some_and(|own| own.may_lead);
    std::array::from_fn(|index| lines.iter().filter(may_lead).filter_map(|line| line.means[index]).reduce(f64::min))
}

/// The counter for the outcome of an instance.
fn place<'a>(outcome: &Outcome, score: &Score, solved: &'a mut u64, own: &'a mut Own) -> &'a mut u64 {
    let tally = &outcome.tally;
    match () {
        () if score.time_s.is_some() => solved,
        () if tally.judged(Category::Wrong) > 0 => &mut own.wrong,
        // What a solver does not support is no error of its.
        () if tally.judged(Category::Error) > tally.ended_as(Status::Unsupported) => &mut own.error,
        () => &mut own.unknown,
    }
}

pub fn pairs(analysis: &Analysis, is_named: bool) -> Vec<Grid> {
    // Few instances prove nothing, unless a config names its tables.
    let least = if is_named { 1 } else { LEAST_UNITS };
    let comparisons = comparisons(analysis).into_iter().filter(|c| c.instances.len() >= least);
    comparisons.map(|comparison| pairs_grid(&comparison, analysis)).collect()
}

/// A configuration and the baseline.
struct Pair<'a> {
    labels: Vec<&'a str>,
    /// The baseline.
    against: String,
    /// Whether a difference may be called significant.
    may_lead: bool,
    speed_up: Option<f64>,
    interval: Option<(f64, f64)>,
    /// Instances that both solved, that at least one solved and it in less time, that only one of them solved.
    both: usize,
    any: usize,
    faster: usize,
    only_it: usize,
    only_base: usize,
    /// The p-values of the tests, as they are and after the correction.
    wilcoxon: [Option<f64>; 2],
    mcnemar: [Option<f64>; 2],
}

type PairColumn<'a> = grid::Column<'a, Pair<'a>>;

fn pairs_grid(comparison: &Comparison, analysis: &Analysis) -> Grid {
    let bases = bases(comparison, analysis);
    let others = comparison.configurations.par_iter().zip(&comparison.scores).enumerate();
    let others = others.filter(|(number, _)| bases[*number] != *number);
    let pair = |(number, (configuration, scores)): (usize, (_, &Vec<_>))| Pair {
        may_lead: comparison.may_lead(number),
        against: comparison.name(bases[number]),
        ..Pair::of(comparison.labels(configuration), scores, &comparison.scores[bases[number]])
    };
    let mut pairs: Vec<_> = others.map(pair).collect();
    let has_one = pairs.windows(2).all(|two| two[0].against == two[1].against);
    let wilcoxon = holm(&pairs.iter().map(|pair| pair.wilcoxon[0]).collect::<Vec<_>>());
    let mcnemar = holm(&pairs.iter().map(|pair| pair.mcnemar[0]).collect::<Vec<_>>());
    for (pair, adjusted) in pairs.iter_mut().zip(wilcoxon.into_iter().zip(mcnemar)) {
        (pair.wilcoxon[1], pair.mcnemar[1]) = adjusted;
    }
    let adjusted =
        |pair: &Pair, p: [Option<f64>; 2]| Cell::p(p[1]).bold_if(pair.may_lead && p[1].is_some_and(|p| p <= LEVEL));
    let against = PairColumn::new("", "baseline", |pair| Cell::text(&*pair.against));
    let columns = [
        PairColumn::new("speed-up", "mean", |pair| Cell::ratio(pair.speed_up)),
        PairColumn::new("speed-up", "from", |pair| Cell::ratio(pair.interval.map(|interval| interval.0))),
        PairColumn::new("speed-up", "to", |pair| Cell::ratio(pair.interval.map(|interval| interval.1))),
        PairColumn::new("speed-up", "n", |pair| Cell::number(pair.both)),
        PairColumn::new("Wilcoxon", "p", |pair| Cell::p(pair.wilcoxon[0])),
        PairColumn::new("Wilcoxon", "Holm", move |pair| adjusted(pair, pair.wilcoxon)),
        PairColumn::new("Wilcoxon", "faster", |pair| Cell::number(pair.faster)),
        PairColumn::new("Wilcoxon", "n", |pair| Cell::number(pair.any)),
        PairColumn::new("McNemar", "p", |pair| Cell::p(pair.mcnemar[0])),
        PairColumn::new("McNemar", "Holm", move |pair| adjusted(pair, pair.mcnemar)),
        PairColumn::new("McNemar", "only it", |pair| Cell::number(pair.only_it)),
        PairColumn::new("McNemar", "only baseline", |pair| Cell::number(pair.only_base)),
    ];
    let columns: Vec<_> = (!has_one).then_some(against).into_iter().chain(columns).collect();
    let mut grid = Grid::of(comparison.stubs(), |pair| pair.labels.clone(), &columns, &pairs);
    if has_kinds(&comparison.configurations) {
        grid.rule_between(1);
    }
    let named = match pairs.first() {
        Some(pair) if has_one => Some(pair.against.clone()),
        _ => analysis.experiment.manifest().report.baseline.clone(),
    };
    let mut notes = pairs_notes(comparison, analysis);
    if !has_one {
        notes.insert(
            1,
            "Each against the baseline under its own solver, or of its own formulation, where that was run".to_owned(),
        );
    }
    Grid {
        key: comparison.key.to_owned(),
        caption: format!("Against the baseline {}{}", named.unwrap_or_else(|| comparison.name(0)), comparison.of),
        notes,
        caveats: comparison.caveats(),
        ..grid
    }
}

/// For each configuration the number of that which it is compared with. A baseline that is a formulation is it under each solver, one that
/// is a solver is it with each formulation; what has none of its own is compared with the first.
fn bases(comparison: &Comparison, analysis: &Analysis) -> Vec<usize> {
    let experiment = &analysis.experiment;
    let baseline = experiment.catalog.baseline(experiment.manifest());
    let base = |configuration: &Configuration| {
        let own = match baseline? {
            Baseline { formulation: Some(formulation), solver: None } => (formulation, configuration.solver),
            Baseline { formulation: None, solver: Some(solver) } => (configuration.formulation.name.as_str(), solver),
            _ => return None,
        };
        comparison.configurations.iter().position(|other| (other.formulation.name.as_str(), other.solver) == own)
    };
    comparison.configurations.iter().map(|configuration| base(configuration).unwrap_or(0)).collect()
}

fn pairs_notes(comparison: &Comparison, analysis: &Analysis) -> Vec<String> {
    let mut notes = comparison.notes();
    notes.extend([
        format!(
            "Speed-up: geometric mean of the baseline's time over its time, on the n instances that both solved; from, to: \
             95 % interval over these (none for fewer than {LEAST_UNITS}). Rows of different n are over different instances"
        ),
        "Wilcoxon: signed-rank test of the logarithms of these quotients, on the n instances that at least one of both \
         solved; the other counts as its time limit there, or as the time of the one that solved it where that is longer; \
         faster: on how many of these it took less time than the baseline"
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
            against: String::new(),
            may_lead: true,
            speed_up: geometric_mean(&both),
            interval: geometric_interval(&both),
            both: both.len(),
            any: any.len(),
            faster: any.iter().filter(|log_ratio| **log_ratio > 0.0).count(),
            only_it,
            only_base,
            wilcoxon: [wilcoxon(&any), None],
            mcnemar: [mcnemar(only_it as u64, only_base as u64), None],
        }
    }
}
