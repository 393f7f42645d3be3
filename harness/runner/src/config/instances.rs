//! From patterns to instance files.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

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
    found.sort_by(|a, b| natural(&a.to_string_lossy(), &b.to_string_lossy()));
    Ok(found)
}

fn absolute(source: &Source, pattern: &str) -> String {
    if pattern.starts_with('/') {
        pattern.to_owned()
    } else {
        format!("{}/{pattern}", glob::Pattern::escape(&source.folder().to_string_lossy()))
    }
}

/// Compares texts with runs of digits as numbers.
fn natural(a: &str, b: &str) -> Ordering {
    let (mut a_left, mut b_left) = (a, b);
    while !a_left.is_empty() && !b_left.is_empty() {
        let (a_piece, a_rest) = piece(a_left);
        let (b_piece, b_rest) = piece(b_left);
        let order = match (a_piece.parse::<u128>(), b_piece.parse::<u128>()) {
            (Ok(x), Ok(y)) => x.cmp(&y),
            _ => a_piece.cmp(b_piece),
        };
        if order != Ordering::Equal {
            return order;
        }
        (a_left, b_left) = (a_rest, b_rest);
    }
    a_left.cmp(b_left).then_with(|| a.cmp(b))
}

/// Splits off the longest beginning that is all digits or has none.
fn piece(text: &str) -> (&str, &str) {
    let digits = text.starts_with(|c: char| c.is_ascii_digit());
    let end = text.find(|c: char| c.is_ascii_digit() != digits).unwrap_or(text.len());
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_sort_as_numbers() {
        let mut names = ["n10-round", "n5-round", "n5", "n05", "m100", "n5-flat"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["m100", "n05", "n5", "n5-flat", "n5-round", "n10-round"]);
    }
}
