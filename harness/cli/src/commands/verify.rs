//! `tilebench verify`: a solution against every rule.

use std::process::ExitCode;

use puzzle::{Instance, Known, Solution};
use runner::count;

use crate::args::Verify;
use crate::failure::{CHECK_FAILED, Failed};
use crate::output::{json, say};

/// Prints every broken rule and where; exit code 1 if there is one, or if there should be.
pub fn verify(args: &Verify) -> anyhow::Result<ExitCode> {
    let instance = Instance::load(&args.instance)?;
    let solution = Solution::load(&args.solution)?;
    let verdict = puzzle::verify(&instance, &solution);
    if args.json {
        let mut object = serde_json::to_value(&verdict)?;
        object["valid"] = verdict.is_valid().into();
        json(&object)?;
    } else if verdict.is_valid() {
        say!("valid: {} tiles, {}", solution.placements.len(), instance.puzzle.aim());
    } else {
        say!("invalid: {}", count(verdict.violations.len() as u64, "broken rule"));
        for violation in &verdict.violations {
            say!("  {violation}");
        }
    }
    if !args.json {
        for remark in &verdict.remarks {
            say!("{remark}");
        }
    }
    if verdict.is_valid() && instance.known == Known::Unsolvable {
        return Err(Failed(format!("{} is recorded as unsolvable, yet this solution is valid", instance.name)).into());
    }
    Ok(if verdict.is_valid() { ExitCode::SUCCESS } else { ExitCode::from(CHECK_FAILED) })
}
