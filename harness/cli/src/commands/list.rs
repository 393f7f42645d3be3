//! `tilebench solvers` and `tilebench formulations`: what there is.

use std::process::ExitCode;

use solve::Reports;

/// Lists the solvers.
pub fn solvers() -> anyhow::Result<ExitCode> {
    println!("{:<9} {:<22} {:<5} {:<30} reports", "solver", "version", "kind", "interface");
    for info in solve::BACKENDS.iter().map(|b| b.info()) {
        println!(
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
    println!("Constraint families of fixed boards:");
    for family in model::families() {
        println!("  {:<4} {}", family.id, family.summary);
        println!("       {}", family.source);
    }
    println!("\nNamed formulations:");
    for preset in model::presets() {
        println!("  {:<9} {}", preset.formulation.name, preset.formulation.families);
        println!("            {}", preset.summary);
    }
    println!("\nSubloops: cut off and solved again where C5 or C5x is listed, else reported.");
    println!(
        "Cuts: each (one for each subloop), smallest (only the smallest subloop), region (each with what it encloses)."
    );
    println!("Objective: virtual (min x[1,1,1], as in the papers), none.");
    Ok(ExitCode::SUCCESS)
}
