//! Claims of several runs about one instance, which need not agree where nobody knows the answer.

use std::collections::BTreeMap;

use record::{Category, RESTRICTED, RunRow, Status};

use super::summary::row_label;

/// An instance of which one run shows a verified solution and another claims that there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// Name of the instance.
    pub instance: String,
    /// Hash of what determines the puzzle.
    pub instance_hash: String,
    /// Runs with a correct solution.
    pub solved: Vec<String>,
    /// Runs that claim infeasibility. One of their solvers, models or the verification is wrong.
    pub infeasible: Vec<String>,
}

/// Rows by the instance they speak of.
#[derive(Debug, Default)]
pub(super) struct Claims(BTreeMap<String, Contradiction>);

impl Claims {
    /// Takes note of a row. Infeasibility that is wrong by what is known has its own place in the summary.
    pub fn note(&mut self, row: &RunRow) {
        let solved = row.category == Category::Correct && row.status.has_solution();
        let infeasible =
            row.category != Category::Wrong && row.status == Status::Infeasible && row.termination_reason != RESTRICTED;
        if !solved && !infeasible {
            return;
        }
        let of_instance = self.0.entry(row.instance_hash.clone()).or_insert_with(|| Contradiction {
            instance: row.instance.clone(),
            instance_hash: row.instance_hash.clone(),
            solved: Vec::new(),
            infeasible: Vec::new(),
        });
        let run = format!("{} [{}]", row_label(row), row.run_id);
        if solved { &mut of_instance.solved } else { &mut of_instance.infeasible }.push(run);
    }

    /// The instances on which runs disagree.
    pub fn contradictions(self) -> Vec<Contradiction> {
        let mut found: Vec<Contradiction> =
            self.0.into_values().filter(|claims| !claims.solved.is_empty() && !claims.infeasible.is_empty()).collect();
        for contradiction in &mut found {
            contradiction.solved.sort_unstable();
            contradiction.infeasible.sort_unstable();
        }
        found.sort_by(|a, b| a.instance.cmp(&b.instance));
        found
    }
}
