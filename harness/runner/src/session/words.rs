//! Rows in words, as progress and summary show them.

use record::{RunRow, Status};

use crate::plan::run_label;

/// A status, where a limit struck with that limit: `timeout (cpu-limit)`.
pub(super) fn status_and_limit(status: Status, termination_reason: &str) -> String {
    match status {
        Status::Timeout | Status::Memout if termination_reason != status.as_str() => {
            format!("{status} ({termination_reason})")
        }
        _ => status.to_string(),
    }
}

/// What is said of a solver without its name at the beginning, for where that stands already. It is not cut short: how to get the
/// solver stands at its end.
pub(super) fn after_name<'a>(solver: &str, message: &'a str) -> &'a str {
    let rest = message.strip_prefix(solver).filter(|rest| rest.starts_with([':', ' ']));
    rest.map_or(message, |rest| rest.trim_start_matches([':', ' ']))
}

/// A row in words.
pub(super) fn row_label(row: &RunRow) -> String {
    let run = run_label(&row.instance, &row.formulation, &row.solver, row.seed, row.repeat);
    format!("{} {run}", row.experiment)
}
