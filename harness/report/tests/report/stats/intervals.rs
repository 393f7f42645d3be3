//! Intervals: by hand, and how often they hold the true value.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use report::stats::{LEAST_UNITS, geometric_interval, mean_quotient};

use crate::error_rates::normal;

/// The interval by bootstrap.
fn drawn(logs: &[f64]) -> Option<(f64, f64)> {
    mean_quotient(&logs.iter().map(|log| (*log, 1.0)).collect::<Vec<_>>()).1
}

/// A way to an interval from logarithms.
type Interval = fn(&[f64]) -> Option<(f64, f64)>;

#[test]
fn it_is_students_on_logarithms() {
    // Mean 3.5, variance 3.5; the 97.5 % quantile of Student's distribution with 5 degrees of freedom is 2.570582.
    let (low, high) = geometric_interval(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).expect("an interval");
    let width = 2.570_582 * (3.5_f64 / 6.0).sqrt();
    assert!((low.ln() - (3.5 - width)).abs() < 1e-6 && (high.ln() - (3.5 + width)).abs() < 1e-6, "{low} {high}");
}

#[test]
fn few_values_have_no_interval_and_equal_ones_a_point() {
    let values = vec![0.0; LEAST_UNITS];
    assert_eq!(geometric_interval(&values), Some((1.0, 1.0)));
    assert_eq!(geometric_interval(&values[1..]), None);
    assert_eq!(LEAST_UNITS, 6, "with fewer, coverage is not what it says");
}

/// What is drawn anew is always the same, boards that all say the same leave no doubt, and several values of one board are no more than one.
#[test]
fn boards_are_drawn_anew() {
    let logs = [0.3, 1.2, -0.5, 2.0, 0.1, 0.7, 0.4];
    let (low, high) = drawn(&logs).expect("an interval");
    assert_eq!(drawn(&logs), Some((low, high)));
    let (mean, students) = (logs.iter().sum::<f64>() / 7.0, geometric_interval(&logs).expect("an interval"));
    assert!(low.ln() < mean && mean < high.ln());
    let width = |(low, high): (f64, f64)| (high / low).ln();
    assert!((width((low, high)) / width(students) - 1.0).abs() < 0.2, "{low} {high} {students:?}");
    assert_eq!(drawn(&[2.0; 6]), Some((2.0_f64.exp(), 2.0_f64.exp())));
    assert_eq!(drawn(&logs[..LEAST_UNITS - 1]), None);
    let thrice: Vec<_> = logs.iter().map(|log| (3.0 * log, 3.0)).collect();
    let other = mean_quotient(&thrice).1.expect("an interval");
    assert!((low - other.0).abs() < 1e-12 && (high - other.1).abs() < 1e-12, "{other:?}");
}

/// The share of samples whose interval holds the mean of the logarithms, which these have the distribution of.
fn coverage(interval: Interval, samples: u32, size: usize, mean: f64, log: impl Fn(&mut ChaCha8Rng) -> f64) -> f64 {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let held = |_: &u32| {
        let logs: Vec<_> = (0..size).map(|_| log(&mut rng)).collect();
        interval(&logs).is_some_and(|(low, high)| low.ln() <= mean && mean <= high.ln())
    };
    let all: Vec<_> = (0..samples).collect();
    let covered = all.iter().map(held).filter(|held| *held).count();
    covered as f64 / f64::from(samples)
}

/// What is said of the logarithms of quotients.
type Shape = (&'static str, f64, fn(&mut ChaCha8Rng) -> f64);

const SHAPES: [Shape; 4] = [
    ("normal (times log-normal)", 0.0, |rng| normal(rng)),
    ("long tails on both sides (t, 3)", 0.0, |rng| {
        normal(rng) / ((0..3).map(|_| normal(rng).powi(2)).sum::<f64>() / 3.0).sqrt()
    }),
    ("skewed (exponential)", 1.0, |rng| -(1.0 - rng.random::<f64>()).ln()),
    ("a tenth far off", 0.2, |rng| if tenth(rng) { 2.0 + 0.5 * normal(rng) } else { 0.3 * normal(rng) }),
];

fn tenth(rng: &mut impl Rng) -> bool {
    rng.random::<f64>() < 0.1
}

#[test]
fn it_covers_as_often_as_it_says() {
    for size in [6, 12, 30] {
        for (name, mean, log) in &SHAPES[..2] {
            let share = coverage(geometric_interval, 2000, size, *mean, log);
            assert!((0.935..0.98).contains(&share), "{share} of samples of {size}, {name}");
            // Three standard errors of such a share of 400 samples are 3.3 %.
            let share = coverage(drawn, 400, size, *mean, log);
            assert!((0.915..0.99).contains(&share), "{share} of samples of {size}, {name}, by bootstrap");
        }
    }
}

/// `cargo test --release --workspace --test report -- --ignored --nocapture coverage_of_intervals` prints the coverage that docs/statistics.md sums up.
#[test]
#[ignore = "prints a table"]
#[expect(clippy::print_stdout, reason = "a table to be read")]
fn coverage_of_intervals() {
    let sizes = [6, 8, 10, 15, 20, 30];
    println!("| logarithms of the quotients | {} |", sizes.map(|size| format!("n = {size}")).join(" | "));
    for (name, mean, log) in SHAPES {
        let share = |of: Interval, samples, size| 100.0 * coverage(of, samples, size, mean, log);
        let shares = sizes
            .map(|size| format!("{:.1} / {:.1}", share(geometric_interval, 20_000, size), share(drawn, 4000, size)));
        println!("| {name} | {} |", shares.join(" | "));
    }
}
