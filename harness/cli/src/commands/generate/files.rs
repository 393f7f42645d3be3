//! Files that are written only where they replace nothing else, and solutions beside instances.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use puzzle::{Instance, Solution, verify};

use crate::output::note;

/// Refuses to write over a file that holds something else, unless that is forced.
pub fn check_free(path: &Path, content: &str, force: bool) -> anyhow::Result<()> {
    let is_other = path.is_file() && !fs::read(path).is_ok_and(|found| found == content.as_bytes());
    anyhow::ensure!(
        force || !is_other,
        "{}: there is such a file already, and it holds something else; choose another name, or replace it by --force",
        path.display()
    );
    Ok(())
}

/// Refuses a file that is there, whatever it holds, unless that is forced: before a solver takes its time.
pub fn check_unwritten(path: &Path, force: bool) -> anyhow::Result<()> {
    anyhow::ensure!(
        force || !path.is_file(),
        "{}: there is such a file already; choose another name, or replace it by --force",
        path.display()
    );
    Ok(())
}

/// Writes the solution of an instance file.
pub fn write_solution(path: &Path, solution: &Solution) -> anyhow::Result<PathBuf> {
    let beside = solution_beside(path);
    record::write_whole(&beside, solution.to_json().as_bytes())?;
    Ok(beside)
}

/// Where the solution of an instance file stands.
pub fn solution_beside(path: &Path) -> PathBuf {
    path.with_extension("solution.json")
}

/// The solution beside an instance file, if it is none of the instance that is to be written there. Unless that is forced, it is
/// an error.
pub fn stale_solution(instance: &Instance, path: &Path, force: bool) -> anyhow::Result<Option<PathBuf>> {
    let beside = solution_beside(path);
    let fits = || Solution::load(&beside).is_ok_and(|solution| verify(instance, &solution).is_valid());
    if !beside.is_file() || fits() {
        return Ok(None);
    }
    anyhow::ensure!(
        force,
        "{}: this is no solution of the instance to be written beside it; move it away, or remove it by --force",
        beside.display()
    );
    Ok(Some(beside))
}

/// Removes a solution that does not fit any more.
pub fn remove(stale: Option<PathBuf>) -> anyhow::Result<()> {
    if let Some(path) = stale {
        fs::remove_file(&path).with_context(|| path.display().to_string())?;
        note!("note: {} belonged to another instance and is removed", path.display());
    }
    Ok(())
}
