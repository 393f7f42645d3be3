//! Reading the rows of a results directory, one by one: whole rows of a million runs would take gigabytes.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::thread;

use record::{IterationRow, PlanRow, RecordError, ResultsDir, RunRow, SessionFacts, Status, TableReader, stream_table};

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
    /// Whether there is a plan; without one every run counts.
    pub planned: bool,
    /// Rows of `iterations.csv` whose attempt has no row in `runs.csv`.
    pub orphans: usize,
    /// Runs that had more solves than `iterations.csv` has rows of them, or fewer.
    pub miscounted: usize,
    /// Files that end in a row that was not written to its end, with the line at which it begins.
    pub torn: Vec<(&'static str, u64)>,
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
            let mut reading = Reading::new(Plan::read(files)?, sessions);
            let mut table = TableReader::<RunRow>::open(&files.runs())?;
            for row in table.by_ref() {
                let (line, row) = row?;
                if !reading.is_new(&row) {
                    return Err(files.second_time(line, &row));
                }
                reading.take(row);
            }
            let Reading { mut rows, attempts, .. } = reading;
            rows.torn.extend(table.truncated().map(|line| ("runs.csv", line)));
            rows.runs.sort_by(|a, b| a.run_id.cmp(&b.run_id));
            let (solves, torn) = solves.join().map_err(|_| RecordError::File {
                path: files.iterations(),
                reason: "reading it failed; this is a bug".to_owned(),
            })??;
            rows.torn.extend(torn.map(|line| ("iterations.csv", line)));
            rows.add(solves, &attempts, files)?;
            Ok(rows)
        })
    }

    /// Gives each run its solves.
    fn add(
        &mut self,
        mut solves: Solves,
        attempts: &HashMap<Arc<str>, Vec<u32>>,
        files: &ResultsDir,
    ) -> Result<(), RecordError> {
        let has_row = |(id, attempt): &(Box<str>, u32)| attempts.get(&**id).is_some_and(|all| all.contains(attempt));
        self.orphans = solves.iter().filter(|(key, _)| !has_row(key)).map(|(_, lines)| lines.len()).sum();
        for run in &mut self.runs {
            let mut lines = solves.remove(&((&*run.run_id).into(), run.attempt)).unwrap_or_default();
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

/// The runs so far.
struct Reading<'a> {
    rows: Rows,
    shared: Shared<'a>,
    plan: Option<Plan>,
    /// The attempts of each run that have a row, whether the plan holds it or not.
    attempts: HashMap<Arc<str>, Vec<u32>>,
    /// Where the run of an id stands.
    places: HashMap<Arc<str>, usize>,
}

impl<'a> Reading<'a> {
    fn new(plan: Option<Plan>, sessions: &'a [SessionFacts]) -> Self {
        let rows = Rows { planned: plan.is_some(), ..Rows::default() };
        Self { rows, shared: Shared::of(sessions), plan, attempts: HashMap::new(), places: HashMap::new() }
    }

    /// Notes an attempt; false if it has a row before this one.
    fn is_new(&mut self, row: &RunRow) -> bool {
        match self.attempts.get_mut(row.run_id.as_str()) {
            Some(attempts) if attempts.contains(&row.attempt) => false,
            Some(attempts) => {
                attempts.push(row.attempt);
                true
            }
            None => self.attempts.insert(row.run_id.as_str().into(), vec![row.attempt]).is_none(),
        }
    }

    /// Keeps a row, if the plan holds its run and no later attempt stands before it.
    fn take(&mut self, mut row: RunRow) {
        let rows = &mut self.rows;
        if let Some(plan) = &self.plan
            && !plan.name(&mut row)
        {
            rows.earlier += 1;
            return;
        }
        let run = self.shared.run(row);
        let Some(place) = self.places.get(&run.run_id) else {
            self.places.insert(run.run_id.clone(), rows.runs.len());
            rows.runs.push(run);
            return;
        };
        let kept = &mut rows.runs[*place];
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

/// Rows of `iterations.csv` with the lines with which they begin, by run id and attempt.
type Solves = HashMap<(Box<str>, u32), Vec<(u64, Solve)>>;

/// Reads `iterations.csv`; also the line with which a row begins that was not written to its end.
fn read_solves(path: &Path) -> Result<(Solves, Option<u64>), RecordError> {
    let mut solves = Solves::new();
    let mut rows = TableReader::<IterationRow>::open(path)?;
    for row in rows.by_ref() {
        let (line, row) = row?;
        let of = row.solve;
        let solve = Solve {
            iteration: of.iteration,
            time_s: of.time_s,
            status: of.status.into(),
            loops: of.loops,
            holes: of.holes,
            cuts_added: of.cuts_added,
        };
        solves.entry((row.run_id.into_boxed_str(), row.attempt)).or_default().push((line, solve));
    }
    Ok((solves, rows.truncated()))
}
