//! From patterns to instance files.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

use record::natural_order;

use super::file::Patterns;
use super::source::Source;
use crate::RunnerError;

/// The files that match, each once, `n5` before `n10`.
pub(super) fn expand(source: &Source, patterns: &Patterns) -> Result<Vec<PathBuf>, RunnerError> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    for pattern in patterns {
        let mut matched = false;
        let paths = glob::glob(&absolute(source, pattern.get_ref()))
            .map_err(|e| source.error(pattern.span(), format!("not a pattern: {e}")))?;
        for path in paths {
            let path = path.map_err(|e| RunnerError::Io { path: e.path().to_owned(), source: e.into() })?;
            if path.is_dir() {
                continue;
            }
            matched = true;
            let real = fs::canonicalize(&path).map_err(|source| RunnerError::Io { path: path.clone(), source })?;
            if seen.insert(real) {
                found.push(path);
            }
        }
        if !matched {
            return Err(source.error(
                pattern.span(),
                format!(
                    "no file matches \"{}\" (patterns are relative to {})",
                    pattern.get_ref(),
                    source.folder().display()
                ),
            ));
        }
    }
    found.sort_by(|a, b| natural_order(&a.to_string_lossy(), &b.to_string_lossy()));
    Ok(found)
}

fn absolute(source: &Source, pattern: &str) -> String {
    if pattern.starts_with('/') {
        pattern.to_owned()
    } else {
        format!("{}/{pattern}", glob::Pattern::escape(&source.folder().to_string_lossy()))
    }
}
