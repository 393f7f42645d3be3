//! What the other crates need to know of the solvers and of this binary.

use std::collections::BTreeMap;
use std::env;
use std::path::PathBuf;

use anyhow::Context;
use runner::{SolverInfo, Worker};
use solve::{SessionOptions, SolveError};

use crate::worker::mock;

/// Git revision this binary was built from, with `-dirty` for changed files.
pub const GIT_COMMIT: &str = env!("TILEBENCH_GIT_COMMIT");

/// Every solver there is, for plans: the backends, and the mock that tests the harness.
pub fn known() -> Vec<SolverInfo> {
    let none = BTreeMap::new();
    let backends = solve::BACKENDS.iter().map(|backend| (backend.info().name, backend.version(&none)));
    backends
        .chain([(mock::NAME, Ok(mock::VERSION.to_owned()))])
        .map(|(name, version)| SolverInfo {
            name: name.to_owned(),
            available: version.as_ref().map(drop).map_err(ToString::to_string),
            version: version.unwrap_or_default(),
            check_options: |name, options, threads, seed| {
                check(name, options, threads, seed).map_err(|e| e.to_string())
            },
        })
        .collect()
}

/// The version of a solver.
pub fn version(name: &str) -> Result<String, SolveError> {
    if name == mock::NAME { Ok(mock::VERSION.to_owned()) } else { solve::backend(name)?.version(&BTreeMap::new()) }
}

/// Whether a solver exists and takes these options, threads and seed, as far as it can tell before a solve.
pub fn check(name: &str, options: &BTreeMap<String, String>, threads: u32, seed: u64) -> anyhow::Result<()> {
    if name == mock::NAME {
        return mock::Options::parse(options).map(drop).map_err(anyhow::Error::msg);
    }
    let session = SessionOptions { seed, threads, options: options.clone(), ..SessionOptions::default() };
    let backend = solve::backend(name)?;
    backend.info().kinds.iter().try_for_each(|&kind| Ok(backend.open(kind, &session).map(drop)?))
}

/// This binary as a worker.
pub fn worker() -> anyhow::Result<Worker> {
    // The running program itself, even when its file has been replaced by another build since.
    let running = PathBuf::from("/proc/self/exe");
    let command = match running.exists() {
        true => running,
        false => env::current_exe().context("cannot find the running program, which the workers are to run")?,
    };
    let (args, guard) = (vec!["worker".to_owned()], Some("guard".to_owned()));
    Ok(Worker { command, args, guard, git_commit: GIT_COMMIT.to_owned() })
}
