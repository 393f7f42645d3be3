//! `tilebench run`: experiments from config files.

use std::process::ExitCode;

use anyhow::Context;
use record::Category;
use runner::{Interrupt, Progress, RunOptions};

use crate::args::Run;
use crate::failure::{CHECK_FAILED, INTERRUPTED};
use crate::output::say;
use crate::solvers;

/// Plans, runs and sums up; exit code 1 if an answer was wrong.
pub fn run(args: Run) -> anyhow::Result<ExitCode> {
    let options = RunOptions {
        out: args.out,
        jobs: args.jobs,
        profile: args.profile,
        filters: args.filter,
        resume: args.resume,
        progress: if args.quiet { Progress::Quiet } else { Progress::Auto },
        interrupt: Interrupt::on_signals().context("cannot watch for Ctrl-C")?,
    };
    let plans = runner::plan(&args.configs, &options, &solvers::known())?;
    if args.dry_run {
        for plan in &plans {
            say!("{plan}");
        }
        return Ok(ExitCode::SUCCESS);
    }
    let summary = runner::run(plans, &options, &solvers::worker()?)?;
    say!("{summary}");
    let wrong = summary.categories.get(&Category::Wrong).is_some_and(|&count| count > 0) || !summary.wrong.is_empty();
    Ok(match (summary.interrupted, wrong) {
        (true, _) => ExitCode::from(INTERRUPTED),
        (_, true) => ExitCode::from(CHECK_FAILED),
        _ => ExitCode::SUCCESS,
    })
}
