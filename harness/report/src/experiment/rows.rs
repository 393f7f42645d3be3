//! The rows of a results directory as a report keeps them: what many rows share is kept once, and of the rest what
//! tables and plots show. A million rows take a few hundred megabytes so.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use record::{Category, IterationRow, PlanRow, RecordError, ResultsDir, RunRow, SessionFacts, Status, stream_table};

/// What a run has in common with others: its cell and how it was measured. `results/COLUMNS.md` describes each column.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Setting {
    pub instance: String,
    pub instance_hash: String,
    pub challenge: Option<u64>,
    pub places: Option<u64>,
    pub formulation: String,
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
    /// As text, in bytes.
    pub memory_limit: String,
    /// Empty where there is no peak.
    pub memory_source: String,
    pub isolation: String,
    pub host: String,
    pub cpu_model: String,
    /// Revision of tilebench, with `-dirty` for changed files; empty: not known.
    pub build: String,
}

impl Setting {
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

fn is_odd(expected: f64, found: f64) -> bool {
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
        let plan = read_plan(files)?;
        let (mut rows, mut shared) = (Self::default(), Shared::default());
        let mut places: HashMap<Arc<str>, usize> = HashMap::new();
        let mut attempts: HashSet<(usize, u32)> = HashSet::new();
        for row in files.stream_runs()? {
            let (line, row) = row?;
            let place = places.get(row.run_id.as_str()).copied();
            if place.is_some_and(|place| !attempts.insert((place, row.attempt))) {
                let reason = format!("run {} attempt {} stands here a second time", row.run_id, row.attempt);
                return Err(RecordError::Row { path: files.runs(), line, reason });
            }
            if plan.as_ref().is_some_and(|plan| !plan.contains(row.run_id.as_str())) {
                rows.earlier += 1;
                continue;
            }
            let counts = |status: Status| usize::from(status != Status::Interrupted);
            let run = shared.run(row, sessions);
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

/// The ids of the planned runs.
fn read_plan(files: &ResultsDir) -> Result<Option<HashSet<Box<str>>>, RecordError> {
    if !files.plan().is_file() {
        return Ok(None);
    }
    let rows = stream_table::<PlanRow>(&files.plan())?;
    rows.map(|row| Ok(row?.1.run_id.into_boxed_str())).collect::<Result<_, _>>().map(Some)
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

/// What was met in earlier rows.
#[derive(Default)]
struct Shared {
    settings: HashSet<Arc<Setting>>,
    texts: HashSet<Arc<str>>,
}

impl Shared {
    fn run(&mut self, row: RunRow, sessions: &[SessionFacts]) -> Run {
        let day = row.started_at.split('T').next().unwrap_or_default();
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
            day: self.text(day),
            session: session(&row, sessions),
            solves: 0..0,
            run_id: row.run_id.as_str().into(),
            setting: self.setting(row),
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

    fn setting(&mut self, row: RunRow) -> Arc<Setting> {
        let dirty = if row.git_dirty == Some(true) { "-dirty" } else { "" };
        let build = if row.git_commit.is_empty() { String::new() } else { row.git_commit + dirty };
        let seconds = |limit: Option<f64>| limit.map_or_else(|| "none".to_owned(), |s| format!("{s} s"));
        let setting = Setting {
            instance: row.instance,
            instance_hash: row.instance_hash,
            challenge: row.challenge,
            places: row.places,
            formulation: row.formulation,
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
            memory_limit: row.memory_limit_b.map_or_else(|| "none".to_owned(), |b| format!("{b} B")),
            memory_source: row.memory_source.unwrap_or_default(),
            isolation: row.isolation,
            host: row.host,
            cpu_model: row.cpu_model,
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

/// The latest session on its machine that had begun when the row's run began.
fn session(row: &RunRow, sessions: &[SessionFacts]) -> Option<usize> {
    // Without the `Z`, of which some stand behind fractions of a second and some do not.
    let began = |session: &SessionFacts| session.started_at.trim_end_matches('Z') <= row.started_at.as_str();
    let here = |session: &SessionFacts| session.host.host == row.host && session.host.cpu_model == row.cpu_model;
    sessions.iter().rposition(|session| began(session) && here(session))
}
