//! `tilebench generate`: instance files, reproducibly from a seed.

mod fixed;
mod suite;

use std::process::ExitCode;

use crate::args::Generate;

/// Makes instances.
pub fn generate(args: &Generate) -> anyhow::Result<ExitCode> {
    match args {
        Generate::Fixed(args) => fixed::generate(args),
        Generate::Suite(args) => suite::generate(args),
    }
}
