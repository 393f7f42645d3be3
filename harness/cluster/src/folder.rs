//! The layout of a folder of tasks.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use record::write_whole;
use runner::RunnerError;

use crate::submission::Submission;

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
