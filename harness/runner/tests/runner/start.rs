//! Workers that cannot be started, now or at all.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use record::Status;
use runner::{Ended, Interrupt, Worker, execute};

use crate::support::{Bench, COMMIT, anywhere, solving, this_program, worker};

fn execute_on(bench: &Bench, worker: &Worker, log: Option<&str>, interrupt: &Interrupt) -> Ended {
    let log = log.map(|name| bench.folder.path().join(name));
    let job = bench.plan().expect("a sound plan")[0].run(0).job(COMMIT, log);
    execute(worker, &job, anywhere().slot(0), &mut |_| {}, interrupt)
}

/// A worker that cannot be started as long as the file is open.
fn busy(bench: &Bench) -> (Worker, File) {
    let path = bench.folder.path().join("program");
    fs::write(&path, format!("#!/bin/sh\n{}", solving())).expect("a file can be written");
    fs::set_permissions(&path, Permissions::from_mode(0o755)).expect("ours");
    let open = File::options().append(true).open(&path).expect("it is there");
    (Worker { command: path, args: Vec::new(), ..worker("") }, open)
}

#[test]
fn trouble_that_passes_delays_a_run_and_no_more() {
    let bench = Bench::new(1);
    let (worker, open) = busy(&bench);
    let ended = thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(Duration::from_millis(600));
            drop(open);
        });
        execute_on(&bench, &worker, None, &Interrupt::new())
    });
    assert_eq!(ended.status, Status::Optimal, "{ended:?}");
    // What was waited for is not the worker's time; a busy machine is.
    assert!(ended.wall_time_s.is_some_and(|wall| wall > 0.0));
}

#[test]
fn trouble_that_stays_is_told_and_an_interruption_is_heeded() {
    let bench = Bench::new(1);
    let (worker, open) = busy(&bench);
    let ended = execute_on(&bench, &worker, None, &Interrupt::new());
    if ended.status == Status::Optimal {
        eprintln!("SKIPPED: this system starts programs that are being written");
        return;
    }
    assert!(ended.is_not_started() && ended.status == Status::Lost, "{ended:?}");
    let message = ended.message.expect("a message");
    assert!(message.starts_with("cannot start ") && message.contains("program: "), "{message}");
    let interrupt = Interrupt::new();
    interrupt.trigger();
    let start = Instant::now();
    assert_eq!(execute_on(&bench, &worker, None, &interrupt).status, Status::Interrupted);
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    drop(open);
}

#[test]
fn what_failed_is_named() {
    let bench = Bench::new(1);
    let ended = execute_on(&bench, &worker("true"), Some("nowhere/run.log"), &Interrupt::new());
    assert!(ended.is_not_started(), "{ended:?}");
    let message = ended.message.expect("a message");
    assert!(message.starts_with("cannot open the log ") && message.contains("nowhere/run.log: "), "{message}");
    let missing = Worker { command: "/nowhere/tilebench".into(), ..worker("") };
    let message = execute_on(&bench, &missing, None, &Interrupt::new()).message.expect("a message");
    assert!(message.starts_with("cannot start /nowhere/tilebench: "), "{message}");
}

/// A session in a process that was started with signals of children ignored.
#[test]
#[ignore = "started by the test below"]
fn childless() {
    let Some(bench) = Bench::of_parent() else { return };
    let summary = bench.run(&solving()).expect("a session");
    assert_eq!((summary.rows(), summary.remaining()), (2, 0));
}

#[test]
fn ended_workers_are_noticed_though_their_signal_was_ignored() {
    let bench = Bench::new(2);
    let program = this_program("start::childless", bench.folder.path());
    let mut ignoring = Command::new("env");
    ignoring.arg("--ignore-signal=CHLD").arg(program.get_program()).args(program.get_args());
    ignoring.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    assert!(ignoring.status().expect("env").success());
    assert!(bench.rows().iter().all(|row| row.status == Status::Optimal && row.exit_code == Some(0)));
}
