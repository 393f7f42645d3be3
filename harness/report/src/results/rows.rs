//! The rows of a results directory, read one by one (whole rows of a million runs would take gigabytes); what many runs share is
//! kept once.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::Hash;
use std::mem::{replace, take};
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use record::{
    Answers, Category, HostFacts, IterationRow, Lays, ModelColumns, PlanRow, RecordError, ResultsDir, Row, RunKey,
    RunRow, SessionFacts, Status, TableReader, bytes, stream_table, times_differ,
};

/// All rows that are shown, and how many are not.
#[derive(Debug, Default)]
pub struct Rows {
    /// The latest attempt of each run, by run id.
    pub runs: Vec<Run>,
    /// Attempts that a later one of the same run superseded. That a run was interrupted and repeated is no cause for
    /// concern and does not count.
    pub superseded: usize,
    /// Rows of runs that the plan does not hold.
    pub earlier: usize,
    pub planned: bool,
    /// Rows of `iterations.csv` whose attempt has no row in `runs.csv`.
    pub orphans: usize,
    /// Runs that had more solves than `iterations.csv` has rows of them, or fewer.
    pub miscounted: usize,
    /// Files that end in a row that was not written to its end, with the line at which it begins.
    pub truncated: Vec<(&'static str, u64)>,
    /// Columns that this version does not know, each with its file.
    pub unknown: BTreeSet<String>,
    /// How runs of an instance contradict each other: one of them, a model or the judge errs.
    pub contradictions: BTreeSet<String>,
}

impl Rows {
    /// Reads a results directory; a plan that is not there holds every run. Rows that a session is just writing, or did not
    /// come to write to their end, are left out.
    ///
    /// # Errors
    /// A file that cannot be read, a row that does not fit the schema, a figure that cannot be, a run or solve that stands
    /// there twice.
    pub fn read(files: &ResultsDir, sessions: &[SessionFacts]) -> Result<Self, RecordError> {
        // What a session writes in between has its solves first: a run is never without them if they are read later, and
        // reading both at once takes half the time. So who reads while rows are written may see too few solves, and is told.
        thread::scope(|scope| {
            let path = files.iterations();
            let solves = scope.spawn(move || read_solves(&path));
            let mut reading = Reading::new(read_plan(files)?, sessions);
            let mut table = TableReader::<RunRow>::open(&files.runs())?;
            for row in table.by_ref() {
                let (line, row) = row?;
                if !reading.is_new(&row) {
                    return Err(files.second_time(line, &row));
                }
                row.check().map_err(|reason| RecordError::Row { path: files.runs(), line, reason })?;
                reading.take(row);
            }
            let Reading { mut rows, known, .. } = reading;
            rows.note("runs.csv", &table);
            // Runs are large: each is moved once.
            rows.runs.sort_by_cached_key(|run| run.run_id.clone());
            let (solves, table) = solves.join().map_err(|_| RecordError::File {
                path: files.iterations(),
                reason: "reading it failed; this is a bug".to_owned(),
            })??;
            rows.note("iterations.csv", &table);
            let failed = |(line, reason)| RecordError::Row { path: files.iterations(), line, reason };
            rows.add(solves, &known).map_err(failed)?;
            rows.refute();
            Ok(rows)
        })
    }

    fn note<T: Row>(&mut self, file: &'static str, table: &TableReader<T>) {
        self.truncated.extend(table.truncated().map(|line| (file, line)));
        self.unknown.extend(table.unknown().iter().map(|column| format!("{column} ({file})")));
    }

    /// Adds the solves of the runs that are shown, or says in which line what is wrong.
    fn add(&mut self, mut solves: Solves, known: &HashMap<String, Known>) -> Result<(), (u64, String)> {
        for run in &mut self.runs {
            run.solves = solves.remove(&(run.run_id.clone(), run.attempt)).unwrap_or_default();
            run.solves.sort_by_key(|solve| solve.iteration);
            if let Some([_, twice]) = run.solves.array_windows().find(|[a, b]| a.iteration == b.iteration) {
                let (iteration, id, attempt) = (twice.iteration, &run.run_id, run.attempt);
                return Err((
                    twice.line,
                    format!("iteration {iteration} of run {id} attempt {attempt} stands here a second time"),
                ));
            }
            let sum: f64 = run.solves.iter().map(|solve| solve.time_s).sum();
            if let (Some(total), Some(last)) = (run.solve_time_s, run.solves.last())
                && run.iterations == Some(run.solves.len() as u64)
                && times_differ(sum, total)
            {
                let reason = format!(
                    "the solves of run {} took {sum} s together, and its row in runs.csv says {total} s: one of the two was changed",
                    run.run_id
                );
                return Err((last.line, reason));
            }
            self.miscounted += usize::from(run.iterations.is_some_and(|count| count != run.solves.len() as u64));
        }
        // Of what is left, some are of attempts that are not shown.
        let has_row = |(id, attempt): &(String, u32)| known.get(id).is_some_and(|run| run.attempts.contains(attempt));
        self.orphans = solves.iter().filter(|(key, _)| !has_row(key)).map(|(_, lines)| lines.len()).sum();
        Ok(())
    }
}

impl Rows {
    /// Holds the answers against each other. What a verified solution refutes is wrong, whatever was known of the instance when it was
    /// judged.
    fn refute(&mut self) {
        let mut of_instances = HashMap::<&str, Answers>::new();
        for run in &self.runs {
            let answers = of_instances.entry(&run.setting.instance_hash).or_default();
            answers.note(run, run.setting.model(), || run.setting.cell());
        }
        self.contradictions = of_instances.values().filter_map(Answers::contradiction).collect();
        let refuted = |run: &Run| of_instances[run.setting.instance_hash.as_str()].refutes(run, run.setting.model());
        let refuted: Vec<_> = self.runs.iter().map(refuted).collect();
        for (run, _) in self.runs.iter_mut().zip(refuted).filter(|(_, refuted)| *refuted) {
            run.is_refuted = run.category != Category::Wrong;
            run.row.category = Category::Wrong;
        }
    }
}

/// What was met in the rows so far, and what these are read by.
struct Reading<'a> {
    rows: Rows,
    plan: Option<Plan>,
    sessions: &'a [SessionFacts],
    machines: Vec<Arc<HostFacts>>,
    settings: HashSet<Arc<Setting>>,
    known: HashMap<String, Known>,
}

#[derive(Default)]
struct Known {
    /// The attempts that have a row, whether the plan holds the run or not.
    attempts: Vec<u32>,
    place: Option<usize>,
}

impl<'a> Reading<'a> {
    fn new(plan: Option<Plan>, sessions: &'a [SessionFacts]) -> Self {
        Self {
            rows: Rows { planned: plan.is_some(), ..Rows::default() },
            plan,
            sessions,
            machines: sessions.iter().map(|session| Arc::new(session.host.clone())).collect(),
            settings: HashSet::new(),
            known: HashMap::new(),
        }
    }

    /// Notes an attempt; false if it has a row before this one.
    fn is_new(&mut self, row: &RunRow) -> bool {
        let attempts = &mut self.known.entry(row.run_id.clone()).or_default().attempts;
        let is_new = !attempts.contains(&row.attempt);
        if is_new {
            attempts.push(row.attempt);
        }
        is_new
    }

    /// Keeps a row, if the plan holds its run and no later attempt stands before it.
    fn take(&mut self, mut row: RunRow) {
        let mut old_name = None;
        if let Some(plan) = &self.plan {
            let Some(cell) = plan.get(&row.run_id) else {
                self.rows.earlier += 1;
                return;
            };
            let then = row.instance;
            [row.instance, row.formulation, row.solver] = <[String; 3]>::clone(cell);
            old_name = (then != row.instance).then(|| then.into_boxed_str());
        }
        let run = Run { old_name, ..self.run(row) };
        let rows = &mut self.rows;
        let place = &mut self.known.entry(run.run_id.clone()).or_default().place;
        let Some(place) = *place else {
            *place = Some(rows.runs.len());
            rows.runs.push(run);
            return;
        };
        let kept = &mut rows.runs[place];
        let older = if run.attempt > kept.attempt { replace(kept, run) } else { run };
        rows.superseded += usize::from(older.status != Status::Interrupted);
    }

    fn run(&mut self, mut row: RunRow) -> Run {
        let session = session(&row, self.sessions);
        let machine = session.and_then(|index| self.machines.get(index)).cloned();
        let setting = shared(&mut self.settings, Setting::take(&mut row, machine));
        // What no report shows.
        for unused in [&mut row.experiment, &mut row.session] {
            unused.clear();
            unused.shrink_to_fit();
        }
        row.colour = None;
        // That of a count has all of its digits.
        if !RunRow::counts(&setting.families) {
            row.native_status = None;
        }
        Run { row, setting, old_name: None, session, solves: Vec::new(), is_refuted: false }
    }
}

/// The value that is known already, or else this one, known from now on.
fn shared<T: Eq + Hash>(known: &mut HashSet<Arc<T>>, value: T) -> Arc<T> {
    let found = known.get(&value).cloned();
    found.unwrap_or_else(|| {
        let value = Arc::new(value);
        known.insert(value.clone());
        value
    })
}

/// Of each planned run what its instance, formulation and solver are called now. A name is no part of a run's identity, so rows that
/// a session kept may have another one.
type Plan = HashMap<String, Arc<[String; 3]>>;

/// The plan; `None` where there is none.
fn read_plan(files: &ResultsDir) -> Result<Option<Plan>, RecordError> {
    if !files.plan().is_file() {
        return Ok(None);
    }
    let (mut plan, mut cells) = (Plan::new(), HashSet::new());
    for row in stream_table::<PlanRow>(&files.plan())? {
        let (_, PlanRow { run_id, instance, formulation, solver, .. }) = row?;
        plan.insert(run_id, shared(&mut cells, [instance, formulation, solver]));
    }
    Ok(Some(plan))
}

/// Rows of `iterations.csv` by run id and attempt.
type Solves = HashMap<(String, u32), Vec<Solve>>;

/// Reads `iterations.csv`; the reader tells what is left out of it.
fn read_solves(path: &Path) -> Result<(Solves, TableReader<IterationRow>), RecordError> {
    let mut solves = Solves::new();
    let mut table = TableReader::<IterationRow>::open(path)?;
    // Rows of a run mostly follow each other: they are gathered, and the run is looked up once for all of them.
    let (mut run, mut of_run) = ((String::new(), 0), Vec::new());
    for row in table.by_ref() {
        let (line, IterationRow { run_id, attempt, solve: of }) = row?;
        let lays_tiles = of.lays != Some(Lays::Lines);
        let solve = Solve {
            line,
            iteration: of.iteration,
            time_s: of.time_s,
            status: of.status.into(),
            loops: of.loops.filter(|_| lays_tiles),
            // The longest loop comes first.
            second_loop: of.loop_lengths.filter(|_| lays_tiles).and_then(|of| of.split(' ').nth(1)?.parse().ok()),
            holes: of.holes.filter(|_| lays_tiles),
            cuts_added: of.cuts_added,
            lays_tiles,
        };
        if run.0 != run_id || run.1 != attempt {
            solves.entry(replace(&mut run, (run_id, attempt))).or_default().append(&mut of_run);
        }
        of_run.push(solve);
    }
    solves.entry(run).or_default().append(&mut of_run);
    Ok((solves, table))
}

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
    pub backend: String,
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
    /// What the session that measured it says of the machine, if there is one.
    pub machine: Option<Arc<HostFacts>>,
    /// Revision of tilebench, with `-dirty` for changed files; empty: not known.
    pub build: String,
}

impl Setting {
    /// Takes its texts out of a row.
    fn take(row: &mut RunRow, machine: Option<Arc<HostFacts>>) -> Self {
        let mut build = take(&mut row.git_commit);
        if !build.is_empty() && row.git_dirty == Some(true) {
            build += "-dirty";
        }
        let none = || "none".to_owned();
        let seconds = |limit: Option<f64>| limit.map_or_else(none, |limit| format!("{limit} s"));
        Self {
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
            backend: take(&mut row.backend),
            solver_version: take(&mut row.solver_version),
            options: take(&mut row.options),
            threads: row.threads,
            pinned: take(&mut row.cpus).is_some(),
            jobs: row.jobs,
            time_limit: seconds(row.time_limit_s),
            cpu_limit: seconds(row.cpu_limit_s),
            memory_limit: row.memory_limit_b.map_or_else(none, bytes),
            memory_source: take(&mut row.memory_source).unwrap_or_default(),
            isolation: take(&mut row.isolation),
            host: take(&mut row.host),
            cpu_model: take(&mut row.cpu_model),
            machine,
            build,
        }
    }

    /// What determines its model.
    pub fn model(&self) -> ModelColumns<'_> {
        let Self { kind, families, objective, options, places, .. } = self;
        ModelColumns { kind, families, objective, options, places: *places }
    }

    /// Whether its puzzle has loops: rows say nothing of them where it has none.
    pub fn has_loops(&self) -> bool {
        !self.subloops.is_empty()
    }

    /// Instance, formulation and solver.
    pub fn names(&self) -> [&str; 3] {
        [&self.instance, &self.formulation, &self.solver]
    }

    /// The same, as messages name a cell.
    pub fn cell(&self) -> String {
        self.names().join(" / ")
    }
}

/// The latest attempt at a run: its row, of which the texts that [`Setting`] holds are taken out.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    row: RunRow,
    pub setting: Arc<Setting>,
    /// What its instance was called when it was measured, if not as in the setting.
    old_name: Option<Box<str>>,
    /// The session of the manifest that measured it, if there is one.
    pub session: Option<usize>,
    /// In order of their iterations.
    pub solves: Vec<Solve>,
    /// Whether only another run refutes its answer: here it is wrong, and its row does not say so.
    pub is_refuted: bool,
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
    /// What determines it.
    pub fn key(&self) -> RunKey<'_> {
        let Setting { instance_hash, kind, families, objective, subloops, hole_treatment, backend, options, .. } =
            &*self.setting;
        RunKey {
            instance_hash,
            kind,
            families,
            objective,
            subloops,
            hole_treatment,
            backend,
            options,
            ..self.row.key()
        }
    }

    /// The day it began, `2026-01-02`.
    pub fn day(&self) -> &str {
        self.started_at.split('T').next().unwrap_or_default()
    }

    /// The name of its instance when it was measured, which its solution files have; the setting has that of the plan.
    pub fn measured_instance(&self) -> &str {
        self.old_name.as_deref().unwrap_or(&self.setting.instance)
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
    /// The line of `iterations.csv` with which it begins.
    line: u64,
    pub iteration: u64,
    pub time_s: f64,
    pub status: Status,
    pub loops: Option<u64>,
    /// Tiles of the longest loop but one; none where there is but one.
    pub second_loop: Option<u64>,
    pub holes: Option<u64>,
    pub cuts_added: u64,
    /// Whether it laid tiles, if anything: with `loop-first` some lay designated lines alone, whose loops and holes are none of the puzzle.
    pub lays_tiles: bool,
}

/// The session that a row names; of a row that names none the latest on its machine that had begun when the run began.
fn session(row: &RunRow, sessions: &[SessionFacts]) -> Option<usize> {
    if !row.session.is_empty() {
        return sessions.iter().position(|session| session.id == row.session);
    }
    // Without the `Z`, of which some stand behind fractions of a second and some do not.
    let began = |session: &SessionFacts| session.started_at.trim_end_matches('Z') <= row.started_at.as_str();
    let here = |session: &SessionFacts| session.host.host == row.host && session.host.cpu_model == row.cpu_model;
    sessions.iter().rposition(|session| began(session) && here(session))
}
