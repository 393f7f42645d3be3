//! How often `compare` fails where the programs are the same, and how often it finds a slowdown: by simulated measurements.
//!
//! `cargo test --release --workspace --test report -- --ignored --nocapture error_rates` prints the rates that docs/guide/compare.md shows some of.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use record::{Category, RunRow, Status};
use report::compare::{Options, compare};

use crate::compare::experiment;
use crate::fixture::{BASIC, Fixture, PRIMED};

/// Limit of the simulated runs, in seconds.
const LIMIT_S: f64 = 20.0;

/// What disturbs the measurements of a simulation. Spreads are standard deviations of the logarithm of a time.
#[derive(Clone, Copy)]
struct Noise {
    name: &'static str,
    /// Of each run.
    run: f64,
    /// Of all runs of an instance in a session.
    instance: f64,
    /// Of a whole session.
    session: f64,
    /// Share of runs that take two to five times as long.
    spikes: f64,
    /// Share of runs whose wall time is 1.5 to 6 times their CPU time.
    waiting: f64,
    /// Whether times reach up to three times the limit, and not a third of it.
    limit: bool,
}

const PLAIN: Noise =
    Noise { name: "noise 10 %", run: 0.1, instance: 0.0, session: 0.0, spikes: 0.03, waiting: 0.0, limit: false };

const NOISES: [Noise; 7] = [
    Noise { name: "noise 5 %", run: 0.05, ..PLAIN },
    PLAIN,
    Noise { name: "shared by an instance", instance: 0.1, ..PLAIN },
    Noise { name: "drift of sessions", session: 0.03, ..PLAIN },
    Noise { name: "waiting", waiting: 0.1, ..PLAIN },
    Noise { name: "up to the limit", limit: true, ..PLAIN },
    Noise { name: "all of it", instance: 0.1, session: 0.03, waiting: 0.1, limit: true, ..PLAIN },
];

/// Rows of six configurations on so many instances, without times, and the times that they would take undisturbed.
fn program(instances: u32, noise: Noise, rng: &mut ChaCha8Rng) -> (Vec<RunRow>, Vec<f64>) {
    let mut fixture = Fixture::new("one");
    let (least, most) = (0.002_f64.ln(), (LIMIT_S * if noise.limit { 3.0 } else { 1.0 / 3.0 }).ln());
    let mut times = Vec::new();
    for instance in 0..instances {
        let time = rng.random_range(least..most);
        for formulation in [BASIC, PRIMED] {
            for solver in ["highs", "cbc", "scip"] {
                fixture.run(&format!("n{}", 5 + instance), formulation, solver, 0);
                times.push((time + 0.7 * normal(rng)).exp().min(LIMIT_S * if noise.limit { 9.0 } else { 0.8 }));
            }
        }
    }
    (fixture.runs, times)
}

/// A standard normal variable, by the polar method of Marsaglia.
pub fn normal(rng: &mut impl Rng) -> f64 {
    loop {
        let [u, v] = [0, 1].map(|_| rng.random_range(-1.0_f64..1.0));
        let square = u * u + v * v;
        if square > 0.0 && square < 1.0 {
            return u * (-2.0 * square.ln() / square).sqrt();
        }
    }
}

/// Measures a program once; configuration 2 of the six takes `factor` times as long.
fn measure(rows: &[RunRow], times: &[f64], factor: f64, noise: Noise, rng: &mut ChaCha8Rng) -> Vec<RunRow> {
    let session = noise.session * normal(rng);
    let mut instance = 0.0;
    let measured = rows.iter().zip(times).enumerate().map(|(number, (row, time))| {
        if number % 6 == 0 {
            instance = noise.instance * normal(rng);
        }
        let slower = if number % 6 == 2 { factor } else { 1.0 };
        let mut cpu = slower * time * (session + instance + noise.run * normal(rng)).exp();
        if rng.random_bool(noise.spikes) {
            cpu *= rng.random_range(2.0..5.0);
        }
        let stretch = if rng.random_bool(noise.waiting) { rng.random_range(1.5..6.0) } else { 1.0 };
        let wall = cpu * stretch;
        let mut row = row.clone();
        row.build_time_s = Some(0.0);
        row.solve_time_s = Some(wall.min(LIMIT_S));
        // Starting a process takes 5 ms.
        row.wall_time_s = Some(wall.min(LIMIT_S) + 0.005);
        row.cpu_time_s = Some(cpu.min(LIMIT_S / stretch) + 0.004);
        if wall > LIMIT_S {
            (row.status, row.category) = (Status::Timeout, Category::Unknown);
            row.termination_reason = "hard-limit".to_owned();
        }
        row
    });
    measured.collect()
}

/// The share in percent of so many comparisons that fail.
fn failing(instances: u32, factor: f64, noise: Noise, comparisons: u32) -> f64 {
    let mut rng = ChaCha8Rng::seed_from_u64(u64::from(instances));
    let fails = (0..comparisons).filter(|_| {
        let (rows, times) = program(instances, noise, &mut rng);
        let base = measure(&rows, &times, 1.0, noise, &mut rng);
        let new = measure(&rows, &times, factor, noise, &mut rng);
        let sides = [base, new].map(|rows| [experiment("one", &rows)]);
        compare(&sides[0], &sides[1], &Options::default()).expect("runs in common").is_regression()
    });
    100.0 * fails.count() as f64 / f64::from(comparisons)
}

#[test]
fn identical_programs_pass_and_slower_ones_fail() {
    // The whole table is the test below; these are its hardest cells.
    let [_, plain, shared, .., worst] = NOISES;
    assert!(failing(3, 1.0, worst, 60) <= 2.0);
    assert!(failing(6, 1.0, worst, 60) <= 2.0);
    assert!(failing(12, 1.5, plain, 60) >= 95.0);
    assert!(failing(12, 1.5, shared, 60) >= 93.0);
    assert!(failing(6, 2.0, plain, 60) >= 95.0);
    assert!(failing(6, 10.0, worst, 60) >= 93.0);
}

#[test]
#[ignore = "minutes: prints the table of the book"]
fn error_rates() {
    eprintln!("| instances | slower by | {} |", NOISES.map(|noise| noise.name).join(" | "));
    eprintln!("|---:|---:|{}", "---:|".repeat(NOISES.len()));
    let comparisons = std::env::var("COMPARISONS").map_or(1000, |number| number.parse().expect("a number"));
    for instances in [2, 3, 6, 12, 30] {
        for factor in [1.0, 1.5, 2.0, 10.0] {
            let shares = NOISES.map(|noise| format!("{:.1}", failing(instances, factor, noise, comparisons)));
            eprintln!("| {instances} | × {factor} | {} |", shares.join(" | "));
        }
    }
}
