//! What the files of all puzzles share: what is known of an answer, and what can be wrong with input.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Gives the variants of an enum their words.
#[macro_export]
macro_rules! words {
    ($type:ident: $($variant:ident $word:literal),* $(,)?) => {
        impl $type {
            /// All of them, in the order in which listings show them.
            pub const ALL: [Self; [$($word),*].len()] = [$(Self::$variant),*];

            /// Their words, in the same order.
            pub const WORDS: &[&str] = &[$($word),*];

            /// The word used in files, messages and listings.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            /// What a word means.
            pub fn of_word(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.name() == word)
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

words!(Known: Solvable "solvable", Unsolvable "unsolvable", Unknown "unknown");

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

/// Bytes of the largest text that is read: no instance, solution or config comes near it.
const MOST_BYTES: u64 = 64 << 20;

/// Reads a text that a user named.
///
/// # Errors
/// What is no regular file (a device or a pipe may never end), more than 64 MiB, no UTF-8: the error says in which line.
pub fn read_text(path: &Path) -> io::Result<String> {
    let there = fs::metadata(path)?;
    if !there.is_file() && !there.is_dir() {
        return Err(io::Error::other("this is no regular file; save the text in one"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(io::Error::other("this is larger than 64 MiB, and so nothing that is read here"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + good.iter().filter(|byte| **byte == b'\n').count();
        io::Error::new(io::ErrorKind::InvalidData, format!("line {line}: this is no UTF-8 text"))
    })
}

/// A file that cannot be read as what it should be.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields say what they are, and are those of a `FieldError`")]
pub enum InputError {
    /// The operating system refused.
    #[error("{path}: {source}", path = path.display())]
    Io { path: PathBuf, source: io::Error },
    /// Not the syntax of the format, or not the keys of the file kind; with position and reason, as the parser gives them.
    #[error("{path}: {reason}", path = path.display())]
    Syntax { path: PathBuf, reason: String },
    /// Well-formed, but no such puzzle can be.
    #[error("{path}: {field}: {reason}", path = path.display())]
    Field { path: PathBuf, field: String, reason: String },
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
    pub fn new(field: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { field: field.into(), reason: reason.into() }
    }
}
