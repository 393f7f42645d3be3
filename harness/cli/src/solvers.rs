//! What the other crates need to know of the solvers and of this binary.

use std::collections::BTreeMap;
use std::env;
use std::path::PathBuf;

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
            check_options: |name, options, threads, seed| {
                check(name, options, threads, seed).map_err(|e| e.to_string())
            },
        })
        .collect()
}

/// Whether a backend exists and takes these options, threads and seed, as far as it can tell before a solve.
pub fn check(name: &str, options: &BTreeMap<String, String>, threads: u32, seed: u64) -> Result<(), SolveError> {
    let session = SessionOptions { seed, threads, options: options.clone(), verbose: false };
    solve::backend(name)?.open(&session).map(drop)
}

/// This binary as a worker.
pub fn worker() -> anyhow::Result<Worker> {
    // The running program itself, even when its file has been replaced by another build since.
    let running = PathBuf::from("/proc/self/exe");
    let command = match running.exists() {
        true => running,
        false => env::current_exe().context("cannot find the running program, which the workers are to run")?,
    };
    Ok(Worker { command, args: vec!["worker".to_owned()], git_commit: GIT_COMMIT.to_owned() })
}
