//! Runners that are killed or interrupted from outside: this test program starts itself as the runner.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};

use record::Status;

use crate::support::{Bench, gone, solving, wait_for};

const FOLDER: &str = "TILEBENCH_TEST_FOLDER";

/// The runner to be killed. Its worker solves seeds 1 to 3 and hangs on the others, with its pid on disk.
#[test]
#[ignore = "started by the other tests of this file"]
fn session() {
    let Some(folder) = env::var_os(FOLDER) else { return };
    let mut bench = Bench::of(PathBuf::from(folder));
    bench.options.interrupt = runner::Interrupt::on_signals().expect("signal handlers");
    let summary = bench.run(&hanging(&bench)).expect("a session");
    assert!(summary.interrupted);
}

fn pid_file(bench: &Bench) -> PathBuf {
    bench.folder.path().join("pid")
}

fn hanging(bench: &Bench) -> String {
    format!(
        "job=$(cat); case $job in *'\"seed\":'[456],*) echo $$ > '{0}.tmp'; mv '{0}.tmp' '{0}'; sleep 60;; esac\n{1}",
        pid_file(bench).display(),
        solving()
    )
}

/// Starts a runner, waits until its worker hangs, and sends a signal.
fn signalled(bench: &Bench, signal: &str) -> (ExitStatus, String) {
    let mut runner = Command::new(env::current_exe().expect("this program"))
        .args(["--ignored", "--exact", "kill::session"])
        .env(FOLDER, bench.folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("a runner");
    let pid = wait_for(|| fs::read_to_string(pid_file(bench)).ok());
    let sent = Command::new("/bin/sh").args(["-c", &format!("kill -{signal} {}", runner.id())]).status();
    assert!(sent.is_ok_and(|status| status.success()));
    (end_of(&mut runner), pid.trim().to_owned())
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
