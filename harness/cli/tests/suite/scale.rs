//! A million runs: what it takes to plan them, to cut the plan into shards or tasks, to say how these stand, and to merge what they
//! leave.

use std::fs;
use std::path::Path;
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use record::{
    Category, IterationRow, Manifest, PlanRow, ResultsDir, RunRow, SessionFacts, Solve, SolveStatus, Status,
    stream_table, write_table,
};

use crate::bench::{Bench, Ran, words};

const SHARDS: usize = 20;

const INSTANCES: u64 = 1000;

const TASKS: u64 = 10_000;

/// So many runs, as many of each instance. Instances are paths, each step to the right or down, so that no two are alike.
fn bench(runs: u64, instances: u64) -> Bench {
    let bench = Bench::new();
    fs::create_dir(bench.path("boards")).expect("a folder");
    let steps = 11.max(instances.ilog2() + 1);
    for number in 0..instances {
        let (mut place, mut places) = ([0, 0], vec!["[0, 0]".to_owned()]);
        for step in 0..steps {
            place[usize::from(number >> step & 1 == 1)] += 1;
            places.push(format!("[{}, {}]", place[0], place[1]));
        }
        let text = format!(
            "kind = \"tantrix-fixed\"\nchallenge = {}\ntiles = \"repeated\"\nplaces = [{}]\nknown = \"unknown\"\n",
            steps + 1,
            places.join(", ")
        );
        bench.write(&format!("boards/path{number}.toml"), &text);
    }
    bench.write(
        "large.toml",
        &format!(
            "experiment = \"large\"\ntitle = \"Large\"\ninstances = [\"boards/*.toml\"]\nseeds = \"1-{}\"\n[limits]\ntime = \
             \"60s\"\n[[formulation]]\nname = \"search\"\nkind = \"search\"\n[[solver]]\nname = \"search\"\n",
            runs / instances
        ),
    );
    bench
}

/// As the variable `ROWS` says, or a million.
fn number_of_runs() -> u64 {
    std::env::var("ROWS").ok().and_then(|rows| rows.parse().ok()).unwrap_or(1_000_000)
}

/// What a session leaves of some runs, each with its number in the plan; with `FILES` set also a solution and a log of each. The plan
/// is that of another directory.
fn leave(root: &Path, of: &ResultsDir, mut manifest: Manifest, shard: String, runs: impl Fn() -> Vec<(u64, PlanRow)>) {
    let dir = ResultsDir::new(root);
    for folder in ["instances", "solutions", "logs"] {
        fs::create_dir_all(dir.root().join(folder)).expect("a folder");
    }
    fs::hard_link(of.plan(), dir.plan()).expect("a link");
    fs::copy(of.config(), dir.config()).expect("a copy");
    let number: u64 = shard.split('/').next().and_then(|number| number.parse().ok()).expect("I/N");
    let started_at = format!("2026-01-02T{:02}:{:02}:{:02}.000Z", number / 3600, number / 60 % 60, number % 60);
    manifest.sessions = vec![SessionFacts { started_at, shard, ..SessionFacts::default() }];
    fs::write(dir.manifest(), serde_json::to_vec(&manifest).expect("json")).expect("a file");
    let rows = || runs().into_iter().map(|(at, row)| rows(row.run_id, row.instance, row.seed, at));
    write_table(&dir.runs(), rows().map(|(row, _)| row)).expect("rows");
    write_table(&dir.iterations(), rows().map(|(_, solve)| solve)).expect("rows");
    if std::env::var_os("FILES").is_some() {
        for (_, row) in runs() {
            fs::write(dir.solution(&row.run_id, 0), [b'x'; 500]).expect("a file");
            fs::write(dir.log(&row.run_id), "").expect("a file");
        }
    }
}

/// Waits for a command and says how long it took, its CPU time and its memory.
fn measured(what: &str, child: Child) -> Ran {
    let (start, folder) = (Instant::now(), format!("/proc/{}", child.id()));
    let waiting = thread::spawn(move || Ran::of(child));
    let (mut peak, mut cpu) = (String::new(), 0.0);
    while !waiting.is_finished() {
        let of = |file: &str| fs::read_to_string(format!("{folder}/{file}")).unwrap_or_default();
        if let Some(found) = of("status").lines().find_map(|line| line.strip_prefix("VmHWM:")) {
            found.trim().clone_into(&mut peak);
        }
        let ticks = of("stat")
            .rsplit(") ")
            .next()
            .map(|rest| rest.split(' ').skip(11).take(2).flat_map(str::parse::<f64>).sum());
        cpu = f64::max(cpu, ticks.unwrap_or(0.0) / 100.0);
        thread::sleep(Duration::from_millis(5));
    }
    eprintln!("{what}: {:.1} s, CPU {cpu:.1} s, {peak}", start.elapsed().as_secs_f64());
    waiting.join().expect("a command").ok()
}

/// A row as a search leaves it, and its solve.
fn rows(run_id: String, instance: String, seed: u64, second: u64) -> (RunRow, IterationRow) {
    let solve = Solve {
        time_s: 0.123_456_789,
        cumulative_s: 0.123_456_789,
        loops: Some(1),
        loop_lengths: Some("12".to_owned()),
        holes: Some(0),
        nodes: Some(123_456),
        ..Solve::of(SolveStatus::Optimal, "solved")
    };
    let solve = IterationRow { run_id: run_id.clone(), attempt: 1, solve };
    let row = RunRow {
        experiment: "large".to_owned(),
        instance_hash: format!("{:0>16}", instance.trim_start_matches("path")),
        instance,
        challenge: Some(12),
        places: Some(12),
        colour: Some("red".to_owned()),
        formulation: "search".to_owned(),
        kind: "search".to_owned(),
        families: "strategy=propagate".to_owned(),
        objective: "none".to_owned(),
        subloops: "propagate".to_owned(),
        hole_treatment: "report".to_owned(),
        solver: "search".to_owned(),
        backend: "search".to_owned(),
        solver_version: "2".to_owned(),
        seed,
        cpus: Some("0".to_owned()),
        time_limit_s: Some(60.0),
        status: Status::Optimal,
        category: Category::Correct,
        termination_reason: "solved".to_owned(),
        native_status: Some("solved".to_owned()),
        exit_code: Some(0),
        loops: Some(1),
        holes: Some(0),
        iterations: Some(1),
        cuts: Some(0),
        build_time_s: Some(0.000_123_456),
        solve_time_s: Some(0.123_456_789),
        wall_time_s: Some(0.134_567_891),
        cpu_time_s: Some(0.13),
        peak_memory_b: Some(12_345_678),
        memory_source: Some("VmHWM (worker)".to_owned()),
        isolation: "process-group".to_owned(),
        nodes: Some(123_456),
        host: "node".to_owned(),
        cpu_model: "CPU 1".to_owned(),
        git_commit: "0123456789ab".to_owned(),
        git_dirty: Some(false),
        started_at: format!("2026-01-02T{:02}:{:02}:{:02}.007Z", second / 3600 % 24, second / 60 % 60, second % 60),
        ..RunRow::unmeasured(run_id)
    };
    (row, solve)
}

fn plan(dir: &ResultsDir) -> impl Iterator<Item = (u64, PlanRow)> {
    (0..).zip(stream_table::<PlanRow>(&dir.plan()).expect("a plan").map(|row| row.expect("a row").1))
}

#[test]
#[ignore = "a measurement of a million runs"]
fn a_million_runs() {
    let runs = number_of_runs();
    let bench = bench(runs, INSTANCES);
    let start = |line: &str| bench.start(&words(line));
    measured("plan and cut, an empty shard", start("run large.toml --shard 9999/9999 --out empty"));
    let empty = ResultsDir::new(bench.path("empty/large"));
    let manifest = empty.read_manifest().expect("a manifest");
    for shard in 0..SHARDS {
        // One in a hundred was done by two.
        let own = || {
            let is_own = |(number, _): &(u64, PlanRow)| {
                let of = (number / (runs / INSTANCES) % SHARDS as u64) as usize;
                of == shard || (number % 100 == 0 && (of + 1) % SHARDS == shard)
            };
            plan(&empty).filter(is_own).collect()
        };
        let root = bench.path(&format!("parts/{shard}/large"));
        leave(&root, &empty, manifest.clone(), format!("{}/{SHARDS}", shard + 1), own);
    }
    let ran = measured("merge", start("merge parts -o merged"));
    assert!(ran.out.contains(&format!("{runs} of {runs} planned runs are done")), "{ran:?}");
    measured("merge again", start("merge parts -o merged"));
}

/// From 100,000 runs on: fewer are fewer tasks.
#[test]
#[ignore = "a measurement of ten thousand tasks"]
fn ten_thousand_tasks() {
    let runs = number_of_runs();
    let bench = bench(runs, TASKS);
    let start = |line: &str| bench.start(&words(line));
    let ran = measured("submit", start("submit large.toml --engine script --task-time 10min --out folder"));
    assert!(ran.out.contains(&format!("{runs} runs in {TASKS} tasks")), "{ran:?}");
    measured("status, nothing begun", start("status folder"));
    let none = format!("run folder/frozen/large.toml --shard {}/{} --out empty", TASKS + 1, TASKS + 1);
    measured("plan and cut, an empty shard", start(&none));
    let empty = ResultsDir::new(bench.path("empty/large"));
    let manifest = empty.read_manifest().expect("a manifest");
    let all: Vec<(u64, PlanRow)> = plan(&empty).collect();
    for (task, own) in (1..).zip(all.chunks((runs / TASKS) as usize)) {
        // One task in a hundred was begun twice, another is not done to its end.
        for attempt in 0..if task % 100 == 0 { 2 } else { 1 } {
            let root = bench.path(&format!("folder/parts/{task:04}/attempt{attempt}/large"));
            let own = if task % 100 == 1 { &own[1..] } else { own };
            leave(&root, &empty, manifest.clone(), format!("{task}/{TASKS}"), || own.to_vec());
        }
    }
    let ran = measured("status", start("status folder"));
    assert!(ran.out.contains(&format!("{} of {runs} runs have their row", runs - TASKS / 100)), "{ran:?}");
    measured("status again", start("status folder"));
    measured("submit --missing", start("submit --missing folder"));
    measured("merge", start("merge folder/parts -o merged"));
    measured("merge again", start("merge folder/parts -o merged"));
}
