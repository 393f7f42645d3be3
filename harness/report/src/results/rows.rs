//! Rows as a report keeps them: what many runs share is kept once, and of the rest what tables and plots show. A
//! million runs take a few hundred megabytes so.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use record::{Category, HostFacts, RunRow, SessionFacts, Status};

/// What a run has in common with others: its cell and how it was measured. [`RunRow`] describes each column.
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
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solve {
    pub iteration: u64,
    pub time_s: f64,
    pub status: Status,
    pub loops: Option<u64>,
    pub holes: Option<u64>,
    pub cuts_added: u64,
}

/// What was met in earlier rows, and the sessions with their machines.
pub struct Shared<'a> {
    settings: HashSet<Arc<Setting>>,
    texts: HashSet<Arc<str>>,
    sessions: &'a [SessionFacts],
    machines: Vec<Arc<HostFacts>>,
}

impl<'a> Shared<'a> {
    pub fn of(sessions: &'a [SessionFacts]) -> Self {
        let machines = sessions.iter().map(|s| Arc::new(s.host.clone())).collect();
        Self { settings: HashSet::new(), texts: HashSet::new(), sessions, machines }
    }

    pub fn run(&mut self, row: RunRow) -> Run {
        let day = row.started_at.split('T').next().unwrap_or_default();
        let session = session(&row, self.sessions);
        Run {
            attempt: row.attempt,
            seed: row.seed,
            repeat: row.repeat,
            status: row.status,
            category: row.category,
            termination_reason: self.text(&row.termination_reason),
            time_limit_s: row.time_limit_s,
            cpu_limit_s: row.cpu_limit_s,
            memory_limit_b: row.memory_limit_b,
            loops: row.loops,
            holes: row.holes,
            iterations: row.iterations,
            cuts: row.cuts,
            variables: row.variables,
            constraints: row.constraints,
            nonzeros: row.nonzeros,
            build_time_s: row.build_time_s,
            solve_time_s: row.solve_time_s,
            wall_time_s: row.wall_time_s,
            cpu_time_s: row.cpu_time_s,
            peak_memory_b: row.peak_memory_b,
            objective_value: row.objective_value,
            bound: row.bound,
            root_bound: row.root_bound,
            nodes: row.nodes,
            simplex_iterations: row.simplex_iterations,
            conflicts: row.conflicts,
            propagations: row.propagations,
            message: row.message.as_deref().map(|message| self.text(message)),
            day: self.text(day),
            session,
            solves: 0..0,
            run_id: row.run_id.as_str().into(),
            setting: self.setting(row, session),
        }
    }

    fn text(&mut self, text: &str) -> Arc<str> {
        if let Some(text) = self.texts.get(text) {
            return text.clone();
        }
        let shared: Arc<str> = text.into();
        self.texts.insert(shared.clone());
        shared
    }

    fn setting(&mut self, row: RunRow, session: Option<usize>) -> Arc<Setting> {
        let dirty = if row.git_dirty == Some(true) { "-dirty" } else { "" };
        let build = if row.git_commit.is_empty() { String::new() } else { row.git_commit + dirty };
        let seconds = |limit: Option<f64>| limit.map_or_else(|| "none".to_owned(), |s| format!("{s} s"));
        let setting = Setting {
            instance: row.instance,
            instance_hash: row.instance_hash,
            challenge: row.challenge,
            places: row.places,
            formulation: row.formulation,
            kind: row.kind,
            families: row.families,
            objective: row.objective,
            subloops: row.subloops,
            hole_treatment: row.hole_treatment,
            solver: row.solver,
            solver_version: row.solver_version,
            options: row.options,
            threads: row.threads,
            pinned: row.cpus.is_some(),
            jobs: row.jobs,
            time_limit: seconds(row.time_limit_s),
            cpu_limit: seconds(row.cpu_limit_s),
            memory_limit: row.memory_limit_b.map_or_else(|| "none".to_owned(), bytes),
            memory_source: row.memory_source.unwrap_or_default(),
            isolation: row.isolation,
            host: row.host,
            cpu_model: row.cpu_model,
            machine: session.and_then(|index| self.machines.get(index)).cloned(),
            build,
        };
        if let Some(shared) = self.settings.get(&setting) {
            return shared.clone();
        }
        let shared = Arc::new(setting);
        self.settings.insert(shared.clone());
        shared
    }
}

fn bytes(count: u64) -> String {
    if count.is_multiple_of(1 << 20) { format!("{} MiB", count >> 20) } else { format!("{count} B") }
}

/// The latest session on its machine that had begun when the row's run began.
fn session(row: &RunRow, sessions: &[SessionFacts]) -> Option<usize> {
    // Without the `Z`, of which some stand behind fractions of a second and some do not.
    let began = |session: &SessionFacts| session.started_at.trim_end_matches('Z') <= row.started_at.as_str();
    let here = |session: &SessionFacts| session.host.host == row.host && session.host.cpu_model == row.cpu_model;
    sessions.iter().rposition(|session| began(session) && here(session))
}
