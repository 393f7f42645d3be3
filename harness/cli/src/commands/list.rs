//! `tilebench solvers` and `tilebench formulations`: what there is.

use std::collections::BTreeMap;
use std::process::ExitCode;

use model::{Formulation, Holes, Objective};
use puzzle::tantrix::{BOUNDED, FIXED};
use solve::Reports;

use crate::output::say;
use crate::worker::mock;

/// The kinds of instances whose families differ, with a heading.
const KINDS: [(&str, &str); 2] = [
    (FIXED, "Constraint families of fixed boards:"),
    (BOUNDED, "Constraint families of bounded boards and of the natural setting (the open plane):"),
];

/// Lists the solvers.
pub fn solvers() -> anyhow::Result<ExitCode> {
    say!("{:<9} {:<22} {:<5} {:<30} reports", "solver", "version", "kind", "interface");
    let none = BTreeMap::new();
    for (info, version) in solve::BACKENDS.iter().map(|b| (b.info(), b.version(&none))) {
        say!(
            "{:<9} {:<22} {:<5} {:<30} {}",
            info.name,
            version.unwrap_or_else(|error| error.to_string()),
            info.kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" "),
            info.interface,
            abilities(info.reports)
        );
    }
    say!("\n{}: {}", mock::NAME, mock::SUMMARY);
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
    for (kind, heading) in KINDS {
        say!("{heading}");
        for family in model::families().into_iter().filter(|f| f.kinds.contains(&kind)) {
            say!("  {:<5} {}", family.id, family.summary);
            say!("        {}", family.source);
        }
        say!("");
    }
    say!("Named formulations:");
    for preset in model::presets() {
        let Formulation { name, families, objective, holes, .. } = &preset.formulation;
        let objective = match objective {
            Objective::Virtual => String::new(),
            other => format!(", objective {}", other.name()),
        };
        let holes = if *holes == Some(Holes::Resolve) { ", holes resolved" } else { "" };
        say!("  {name:<14} {families}{objective}{holes}");
        say!("                 {}", preset.summary);
    }
    say!("\nSubloops: cut off and solved again where C5 or C5x is listed, else reported.");
    say!(
        "Cuts: each (one for each subloop), smallest (only the smallest subloop), region (each with what it encloses)."
    );
    say!("Holes on bounded boards: reported, or cut off and solved again (holes = \"resolve\").");
    say!("Objective: virtual (min x[1,1,1], as in the papers), none, weighted (bounded boards: round shapes first).");
    Ok(ExitCode::SUCCESS)
}
