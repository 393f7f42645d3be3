//! The two axes of a result: what the solver claims (status), what the judge found (category).

use puzzle::words;
use serde::{Deserialize, Serialize};

/// The termination reason where a claim of infeasibility says nothing of the puzzle, as the formulation forbids some of
/// its solutions too.
pub const RESTRICTED: &str = "restricted";

/// The termination reason where the worker kept the time limit by itself.
pub const SOFT_LIMIT: &str = "soft-limit";

/// The termination reason where the worker did not, and was killed after limit and grace.
pub const HARD_LIMIT: &str = "hard-limit";

/// The termination reason where more CPU time was used than is allowed.
pub const CPU_LIMIT: &str = "cpu-limit";

/// The termination reason where more memory was wanted than is allowed.
pub const MEMORY_LIMIT: &str = "memory-limit";

/// The termination reason where the files of a run took up more disk space than is allowed.
pub const DISK_LIMIT: &str = "disk-limit";

/// The termination reason where a limit of the solver's own struck: one set as an option, or its memory.
pub const SOLVER_LIMIT: &str = "solver-limit";

/// The native status where `places-first` found no other places to choose: there may be a solution nevertheless.
pub const NO_OTHER_PLACES: &str = "no other places";

/// The termination reason where the solver is not on this machine.
pub const UNAVAILABLE: &str = "unavailable";

/// The termination reason where the solver is there and has no licence for this.
pub const LICENCE: &str = "licence";

/// The termination reason where the solver called a solution what breaks the model or the rules of the puzzle, or has another objective
/// than it says.
pub const FALSE_SOLUTION: &str = "false-solution";

words!(Status:
    Optimal "optimal", Feasible "feasible", Infeasible "infeasible", Timeout "timeout", Memout "memout", Interrupted "interrupted",
    Unsupported "unsupported", Crash "crash", Error "error", Lost "lost"
);

/// What became of a run or of one solve, as the solver or the process claims it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// A solution that the solver proved optimal for its objective.
    Optimal,
    /// A solution without a proof of optimality.
    Feasible,
    /// The solver proved that no solution exists.
    Infeasible,
    /// A limit of the run's wall or CPU time was reached, or one of the solver's own; the termination reason says which.
    Timeout,
    /// The memory limit of the run was reached, or what its files may take up of the disk; the termination reason says which.
    Memout,
    /// The user interrupted the run (Ctrl-C); it is not a result and is run again on resume.
    Interrupted,
    /// The solver cannot do what was asked (missing, or the formulation does not fit it).
    Unsupported,
    /// The worker died of a signal.
    Crash,
    /// The worker or the solver reported an error.
    Error,
    /// The worker ended without an answer.
    #[default]
    Lost,
}

impl Status {
    /// Whether a run with this status is a result that `--resume` must not repeat.
    ///
    /// Timeouts and memouts are results. An interrupted or lost run never came to its end.
    #[must_use]
    pub fn is_final(self) -> bool {
        !matches!(self, Self::Interrupted | Self::Lost)
    }

    /// Whether the status comes with a solution.
    #[must_use]
    pub fn has_solution(self) -> bool {
        matches!(self, Self::Optimal | Self::Feasible)
    }
}

words!(Category: Correct "correct", Wrong "wrong", Unknown "unknown", Error "error");

/// What the judge found out about a run, independently of the solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// The puzzle is solved and the solution verified, or it is infeasible where that is known.
    Correct,
    /// The answer fails verification or contradicts what is known of the instance.
    Wrong,
    /// No answer to the puzzle: a limit was reached, or the formulation allows the subloops or holes
    /// that its (otherwise verified) solution has, or infeasibility was claimed where nothing is known.
    Unknown,
    /// The run failed.
    #[default]
    Error,
}
