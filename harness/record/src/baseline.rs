//! Who the others are compared with.

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
