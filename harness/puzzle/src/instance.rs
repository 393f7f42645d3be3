//! Instance files: TOML, one puzzle each.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::InputError;
use crate::tantrix::{self, FixedTantrix};

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

/// A puzzle to solve, as its file describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// File name without its ending.
    pub name: String,
    /// What is known of the answer; the judge holds solvers to it.
    pub known: Known,
    /// Where the instance comes from.
    pub source: String,
    /// The puzzle itself.
    pub puzzle: Puzzle,
}

/// The kinds of puzzle there are.
#[derive(Debug, Clone, PartialEq)]
pub enum Puzzle {
    /// Kino & Uno 2012: as many places as tiles.
    TantrixFixed(FixedTantrix),
}

/// What a result row says of an instance, for any kind of puzzle.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Facts {
    /// Number of tiles.
    pub challenge: Option<u64>,
    /// Number of places.
    pub places: Option<u64>,
    /// Designated colour.
    pub colour: Option<String>,
}

/// The part of an instance file that all kinds share.
#[derive(Deserialize)]
struct Kind {
    kind: String,
}

impl Instance {
    /// Reads an instance file.
    ///
    /// # Errors
    /// A file that cannot be read, is no instance, or describes a puzzle that cannot be.
    pub fn load(path: &Path) -> Result<Self, InputError> {
        let text = fs::read_to_string(path).map_err(|source| InputError::Io { path: path.to_owned(), source })?;
        Self::parse(&text, path)
    }

    /// Reads an instance from the text of its file; `path` gives the name and stands in messages.
    ///
    /// # Errors
    /// As [`Instance::load`].
    pub fn parse(text: &str, path: &Path) -> Result<Self, InputError> {
        let syntax =
            |e: toml::de::Error| InputError::Syntax { path: path.to_owned(), reason: e.to_string().trim_end().into() };
        let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let kind = text.parse::<toml::Table>().map_err(syntax)?;
        let kind = Kind::deserialize(kind).map_err(|e| InputError::Field {
            path: path.to_owned(),
            field: "kind".into(),
            reason: format!("{}; an instance file says what it is, for example kind = \"tantrix-fixed\"", e.message()),
        })?;
        match kind.kind.as_str() {
            tantrix::FIXED => {
                let file: tantrix::FixedFile = toml::from_str(text).map_err(syntax)?;
                let puzzle = FixedTantrix::new(&file).map_err(|e| InputError::Field {
                    path: path.to_owned(),
                    field: e.field,
                    reason: e.reason,
                })?;
                Ok(Self { name, known: file.known, source: file.source, puzzle: Puzzle::TantrixFixed(puzzle) })
            }
            other => Err(InputError::Field {
                path: path.to_owned(),
                field: "kind".into(),
                reason: format!("unknown kind {other:?}; known kinds: \"{}\"", tantrix::FIXED),
            }),
        }
    }

    /// What determines the puzzle, as text in a normal form: equal for files that differ in layout,
    /// comments, provenance or the known answer only.
    #[must_use]
    pub fn canonical(&self) -> String {
        match &self.puzzle {
            Puzzle::TantrixFixed(puzzle) => puzzle.canonical(),
        }
    }

    /// What a result row says of the instance.
    #[must_use]
    pub fn facts(&self) -> Facts {
        match &self.puzzle {
            Puzzle::TantrixFixed(puzzle) => Facts {
                challenge: Some(puzzle.challenge as u64),
                places: Some(puzzle.board.len() as u64),
                colour: Some(puzzle.colour.name().to_owned()),
            },
        }
    }
}
