//! From the words of `solve` to those of the protocol.

use std::io::{self, Write};
use std::time::Duration;

use model::Size;
use record::Status;
use runner::protocol::{Answer, Built, Event, Iteration, Relaxed};
use solve::{Relaxation, SolveError, SolveStatus};

/// Prints an event as one line, at once.
pub fn print(out: &mut dyn Write, event: &Event) -> io::Result<()> {
    let mut line = serde_json::to_vec(event)?;
    line.push(b'\n');
    out.write_all(&line)?;
    out.flush()
}

/// Size of the first model.
pub fn built(size: Size, build_time: Duration) -> Built {
    Built {
        variables: size.variables as u64,
        constraints: size.constraints as u64,
        nonzeros: size.nonzeros as u64,
        build_time_s: build_time.as_secs_f64(),
    }
}

/// What became of the linear relaxation. A failure of it is no failure of the run.
pub fn relaxed(relaxation: Result<Relaxation, SolveError>) -> Relaxed {
    let unknown = |message: String| Relaxed { root_bound: None, infeasible: false, message: Some(message) };
    match relaxation {
        Ok(Relaxation::Optimal(bound)) => Relaxed { root_bound: Some(bound), infeasible: false, message: None },
        Ok(Relaxation::Infeasible) => Relaxed { root_bound: None, infeasible: true, message: None },
        Ok(Relaxation::Timeout) => unknown("the linear relaxation was not solved within the time limit".to_owned()),
        Err(error) => unknown(error.to_string()),
    }
}

/// One solve.
pub fn iteration(iteration: &solve::Iteration) -> Iteration {
    let outcome = &iteration.outcome;
    let lengths = iteration.separation.as_ref().map(|s| &s.loop_lengths);
    Iteration {
        iteration: iteration.index,
        time_s: iteration.time.as_secs_f64(),
        status: status(outcome.status),
        native_status: Some(outcome.native_status.clone()),
        loops: lengths.map(|l| l.len() as u64),
        loop_lengths: lengths.map(|l| l.iter().map(usize::to_string).collect::<Vec<_>>().join(" ")),
        holes: iteration.separation.as_ref().map(|s| s.holes as u64),
        cuts_added: outcome.cuts.unwrap_or(0) + iteration.separation.as_ref().map_or(0, |s| s.cut_off() as u64),
        objective_value: outcome.objective,
        bound: outcome.bound,
        gap: outcome.gap,
        nodes: outcome.nodes,
        simplex_iterations: outcome.simplex_iterations,
        conflicts: outcome.conflicts,
        propagations: outcome.propagations,
        variables: iteration.size.map(|size| size.variables as u64),
        constraints: iteration.size.map(|size| size.constraints as u64),
        solution: iteration.solution.clone(),
    }
}

/// The answer of a run.
pub fn answer(answer: solve::Answer) -> Answer {
    Answer {
        status: status(answer.status),
        reason: answer.reason.to_owned(),
        native_status: Some(answer.last.native_status),
        solution: answer.solution,
        objective_value: answer.last.objective,
        bound: answer.last.bound,
        gap: answer.last.gap,
        message: None,
        peak_memory_b: None,
        memory_source: None,
    }
}

/// The answer of a run that failed.
pub fn failure(status: Status, reason: &str, message: String) -> Answer {
    Answer {
        status,
        reason: reason.to_owned(),
        native_status: None,
        solution: None,
        objective_value: None,
        bound: None,
        gap: None,
        message: Some(message),
        peak_memory_b: None,
        memory_source: None,
    }
}

fn status(status: SolveStatus) -> Status {
    match status {
        SolveStatus::Optimal => Status::Optimal,
        SolveStatus::Feasible => Status::Feasible,
        SolveStatus::Infeasible => Status::Infeasible,
        SolveStatus::Timeout => Status::Timeout,
        SolveStatus::Memout => Status::Memout,
        // No answer within a limit; the reason of the row says that it was the solver's own.
        SolveStatus::Limit => Status::Timeout,
    }
}
