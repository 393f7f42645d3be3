//! `tilebench run`: experiments from config files; `merge`: results of one plan made into one.

use std::env;
use std::process::ExitCode;

use anyhow::Context;
use report::Analysis;
use runner::{Interrupt, MergedExperiment, OtherWork, RunOptions, Summary, WorkplaceOptions, count};

use super::list::vocabulary;
use crate::args::{FailOn, Merge, Planning, Run};
use crate::output::{CHECK_FAILED, INTERRUPTED, line, note, say};
use crate::solvers;

/// Whether runs of the session ended as is not to be, which is then said.
fn fails_on(gate: FailOn, summary: &Summary) -> bool {
    let runs = summary.rows_where(|status, category| gate.strikes(status, category));
    if runs > 0 {
        note!("error: {} {gate} (--fail-on {gate})", count(runs, "run"));
    }
    runs > 0
}

/// Planned runs up to which a session ends with a ranking.
const MOST_RANKED: usize = 20_000;

/// Set for commands that measure beside others on purpose, or where times do not matter: other work is not even looked for.
pub const ANYWAY: &str = "TILEBENCH_ANYWAY";

/// What to do about a machine that is busy with other work.
pub fn other_work(anyway: bool) -> OtherWork {
    match (env::var_os(ANYWAY), anyway) {
        (Some(_), _) => OtherWork::Ignore,
        (None, true) => OtherWork::Note,
        (None, false) => OtherWork::Refuse,
    }
}

/// How to plan runs; nothing is said of running them.
pub fn planned(planning: Planning) -> RunOptions {
    let Planning { jobs, profile, set: settings, also_long, anyway } = planning;
    let (other_work, vocabulary) = (other_work(anyway), vocabulary());
    RunOptions { jobs, profile, settings, also_long, other_work, vocabulary, ..RunOptions::default() }
}

/// Plans, runs and sums up; exit code 1 if an answer was wrong, answers contradict each other or a run failed.
pub fn run(args: Run) -> anyhow::Result<ExitCode> {
    let options = RunOptions {
        places: WorkplaceOptions {
            pin: !args.no_pin,
            cgroups: !args.no_cgroup,
            disk_b: args.disk_limit,
            ..WorkplaceOptions::default()
        },
        filters: args.filter,
        shard: args.shard,
        resume: args.resume,
        done: args.done,
        retry: args.retry,
        quiet: args.quiet,
        interrupt: Interrupt::on_signals().context("cannot watch for Ctrl-C")?,
        ..planned(args.planning)
    };
    let plans = runner::plan(&args.configs, &options, &solvers::known())?;
    if args.dry_run {
        for plan in &plans {
            say!("{}", runner::preview(plan, &args.out, &options)?);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let summary = runner::run(plans, &args.out, &options, &solvers::worker()?)?;
    say!("{summary}");
    // The rows of larger experiments take time to read.
    if !args.quiet && !summary.interrupted && summary.planned <= MOST_RANKED {
        // What cannot be reported is said by `report`.
        for analysis in summary.dirs.iter().filter_map(|dir| Analysis::load(dir).ok()) {
            let ranking = report::ranking(&analysis);
            if summary.dirs.len() > 1 && !ranking.is_empty() {
                say!("{}:", analysis.experiment.name());
            }
            for line in ranking {
                say!("{line}");
            }
        }
    }
    let gates = args.fail_on.iter().filter(|gate| fails_on(**gate, &summary)).count();
    Ok(match (summary.interrupted, summary.is_sound() && gates == 0) {
        (true, _) => ExitCode::from(INTERRUPTED),
        (_, true) => ExitCode::SUCCESS,
        _ => ExitCode::from(CHECK_FAILED),
    })
}

/// Merges and says what is there and what is missing; exit code 1 if an answer is wrong, answers contradict each other or a run failed.
pub fn merge(args: &Merge) -> anyhow::Result<ExitCode> {
    let mut said = Ok(());
    let merged = runner::merge(&args.dirs, &args.out, &mut |experiment| {
        if said.is_ok() {
            said = line(format_args!("{experiment}"));
        }
    })?;
    said?;
    let is_sound = merged.iter().all(MergedExperiment::is_sound);
    Ok(if is_sound { ExitCode::SUCCESS } else { ExitCode::from(CHECK_FAILED) })
}
