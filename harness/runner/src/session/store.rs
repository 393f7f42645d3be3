//! The results directory of one experiment, open for writing, and what it holds beside the rows: config, instances, manifest.
//!
//! Solutions are written first, then iterations, then rows: what has a row is complete. Runs that ended at about the same
//! time are written together, so that the disk is waited for once; other files are written beside their place and
//! renamed into it.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use puzzle::Instance;
use record::{
    Appender, Drafts, IterationRow, Manifest, RecordError, ResultsDir, RunRow, SCHEMA_VERSION, SessionFacts,
    data_package, is_same_file, make_folder, remove_drafts, table_has_rows, table_is, write_table, write_whole,
};

use super::attempt::Outcome;
use super::earlier::Earlier;
use super::verdicts::Verdicts;
use crate::RunnerError;
use crate::host::{engine_facts, host_name};
use crate::plan::{ExperimentPlan, ORDER_SEED, PlannedInstance, PlannedRun};
use crate::text::count;

/// Solutions that are written before they are renamed into place together. Each is an open file until then.
const DRAFTS: usize = 100;

/// How often to try, and how long to wait in between: what a killed runner was just starting may hold its lock for a moment.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(25);

/// An open results directory. The lock is held as long as this lives.
#[derive(Debug)]
pub(super) struct Store {
    dir: ResultsDir,
    runs: Appender<RunRow>,
    iterations: Appender<IterationRow>,
    is_new: bool,
    lock: Lock,
}

impl Store {
    /// Opens the directory of an experiment, creating it if there is none.
    pub fn open(out: &Path, plan: &ExperimentPlan, resume: bool) -> Result<Self, RunnerError> {
        refuse_inside(out)?;
        let dir = ResultsDir::new(out.join(&plan.config.experiment));
        let folders = ["", "instances", "solutions", "logs"].map(|folder| dir.root().join(folder));
        for folder in &folders {
            make_folder(folder)?;
        }
        let lock = Lock::take(&dir)?;
        if !resume {
            refuse_rows(&dir, plan)?;
        }
        dir.refuse_incomplete()?;
        dir.refuse_newer()?;
        for folder in folders.iter().chain([&dir.proofs()]) {
            remove_drafts(folder);
        }
        // Opening cuts off what is incomplete, so this comes before reading.
        let (runs, iterations) = (Appender::open(&dir.runs())?, Appender::open(&dir.iterations())?);
        let is_new = !runs.has_rows() && !iterations.has_rows();
        Ok(Self { dir, runs, iterations, is_new, lock })
    }

    /// Whether there was nothing when it was opened.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    pub fn dir(&self) -> &ResultsDir {
        &self.dir
    }

    /// Whether the directory is still there, and its files of rows are as they were left.
    pub fn check(&self) -> Result<(), RecordError> {
        self.lock.check()?;
        self.iterations.check()?;
        self.runs.check()
    }

    /// What is measured or judged here from now on is no merge's to replace.
    pub fn claim(&self) -> Result<(), RecordError> {
        match fs::remove_file(self.dir.merged()) {
            Err(source) if source.kind() != ErrorKind::NotFound => {
                Err(RecordError::Write { path: self.dir.merged(), source })
            }
            _ => Ok(()),
        }
    }

    /// Writes the rows that are there with their verdicts of now.
    pub fn judge_again(&mut self, plan: &ExperimentPlan) -> Result<(), RecordError> {
        Verdicts::new(plan).write(&self.dir)?;
        self.runs = Appender::open(&self.dir.runs())?;
        Ok(())
    }

    /// Writes what some runs leave behind and waits until it is on disk. Returns the runs that are there, and the first error: a
    /// disk that is full, files that cannot be written, a directory that is gone.
    pub fn write<'a>(&mut self, runs: &[&'a Outcome]) -> (Vec<&'a Outcome>, Option<RecordError>) {
        let mut error = None;
        let runs = those_with_which(runs, &mut error, |runs| write_solutions(&self.dir, runs));
        let runs = those_with_which(&runs, &mut error, |runs| {
            self.iterations.append(runs.iter().flat_map(|run| &run.iterations))
        });
        let runs = those_with_which(&runs, &mut error, |runs| self.runs.append(runs.iter().map(|run| &run.row)));
        (runs, error)
    }
}

/// The runs with which a step succeeds: all at once, or if that fails one by one, so that one of them does not take the others
/// along.
fn those_with_which<'a>(
    runs: &[&'a Outcome],
    first_error: &mut Option<RecordError>,
    mut step: impl FnMut(&[&'a Outcome]) -> Result<(), RecordError>,
) -> Vec<&'a Outcome> {
    let Err(error) = step(runs) else { return runs.to_vec() };
    first_error.get_or_insert(error);
    if runs.len() == 1 {
        return Vec::new();
    }
    runs.iter().copied().filter(|run| step(&[*run]).is_ok()).collect()
}

/// Refuses a folder that is, or lies in, the results of an experiment: nobody looks for others there.
///
/// # Errors
/// Such a folder.
pub fn refuse_inside(out: &Path) -> Result<(), RunnerError> {
    let there = out.ancestors().find(|folder| folder.exists()).unwrap_or(Path::new("."));
    let there = fs::canonicalize(there).map_err(RunnerError::io(there))?;
    let Some(other) = there.ancestors().map(ResultsDir::new).find(ResultsDir::holds_results) else { return Ok(()) };
    let beside = other.root().parent().unwrap_or(other.root()).display();
    let reason = format!("results of another experiment cannot be in these; choose another --out, such as {beside}");
    Err(RunnerError::results(&other, reason))
}

fn write_solutions(dir: &ResultsDir, runs: &[&Outcome]) -> Result<(), RecordError> {
    let mut drafts = Drafts::default();
    let solutions = runs.iter().flat_map(|run| run.solutions.iter().map(|solution| (&run.row.run_id, solution)));
    for (number, (run_id, (iteration, solution))) in (1..).zip(solutions) {
        drafts.add(&dir.solution(run_id, *iteration), solution.to_json().as_bytes())?;
        if number % DRAFTS == 0 {
            mem::take(&mut drafts).place()?;
        }
    }
    drafts.place()
}

/// Refuses results that are there already.
pub(super) fn refuse_rows(dir: &ResultsDir, plan: &ExperimentPlan) -> Result<(), RunnerError> {
    // A session that was killed before its first row leaves the header alone, which is nothing to lose.
    if !table_has_rows(&dir.runs())? {
        return Ok(());
    }
    let done = Earlier::read(dir, &mut |_, _| {}).unwrap_or_default();
    let complete = !plan.is_empty() && plan.runs().all(|run| done.stays(run, &[]));
    let reason = if complete {
        "holds every run that is asked for already; report them, or choose another --out to measure anew".to_owned()
    } else {
        "holds results already; --resume goes on there, or choose another --out".to_owned()
    };
    Err(RunnerError::results(dir, reason))
}

/// A locked file. A child that another thread is just starting has the file open too until it runs its program, so
/// closing it here might not be enough.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
    path: PathBuf,
}

impl Lock {
    /// Locks a directory.
    pub fn take(dir: &ResultsDir) -> Result<Self, RunnerError> {
        let path = dir.root().join(".lock");
        let io = |source| RunnerError::Io { path: path.clone(), source };
        for _ in 0..TRIES {
            let mut file =
                File::options().create(true).truncate(false).read(true).write(true).open(&path).map_err(io)?;
            match file.try_lock() {
                // Somebody may have deleted the file between the two lines.
                Ok(()) if is_same_file(&file, &path) => {
                    let noted = file.set_len(0).and_then(|()| file.write_all(holder().as_bytes()));
                    noted.map_err(io)?;
                    return Ok(Self { file, path });
                }
                Ok(()) => {}
                Err(TryLockError::Error(source)) => return Err(io(source)),
                Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
            }
        }
        let mut holder = String::new();
        // Only to name it.
        let named = File::open(&path).and_then(|file| file.take(500).read_to_string(&mut holder));
        let holder = match named {
            Ok(_) if !holder.trim().is_empty() => format!(" ({})", holder.trim()),
            _ => String::new(),
        };
        let remedy = "wait for it or choose another --out";
        Err(RunnerError::results(dir, format!("another tilebench run{holder} is writing here; {remedy}")))
    }

    /// Takes the lock away from folders that were made for it, and these too unless they hold anything else.
    pub fn remove(&self, made: &[&Path]) {
        if !made.is_empty() && self.check().is_ok() {
            // What cannot be removed stays: there is another error to tell.
            let _ = fs::remove_file(&self.path);
            made.iter().for_each(|folder| drop(fs::remove_dir(folder)));
        }
    }

    /// Whether the directory is still where it was when it was locked.
    fn check(&self) -> Result<(), RecordError> {
        if is_same_file(&self.file, &self.path) {
            return Ok(());
        }
        Err(RecordError::File { path: self.path.clone(), reason: "it was deleted or moved while in use".to_owned() })
    }
}

/// Who this process is, for others that find the lock taken, also on other machines.
fn holder() -> String {
    let job = engine_facts().in_words().map(|job| format!(", {job}")).unwrap_or_default();
    format!("process {} on {}{job}\n", std::process::id(), host_name())
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Nobody can be told; the lock goes with the last process that has the file open.
        drop(self.file.unlock());
    }
}

/// Whether a plan may be described in a directory. Nothing is written.
pub(super) fn check(dir: &ResultsDir, plan: &ExperimentPlan, has_rows: bool) -> Result<(), RunnerError> {
    for planned in plan.instances() {
        refuse_other_instance(dir, planned)?;
    }
    if has_rows {
        refuse_unreadable_manifest(dir)?;
    }
    plan.config.published.as_deref().map_or(Ok(()), |published| read(published).map(drop))
}

/// Writes what stands beside the rows. When no run is to be done, the manifest keeps what it says of the session
/// and the machine that the rows come from. Returns what makes rows of this session and of earlier ones hard to compare.
pub(super) fn describe(
    dir: &ResultsDir,
    plan: &ExperimentPlan,
    session: &SessionFacts,
    to_do: usize,
) -> Result<Vec<String>, RunnerError> {
    if plan.asked().iter().any(|run| run.solver.proof) {
        make_folder(&dir.proofs())?;
    }
    write_if_other(&dir.config(), plan.config.text.as_bytes())?;
    write_if_other(&dir.package(), data_package(&plan.config.experiment, &plan.config.title).as_bytes())?;
    if let Some(published) = &plan.config.published {
        write_if_other(&dir.published(), &read(published)?)?;
    }
    for planned in plan.instances() {
        write_if_other(&dir.instance(&planned.instance.name), planned.text.as_bytes())?;
    }
    write_manifest(dir, plan, session, to_do)
}

fn read(path: &Path) -> Result<Vec<u8>, RunnerError> {
    fs::read(path).map_err(RunnerError::io(path))
}

/// Writes a file that is not there yet or differs: waiting for the disk is dear.
fn write_if_other(path: &Path, content: &[u8]) -> Result<(), RunnerError> {
    if fs::read(path).is_ok_and(|found| found == content) {
        return Ok(());
    }
    Ok(write_whole(path, content)?)
}

fn write_manifest(
    dir: &ResultsDir,
    plan: &ExperimentPlan,
    session: &SessionFacts,
    to_do: usize,
) -> Result<Vec<String>, RunnerError> {
    // One that cannot be read stands beside no rows.
    let old = dir.read_manifest().ok();
    let mut sessions = old.as_ref().map(|old| old.sessions.clone()).unwrap_or_default();
    let mut warnings = Vec::new();
    let hash = plan.hash();
    if to_do > 0 {
        warnings = sessions.last().map_or_else(Vec::new, |last| differences(last, session));
        let shard = plan.shard.map(|shard| shard.to_string()).unwrap_or_default();
        let (runs, plan) = (to_do as u64, hash.clone());
        sessions.push(SessionFacts { runs, plan, shard, order_seed: ORDER_SEED, ..session.clone() });
    }
    let config = &plan.config;
    let manifest = Manifest {
        schema_version: SCHEMA_VERSION,
        experiment: config.experiment.clone(),
        title: config.title.clone(),
        description: config.description.clone(),
        profile: config.profile.clone(),
        planned: plan.asked().len() as u64,
        plan: hash,
        formulations: config.formulations.iter().map(|choice| choice.written.name.clone()).collect(),
        solvers: plan.solvers.clone(),
        report: config.report.clone(),
        sessions,
    };
    // First the plan: a manifest must never speak of runs that are not listed.
    let rows = || plan.asked().iter().map(PlannedRun::row);
    if !table_is(&dir.plan(), rows()) {
        write_table(&dir.plan(), rows())?;
    }
    if old.is_some_and(|old| old == manifest) {
        return Ok(warnings);
    }
    let path = dir.manifest();
    let text = serde_json::to_vec_pretty(&manifest)
        .map_err(|e| RunnerError::Io { path: path.clone(), source: io::Error::other(e) })?;
    write_whole(&path, &text)?;
    Ok(warnings)
}

/// What differs between two sessions and bears on times.
fn differences(last: &SessionFacts, now: &SessionFacts) -> Vec<String> {
    let mut found = Vec::new();
    let machine = |session: &SessionFacts| (session.host.host.clone(), session.host.cpu_model.clone());
    let ((host, cpu), (our_host, our_cpu)) = (machine(last), machine(now));
    if (&host, &cpu) != (&our_host, &our_cpu) {
        found.push(format!(
            "earlier rows come from another machine ({host}, {cpu}) than those of this session ({our_host}, {our_cpu}); \
             their times do not compare"
        ));
    }
    if last.jobs != now.jobs {
        let [before, after] = [last.jobs, now.jobs].map(|jobs| count(jobs, "run"));
        found.push(format!("earlier rows were measured with {before} at a time, those of this session with {after}"));
    }
    if (&last.git_commit, &last.program) != (&now.git_commit, &now.program) {
        let [before, after] = [last, now].map(build);
        found.push(format!("earlier rows come from another build ({before}) than those of this session ({after})"));
    }
    found
}

fn build(session: &SessionFacts) -> String {
    let program = if session.program.is_empty() { String::new() } else { format!(", program {}", session.program) };
    format!("{}{program}", session.git_commit)
}

/// The sessions that rows come from stand nowhere else.
fn refuse_unreadable_manifest(dir: &ResultsDir) -> Result<(), RunnerError> {
    match dir.read_manifest() {
        Ok(_) => Ok(()),
        Err(RecordError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(RunnerError::results(
            dir,
            format!(
                "holds results, but its manifest.json, which lists their sessions, cannot be read ({error}); restore the file from a copy, \
                 delete it if that is not to be known, or choose another --out"
            ),
        )),
    }
}

/// Results of one instance must not stand beside the file of another.
fn refuse_other_instance(dir: &ResultsDir, planned: &PlannedInstance) -> Result<(), RunnerError> {
    let path = dir.instance(&planned.instance.name);
    let Ok(text) = fs::read_to_string(&path) else { return Ok(()) };
    match Instance::parse(&text, &path) {
        Ok(old) if old.canonical() == planned.instance.canonical() => Ok(()),
        _ => {
            let name = &planned.instance.name;
            let reason = "rename the instance or choose another --out";
            Err(RunnerError::results(dir, format!("holds results of another instance named {name}; {reason}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use puzzle::Solution;

    use super::*;

    fn outcome(run_id: &str) -> Outcome {
        let solution = Solution::on_places("tri", Vec::new());
        Outcome {
            row: RunRow { instance: "tri".to_owned(), ..RunRow::unmeasured(run_id) },
            iterations: Vec::new(),
            solutions: vec![(0, solution)],
        }
    }

    #[test]
    fn a_run_that_cannot_be_kept_takes_no_others_along() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let dir = ResultsDir::new(folder.path());
        make_folder(&folder.path().join("solutions")).expect("a folder");
        let mut store = Store {
            runs: Appender::open(&dir.runs()).expect("a file of runs"),
            iterations: Appender::open(&dir.iterations()).expect("a file of iterations"),
            is_new: true,
            lock: Lock::take(&dir).expect("a lock"),
            dir,
        };
        // A folder stands where the solution of `b` is to go.
        let in_the_way = store.dir.solution("b", 0);
        make_folder(&in_the_way).expect("a folder");
        let batch = ["a", "b", "c"].map(outcome);
        let (kept, error) = store.write(&batch.iter().collect::<Vec<_>>());
        assert_eq!(kept.iter().map(|run| run.row.run_id.as_str()).collect::<Vec<_>>(), ["a", "c"]);
        let error = error.expect("one could not be kept").to_string();
        assert!(error.contains("b.0.json"), "{error}");
        assert_eq!(store.dir.read_runs().expect("sound rows").len(), 2);
        assert!(["a", "c"].iter().all(|run_id| store.dir.solution(run_id, 0).is_file()));

        // Files that are not at their place any more take rows once at most.
        fs::rename(store.dir.runs(), folder.path().join("aside")).expect("the file is moved");
        let batch = ["d", "e"].map(outcome);
        let (kept, error) = store.write(&batch.iter().collect::<Vec<_>>());
        assert!(kept.is_empty() && error.is_some_and(|error| error.to_string().contains("moved")));
        fs::rename(folder.path().join("aside"), store.dir.runs()).expect("the file is moved back");
        assert_eq!(store.dir.read_runs().expect("sound rows").len(), 2);
    }
}
