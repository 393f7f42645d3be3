//! Which results a folder holds: its own, or those of the folders in it.

use std::fs;
use std::path::{Path, PathBuf};

use record::{ResultsDir, natural_order};

use crate::ReportError;

/// The results directories that a path stands for: itself, or where it is none the folders in it that are, in natural
/// order.
///
/// # Errors
/// Neither it nor any folder in it holds results, or it cannot be read.
pub fn results_in(dir: &Path) -> Result<Vec<PathBuf>, ReportError> {
    let holds_results = |dir: &Path| ResultsDir::new(dir).manifest().is_file();
    if holds_results(dir) {
        return Ok(vec![dir.to_owned()]);
    }
    if !dir.is_dir() {
        return Err(ReportError::NoManifest { dir: dir.to_owned() });
    }
    let entries = fs::read_dir(dir).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries = entries.map_err(|source| ReportError::Io { path: dir.to_owned(), source })?;
    let mut found: Vec<_> = entries.into_iter().map(|e| e.path()).filter(|path| holds_results(path)).collect();
    if found.is_empty() {
        return Err(ReportError::NoManifest { dir: dir.to_owned() });
    }
    found.sort_by(|a, b| natural_order(&a.to_string_lossy(), &b.to_string_lossy()));
    Ok(found)
}
