//! `tilebench solvers` and `tilebench formulations`: what there is.

use std::process::ExitCode;

use crate::output::say;

use solve::Reports;

/// Lists the solvers.
pub fn solvers() -> anyhow::Result<ExitCode> {
    say!("{:<9} {:<22} {:<5} {:<30} reports", "solver", "version", "kind", "interface");
    for info in solve::BACKENDS.iter().map(|b| b.info()) {
        say!(
            "{:<9} {:<22} {:<5} {:<30} {}",
            info.name,
            info.version,
            info.kind,
            info.interface,
            abilities(info.reports)
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn abilities(reports: Reports) -> String {
    let named = [
        (reports.nodes, "nodes"),
        (reports.simplex_iterations, "simplex iterations"),
        (reports.bound, "bound and gap"),
        (reports.seed, "takes a seed"),
        (reports.threads, "takes threads"),
    ];
    named.into_iter().filter(|(able, _)| *able).map(|(_, name)| name).collect::<Vec<_>>().join(", ")
}

/// Lists families and named formulations.
pub fn formulations() -> anyhow::Result<ExitCode> {
    say!("Constraint families of fixed boards:");
    for family in model::families() {
        say!("  {:<4} {}", family.id, family.summary);
        say!("       {}", family.source);
    }
    say!("\nNamed formulations:");
    for preset in model::presets() {
        say!("  {:<9} {}", preset.formulation.name, preset.formulation.families);
        say!("            {}", preset.summary);
    }
    say!("\nSubloops: cut off and solved again where C5 or C5x is listed, else reported.");
    say!(
        "Cuts: each (one for each subloop), smallest (only the smallest subloop), region (each with what it encloses)."
    );
    say!("Objective: virtual (min x[1,1,1], as in the papers), none.");
    Ok(ExitCode::SUCCESS)
}
