//! Rows as a report keeps them: what many runs share is kept once, and of the rest what tables and plots show. A
//! million runs take a few hundred megabytes so.

use std::ops::Range;
use std::sync::Arc;

use record::{Category, HostFacts, Status};

/// What a run has in common with others: its cell and how it was measured. `results/COLUMNS.md` describes each column.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Setting {
    pub instance: String,
    pub instance_hash: String,
    pub challenge: Option<u64>,
    pub places: Option<u64>,
    pub formulation: String,
    pub kind: String,
    pub families: String,
    pub objective: String,
    pub subloops: String,
    pub hole_treatment: String,
    pub solver: String,
    pub solver_version: String,
    pub options: String,
    pub threads: u32,
    /// Whether the worker had CPUs of its own.
    pub pinned: bool,
    pub jobs: u32,
    /// As text, in seconds: it is compared and shown.
    pub time_limit: String,
    /// As text, in seconds.
    pub cpu_limit: String,
    /// As text, in MiB or bytes.
    pub memory_limit: String,
    /// Empty where there is no peak.
    pub memory_source: String,
    pub isolation: String,
    pub host: String,
    pub cpu_model: String,
    /// What the session that it began in says of the machine, if there is one.
    pub machine: Option<Arc<HostFacts>>,
    /// Revision of tilebench, with `-dirty` for changed files; empty: not known.
    pub build: String,
}

impl Setting {
    /// Whether its puzzle has loops: rows say nothing of them where it has none.
    pub fn has_loops(&self) -> bool {
        !self.subloops.is_empty()
    }

    /// Instance, formulation and solver, as messages name a cell.
    pub fn cell(&self) -> String {
        format!("{} / {} / {}", self.instance, self.formulation, self.solver)
    }
}

/// The latest attempt at a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    pub run_id: Arc<str>,
    pub attempt: u32,
    pub setting: Arc<Setting>,
    pub seed: u64,
    pub repeat: u32,
    pub status: Status,
    pub category: Category,
    pub termination_reason: Arc<str>,
    pub time_limit_s: Option<f64>,
    pub cpu_limit_s: Option<f64>,
    pub memory_limit_b: Option<u64>,
    pub loops: Option<u64>,
    pub holes: Option<u64>,
    pub iterations: Option<u64>,
    pub cuts: Option<u64>,
    pub variables: Option<u64>,
    pub constraints: Option<u64>,
    pub nonzeros: Option<u64>,
    pub build_time_s: Option<f64>,
    pub solve_time_s: Option<f64>,
    pub wall_time_s: Option<f64>,
    pub cpu_time_s: Option<f64>,
    pub peak_memory_b: Option<u64>,
    /// Objective value of the answer.
    pub objective_value: Option<f64>,
    /// Bound on the objective that the last solve proved.
    pub bound: Option<f64>,
    /// Optimum of the linear relaxation of the first model; infinite where it has no solution.
    pub root_bound: Option<f64>,
    pub nodes: Option<u64>,
    pub simplex_iterations: Option<u64>,
    pub conflicts: Option<u64>,
    pub propagations: Option<u64>,
    pub message: Option<Arc<str>>,
    /// The day it began, `2026-01-02`.
    pub day: Arc<str>,
    /// The session of the manifest that it began in, if there is one on its machine.
    pub session: Option<usize>,
    /// Where its solves stand.
    pub solves: Range<usize>,
}

/// Relative and absolute difference of wall time and CPU time (s) above which something is odd.
const ODD: (f64, f64) = (1.1, 0.5);

impl Run {
    /// Tells its setting from others: it is shared, not repeated.
    pub fn setting_address(&self) -> usize {
        Arc::as_ptr(&self.setting).addr()
    }

    /// Whether it waited: with one thread its wall time exceeds its CPU time by more than 10 % and 0.5 s.
    pub fn is_disturbed(&self) -> bool {
        self.setting.threads == 1 && self.times().is_some_and(|(wall, cpu)| is_odd(cpu, wall))
    }

    /// Whether it took more CPU time than its threads can in its wall time, by as much.
    pub fn is_overdrawn(&self) -> bool {
        self.times().is_some_and(|(wall, cpu)| is_odd(wall * f64::from(self.setting.threads.max(1)), cpu))
    }

    /// Wall time and CPU time.
    pub fn times(&self) -> Option<(f64, f64)> {
        self.wall_time_s.zip(self.cpu_time_s)
    }
}

/// Whether a time exceeds what is expected by more than 10 % and 0.5 s.
pub fn is_odd(expected: f64, found: f64) -> bool {
    found > ODD.0 * expected && found - expected > ODD.1
}

/// One solve of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Solve {
    pub iteration: u64,
    pub time_s: f64,
    pub status: Status,
    pub loops: Option<u64>,
    pub holes: Option<u64>,
    pub cuts_added: u64,
}
