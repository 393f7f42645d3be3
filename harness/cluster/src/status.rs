//! What has become of the tasks of a folder: from the rows first, then from what the engine says.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use std::{fs, io};

use record::{PlanRow, RecordError, ResultsDir, RunRow, TableReader, stream_table};
use runner::{RunnerError, count, duration, table};

use crate::engine::{Answer, Sight};
use crate::folder::{Engine, Folder, Submission, ranges};

/// How long a task that its engine does not know may write nothing before it is lost, in seconds. Shared file systems were seen to show
/// files 65 to 80 seconds late.
const PATIENCE_S: f64 = 90.0;

/// The state of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// Each of its runs has a row that stays.
    Done,
    /// The engine says so; or nobody can be asked, and it has written not long ago.
    Running,
    /// The engine has it and has not begun it.
    Waiting,
    /// The engine does not know it; its files, or its being sent, are too young to tell.
    Unclear,
    /// It was begun or sent, and nobody has it.
    Lost,
    /// It was never begun, and never sent from this folder.
    Unsent,
}

/// What has become of the tasks of a folder.
#[derive(Debug, Clone, PartialEq)]
pub struct Status {
    folder: Folder,
    experiment: String,
    /// The command that goes on with what nobody has; none where the folder was moved, or the lines of a script are being run.
    go_on: Option<String>,
    /// By task its state, its runs that have a row that stays, and all of its runs.
    tasks: Vec<(State, usize, usize)>,
    /// Attempts of which there are files.
    attempts: usize,
    /// What else there is to say.
    notes: Vec<String>,
}

/// Looks at the rows of a folder, and asks its engine.
///
/// # Errors
/// A folder that cannot be read.
pub fn status(folder: &Folder, submission: &Submission) -> Result<Status, RunnerError> {
    let answer = submission.engine.ask(submission);
    let now = SystemTime::now();
    // When each task was sent last.
    let sent: BTreeMap<usize, SystemTime> =
        submission.sent.iter().flat_map(|sent| sent.tasks.iter().map(|task| (*task, sent.at.into()))).collect();
    let (mut tasks, mut notes, mut all) = (Vec::with_capacity(submission.tasks.len()), Vec::new(), 0);
    let task_of = match tasks_of_runs(folder, submission) {
        Ok(task_of) => Some(task_of),
        Err(error) => {
            notes.push(format!("{error}: rows of other tasks are not told apart"));
            None
        }
    };
    let mut failed = HashSet::new();
    for (number, task) in (1..).zip(&submission.tasks) {
        let attempts = folders(&folder.part(number))?;
        all += attempts.len();
        let results: Vec<ResultsDir> =
            attempts.iter().map(|attempt| ResultsDir::new(attempt.join(&submission.experiment))).collect();
        let mut done = HashSet::new();
        for results in &results {
            match final_runs(results, &submission.plan) {
                Ok(runs) => {
                    let is_own = |(run_id, _): &(String, bool)| {
                        task_of.as_ref().is_none_or(|tasks| tasks.get(run_id) == Some(&number))
                    };
                    let (runs, others): (Vec<_>, Vec<_>) = runs.into_iter().partition(is_own);
                    if !others.is_empty() {
                        let (rows, root) = (count(others.len(), "row"), results.root().display());
                        notes.push(format!("{rows} in {root} not counted, of runs that task {number} does not have"));
                    }
                    failed.extend(runs.iter().filter(|(_, has_failed)| *has_failed).map(|(run_id, _)| run_id.clone()));
                    done.extend(runs.into_iter().map(|(run_id, _)| run_id));
                }
                Err(error @ RecordError::Io { .. }) => notes.push(format!("not counted: {error}; look again later")),
                Err(error) => {
                    let root = results.root().display();
                    notes.push(format!(
                        "not counted: {error}; merge refuses it: move {root} away, its runs are done again"
                    ));
                }
            }
        }
        let state = match done.len() >= task.runs {
            true => State::Done,
            false => {
                let folders = attempts.iter().map(PathBuf::as_path).chain(results.iter().map(ResultsDir::root));
                let youngest = folders.filter_map(touched).max();
                let trace = Trace { is_begun: !attempts.is_empty(), sent: sent.get(&number).copied(), youngest };
                trace.state(number, &answer, submission.silence_s, now)
            }
        };
        tasks.push((state, done.len(), task.runs));
    }
    if !failed.is_empty() {
        let them = count(failed.len(), "run");
        notes.push(format!("{them} failed, see the column message in the files runs.csv of their attempts"));
    }
    match answer {
        Ok(sights) => notes.extend(reasons(submission, &sights)),
        Err(reason) => notes.push(format!("{reason}: states are guessed from files only")),
    }
    let moved = submission.moved_to(folder);
    // Whoever runs command lines goes on with the rest of them.
    let is_under_way = submission.engine == Engine::Script && tasks.iter().any(|task| task.0 == State::Running);
    let go_on = (moved.is_none() && !is_under_way).then(|| submission.engine.go_on(folder));
    notes.extend(moved);
    let (folder, experiment) = (folder.clone(), submission.experiment.clone());
    Ok(Status { go_on, folder, experiment, tasks, attempts: all, notes })
}

/// The task of each run of the plan.
fn tasks_of_runs(folder: &Folder, submission: &Submission) -> Result<HashMap<String, usize>, RecordError> {
    let instances =
        (1..).zip(&submission.tasks).flat_map(|(number, task)| task.instances.iter().map(move |i| (i, number)));
    let task_of: HashMap<&String, usize> = instances.collect();
    let mut found = HashMap::new();
    for row in stream_table::<PlanRow>(&folder.plan())? {
        let (_, row) = row?;
        if let Some(task) = task_of.get(&row.instance) {
            found.insert(row.run_id, *task);
        }
    }
    Ok(found)
}

/// What is left of the attempts at a task, beside rows.
struct Trace {
    is_begun: bool,
    sent: Option<SystemTime>,
    youngest: Option<SystemTime>,
}

impl Trace {
    /// The state of a task that is not done.
    fn state(&self, number: usize, answer: &Answer, silence_s: Option<f64>, now: SystemTime) -> State {
        match answer.as_ref().map(|sights| sights.get(&number)) {
            Ok(Some(Sight::Running)) => return State::Running,
            Ok(Some(Sight::Waiting(_))) => return State::Waiting,
            _ => {}
        }
        let Some(last) = self.youngest.max(self.sent) else { return State::Unsent };
        // A clock that is behind that of the file server makes files of the future: they are young.
        let silent = now.duration_since(last).unwrap_or(Duration::ZERO).as_secs_f64();
        match (answer.is_ok(), self.is_begun) {
            (true, _) if silent < PATIENCE_S => State::Unclear,
            (true, _) => State::Lost,
            (false, false) => State::Waiting,
            // Whoever runs it writes at least at the end of each run.
            (false, true) if silence_s.is_none_or(|longest| silent < longest + PATIENCE_S) => State::Running,
            (false, true) => State::Lost,
        }
    }
}

/// The folders in a folder; none if it is not there.
fn folders(folder: &Path) -> Result<Vec<PathBuf>, RunnerError> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let paths = entries.map_err(RunnerError::io(folder))?.into_iter().map(|entry| entry.path());
    Ok(paths.filter(|path| path.is_dir()).collect())
}

/// The runs of which the latest row stays, also while rows are written, and whether they failed.
fn final_runs(results: &ResultsDir, plan: &str) -> Result<Vec<(String, bool)>, RecordError> {
    // The manifest is written after the header of the rows, and before the first of them.
    if !results.manifest().is_file() {
        return results.refuse_stray_rows().map(|()| Vec::new());
    }
    results.refuse_incomplete()?;
    if results.read_manifest()?.plan != plan {
        let reason = "is of another plan: another config, or another --profile or --set".to_owned();
        return Err(RecordError::File { path: results.manifest(), reason });
    }
    let mut attempts: HashMap<String, BTreeMap<u32, (bool, bool)>> = HashMap::new();
    for row in TableReader::<RunRow>::open(&results.runs())? {
        let (line, row) = row?;
        row.check().map_err(|reason| RecordError::Row { path: results.runs(), line, reason })?;
        let ended = (row.status.is_final(), row.has_failed());
        if attempts.entry(row.run_id.clone()).or_default().insert(row.attempt, ended).is_some() {
            return Err(results.second_time(line, &row));
        }
    }
    let latest = |(run_id, attempts): (String, BTreeMap<u32, (bool, bool)>)| {
        let (is_final, has_failed) = *attempts.values().next_back()?;
        is_final.then_some((run_id, has_failed))
    };
    Ok(attempts.into_iter().filter_map(latest).collect())
}

/// When a folder or something that stands in it was last written to.
fn touched(folder: &Path) -> Option<SystemTime> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let paths = entries.chain([folder.to_owned()]);
    paths.filter_map(|path| fs::metadata(path).ok()?.modified().ok()).max()
}

/// Why tasks wait, by the engine's words.
fn reasons(submission: &Submission, sights: &BTreeMap<usize, Sight>) -> Option<String> {
    let mut reasons: BTreeMap<&str, u64> = BTreeMap::new();
    for sight in sights.values() {
        if let Sight::Waiting(reason) = sight
            && !reason.is_empty()
        {
            *reasons.entry(reason).or_default() += 1;
        }
    }
    let each: Vec<String> =
        reasons.iter().map(|(reason, tasks)| format!("{reason} ({})", count(*tasks, "task"))).collect();
    (!each.is_empty()).then(|| format!("tasks wait, says {}: {}", submission.engine.name(), each.join(", ")))
}

impl State {
    const ALL: [(Self, &'static str); 6] = [
        (Self::Done, "done"),
        (Self::Running, "running"),
        (Self::Waiting, "waiting"),
        (Self::Unclear, "unclear"),
        (Self::Lost, "lost"),
        (Self::Unsent, "unsent"),
    ];
}

impl Status {
    /// Numbers of the tasks in a state, ascending.
    #[must_use]
    pub fn tasks(&self, state: State) -> Vec<usize> {
        (1..).zip(&self.tasks).filter(|(_, task)| task.0 == state).map(|(number, _)| number).collect()
    }

    /// The last line that a task printed, of the youngest file with one.
    fn last_words(&self) -> Option<String> {
        let files = fs::read_dir(self.folder.logs()).into_iter().flatten().flatten();
        let age = |path: &PathBuf| fs::metadata(path).and_then(|file| file.modified()).ok();
        let mut logs: Vec<PathBuf> = files.map(|entry| entry.path()).collect();
        logs.sort_by_cached_key(|path| Reverse(age(path)));
        let last = |path: &PathBuf| {
            let text = String::from_utf8_lossy(&fs::read(path).ok()?).into_owned();
            text.lines().rfind(|line| !line.trim().is_empty()).map(str::to_owned)
        };
        logs.iter().find_map(last)
    }

    /// What to do now, as commands.
    fn next(&self) -> Vec<String> {
        let (root, program) = (self.folder.root().display(), self.folder.program());
        let program = program.display();
        let has = |state| !self.tasks(state).is_empty();
        let merge = format!("{program} merge {root}/parts -o {root}/merged");
        if let Some(go_on) = self.go_on.as_ref().filter(|_| has(State::Lost) || has(State::Unsent)) {
            return vec![go_on.clone()];
        }
        if self.tasks.iter().any(|task| task.0 != State::Done) {
            return vec![format!("{program} status {root}    # later")];
        }
        vec![merge, format!("{program} report {root}/merged -o {root}/report")]
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sum = |of: fn(&(State, usize, usize)) -> usize| self.tasks.iter().map(of).sum::<usize>();
        let (done, runs) = (sum(|task| task.1), sum(|task| task.2));
        let attempts = count(self.attempts, "attempt");
        writeln!(f, "{}: {done} of {} have their row; {attempts}", self.experiment, count(runs, "run"))?;
        let mut rows = Vec::new();
        for (state, word) in State::ALL {
            let numbers = self.tasks(state);
            let of = || numbers.iter().map(|number| self.tasks[number - 1]);
            let [done, runs] = [of().map(|task| task.1).sum::<usize>(), of().map(|task| task.2).sum()];
            if !numbers.is_empty() {
                let cells = [numbers.len(), done, runs].map(|figure| figure.to_string());
                let [tasks, done, runs] = cells;
                rows.push([word.to_owned(), tasks, done, runs, ranges(&numbers)]);
            }
        }
        table(f, &["state", "tasks", "rows", "runs", "which"], &rows)?;
        for note in &self.notes {
            writeln!(f, "note: {note}")?;
        }
        if let (0, Some(last)) = (done, self.last_words()) {
            writeln!(f, "no row counts; a task printed last: {last}")?;
        }
        if !self.tasks(State::Unclear).is_empty() {
            writeln!(f, "unclear: not known to the engine; lost if nothing is written for {}", duration(PATIENCE_S))?;
        }
        if !self.tasks(State::Lost).is_empty() {
            writeln!(f, "lost: what they printed is in {}", self.folder.logs().display())?;
        }
        write!(f, "next: {}", self.next().join("\n      "))
    }
}
