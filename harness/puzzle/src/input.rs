//! What the files of all puzzles share: what is known of an answer, and what can be wrong with input.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What is known about an instance's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Known {
    /// A verified solution exists.
    Solvable,
    /// Proven to have none.
    Unsolvable,
    /// Nobody has said.
    #[default]
    Unknown,
}

impl Known {
    /// The word used in instance files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Solvable => "solvable",
            Self::Unsolvable => "unsolvable",
            Self::Unknown => "unknown",
        }
    }
}

/// A file that cannot be read as what it should be.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// The operating system refused.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Not the syntax of the format, or not the keys of the file kind.
    #[error("{path}: {reason}", path = path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Position and reason, as the parser gives them.
        reason: String,
    },
    /// Well-formed, but no such puzzle can be.
    #[error("{path}: {field}: {reason}", path = path.display())]
    Field {
        /// The file.
        path: PathBuf,
        /// The field at fault, with its index where it is a list.
        field: String,
        /// What is wrong and what would be right.
        reason: String,
    },
}

/// A field of an instance file that makes no sense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// The field, with its index where it is a list.
    pub field: String,
    /// What is wrong and what would be right.
    pub reason: String,
}

impl FieldError {
    /// The field at fault, and what is wrong.
    #[must_use]
    pub fn new(field: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { field: field.into(), reason: reason.into() }
    }
}
