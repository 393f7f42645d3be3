//! Reading the rows of a results directory, one by one: whole rows of a million runs would take gigabytes.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::thread;

use record::{
    IterationRow, PlanRow, RecordError, ResultsDir, Row, RunRow, SessionFacts, Status, TableReader, stream_table,
};

use super::rows::Shared;
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
    pub planned: bool,
    /// Rows of `iterations.csv` whose attempt has no row in `runs.csv`.
    pub orphans: usize,
    /// Runs that had more solves than `iterations.csv` has rows of them, or fewer.
    pub miscounted: usize,
    /// Files that end in a row that was not written to its end, with the line at which it begins.
    pub torn: Vec<(&'static str, u64)>,
    /// Columns that this version does not know, each with its file.
    pub unknown: BTreeSet<String>,
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
            let plan = Plan::read(files)?;
            let rows = Self { planned: plan.is_some(), ..Self::default() };
            let mut reading = Reading { rows, shared: Shared::of(sessions), plan, known: HashMap::new() };
            let mut table = TableReader::<RunRow>::open(&files.runs())?;
            for row in table.by_ref() {
                let (line, row) = row?;
                if !reading.is_new(&row) {
                    return Err(files.second_time(line, &row));
                }
                reading.take(row);
            }
            let Reading { mut rows, known, .. } = reading;
            rows.note("runs.csv", &table);
            rows.runs.sort_by(|a, b| a.run_id.cmp(&b.run_id));
            let (solves, table) = solves.join().map_err(|_| RecordError::File {
                path: files.iterations(),
                reason: "reading it failed; this is a bug".to_owned(),
            })??;
            rows.note("iterations.csv", &table);
            rows.add(solves, &known, files)?;
            Ok(rows)
        })
    }

    fn note<T: Row>(&mut self, file: &'static str, table: &TableReader<T>) {
        self.torn.extend(table.truncated().map(|line| (file, line)));
        self.unknown.extend(table.unknown().iter().map(|column| format!("{column} ({file})")));
    }

    fn add(
        &mut self,
        mut solves: Solves,
        known: &HashMap<String, Known>,
        files: &ResultsDir,
    ) -> Result<(), RecordError> {
        let has_row = |(id, attempt): &(String, u32)| known.get(id).is_some_and(|run| run.attempts.contains(attempt));
        self.orphans = solves.iter().filter(|(key, _)| !has_row(key)).map(|(_, lines)| lines.len()).sum();
        for run in &mut self.runs {
            let mut lines = solves.remove(&(run.run_id.clone(), run.attempt)).unwrap_or_default();
            lines.sort_by_key(|(_, solve)| solve.iteration);
            if let Some(twice) = lines.windows(2).find(|pair| pair[0].1.iteration == pair[1].1.iteration) {
                let (line, Solve { iteration, .. }) = twice[1];
                let of = format!("run {} attempt {}", run.run_id, run.attempt);
                let reason = format!("iteration {iteration} of {of} stands here a second time");
                return Err(RecordError::Row { path: files.iterations(), line, reason });
            }
            let start = self.solves.len();
            self.solves.extend(lines.into_iter().map(|(_, solve)| solve));
            run.solves = start..self.solves.len();
            self.miscounted += usize::from(run.iterations.is_some_and(|count| count != run.solves.len() as u64));
        }
        Ok(())
    }

    /// The settings that occur, in order of their first run.
    pub fn settings(&self) -> Vec<Arc<Setting>> {
        let mut seen = HashSet::new();
        let settings = self.runs.iter().map(|r| &r.setting);
        settings.filter(|s| seen.insert(Arc::as_ptr(s))).cloned().collect()
    }
}

struct Reading<'a> {
    rows: Rows,
    shared: Shared<'a>,
    plan: Option<Plan>,
    known: HashMap<String, Known>,
}

#[derive(Default)]
struct Known {
    /// The attempts that have a row, whether the plan holds the run or not.
    attempts: Vec<u32>,
    place: Option<usize>,
}

impl Reading<'_> {
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
        let rows = &mut self.rows;
        if self.plan.as_ref().is_some_and(|plan| !plan.name(&mut row)) {
            rows.earlier += 1;
            return;
        }
        let run = self.shared.run(row);
        let place = &mut self.known.entry(run.run_id.clone()).or_default().place;
        let Some(place) = *place else {
            *place = Some(rows.runs.len());
            rows.runs.push(run);
            return;
        };
        let kept = &mut rows.runs[place];
        let older = if run.attempt > kept.attempt { std::mem::replace(kept, run) } else { run };
        rows.superseded += usize::from(older.status != Status::Interrupted);
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

/// Rows of `iterations.csv` with the lines with which they begin, by run id and attempt.
type Solves = HashMap<(String, u32), Vec<(u64, Solve)>>;

/// Reads `iterations.csv`; the reader tells what is left out of it.
fn read_solves(path: &Path) -> Result<(Solves, TableReader<IterationRow>), RecordError> {
    let mut solves = Solves::new();
    let mut rows = TableReader::<IterationRow>::open(path)?;
    for row in rows.by_ref() {
        let (line, IterationRow { run_id, attempt, solve: of }) = row?;
        let solve = Solve {
            iteration: of.iteration,
            time_s: of.time_s,
            status: of.status.into(),
            loops: of.loops,
            holes: of.holes,
            cuts_added: of.cuts_added,
        };
        solves.entry((run_id, attempt)).or_default().push((line, solve));
    }
    Ok((solves, rows))
}
