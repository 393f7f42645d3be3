//! Rows as a report keeps them: what many runs share is kept once.

use std::collections::HashSet;
use std::mem::take;
use std::ops::{Deref, Range};
use std::sync::Arc;

use record::{HostFacts, RunRow, SessionFacts, Status};

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

/// The latest attempt at a run: its row, of which the texts that [`Setting`] holds are taken out.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    row: RunRow,
    pub setting: Arc<Setting>,
    /// The session of the manifest that it began in, if there is one on its machine.
    pub session: Option<usize>,
    pub solves: Range<usize>,
}

impl Deref for Run {
    type Target = RunRow;

    fn deref(&self) -> &RunRow {
        &self.row
    }
}

/// Relative and absolute difference of wall time and CPU time (s) above which something is odd.
const ODD: (f64, f64) = (1.1, 0.5);

impl Run {
    /// The day it began, `2026-01-02`.
    pub fn day(&self) -> &str {
        self.started_at.split('T').next().unwrap_or_default()
    }

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

    pub fn times(&self) -> Option<(f64, f64)> {
        self.wall_time_s.zip(self.cpu_time_s)
    }
}

/// Whether a time exceeds what is expected by more than 10 % and 0.5 s.
pub fn is_odd(expected: f64, found: f64) -> bool {
    found > ODD.0 * expected && found - expected > ODD.1
}

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
    sessions: &'a [SessionFacts],
    machines: Vec<Arc<HostFacts>>,
}

impl<'a> Shared<'a> {
    pub fn of(sessions: &'a [SessionFacts]) -> Self {
        let machines = sessions.iter().map(|s| Arc::new(s.host.clone())).collect();
        Self { settings: HashSet::new(), sessions, machines }
    }

    pub fn run(&mut self, mut row: RunRow) -> Run {
        let session = session(&row, self.sessions);
        Run { setting: self.setting(&mut row, session), row, session, solves: 0..0 }
    }

    fn setting(&mut self, row: &mut RunRow, session: Option<usize>) -> Arc<Setting> {
        let dirty = if row.git_dirty == Some(true) { "-dirty" } else { "" };
        let commit = take(&mut row.git_commit);
        let seconds = |limit: Option<f64>| limit.map_or_else(|| "none".to_owned(), |s| format!("{s} s"));
        let setting = Setting {
            instance: take(&mut row.instance),
            instance_hash: take(&mut row.instance_hash),
            challenge: row.challenge,
            places: row.places,
            formulation: take(&mut row.formulation),
            kind: take(&mut row.kind),
            families: take(&mut row.families),
            objective: take(&mut row.objective),
            subloops: take(&mut row.subloops),
            hole_treatment: take(&mut row.hole_treatment),
            solver: take(&mut row.solver),
            solver_version: take(&mut row.solver_version),
            options: take(&mut row.options),
            threads: row.threads,
            pinned: take(&mut row.cpus).is_some(),
            jobs: row.jobs,
            time_limit: seconds(row.time_limit_s),
            cpu_limit: seconds(row.cpu_limit_s),
            memory_limit: row.memory_limit_b.map_or_else(|| "none".to_owned(), bytes),
            memory_source: take(&mut row.memory_source).unwrap_or_default(),
            isolation: take(&mut row.isolation),
            host: take(&mut row.host),
            cpu_model: take(&mut row.cpu_model),
            machine: session.and_then(|index| self.machines.get(index)).cloned(),
            build: if commit.is_empty() { commit } else { commit + dirty },
        };
        // What no report shows.
        for unused in [&mut row.experiment, &mut row.backend] {
            unused.clear();
            unused.shrink_to_fit();
        }
        (row.colour, row.native_status) = (None, None);
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
