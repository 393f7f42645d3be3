//! What a folder of tasks knows of itself: the tasks, what they need, who runs them.

use std::fmt;
use std::path::PathBuf;

use runner::{count, duration};
use serde::{Deserialize, Serialize};

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

/// Who runs tasks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// Slurm, as an array of jobs.
    Slurm(Slurm),
    /// HyperQueue, as an array of tasks.
    Hyperqueue,
    /// Whoever runs command lines: GNU parallel, ssh, a person.
    Script,
}

/// How Slurm is to run tasks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Slurm {
    /// The most tasks of an array at a time.
    pub throttle: Option<u32>,
    /// Whether a task has its node to itself.
    pub exclusive: bool,
    /// Features that nodes must have.
    pub constraint: Option<String>,
    /// Further options of `sbatch`, each a line of the script.
    pub lines: Vec<String>,
}

impl Engine {
    /// Its name on the command line.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Slurm(_) => "slurm",
            Self::Hyperqueue => "hyperqueue",
            Self::Script => "script",
        }
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
