//! Disks that are full, read-only or gone: a session says so and stops, and what it wrote stays sound.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use record::{ResultsDir, Status};

use crate::support::{BUILT, Bench, STARTED, answer, iteration, say, solution, solving, this_program, wait_for};

/// A session whose error goes to a file. Its workers leave a mark, or are the script in the folder.
#[test]
#[ignore = "started by the other tests of this file"]
fn session() {
    let Some(mut bench) = Bench::of_parent() else { return };
    runner::outlive_file_size_limit().expect("a signal handler");
    bench.options.interrupt = runner::Interrupt::on_signals().expect("signal handlers");
    bench.options.resume = bench.says("resume");
    let mark = format!(": > '{}'\n{}", bench.folder.path().join("started").display(), solving());
    let script = fs::read_to_string(bench.folder.path().join("script")).unwrap_or(mark);
    let error = bench.run(&script).err().map(|error| error.to_string()).unwrap_or_default();
    bench.write("error", &error);
}

fn error(bench: &Bench) -> String {
    bench.read("error")
}

/// Runs a shell script in which `"$@"` is a session.
fn shell(bench: &Bench, before: &[&str], script: &str) {
    let session = this_program("disk::session", bench.folder.path());
    let mut command = match before {
        [] => Command::new("/bin/sh"),
        [program, rest @ ..] => {
            let mut command = Command::new(program);
            command.args(rest).arg("/bin/sh");
            command
        }
    };
    command.args(["-e", "-c", script, "sh"]).arg(session.get_program()).args(session.get_args());
    for (key, value) in session.get_envs() {
        command.env(key, value.expect("a value"));
    }
    let status = command.stdout(Stdio::null()).status().expect("a shell");
    assert!(status.success(), "{status}");
}

/// Says that mounts must be possible, so that a machine made for it cannot skip the tests that need them.
const REQUIRED: &str = "TILEBENCH_TEST_MOUNTS";

/// How to get mounts of one's own, where that is permitted.
fn own_mounts() -> Option<&'static [&'static str]> {
    let ways: [&[&str]; 2] = [&["unshare", "-m"], &["unshare", "-r", "-m"]];
    let works = |way: &&&[&str]| {
        let probe = ["sh", "-c", "mount -t tmpfs tmpfs /mnt"];
        let mut command = Command::new(way[0]);
        command.args(&way[1..]).args(probe).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let way = ways.iter().find(works).copied();
    if way.is_none() {
        assert!(env::var_os(REQUIRED).is_none(), "{REQUIRED} is set, but unshare -m does not work here");
        eprintln!(
            "SKIPPED: this machine permits no mounts of one's own (unshare -m), so full and read-only disks are not tried"
        );
    }
    way
}

/// Rows that are there, all of them sound.
fn rows(results: &ResultsDir) -> usize {
    results.read_iterations().expect("sound rows");
    let rows = results.read_runs().expect("sound rows");
    for row in &rows {
        assert_eq!(row.status, Status::Optimal);
        puzzle::Solution::load(&results.solution(&row.run_id, 0)).expect("a solution");
    }
    rows.len()
}

#[test]
fn files_that_must_not_grow_stop_the_session_and_it_goes_on_with_more_room() {
    let bench = Bench::new(150);
    // Blocks of 512 bytes: room for each file but the rows.
    shell(&bench, &[], "ulimit -f 80; exec \"$@\"");
    let error = error(&bench);
    assert!(error.contains("could not be kept") && error.contains("--resume"), "{error}");
    let kept = rows(&bench.results());
    assert!((1..150).contains(&kept) && error.contains(&format!("{kept} of 150")), "{kept}: {error}");
    bench.write("resume", "yes");
    shell(&bench, &[], "exec \"$@\"");
    assert_eq!(rows(&bench.results()), 150);
}

#[test]
fn a_run_may_leave_more_solutions_than_files_may_be_open() {
    let bench = Bench::new(2);
    let solve = iteration(7777, Some(solution())).replace("7777", "'$i'");
    let script = format!(
        "{}i=0; while [ $i -lt 500 ]; do printf '%s\\n' '{solve}'; i=$((i + 1)); done\n{}",
        say(&[STARTED, BUILT]),
        say(&[answer("optimal", Some(solution()))])
    );
    bench.write("script", &script);
    shell(&bench, &[], "ulimit -n 200; exec \"$@\"");
    assert_eq!(error(&bench), "");
    assert_eq!(rows(&bench.results()), 2);
    assert_eq!(fs::read_dir(bench.results().root().join("solutions")).expect("a folder").count(), 1000);
}

#[test]
fn a_full_disk_stops_the_session_and_it_goes_on_with_more_room() {
    let Some(way) = own_mounts() else { return };
    let bench = Bench::new(60);
    let path = |name: &str| bench.folder.path().join(name).display().to_string();
    let (out, then, later) = (path("out"), path("then"), path("later"));
    fs::create_dir(&out).expect("a folder");
    // What is mounted is seen by the shell alone, so it copies what is there.
    let script = format!(
        "mount -t tmpfs -o size=100k tmpfs '{out}'\n\"$@\"\nmv '{0}' '{0}-then'\ncp -r '{out}' '{then}'\n\
         mount -o remount,size=50m '{out}'\necho yes > '{1}'\n\"$@\"\ncp -r '{out}' '{later}'",
        path("error"),
        path("resume")
    );
    shell(&bench, way, &script);
    let first = fs::read_to_string(path("error-then")).expect("an error");
    assert!(first.contains("could not be kept") && first.contains("No space left on device"), "{first}");
    let kept = rows(&ResultsDir::new(Path::new(&then).join("test")));
    assert!((1..60).contains(&kept) && first.contains(&format!("{kept} of 60")), "{kept}: {first}");
    assert_eq!(error(&bench), "");
    assert_eq!(rows(&ResultsDir::new(Path::new(&later).join("test"))), 60);
}

#[test]
fn where_nothing_can_be_written_nothing_is_started() {
    let Some(way) = own_mounts() else { return };
    let bench = Bench::new(3);
    let out = bench.out().display().to_string();
    fs::create_dir_all(&out).expect("a folder");
    let read_only = format!("mount --bind '{out}' '{out}'; mount -o remount,ro,bind '{out}'; exec \"$@\"");
    shell(&bench, way, &read_only);
    assert!(error(&bench).contains("Read-only file system"), "{}", error(&bench));
    assert!(!bench.folder.path().join("started").exists());

    // The same with results that could be resumed.
    bench.run("exit 3").expect("a session");
    bench.write("resume", "yes");
    shell(&bench, way, &read_only);
    assert!(error(&bench).contains("Read-only file system"), "{}", error(&bench));
    assert!(!bench.folder.path().join("started").exists());
}

#[test]
fn results_that_are_deleted_or_moved_meanwhile_stop_the_session() {
    for moved in [true, false] {
        let bench = Bench::new(3);
        // One run is done, the next one hangs.
        let [done, hangs] = ["done", "hangs"].map(|name| bench.folder.path().join(name));
        let script = format!(
            "if [ -e '{0}' ]; then : > '{1}'; sleep 60; fi; : > '{0}'\n{2}",
            done.display(),
            hangs.display(),
            solving()
        );
        let (root, aside) = (bench.results().root().to_owned(), bench.folder.path().join("aside"));
        let start = Instant::now();
        let error = thread::scope(|scope| {
            scope.spawn(|| {
                wait_for(|| (hangs.exists() && rows(&bench.results()) == 1).then_some(()));
                let gone = if moved { fs::rename(&root, &aside) } else { fs::remove_dir_all(&root) };
                gone.expect("a folder that can be changed");
            });
            bench.run(&script).expect_err("nowhere to write").to_string()
        });
        assert!(error.contains("deleted or moved") && error.contains("--resume"), "{error}");
        assert!(start.elapsed() < Duration::from_secs(40), "it did not wait for the worker");
        if moved {
            assert!(!ResultsDir::new(aside).read_runs().expect("sound rows").is_empty());
        }
    }
}

#[test]
fn rows_that_somebody_cuts_or_adds_to_meanwhile_stop_the_session() {
    for (file, damage) in [
        ("runs.csv", ": > FILE"),
        ("iterations.csv", "echo more >> FILE"),
        ("runs.csv", "cp FILE FILE.copy && mv FILE.copy FILE"),
    ] {
        // The second of the runs does the damage.
        let bench = Bench::new(3);
        let (damaged, done) = (bench.results().root().join(file), bench.folder.path().join("done"));
        let damage = damage.replace("FILE", &damaged.display().to_string());
        let script = format!("if [ -e '{0}' ]; then {damage}; fi; : > '{0}'\n{1}", done.display(), solving());
        let error = bench.run(&script).expect_err("rows that are not as they were left").to_string();
        assert!(error.contains(file) && error.contains("--resume"), "{damage}: {error}");
        assert!(!fs::read(&damaged).expect("a file").contains(&0), "{damage}: a file with zero bytes");
    }
}

#[test]
fn names_may_be_as_long_as_the_file_system_permits() {
    let bench = Bench::with(crate::support::CONFIG);
    let name = format!("{}.toml", "n".repeat(250));
    bench.write(&name, &crate::support::instance_text("solvable"));
    let config = crate::support::CONFIG.replace("*.instance.toml", &name);
    bench.write("config.toml", &config);
    bench.run(&solving()).expect("a session");
    assert_eq!(bench.rows()[0].instance.len(), 250);
    assert!(bench.results().instance(&"n".repeat(250)).is_file());
}

#[test]
fn a_run_that_finds_the_disk_full_stops_the_session_and_is_repeated() {
    let mut bench = Bench::new(2);
    let full = answer("error", None).replace(
        "\"solution\"",
        "\"message\":\"cadical: proof failed: No space left on device (os error 28)\",\"solution\"",
    );
    let error = bench.run(&say(&[STARTED, &full])).expect_err("no space for what a run writes");
    assert!(!error.is_usage() && error.to_string().contains("No space left on device"), "{error}");
    assert_eq!(bench.rows(), [], "nothing is known of the run");
    (bench.options.resume, bench.options.interrupt) = (true, runner::Interrupt::new());
    assert_eq!(bench.run(&solving()).expect("a session").of_status(Status::Optimal), 2);
}
