//! Why an experiment could not be planned or run.

use std::io;
use std::path::{Path, PathBuf};

use puzzle::InputError;
use record::{RecordError, ResultsDir};

/// What keeps the runner from going on. Failed runs are no errors: they are rows.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunnerError {
    /// The operating system refused.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A config that cannot be used.
    #[error("{path}, line {line}: {reason}", path = path.display())]
    Config {
        /// The config.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong and what would be right.
        reason: String,
    },
    /// An instance file that cannot be used.
    #[error(transparent)]
    Instance(#[from] InputError),
    /// An option of the command line, or several configs together, that make no sense.
    #[error("{0}")]
    Usage(String),
    /// Other work keeps the machine busy.
    #[error("{0}")]
    Busy(String),
    /// A results directory that must not be written to.
    #[error("{dir}: {reason}", dir = dir.display())]
    Results {
        /// The directory.
        dir: PathBuf,
        /// Why, and what to do.
        reason: String,
    },
    /// A results file that cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The worker of a single run could not be started, or is of another build.
    #[error("{0}")]
    NotStarted(String),
    /// The runs were stopped because their results could not be kept or no worker of this build could be started.
    #[error(
        "stopped: {cause}. {kept} of {planned} runs have their row in {dir}; once the cause is mended, --resume goes on",
        dir = dir.display()
    )]
    Stopped {
        /// What failed.
        cause: String,
        /// Rows of this plan that are on disk.
        kept: usize,
        /// Runs of this plan.
        planned: usize,
        /// Results directory of the experiment.
        dir: PathBuf,
    },
}

impl RunnerError {
    /// What the system said of a file.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }

    /// A results directory that must not be written to, with why and what to do.
    pub(crate) fn results(dir: &ResultsDir, reason: String) -> Self {
        Self::Results { dir: dir.root().to_owned(), reason }
    }

    /// Whether the user has to change the command line, a config or an instance, rather than the machine.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        // A file of results that is gone is bad input, whoever looked for it.
        if let Self::Record(RecordError::Io { source, .. }) = self {
            return source.kind() == io::ErrorKind::NotFound;
        }
        !matches!(
            self,
            Self::Io { .. }
                | Self::Busy(_)
                | Self::Record(RecordError::Write { .. })
                | Self::NotStarted(_)
                | Self::Stopped { .. }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_refuses_is_not_bad_usage() {
        let (path, source) = (PathBuf::from("runs.csv"), || io::Error::other("disk full"));
        assert!(!RunnerError::from(RecordError::Io { path: path.clone(), source: source() }).is_usage());
        assert!(!RunnerError::from(RecordError::Write { path: path.clone(), source: source() }).is_usage());
        let gone = io::ErrorKind::NotFound.into();
        assert!(RunnerError::from(RecordError::Io { path: path.clone(), source: gone }).is_usage(), "results");
        assert!(!RunnerError::Io { path: path.clone(), source: source() }.is_usage());
        assert!(RunnerError::from(RecordError::Row { path, line: 2, reason: "no row".to_owned() }).is_usage());
    }
}
