//! The layout of a folder of tasks, and what it knows of itself.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use record::write_whole;
use runner::{RunnerError, count, duration};
use serde::{Deserialize, Serialize};

use crate::Engine;

/// A folder from which the tasks of an experiment are run.
///
/// ```text
/// README.md job.sh [job.toml] [commands.txt] plan.csv submit.json tilebench
/// frozen/...   the config and what it reads      logs/   what tasks print
/// parts/0007/<attempt>/<experiment>/             results of an attempt at task 7
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    root: PathBuf,
}

/// What a folder of tasks knows of itself: `submit.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Submission {
    /// Name of the experiment.
    pub experiment: String,
    /// What engines call its jobs; no other folder has it.
    pub name: String,
    /// Beginning of the hash of the ids of all runs, as in manifests.
    pub plan: String,
    /// The config, relative to the folder.
    pub config: PathBuf,
    /// The directory in which tasks run: programs that a config names may be relative to it.
    pub directory: PathBuf,
    /// What `tilebench run` is told beside config and shard.
    pub options: Vec<String>,
    /// Who runs the tasks.
    pub engine: Engine,
    /// What each task needs.
    pub needs: Needs,
    /// The longest that a task goes without a new row, in seconds. `None`: a run has no time limit.
    pub silence_s: Option<f64>,
    /// The tasks: the first is number 1.
    pub tasks: Vec<Task>,
    /// What was handed to the engine, in order.
    pub sent: Vec<Sent>,
}

/// What a task needs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Needs {
    /// Cores.
    pub cores: u64,
    /// Memory in bytes. `None`: runs have no memory limit.
    pub memory_b: Option<u64>,
    /// The most wall time in seconds: by the limits of its runs, with what comes on top.
    pub time_s: f64,
}

/// A task: one shard.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// Number of runs.
    pub runs: usize,
    /// The sum of their time limits, divided by the runs at a time, in seconds.
    pub seconds: f64,
}

/// Tasks that were handed to an engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    /// When, RFC 3339.
    pub at: jiff::Timestamp,
    /// What the engine calls the job. It may give the same name again to another job.
    pub job: String,
    /// Numbers of the tasks.
    pub tasks: Vec<usize>,
}

impl Folder {
    /// Names the folder by its absolute path; nothing is read or created.
    ///
    /// # Errors
    /// A path that scripts of engines could take for something else.
    pub fn new(path: &Path) -> Result<Self, RunnerError> {
        let root: PathBuf = std::path::absolute(path)
            .map_err(|source| RunnerError::Io { path: path.to_owned(), source })?
            .components()
            .collect();
        // Slurm and HyperQueue replace words that begin with a percent sign.
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,:@=".contains(c);
        match root.to_str().is_some_and(|text| text.chars().all(is_plain)) {
            true => Ok(Self { root }),
            false => Err(RunnerError::Usage(format!(
                "{}: the path of a folder of tasks may have letters, digits and ._-+,:@= only, since it stands in job scripts",
                root.display()
            ))),
        }
    }

    /// The folder itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Copies of the config and of all that it reads.
    #[must_use]
    pub fn frozen(&self) -> PathBuf {
        self.root.join("frozen")
    }

    /// A copy of the program.
    #[must_use]
    pub fn program(&self) -> PathBuf {
        self.root.join("tilebench")
    }

    /// `plan.csv`, as results directories have it.
    #[must_use]
    pub fn plan(&self) -> PathBuf {
        self.root.join("plan.csv")
    }

    /// The script of a task.
    #[must_use]
    pub fn script(&self) -> PathBuf {
        self.root.join("job.sh")
    }

    /// The job file of HyperQueue.
    #[must_use]
    pub fn job_file(&self) -> PathBuf {
        self.root.join("job.toml")
    }

    /// A command line for each task.
    #[must_use]
    pub fn commands(&self) -> PathBuf {
        self.root.join("commands.txt")
    }

    /// What to do with the folder.
    #[must_use]
    pub fn readme(&self) -> PathBuf {
        self.root.join("README.md")
    }

    /// What the tasks print.
    #[must_use]
    pub fn logs(&self) -> PathBuf {
        self.root.join("logs")
    }

    /// The results of all tasks.
    #[must_use]
    pub fn parts(&self) -> PathBuf {
        self.root.join("parts")
    }

    /// The results of all attempts at a task; `job.sh` writes the number in the same way.
    #[must_use]
    pub fn part(&self, task: usize) -> PathBuf {
        self.parts().join(format!("{task:04}"))
    }

    fn submission(&self) -> PathBuf {
        self.root.join("submit.json")
    }

    /// Reads what the folder knows of itself.
    ///
    /// # Errors
    /// A folder that is none of tasks, or is damaged.
    pub fn read(&self) -> Result<Submission, RunnerError> {
        let path = self.submission();
        let text = fs::read_to_string(&path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => RunnerError::Usage(format!(
                "{}: no submit.json in it; name a folder that tilebench submit has written",
                self.root.display()
            )),
            _ => RunnerError::Io { path: path.clone(), source },
        })?;
        serde_json::from_str(&text).map_err(|e| {
            RunnerError::Usage(format!("{}: {e}; it is not as tilebench submit has written it", path.display()))
        })
    }

    /// Writes what the folder knows of itself.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, submission: &Submission) -> Result<(), RunnerError> {
        let path = self.submission();
        let mut text = serde_json::to_string_pretty(submission)
            .map_err(|e| RunnerError::Io { path: path.clone(), source: e.into() })?;
        text.push('\n');
        Ok(write_whole(&path, text.as_bytes())?)
    }
}

impl Submission {
    /// Numbers of all tasks.
    #[must_use]
    pub fn numbers(&self) -> Vec<usize> {
        (1..=self.tasks.len()).collect()
    }
}

/// The tasks in a line: how many, how long, what each needs.
impl fmt::Display for Submission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs: usize = self.tasks.iter().map(|task| task.runs).sum();
        let seconds = || self.tasks.iter().map(|task| task.seconds);
        let [least, most] = [seconds().fold(f64::INFINITY, f64::min), seconds().fold(0.0, f64::max)].map(duration);
        let range = if least == most { most } else { format!("{least} to {most}") };
        let (tasks, cores) = (count(self.tasks.len() as u64, "task"), count(self.needs.cores, "core"));
        write!(
            f,
            "{}: {} in {tasks} of at most {range}, each with {cores}",
            self.experiment,
            count(runs as u64, "run")
        )?;
        match self.needs.memory_b {
            Some(bytes) => write!(f, " and {} MiB", bytes.div_ceil(1 << 20)),
            None => Ok(()),
        }
    }
}
