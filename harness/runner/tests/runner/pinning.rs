//! Cores of their own: for each worker, for each runner of a machine, and said where there are too few.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use runner::{WorkplaceOptions, Workplaces};

use crate::confinement::{Limits, run_at};
use crate::support::{Bench, solving, wait_for};

/// Where another runner is to claim a core.
const FOLDER: &str = "TILEBENCH_TEST_CLAIM";

/// A runner that claims a core until it is killed.
#[test]
#[ignore = "started by another test of this file"]
fn runner_with_a_core() {
    let Some(folder) = env::var_os(FOLDER).map(PathBuf::from) else { return };
    let (_places, cpus) = pinned_worker(&folder);
    fs::write(folder.join("claimed"), cpus.unwrap_or_default()).expect("a file can be written");
    thread::sleep(Duration::from_secs(60));
}

/// Pins a worker with claims that are named after a folder, and asks it where it may run.
fn pinned_worker(folder: &Path) -> (Workplaces, Option<String>) {
    let claims = folder.display().to_string();
    let options = WorkplaceOptions { cgroups: false, claims, ..WorkplaceOptions::default() };
    let places = Workplaces::prepare(1, 1, &options);
    let file = folder.join(format!("allowed-{}", std::process::id()));
    let script = format!("grep Cpus_allowed_list /proc/self/status > '{}'", file.display());
    let ended = run_at(&places, &script, Limits::default());
    if let Some(cpus) = &ended.cpus {
        let told = fs::read_to_string(file).expect("the worker wrote it");
        assert_eq!(told.split_whitespace().last(), Some(cpus.as_str()));
    }
    assert_eq!(places.pinned, ended.cpus.is_some());
    assert_eq!(places.pinned, places.warnings.is_empty());
    (places, ended.cpus)
}

#[test]
fn a_pinned_worker_stays_on_its_cpu() {
    let folder = tempfile::tempdir().expect("a folder");
    let (places, cpus) = pinned_worker(folder.path());
    assert!(places.pinned && cpus.is_some(), "{:?}", places.warnings);
    let places = Workplaces::prepare(1, 1, &WorkplaceOptions { pin: false, ..WorkplaceOptions::default() });
    assert!(!places.pinned && places.warnings.is_empty());
}

/// A process that does not outlive a test, however that ends.
struct KilledAtLast(Child);

impl Drop for KilledAtLast {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts another runner by a program that runs others, and waits for the core that it claims.
fn other_runner(by: &mut Command, folder: &Path) -> (KilledAtLast, String) {
    by.arg(env::current_exe().expect("this program"))
        .args(["--ignored", "--exact", "pinning::runner_with_a_core"])
        .env(FOLDER, folder)
        .stdout(Stdio::null());
    let runner = by.spawn().map(KilledAtLast).expect("a runner");
    (runner, wait_for(|| fs::read_to_string(folder.join("claimed")).ok().filter(|text| !text.is_empty())))
}

#[test]
fn two_runners_do_not_share_a_core() {
    let folder = tempfile::tempdir().expect("a folder");
    let (other, theirs) = other_runner(&mut Command::new("env"), folder.path());
    let (places, ours) = pinned_worker(folder.path());
    // On a machine of one core there is none left.
    assert!(ours.is_none_or(|ours| ours != theirs), "both on {theirs}");
    drop(places);
    drop(other);
    // A dead runner claims nothing.
    assert!(pinned_worker(folder.path()).1.is_some());
}

#[test]
fn a_runner_that_was_given_one_cpu_stays_on_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).expect("a list");
    let last = allowed.trim().rsplit([',', '-']).next().expect("a CPU");
    let (_runner, claimed) = other_runner(Command::new("taskset").args(["-c", last]), folder.path());
    assert_eq!(claimed, last);
}

#[test]
fn more_jobs_than_cores_are_not_pinned_and_said() {
    let mut bench = Bench::new(2);
    (bench.options.jobs, bench.options.places.pin) = (2, true);
    bench.write("config.toml", &bench.read("config.toml").replace("\"fake\"", "\"fake\"\nthreads = 1024"));
    let summary = bench.run(&solving()).expect("a session");
    let warning = summary.warnings.first().expect("a warning");
    assert!(warning.starts_with("2 jobs x 1024 threads on ") && warning.contains("not pinned"), "{warning}");
    assert!(summary.to_string().contains(&format!("warning: {warning}")), "{summary}");
    assert!(bench.rows().iter().all(|row| row.cpus.is_none() && row.jobs == 2));
    let manifest = bench.results().read_manifest().expect("a manifest");
    let session = manifest.sessions.last().expect("a session");
    assert!(!session.pinned && !session.isolation.is_empty());
}

#[test]
fn cores_are_claimed_for_what_is_left_to_do_alone() {
    let mut bench = Bench::new(2);
    let many = "\n[[solver]]\nname = \"fake\"\nlabel = \"many\"\nthreads = 1024\n";
    let text = bench.read("config.toml") + many;
    bench.write("config.toml", &text);
    bench.filter(&["solver=fake"]);
    bench.options.jobs = 9999;
    let summary = bench.run(&solving()).expect("a session");
    assert_eq!(summary.rows(), 2);
    let of_those = |warning: &String| warning.contains("9999") || warning.contains("1024");
    assert!(!summary.warnings.iter().any(of_those), "{:?}", summary.warnings);
}
