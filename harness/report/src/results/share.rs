//! Rows as a report keeps them: what a run has in common with others is kept once.

use std::collections::HashSet;
use std::sync::Arc;

use record::{HostFacts, RunRow, SessionFacts};

use super::{Run, Setting};

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
