//! The tilebench command. Each subcommand is a file in `commands`; what they do is in the other crates.

mod args;
mod commands;
mod failure;
mod output;
mod revision;
mod solvers;
mod worker;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Args, Command};

fn main() -> ExitCode {
    let result = match Args::parse().command {
        Command::Run(args) => commands::run::run(args),
        Command::Solve(args) => commands::solve::solve(&args),
        Command::Verify(args) => commands::verify::verify(&args),
        Command::Count(args) => commands::count::count(&args),
        Command::Show(args) => commands::show::show(&args),
        Command::Animate(args) => commands::animate::animate(&args),
        Command::Generate(args) => commands::generate::generate(&args),
        Command::Soku(args) => commands::soku::soku(&args),
        Command::Export(args) => commands::export::export(&args),
        Command::Report(args) => commands::report::report(&args),
        Command::Compare(args) => commands::compare::compare(&args),
        Command::Solvers(args) => commands::solvers::solvers(&args),
        Command::Formulations => commands::list::formulations(),
        Command::Schema => commands::schema::schema(),
        Command::Worker => worker::work(),
        Command::Guard { runner } => worker::guard(&runner),
    };
    result.unwrap_or_else(|error| failure::report(&error))
}
