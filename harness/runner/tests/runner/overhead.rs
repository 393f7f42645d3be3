//! What the harness itself costs per run. Prints the figure; asserts only what any machine can keep.

use std::time::Instant;

use crate::support::{Bench, STARTED, answer, iteration, say, solution};

/// `cargo test --release -p tilebench-runner -- --ignored --nocapture overhead` shows the figure.
#[test]
#[ignore = "a measurement: run it on an idle machine"]
fn overhead_per_trivial_run() {
    let bench = Bench::new(200);
    let script = say(&[STARTED, &iteration(0, Some(solution())), &answer("optimal", Some(solution()))]);
    let start = Instant::now();
    bench.run(&script).expect("a session");
    let whole = start.elapsed().as_secs_f64() / 200.0;
    let mut inside: Vec<f64> = bench.rows().iter().filter_map(|row| row.wall_time_s).collect();
    inside.sort_by(f64::total_cmp);
    eprintln!(
        "per run: {:.2} ms from start to row, of which {:.2} ms in the worker (median)",
        whole * 1e3,
        inside[100] * 1e3
    );
    assert!(whole < 1.0);
}
