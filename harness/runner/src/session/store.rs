//! The results directory of one experiment, open for writing.
//!
//! Solutions are written first, then iterations, then rows: what has a row is complete. Runs that ended at about the same
//! time are written together, so that the disk is waited for once; other files are written beside their place and
//! renamed into it.

use std::io;
use std::mem;
use std::path::Path;

use record::{
    Appender, Drafts, IterationRow, RecordError, ResultsDir, RunRow, make_folder, remove_drafts, table_has_rows,
};

use super::earlier::Earlier;
use super::lock::Lock;
use super::rows::Leavings;
use crate::RunnerError;
use crate::plan::ExperimentPlan;

/// Solutions that are written before they are renamed into place together. Each is an open file until then.
const DRAFTS: usize = 100;

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
    ///
    /// # Errors
    /// A directory that may not be written to, that another runner holds, or that holds rows already when this is not a
    /// resumption.
    pub fn open(out: &Path, plan: &ExperimentPlan, resume: bool) -> Result<Self, RunnerError> {
        let dir = ResultsDir::new(out.join(&plan.experiment));
        let folders = ["", "instances", "solutions", "logs"].map(|folder| dir.root().join(folder));
        for folder in &folders {
            make_folder(folder)?;
        }
        let lock = Lock::take(&dir)?;
        if !resume {
            refuse_rows(&dir, plan)?;
        }
        for folder in folders.iter().chain([&dir.proofs()]) {
            remove_drafts(folder);
        }
        // Opening cuts off what is incomplete, so this comes before reading.
        let open = || Ok::<_, RecordError>((Appender::open(&dir.runs())?, Appender::open(&dir.iterations())?));
        let (mut runs, mut iterations) = open()?;
        if dir.renew_ids()? > 0 {
            // The files are others now.
            (runs, iterations) = open()?;
        }
        let is_new = !runs.has_rows() && !iterations.has_rows();
        Ok(Self { dir, runs, iterations, is_new, lock })
    }

    /// Whether there was nothing when it was opened.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// Columns of a newer version, which stay empty in new rows.
    pub fn unknown_columns(&self) -> impl Iterator<Item = &str> {
        self.runs.unknown().iter().chain(self.iterations.unknown()).map(String::as_str)
    }

    /// The directory.
    pub fn dir(&self) -> &ResultsDir {
        &self.dir
    }

    /// Whether the directory is still there.
    ///
    /// # Errors
    /// It is not.
    pub fn check(&self) -> io::Result<()> {
        self.lock.check()
    }

    /// Writes what some runs leave behind and waits until it is on disk. Returns the runs that are there, and the first error: a
    /// disk that is full, files that cannot be written, a directory that is gone.
    pub fn write<'a>(&mut self, runs: &[&'a Leavings]) -> (Vec<&'a Leavings>, Option<RecordError>) {
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
    runs: &[&'a Leavings],
    first_error: &mut Option<RecordError>,
    mut step: impl FnMut(&[&'a Leavings]) -> Result<(), RecordError>,
) -> Vec<&'a Leavings> {
    let Err(error) = step(runs) else { return runs.to_vec() };
    first_error.get_or_insert(error);
    if runs.len() == 1 {
        return Vec::new();
    }
    runs.iter().copied().filter(|run| step(&[*run]).is_ok()).collect()
}

fn write_solutions(dir: &ResultsDir, runs: &[&Leavings]) -> Result<(), RecordError> {
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

/// The time now, RFC 3339 with milliseconds.
pub(super) fn now() -> String {
    format!("{:.3}", jiff::Timestamp::now())
}

fn refuse_rows(dir: &ResultsDir, plan: &ExperimentPlan) -> Result<(), RunnerError> {
    // A session that was killed before its first row leaves the header alone, which is nothing to lose.
    if !table_has_rows(&dir.runs())? {
        return Ok(());
    }
    let done = Earlier::peek(dir, &mut |_, _| {}).unwrap_or_default();
    let complete = plan.run_ids().all(|run_id| done.is_final(run_id));
    Err(RunnerError::Results {
        dir: dir.root().to_owned(),
        reason: if complete {
            format!("holds {} already; report them, or choose another --out to measure anew", what_all(plan))
        } else {
            "holds results already; --resume goes on there, or choose another --out".to_owned()
        },
    })
}

/// All runs of a plan, in words.
fn what_all(plan: &ExperimentPlan) -> String {
    let runs = match plan.len() {
        1 => "the 1 run".to_owned(),
        runs => format!("all {runs} runs"),
    };
    let of = if plan.len() < plan.asked().len() { "that pass the filters" } else { "of this plan" };
    let of = if plan.len() == 1 { of.replace("pass ", "passes ") } else { of.to_owned() };
    format!("{runs} {of}")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use puzzle::Solution;

    use super::*;

    fn leavings(run_id: &str) -> Leavings {
        let solution = Solution::on_places("tri", Vec::new());
        Leavings {
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
        let batch = ["a", "b", "c"].map(leavings);
        let (kept, error) = store.write(&batch.iter().collect::<Vec<_>>());
        assert_eq!(kept.iter().map(|run| run.row.run_id.as_str()).collect::<Vec<_>>(), ["a", "c"]);
        let error = error.expect("one could not be kept").to_string();
        assert!(error.contains("b.0.json"), "{error}");
        assert_eq!(store.dir.read_runs().expect("sound rows").len(), 2);
        assert!(["a", "c"].iter().all(|run_id| store.dir.solution(run_id, 0).is_file()));

        // Files that are not at their place any more take rows once at most.
        fs::rename(store.dir.runs(), folder.path().join("aside")).expect("the file is moved");
        let batch = ["d", "e"].map(leavings);
        let (kept, error) = store.write(&batch.iter().collect::<Vec<_>>());
        assert!(kept.is_empty() && error.is_some_and(|error| error.to_string().contains("moved")));
        fs::rename(folder.path().join("aside"), store.dir.runs()).expect("the file is moved back");
        assert_eq!(store.dir.read_runs().expect("sound rows").len(), 2);
    }
}
