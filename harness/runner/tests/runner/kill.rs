//! Runners that are killed or interrupted from outside: this test program starts itself as the runner.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use record::Status;
use runner::host_facts;

use crate::support::{Bench, gone, solving, this_program, wait_for};

/// The runner to be killed. Its worker solves seeds 1 to 3 and hangs on the others, with its pid on disk.
#[test]
#[ignore = "started by the other tests of this file"]
fn session() {
    let Some(mut bench) = Bench::of_parent() else { return };
    bench.options.interrupt = runner::Interrupt::on_signals().expect("signal handlers");
    bench.options.resume = bench.says("resume");
    let summary = bench.run(&hanging(&bench)).expect("a session");
    assert!(summary.interrupted);
}

fn pid_file(bench: &Bench) -> PathBuf {
    bench.folder.path().join("pid")
}

fn hanging(bench: &Bench) -> String {
    format!(
        "job=$(cat); case $job in *'\"seed\":'[456],*) echo $$ > '{0}.tmp'; mv '{0}.tmp' '{0}'; exec sleep 60;; esac\n{1}",
        pid_file(bench).display(),
        solving()
    )
}

/// Starts a runner, waits until its worker hangs, and sends a signal.
fn signalled(bench: &Bench, signal: &str) -> (ExitStatus, String) {
    let mut runner =
        this_program("kill::session", bench.folder.path()).stderr(Stdio::null()).spawn().expect("a runner");
    let pid = wait_for(|| fs::read_to_string(pid_file(bench)).ok());
    send(signal, &runner);
    (end_of(&mut runner), pid.trim().to_owned())
}

fn send(signal: &str, runner: &Child) {
    let sent = Command::new("/bin/sh").args(["-c", &format!("pid={0}; kill -{signal} {0}", runner.id())]).status();
    assert!(sent.is_ok_and(|status| status.success()));
}

fn end_of(runner: &mut Child) -> ExitStatus {
    wait_for(|| runner.try_wait().expect("our own child"))
}

fn resumed(mut bench: Bench) {
    bench.options.resume = true;
    let summary = bench.run(&solving()).expect("a session");
    assert_eq!((summary.skipped + summary.rows(), summary.remaining()), (6, 0));
    let done = bench.rows().iter().filter(|row| row.status == Status::Optimal).count();
    assert_eq!(done, 6);
}

#[test]
fn a_killed_runner_takes_its_worker_along_and_can_be_resumed() {
    let bench = Bench::new(6);
    let (_, worker) = signalled(&bench, "KILL");
    assert!(gone(&worker), "the worker outlived its runner");
    assert!(bench.rows().iter().all(|row| row.status == Status::Optimal));
    resumed(bench);
}

#[test]
fn ctrl_c_ends_the_worker_and_keeps_the_rows() {
    let bench = Bench::new(6);
    let (status, worker) = signalled(&bench, "INT");
    assert!(status.success(), "the runner ended with {status}");
    assert!(gone(&worker));
    assert_eq!(bench.rows().iter().filter(|row| row.status == Status::Interrupted).count(), 1);
    resumed(bench);
}

/// Waits to be ended, and says so when it was asked to stop.
#[test]
#[ignore = "started by the other tests of this file"]
fn stuck() {
    let Some(bench) = Bench::of_parent() else { return };
    let interrupt = runner::Interrupt::on_signals().expect("signal handlers");
    bench.write("ready", "");
    wait_for(|| interrupt.is_set().then_some(()));
    bench.write("asked", "");
    thread::sleep(Duration::from_secs(25));
}

#[test]
fn two_signals_at_once_are_one_and_a_later_one_ends_at_once() {
    // As `timeout` sends them: to the process, and to its group.
    let bench = Bench::new(6);
    let (status, _) = signalled(&bench, "TERM $pid; kill -TERM");
    assert!(status.success(), "the runner ended with {status}");
    assert_eq!(bench.rows().iter().filter(|row| row.status == Status::Interrupted).count(), 1);
    resumed(bench);

    let bench = Bench::new(1);
    let mut runner = this_program("kill::stuck", bench.folder.path()).stderr(Stdio::null()).spawn().expect("a process");
    let there = |name: &str| wait_for(|| bench.folder.path().join(name).exists().then_some(()));
    there("ready");
    send("INT", &runner);
    there("asked");
    thread::sleep(Duration::from_millis(1200));
    send("INT", &runner);
    assert_eq!(end_of(&mut runner).code(), Some(130));
}

#[test]
fn two_runners_do_not_write_one_directory() {
    let bench = Bench::new(6);
    let start = || this_program("kill::session", bench.folder.path()).stderr(Stdio::piped()).spawn().expect("a runner");
    // At first, and while the same is resumed.
    for resume in ["", "resume"] {
        bench.write("resume", resume);
        let _ = fs::remove_file(pid_file(&bench));
        let mut first = start();
        wait_for(|| fs::read_to_string(pid_file(&bench)).ok());
        let second = start().wait_with_output().expect("our own child");
        let error = String::from_utf8_lossy(&second.stderr);
        // Behind the machine stands the job, where the tests run in one.
        let holder = format!("another tilebench run (process {} on {}", first.id(), host_facts().host);
        assert!(!second.status.success() && error.contains(&holder) && error.contains(") is writing here"), "{error}");
        send("INT", &first);
        assert!(end_of(&mut first).success());
    }
    resumed(bench);
}

/// The runner to be stopped. Its worker says that it runs, and takes a second.
#[test]
#[ignore = "started by the other tests of this file"]
fn session_of_one_run() {
    let Some(bench) = Bench::of_parent() else { return };
    let script = format!("echo once >> '{}'; sleep 1; {}", pid_file(&bench).display(), solving());
    bench.run(&script).expect("a session");
}

#[test]
fn a_run_during_which_the_runner_was_stopped_is_measured_again() {
    let bench = Bench::new(1);
    let mut runner = this_program("kill::session_of_one_run", bench.folder.path()).spawn().expect("a runner");
    wait_for(|| pid_file(&bench).exists().then_some(()));
    send("STOP", &runner);
    thread::sleep(Duration::from_secs(3));
    send("CONT", &runner);
    assert!(end_of(&mut runner).success());
    let begun = fs::read_to_string(pid_file(&bench)).expect("written by the worker").lines().count();
    let rows = bench.rows();
    assert!(begun > 1, "{rows:?}");
    let [row] = &rows[..] else { panic!("{rows:?}") };
    assert!(row.message.as_ref().is_some_and(|text| text.contains("was stopped") && text.contains("again")), "{row:?}");
    assert_eq!((row.status, row.attempt), (Status::Optimal, 1));
}
