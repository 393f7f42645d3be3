//! A folder of tasks: its layout, and what it knows of itself.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt::{self, Write as _};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Component, Path, PathBuf};

use record::write_whole;
use runner::{RunnerError, count, duration};
use serde::{Deserialize, Serialize};

/// A folder from which the tasks of an experiment are run.
///
/// ```text
/// README.md job.sh [job.toml] [commands.txt] plan.csv submit.json tilebench .lock
/// frozen/...   the config and what it reads      logs/   what tasks print
/// parts/0007/<attempt>/<experiment>/             results of an attempt at task 7
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// Names the folder by its absolute path; nothing is read or created.
    ///
    /// # Errors
    /// A path that scripts of engines could take for something else.
    pub fn new(path: &Path) -> Result<Self, RunnerError> {
        let is_up = path.components().any(|part| part == Component::ParentDir);
        // What `..` leads to behind a link only the file system knows.
        let there = path.ancestors().find_map(|above| Some((fs::canonicalize(above).ok().filter(|_| is_up)?, above)));
        let root = match there {
            Some((real, above)) => plain(&real.join(path.strip_prefix(above).unwrap_or(path)))?,
            None => plain(path)?,
        };
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

    pub(crate) fn frozen(&self) -> PathBuf {
        self.root.join("frozen")
    }

    pub(crate) fn program(&self) -> PathBuf {
        self.root.join("tilebench")
    }

    pub(crate) fn plan(&self) -> PathBuf {
        self.root.join("plan.csv")
    }

    /// The script of a task.
    pub(crate) fn script(&self) -> PathBuf {
        self.root.join("job.sh")
    }

    /// The job file of HyperQueue.
    pub(crate) fn job_file(&self) -> PathBuf {
        self.root.join("job.toml")
    }

    /// A command line for each task.
    pub(crate) fn commands(&self) -> PathBuf {
        self.root.join("commands.txt")
    }

    pub(crate) fn readme(&self) -> PathBuf {
        self.root.join("README.md")
    }

    pub(crate) fn logs(&self) -> PathBuf {
        self.root.join("logs")
    }

    /// The results of all tasks.
    pub(crate) fn parts(&self) -> PathBuf {
        self.root.join("parts")
    }

    /// The results of all attempts at a task; `job.sh` writes the number in the same way.
    pub(crate) fn part(&self, task: usize) -> PathBuf {
        self.parts().join(format!("{task:04}"))
    }

    fn submission(&self) -> PathBuf {
        self.root.join("submit.json")
    }

    /// Reads what the folder knows of itself.
    ///
    /// # Errors
    /// Not a folder of tasks, or a damaged one.
    pub fn read(&self) -> Result<Submission, RunnerError> {
        let path = self.submission();
        let text = fs::read_to_string(&path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => RunnerError::Usage(format!(
                "{}: no submit.json in it; name a folder that tilebench submit has written",
                self.root.display()
            )),
            _ => RunnerError::io(&path)(source),
        })?;
        serde_json::from_str(&text).map_err(|e| {
            RunnerError::Usage(format!("{}: {e}; it is not as tilebench submit has written it", path.display()))
        })
    }

    /// Keeps others from sending tasks of the folder while the file is held, where the file system has locks.
    ///
    /// # Errors
    /// Somebody else sends tasks just now; not a folder of tasks; one that cannot be written to.
    pub fn lock(&self) -> Result<File, RunnerError> {
        // Where there is no such folder, no file is made.
        self.read()?;
        // A file that nobody reads, and open for writing: NFS locks no other.
        let path = self.root.join(".lock");
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        // Of another user it may be readable only.
        let file = file.or_else(|error| File::open(&path).map_err(|_| error)).map_err(RunnerError::io(&path))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(RunnerError::Usage(format!(
                "{}: another tilebench submit sends its tasks just now; look with tilebench status, and try again",
                self.root.display()
            ))),
            Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
        }
    }

    pub(crate) fn write(&self, submission: &Submission) -> Result<(), RunnerError> {
        let path = self.submission();
        let mut text =
            serde_json::to_string_pretty(submission).map_err(|error| RunnerError::io(&path)(error.into()))?;
        text.push('\n');
        Ok(write_whole(&path, text.as_bytes())?)
    }
}

/// An absolute path without `.` and `..`, whatever links it leads through: patterns of a config are followed in the same way.
pub(crate) fn plain(path: &Path) -> Result<PathBuf, RunnerError> {
    let absolute = std::path::absolute(path).map_err(RunnerError::io(path))?;
    let mut plain = PathBuf::new();
    for part in absolute.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(AsRef::<OsStr>::as_ref(&part)),
        }
    }
    Ok(plain)
}

/// The beginning of the hash of a file.
pub(crate) fn hash_of(path: &Path) -> io::Result<String> {
    let mut hex = blake3::hash(&fs::read(path)?).to_hex().to_string();
    hex.truncate(16);
    Ok(hex)
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
    /// Where the folder was made: job scripts name it.
    pub root: PathBuf,
    /// The config, relative to the folder.
    pub config: PathBuf,
    /// The program that runs the tasks, and the files in `frozen`: by the path relative to the folder the beginning of the hash.
    pub copies: BTreeMap<PathBuf, String>,
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// Number of runs.
    pub runs: usize,
    /// The sum of their time limits, divided by the runs at a time, in seconds.
    pub seconds: f64,
    /// Names of their instances, all runs of which are in this task.
    pub instances: BTreeSet<String>,
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
    /// What is wrong if the folder was moved or copied: tasks run where it was made.
    pub(crate) fn moved_to(&self, folder: &Folder) -> Option<String> {
        // One folder may have several paths.
        let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let (made, here) = (self.root.as_path(), folder.root());
        (real(made) != real(here)).then(|| {
            let (made, here) = (made.display(), here.display());
            format!(
                "{here}: this folder was made as {made}, where its tasks run and write: none can be sent from here; move it back, \
                 or submit the config anew"
            )
        })
    }

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
        let (tasks, cores) = (count(self.tasks.len(), "task"), count(self.needs.cores, "core"));
        write!(f, "{}: {} in {tasks} of at most {range}, each with {cores}", self.experiment, count(runs, "run"))?;
        match self.needs.memory_b {
            Some(bytes) => write!(f, " and {} MiB", bytes.div_ceil(1 << 20)),
            None => Ok(()),
        }
    }
}

/// Ascending numbers as engines and people write them: `1-3,7`.
#[must_use]
pub fn ranges(numbers: &[usize]) -> String {
    let mut text = String::new();
    let mut rest = numbers;
    while let Some(&first) = rest.first() {
        let length = rest.iter().zip(first..).take_while(|(number, expected)| *number == expected).count();
        let comma = if text.is_empty() { "" } else { "," };
        let range = match length {
            1 => first.to_string(),
            _ => format!("{first}-{}", first + length - 1),
        };
        // Writing to a text cannot fail.
        let _ = write!(text, "{comma}{range}");
        rest = &rest[length..];
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_joined() {
        assert_eq!(ranges(&[1, 2, 3, 7, 9, 10]), "1-3,7,9-10");
        assert_eq!((ranges(&[4]), ranges(&[])), ("4".to_owned(), String::new()));
    }
}
