//! SIGKILL to `tilebench run` at random moments: whatever it had on disk is valid, `--resume` goes on, and in the end
//! every run stands there once, as if nothing had happened.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use std::{fs, thread};

use puzzle::{Instance, Solution, verify};
use record::{Category, ResultsDir, RunRow, Status};

use crate::bench::{Bench, send, wait_for, words};

/// Runners to kill.
const KILLS: usize = 100;

/// The moments are drawn from this.
const SEED: u64 = 20_261_120;

/// A runner that is left alone this long ends by itself on a quick machine; most are killed within.
const LONGEST_LIFE_MS: u64 = 150;

/// After so many kills without a new row the machine is slow, and runners live longer.
const PATIENCE: usize = 20;

const COMMAND: &str = "run kill.toml --jobs 2 --quiet --resume --out";

/// Good runs and bad ones, quick and slow, of the mock and of real solvers.
const CONFIG: &str = r#"
experiment = "kill"
title = "Kill"
seeds = [1, 2, 3]
instances = ["tri.toml", "row.toml"]

[limits]
time = "60s"

[[formulation]]
name = "colour"
families = "C1 C2' C4c C5x C6x"

[[solver]]
name = "highs"

[[solver]]
name = "microlp"

[[solver]]
name = "mock"

[[solver]]
name = "mock"
label = "iterations"
options = { iterations = 5, sleep = 0.01 }

[[solver]]
name = "mock"
label = "wrong"
options = { answer = "wrong" }

[[solver]]
name = "mock"
label = "crash"
options = { fault = "crash", iterations = 3, after = 2 }

[[solver]]
name = "mock"
label = "half-line"
options = { fault = "half-line", iterations = 3, after = 2, sleep = 0.02 }

[[solver]]
name = "mock"
label = "runaway"
options = { fault = "runaway", iterations = 4, after = 1, sleep = 0.02 }
"#;

/// 2 instances, 8 solvers, 3 seeds.
const RUNS: usize = 48;

/// What a run must come to, however often it was begun.
type Finding = (Status, Category, Option<u64>, Option<u64>);

fn finding(row: &RunRow) -> Finding {
    (row.status, row.category, row.loops, row.iterations)
}

/// Numbers in no order to speak of.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

#[test]
fn a_hundred_killed_runners_leave_what_an_undisturbed_one_leaves() {
    let bench = Bench::mock();
    bench.write("kill.toml", CONFIG);
    assert_eq!(bench.run(&words(&format!("{COMMAND} calm"))).code, 1, "some runs are wrong on purpose");
    let calm = sound(&bench, "calm");
    assert_eq!(calm.len(), RUNS);

    eprintln!("moments from seed {SEED}");
    let start = Instant::now();
    let mut dice = Dice(SEED);
    let (mut kills, mut rounds, mut early) = (0, 0, 0);
    while kills < KILLS {
        let out = format!("round{rounds}");
        let killed = killed_until_done(&bench, &out, &mut dice, &mut early);
        let found = sound(&bench, &out);
        assert_eq!(found, calm, "round {rounds} after {killed} kills");
        kills += killed;
        rounds += 1;
    }
    let seconds = start.elapsed().as_secs_f64();
    eprintln!("{kills} kills in {rounds} rounds of {RUNS} runs, {early} of them before a first row: {seconds:.1} s");
}

#[test]
fn a_killed_solve_leaves_nobody_behind() {
    let bench = Bench::mock();
    // The first solve leaves a child in a session of its own, the others take their time.
    let faults = "--option fault=runaway --option after=1 --option iterations=100 --option sleep=0.5";
    let mut runner = bench.start(&words(&format!("solve tri.toml --solver mock {faults}")));
    // Itself, the worker, somebody whom this one has left, and the guard.
    wait_for(60, || bench.processes().len() >= 4);
    let pid = runner.id();
    assert_eq!(temporary(&bench, pid), 1, "the worker has a folder of its own");
    runner.kill().expect("it can be killed");
    runner.wait().expect("our own child");
    assert_eq!(bench.survivors(), [""; 0], "somebody outlived the runner");
    assert_eq!(temporary(&bench, pid), 0, "temporary files are left");
}

#[test]
fn what_a_killed_guard_leaves_is_removed_by_the_next_runner() {
    let bench = Bench::mock();
    let slow = "solve tri.toml --solver mock --option iterations=100 --option sleep=0.5";
    let mut runner = bench.start(&words(slow));
    let guard = format!(" guard {}.", runner.id());
    let start = Instant::now();
    let guard = loop {
        let guards: Vec<String> = bench.processes().into_iter().filter(|process| process.contains(&guard)).collect();
        if let ([guard], 1) = (&guards[..], temporary(&bench, runner.id())) {
            break guard.split(' ').next().and_then(|path| path.rsplit('/').next()).map(str::to_owned);
        }
        assert!(start.elapsed() < Duration::from_secs(60), "{:?}", bench.processes());
        thread::sleep(Duration::from_millis(10));
    };
    for signal in ["STOP", "KILL"] {
        send(signal, guard.as_deref().and_then(|guard| guard.parse().ok()).expect("a number"));
    }
    let pid = runner.id();
    runner.kill().expect("it can be killed");
    runner.wait().expect("our own child");
    assert_eq!(bench.survivors(), [""; 0]);
    assert_eq!(temporary(&bench, pid), 1, "nobody is left to remove it");
    bench.run(&words("solve tri.toml --solver mock")).ok();
    assert_eq!(temporary(&bench, pid), 0, "temporary files are left");
}

#[test]
fn who_clears_its_environment_and_leaves_its_session_ends_with_its_run() {
    let bench = Bench::new();
    // An orphan, and one that starts the next one and ends, a thousand times.
    bench.write("orphan.sh", "(env -i setsid sh -c 'exec sleep 60' &)\necho s UNKNOWN\n");
    bench.write("next.sh", "[ $1 -gt 5000 ] && exit\nenv -i setsid sh next.sh $(($1 + 1)) &\n");
    bench.write("chain.sh", "(env -i setsid sh next.sh 1 &)\n[ $1 ] && sleep 60\necho s UNKNOWN\n");
    for (command, limit) in
        [("orphan.sh {model}", "30s"), ("chain.sh '' {model}", "30s"), ("chain.sh yes {model}", "1s")]
    {
        let command = format!("command=sh {command}");
        let mut line = words("solve tri.toml --kind sat --solver external --no-cgroup --option format=dimacs");
        line.extend(["--option", "read=sat-competition", "--option", &command, "--time-limit", limit]);
        let ran = bench.run(&line);
        assert!(ran.code < 2, "{ran:?}");
        assert_eq!(bench.survivors(), [""; 0], "{command}: {ran:?}");
    }
}

/// Folders for temporary files that a runner has.
fn temporary(bench: &Bench, runner: u32) -> usize {
    bench.temporary().iter().filter(|name| name.starts_with(&format!("tilebench-run-{runner}."))).count()
}

/// Kills and resumes a session until it ends by itself. Says how often; counts kills that came before any row.
fn killed_until_done(bench: &Bench, out: &str, dice: &mut Dice, early: &mut usize) -> usize {
    let results = ResultsDir::new(bench.path(out).join("kill"));
    let (mut kills, mut life, mut rows, mut in_vain) = (0, LONGEST_LIFE_MS, 0, 0);
    loop {
        let mut runner = bench.start(&words(&format!("{COMMAND} {out}")));
        let moment = Instant::now() + Duration::from_millis(dice.below(life));
        loop {
            if let Some(status) = runner.try_wait().expect("our own child") {
                assert_eq!(status.code(), Some(1), "{status}");
                return kills;
            }
            if Instant::now() >= moment {
                break;
            }
            thread::sleep(Duration::from_millis(1));
        }
        runner.kill().expect("it can be killed");
        runner.wait().expect("our own child");
        kills += 1;
        assert!(kills < 50 * RUNS, "no progress in {out}");
        assert_eq!(bench.survivors(), [""; 0], "a worker outlived its runner");
        // A row that was being written is none yet.
        let found = results.read_runs().unwrap_or_default().iter().filter(|row| row.status.is_final()).count();
        in_vain = if found > rows { 0 } else { in_vain + 1 };
        rows = rows.max(found);
        if in_vain == PATIENCE {
            (life, in_vain) = (2 * life, 0);
            eprintln!("{PATIENCE} kills without a new row: up to {life} ms from now on");
        }
        *early += usize::from(!bench.path(out).join("kill/runs.csv").exists());
    }
}

/// What the runs of a finished session came to, after a look at everything that was written.
fn sound(bench: &Bench, out: &str) -> BTreeMap<String, Finding> {
    let results = ResultsDir::new(bench.path(out).join("kill"));
    let rows = results.read_runs().expect("sound rows");
    let solves = results.read_iterations().expect("sound rows");
    let planned: BTreeSet<String> = results.read_plan().expect("a plan").into_iter().map(|row| row.run_id).collect();
    assert_eq!(results.read_manifest().expect("a manifest").planned, planned.len() as u64);
    let mut found = BTreeMap::new();
    for row in rows.iter().filter(|row| row.status.is_final()) {
        assert_eq!(found.insert(row.run_id.clone(), finding(row)), None, "final twice: {row:?}");
        let of_row = |i: &&record::IterationRow| (&i.run_id, i.attempt) == (&row.run_id, row.attempt);
        let numbers: Vec<u64> = solves.iter().filter(of_row).map(|i| i.solve.iteration).collect();
        assert_eq!(numbers, (0..row.iterations.unwrap_or(0)).collect::<Vec<_>>(), "{row:?}");
        if row.status.has_solution() {
            let solves = 0..row.iterations.expect("solves");
            let load = |solve| Solution::load(&results.solution(&row.run_id, solve)).expect("a solution");
            let solution = solves.map(load).next_back().expect("a solve");
            let instance = Instance::load(&results.instance(&row.instance)).expect("an instance");
            assert_eq!(verify(&instance, &solution).is_valid(), row.category == Category::Correct, "{row:?}");
        }
    }
    assert_eq!(found.keys().cloned().collect::<BTreeSet<_>>(), planned);
    for folder in ["", "solutions", "instances"] {
        for entry in fs::read_dir(results.root().join(folder)).expect("a folder") {
            let name = entry.expect("an entry").file_name();
            assert!(!name.to_string_lossy().starts_with(".draft"), "{} is left", name.display());
        }
    }
    found
}
