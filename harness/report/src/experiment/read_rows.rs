//! Reading the rows of a results directory, one by one: whole rows of a million runs would take gigabytes.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use record::{HostFacts, IterationRow, PlanRow, RecordError, ResultsDir, RunRow, SessionFacts, Status, stream_table};

use super::{Run, Setting, Solve};

/// All rows that are shown, and how many are not.
#[derive(Debug, Default)]
pub struct Rows {
    /// The latest attempt of each run, by run id.
    pub runs: Vec<Run>,
    /// Their solves, by run and iteration.
    pub solves: Vec<Solve>,
    /// Attempts that a later one of the same run superseded. That a run was interrupted and repeated is no cause for
    /// concern and does not count.
    pub superseded: usize,
    /// Rows of runs that the plan does not hold.
    pub earlier: usize,
}

impl Rows {
    /// Reads a results directory; a plan that is not there holds every run.
    ///
    /// # Errors
    /// A file that cannot be read, a row that does not fit the schema, a run that stands there twice.
    pub fn read(files: &ResultsDir, sessions: &[SessionFacts]) -> Result<Self, RecordError> {
        let plan = Plan::read(files)?;
        let (mut rows, mut shared) = (Self::default(), Shared::of(sessions));
        let mut places: HashMap<Arc<str>, usize> = HashMap::new();
        let mut attempts: HashSet<(usize, u32)> = HashSet::new();
        for row in files.stream_runs()? {
            let (line, mut row) = row?;
            let place = places.get(row.run_id.as_str()).copied();
            if place.is_some_and(|place| !attempts.insert((place, row.attempt))) {
                return Err(files.second_time(line, &row));
            }
            if let Some(plan) = &plan
                && !plan.name(&mut row)
            {
                rows.earlier += 1;
                continue;
            }
            let counts = |status: Status| usize::from(status != Status::Interrupted);
            let run = shared.run(row);
            match place {
                None => {
                    attempts.insert((rows.runs.len(), run.attempt));
                    places.insert(run.run_id.clone(), rows.runs.len());
                    rows.runs.push(run);
                }
                Some(place) => {
                    let kept = &mut rows.runs[place];
                    let older = if run.attempt > kept.attempt { std::mem::replace(kept, run) } else { run };
                    rows.superseded += counts(older.status);
                }
            }
        }
        drop((plan, places, attempts));
        rows.runs.sort_by(|a, b| a.run_id.cmp(&b.run_id));
        rows.read_solves(files)?;
        Ok(rows)
    }

    /// Reads the solves of the runs that are there.
    fn read_solves(&mut self, files: &ResultsDir) -> Result<(), RecordError> {
        let places: HashMap<_, _> = self.runs.iter().enumerate().map(|(i, r)| (&*r.run_id, (i, r.attempt))).collect();
        let mut found: Vec<(usize, Solve)> = Vec::new();
        for row in stream_table::<IterationRow>(&files.iterations())? {
            let (_, row) = row?;
            let Some((place, attempt)) = places.get(row.run_id.as_str()) else { continue };
            if *attempt == row.attempt {
                found.push((*place, solve(&row)));
            }
        }
        drop(places);
        found.sort_by_key(|(place, solve)| (*place, solve.iteration));
        let mut start = 0;
        for solves in found.chunk_by(|a, b| a.0 == b.0) {
            self.runs[solves[0].0].solves = start..start + solves.len();
            start += solves.len();
        }
        self.solves = found.into_iter().map(|(_, solve)| solve).collect();
        Ok(())
    }

    /// The settings that occur, in order of their first run.
    pub fn settings(&self) -> Vec<Arc<Setting>> {
        let mut seen = HashSet::new();
        let settings = self.runs.iter().map(|r| &r.setting);
        settings.filter(|s| seen.insert(Arc::as_ptr(s))).cloned().collect()
    }
}

/// The planned runs: what their cells are called now. A name is no part of a run's identity, so rows that a session kept
/// may have another one.
struct Plan {
    /// Of each run the number of its cell.
    runs: HashMap<Box<str>, usize>,
    /// Instance, formulation and solver.
    cells: Vec<[String; 3]>,
}

impl Plan {
    /// Reads the plan, if there is one.
    fn read(files: &ResultsDir) -> Result<Option<Self>, RecordError> {
        if !files.plan().is_file() {
            return Ok(None);
        }
        let (mut runs, mut numbers) = (HashMap::new(), HashMap::new());
        for row in stream_table::<PlanRow>(&files.plan())? {
            let (_, row) = row?;
            let next = numbers.len();
            let number = *numbers.entry([row.instance, row.formulation, row.solver]).or_insert(next);
            runs.insert(row.run_id.into_boxed_str(), number);
        }
        let mut cells: Vec<_> = numbers.into_iter().collect();
        cells.sort_unstable_by_key(|(_, number)| *number);
        Ok(Some(Self { runs, cells: cells.into_iter().map(|(cell, _)| cell).collect() }))
    }

    /// Gives a row the names of the plan; whether the plan holds its run.
    fn name(&self, row: &mut RunRow) -> bool {
        let cell = self.runs.get(row.run_id.as_str()).and_then(|number| self.cells.get(*number));
        if let Some([instance, formulation, solver]) = cell {
            row.instance.clone_from(instance);
            row.formulation.clone_from(formulation);
            row.solver.clone_from(solver);
        }
        cell.is_some()
    }
}

fn solve(row: &IterationRow) -> Solve {
    Solve {
        iteration: row.iteration,
        time_s: row.time_s,
        status: row.status,
        loops: row.loops,
        holes: row.holes,
        cuts_added: row.cuts_added,
    }
}

/// What was met in earlier rows, and the sessions with their machines.
struct Shared<'a> {
    settings: HashSet<Arc<Setting>>,
    texts: HashSet<Arc<str>>,
    sessions: &'a [SessionFacts],
    machines: Vec<Arc<HostFacts>>,
}

impl<'a> Shared<'a> {
    fn of(sessions: &'a [SessionFacts]) -> Self {
        let machines = sessions.iter().map(|s| Arc::new(s.host.clone())).collect();
        Self { settings: HashSet::new(), texts: HashSet::new(), sessions, machines }
    }

    fn run(&mut self, row: RunRow) -> Run {
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
            conflicts: row.conflicts,
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
