//! `tilebench compare`: two sets of results against each other, measured before or now.

use std::fs;
use std::io;
use std::path::{self, Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use record::write_whole;
use report::compare::{Options, compare as compared, json, junit, markdown};
use report::{Experiment, results_in};
use runner::{ExperimentPlan, Interrupt, RunOptions};
use rustix::process::{Signal, kill_process};
use system::{RawPid, Watch};

use super::list::vocabulary;
use super::run::{ANYWAY, other_work};
use crate::args::Compare;
use crate::output::{
    CHECK_FAILED, INTERRUPTED, MACHINE_REFUSED, check_outputs as check_files, located, note, painted, print,
};
use crate::solvers;

/// Writes what differs; exit code 1 if that is a regression, or runs are missing.
pub fn compare(args: &Compare) -> anyhow::Result<ExitCode> {
    check_outputs(args)?;
    let sides = match args.run.is_empty() {
        true => [args.base.clone(), args.new.clone()],
        false => match measure(args)? {
            Measured::In(sides) => sides,
            Measured::Stopped(code) => return Ok(ExitCode::from(code)),
        },
    };
    let [base, new] = [load(&sides[0])?, load(&sides[1])?];
    let options = Options {
        fail_on: (!args.fail_on.is_empty()).then(|| args.fail_on.iter().copied().collect()),
        time_threshold: args.time_threshold,
        count_threshold: args.count_threshold,
        alpha: args.alpha,
    };
    let found = compared(&base, &new, &options)?;
    let text = markdown(&found);
    if let Some(path) = &args.markdown {
        write_whole(path, text.as_bytes())?;
    }
    if let Some(path) = &args.junit {
        write_whole(path, junit(&found).as_bytes())?;
    }
    match &args.json {
        Some(path) if path == Path::new("-") => print(&json(&found))?,
        Some(path) => {
            write_whole(path, json(&found).as_bytes())?;
            print(&painted(&text))?;
        }
        None => print(&painted(&text))?,
    }
    let fails = found.is_regression() || found.is_incomplete();
    Ok(if fails { ExitCode::from(CHECK_FAILED) } else { ExitCode::SUCCESS })
}

/// Refuses outputs that are one file, or a file of what is compared.
fn check_outputs(args: &Compare) -> anyhow::Result<()> {
    let json = args.json.as_ref().filter(|path| path.as_path() != Path::new("-"));
    let outputs = [args.markdown.as_ref(), args.junit.as_ref(), json].into_iter().flatten();
    let outputs: Vec<&Path> = outputs.map(PathBuf::as_path).collect();
    let read = args.run.iter().chain([&args.base, &args.new]).map(PathBuf::as_path);
    check_files(&read.collect::<Vec<_>>(), &outputs)?;
    for side in [&args.base, &args.new] {
        // Folders that hold no results are a matter of reading them.
        let folders = if args.run.is_empty() { results_in(side).unwrap_or_default() } else { Vec::new() };
        for folder in folders {
            let inside = outputs.iter().find(|output| located(output).starts_with(located(&folder)));
            inside.map_or(Ok(()), |output| bail!("{} is among the results that are read", output.display()))?;
        }
    }
    Ok(())
}

fn load(dir: &Path) -> anyhow::Result<Vec<Experiment>> {
    Ok(results_in(dir)?.iter().map(|dir| Experiment::load(dir)).collect::<Result<_, _>>()?)
}

/// What came of measuring by both programs.
enum Measured {
    /// Results in these folders.
    In([PathBuf; 2]),
    /// A program was interrupted or could not write: it has said so, and this is its exit code.
    Stopped(u8),
}

/// Runs the configs by both programs, an instance at a time; who begins changes from instance to instance.
fn measure(args: &Compare) -> anyhow::Result<Measured> {
    runner::check_out(&args.out)?;
    let sides = ["base", "new"].map(|side| args.out.join(side));
    // Whole paths: a name alone would be looked for in PATH.
    let absolute = |program| path::absolute(program).with_context(|| format!("{}", Path::display(program)));
    let programs = [absolute(&args.base)?, absolute(&args.new)?];
    programs.iter().try_for_each(|program| check_program(program))?;
    let marks = args.out.join("programs");
    let mark = |program: &PathBuf| -> anyhow::Result<String> {
        let bytes = fs::read(program).with_context(|| program.display().to_string())?;
        Ok(format!("{}\n", blake3::hash(&bytes).to_hex()))
    };
    let of_both = programs.iter().map(mark).collect::<anyhow::Result<String>>()?;
    if sides.iter().any(|side| side.exists()) {
        let out = args.out.display();
        ensure!(
            args.resume,
            "{out} holds an earlier comparison: choose another folder by --out, remove it, or go on with it by --resume"
        );
        ensure!(
            fs::read_to_string(&marks).is_ok_and(|found| found == of_both),
            "{out} holds a comparison of other programs (or in another order): choose another folder by --out"
        );
    }
    let options = RunOptions {
        profile: args.profile.clone(),
        filters: args.filter.clone(),
        vocabulary: vocabulary(),
        ..RunOptions::default()
    };
    let plans = runner::plan(&args.run, &options, &solvers::known())?;
    // Once for both programs: what they measure, they measure in turns.
    let threads = plans.iter().flat_map(ExperimentPlan::runs).map(|run| run.solver.threads as usize).max();
    other_work(args.anyway).beside(threads)?.iter().for_each(|busy| note!("note: {busy}"));
    let interrupt = Interrupt::on_signals().context("cannot watch for Ctrl-C")?;
    fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    write_whole(&marks, of_both.as_bytes())?;
    for plan in &plans {
        let (config, instances) = (&plan.config.path, plan.instances());
        for (number, instance) in instances.iter().enumerate() {
            let name = &instance.instance.name;
            note!("{}: instance {} of {}, {name}", plan.config.experiment, number + 1, instances.len());
            let order = if number % 2 == 0 { [0, 1] } else { [1, 0] };
            for side in order {
                let mut command = Command::new(&programs[side]);
                // Killed, this process takes it along; what it has measured by then stays valid.
                system::die_with_parent(&mut command);
                // Other work was looked for; a session looks again only to record it.
                match args.anyway {
                    true => drop(command.arg("run").arg("--anyway")),
                    false => drop(command.env(ANYWAY, "1").arg("run")),
                }
                command.args(["--quiet", "--resume", "--out"]).arg(&sides[side]);
                command.args(args.profile.iter().flat_map(|profile| ["--profile", profile]));
                command.args(args.filter.iter().flat_map(|filter| ["--filter".to_owned(), filter.to_string()]));
                command.arg("--filter").arg(format!("instance={name}")).arg("--").arg(config);
                let status = run(command.stdout(Stdio::null()), &interrupt)
                    .with_context(|| programs[side].display().to_string())?;
                match status.code().map(u8::try_from) {
                    _ if interrupt.is_set() => return Ok(Measured::Stopped(INTERRUPTED)),
                    // Wrong answers and failed runs are for the comparison to tell.
                    Some(Ok(0 | CHECK_FAILED)) => {}
                    Some(Ok(code @ (MACHINE_REFUSED | INTERRUPTED))) => return Ok(Measured::Stopped(code)),
                    _ => bail!(
                        "{} run ended with {status}: both programs must understand {}",
                        programs[side].display(),
                        config.display()
                    ),
                }
            }
        }
    }
    Ok(Measured::In(sides))
}

/// Refuses what is no tilebench: nothing else says its version so.
fn check_program(program: &Path) -> anyhow::Result<()> {
    ensure!(program.is_file(), "{}: with --run this must be a program, given by its path", program.display());
    let said = Command::new(program).arg("--version").output().with_context(|| program.display().to_string())?;
    ensure!(
        said.status.success() && said.stdout.starts_with(b"tilebench"),
        "{}: no tilebench, since `--version` does not say so ({})",
        program.display(),
        said.status
    );
    Ok(())
}

/// How often it is looked whether a program that measures is to stop.
const LOOK: Duration = Duration::from_millis(200);

/// Runs a program to its end; on an interruption it is asked to stop. After Ctrl-C it hears of it twice, so soon that this counts as once.
fn run(command: &mut Command, interrupt: &Interrupt) -> io::Result<ExitStatus> {
    let mut child = command.spawn()?;
    let pid = RawPid::try_from(child.id()).map_err(io::Error::other)?;
    let (watch, mut is_told) = (Watch::on(pid), false);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if interrupt.is_set() && !is_told {
            is_told = true;
            // Not waited for yet, so the number is its own.
            let _ = system::process(pid).map(|pid| kill_process(pid, Signal::TERM));
        }
        watch.wait(LOOK, LOOK);
    }
}
