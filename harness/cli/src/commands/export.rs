//! `tilebench export`: models as files for other solvers.

use std::process::ExitCode;

use puzzle::Instance;

use crate::args::Export;
use crate::output::say;

/// Writes the model before any cut is added.
pub fn export(args: &Export) -> anyhow::Result<ExitCode> {
    let instance = Instance::load(&args.instance)?;
    let problem = model::build(&super::formulation(&args.model)?, &instance)?;
    let mut text = Vec::new();
    match args.output.extension().and_then(|e| e.to_str()) {
        Some("lp") => model::lp::write(problem.model(), &mut text)?,
        Some("mps") => model::mps::write(problem.model(), &instance.name, &mut text)?,
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
    Ok(ExitCode::SUCCESS)
}
