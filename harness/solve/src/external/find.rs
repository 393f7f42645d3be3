//! Where the executable of a program is, and which version it says to be.

use std::env;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::process::{self, End};
use super::text::tail;
use crate::error::SolveError;

/// How long a program may take to say its version.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// What a program that was asked something said.
pub(crate) struct Said {
    /// All that it printed.
    pub printed: String,
    /// Its exit code.
    pub exit: i32,
}

/// The path of a program: as it is if it has a slash, else found in PATH.
///
/// # Errors
/// What was looked for in vain.
pub(super) fn find(program: &str) -> Result<PathBuf, String> {
    if program.contains('/') {
        let path = Path::new(program);
        // The program may run in another directory.
        let path = std::path::absolute(path).map_err(|e| format!("{program}: {e}"))?;
        return match path.metadata() {
            Err(e) => Err(format!("{program}: {e}")),
            Ok(_) if !executable(&path) => Err(format!("{program} is no executable file")),
            Ok(_) => Ok(path),
        };
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path).map(|directory| directory.join(program)).find(|path| executable(path));
    let found = found.ok_or_else(|| format!("no executable {program} in PATH"))?;
    std::path::absolute(&found).map_err(|e| format!("{}: {e}", found.display()))
}

/// The executable of a backend: as the options say, else as the environment says, else found in PATH.
///
/// # Errors
/// [`SolveError::Missing`].
pub(super) fn locate(
    name: &'static str,
    executable: &str,
    install: &str,
    given: Option<&str>,
) -> Result<PathBuf, SolveError> {
    let variable = format!("TILEBENCH_{}", name.to_uppercase().replace('-', "_"));
    let set = env::var(&variable).ok().filter(|value| !value.is_empty());
    find(given.or(set.as_deref()).unwrap_or(executable)).map_err(|reason| SolveError::Missing {
        solver: name,
        reason,
        remedy: format!(
            "install it ({}), or say where it is by options.program or {variable}",
            install.replace('\n', " ")
        ),
    })
}

/// What tells a program that says no version from another one: the beginning of the hash of its file.
///
/// # Errors
/// A file that cannot be read.
pub(super) fn fingerprint(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(format!("file {}", &blake3::hash(&bytes).to_hex()[..12]))
}

/// What a command prints, if it ends soon.
///
/// # Errors
/// A command that cannot be started, does not end or is killed.
pub(crate) fn ask(command: Command, patience: Duration) -> Result<Said, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let failed = |e: io::Error| format!("{name}: {e}");
    let directory = tempfile::Builder::new().prefix("tilebench-version-").tempdir().map_err(failed)?;
    let log = directory.path().join("log");
    let end = process::run(command, &log, Instant::now().checked_add(patience), false).map_err(failed)?;
    let printed = String::from_utf8_lossy(&std::fs::read(&log).map_err(failed)?).into_owned();
    match end {
        End::Exit(exit) => Ok(Said { printed, exit }),
        End::Signal(signal) => Err(format!("{name} was killed by signal {signal}; {}", tail(&printed))),
        End::Killed => Err(format!("{name} did not say its version within {} s", patience.as_secs())),
    }
}

fn executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}
