//! Ctrl-C, `kill` and `timeout` in the middle of `tilebench run`: rows are kept, the summary is printed, workers end, and
//! `--resume` goes on.

use std::fs;
use std::process::Child;
use std::thread;
use std::time::Duration;

use record::{ResultsDir, Status};

use crate::bench::{Bench, Ran, send, wait_for, words, workspace};

/// Quick runs and then some that take longer than any test.
const CONFIG: &str = r#"
experiment = "signals"
title = "Signals"
instances = ["tri.toml"]
seeds = [1, 2, 3, 4, 5, 6]

[limits]
time = "300s"

[[formulation]]
name = "colour"
families = "C1 C2' C4c C5x C6x"

[[solver]]
name = "mock"
label = "quick"

[[solver]]
name = "mock"
label = "long"
options = { sleep = 200 }

[[solver]]
name = "mock"
label = "spin"
options = { fault = "spin" }
"#;

const QUICK: usize = 6;
const COMMAND: &str = "run signals.toml --jobs 2 --out out";

fn bench() -> Bench {
    let bench = Bench::mock();
    bench.write("signals.toml", CONFIG);
    // The quick runs first, so that there is something to keep.
    bench.run(&words(&format!("{COMMAND} --filter solver=quick"))).ok();
    bench
}

/// A session in which both slots are in the middle of runs that do not end.
fn busy(bench: &Bench) -> Child {
    let runner = bench.start(&words(&format!("{COMMAND} --resume")));
    let logs = || fs::read_dir(bench.path("out/signals/logs")).map_or(0, Iterator::count);
    // Each run opens its log.
    wait_for(30, || logs() == QUICK + 2);
    runner
}

#[track_caller]
fn kept(bench: &Bench, ran: &Ran) {
    assert_eq!(ran.code, 130, "{ran:?}");
    assert!(ran.out.contains("interrupted: 6 of 18 runs are done"), "{ran:?}");
    assert!(ran.out.contains("--resume"), "{ran:?}");
    assert_eq!(bench.survivors(), [""; 0]);
    let rows = ResultsDir::new(bench.path("out/signals")).read_runs().expect("sound rows");
    let count = |status| rows.iter().filter(|row| row.status == status).count();
    assert_eq!((count(Status::Optimal), count(Status::Interrupted)), (QUICK, 2), "{rows:?}");
}

#[test]
fn one_signal_ends_the_session_in_order() {
    for signal in ["INT", "TERM", "HUP"] {
        let bench = bench();
        let runner = busy(&bench);
        send(signal, runner.id());
        kept(&bench, &Ran::of(runner));
        // What was interrupted is still to be done.
        let ran = bench.run(&words(&format!("{COMMAND} --resume --filter solver=quick"))).ok();
        assert!(ran.out.starts_with("0 runs in "), "{ran:?}");
    }
}

#[test]
fn timeout_sends_its_signal_twice_and_nothing_is_lost() {
    let bench = bench();
    let runner = busy(&bench);
    // As `timeout` does: to the process, and to its group.
    send("TERM", runner.id());
    thread::sleep(Duration::from_millis(2));
    send("TERM", runner.id());
    kept(&bench, &Ran::of(runner));
}

#[test]
fn a_signal_to_solve_ends_its_worker_too() {
    let bench = Bench::mock();
    let runner = bench.start(&words("solve tri.toml --solver mock --option fault=spin --log log"));
    wait_for(30, || bench.path("log").exists());
    send("INT", runner.id());
    let ran = Ran::of(runner);
    assert_eq!(ran.code, 130, "{ran:?}");
    assert!(!ran.err.contains("exit code"), "nothing is said of another exit code: {ran:?}");
    assert_eq!(bench.survivors(), [""; 0]);
}

#[test]
fn a_signal_to_count_shows_what_was_counted_by_then() {
    let bench = Bench::new();
    let game = workspace().join("instances/soku/counted/f40-s15-3.toml").display().to_string();
    // In so little memory it takes hours.
    let counter = bench.start(&["count", &game, "--memory-limit", "60MiB"]);
    // By then it watches for signals: it has asked for memory to count with.
    let status = || fs::read_to_string(format!("/proc/{}/status", counter.id())).unwrap_or_default();
    let peak_kib = || {
        let status = status();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok()).unwrap_or(0)
    };
    wait_for(30, || peak_kib() > 40 << 10);
    send("INT", counter.id());
    let ran = Ran::of(counter);
    assert_eq!(ran.code, 130, "{ran:?}");
    let said =
        ["at least ", "no solution of f40-s15-3 found before it stopped\n"].map(|begin| ran.out.starts_with(begin));
    assert!(said.contains(&true) && ran.err.ends_with("interrupted\n"), "{ran:?}");
}
