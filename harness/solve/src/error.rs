//! What can go wrong in a solve.

use model::{FormulationKind, ModelError};

/// A solve that gave no answer at all; limits and infeasibility are answers.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields say what they are")]
pub enum SolveError {
    /// A backend that does not exist.
    #[error("unknown solver {name:?}; solvers: {known}")]
    Unknown { name: String, known: String },
    /// An option that the solver does not have, or a value that it refuses; why, if it says so, as `: ...`.
    #[error("{solver} refuses the option {option} = {value:?}{why}")]
    Option { solver: &'static str, option: String, value: String, why: String },
    /// An option that the harness sets itself, or that would change what an answer means.
    #[error(
        "{solver}: the option {option} is not free: limits, seed, threads and log are set by the run (limits, seeds, \
         threads), and cutoffs, actions and what changes the problem would turn `infeasible` into something else"
    )]
    OwnOption { solver: &'static str, option: String },
    /// The solver cannot do what was asked.
    #[error("{solver} cannot do this: {reason}")]
    Unsupported { solver: &'static str, reason: String },
    /// The solver is not on this machine.
    #[error("{solver} is not available: {reason}; {remedy}")]
    Missing { solver: &'static str, reason: String, remedy: String },
    /// The solver is there, but has no licence for this.
    #[error("{solver} has no licence for this: {reason}")]
    Licence { solver: &'static str, reason: String },
    /// The solver solves formulations of other kinds.
    #[error("{solver} is for formulations of kind {kinds}, not {kind}{others}")]
    Kind {
        solver: &'static str,
        /// Its kinds.
        kinds: String,
        kind: FormulationKind,
        /// Who is for that kind, or what decides: `; there is ...`.
        others: String,
    },
    /// A call that the solver reports as failed, or a state that makes no sense.
    #[error("{solver}: {call} failed: {reason}")]
    Call { solver: &'static str, call: &'static str, reason: String },
    /// The values are no solution of the model, or the solution none of the puzzle.
    #[error(
        "the solver calls this a solution, but it breaks {count} rows or bounds of the model or rules of the puzzle, \
         first {first}"
    )]
    Broken { count: usize, first: String },
    /// The values have another objective than the solver says.
    #[error("the solver contradicts itself: {0}")]
    Objective(String),
    /// The values do not describe a solution, or the next larger problem cannot be built.
    #[error(transparent)]
    Values(#[from] ModelError),
    /// A solution came back that a cut forbids: without this check the loop would never end.
    #[error(
        "iteration {iteration} returned a solution that {cut}, added earlier, forbids: \
         the solver has lost the row, solving again would go on for ever"
    )]
    CutIgnored {
        iteration: u64,
        /// What forbids it, in words.
        cut: String,
    },
}

impl SolveError {
    /// A call of a solver that failed.
    pub(crate) fn call(solver: &'static str, call: &'static str, reason: impl std::fmt::Display) -> Self {
        Self::Call { solver, call, reason: reason.to_string() }
    }
}
