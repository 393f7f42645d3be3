//! `tilebench export`: models as files for other solvers.

use std::process::ExitCode;

use model::Subloops;
use puzzle::Instance;

use crate::args::Export;
use crate::output::say;

/// Writes the model before any cut is added.
pub fn export(args: &Export) -> anyhow::Result<ExitCode> {
    let instance = Instance::load(&args.instance)?;
    let formulation = super::formulation(&args.model)?;
    let problem = model::build(&formulation, &instance)?;
    let subloops = match formulation.treatment()? {
        Subloops::Resolve => "the rows that cut off subloops are added after solves and are not in this file",
        Subloops::Report => "solutions may have several designated loops",
    };
    let about = [
        format!("{}: {} ({})", instance.name, formulation.normalised()?.families, env!("CARGO_PKG_VERSION")),
        "x_i_j_k: tile i lies on place j in orientation k; y_j_l: colour number on edge l of place j".to_owned(),
        subloops.to_owned(),
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
    say!("note: {subloops}");
    Ok(ExitCode::SUCCESS)
}
