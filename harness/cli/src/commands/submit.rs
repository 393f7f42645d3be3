//! `tilebench submit`: an experiment as tasks of a cluster; `status`: what has become of them.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use cluster::{Engine, Folder, Order, Slurm, Submission, ranges};
use runner::{ExperimentPlan, RunnerError};

use super::run::planned;
use crate::args::{Planning, Status, Submit};
use crate::output::say;
use crate::solvers;

/// Writes a folder of tasks, or goes on in one, and with `--start` hands tasks to the engine.
pub fn submit(args: Submit) -> anyhow::Result<ExitCode> {
    if let Some(dir) = &args.missing {
        return missing(&Folder::new(dir)?, args.start);
    }
    let config = args.config.as_deref().context("name a config")?;
    let order = Order { engine: engine(&args)?, options: options(&args.planning), task_s: args.task_time };
    let options = planned(args.planning);
    let known = solvers::known();
    let plan = |path: &Path| {
        let plan = runner::plan(&[path.to_owned()], &options, &known)?.pop();
        plan.ok_or_else(|| RunnerError::Usage(format!("{}: no runs", path.display())))
    };
    let planned: ExperimentPlan = plan(config)?;
    let usual = || Path::new("results/cluster").join(&planned.config.experiment);
    let folder = Folder::new(&args.out.unwrap_or_else(usual))?;
    let submission = cluster::create(&folder, &order, &planned, &plan)?;
    let _held = folder.lock()?;
    say!("{submission}");
    for remark in planned.missing().into_iter().chain(planned.remarks()) {
        say!("note: {remark}");
    }
    say!("folder: {}; README.md in it says how to start, look, go on and merge", folder.root().display());
    let tasks = submission.numbers();
    hand_over(&folder, submission, &tasks, args.start)
}

pub fn status(args: &Status) -> anyhow::Result<ExitCode> {
    let folder = Folder::new(&args.dir)?;
    let submission = folder.read()?;
    say!("{}", cluster::status(&folder, &submission)?);
    Ok(ExitCode::SUCCESS)
}

fn missing(folder: &Folder, start: bool) -> anyhow::Result<ExitCode> {
    // Whoever comes second would not see yet what the first one sends.
    let _held = folder.lock()?;
    let submission = folder.read()?;
    let status = cluster::status(folder, &submission)?;
    let tasks = cluster::missing(&status);
    if tasks.is_empty() {
        say!("{status}");
        say!("nothing to send: each task is done, or somebody may have it");
        return Ok(ExitCode::SUCCESS);
    }
    hand_over(folder, submission, &tasks, start)
}

fn hand_over(folder: &Folder, mut submission: Submission, tasks: &[usize], start: bool) -> anyhow::Result<ExitCode> {
    if start {
        let jobs = cluster::start(folder, &mut submission, tasks)?;
        say!("started: tasks {} as {} job {}", ranges(tasks), submission.engine.name(), jobs.join(", "));
    } else {
        for command in cluster::commands(folder, &submission, tasks)? {
            say!("start: {command}");
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn engine(args: &Submit) -> anyhow::Result<Engine> {
    let Submit { throttle, exclusive, constraint, sbatch, .. } = args;
    let own =
        Slurm { throttle: *throttle, exclusive: *exclusive, constraint: constraint.clone(), lines: sbatch.clone() };
    let engine = args.engine.context("name an engine")?(own.clone());
    anyhow::ensure!(
        matches!(engine, Engine::Slurm(_)) || own == Slurm::default(),
        "--throttle, --exclusive, --constraint and --sbatch are options of engine slurm; leave them out for {}",
        engine.name()
    );
    Ok(engine)
}

/// What tasks tell `tilebench run` beside config, shard and number of runs at a time.
fn options(args: &Planning) -> Vec<String> {
    let profile = args.profile.iter().flat_map(|name| ["--profile".to_owned(), name.clone()]);
    let settings = args.set.iter().flat_map(|setting| ["--set".to_owned(), setting.to_string()]);
    let flags = [("--also-long", args.also_long), ("--anyway", args.anyway)];
    let flags = flags.into_iter().filter(|(_, is_set)| *is_set).map(|(flag, _)| flag.to_owned());
    profile.chain(settings).chain(flags).collect()
}
