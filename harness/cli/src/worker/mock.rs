//! The solver `mock`: does what its options say, to test the harness. It solves small instances without a MIP solver,
//! claims what it should not, and misbehaves in every way in which a process can.
//!
//! It is no backend: its faults are faults of a worker, which backends cannot commit. `configs/harness/faults.toml` shows
//! each of them once.

mod answers;
mod faults;
mod options;
mod process;

use std::fs::File;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use puzzle::{Instance, Solution};
use record::{SCHEMA_VERSION, Status};
use runner::protocol::{Answer, Built, Event, Iteration, Job, Solving, Started};
use solve::{Limits, Task};

use self::answers::Claim;
use self::options::Fault;
use super::events;
use crate::solvers::GIT_COMMIT;

pub use self::options::Options;

/// The name used in configs and on the command line.
pub const NAME: &str = "mock";

/// Goes up when the same options mean something else.
pub const VERSION: &str = "1";

/// What it is, for listings.
pub const SUMMARY: &str = "does what its options say, to test the harness; see configs/harness/faults.toml";

/// Does a job up to its answer, or never returns, as the options say.
pub fn solve(job: &Job, out: &mut File) -> anyhow::Result<Answer> {
    let start = Instant::now();
    let started = Started {
        schema_version: SCHEMA_VERSION,
        git_commit: GIT_COMMIT.to_owned(),
        solver_version: VERSION.to_owned(),
    };
    events::print(out, &Event::Started(started))?;
    let options = Options::parse(&job.options).map_err(anyhow::Error::msg)?;
    let instance = Instance::parse(&job.instance_text, Path::new(&format!("{}.toml", job.instance_name)))?;
    // The model is built like any other, so that the rows have its size; of kinds that have one.
    let built = Instant::now();
    let task = Task::build(&job.formulation, &instance)?;
    let size = task.size().map(|size| events::built(size, built.elapsed()));
    if let Some(size) = size {
        events::print(out, &Event::Built(size))?;
    }
    if job.root_bound
        && let Some(relaxation) = task.relax(Limits::default()).transpose()
    {
        events::print(out, &Event::Relaxed(events::relaxed(relaxation)))?;
    }
    let limit = job.time_limit_s.map(Duration::try_from_secs_f64).transpose().context("time limit")?;
    let deadline = limit.and_then(|limit| start.checked_add(limit));
    Run { options, instance, size, deadline, out }.solve()
}

/// What it does after its answer: nothing, unless its fault is to go on.
pub fn take_leave(job: &Job, out: &mut File, answer: &Event) -> anyhow::Result<()> {
    match Options::parse(&job.options).map(|options| options.fault) {
        Ok(Fault::Twice) => events::print(out, answer)?,
        Ok(Fault::Late) => faults::sleep_for_ever(),
        _ => {}
    }
    Ok(())
}

struct Run<'a> {
    options: Options,
    instance: Instance,
    size: Option<Built>,
    deadline: Option<Instant>,
    out: &'a mut File,
}

impl Run<'_> {
    fn solve(mut self) -> anyhow::Result<Answer> {
        let last = self.options.iterations - 1;
        for index in 0..last {
            self.fault_at(index)?;
            let begun = self.begin(index)?;
            if !self.sleep() {
                return self.out_of_time(index, begun);
            }
            self.subloops(index, begun)?;
        }
        self.fault_at(last)?;
        let begun = self.begin(last)?;
        if !self.sleep() {
            return self.out_of_time(last, begun);
        }
        let deadline = self.deadline;
        let in_time = &mut || deadline.is_none_or(|deadline| Instant::now() < deadline);
        let claim = answers::claim(self.options.answer, &self.instance, in_time).map_err(anyhow::Error::msg)?;
        self.solved(last, begun, &claim)?;
        self.fault_at(last + 1)?;
        Ok(claim.into_answer())
    }

    /// Misbehaves if it is time to, after so many iterations.
    fn fault_at(&mut self, iterations: u64) -> anyhow::Result<()> {
        if self.options.after == iterations {
            faults::commit(&self.options, self.out)?;
        }
        Ok(())
    }

    fn begin(&mut self, iteration: u64) -> anyhow::Result<Instant> {
        events::print(self.out, &Event::Solving(Solving { iteration }))?;
        Ok(Instant::now())
    }

    /// Sleeps as long as the options say, but not beyond the time limit; false if that came first.
    fn sleep(&self) -> bool {
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let in_time = left.is_none_or(|left| self.options.sleep < left);
        thread::sleep(left.filter(|_| !in_time).unwrap_or(self.options.sleep));
        in_time
    }

    /// A solve that shows subloops, as real ones do before the last.
    fn subloops(&mut self, iteration: u64, begun: Instant) -> anyhow::Result<()> {
        let lengths = answers::lengths(&self.instance, self.options.loops);
        let event = Iteration {
            loops: Some(lengths.len() as u64),
            cuts_added: lengths.len() as u64,
            ..self.iteration(iteration, begun, Status::Optimal, &lengths, None)
        };
        Ok(events::print(self.out, &Event::Iteration(event))?)
    }

    fn solved(&mut self, iteration: u64, begun: Instant, claim: &Claim) -> anyhow::Result<()> {
        let lengths = claim.solution.as_ref().map_or_else(Vec::new, |_| answers::lengths(&self.instance, 1));
        let event = self.iteration(iteration, begun, claim.status, &lengths, claim.solution.clone());
        Ok(events::print(self.out, &Event::Iteration(event))?)
    }

    fn out_of_time(&mut self, iteration: u64, begun: Instant) -> anyhow::Result<Answer> {
        let claim = Claim::without_solution(Status::Timeout, "soft-limit");
        self.solved(iteration, begun, &claim)?;
        Ok(claim.into_answer())
    }

    fn iteration(
        &self,
        iteration: u64,
        begun: Instant,
        status: Status,
        lengths: &[u64],
        solution: Option<Solution>,
    ) -> Iteration {
        let text: Vec<String> = lengths.iter().map(u64::to_string).collect();
        Iteration {
            iteration,
            time_s: begun.elapsed().as_secs_f64(),
            status,
            native_status: Some(NAME.to_owned()),
            loops: (!lengths.is_empty()).then_some(lengths.len() as u64),
            loop_lengths: (!lengths.is_empty()).then(|| text.join(" ")),
            holes: (!lengths.is_empty()).then_some(0),
            cuts_added: 0,
            objective_value: None,
            bound: None,
            gap: None,
            nodes: None,
            simplex_iterations: None,
            conflicts: None,
            propagations: None,
            variables: self.size.map(|size| size.variables),
            constraints: self.size.map(|size| size.constraints),
            solution,
        }
    }
}
