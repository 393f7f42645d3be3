//! How far limits are passed, in every mode that this machine offers. Prints the figures; `confinement` asserts what any
//! machine can keep.

use std::env;
use std::time::Instant;

use record::Status;
use runner::Workplaces;

use crate::confinement::{Limits, MB, REQUIRED, act, places, run_at};

/// `cargo test --release --workspace --test runner -- --ignored --nocapture how_far` shows the figures.
#[test]
#[ignore = "a measurement: run it on an idle machine"]
fn how_far_limits_are_passed() {
    let runs = env::var("TILEBENCH_TEST_RUNS").ok().and_then(|text| text.parse().ok()).unwrap_or(100);
    let print = |places: &Workplaces, what: &str, unit: &str, mut figures: Vec<f64>| {
        figures.sort_by(f64::total_cmp);
        let [min, median, max] = [0, figures.len() / 2, figures.len() - 1].map(|i| figures[i]);
        eprintln!("{:13} {what}: min {min:.3}, median {median:.3}, max {max:.3} {unit}", places.isolation);
    };
    for places in places() {
        let each = |figure: &mut dyn FnMut() -> f64| (0..runs).map(|_| figure()).collect::<Vec<f64>>();
        let start = Instant::now();
        let empty = each(&mut || {
            let start = Instant::now();
            run_at(&places, "exit 1", Limits::default());
            start.elapsed().as_secs_f64() * 1e3
        });
        print(&places, "a run of nothing", "ms", empty);
        if env::var(REQUIRED).is_ok_and(|required| required != places.isolation) {
            continue;
        }
        let time = each(&mut || {
            let ended = run_at(&places, "while :; do :; done", Limits(Some(1.0), None, None));
            assert_eq!(ended.status, Status::Timeout);
            ended.wall_time_s.expect("measured") - 1.0
        });
        print(&places, "beyond 1 s", "s", time);
        let two = format!("{0} & {0} & wait", act("take-slowly:150"));
        let scripts = [
            ("slowly", format!("exec {}", act("take-slowly:400"))),
            ("at once", format!("exec {}", act("take:4000"))),
            ("by two", two),
        ];
        for (what, script) in scripts {
            let memory = each(&mut || {
                let ended = run_at(&places, &script, Limits(None, None, Some(200)));
                assert_eq!(ended.status, Status::Memout, "{ended:?}");
                ended.peak_memory_b.expect("measured") as f64 / MB as f64 - 200.0
            });
            print(&places, &format!("beyond 200 MB ({what})"), "MB", memory);
        }
        let cpu = each(&mut || {
            let ended = run_at(&places, "(while :; do :; done) & while :; do :; done", Limits(None, Some(0.5), None));
            assert_eq!(ended.status, Status::Timeout);
            ended.cpu_time_s.expect("measured") - 0.5
        });
        print(&places, "beyond 0.5 s of CPU time", "s", cpu);
        eprintln!("{:13} all of it took {:.0} s", places.isolation, start.elapsed().as_secs_f64());
    }
}
