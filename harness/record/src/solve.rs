//! One solve inside a run: the record that a backend begins, the loop that solves again completes, and `iterations.csv` keeps.

use puzzle::{Solution, count};
use serde::{Deserialize, Serialize};

use crate::Status;
use crate::columns::row;

/// What a solver says of one solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SolveStatus {
    /// A solution, proven optimal.
    Optimal,
    /// A solution without such a proof (a limit struck).
    Feasible,
    /// No solution exists.
    Infeasible,
    /// The time limit struck before a solution was found.
    #[default]
    Timeout,
    /// A memory limit of the solver struck before a solution was found.
    Memout,
    /// Another limit of the solver (nodes, say, set by an option) struck before a solution was found. In files it is `timeout`;
    /// the termination reason of the run tells the two apart.
    #[serde(rename(serialize = "timeout"), skip_deserializing)]
    Limit,
}

impl From<SolveStatus> for Status {
    fn from(status: SolveStatus) -> Self {
        match status {
            SolveStatus::Optimal => Self::Optimal,
            SolveStatus::Feasible => Self::Feasible,
            SolveStatus::Infeasible => Self::Infeasible,
            SolveStatus::Timeout | SolveStatus::Limit => Self::Timeout,
            SolveStatus::Memout => Self::Memout,
        }
    }
}

/// What a solve lays where a formulation lays the designated lines first (`loop-first`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lays {
    /// The designated lines alone.
    Lines,
    /// Tiles that have these lines.
    Tiles,
}

row! {
/// One solve of a run. A figure that was not measured is `None`, never 0.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Solve {
    /// Number of the solve. Stages of the search by the strategy `parts` count as solves, and with subloops = "lazy" the solutions that
    /// were cut off while the solver ran: each has a row, with time and counts since the one before.
    ///
    /// integer from 0
    pub iteration: u64,
    /// Wall time of the solve call. It includes handing the model to the solver, but not loading a solver that is WebAssembly. Before it,
    /// with `loop-first`, the search for lines that no tiles have; with `places-first` building another model and opening its solver.
    ///
    /// seconds
    pub time_s: f64,
    /// Sum of `time_s` up to and including this solve. Time between the solves is not in it.
    ///
    /// seconds
    #[serde(default)]
    pub cumulative_s: f64,
    /// What was to be laid: the designated `lines` alone, or `tiles` that have the lines laid before.
    ///
    /// word; empty if the formulation has no `loop-first`
    pub lays: Option<Lays>,
    /// On which choice of places: the first is 1.
    ///
    /// integer from 1; empty if the formulation has no `places-first`
    pub choice: Option<u64>,
    /// What the solver claims of this solve: `optimal`, `feasible`, `infeasible`, `timeout`, `memout`. A stage of the strategy
    /// `parts`, whose board is no solution yet, is `feasible`, as is a solution that is cut off while the solver runs. With `loop-first`
    /// `infeasible` is said of the lines or of the tiles for some lines, with `places-first` of some places: other solves may follow.
    ///
    /// word
    pub status: SolveStatus,
    /// The same in the solver's own words, or in ours: for searches, and for windows with the size of the last one.
    ///
    /// text; empty if the backend gives none
    pub native_status: Option<String>,
    /// Designated loops in the solution.
    ///
    /// count; empty if the solve gave no solution, or the puzzle has no loops
    pub loops: Option<u64>,
    /// Their lengths in tiles, longest first, separated by spaces.
    ///
    /// text; empty if the solve gave no solution, or the puzzle has no loops
    pub loop_lengths: Option<String>,
    /// Holes in the solution.
    ///
    /// count; empty if the solve gave no solution, or the puzzle has no loops
    pub holes: Option<u64>,
    /// Cuts against subloops and holes that were added because of the solution; a hole counts once. With `propagate` also
    /// what the rule of the single loop forbade during the search: an edge that would close a loop too early (anew each time
    /// the search comes back to it), or a loop that had closed. CP-SAT does not tell. With `loop-first` also the rows against lines that no
    /// tiles have.
    ///
    /// count
    pub cuts_added: u64,
    /// Objective value of the solution.
    ///
    /// number; empty if the kind has no objective, or the solve gave no solution
    pub objective_value: Option<f64>,
    /// Bound on the objective that the solve proved.
    ///
    /// number; empty if the backend gave none, or the solve was infeasible
    pub bound: Option<f64>,
    /// Relative gap between the two: their distance divided by the size of the value.
    ///
    /// number; empty if one of the two is missing, or the backend gave none
    pub gap: Option<f64>,
    /// Nodes of the search tree, or decisions.
    ///
    /// count; empty if the backend does not report them
    pub nodes: Option<u64>,
    /// Simplex iterations.
    ///
    /// count; empty if the backend does not report them
    pub simplex_iterations: Option<u64>,
    /// Conflicts.
    ///
    /// count; empty if the backend does not report them
    pub conflicts: Option<u64>,
    /// Propagations. What counts as one is for each solver to say.
    ///
    /// count; empty if the backend does not report them
    pub propagations: Option<u64>,
    /// Parts of the board that were filled, those of boards begun anew included.
    ///
    /// count; empty if the search is not the one by `parts`
    pub parts: Option<u64>,
    /// Loops that exchanges joined to others. Exchanges also split loops, so that it can be many more than there were at first.
    ///
    /// count; empty if `parts` is
    pub loops_merged: Option<u64>,
    /// Patches of a full board that were filled anew, because loops stayed apart; with fix-and-optimise the windows that were tried.
    ///
    /// count; empty if it is neither the search by `parts` nor fix-and-optimise
    pub patches: Option<u64>,
    /// How often the search began anew with an empty board or other places, not with other colours around another loop;
    /// fix-and-optimise with another full board.
    ///
    /// count; empty if `patches` is
    pub restarts: Option<u64>,
    /// Variables of the model that was solved.
    ///
    /// count; empty if the kind has no model (search)
    pub variables: Option<u64>,
    /// Rows, clauses or constraints of the model that was solved; the cuts added after it are not among them.
    ///
    /// count; empty if the kind has no model (search)
    pub constraints: Option<u64>,
}
}

impl Solve {
    /// A solve of which only the status is known, in the solver's words too.
    #[must_use]
    pub fn of(status: SolveStatus, native_status: impl Into<String>) -> Self {
        Self { status, native_status: Some(native_status.into()), ..Self::default() }
    }
}

row! {
/// A row of `iterations.csv`: one for each solve that ended.
///
/// Iteration 0 is the first solve; each re-solve after added cuts is one more, as in Kino and Uno's tables.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IterationRow {
    /// The run; see `runs.csv`.
    ///
    /// text, 16 hex digits
    pub run_id: String,
    /// The attempt.
    ///
    /// integer from 1
    pub attempt: u32,
    ..
    /// The solve.
    pub solve: Solve
}
}

/// A solve with the solution that it found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Iteration {
    /// The record of the solve.
    #[serde(flatten)]
    pub solve: Solve,
    /// Its solution, with the cuts that were added because of it.
    pub solution: Option<Solution>,
}

/// What the worker claims for a run as a whole; the parent verifies its solution. The statuses `interrupted` and `lost`, and
/// the reasons of the parent and of the judge (`not-started`, `restricted`, `hard-limit`, ...), are not for a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The claim; a solution only counts when nothing was left to cut off.
    pub status: Status,
    /// Why the run ended (`solved`, `infeasible`, `soft-limit`, ...), for the column `termination_reason`.
    pub reason: String,
    /// The solution that the answer rests on, if it rests on one.
    pub solution: Option<Solution>,
    /// The last solve, of which the run has its native status, objective value, bound and gap; `None` after a failure.
    pub last: Option<Solve>,
    /// What a reader of the row should know.
    pub message: Option<String>,
    /// Peak resident memory of the worker process, in bytes, as it read it itself at its end.
    pub peak_memory_b: Option<u64>,
}

impl Answer {
    /// The answer that the last solve of a run gives.
    #[must_use]
    pub fn of(last: Solve, reason: &str, solution: Option<Solution>) -> Self {
        let status = last.status.into();
        Self { solution, last: Some(last), ..Self::without_solve(status, reason) }
    }

    /// The answer of a run that failed, or that has no solve.
    #[must_use]
    pub fn without_solve(status: Status, reason: &str) -> Self {
        Self { status, reason: reason.to_owned(), solution: None, last: None, message: None, peak_memory_b: None }
    }
}

/// What became of the linear relaxation of the first model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Relaxed {
    /// Its optimum, if it has one that was found.
    pub root_bound: Option<f64>,
    /// Whether it has no solution; then neither has the model.
    pub infeasible: bool,
    /// Why nothing is known of it, if so.
    pub message: Option<String>,
}

impl Relaxed {
    /// A relaxation with this optimum.
    #[must_use]
    pub fn optimal(root_bound: f64) -> Self {
        Self { root_bound: Some(root_bound), infeasible: false, message: None }
    }

    /// A relaxation without solutions.
    #[must_use]
    pub fn infeasible() -> Self {
        Self { root_bound: None, infeasible: true, message: None }
    }

    /// A relaxation of which nothing is known, and why.
    #[must_use]
    pub fn unknown(message: impl Into<String>) -> Self {
        Self { root_bound: None, infeasible: false, message: Some(message.into()) }
    }

    /// Its optimum as the column `root_bound` shows it: that of a minimisation without solutions is infinite.
    #[must_use]
    pub fn optimum(&self) -> Option<f64> {
        if self.infeasible { Some(f64::INFINITY) } else { self.root_bound }
    }
}

/// What stands behind the number in the native status of a count.
const COUNTED: &str = ", all counted";

/// What stands before it in that of a count that its time limit stopped.
const SO_FAR: &str = "time limit, at least ";

fn number_of_solutions(text: &str) -> Option<u128> {
    text.strip_suffix(" solutions").or_else(|| text.strip_suffix(" solution"))?.parse().ok()
}

/// The native status of a solve that counted all solutions: their number with all digits, for which an objective may have no room.
#[must_use]
pub fn counted(number: u128) -> String {
    count(number, "solution") + COUNTED
}

/// The number of solutions in a native status, if it is one of a count.
#[must_use]
pub fn counted_in(native_status: &str) -> Option<u128> {
    number_of_solutions(native_status.strip_suffix(COUNTED)?)
}

/// The native status of a count that its time limit stopped: how many solutions were found until then.
#[must_use]
pub fn counted_until_limit(number: u128) -> String {
    SO_FAR.to_owned() + &count(number, "solution")
}

/// The number of solutions in a native status, if it is one of a count that its time limit stopped.
#[must_use]
pub fn counted_until_limit_in(native_status: &str) -> Option<u128> {
    number_of_solutions(native_status.strip_prefix(SO_FAR)?)
}
