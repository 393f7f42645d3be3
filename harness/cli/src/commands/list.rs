//! `tilebench formulations`: what there is of families and named formulations.

use std::process::ExitCode;

use model::{Cardinality, Formulation, FormulationKind, Holes, Objective, Strategy};
use puzzle::soku::SOKU;
use puzzle::tantrix::{BOUNDED, FIXED};

use crate::output::say;

/// The kinds of instances whose families differ, with a heading.
const KINDS: [(&str, &str); 3] = [
    (FIXED, "Constraint families of fixed boards:"),
    (BOUNDED, "Constraint families of bounded boards and of the natural setting (the open plane):"),
    (SOKU, "Constraint families of 3SoKu:"),
];

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
        let Formulation { name, objective, holes, .. } = &preset.formulation;
        let choices = match preset.formulation.kind {
            FormulationKind::Mip => preset.formulation.families.clone(),
            kind => {
                let families = preset.formulation.normalised()?.families;
                // Those of 3SoKu, which has no loops.
                let said =
                    families.split(' ').filter(|word| !name.starts_with("soku") || !word.starts_with("short-loops"));
                [format!("kind {kind}")].into_iter().chain(said.map(str::to_owned)).collect::<Vec<_>>().join(" ")
            }
        };
        let objective = match objective {
            Objective::Virtual => String::new(),
            other => format!(", objective {}", other.name()),
        };
        let holes = if *holes == Some(Holes::Resolve) { ", holes resolved" } else { "" };
        say!("  {name:<14} {choices}{objective}{holes}");
        say!("                 {}", preset.summary);
    }
    say!("\nKinds: mip (a linear model of families), sat (clauses), cp (constraints), search (the puzzle itself);");
    say!("for 3SoKu also minizinc and asp (the published programs, with and without symmetry-breaking).");
    say!("Subloops, kind mip: cut off and solved again where C5 or C5x is listed, else reported.");
    say!(
        "Subloops, kinds sat and cp: cut off and solved again, or while the solver searches (propagate), or reported."
    );
    say!(
        "Cuts: each (one for each subloop), smallest (only the smallest subloop), region (each with what it encloses),\n      \
         loop (the edges of each subloop; kinds sat and cp)."
    );
    say!("Holes on bounded boards: reported, or cut off and solved again (holes = \"resolve\").");
    say!("Objective: virtual (min x[1,1,1], as in the papers), none, weighted (bounded boards: round shapes first).");
    say!("Kind sat counts by: {}.", words(&Cardinality::ALL, Cardinality::name));
    say!(
        "Kinds sat and cp forbid loops of up to short-loops places in advance, and more than around-empty tiles around an"
    );
    let (programs, searches): (Vec<_>, Vec<_>) =
        Strategy::ALL.into_iter().partition(|strategy| *strategy == Strategy::RandomRestarts);
    say!("empty place. Kind search has the strategies: {}", words(&searches, Strategy::name));
    say!("(walk: Tantrix; least-capacity, count: 3SoKu); kind minizinc: {}.", words(&programs, Strategy::name));
    Ok(ExitCode::SUCCESS)
}

fn words<T: Copy>(all: &[T], name: fn(T) -> &'static str) -> String {
    all.iter().map(|choice| name(*choice)).collect::<Vec<_>>().join(", ")
}
