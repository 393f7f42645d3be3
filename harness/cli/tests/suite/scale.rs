//! A million runs: what it takes to plan them, to cut the plan into tasks, to say how these stand, and to merge what they leave.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use record::{IterationRow, Manifest, PlanRow, ResultsDir, RunRow, SessionFacts, stream_table, write_table};

use crate::bench::{Bench, Ran, words};
use crate::overhead::{Usage, usage};

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
fn leave(
    root: &Path,
    of: &ResultsDir,
    mut manifest: Manifest,
    shard: String,
    runs: &[(u64, PlanRow)],
    measured: &Measured,
) {
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
    let rows = || runs.iter().map(|(at, row)| measured.of(row.clone(), *at));
    write_table(&dir.runs(), rows().map(|(row, _)| row)).expect("rows");
    write_table(&dir.iterations(), rows().map(|(_, solve)| solve)).expect("rows");
    if std::env::var_os("FILES").is_some() {
        for (_, row) in runs {
            fs::write(dir.solution(&row.run_id, 0), [b'x'; 500]).expect("a file");
            fs::write(dir.log(&row.run_id), "").expect("a file");
        }
    }
}

/// Waits for a command and says how long it took, its CPU time and its memory.
fn measured(what: &str, child: Child) -> Ran {
    let (start, process) = (Instant::now(), child.id());
    let waiting = thread::spawn(move || Ran::of(child));
    let mut used = Usage::default();
    while !waiting.is_finished() {
        used = usage(process).unwrap_or(used);
        thread::sleep(Duration::from_millis(5));
    }
    eprintln!("{what}: {:.1} s, CPU {:.1} s, {:.0} MiB", start.elapsed().as_secs_f64(), used.cpu, used.peak);
    waiting.join().expect("a command").ok()
}

/// What a run leaves that was really measured.
struct Measured {
    row: RunRow,
    solve: IterationRow,
}

impl Measured {
    /// Runs the first of the plan.
    fn new(bench: &Bench) -> Self {
        bench.run(&words("run large.toml --filter instance=path0 --filter seed=1 --quiet --out one")).ok();
        let one = ResultsDir::new(bench.path("one/large"));
        let (mut rows, mut solves) = (one.read_runs().expect("rows"), one.read_iterations().expect("rows"));
        Self { row: rows.remove(0), solve: solves.remove(0) }
    }

    /// The same of another run, which began in this second of the day.
    fn of(&self, plan: PlanRow, second: u64) -> (RunRow, IterationRow) {
        let run_id = plan.run_id;
        let time = format!("2026-01-02T{:02}:{:02}:{:02}.007Z", second / 3600 % 24, second / 60 % 60, second % 60);
        let solve = IterationRow { run_id: run_id.clone(), ..self.solve.clone() };
        let (instance, seed) = (plan.instance, plan.seed);
        (RunRow { run_id, instance, seed, started_at: time, ..self.row.clone() }, solve)
    }
}

fn plan(dir: &ResultsDir) -> impl Iterator<Item = (u64, PlanRow)> {
    (0..).zip(stream_table::<PlanRow>(&dir.plan()).expect("a plan").map(|row| row.expect("a row").1))
}

/// The runs of each task, as a folder of tasks says it.
fn by_task(submission: &str, plan: impl Iterator<Item = (u64, PlanRow)>) -> BTreeMap<u64, Vec<(u64, PlanRow)>> {
    let submission: serde_json::Value = serde_json::from_str(submission).expect("JSON");
    let tasks = (1..).zip(submission["tasks"].as_array().expect("tasks"));
    let instances = |task: &serde_json::Value| serde_json::from_value::<Vec<String>>(task["instances"].clone());
    let of_task = |(number, task)| instances(task).expect("names").into_iter().map(move |name| (name, number));
    let task_of: HashMap<String, u64> = tasks.flat_map(of_task).collect();
    let mut found = BTreeMap::<u64, Vec<_>>::new();
    for (at, row) in plan {
        found.entry(task_of[&row.instance]).or_default().push((at, row));
    }
    found
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
    let all = by_task(&bench.read("folder/submit.json"), plan(&empty));
    let one = Measured::new(&bench);
    for (task, own) in &all {
        // One task in a hundred was begun twice, another is not done to its end.
        for attempt in 0..if task % 100 == 0 { 2 } else { 1 } {
            let root = bench.path(&format!("folder/parts/{task:04}/attempt{attempt}/large"));
            let own = if task % 100 == 1 { &own[1..] } else { own };
            leave(&root, &empty, manifest.clone(), format!("{task}/{TASKS}"), own, &one);
        }
    }
    let ran = measured("status", start("status folder"));
    assert!(ran.out.contains(&format!("{} of {runs} runs have their row", runs - TASKS / 100)), "{ran:?}");
    measured("status again", start("status folder"));
    measured("submit --missing", start("submit --missing folder"));
    measured("merge", start("merge folder/parts -o merged"));
    measured("merge again", start("merge folder/parts -o merged"));
}
