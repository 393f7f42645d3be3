//! What the other crates need to know of the solvers and of this binary.

use std::collections::BTreeMap;
use std::env;

use anyhow::Context;
use runner::{SolverInfo, Worker};
use solve::{SessionOptions, SolveError};

/// Git revision this binary was built from, with `-dirty` for changed files.
pub const GIT_COMMIT: &str = env!("TILEBENCH_GIT_COMMIT");

/// Every solver there is, for plans.
pub fn known() -> Vec<SolverInfo> {
    solve::BACKENDS
        .iter()
        .map(|backend| backend.info())
        .map(|info| SolverInfo {
            name: info.name.to_owned(),
            version: info.version,
            available: Ok(()),
            check_options: |name, options, threads| check(name, options, threads).map_err(|e| e.to_string()),
        })
        .collect()
}

/// Whether a backend exists and takes these options and threads, as far as it can tell before a solve.
pub fn check(name: &str, options: &BTreeMap<String, String>, threads: u32) -> Result<(), SolveError> {
    let session = SessionOptions { threads, options: options.clone(), ..SessionOptions::default() };
    solve::backend(name)?.open(&session).map(drop)
}

/// This binary as a worker.
pub fn worker() -> anyhow::Result<Worker> {
    let command = env::current_exe().context("cannot find the running program, which the workers are to run")?;
    Ok(Worker { command, args: vec!["worker".to_owned()], git_commit: GIT_COMMIT.to_owned() })
}
