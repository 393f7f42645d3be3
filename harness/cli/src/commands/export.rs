//! `tilebench export`: models as files for other solvers, one or a suite of them; results for programs of others.

mod suite;
mod written;

use std::collections::HashSet;
use std::process::ExitCode;

use anyhow::{Context, ensure};
use puzzle::Instance;

use crate::args::{Export, Model};
use crate::output::{check_distinct, say};
use written::{ENDINGS, endings, written};

/// Writes a model, a suite of them, or results.
pub fn export(args: &Export) -> anyhow::Result<ExitCode> {
    if let Some(suite) = &args.suite {
        return suite::export(suite, &formats(args), args);
    }
    if let Some(dir) = &args.results {
        let is_plain = args.model == Model::default();
        ensure!(is_plain, "--results: leave out the options of a model (--formulation, --kind, --families, ...)");
        return super::report::export(dir, &formats(args), &args.output);
    }
    let path = args.instance.as_deref().context("no instance")?;
    let ending = args.output.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let Some((_, kind)) = ENDINGS.into_iter().find(|(own, _)| *own == ending) else {
        anyhow::bail!("{}: a model's name ends in {}", args.output.display(), endings(None));
    };
    check_distinct(path, [&args.output])?;
    let instance = Instance::load(path)?;
    let written = written(&instance, &args.model, ending, kind).with_context(|| args.output.display().to_string())?;
    record::write_whole(&args.output, &written.text)?;
    say!("{}: {}", args.output.display(), written.size_in_words());
    if let Some(notes) = written.notes {
        say!("note: {notes}");
    }
    Ok(ExitCode::SUCCESS)
}

/// The formats that are asked for, each once.
fn formats(args: &Export) -> Vec<String> {
    let mut seen = HashSet::new();
    args.to.iter().filter(|word| seen.insert(*word)).cloned().collect()
}
