//! A runner that is killed again and again: what is left in the end is what an undisturbed one leaves.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, SystemTime};

use puzzle::Solution;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;
use record::{Category, ResultsDir, Status};

use crate::support::{
    BUILT, Bench, CONFIG, STARTED, answer, broken_solution, iteration, say, solution, solving, this_program,
};

/// Kills in all, over as many experiments as it takes.
const KILLS: usize = 100;

/// How many milliseconds after its start a runner is killed at most, in turn: near the beginning, and anywhere.
const LONGEST: [u64; 2] = [100, 400];

/// Seeds 10 to 69, each a run.
fn bench() -> Bench {
    let seeds: Vec<String> = (10..70).map(|seed: u32| seed.to_string()).collect();
    Bench::with(&CONFIG.replacen("title", &format!("seeds = [{}]\ntitle", seeds.join(", ")), 1))
}

/// A worker that solves at once, in three solves, not at all, wrongly, or fails, by the last digit of the seed.
fn script() -> String {
    let three: Vec<String> = (0..3).map(|n| iteration(n, Some(solution()))).collect();
    let solved = answer("optimal", Some(solution()));
    let three = say(&[STARTED, BUILT, &three[0], &three[1], &three[2], &solved]);
    let none = say(&[STARTED, BUILT, &answer("timeout", None)]);
    let wrong = say(&[STARTED, &answer("optimal", Some(&broken_solution()))]);
    format!(
        "job=$(cat)\nsleep 0.01\ncase $job in\n*'\"seed\":'[1-6]0,*) exit 3;;\n*'\"seed\":'[1-6]1,*) kill -SEGV $$;;\n\
         *'\"seed\":'[1-6][2-4],*)\n{three};;\n*'\"seed\":'[1-6]5,*)\n{none};;\n*'\"seed\":'[1-6]6,*)\n{wrong};;\n*)\n{};;\nesac\n",
        solving()
    )
}

/// The runner to be killed.
#[test]
#[ignore = "started by the other test of this file"]
fn session() {
    let Some(mut bench) = Bench::of_parent() else { return };
    bench.options.resume = true;
    bench.options.jobs = 2;
    bench.run(&script()).expect("a session");
}

/// What must be the same, however often a session was killed.
type Outcome = BTreeSet<(String, Status, Category)>;

/// Checks a results directory that is complete.
fn checked(results: &ResultsDir) -> Outcome {
    let rows = results.read_runs().expect("sound rows");
    let planned: BTreeSet<String> = results.read_plan().expect("a plan").into_iter().map(|row| row.run_id).collect();
    let finals: Vec<_> = rows.iter().filter(|row| row.status.is_final()).collect();
    assert_eq!(finals.iter().map(|row| row.run_id.clone()).collect::<BTreeSet<_>>(), planned);
    assert_eq!(finals.len(), planned.len(), "each run ends once");
    assert_eq!(results.read_manifest().expect("a manifest").planned, planned.len() as u64);

    let mut solves: BTreeMap<(String, u32), Vec<u64>> = BTreeMap::new();
    for solve in results.read_iterations().expect("sound rows") {
        solves.entry((solve.run_id, solve.attempt)).or_default().push(solve.solve.iteration);
    }
    for row in &finals {
        let of_run = solves.remove(&(row.run_id.clone(), row.attempt)).unwrap_or_default();
        assert_eq!(of_run, (0..row.iterations.unwrap_or(0)).collect::<Vec<_>>(), "{}", row.run_id);
        let solved = if row.status == Status::Optimal { row.iterations.unwrap_or(0).max(1) } else { 0 };
        for number in 0..solved {
            Solution::load(&results.solution(&row.run_id, number)).expect("a solution");
        }
    }
    for folder in ["", "solutions", "instances"] {
        for entry in fs::read_dir(results.root().join(folder)).expect("a folder") {
            let name = entry.expect("an entry").file_name();
            assert!(!name.to_string_lossy().starts_with(".draft"), "{} is left", name.display());
        }
    }
    finals.iter().map(|row| (row.run_id.clone(), row.status, row.category)).collect()
}

#[test]
fn a_runner_killed_at_a_hundred_moments_leaves_what_an_undisturbed_one_leaves() {
    let undisturbed = bench();
    undisturbed.run(&script()).expect("a session");
    let expected = checked(&undisturbed.results());

    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("a clock that is set");
    let seed = std::env::var("TILEBENCH_TEST_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or(u64::from(since.subsec_nanos()));
    eprintln!("TILEBENCH_TEST_SEED={seed}");
    let mut moments = ChaCha12Rng::seed_from_u64(seed);
    let (mut kills, mut experiments) = (0, 0);
    while kills < KILLS {
        let bench = bench();
        let mut runner;
        loop {
            let start = || this_program("storm::session", bench.folder.path()).stderr(Stdio::null()).spawn();
            runner = start().expect("a runner");
            thread::sleep(Duration::from_millis(moments.random_range(0..LONGEST[kills % 2])));
            if runner.try_wait().expect("our own child").is_some() || kills == KILLS {
                break;
            }
            runner.kill().expect("our own child");
            kills += usize::from(!runner.wait().expect("our own child").success());
        }
        assert!(runner.wait().expect("our own child").success(), "seed {seed}");
        assert_eq!(checked(&bench.results()), expected, "seed {seed}");
        experiments += 1;
    }
    eprintln!("{kills} kills, {experiments} experiments of {} runs", expected.len());
}
