//! Claims of several runs about one instance, which need not agree where nobody knows the answer: whether there is a solution, and how
//! many there are.

use std::collections::BTreeMap;

use record::{Category, RunRow, Status};

use super::capped::Capped;
use super::words::row_label;

/// An instance of which one run shows a verified solution and another claims that there is none, or of which two runs counted
/// different numbers of solutions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// Name of the instance.
    pub instance: String,
    /// Hash of what determines the puzzle.
    pub instance_hash: String,
    /// Runs with a correct solution.
    pub solved: Capped<String>,
    /// Runs that claim infeasibility. One of their solvers, models or the verification is wrong.
    pub infeasible: Capped<String>,
    /// Runs that counted the solutions, by their native status, which has all digits. Where there are two, one is wrong.
    pub counts: BTreeMap<String, Capped<String>>,
}

impl Contradiction {
    fn is_one(&self) -> bool {
        !self.solved.is_empty() && !self.infeasible.is_empty() || self.counts.len() > 1
    }

    /// The first of each side.
    fn in_words(&self) -> String {
        if self.counts.len() > 1 {
            let counts = self.counts.iter().map(|(count, runs)| format!("{count} by {}", runs.first.join(", ")));
            return counts.collect::<Vec<_>>().join(", and ");
        }
        format!("solved by {} and infeasible by {}", self.solved.first.join(", "), self.infeasible.first.join(", "))
    }
}

/// Claims by the instance they speak of; of each side the first few and a count.
#[derive(Debug, Default)]
pub(crate) struct Claims(BTreeMap<String, Contradiction>);

impl Claims {
    /// Takes note of a row, and says so if it is the first that contradicts another about its instance. Infeasibility that is
    /// wrong by what is known has its own place in the summary.
    pub fn note(&mut self, row: &RunRow) -> Option<String> {
        let solved = row.is_solved();
        let infeasible = row.category != Category::Wrong && row.claims_infeasible();
        if !solved && !infeasible {
            return None;
        }
        let of_instance = self.0.entry(row.instance_hash.clone()).or_insert_with(|| Contradiction {
            instance: row.instance.clone(),
            instance_hash: row.instance_hash.clone(),
            solved: Capped::default(),
            infeasible: Capped::default(),
            counts: BTreeMap::new(),
        });
        let before = of_instance.is_one();
        let label = || format!("{} [{}]", row_label(row), row.run_id);
        let runs = if solved { &mut of_instance.solved } else { &mut of_instance.infeasible };
        runs.push(label);
        let counts = RunRow::counts(&row.families) && row.status == Status::Optimal;
        if let Some(count) = row.native_status.as_ref().filter(|_| solved && counts) {
            of_instance.counts.entry(count.clone()).or_default().push(label);
        }
        (!before && of_instance.is_one())
            .then(|| format!("CONTRADICTION: {} is {}", row.instance, of_instance.in_words()))
    }

    /// The instances on which runs disagree.
    pub fn contradictions(self) -> Vec<Contradiction> {
        let mut found: Vec<Contradiction> = self.0.into_values().filter(Contradiction::is_one).collect();
        found.sort_by(|a, b| a.instance.cmp(&b.instance));
        found
    }
}
