//! The text of a config, and where in it something stands.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use crate::RunnerError;

/// A config file as read.
#[derive(Debug)]
pub(super) struct Source {
    pub path: PathBuf,
    pub text: String,
}

impl Source {
    /// Reads the file.
    pub fn read(path: &Path) -> Result<Self, RunnerError> {
        let text = puzzle::read_text(path)
            .map_err(|e| RunnerError::Usage(format!("cannot read the config {}: {e}", path.display())))?;
        Ok(Self { path: path.to_owned(), text })
    }

    /// The directory that patterns and file names are relative to.
    pub fn folder(&self) -> &Path {
        match self.path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        }
    }

    /// The file as a table that remembers where each value stands.
    pub fn table(&self) -> Result<Spanned<DeTable<'_>>, RunnerError> {
        DeTable::parse(&self.text).map_err(|e| self.syntax(&e, 0..0))
    }

    /// Reads a table as a type; errors say on which line.
    pub fn read_as<T: DeserializeOwned>(&self, table: Spanned<DeTable<'_>>) -> Result<T, RunnerError> {
        let whole = table.span();
        let value = Spanned::new(whole.clone(), DeValue::Table(table.into_inner()));
        T::deserialize(ValueDeserializer::from(value)).map_err(|e| self.syntax(&e, whole))
    }

    /// An error about a line.
    pub fn error_on(&self, line: usize, reason: impl Into<String>) -> RunnerError {
        RunnerError::Config { path: self.path.clone(), line, reason: reason.into() }
    }

    /// An error about what stands at a span.
    pub fn error(&self, span: Range<usize>, reason: impl Into<String>) -> RunnerError {
        self.error_on(self.line(span.start), reason)
    }

    /// One error of several, the first by its place.
    pub fn all(&self, mut faults: Vec<(Range<usize>, String)>) -> Result<(), RunnerError> {
        faults.sort_by_key(|(span, _)| span.start);
        let mut texts = faults.into_iter();
        let Some((span, mut reason)) = texts.next() else { return Ok(()) };
        for (span, text) in texts {
            reason += &format!("\n{}, line {}: {text}", self.path.display(), self.line(span.start));
        }
        Err(self.error(span, reason))
    }

    /// Line (from 1) of a byte of the text.
    pub fn line(&self, offset: usize) -> usize {
        let before = self.text.as_bytes().iter().take(offset);
        1 + before.filter(|byte| **byte == b'\n').count()
    }

    fn syntax(&self, error: &toml::de::Error, fallback: Range<usize>) -> RunnerError {
        self.error(error.span().unwrap_or(fallback), error.message().trim_end())
    }
}
