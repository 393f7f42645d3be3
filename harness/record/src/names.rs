//! Names as plans and reports share them: the order in which they are listed, what there is in place of an unknown one, and who the
//! others are compared with.

use std::cmp::Ordering;

use puzzle::{did_you_mean, likeness};

/// Compares names so that numbers in them count as numbers: `n5` before `n10`.
#[must_use]
pub fn natural_order(a: &str, b: &str) -> Ordering {
    let (mut a_left, mut b_left) = (a, b);
    while !a_left.is_empty() && !b_left.is_empty() {
        let (a_piece, a_rest) = piece(a_left);
        let (b_piece, b_rest) = piece(b_left);
        let order = match (a_piece.parse::<u128>(), b_piece.parse::<u128>()) {
            (Ok(x), Ok(y)) => x.cmp(&y),
            _ => a_piece.cmp(b_piece),
        };
        if order != Ordering::Equal {
            return order;
        }
        (a_left, b_left) = (a_rest, b_rest);
    }
    a_left.cmp(b_left).then_with(|| a.cmp(b))
}

/// Splits off the longest beginning that is all digits or has none.
fn piece(text: &str) -> (&str, &str) {
    let digits = text.starts_with(|c: char| c.is_ascii_digit());
    let end = text.find(|c: char| c.is_ascii_digit() != digits).unwrap_or(text.len());
    text.split_at(end)
}

/// More names than these are counted and not listed.
const SHOWN: usize = 30;

/// The known names in their order, in quotes; of very many the nearest ones and their number.
#[must_use]
pub fn listed<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let mut known: Vec<&str> = known.into_iter().collect();
    if known.is_empty() {
        return "none".to_owned();
    }
    known.sort_by(|a, b| natural_order(a, b));
    known.dedup();
    let more = known.len().saturating_sub(SHOWN);
    if more > 0 {
        known.sort_by(|a, b| likeness(wrong, b).total_cmp(&likeness(wrong, a)));
        known.truncate(SHOWN);
        known.sort_by(|a, b| natural_order(a, b));
    }
    let shown = known.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

/// What there is in place of an unknown name: first the one that was perhaps meant, then all of them.
#[must_use]
pub fn alternatives<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let near = did_you_mean(wrong, known.iter().copied());
    let hint = near.map(|near| format!("did you mean \"{near}\"? ")).unwrap_or_default();
    format!("{hint}there is {}", listed(wrong, known))
}

/// The formulation, the solver or the pair of both that others are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Baseline<'a> {
    /// The formulation; `None`: any.
    pub formulation: Option<&'a str>,
    /// The solver; `None`: any.
    pub solver: Option<&'a str>,
}

impl<'a> Baseline<'a> {
    /// What a text stands for: a formulation, a solver, or a formulation and a solver with a comma between them. A name of
    /// both is that of the formulation. `None` if there are no such names.
    #[must_use]
    pub fn find(text: &'a str, formulations: &[&str], solvers: &[&str]) -> Option<Self> {
        let text = text.trim();
        if formulations.contains(&text) {
            return Some(Self { formulation: Some(text), solver: None });
        }
        if solvers.contains(&text) {
            return Some(Self { formulation: None, solver: Some(text) });
        }
        // Names may hold commas themselves.
        let mut pairs = text.match_indices(',').map(|(at, comma)| (text[..at].trim(), text[at + comma.len()..].trim()));
        pairs
            .find(|(formulation, solver)| formulations.contains(formulation) && solvers.contains(solver))
            .map(|(formulation, solver)| Self { formulation: Some(formulation), solver: Some(solver) })
    }

    /// Whether a formulation under a solver is meant.
    #[must_use]
    pub fn is(&self, formulation: &str, solver: &str) -> bool {
        self.formulation.is_none_or(|name| name == formulation) && self.solver.is_none_or(|name| name == solver)
    }
}
