//! Names as plans and reports share them: the order in which they are listed, and who the others are compared with.

use std::cmp::Ordering;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_count_as_numbers() {
        let mut names = ["n10-round", "n5-round", "n5", "n05", "m100", "n5-flat", "n10"];
        names.sort_by(|a, b| natural_order(a, b));
        assert_eq!(names, ["m100", "n05", "n5", "n5-flat", "n5-round", "n10", "n10-round"]);
    }

    #[test]
    fn a_formulation_a_solver_or_both() {
        let find = |text| Baseline::find(text, &["basic", "all", "a, b"], &["highs", "cbc", "all"]);
        let pair = |formulation, solver| Some(Baseline { formulation, solver });
        assert_eq!(find("basic"), pair(Some("basic"), None));
        assert_eq!(find(" cbc "), pair(None, Some("cbc")));
        assert_eq!(find("all"), pair(Some("all"), None));
        assert_eq!(find("all,all"), pair(Some("all"), Some("all")));
        assert_eq!(find("a, b"), pair(Some("a, b"), None));
        assert_eq!(find("a, b, highs"), pair(Some("a, b"), Some("highs")));
        for wrong in ["", ",", "basic,", "highs, basic", "basic, highs, cbc", "basics"] {
            assert_eq!(find(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_is_not_named_may_be_anything() {
        let baseline = |formulation, solver| Baseline { formulation, solver };
        assert!(baseline(Some("basic"), None).is("basic", "cbc") && !baseline(Some("basic"), None).is("all", "cbc"));
        assert!(baseline(None, Some("cbc")).is("all", "cbc") && !baseline(None, Some("cbc")).is("all", "highs"));
        assert!(!baseline(Some("basic"), Some("cbc")).is("basic", "highs"));
    }
}
