//! How outcomes become cells: whatever is not a plain result is said by name.

use record::{Category, Status};

use crate::aggregate::{Outcome, Step, Tally};
use crate::grid::{Cell, Value};

/// The total solve time of a run.
pub fn total(outcome: &Outcome) -> Cell {
    time(&outcome.tally, outcome.total_s, outcome.bound_s)
}

/// The time of one iteration.
pub fn step(step: &Step) -> Cell {
    time(&step.tally, step.total_s, step.bound_s)
}

/// The statuses, and `wrong` where the judge says so.
pub fn status(tally: &Tally) -> Cell {
    let mut parts: Vec<_> = tally.statuses.iter().map(|(s, n)| share(s.as_str(), *n, tally.all)).collect();
    let wrong = tally.judged(Category::Wrong);
    if wrong > 0 {
        parts.push(share("wrong", wrong, tally.all));
    }
    Cell::text(parts.join(", ")).bold_if(wrong > 0)
}

/// The total solve time, with a remark where the puzzle is not solved by it.
pub fn answer(outcome: &Outcome) -> Cell {
    let mut cell = total(outcome);
    if let Value::Time { remark: remark @ None, .. } = &mut cell.value {
        *remark = unsolved(outcome);
    }
    cell
}

/// Whether every repeat solved the puzzle: the judge is content and the time is a time.
pub fn is_solved(outcome: &Outcome) -> bool {
    outcome.total_s.is_some() && outcome.tally.judged(Category::Correct) == outcome.tally.all
}

fn time(tally: &Tally, total_s: Option<f64>, bound_s: Option<f64>) -> Cell {
    let timeout = tally.failure() == Some(Status::Timeout);
    let seconds = total_s.or_else(|| bound_s.filter(|bound| timeout && *bound > 0.0));
    let Some(seconds) = seconds else {
        return status(tally);
    };
    let wrong = tally.judged(Category::Wrong);
    let plain = |s: &&(Status, u64)| !s.0.has_solution();
    let mut parts: Vec<_> =
        tally.statuses.iter().filter(plain).map(|(s, n)| share(s.as_str(), *n, tally.all)).collect();
    if wrong > 0 {
        parts.push(share("wrong", wrong, tally.all));
    }
    let remark = Some(parts.join(", ")).filter(|p| !p.is_empty());
    Cell::from(Value::Time { seconds, at_least: total_s.is_none(), remark }).bold_if(wrong > 0)
}

fn unsolved(outcome: &Outcome) -> Option<String> {
    let unknown = outcome.tally.judged(Category::Unknown);
    if unknown == 0 {
        return None;
    }
    let reason = match (outcome.loops, outcome.holes) {
        (Some(loops), _) if loops > 1.0 => format!("{loops} loops"),
        (_, Some(holes)) if holes > 0.0 => format!("{holes} hole{}", if holes > 1.0 { "s" } else { "" }),
        _ => return Some(share("unknown", unknown, outcome.tally.all)),
    };
    Some(reason)
}

fn share(name: &str, count: u64, all: u64) -> String {
    if count == all { name.to_owned() } else { format!("{name} {count}/{all}") }
}
