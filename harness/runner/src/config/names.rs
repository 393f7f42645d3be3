//! Names that one part of a config uses for another: the very name, or a pattern as in `--filter`.

use super::source::Source;
use super::values::At;
use crate::RunnerError;
use crate::suggest::{did_you_mean, nearest_first};

/// Positions of the names that a name or pattern fits. Where something has that very name, nothing else is meant.
///
/// # Errors
/// A text that is no pattern, or that fits nothing; with the nearest names.
pub(super) fn positions(what: &str, wanted: &str, names: &[&str]) -> Result<Vec<usize>, String> {
    if let Some(exact) = names.iter().position(|name| *name == wanted) {
        return Ok(vec![exact]);
    }
    let pattern = glob::Pattern::new(wanted).map_err(|e| format!("{what} \"{wanted}\" is no pattern: {}", e.msg))?;
    let found: Vec<usize> = (0..names.len()).filter(|&index| pattern.matches(names[index])).collect();
    if found.is_empty() {
        let near = names.iter().copied();
        let hint = did_you_mean(wanted, near.clone()).map(|n| format!("did you mean \"{n}\"? ")).unwrap_or_default();
        return Err(format!("no {what} is named \"{wanted}\"; {hint}there is {}", nearest_first(wanted, near)));
    }
    Ok(found)
}

/// Which of the names a list of names and patterns chooses; without a list all of them.
///
/// # Errors
/// As [`positions`], at the place of the list's entry.
pub(super) fn chosen(
    source: &Source,
    what: &str,
    wanted: Option<&Vec<At<String>>>,
    names: &[&str],
) -> Result<Vec<bool>, RunnerError> {
    let Some(wanted) = wanted else {
        return Ok(vec![true; names.len()]);
    };
    let mut chosen = vec![false; names.len()];
    for entry in wanted {
        for index in positions(what, entry.get(), names).map_err(|reason| source.error(entry.span(), reason))? {
            chosen[index] = true;
        }
    }
    Ok(chosen)
}
