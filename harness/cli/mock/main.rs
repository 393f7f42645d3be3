//! The tilebench command with one more solver, `mock`, which does what its options say, to test the harness. It solves
//! small instances without a MIP solver, claims what it should not, and misbehaves in every way in which a process can.
//!
//! It is no backend: its faults are faults of a worker, which backends cannot commit. `configs/harness/faults.toml` shows
//! each of them once.

mod answers;
mod faults;
mod options;

use std::fs::File;
use std::path::Path;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use cli::TestSolver;
use model::Size;
use puzzle::{Instance, Solution};
use record::{Solve, SolveStatus, Status};
use runner::protocol::{Answer, Built, Event, Iteration, Job, Started};
use solve::{Deadline, Task};

use self::options::{Fault, Options};

const MOCK: TestSolver = TestSolver {
    name: "mock",
    // Goes up when the same options mean something else.
    version: "1",
    check_options: |options| Options::parse(options).map(drop),
    solve,
    after_answer,
};

fn main() -> ExitCode {
    cli::main(Some(MOCK))
}

/// Does a job up to its answer, or never returns, as the options say.
fn solve(job: &Job, out: &mut File) -> anyhow::Result<Answer> {
    let start = Instant::now();
    Event::Started(Started { solver_version: MOCK.version.to_owned() }).print(out)?;
    let options = Options::parse(&job.options).map_err(anyhow::Error::msg)?;
    let instance = Instance::parse(&job.instance_text, Path::new(&format!("{}.toml", job.instance_name)))?;
    // The model is built like any other, so that the rows have its size; of kinds that have one.
    let built = Instant::now();
    let formulation = job.formulation.clone().seeded(job.seed);
    let task = Task::build(&formulation, &instance, &Deadline::default())?;
    let size = task.size();
    if let Some(size) = size {
        Event::Built(Built::new(size, built.elapsed())).print(out)?;
    }
    if formulation.root_bound()
        && let Some(relaxed) = task.relax(&Deadline::default())
    {
        Event::Relaxed(relaxed).print(out)?;
    }
    let limit = job.time_limit_s.map(Duration::try_from_secs_f64).transpose().context("time limit")?;
    let deadline = limit.and_then(|limit| start.checked_add(limit));
    Run { options, instance, size, deadline, cumulative_s: 0.0, out }.solve()
}

/// What it does after its answer: nothing, unless its fault is to go on.
fn after_answer(job: &Job, out: &mut File, answer: &Event) -> anyhow::Result<()> {
    match Options::parse(&job.options).map(|options| options.fault) {
        Ok(Fault::Twice) => answer.print(out)?,
        Ok(Fault::Late) => faults::sleep_for_ever(),
        _ => {}
    }
    Ok(())
}

struct Run<'a> {
    options: Options,
    instance: Instance,
    size: Option<Size>,
    deadline: Option<Instant>,
    cumulative_s: f64,
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
        let answer = self.solved(last, begun, claim)?;
        self.fault_at(last + 1)?;
        Ok(answer)
    }

    /// Misbehaves if it is time to, after so many iterations.
    fn fault_at(&mut self, iterations: u64) -> anyhow::Result<()> {
        if self.options.after == iterations {
            faults::commit(&self.options, self.out)?;
        }
        Ok(())
    }

    fn begin(&mut self, iteration: u64) -> anyhow::Result<Instant> {
        Event::Solving { iteration }.print(self.out)?;
        Ok(Instant::now())
    }

    /// Sleeps as long as the options say, but not beyond the time limit; false if that came first.
    fn sleep(&self) -> bool {
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let in_time = left.is_none_or(|left| self.options.sleep < left);
        thread::sleep(left.filter(|_| !in_time).unwrap_or(self.options.sleep));
        in_time
    }

    fn out_of_time(&mut self, iteration: u64, begun: Instant) -> anyhow::Result<Answer> {
        self.solved(iteration, begun, answers::out_of_time())
    }

    /// A solve that shows subloops, as real ones do before the last.
    fn subloops(&mut self, iteration: u64, begun: Instant) -> anyhow::Result<()> {
        let mut solve = self.ended(iteration, begun, SolveStatus::Optimal, self.options.loops);
        solve.cuts_added = solve.loops.unwrap_or(0);
        self.tell(solve, None)
    }

    /// The last solve, if the claim is one that a solve can make, and the claim as the answer of the run.
    fn solved(&mut self, iteration: u64, begun: Instant, claim: Answer) -> anyhow::Result<Answer> {
        let status = match claim.status {
            Status::Optimal => SolveStatus::Optimal,
            Status::Feasible => SolveStatus::Feasible,
            Status::Infeasible => SolveStatus::Infeasible,
            Status::Timeout => SolveStatus::Timeout,
            Status::Memout => SolveStatus::Memout,
            _ => return Ok(claim),
        };
        let solve = self.ended(iteration, begun, status, u64::from(claim.solution.is_some()));
        self.tell(solve.clone(), claim.solution.clone())?;
        Ok(Answer { last: Some(solve), ..claim })
    }

    fn tell(&mut self, solve: Solve, solution: Option<Solution>) -> anyhow::Result<()> {
        Ok(Event::Iteration(Iteration { solve, solution }).print(self.out)?)
    }

    /// A solve that ends now, whose solution, if it has loops, is one of so many.
    fn ended(&mut self, iteration: u64, begun: Instant, status: SolveStatus, loops: u64) -> Solve {
        let time_s = begun.elapsed().as_secs_f64();
        self.cumulative_s += time_s;
        let lengths: Vec<u64> = if loops == 0 { Vec::new() } else { answers::lengths(&self.instance, loops) };
        let text: Vec<String> = lengths.iter().map(u64::to_string).collect();
        Solve {
            iteration,
            time_s,
            cumulative_s: self.cumulative_s,
            loops: (loops > 0).then_some(lengths.len() as u64),
            loop_lengths: (loops > 0).then(|| text.join(" ")),
            holes: (loops > 0).then_some(0),
            variables: self.size.map(|size| size.variables as u64),
            constraints: self.size.map(|size| size.constraints as u64),
            ..Solve::of(status, MOCK.name)
        }
    }
}
