//! `tilebench generate`: instance files that can be made again, byte for byte.

mod bounded;
mod fixed;
mod list;
mod recipe;
mod soku;
mod solved;
mod suite;

use std::process::ExitCode;

use crate::args::Generate;

/// Makes instances.
pub fn generate(args: &Generate) -> anyhow::Result<ExitCode> {
    match args {
        Generate::Fixed(args) => fixed::generate(args),
        Generate::Bounded(args) => bounded::generate(args),
        Generate::Soku(args) => soku::generate(args),
        Generate::Suite(args) => suite::generate(args),
    }
}
