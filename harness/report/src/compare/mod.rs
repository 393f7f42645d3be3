//! Two sets of results compared, run by run: what became worse, what better, what only changed, and what two measurements
//! of one program may differ in.
//!
//! [`compare`] matches the runs and says what is comparable (`matching.rs`), judges each pair (`runs.rs`), then each group of runs:
//! counts that are the same whenever the same program does the same work, runs that cross a limit together (`counts.rs`), times and
//! memory (`measured.rs`). The rules and their reasons are in docs/guide/compare.md.

mod counts;
mod finding;
mod matching;
mod measured;
mod render;
mod runs;

use serde::Serialize;

use crate::ReportError;
use crate::results::Experiment;

pub use counts::{Change, Counts};
pub use finding::{Aspect, Case, Ended, Finding, Options, Side, Subject, Verdict};
pub use measured::Tested;
pub use render::{MOST_CHARACTERS, json, junit, markdown};

/// Compares the results of two measurements, each of one experiment or several.
///
/// # Errors
/// A file that ends within a row; no run that both sides have; a run that two folders of one experiment on a side have.
pub fn compare(base: &[Experiment], new: &[Experiment], options: &Options) -> Result<Comparison, ReportError> {
    let matched = matching::matched(base, new)?;
    let (cases, mut findings) = runs::of_runs(&matched);
    findings.extend((0..2).flat_map(|side| runs::missing(&matched.alone[side], side)));
    let groups = matching::groups(&matched.pairs);
    let mut counts = Counts::default();
    let changes = groups.iter().flat_map(|group| counts::changes(group, &mut counts, options));
    let (changes, changed): (Vec<_>, Vec<_>) = changes.unzip();
    findings.extend(changed);
    let busy = matching::any_busy(&matched.pairs);
    let (tests, tested) = measured::measured(&groups, busy, options);
    findings.extend(tested);
    findings.extend(counts::drifts(&groups, options));
    findings.extend(counts::losses(&groups));
    for finding in &mut findings {
        let is_bad = matches!(finding.verdict, Verdict::Worse | Verdict::Missing);
        finding.fails = is_bad && options.fails(finding.aspect);
    }
    // What fails comes first; the rest in the order of the runs.
    findings.sort_by_key(|finding| (!finding.fails, finding.verdict, finding.aspect));
    let mut warnings = matching::warnings([base, new], &matched, options);
    warnings.extend(measured::blindness(&groups, &tests, options));
    let side = |side: usize| Side::of([base, new][side], matched.interrupted[side], matched.alone[side].len());
    Ok(Comparison {
        options: options.clone(),
        base: side(0),
        new: side(1),
        matched: matched.pairs.len(),
        warnings,
        findings,
        counts,
        changes,
        tests,
        cases,
    })
}

/// Two sets of results, compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
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
    /// The differences: what fails first, then by verdict and aspect.
    #[serde(skip)]
    pub findings: Vec<Finding>,
    /// Counts that were compared: how many pairs of figures, how many of them equal.
    pub counts: Counts,
    /// Counts that differ, by group.
    #[serde(rename = "changed_counts")]
    pub changes: Vec<Change>,
    /// Times and memory by group.
    pub tests: Vec<Tested>,
    /// Every run.
    #[serde(skip)]
    pub cases: Vec<Case>,
}

impl Comparison {
    /// Whether a side has several experiments, so that groups are told with theirs.
    fn has_several(&self) -> bool {
        [&self.base, &self.new].iter().any(|side| side.experiments.len() > 1)
    }

    /// Whether any difference is a regression.
    #[must_use]
    pub fn is_regression(&self) -> bool {
        self.regressions().next().is_some()
    }

    /// Whether NEW lacks runs of BASE, where that fails.
    #[must_use]
    pub fn is_incomplete(&self) -> bool {
        self.findings.iter().any(|finding| finding.fails && finding.verdict == Verdict::Missing)
    }

    /// The regressions.
    pub fn regressions(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.fails && finding.verdict == Verdict::Worse)
    }

    /// The differences of a verdict that do not fail.
    pub fn others(&self, verdict: Verdict) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| !finding.fails && finding.verdict == verdict)
    }

    /// The run that a difference is of, if it is of one.
    fn case(&self, finding: &Finding) -> Option<&Case> {
        self.cases.get(finding.case?)
    }
}
