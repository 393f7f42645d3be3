//! One run (one instance, formulation, solver, seed and repeat), as it is planned and as it ended.

use serde::{Deserialize, Serialize};

use crate::columns::row;
use crate::{Category, RESTRICTED, SCHEMA_VERSION, Status};

row! {
/// A row of `runs.csv`: one for each attempt at a run.
///
/// Times are seconds, sizes are bytes or counts. `None` means "not measured" and is an empty cell.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RunRow {
    /// Version of the columns that the row was written with. Rows of newer versions are read too: columns that they lack are
    /// empty, columns that are not known are passed over.
    ///
    /// integer
    pub schema_version: u32,
    /// Hash of everything that determines the run: of the columns `instance_hash`, `kind`, `families`, `objective`, `subloops`,
    /// `hole_treatment`, `backend`, `options`, `threads`, `seed`, `repeat`, `time_limit_s`, `cpu_limit_s` and
    /// `memory_limit_b`. Names, labels and paths of files are not part of it (a path among the `options` is), nor is
    /// what is so of the machine, like the version of the solver.
    ///
    /// text, 16 hex digits
    pub run_id: String,
    /// Which attempt at this run. More than 1 after an attempt that was interrupted, lost, or cut off before its row
    /// was written, or that `--resume --retry` repeated. The latest attempt counts.
    ///
    /// integer from 1
    pub attempt: u32,
    /// Name of the experiment in its config.
    ///
    /// text
    pub experiment: String,
    /// Name of the instance: its file name without the ending.
    ///
    /// text
    pub instance: String,
    /// Hash of what determines the puzzle. Layout, comments, `source` and `known` of the file are not part of it.
    ///
    /// text, 16 hex digits
    pub instance_hash: String,
    /// Number of tiles.
    ///
    /// count; empty if the kind of puzzle has none
    pub challenge: Option<u64>,
    /// Number of places of the board.
    ///
    /// count; empty if the kind of puzzle has none
    pub places: Option<u64>,
    /// Designated colour.
    ///
    /// text; empty if the kind of puzzle has none
    pub colour: Option<String>,
    /// Name of the formulation in the config.
    ///
    /// text
    pub formulation: String,
    /// What the solver was given: `mip` (a linear model), `sat` (clauses), `cp` (constraints), `search` (the puzzle
    /// itself), `minizinc` or `asp` (a program in that language).
    ///
    /// word
    pub kind: String,
    /// Kind mip: its constraint families in the order of the registry, separated by spaces. Other kinds: what it
    /// chooses instead, `key=value`, as in `cardinality=totalizer short-loops=7`; `none` where there is nothing to
    /// choose.
    ///
    /// text
    pub families: String,
    /// `virtual`, `none`, `weighted` or `random`; `none` for kinds other than mip.
    ///
    /// text
    pub objective: String,
    /// `report`, `propagate`, or `resolve:` or `lazy:` and the choice of cuts (`each`, `smallest`, `region`, `loop`).
    ///
    /// text; empty if the puzzle has no loops (3SoKu)
    pub subloops: String,
    /// `report` or `resolve`: what the formulation does about holes on bounded boards.
    ///
    /// text; empty if the puzzle has no holes (3SoKu)
    pub hole_treatment: String,
    /// Label of the solver in the config; where it has none, the name of the backend.
    ///
    /// text
    pub solver: String,
    /// Name of the backend.
    ///
    /// text
    pub backend: String,
    /// Version the backend reported when the run was planned.
    ///
    /// text; empty if the backend is not available on this machine
    pub solver_version: String,
    /// Options given to the backend, `k=v; k2=v2`, by name; then `proof=true` where a proof is written,
    /// `root-bound=true` where the linear relaxation is solved too, and `start`, `start-share`, `fix-and-optimise=true`,
    /// `loop-first=true` and `places-first=true` of the formulation, if it has them.
    ///
    /// text; empty if there is none of them
    pub options: String,
    /// Seed given to the backend.
    ///
    /// integer
    pub seed: u64,
    /// Which of the repeats that the config asks for; each is a run of its own.
    ///
    /// integer from 1
    pub repeat: u32,
    /// Threads given to the backend.
    ///
    /// count
    pub threads: u32,
    /// CPUs that the worker alone was pinned to, separated by spaces: one of each core, whose hyper-threads stay idle.
    ///
    /// text; empty if it was not pinned
    pub cpus: Option<String>,
    /// Workers that ran at a time in that session, at most. A session runs on one machine.
    ///
    /// count
    pub jobs: u32,
    /// Limit of the run's wall time, from the start of the worker to the end of its last solve.
    ///
    /// seconds; empty if there is no limit
    pub time_limit_s: Option<f64>,
    /// Limit of the CPU time of the worker and its descendants.
    ///
    /// seconds; empty if there is no limit
    pub cpu_limit_s: Option<f64>,
    /// Limit of the memory of the worker and its descendants.
    ///
    /// bytes; empty if there is no limit
    pub memory_limit_b: Option<u64>,
    /// What the solver or the process claims: `optimal`, `feasible`, `infeasible`, `timeout`, `memout`, `interrupted`,
    /// `unsupported`, `crash`, `error`, `lost`.
    ///
    /// word
    pub status: Status,
    /// What the judge found: `correct`, `wrong`, `unknown`, `error`.
    ///
    /// word
    pub category: Category,
    /// Why the run ended, such as `solved`, `soft-limit` or `signal`.
    ///
    /// word
    pub termination_reason: String,
    /// The solver's own word for the last solve; of a count the number of solutions with all digits, or at a limit
    /// the least that it can be.
    ///
    /// text; empty if the worker gave no answer, or its answer was a failure
    pub native_status: Option<String>,
    /// Exit code of the worker.
    ///
    /// integer; empty if the worker was killed by a signal, or none was started
    pub exit_code: Option<i32>,
    /// Signal that ended the worker; 9 where the parent killed it.
    ///
    /// integer; empty if the worker exited by itself, or none was started
    pub exit_signal: Option<i32>,
    /// Objective value of the answer's last solve; of a count the number of solutions, rounded.
    ///
    /// number; empty if the kind has no objective, that solve had no solution, or there is no answer
    pub objective_value: Option<f64>,
    /// Bound on the objective that this solve proved.
    ///
    /// number; empty if the backend gave none, the solve was infeasible, or there is no answer
    pub bound: Option<f64>,
    /// Relative gap between the two: their distance divided by the size of the value.
    ///
    /// number; empty if one of the two is missing, or the backend gave none
    pub gap: Option<f64>,
    /// Optimum of the linear relaxation of the first model (rows and bounds, integrality dropped), solved by the
    /// built-in HiGHS before anything else; `inf` where the relaxation has no solution. Its time is in `wall_time_s`
    /// and in no other time.
    ///
    /// number or `inf`; empty if the config does not ask for it, the kind is not mip, or it was not found (`message` says why)
    pub root_bound: Option<f64>,
    /// Designated loops, counted by the judge in the solution of the answer; after a limit or an interruption in that
    /// of the last solve that ended.
    ///
    /// count; empty if there is no such solution, or the status is `infeasible`, `unsupported`, `crash`, `error` or
    /// `lost`
    pub loops: Option<u64>,
    /// Holes of the same solution, counted by the judge.
    ///
    /// count; empty if `loops` is
    pub holes: Option<u64>,
    /// Solves that ended, included stages of the strategy `parts`, solves of lines with `loop-first`, of all choices with `places-first`, and, with `lazy`, solutions that were cut off while the solver ran: the rows of this attempt in `iterations.csv`.
    ///
    /// count; empty if the worker never came to `built`, and no solve ended
    pub iterations: Option<u64>,
    /// Cuts against subloops and holes, and rows against lines with `loop-first`, over all solves; a hole counts once, however many rows forbid it. With
    /// `propagate` also what the rule of the single loop forbade during the search (CP-SAT does not tell).
    ///
    /// count; empty if no solve ended
    pub cuts: Option<u64>,
    /// Variables of the first model; with `loop-first` of the whole model, with `places-first` of that on the first choice.
    ///
    /// count; empty if the worker never came to `built`, or the kind has no model (search)
    pub variables: Option<u64>,
    /// Rows, clauses or constraints of the first model; of a program what it was compiled or grounded to.
    ///
    /// count; empty if `variables` is
    pub constraints: Option<u64>,
    /// Nonzero coefficients in the rows of the first model, literals in its clauses, variables in its constraints.
    ///
    /// count; empty if `variables` is
    pub nonzeros: Option<u64>,
    /// Wall time in the worker to read the instance and to build the first model, with `start` also to solve a smaller board; for kinds
    /// minizinc and asp with the time to compile or ground it.
    ///
    /// seconds; empty if `variables` is
    pub build_time_s: Option<f64>,
    /// Sum of `time_s` over the solves that ended. A solve that was killed is not in it.
    ///
    /// seconds; empty if no solve ended
    pub solve_time_s: Option<f64>,
    /// From just before the worker was started to its end, as the parent saw it.
    ///
    /// seconds; empty if no worker was started
    pub wall_time_s: Option<f64>,
    /// User and system time of the worker and all of its descendants, also those that were killed; without a control
    /// group as far as they were seen.
    ///
    /// seconds; empty if no worker was started
    pub cpu_time_s: Option<f64>,
    /// Peak memory, as `memory_source` says; that of a control group counts descendants and cached files.
    ///
    /// bytes; empty if it was neither reported by the worker nor ever seen by the parent
    pub peak_memory_b: Option<u64>,
    /// How the peak was measured: `cgroup v2 memory.peak`, `cgroup v2 memory.current (parent poll)` or `cgroup v1
    /// max_usage`, by the kernel for the control group; `VmHWM (worker)`, read by the worker at its end; `VmHWM (parent
    /// poll)`, as the parent last saw it; `sum of VmRSS (parent poll)`, the worker and its descendants together, where
    /// that is more than the worker's own figure; `ru_maxrss (parent)`, the largest single process, where it
    /// had more than any poll saw.
    ///
    /// text; empty if there is no peak
    pub memory_source: Option<String>,
    /// How the worker was confined: `cgroup-v2`, `cgroup-v1`, or `process-group`, where the parent finds its descendants in `/proc`.
    ///
    /// word
    pub isolation: String,
    /// Nodes of the search trees, or decisions, summed over the solves.
    ///
    /// count; empty if the backend does not report them for every solve, or no solve ended
    pub nodes: Option<u64>,
    /// Simplex iterations, summed over the solves.
    ///
    /// count; empty if the backend does not report them for every solve, or no solve ended
    pub simplex_iterations: Option<u64>,
    /// Conflicts, summed over the solves.
    ///
    /// count; empty if the backend does not report them for every solve, or no solve ended
    pub conflicts: Option<u64>,
    /// Propagations, summed over the solves. What counts as one is for each solver to say.
    ///
    /// count; empty if the backend does not report them for every solve, or no solve ended
    pub propagations: Option<u64>,
    /// Kind search, strategy `parts`: parts of the board that were filled, those of boards begun anew included.
    ///
    /// count; empty if the search is another one, which boards of up to 30 tiles are left to, or no solve ended
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
    /// The session that measured it: the `id` of one of those in `manifest.json`, where machine and job stand.
    ///
    /// text, 12 hex digits; empty if the row was measured before there was this column
    pub session: String,
    /// Host name.
    ///
    /// text; empty if it cannot be read
    pub host: String,
    /// CPU model name as the kernel gives it.
    ///
    /// text; empty if the kernel gives none
    pub cpu_model: String,
    /// Git revision tilebench was built from, without `-dirty`.
    ///
    /// text, 12 hex digits; empty if it was built outside of git
    pub git_commit: String,
    /// Whether files under `harness`, `Cargo.toml` or `Cargo.lock` had changes that were not committed (or were not
    /// tracked) when it was built.
    ///
    /// `true` or `false`; empty if the revision is not known
    pub git_dirty: Option<bool>,
    /// When the attempt began.
    ///
    /// RFC 3339, UTC, milliseconds
    pub started_at: String,
    /// Remarks, joined by `; `: the judge's first, then one on a solver of another version than planned, then that the session was
    /// stopped, the machine asleep or its clock set anew during the run, then the worker's or the parent's (also when CPU time or peak memory
    /// was beyond the limit although the answer counts), with the end of what the run left in its log (standard error and the solver's output) where it failed.
    ///
    /// text; empty if there is nothing to remark
    pub message: Option<String>,
}
}

impl RunRow {
    /// The row of a first attempt of which nothing is known.
    #[must_use]
    pub fn unmeasured(run_id: impl Into<String>) -> Self {
        let (run_id, schema_version) = (run_id.into(), SCHEMA_VERSION);
        Self { schema_version, run_id, attempt: 1, repeat: 1, threads: 1, jobs: 1, ..Self::default() }
    }

    /// Whether it has a solution of its puzzle that was verified.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.category == Category::Correct && self.status.has_solution()
    }

    /// The number of its last solve, under which the solution of its answer stands.
    #[must_use]
    pub fn last_solve(&self) -> u64 {
        self.iterations.map_or(0, |iterations| iterations.saturating_sub(1))
    }

    /// Whether it failed. That a solver is missing, or cannot do what was asked, is no failure.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.category == Category::Error && self.status != Status::Unsupported
    }

    /// Whether it claims that its puzzle has no solution. A formulation that forbids some solutions says nothing of that.
    #[must_use]
    pub fn claims_infeasible(&self) -> bool {
        self.status == Status::Infeasible && self.termination_reason != RESTRICTED
    }

    /// Checks that its figures fit together, as those that were measured do.
    ///
    /// # Errors
    /// What does not.
    pub fn check(&self) -> Result<(), String> {
        if self.attempt == 0 {
            return Err("attempt 0: attempts are counted from 1".to_owned());
        }
        let within = self.build_time_s.unwrap_or(0.0) + self.solve_time_s.unwrap_or(0.0);
        match self.wall_time_s.filter(|wall| within > *wall && times_differ(within, *wall)) {
            Some(wall) => {
                Err(format!("building and solving took {within} s, the whole run {wall} s: one of the two was changed"))
            }
            None => Ok(()),
        }
    }

    /// Whether runs of which the column `families` says this count all solutions.
    #[must_use]
    pub fn counts(families: &str) -> bool {
        families.split(' ').any(|choice| choice == "strategy=count")
    }
}

/// Whether two times in seconds differ by more than clocks and rounding explain.
#[must_use]
pub fn times_differ(a: f64, b: f64) -> bool {
    (a - b).abs() > 0.05 + 0.01 * a.max(b)
}

row! {
/// A row of `plan.csv`: one for each run that the config asks for, whatever `--filter` said, in the order of the config.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanRow {
    /// The run; see `runs.csv`.
    ///
    /// text, 16 hex digits
    pub run_id: String,
    /// Name of the instance.
    ///
    /// text
    pub instance: String,
    /// Name of the formulation.
    ///
    /// text
    pub formulation: String,
    /// Label of the solver.
    ///
    /// text
    pub solver: String,
    /// Seed given to the backend.
    ///
    /// integer
    pub seed: u64,
    /// Which of the repeats.
    ///
    /// integer from 1
    pub repeat: u32,
}
}
