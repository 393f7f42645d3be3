//! `tilebench doctor`: what this machine lacks for which solver, and what of it disturbs measurements.

use std::process::ExitCode;

use runner::{Condition, conditions, host_facts};

use super::solvers;
use crate::output::say;

/// Says it.
pub fn doctor() -> anyhow::Result<ExitCode> {
    let facts = host_facts();
    say!("{}, {} cores, {} CPUs, {}, {}", facts.cpu_model, facts.cores, facts.cpus, facts.os, facts.kernel);
    let (bad, good): (Vec<Condition>, Vec<Condition>) =
        conditions().into_iter().partition(|condition| condition.advice.is_some());
    for (heading, conditions) in [("Good for measuring:", good), ("Bad for measuring:", bad)] {
        if !conditions.is_empty() {
            say!("\n{heading}\n");
        }
        for Condition { what, found, advice } in conditions {
            say!("{what}: {found}{}", advice.map(|advice| format!("; {advice}")).unwrap_or_default());
        }
    }
    solvers::print_missing(&solvers::all())?;
    Ok(ExitCode::SUCCESS)
}
