//! Claims tested: the figure that each is about, its interval over the boards, and the verdict that follows.

use std::borrow::Cow;
use std::collections::BTreeSet;

use puzzle::words;
use record::{Claim, Measure, RunTest, Selection, Test};

use crate::analysis::Analysis;
use crate::analysis::comparison::{Configuration, all};
use crate::analysis::effect::{Basis, Case, boards, gained_and_lost, half, known, quotient};
use crate::stats::{bootstrap, float, mean_quotient, paired_difference, wilson};
use crate::text::{count, joined, some};

/// A claim with what was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding<'a> {
    pub claim: &'a Claim,
    /// Labels of the solvers whose runs it is made of.
    pub solvers: Vec<&'a str>,
    /// Boards that were measured.
    pub boards: usize,
    /// Runs of a board: seeds and repeats; the least of all.
    pub runs: u64,
    /// The figure with its 95 % interval; `None` on too few boards, and where these do not give any.
    pub figure: Option<Figure>,
    /// Boards that only the first side solved, and only the second, with the p-value of McNemar's test; `None` without a second.
    pub solved: Option<(u64, u64, Option<f64>)>,
    pub verdict: Verdict,
    /// Why there is no verdict, or why it holds in part only; may be empty.
    pub reason: String,
    pub basis: Basis,
}

/// A figure and its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figure {
    pub value: f64,
    pub interval: (f64, f64),
    /// Of a growth, of time or solves, the boards that were not solved. With any it is a lower bound, and nothing is known of the upper end.
    pub unsolved: usize,
}

impl Figure {
    /// From its optional parts.
    fn of(value: Option<f64>, interval: Option<(f64, f64)>) -> Option<Self> {
        Some(Self { value: value?, interval: interval?, unsolved: 0 })
    }

    /// Where the figure may be.
    fn range(self) -> (f64, f64) {
        (self.interval.0, if self.unsolved > 0 { f64::INFINITY } else { self.interval.1 })
    }
}

/// Quotients of two sides that differ too little to speak of an effect: the range in which two drugs are called bioequivalent (FDA, *Statistical
/// approaches to establishing bioequivalence*, 2001), and that of the claims of this project that there is none.
pub const NO_EFFECT: (f64, f64) = (0.8, 1.25);

/// What follows for a claim. docs/statistics.md has the same rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The interval is within the range that is claimed, and so is that of each solver, and of each number of tiles with enough boards.
    Confirmed,
    /// The interval is, over all boards, and that of a part is not, or a solver has none by itself; or the side that is said to be
    /// faster solves fewer boards.
    Partly,
    /// The interval is outside of the range.
    Contradicted,
    /// An effect is claimed, of whatever size, and the interval is on both sides of none, so near to it that none is worth speaking of:
    /// within [`NO_EFFECT`]. Of no part is it as claimed.
    NoEffect,
    /// It is none of these, or there is no figure.
    Open,
    /// No runs of this experiment test it.
    Untestable,
}

words!(Verdict:
    Confirmed "confirmed", Partly "partly", Contradicted "contradicted", NoEffect "no effect", Open "no verdict", Untestable "not testable here"
);

/// How many claims have which verdict, in the order of [`Verdict::ALL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdicts(pub [u64; 6]);

impl Verdicts {
    pub fn of(findings: &[Finding]) -> Self {
        let count = |verdict| findings.iter().filter(|finding| finding.verdict == verdict).count() as u64;
        Self(Verdict::ALL.map(count))
    }

    pub fn all(&self) -> u64 {
        self.0.iter().sum()
    }

    /// In words: `9 confirmed, 2 contradicted, 1 no verdict`.
    pub fn text(&self) -> String {
        let counted = Verdict::ALL.into_iter().zip(self.0).filter(|(_, count)| *count > 0);
        counted.map(|(verdict, count)| format!("{count} {}", verdict.name())).collect::<Vec<_>>().join(", ")
    }
}

/// The claims of an experiment, in the order of its config.
pub fn findings(analysis: &Analysis) -> Vec<Finding<'_>> {
    let configurations = all(analysis);
    let claims = analysis.experiment.manifest().report.claims.iter();
    claims
        .map(|claim| match &claim.test {
            Test::Untestable(reason) => {
                Finding { verdict: Verdict::Untestable, reason: reason.clone(), ..Finding::nothing(claim) }
            }
            Test::Runs(test) => Finding::of(analysis, claim, test, &configurations),
        })
        .collect()
}

/// The runs that are compared, none of them with themselves; both sides are the same where a claim is about one.
fn pairs<'a, 'b>(test: &RunTest, all: &'b [Configuration<'a>]) -> Vec<[&'b Configuration<'a>; 2]> {
    let is = |configuration: &Configuration, selection: &Selection, solver: Option<&str>| {
        configuration.formulation.name == selection.formulation
            && solver.is_none_or(|solver| solver == configuration.solver)
    };
    let pair = |of: &'b Configuration<'a>| {
        let Some(against) = &test.against else { return Some([of, of]) };
        let solver = against.solver.as_deref().unwrap_or(of.solver);
        let other = all.iter().find(|configuration| is(configuration, against, Some(solver)))?;
        (!std::ptr::eq(of, other)).then_some([of, other])
    };
    let first = all.iter().filter(|configuration| is(configuration, &test.of, test.of.solver.as_deref()));
    first.filter_map(pair).collect()
}

impl<'a> Finding<'a> {
    fn nothing(claim: &'a Claim) -> Self {
        Self {
            claim,
            solvers: Vec::new(),
            boards: 0,
            runs: 0,
            figure: None,
            solved: None,
            verdict: Verdict::Open,
            reason: String::new(),
            basis: Basis::default(),
        }
    }

    fn of(analysis: &'a Analysis, claim: &'a Claim, test: &RunTest, all: &[Configuration<'a>]) -> Self {
        let pairs = pairs(test, all);
        let is_absent = |pair: &[&Configuration; 2]| pair.iter().any(|side| side.is_absent());
        let (absent, pairs): (Vec<_>, Vec<_>) = pairs.into_iter().partition(is_absent);
        if let (Some(side), []) = (absent.iter().flatten().find(|side| side.is_absent()), &pairs[..]) {
            let reason = format!("{} is missing or cannot do what was asked", side.solver);
            return Self { verdict: Verdict::Untestable, reason, ..Self::nothing(claim) };
        }
        let counts =
            |tiles: Option<u64>| test.tiles.is_empty() || tiles.is_some_and(|tiles| test.tiles.contains(&tiles));
        let instances = analysis.experiment.catalog.instances.iter().filter(|i| counts(i.challenge));
        let cases = instances.flat_map(|i| pairs.iter().filter_map(|pair| Case::of(analysis, i, *pair)));
        let cases = known(&cases.filter(|case| case.concerns(test.measure)).collect::<Vec<_>>(), test.measure);
        let outcomes = || cases.iter().flat_map(|case| case.outcomes);
        let labels: BTreeSet<_> = outcomes().map(|outcome| outcome.key.solver.as_str()).collect();
        let measured = figure(test, &cases);
        let mut found = Self {
            solvers: analysis
                .experiment
                .catalog
                .solvers
                .iter()
                .map(String::as_str)
                .filter(|s| labels.contains(s))
                .collect(),
            boards: boards(&compared(test, &cases)).count(),
            runs: outcomes().map(|outcome| outcome.tally.all).min().unwrap_or(0),
            figure: measured.as_ref().ok().copied(),
            basis: Basis::of(&cases),
            ..Self::nothing(claim)
        };
        found.solved = test.against.is_some().then(|| gained_and_lost(&cases));
        let parts = Parts::of(test, &cases);
        (found.verdict, found.reason) = match measured {
            Ok(figure) => found.judged(test, figure, &parts),
            Err(reason) => (Verdict::Open, reason),
        };
        if found.verdict == Verdict::Open && !parts.any_holds && is_without_effect(test, &cases) {
            (found.verdict, found.reason) = (Verdict::NoEffect, String::new());
        }
        found
    }

    /// The verdict on a figure.
    fn judged(&self, test: &RunTest, figure: Figure, parts: &Parts) -> (Verdict, String) {
        if fails(test, figure.range()) {
            return (Verdict::Contradicted, String::new());
        }
        if !holds(test, figure.range()) {
            let reason = match figure.unsolved {
                0 => "the interval is on both sides of what is claimed".to_owned(),
                boards => format!("{} not solved: the growth is at least this", count(boards, "board")),
            };
            return (Verdict::Open, reason);
        }
        // Below 1 the first side is the faster. Of a first solve nobody asks whether it solves the puzzle.
        let faster = match (test.measure, test.below, test.above) {
            (Measure::Time, Some(below), _) if below <= 1.0 => Some(0),
            (Measure::Time, _, Some(above)) if above >= 1.0 => Some(1),
            _ => None,
        };
        let pays = self.solved.zip(faster).is_some_and(|((first, second, _), faster)| match faster {
            0 => first < second,
            _ => second < first,
        });
        if pays {
            return (Verdict::Partly, "the faster side solves fewer boards".to_owned());
        }
        let verdict = if parts.confirm() { Verdict::Confirmed } else { Verdict::Partly };
        (verdict, parts.reason())
    }
}

/// Whether all of an interval is as claimed.
fn holds(test: &RunTest, (low, high): (f64, f64)) -> bool {
    test.above.is_none_or(|above| low > above) && test.below.is_none_or(|below| high < below)
}

/// Whether nothing of an interval is as claimed.
fn fails(test: &RunTest, (low, high): (f64, f64)) -> bool {
    test.above.is_some_and(|above| high < above) || test.below.is_some_and(|below| low > below)
}

/// Boards of which the measure says something.
fn telling(measure: Measure, cases: &[Case]) -> usize {
    // Whether a board is solved is known of each.
    let says = |case: &Case| measure == Measure::Solved || case.says(measure);
    boards(cases).filter(|cases| cases.iter().any(says)).count()
}

/// What each number of tiles and each solver says by itself, where there are several.
#[derive(Default)]
struct Parts {
    /// Whether the claim holds for one of them.
    any_holds: bool,
    /// Those for which it does not.
    others: Vec<String>,
    /// Those without a figure, mostly as they have too few boards: numbers of tiles, and solvers.
    silent: [Vec<String>; 2],
    /// Whether some number of tiles has one.
    any_tiles: bool,
}

impl Parts {
    fn of(test: &RunTest, cases: &[Case]) -> Self {
        let of = |is: &dyn Fn(&Case) -> bool| cases.iter().filter(|case| is(case)).cloned().collect::<Vec<_>>();
        let tiles: BTreeSet<_> = cases.iter().map(|case| case.instance.challenge).collect();
        let solvers: BTreeSet<_> = cases.iter().map(|case| case.outcomes[0].key.solver.as_str()).collect();
        let mut parts = Self::default();
        // A growth is one over the numbers of tiles.
        let grows = matches!(test.measure, Measure::Growth | Measure::SolvesGrowth);
        for number in tiles.iter().filter(|_| tiles.len() > 1 && !grows) {
            let name = number.map_or_else(|| "boards without a number".to_owned(), |number| count(number, "tile"));
            parts.add(test, &of(&|case| case.instance.challenge == *number), 0, name);
        }
        for solver in solvers.iter().filter(|_| solvers.len() > 1) {
            parts.add(test, &of(&|case| case.outcomes[0].key.solver == *solver), 1, (*solver).to_owned());
        }
        parts
    }

    fn add(&mut self, test: &RunTest, cases: &[Case], kind: usize, name: String) {
        let figure = figure(test, cases);
        self.any_tiles |= kind == 0 && figure.is_ok();
        match figure {
            Ok(figure) if holds(test, figure.range()) => self.any_holds = true,
            Ok(_) => self.others.push(name),
            Err(_) => self.silent[kind].push(name),
        }
    }

    /// Whether all say the same as all boards together. A solver without a figure says nothing; boards are often spread over more numbers
    /// of tiles than could each have enough.
    fn confirm(&self) -> bool {
        self.others.is_empty() && self.silent[1].is_empty()
    }

    /// Those that do not.
    fn reason(&self) -> String {
        let [tiles, solvers] = &self.silent;
        let silent: Vec<_> = tiles.iter().filter(|_| self.any_tiles).chain(solvers).collect();
        let named = |what: &str, names: String| if names.is_empty() { names } else { format!("{what} {names}") };
        let parts = [named("by itself not so for", some(&self.others)), named("by itself no figure for", some(silent))];
        joined(parts, "; ")
    }
}

/// Why there is no figure: the mean over the others would leave out failures.
const UNLIMITED: &str = "what was not solved had no time limit";

/// The figure that a claim is about, or why there is none.
fn figure(test: &RunTest, cases: &[Case]) -> Result<Figure, String> {
    let (measured, telling) = (boards(cases).count(), telling(test.measure, cases));
    let few = || {
        let usable = if telling < measured { format!(", {telling} usable") } else { String::new() };
        format!("{} measured{usable}; {} are needed", count(measured, "board"), test.boards)
    };
    if telling < test.boards as usize {
        return Err(few());
    }
    if test.measure == Measure::LaterSolves {
        return later_solves(cases).ok_or_else(|| "too few boards for an interval".to_owned());
    }
    if test.measure.is_share() {
        return share(test, cases).ok_or_else(|| "no board is known of both sides".to_owned());
    }
    if matches!(test.measure, Measure::Growth | Measure::SolvesGrowth) {
        return growth(test.measure, cases);
    }
    if test.against.is_some() {
        let quotient = quotient(&compared(test, cases), test.measure);
        return Figure::of(quotient.mean, quotient.interval).ok_or_else(|| match test.measure {
            Measure::Time | Measure::FirstSolve => UNLIMITED.to_owned(),
            measure => format!("{measure} of both sides are known on too few boards"),
        });
    }
    let log = |case: &Case| Some(case.figure(test.measure, 0)?.ln());
    // A board has no spread under one seed, or if none of its runs ended.
    if test.measure != Measure::Spread && cases.iter().any(|case| log(case).is_none()) {
        return Err(UNLIMITED.to_owned());
    }
    let figures = boards(cases).filter_map(|cases| {
        let logs: Vec<_> = cases.iter().filter_map(log).collect();
        (!logs.is_empty()).then(|| (logs.iter().sum::<f64>(), float(logs.len())))
    });
    let (mean, interval) = mean_quotient(&figures.collect::<Vec<_>>());
    Figure::of(mean, interval).ok_or_else(few)
}

/// The cases that a figure is of: all, but for a claim that two sides do not differ, whose figure would be made by what neither ended.
fn compared<'a, 'b>(test: &RunTest, cases: &'b [Case<'a>]) -> Cow<'b, [Case<'a>]> {
    let claims_no_effect = test.against.is_some() && !test.measure.is_share() && holds(test, (1.0, 1.0));
    if claims_no_effect { Cow::Owned(ending(test, cases)) } else { Cow::Borrowed(cases) }
}

/// The cases that at least one side ended: those that neither did would make the sides look equal.
fn ending<'a>(test: &RunTest, cases: &[Case<'a>]) -> Vec<Case<'a>> {
    cases.iter().filter(|case| case.says(test.measure)).cloned().collect()
}

/// Whether a claim that one side's figure is the greater meets two sides whose quotient is nearly 1, on enough boards.
fn is_without_effect(test: &RunTest, cases: &[Case]) -> bool {
    let is_of_effect =
        test.against.is_some() && !test.measure.is_share() && [test.above, test.below].contains(&Some(1.0));
    let cases = ending(test, cases);
    let near = |(low, high): (f64, f64)| NO_EFFECT.0 < low && low <= 1.0 && 1.0 <= high && high < NO_EFFECT.1;
    is_of_effect
        && boards(&cases).count() >= test.boards as usize
        && quotient(&cases, test.measure).interval.is_some_and(near)
}

/// The share of boards that have a property, or of two sides the difference. Where it is not known, as a limit struck before, the
/// interval holds for the one answer and for the other.
fn share(test: &RunTest, cases: &[Case]) -> Option<Figure> {
    // Of a board under several solvers: in half of them or more, of those that say so of both sides. Where none does, what one
    // solver says of the one side is not held against what another says of the other.
    let of_board = |cases: &[Case]| {
        let sides = |case: &Case| [0, 1].map(|side| case.has(test.measure, side));
        let all: Vec<_> = cases.iter().map(sides).collect();
        let both: Vec<_> = all.iter().copied().filter(|sides| sides.iter().all(Option::is_some)).collect();
        let counted = if both.is_empty() { &all[..1] } else { &both[..] };
        [0, 1].map(|side: usize| half(&counted.iter().filter_map(|sides| sides[side]).collect::<Vec<_>>()))
    };
    let sides: Vec<_> = boards(cases).map(of_board).collect();
    if test.against.is_none() {
        let known = || sides.iter().filter_map(|[has, _]| *has);
        let (has, known) = (known().filter(|has| *has).count() as u64, known().count() as u64);
        let all = sides.len() as u64;
        let interval = (wilson(has, all).0, wilson(has + all - known, all).1);
        return Figure::of((known > 0).then(|| float(has) / float(known)), Some(interval));
    }
    let known: Vec<_> = sides.iter().filter_map(|[first, second]| Some(((*first)?, (*second)?))).collect();
    let taken = |first: bool| {
        let boards = sides.iter().map(|side| (side[0].unwrap_or(first), side[1].unwrap_or(!first)));
        paired_difference(&boards.collect::<Vec<_>>())
    };
    let interval = (taken(false)?.1.0, taken(true)?.1.1);
    Figure::of(paired_difference(&known).map(|(difference, _)| difference), Some(interval))
}

/// The share of the time that passes after the first solve. Boards that were not solved have the least share that they may come to, and
/// for the upper end of the interval the greatest.
fn later_solves(cases: &[Case]) -> Option<Figure> {
    let of_board = |cases: &[Case]| {
        let shares: Vec<_> = cases.iter().map(|case| case.later_solves()).collect();
        let mean = |of: fn(&(f64, f64)) -> f64| shares.iter().map(of).sum::<f64>() / float(shares.len());
        (mean(|share| share.0), mean(|share| share.1))
    };
    let boards: Vec<_> = boards(cases).map(of_board).collect();
    let mean = |drawn: &mut dyn Iterator<Item = usize>, of: fn(&(f64, f64)) -> f64| {
        drawn.map(|board| of(&boards[board])).sum::<f64>() / float(boards.len())
    };
    let interval = |of| bootstrap(boards.len(), |drawn| Some(mean(&mut drawn.iter().copied(), of)));
    let least = |share: &(f64, f64)| share.0;
    Figure::of(Some(mean(&mut (0..boards.len()), least)), Some((interval(least)?.0, interval(|share| share.1)?.1)))
}

/// The factor by which times, or numbers of solves, grow with each tile: of the line of least squares through their logarithms. What was
/// not solved counts at its limit, or with the solves that it came to, which makes the line flatter if it has more tiles than the mean,
/// and steeper if it has fewer.
fn growth(measure: Measure, cases: &[Case]) -> Result<Figure, String> {
    if cases.iter().any(|case| case.figure(measure, 0).is_none()) {
        return Err(match measure {
            Measure::Growth => UNLIMITED.to_owned(),
            _ => "solves of some boards are not known".to_owned(),
        });
    }
    let open: Vec<_> = cases.iter().filter(|case| !case.ended(measure, 0)).cloned().collect();
    let unsolved = boards(&open).count();
    let tiles = |cases: &[Case]| cases.iter().filter_map(|case| case.instance.challenge).map(float).collect::<Vec<_>>();
    let all = tiles(cases);
    let mean = all.iter().sum::<f64>() / float(all.len());
    if tiles(&open).iter().any(|tiles| *tiles < mean) {
        let boards = count(unsolved, "board");
        return Err(format!("{boards} not solved, of which some have few tiles: nothing bounds the growth"));
    }
    let point = |case: &Case| Some((float(case.instance.challenge?), case.figure(measure, 0)?.ln()));
    let boards: Vec<Vec<_>> = boards(cases).map(|cases| cases.iter().filter_map(point).collect()).collect();
    let slope = |drawn: &mut dyn Iterator<Item = usize>| {
        let points: Vec<(f64, f64)> = drawn.flat_map(|board| boards[board].iter().copied()).collect();
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / float(points.len());
        let (x, y) = (mean(|point| point.0), mean(|point| point.1));
        let squares: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
        let products: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
        (squares > 0.0).then(|| (products / squares).exp())
    };
    let interval = bootstrap(boards.len(), |drawn| slope(&mut drawn.iter().copied()));
    let figure = Figure::of(slope(&mut (0..boards.len())), interval);
    let figure = figure.ok_or_else(|| "boards of several numbers of tiles are needed".to_owned())?;
    Ok(Figure { unsolved, ..figure })
}
