//! The tilebench command. Each subcommand is a file in `commands`; what they do is in the other crates.
//!
//! A library, so that tests can build a second executable with a solver that fails in every way (the folder `mock`).

mod args;
mod commands;
mod completions;
mod output;
mod solvers;
mod worker;

use std::env;
use std::process::ExitCode;

use clap::{ColorChoice, CommandFactory, FromArgMatches};

use crate::args::{Args, Command};
use crate::output::note;
use crate::solvers::short_version;

pub use crate::solvers::TestSolver;

/// The same with the built-in solvers, whose versions bear on what is measured too.
fn long_version() -> String {
    let solvers = solvers::built_in().map(|(name, version)| format!("\n{name} {version}"));
    short_version()
        + &solvers.collect::<String>()
        + "\n`tilebench solvers` lists those that are programs of this machine."
}

/// Takes negative numbers for values of options, so that the option says what is wrong with them.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let taken = |arg: clap::Arg| match arg.is_positional() || !arg.get_action().takes_values() {
        true => arg,
        false => arg.allow_negative_numbers(true),
    };
    command.mut_args(taken).mut_subcommands(with_negative_numbers)
}

/// Does what the command line says, with a solver beside the backends if there is one.
pub fn main(test_solver: Option<TestSolver>) -> ExitCode {
    solvers::register(test_solver);
    // Sessions and `solve` start this for each run: it solves a job from standard input. Knowing all commands would take time.
    if env::args_os().skip(1).eq(["worker"]) {
        return ended(worker::work());
    }
    completions::answer(Args::command);
    // Texts of commands live as long as the program.
    let mut command = with_negative_numbers(Args::command()).version(&*short_version().leak());
    if env::args_os().skip(1).any(|word| word == "--version") {
        command = command.long_version(&*long_version().leak());
    }
    let args = match command.try_get_matches().and_then(|matches| Args::from_arg_matches(&matches)) {
        Ok(args) => args,
        Err(error) if error.use_stderr() => {
            let text = error.render().to_string();
            if puzzle::printable(&text) == text {
                error.exit();
            }
            note!("{}", text.trim_end());
            return ExitCode::from(output::BAD_INPUT);
        }
        // Help that was asked for.
        Err(help) => {
            let printed = output::if_read(help.print());
            return printed.map_or_else(|error| output::report(&error.into()), |()| ExitCode::SUCCESS);
        }
    };
    match args.color {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    }
    .write_global();
    if let Err(error) = runner::outlive_file_size_limit() {
        return output::report(&error.into());
    }
    let result = match args.command {
        Command::Run(args) => commands::run::run(args),
        Command::Submit(args) => commands::submit::submit(args),
        Command::Status(args) => commands::submit::status(&args),
        Command::Solve(args) => commands::solve::solve(&args),
        Command::Verify(args) => commands::verify::verify(&args),
        Command::Count(args) => commands::verify::count(&args),
        Command::Show(args) => commands::show::show(&args),
        Command::Animate(args) => commands::animate::animate(&args),
        Command::Generate(args) => commands::generate::generate(&args),
        Command::Soku(args) => commands::soku::soku(&args),
        Command::Export(args) => commands::export::export(&args),
        Command::Report(args) => commands::report::report(&args),
        Command::Table(args) => commands::report::table(&args),
        Command::Compare(args) => commands::compare::compare(&args),
        Command::Merge(args) => commands::run::merge(&args),
        Command::NewConfig(args) => commands::new_config::new_config(&args),
        Command::List(args) => commands::list::list(&args),
        Command::Solvers(args) => commands::solvers::solvers(&args),
        Command::Doctor => commands::solvers::doctor(),
        Command::Formulations => commands::list::formulations(),
        Command::Schema => commands::list::schema(),
        Command::Completions { shell } => completions::completions(&shell),
        Command::Man { out } => completions::man(Args::command(), &out),
        Command::Guard { runner } => worker::guard(&runner),
    };
    ended(result)
}

fn ended(result: anyhow::Result<ExitCode>) -> ExitCode {
    result.unwrap_or_else(|error| output::report(&error))
}
