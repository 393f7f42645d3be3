//! What the harness itself costs: time per run, memory, the start of a large plan. Prints the figures; asserts only what any
//! machine can keep. `cargo test --release --workspace --test runner -- --ignored --nocapture overhead` shows them.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use record::{Appender, RunRow, Status};

use crate::support::{Bench, CONFIG, STARTED, answer, instance_text, iteration, say, solution, this_program, worker};

/// Resident memory of this process now and at its peak, in MB.
fn memory() -> [u64; 2] {
    let status = fs::read_to_string("/proc/self/status").expect("proc");
    ["VmRSS:", "VmHWM:"].map(|key| {
        let line = status.lines().find_map(|line| line.strip_prefix(key)).expect("a figure");
        line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") / 1024
    })
}

/// The runner of which the other tests measure time and memory: a process of its own. It stops after so many runs.
#[test]
#[ignore = "started by the other tests of this file"]
fn session() {
    let Some(mut bench) = Bench::of_parent() else { return };
    bench.options.resume = bench.says("resume");
    let start = Instant::now();
    let plans = bench.plan().expect("a sound plan");
    let (runs, planned) = (plans[0].len(), start.elapsed());
    let resumed = bench.options.resume;
    let (results, interrupt) = (bench.results(), bench.options.interrupt.clone());
    thread::spawn(move || {
        if runs > 10_000 && !resumed {
            while fs::metadata(results.runs()).map_or(0, |file| file.len()) < 2000 {
                thread::sleep(Duration::from_millis(5));
            }
            eprintln!("plan in {:.2} s, first row after {:.2} s", planned.as_secs_f64(), start.elapsed().as_secs_f64());
            interrupt.trigger();
        }
    });
    let script = match runs {
        0..=10_000 => say(&[STARTED, &iteration(0, Some(solution())), &answer("optimal", Some(solution()))]),
        _ => say(&[STARTED, &answer("timeout", None)]),
    };
    let summary = runner::run(plans, &bench.out(), &bench.options, &worker(&script)).expect("a session");
    let whole = start.elapsed().as_secs_f64() * 1e3;
    let [rss, peak] = memory();
    eprintln!(
        "{} of {runs} runs in {:.2} s, {:.2} ms each; {rss} MB, at most {peak} MB",
        summary.rows(),
        whole / 1e3,
        whole / summary.rows() as f64
    );
}

/// A config of a thousand runs for each of some solvers.
fn a_thousand_seeds(solvers: usize) -> String {
    let seeds: Vec<String> = (1..=1000).map(|seed| seed.to_string()).collect();
    let mut config = CONFIG.replacen("title", &format!("seeds = [{}]\ntitle", seeds.join(", ")), 1);
    for n in 1..solvers {
        config += &format!("\n[[solver]]\nname = \"fake\"\nlabel = \"fake {n}\"\noptions = {{ n = {n} }}\n");
    }
    config
}

/// Gives each run of the plan but one a row.
fn fill(bench: &Bench) {
    let template = bench.rows().into_iter().find(|row| row.status == Status::Timeout).expect("a row");
    fs::remove_file(bench.results().runs()).expect("a file");
    let mut file = Appender::<RunRow>::open(&bench.results().runs()).expect("a file");
    let ids: Vec<String> = bench.results().read_plan().expect("a plan").into_iter().map(|row| row.run_id).collect();
    for ids in ids[1..].chunks(10_000) {
        let rows: Vec<RunRow> = ids.iter().map(|id| RunRow { run_id: id.clone(), ..template.clone() }).collect();
        file.append(&rows).expect("rows");
    }
}

fn measure(bench: &Bench) -> Duration {
    let start = Instant::now();
    let ran = this_program("overhead::session", bench.folder.path()).status();
    assert!(ran.is_ok_and(|status| status.success()));
    start.elapsed()
}

#[test]
#[ignore = "a measurement: run it on an idle machine"]
fn overhead_per_trivial_run() {
    for solvers in [1, 10] {
        let bench = Bench::with(&a_thousand_seeds(solvers));
        let took = measure(&bench);
        let mut inside: Vec<f64> = bench.rows().iter().filter_map(|row| row.wall_time_s).collect();
        inside.sort_by(f64::total_cmp);
        eprintln!("  of which {:.2} ms in the worker (median)", inside[inside.len() / 2] * 1e3);
        assert_eq!(inside.len(), solvers * 1000);
        assert!(took < Duration::from_secs(solvers as u64 * 1000), "a second a run");
    }
}

/// Boards that differ, in place of the one of the bench.
fn boards(bench: &Bench, number: usize) {
    fs::remove_file(bench.folder.path().join("tri.toml")).expect("the instance");
    for n in 0..number {
        let places = format!("[[{n}, 0], [{}, 0], [{n}, 1]]", n + 1);
        bench.write(&format!("t{n}.toml"), &instance_text("solvable").replace("[[0, 0], [1, 0], [0, 1]]", &places));
    }
}

#[test]
#[ignore = "a measurement: run it on an idle machine"]
fn overhead_of_a_plan_of_100_000_runs() {
    let config = a_thousand_seeds(1).replace("*.instance.toml", "t*.toml");
    let bench = Bench::with(&config);
    boards(&bench, 100);
    assert!(measure(&bench) < Duration::from_secs(100));
    fill(&bench);
    eprint!("all but one are done: ");
    bench.write("resume", "yes");
    assert!(measure(&bench) < Duration::from_secs(100));
    let start = Instant::now();
    let plans = bench.plan().expect("a sound plan");
    let preview = runner::preview(&plans[0], &bench.out(), &bench.options).expect("a preview");
    eprintln!("preview of {} MB in {:.2} s", preview.len() >> 20, start.elapsed().as_secs_f64());
}
