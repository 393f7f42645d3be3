//! Claims of several runs about one instance, which need not agree where nobody knows the answer.

use std::collections::BTreeMap;

use record::{Category, RESTRICTED, RunRow, Status};

use super::capped::Capped;
use super::summary::row_label;

/// An instance of which one run shows a verified solution and another claims that there is none.
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
}

impl Contradiction {
    fn is_one(&self) -> bool {
        !self.solved.is_empty() && !self.infeasible.is_empty()
    }
}

/// Claims by the instance they speak of; of each side the first few and a count.
#[derive(Debug, Default)]
pub(super) struct Claims(BTreeMap<String, Contradiction>);

impl Claims {
    /// Takes note of a row, and says so if it is the first that contradicts another about its instance. Infeasibility that is
    /// wrong by what is known has its own place in the summary.
    pub fn note(&mut self, row: &RunRow) -> Option<String> {
        let solved = row.category == Category::Correct && row.status.has_solution();
        let infeasible =
            row.category != Category::Wrong && row.status == Status::Infeasible && row.termination_reason != RESTRICTED;
        if !solved && !infeasible {
            return None;
        }
        let of_instance = self.0.entry(row.instance_hash.clone()).or_insert_with(|| Contradiction {
            instance: row.instance.clone(),
            instance_hash: row.instance_hash.clone(),
            solved: Capped::default(),
            infeasible: Capped::default(),
        });
        let before = of_instance.is_one();
        let runs = if solved { &mut of_instance.solved } else { &mut of_instance.infeasible };
        runs.push(|| format!("{} [{}]", row_label(row), row.run_id));
        if before || !of_instance.is_one() {
            return None;
        }
        let [by, not] = [&of_instance.solved, &of_instance.infeasible].map(|runs| runs.first().join(", "));
        Some(format!("CONTRADICTION: {} is solved by {by} and infeasible by {not}", row.instance))
    }

    /// The instances on which runs disagree.
    pub fn contradictions(self) -> Vec<Contradiction> {
        let mut found: Vec<Contradiction> = self.0.into_values().filter(Contradiction::is_one).collect();
        found.sort_by(|a, b| a.instance.cmp(&b.instance));
        found
    }
}
