//! Outcomes as cells: whatever is not a plain result is named.

use record::{Category, Status};

use crate::analysis::{Outcome, Step, Tally};
use crate::figures::{Cell, Row, Spread, Value};
use crate::stats::float;
use crate::text::count;

/// The remark of a run that was to find the best solution and found one that may not be it.
pub const NOT_PROVEN: &str = "not proven";

/// The remark of a run that found no solution under a family that forbids some solutions too.
pub const INFEASIBLE_HERE: &str = "infeasible here";

pub fn total(outcome: &Outcome) -> Cell {
    time(&outcome.tally, outcome.total_s, outcome.bound_s)
}

pub fn step(step: &Step) -> Cell {
    time(&step.tally, step.total_s, step.bound_s)
}

/// The statuses, and `wrong` where the judge says so.
pub fn status(tally: &Tally) -> Cell {
    Cell::text(ends(tally, |_| true, false)).bold_if(tally.judged(Category::Wrong) > 0)
}

/// How runs ended, as far as their statuses are wanted; whether they lack a proof, if that is wanted; whether they are wrong.
fn ends(tally: &Tally, is_wanted: fn(Status) -> bool, with_unproven: bool) -> String {
    let statuses = tally.statuses.iter().filter(|(status, _)| is_wanted(*status));
    let unproven = if with_unproven { tally.unproven } else { 0 };
    let others = [(NOT_PROVEN, unproven), ("wrong", tally.judged(Category::Wrong))];
    let all = statuses.map(|(status, count)| (word(tally, *status), *count)).chain(others);
    let parts: Vec<_> = all.filter(|(_, n)| *n > 0).map(|(name, n)| share(name, n, tally.all)).collect();
    parts.join(", ")
}

/// The total time, with the least and the most of the runs that it is the median of.
pub fn spread(outcome: &Outcome, mut cell: Cell) -> Cell {
    if let Value::Time { spread, .. } = &mut cell.value {
        *spread = Some(Spread::of(outcome));
    }
    cell
}

/// Lets cells say how many runs they stand for, where they stand for different numbers.
pub fn count_where_they_differ(rows: &mut [Row]) {
    let spreads = rows.iter_mut().flat_map(|r| &mut r.cells).filter_map(spread_of);
    let mut spreads: Vec<_> = spreads.filter(|s| s.runs > 1).collect();
    let differ = spreads.windows(2).any(|w| w[0].runs != w[1].runs);
    for spread in &mut spreads {
        spread.counted = differ;
    }
}

/// What the brackets and stars that [`spread`] makes mean, where there are any.
pub fn brackets(rows: &[Row]) -> Vec<String> {
    let has =
        |wanted: &dyn Fn(&Spread) -> bool| rows.iter().flat_map(|r| &r.cells).filter_map(Cell::spread).any(wanted);
    let text = match (has(&|s| s.range.is_some()), has(&|s| s.counted)) {
        (true, true) => Some("In brackets: the least and the most of several runs, and their number"),
        (true, false) => Some("In brackets: the least and the most of several runs"),
        (false, true) => Some("In brackets: the number of runs, where there are several"),
        (false, false) => None,
    };
    let star = has(&|s| s.disturbed).then_some("*: a run waited or was disturbed");
    text.into_iter().chain(star).map(ToOwned::to_owned).collect()
}

fn spread_of(cell: &mut Cell) -> Option<&mut Spread> {
    if let Value::Time { spread, .. } = &mut cell.value { spread.as_mut() } else { None }
}

/// The total time. Where the judge found that the answer does not solve the puzzle, a remark names its loops and holes, or says `unknown`.
pub fn answer(outcome: &Outcome) -> Cell {
    let mut cell = total(outcome);
    if let Value::Time { remark, .. } = &mut cell.value {
        // A solution on the way of a run that a limit cut short is no answer, unless only the proof is missing that it is the best.
        let answered = outcome.total_s.is_some() || outcome.tally.unproven == outcome.tally.all;
        let mut parts: Vec<_> = remark.take().into_iter().collect();
        parts.extend(flaws(outcome).filter(|_| answered));
        let unknown = outcome.tally.judged(Category::Unknown);
        if parts.is_empty() && unknown > 0 {
            parts.push(share("unknown", unknown, outcome.tally.all));
        }
        *remark = Some(parts.join(", ")).filter(|p| !p.is_empty());
    }
    cell
}

pub fn holes(holes: Option<f64>) -> Cell {
    if holes == Some(0.0) { published_hole(false) } else { Cell::count(holes) }
}

pub fn published_hole(hole: bool) -> Cell {
    Cell::text(if hole { "yes" } else { "no" })
}

fn time(tally: &Tally, total_s: Option<f64>, bound_s: Option<f64>) -> Cell {
    let seconds = total_s.or_else(|| bound_s.filter(|bound| tally.is_limited() && *bound > 0.0));
    let Some(seconds) = seconds else {
        return status(tally);
    };
    let remark = Some(ends(tally, |status| !status.has_solution(), true)).filter(|remark| !remark.is_empty());
    Cell::time(seconds, total_s.is_none(), remark).bold_if(tally.judged(Category::Wrong) > 0)
}

/// The word for a status. All infeasible runs of a cell have one formulation, so all or none are restricted.
fn word(tally: &Tally, status: Status) -> &'static str {
    if status == Status::Infeasible && tally.restricted > 0 { INFEASIBLE_HERE } else { status.name() }
}

/// What the remarks in cells mean, where they occur.
pub fn meanings<'a>(outcomes: &(impl Iterator<Item = &'a Outcome> + Clone)) -> Vec<String> {
    let unproven = "a limit struck before the solution was proven to be the best; the time is a lower bound";
    let restricted = "no solution under a family that forbids some solutions too; nothing is proven of the puzzle";
    [
        (outcomes.clone().any(|o| o.tally.unproven > 0), NOT_PROVEN, unproven),
        (outcomes.clone().any(|o| o.tally.restricted > 0), INFEASIBLE_HERE, restricted),
    ]
    .into_iter()
    .filter(|(occurs, ..)| *occurs)
    .map(|(_, remark, meaning)| format!("\u{201c}{remark}\u{201d}: {meaning}"))
    .collect()
}

/// Loops and holes of answers that do not solve the puzzle.
fn flaws(outcome: &Outcome) -> Option<String> {
    let loops = outcome.loops.filter(|l| *l > 1.0).map(|loops| format!("{loops} loops"));
    let holes = outcome.holes.filter(|h| *h > 0.0).map(|holes| count(holes, "hole"));
    let parts: Vec<_> = loops.into_iter().chain(holes).collect();
    (outcome.tally.judged(Category::Unknown) > 0 && !parts.is_empty()).then(|| parts.join(", "))
}

fn share(name: &str, count: u64, all: u64) -> String {
    if count == all { name.to_owned() } else { format!("{name} {count}/{all}") }
}

pub fn mebibytes(bytes: u64) -> f64 {
    (float(bytes) / f64::from(1 << 20)).round()
}
