//! `tilebench export`: models as files for other solvers.

use std::process::ExitCode;

use model::{Holes, Subloops};
use puzzle::Instance;
use puzzle::tantrix::{FIXED, NATURAL};

use crate::args::Export;
use crate::output::say;

/// Writes the model before any cut is added.
pub fn export(args: &Export) -> anyhow::Result<ExitCode> {
    let instance = Instance::load(&args.instance)?;
    let formulation = super::formulation(&args.model, instance.puzzle.kind(), None)?;
    let problem = model::build_mip(&formulation, &instance)?;
    let subloops = match formulation.treatment()? {
        Subloops::Resolve => "the rows that cut off subloops are added after solves and are not in this file",
        Subloops::Report | Subloops::Propagate => "solutions may have several designated loops",
    };
    let kind = instance.puzzle.kind();
    let holes = match formulation.holes.unwrap_or_default() {
        _ if kind == FIXED => None,
        Holes::Resolve => Some("the rows that cut off holes are added after solves and are not in this file"),
        Holes::Report => Some("solutions may enclose holes"),
    };
    let plane = (kind == NATURAL).then_some("the first board; larger ones follow only if it holds no solution");
    let notes: Vec<&str> = [Some(subloops), holes, plane].into_iter().flatten().collect();
    let about = [
        format!("{}: {} ({})", instance.name, formulation.normalised()?.families, env!("CARGO_PKG_VERSION")),
        "x_i_j_k: tile i lies on place j in orientation k; y_j_l: colour number on edge l of place j; \
         o_j: a tile lies on place j; u_j_j': exactly one of two adjacent places has a tile"
            .to_owned(),
        notes.join("; "),
    ];
    let comment = |mark: char| about.iter().map(|line| format!("{mark} {line}\n")).collect::<String>();
    let mut text = Vec::new();
    match args.output.extension().and_then(|e| e.to_str()) {
        Some("lp") => {
            text.extend(comment('\\').bytes());
            model::lp::write(problem.model(), &mut text)?;
        }
        Some("mps") => {
            text.extend(comment('*').bytes());
            model::mps::write(problem.model(), &instance.name, &mut text)?;
        }
        _ => anyhow::bail!("{}: a model's name ends in .lp or .mps", args.output.display()),
    }
    record::write_whole(&args.output, &text)?;
    let model = problem.model();
    say!(
        "{}: {} variables, {} rows, {} nonzeros",
        args.output.display(),
        model.variables().len(),
        model.rows().len(),
        model.nonzeros()
    );
    say!("note: {}", notes.join("; "));
    Ok(ExitCode::SUCCESS)
}
