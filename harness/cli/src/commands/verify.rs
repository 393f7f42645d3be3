//! `tilebench verify`: a solution against every rule.

use std::process::ExitCode;

use puzzle::{Instance, Solution};

use crate::args::Verify;
use crate::failure::CHECK_FAILED;
use crate::output::say;

/// Prints every broken rule and where; exit code 1 if there is one.
pub fn verify(args: &Verify) -> anyhow::Result<ExitCode> {
    let instance = Instance::load(&args.instance)?;
    let solution = Solution::load(&args.solution)?;
    let verdict = puzzle::verify(&instance, &solution);
    if args.json {
        let mut object = serde_json::to_value(&verdict)?;
        object["valid"] = verdict.is_valid().into();
        say!("{object:#}");
    } else if verdict.is_valid() {
        say!("valid: {} tiles, one loop, no hole", solution.placements.len());
    } else {
        let broken = verdict.violations.len();
        say!("invalid: {broken} broken rule{}", if broken == 1 { "" } else { "s" });
        for violation in &verdict.violations {
            say!("  {violation}");
        }
    }
    if !args.json {
        for remark in &verdict.remarks {
            say!("{remark}");
        }
    }
    Ok(if verdict.is_valid() { ExitCode::SUCCESS } else { ExitCode::from(CHECK_FAILED) })
}
