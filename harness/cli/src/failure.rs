//! Errors on their way to the user, and exit codes: 1 a check failed, 2 bad usage, config or input, 3 the machine refused.

use std::fmt;
use std::io;
use std::process::ExitCode;

use crate::output::note;

/// A check that failed or work that could not be done, as opposed to bad input.
#[derive(Debug)]
pub struct Failed(pub String);

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failed {}

/// Exit code of a failed check.
pub const CHECK_FAILED: u8 = 1;

/// Exit code of bad usage, config or input.
pub const BAD_INPUT: u8 = 2;

/// Exit code where the machine refused: a full disk, a place that is forbidden or read-only, workers that cannot be started.
pub const MACHINE_REFUSED: u8 = 3;

/// Exit code after Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// Prints an error and chooses the exit code.
pub fn report(error: &anyhow::Error) -> ExitCode {
    if is_broken_pipe(error) {
        // `tilebench ... | head`: the reader has what it wanted.
        return ExitCode::SUCCESS;
    }
    note!("error: {}", in_full(error));
    ExitCode::from(match error.downcast_ref::<Failed>() {
        Some(_) => CHECK_FAILED,
        None if is_refusal(error) => MACHINE_REFUSED,
        None => BAD_INPUT,
    })
}

/// Whether the machine is at fault rather than what it was asked to do.
fn is_refusal(error: &anyhow::Error) -> bool {
    if let Some(error) = error.downcast_ref::<runner::RunnerError>() {
        return !error.is_usage();
    }
    // A file that may not be read is not the one to be read.
    let reads = error.chain().any(|cause| cause.is::<puzzle::InputError>());
    let refuses = |error: &io::Error| {
        use io::ErrorKind::{PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
        matches!(error.kind(), StorageFull | QuotaExceeded | ReadOnlyFilesystem | PermissionDenied)
    };
    !reads && error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(refuses)
}

/// An error with its causes, but for those that it names itself.
fn in_full(error: &anyhow::Error) -> String {
    error
        .chain()
        .skip(1)
        .map(ToString::to_string)
        .fold(error.to_string(), |text, cause| if text.ends_with(&cause) { text } else { format!("{text}: {cause}") })
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
}
