//! What a comparison comes to.

use super::finding::{Case, Counts, Finding, Options, Side, Verdict};
use super::groups::Change;
use super::measured::Tested;

/// Two sets of results, compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// What decided.
    pub options: Options,
    /// What is compared with.
    pub base: Side,
    /// What is compared.
    pub new: Side,
    /// Runs that both sides have.
    pub matched: usize,
    /// What a reader must know, in sentences without the full stop.
    pub warnings: Vec<String>,
    /// The differences: regressions first, then by verdict and aspect.
    pub findings: Vec<Finding>,
    /// Counts that were compared: how many pairs of figures, how many of them equal.
    pub counts: Counts,
    /// Counts that differ, by group.
    pub changes: Vec<Change>,
    /// Times and memory by group.
    pub tests: Vec<Tested>,
    /// Every run.
    pub cases: Vec<Case>,
}

impl Comparison {
    /// Whether any difference is a regression.
    #[must_use]
    pub fn is_regression(&self) -> bool {
        self.findings.iter().any(|finding| finding.fails)
    }

    /// The differences of a verdict that are no regressions.
    pub fn others(&self, verdict: Verdict) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| !finding.fails && finding.verdict == verdict)
    }

    /// The regressions.
    pub fn regressions(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.fails)
    }
}
