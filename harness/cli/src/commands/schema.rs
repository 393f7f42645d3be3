//! `tilebench schema`: the JSON schema of config files, with the names that configs may use and other crates know.

use std::process::ExitCode;

use runner::Vocabulary;

use crate::output::say;
use crate::solvers;

/// Prints the schema.
pub fn schema() -> anyhow::Result<ExitCode> {
    say!("{}", serde_json::to_string_pretty(&runner::config_schema(&vocabulary()))?);
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
    }
}
