//! `tilebench schema`: the JSON schema of config files.

use std::process::ExitCode;

use crate::output::say;
use crate::vocabulary::vocabulary;

/// Prints the schema.
pub fn schema() -> anyhow::Result<ExitCode> {
    say!("{}", serde_json::to_string_pretty(&runner::config_schema(&vocabulary()))?);
    Ok(ExitCode::SUCCESS)
}
