//! What makes a comparison fail.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Aspect;

/// When a difference is a regression. `Options::default()` is what `tilebench compare` does without options.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Options {
    /// The aspects that were asked for by name; `None`: [`Options::USUAL`].
    pub fail_on: Option<BTreeSet<Aspect>>,
    /// Ratio of shifted geometric means above which a group is slower (or takes more memory); more than 1.
    pub time_threshold: f64,
    /// The same for counts; more than 1.
    pub count_threshold: f64,
    /// Level of significance, after Holm's correction over the groups; between 0 and 1.
    pub alpha: f64,
}

impl Options {
    /// What fails where nothing was asked for by name: neither memory, of which too much is chance, nor missing runs,
    /// since measuring a part is legitimate.
    pub const USUAL: [Aspect; 6] =
        [Aspect::Wrong, Aspect::Failure, Aspect::Status, Aspect::Objective, Aspect::Count, Aspect::Time];

    /// Least number of instances of a group whose times are tested.
    pub const LEAST_INSTANCES: usize = 6;

    /// Relative difference of objective values that is none.
    pub const OBJECTIVE_TOLERANCE: f64 = 1e-6;

    /// Whether what is worse in this aspect is a regression.
    #[must_use]
    pub fn fails(&self, aspect: Aspect) -> bool {
        self.fail_on.as_ref().map_or_else(|| Self::USUAL.contains(&aspect), |asked| asked.contains(&aspect))
    }

    /// Whether the aspect was asked for by name: then times fail even where they were measured under other circumstances.
    #[must_use]
    pub(super) fn insists_on(&self, aspect: Aspect) -> bool {
        self.fail_on.as_ref().is_some_and(|asked| asked.contains(&aspect))
    }
}

impl Default for Options {
    fn default() -> Self {
        Self { fail_on: None, time_threshold: 1.25, count_threshold: 1.1, alpha: 0.01 }
    }
}
