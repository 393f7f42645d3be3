//! `tilebench formulations` and `tilebench schema`: what there is of families, named formulations and config keys.

use std::process::ExitCode;

use model::{Cardinality, Exploration, FormulationKind, Holes, Objective, Strategy};
use puzzle::soku::SOKU;
use puzzle::tantrix::{BOUNDED, FIXED};
use runner::Vocabulary;

use super::generate::make_suite;
use crate::output::{json, say};
use crate::solvers;

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
        for family in model::families().filter(|f| f.kinds.contains(&kind)) {
            say!("  {:<5} {}", family.id, family.summary);
            say!("        {}", family.source);
        }
        say!("");
    }
    say!("Named formulations:");
    for preset in model::PRESETS {
        let (name, formulation) = (preset.name, preset.written().read()?);
        let families = formulation.columns().families;
        let choices = match preset.kind {
            FormulationKind::Mip => families,
            kind => {
                // Those of 3SoKu, which has no loops.
                let said =
                    families.split(' ').filter(|word| !name.starts_with("soku") || !word.starts_with("short-loops"));
                [format!("kind {kind}")].into_iter().chain(said.map(str::to_owned)).collect::<Vec<_>>().join(" ")
            }
        };
        let objective = match formulation.objective() {
            Objective::Weighted => ", objective weighted",
            Objective::Virtual | Objective::None => "",
        };
        let holes = if formulation.holes() == Holes::Resolve { ", holes resolved" } else { "" };
        say!("  {name:<14} {choices}{objective}{holes}");
        say!("                 {}", preset.summary);
    }
    say!("\nKinds: mip (a linear model of families), sat (clauses), cp (constraints), search (the puzzle itself);");
    say!(
        "minizinc and asp (programs; not for the open plane; of 3SoKu as published, with and without symmetry-breaking)."
    );
    say!("Subloops, kind mip: cut off and solved again where C5 or C5x is listed, else reported.");
    say!(
        "Subloops, kinds sat and cp: cut off and solved again, or while the solver searches (propagate), or reported;"
    );
    say!("kinds minizinc and asp: forbidden by the program (propagate), or reported.");
    say!(
        "Cuts: each (one for each subloop), smallest (only the smallest subloop), region (each with what it encloses),\n      \
         loop (the edges of each subloop; kinds sat and cp)."
    );
    say!(
        "Holes on bounded boards: reported, or cut off and solved again (holes = \"resolve\"; search and programs forbid them)."
    );
    say!("Objective: virtual (min x[1,1,1], as in the papers), none, weighted (bounded boards: round shapes first).");
    say!("Kind sat counts by: {}.", Cardinality::WORDS.join(", "));
    say!(
        "Kinds sat and cp forbid loops of up to short-loops places in advance, and more than around-empty tiles around an"
    );
    say!("empty place. Kind search has the strategies: {}", Strategy::WORDS.join(", "));
    say!(
        "(walk, shuffled-walk: Tantrix; parts: its fixed boards; least-capacity, count, sums: 3SoKu); kind minizinc: {}.",
        Exploration::WORDS.join(", ")
    );
    Ok(ExitCode::SUCCESS)
}

/// Prints the schema.
pub fn schema() -> anyhow::Result<ExitCode> {
    json(&runner::config_schema(&vocabulary()))?;
    Ok(ExitCode::SUCCESS)
}

/// Names of solvers, tables and plots, and the check of published figures.
pub fn vocabulary() -> Vocabulary {
    let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
    Vocabulary {
        solvers: owned(solvers::names()),
        tables: owned(report::table_names()),
        plots: owned(report::plot_names()),
        check_published: Some(|path, wanted| report::check_published(path, wanted).map_err(|e| e.to_string())),
        make_suite: Some(|path| make_suite(path).map_err(|e| format!("{e:#}"))),
    }
}
