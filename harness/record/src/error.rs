//! Errors of reading and writing results.

use std::path::PathBuf;

/// A results file that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The operating system refused.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file that could not be written as a whole; what was there before still is.
    #[error("cannot write {path}: {source}", path = path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A row or cell that does not fit the schema.
    #[error("{path}, line {line}: {reason}", path = path.display())]
    Row {
        /// The file.
        path: PathBuf,
        /// Line in the file, from 1.
        line: u64,
        /// What is wrong, and what would be right.
        reason: String,
    },
    /// A file that as a whole does not fit.
    #[error("{path}: {reason}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what would be right.
        reason: String,
    },
}
