//! Reading the rows of a results directory, one by one: whole rows of a million runs would take gigabytes.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::thread;

use record::{RecordError, ResultsDir, RunRow, SessionFacts, Status, TableReader};

use super::plan::Plan;
use super::read_solves::{Line, Solves};
use super::share::Shared;
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
            let solves = scope.spawn(move || Solves::read(&path));
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
            let solves = solves.join().map_err(|_| RecordError::File {
                path: files.iterations(),
                reason: "reading it failed; this is a bug".to_owned(),
            })??;
            rows.add(solves, &attempts, files)?;
            Ok(rows)
        })
    }

    /// Gives each run its solves.
    fn add(
        &mut self,
        solves: Solves,
        attempts: &HashMap<Arc<str>, Vec<u32>>,
        files: &ResultsDir,
    ) -> Result<(), RecordError> {
        let Solves { attempts: of, lines, torn } = solves;
        self.torn.extend(torn.map(|line| ("iterations.csv", line)));
        let places: HashMap<_, _> = self.runs.iter().enumerate().map(|(place, run)| (&*run.run_id, place)).collect();
        let mut known = Vec::with_capacity(of.len());
        for (id, attempt) in &of {
            let place = places.get(&**id).copied().filter(|place| self.runs[*place].attempt == *attempt);
            let is_known = attempts.get(&**id).is_some_and(|all| all.contains(attempt));
            known.push((place, is_known));
        }
        self.orphans = lines.iter().filter(|line| !known[line.of as usize].1).count();
        // Rows of a run stand together, almost always, and in order: there is little to sort.
        let together = lines.chunk_by(|a, b| a.of == b.of);
        let mut pieces: Vec<_> = together.filter_map(|lines| Some((known[lines[0].of as usize].0?, lines))).collect();
        pieces.sort_by_key(|(place, _)| *place);
        let mut ordered: Vec<&Line> = Vec::with_capacity(lines.len());
        for pieces in pieces.chunk_by(|a, b| a.0 == b.0) {
            let start = ordered.len();
            ordered.extend(pieces.iter().flat_map(|(_, lines)| *lines));
            let solves = &mut ordered[start..];
            solves.sort_by_key(|line| line.solve.iteration);
            if let Some(twice) = solves.windows(2).find(|pair| pair[0].solve.iteration == pair[1].solve.iteration) {
                let ((id, attempt), line) = (&of[twice[1].of as usize], twice[1]);
                let reason = format!(
                    "iteration {} of run {id} attempt {attempt} stands here a second time",
                    line.solve.iteration
                );
                return Err(RecordError::Row { path: files.iterations(), line: line.line, reason });
            }
            self.runs[pieces[0].0].solves = start..ordered.len();
        }
        self.miscounted =
            self.runs.iter().filter(|run| run.iterations.is_some_and(|count| count != run.solves.len() as u64)).count();
        self.solves = ordered.into_iter().map(|line| line.solve.clone()).collect();
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
