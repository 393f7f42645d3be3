//! The files by which the kernel tells of itself, under a root that tests put elsewhere.

use std::fs;
use std::path::{Path, PathBuf};

/// `/proc` and `/sys`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct System {
    root: PathBuf,
}

impl Default for System {
    fn default() -> Self {
        Self { root: PathBuf::from("/") }
    }
}

impl System {
    /// The files under another root.
    #[cfg(test)]
    pub fn at(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    /// Where a file of an absolute path lies.
    pub fn path(&self, absolute: impl AsRef<Path>) -> PathBuf {
        let absolute = absolute.as_ref();
        self.root.join(absolute.strip_prefix("/").unwrap_or(absolute))
    }

    /// The trimmed text of a file; empty where it cannot be read.
    pub fn read(&self, absolute: impl AsRef<Path>) -> String {
        fs::read_to_string(self.path(absolute)).map(|text| text.trim().to_owned()).unwrap_or_default()
    }
}
