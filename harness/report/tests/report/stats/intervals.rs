//! Bootstrap intervals.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use report::stats::{LEAST_UNITS, bootstrap};

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn the_same_values_give_the_same_interval() {
    let values = [0.3, 1.2, -0.5, 2.0, 0.1, 0.7];
    let found = bootstrap(&values, mean);
    assert_eq!(found, bootstrap(&values, mean));
    let (low, high) = found.expect("an interval");
    assert!(low < mean(&values) && mean(&values) < high && low > -0.5 && high < 2.0, "{found:?}");
}

#[test]
fn few_values_have_no_interval_and_equal_ones_a_point() {
    let values = vec![1.5; LEAST_UNITS];
    assert_eq!(bootstrap(&values, mean), Some((1.5, 1.5)));
    assert_eq!(bootstrap(&values[1..], mean), None);
}

/// Of the mean of zeros and ones the distribution over resamples is known: binomial.
#[test]
fn of_zeros_and_ones_it_is_the_binomial_interval() {
    let values: Vec<_> = (0..50).map(|at| f64::from(u8::from(at < 25))).collect();
    // P(X <= 17) = 0.0164 and P(X <= 18) = 0.0325 for X binomial with n = 50 and probability 1/2. The 97.5 % quantile of
    // Student's distribution with 49 degrees of freedom is 2.0096, and a standard normal variable is below
    // -2.0096 sqrt(50/49) with probability 0.0212.
    assert_eq!(bootstrap(&values, mean), Some((18.0 / 50.0, 32.0 / 50.0)));
}

/// The mean of some values of a uniform distribution is all but normal.
#[test]
fn it_covers_the_true_mean_as_often_as_it_says() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for size in [8, 20] {
        let samples = 300;
        let mut covered = 0;
        for _ in 0..samples {
            let values: Vec<_> = (0..size).map(|_| random.random_range(-1.0..1.0)).collect();
            let (low, high) = bootstrap(&values, mean).expect("an interval");
            covered += u32::from(low <= 0.0 && 0.0 <= high);
        }
        let share = f64::from(covered) / f64::from(samples);
        assert!((0.92..0.98).contains(&share), "{share} of samples of {size}");
    }
}
