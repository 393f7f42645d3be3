//! The worker process: one job on standard input, events as JSON lines on standard output.

use std::fs;
use std::io::{self, Read};
use std::mem;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context;
use model::ModelError;
use puzzle::Instance;
use record::{FALSE_SOLUTION, LICENCE, SCHEMA_VERSION, Status};
use runner::protocol::{Answer, Built, Event, Job, Started, clock};
use solve::{Deadline, SessionOptions, SolveError, Step, Task};

use crate::output::claim_stdout;
use crate::solvers::{GIT_COMMIT, test_solver};

/// Reads a job, solves it, tells what happens.
pub fn work() -> anyhow::Result<ExitCode> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).context("the job cannot be read from standard input")?;
    let mut job: Job = serde_json::from_str(&text).context("standard input holds no job")?;
    let begun = job.begun.unwrap_or_else(clock);
    solve::be_told(mem::take(&mut job.heard));
    let mut out = claim_stdout(job.log.as_deref())?;
    if job.schema_version != SCHEMA_VERSION || job.git_commit != GIT_COMMIT {
        anyhow::bail!(
            "the job comes from another build (schema {}, {}) than this worker (schema {SCHEMA_VERSION}, {GIT_COMMIT})",
            job.schema_version,
            job.git_commit
        );
    }
    let test_solver = test_solver(&job.solver);
    let solved = match test_solver {
        Some(solver) => (solver.solve)(&job, &mut out),
        None => solve_job(&job, begun, &mut |event| event.print(&mut out)),
    };
    let answer = solved.unwrap_or_else(|error| {
        let (status, reason) = match error.downcast_ref::<SolveError>() {
            Some(SolveError::Licence { .. }) => (Status::Unsupported, LICENCE),
            Some(
                SolveError::Broken { .. }
                | SolveError::CutIgnored { .. }
                | SolveError::Objective(_)
                | SolveError::Values(ModelError::Fractional { .. } | ModelError::Answer { .. }),
            ) => (Status::Error, FALSE_SOLUTION),
            Some(
                SolveError::Unsupported { .. }
                | SolveError::Kind { .. }
                | SolveError::Missing { .. }
                | SolveError::Values(ModelError::Impossible(_)),
            ) => (Status::Unsupported, Status::Unsupported.name()),
            _ => (Status::Error, Status::Error.name()),
        };
        Answer { message: Some(format!("{error:#}")), ..Answer::without_solve(status, reason) }
    });
    let answer = Event::Answer(Answer { peak_memory_b: peak_memory(), ..answer });
    answer.print(&mut out)?;
    if let Some(solver) = test_solver {
        (solver.after_answer)(&job, &mut out, &answer)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Waits for the end of a runner and kills what its workers left behind.
pub fn guard(runner: &str) -> anyhow::Result<ExitCode> {
    runner::guard(runner).context("cannot wait for the end of the runner")?;
    Ok(ExitCode::SUCCESS)
}

fn solve_job(job: &Job, begun: Duration, tell: &mut dyn FnMut(&Event) -> io::Result<()>) -> anyhow::Result<Answer> {
    let backend = solve::backend(&job.solver);
    let solver_version = backend.as_ref().ok().and_then(|b| b.version(&job.options).ok()).unwrap_or_default();
    tell(&Event::Started(Started { solver_version }))?;
    let backend = backend?;
    let options = SessionOptions {
        seed: job.seed,
        threads: job.threads,
        memory: job.memory_limit_b,
        options: job.options.clone(),
        verbose: job.log.is_some(),
        proof: job.proof.clone(),
    };
    let start = Instant::now();
    let instance = Instance::parse(&job.instance_text, Path::new(&format!("{}.toml", job.instance_name)))?;
    let formulation = job.formulation.clone().seeded(job.seed);
    let time = job.time_limit_s.map(Duration::try_from_secs_f64).transpose().context("time limit")?;
    let deadline = Deadline::of(time.map(|limit| limit.saturating_sub(clock().saturating_sub(begun))));
    let task = Task::build(&formulation, &instance, &deadline)?;
    let build_time = start.elapsed();
    if let Some(size) = task.size() {
        tell(&Event::Built(Built::new(size, build_time)))?;
    }
    if formulation.root_bound()
        && let Some(relaxed) = task.relax(&deadline)
    {
        tell(&Event::Relaxed(relaxed))?;
    }
    let mut told = Ok(());
    let answer = task.solve(backend, &options, &deadline, &mut |step| {
        let event = match step {
            Step::Built(size) => Event::Built(Built::new(size, start.elapsed())),
            Step::Solving(iteration) => Event::Solving { iteration },
            Step::Solved(iteration) => Event::Iteration(iteration.clone()),
        };
        if told.is_ok() {
            told = tell(&event);
        }
    })?;
    told?;
    Ok(answer)
}

/// Peak resident memory of this process.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|rest| rest.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    kib.map(|kib| kib * 1024)
}
