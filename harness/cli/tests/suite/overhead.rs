//! What the harness costs per run and in memory, through the real binary. These are measurements: they print figures,
//! and assert only what any machine can keep. `just overhead` runs them.

use std::fmt::Write;
use std::fs;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use record::ResultsDir;

use crate::bench::{Bench, COLOUR, Ran, send, words};

/// A config of trivial runs: so many seeds for so many solvers that differ in an option without effect.
fn config(name: &str, seeds: usize, solvers: usize) -> String {
    let mut text = format!(
        "experiment = \"{name}\"\ntitle = \"Overhead\"\ninstances = [\"tri.toml\"]\nseeds = \"1-{seeds}\"\n[limits]\ntime = \"60s\"\n{COLOUR}"
    );
    for number in 1..=solvers {
        let solver = format!("[[solver]]\nname = \"mock\"\nlabel = \"{number}\"\noptions = {{ loops = {number} }}\n");
        text.write_str(&solver).expect("a string");
    }
    text
}

/// What `/proc` says of a running process.
#[derive(Debug, Default, Clone, Copy)]
pub struct Usage {
    /// Peak memory in MiB.
    pub peak: f64,
    /// CPU time of the process itself, in seconds.
    pub cpu: f64,
}

/// None once the process has ended.
pub fn usage(pid: u32) -> Option<Usage> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let peak = peak.trim().trim_end_matches(" kB").parse::<f64>().ok()? / 1024.0;
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit(") ").next()?.split(' ').collect();
    // User and system time in hundredths of a second.
    let cpu = (fields[11].parse::<f64>().ok()? + fields[12].parse::<f64>().ok()?) / 100.0;
    Some(Usage { peak, cpu })
}

/// Waits for the end of a runner and says what it had used shortly before.
fn watched(mut runner: Child) -> Usage {
    let mut last = Usage::default();
    while runner.try_wait().expect("our own child").is_none() {
        last = usage(runner.id()).unwrap_or(last);
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(Ran::of(runner).code, 0);
    last
}

fn mean(figures: &[f64]) -> f64 {
    figures.iter().sum::<f64>() / figures.len() as f64
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Runs so many trivial runs, one at a time; peak memory of the runner.
fn trivial(bench: &Bench, runs: usize) -> f64 {
    let name = format!("trivial{runs}");
    bench.write("config.toml", &config(&name, runs, 1));
    let start = Instant::now();
    let used = watched(bench.start(&words("run config.toml --quiet --out out")));
    let whole = start.elapsed().as_secs_f64() * 1e3 / runs as f64;
    let rows = ResultsDir::new(bench.path("out").join(&name)).read_runs().expect("rows");
    assert_eq!(rows.len(), runs);
    let wall: Vec<f64> = rows.iter().filter_map(|row| row.wall_time_s).map(|s| s * 1e3).collect();
    let cpu: Vec<f64> = rows.iter().filter_map(|row| row.cpu_time_s).map(|s| s * 1e3).collect();
    eprintln!(
        "{runs} runs: {whole:.2} ms each, of which {:.2} ms from start to end of the worker (median {:.2}; CPU {:.2}), \
         {:.2} ms CPU of the runner; runner's peak {:.1} MiB",
        mean(&wall),
        median(wall),
        mean(&cpu),
        used.cpu * 1e3 / runs as f64,
        used.peak
    );
    assert!(whole < 1000.0);
    used.peak
}

#[test]
#[ignore = "a measurement: run it on an idle machine"]
fn overhead_of_ten_thousand_trivial_runs() {
    let bench = Bench::mock();
    let small = trivial(&bench, 1_000);
    let large = trivial(&bench, 10_000);
    assert!(large < small + 16.0, "the runner grows with its rows: {small:.1} MiB, {large:.1} MiB");
}

/// Of tasks of a cluster, one run at a time: how much of the time is not inside a worker.
#[test]
#[ignore = "a measurement: run it on an idle machine"]
fn overhead_of_tasks() {
    for (board, seeds) in [("n20-spur", 1_000), ("n40-spur", 200)] {
        let bench = Bench::new();
        bench.copy(&format!("tantrix/fixed/{board}.toml"), "board.toml");
        bench.write(
            "task.toml",
            &format!(
                "experiment = \"task\"\ntitle = \"Task\"\ninstances = [\"board.toml\"]\nseeds = \"1-{seeds}\"\n[limits]\ntime = \"60s\"\n\
                 [[formulation]]\nname = \"sat\"\nkind = \"sat\"\nsolvers = [\"cadical\"]\n[[formulation]]\nname = \"search\"\nkind = \"search\"\nsolvers = [\"search\"]\n\
                 [[solver]]\nname = \"cadical\"\n[[solver]]\nname = \"search\"\n"
            ),
        );
        bench.run(&words("submit task.toml --engine script --anyway --out folder")).ok();
        let start = Instant::now();
        let ran = Command::new("sh").arg(bench.path("folder/job.sh")).arg("1").output().expect("a shell");
        let whole = start.elapsed().as_secs_f64();
        assert!(ran.status.success(), "{ran:?}");
        let dirs = ResultsDir::below(&bench.path("folder/parts")).expect("results");
        let rows = dirs[0].read_runs().expect("rows");
        assert_eq!(rows.len(), 2 * seeds);
        let inside: f64 = rows.iter().filter_map(|row| row.wall_time_s).sum();
        let solving: f64 = rows.iter().filter_map(|row| Some(row.build_time_s? + row.solve_time_s?)).sum();
        let outside = whole - inside;
        eprintln!(
            "{board}, {} runs: {whole:.1} s, of which {outside:.2} s not in a worker: {:.2} ms a run, {:.2} %; workers took \
             {:.1} ms a run, {:.1} ms of it to build and solve",
            rows.len(),
            outside * 1e3 / rows.len() as f64,
            outside / whole * 100.0,
            inside * 1e3 / rows.len() as f64,
            solving * 1e3 / rows.len() as f64
        );
        assert!(outside < whole / 2.0);
    }
}

#[test]
#[ignore = "a measurement: run it on an idle machine"]
fn overhead_of_starting_a_worker() {
    let bench = Bench::mock();
    // Of starting any process, of this program up to its own code, and of a solve with its parent.
    for (name, call) in [("true", vec!["/bin/true"]), ("tilebench --version", vec!["--version"])] {
        let times: Vec<f64> = (0..200)
            .map(|_| {
                let start = Instant::now();
                match call.as_slice() {
                    ["/bin/true"] => drop(Command::new("/bin/true").status().expect("it runs")),
                    args => drop(bench.run(args).ok()),
                }
                start.elapsed().as_secs_f64() * 1e3
            })
            .collect();
        eprintln!("{name}: median {:.2} ms", median(times));
    }
}

#[test]
#[ignore = "a measurement: run it on an idle machine"]
fn overhead_of_a_plan_of_a_million_runs() {
    let bench = Bench::mock();
    bench.write("config.toml", &config("million", 10_000, 100));
    let start = Instant::now();
    let mut runner = bench.start(&words("run config.toml --quiet --out out"));
    let rows = || fs::read_to_string(bench.path("out/million/runs.csv")).map_or(0, |text| text.lines().count());
    let mut used = Usage::default();
    while rows() < 2 {
        assert!(runner.try_wait().expect("our own child").is_none(), "{:?}", Ran::of(runner));
        used = usage(runner.id()).unwrap_or(used);
        thread::sleep(Duration::from_millis(20));
    }
    eprintln!(
        "1,000,000 runs: first row after {:.2} s, runner's peak {:.1} MiB",
        start.elapsed().as_secs_f64(),
        used.peak
    );
    send("INT", runner.id());
    assert_eq!(Ran::of(runner).code, 130);
    let start = Instant::now();
    let ran = bench.run(&words("run config.toml --dry-run --out out")).ok();
    assert!(ran.out.lines().count() > 1_000_000);
    eprintln!("--dry-run of the same: {:.2} s", start.elapsed().as_secs_f64());
}
