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
    let values: Vec<_> = (0..40).map(|at| f64::from(u8::from(at < 20))).collect();
    // P(X <= 13) = 0.0192 and P(X <= 14) = 0.0403 for X binomial with n = 40 and probability 1/2.
    assert_eq!(bootstrap(&values, mean), Some((14.0 / 40.0, 26.0 / 40.0)));
}

/// Of 20 values of a uniform distribution the mean is all but normal, and the interval is close to the textbook's, which is a
/// little too narrow as the variance is estimated: 93 % instead of 95 %.
#[test]
fn it_covers_the_true_mean_as_often_as_it_says() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let samples = 400;
    let mut covered = 0;
    for _ in 0..samples {
        let values: Vec<_> = (0..20).map(|_| random.random_range(-1.0..1.0)).collect();
        let (low, high) = bootstrap(&values, mean).expect("an interval");
        covered += u32::from(low <= 0.0 && 0.0 <= high);
    }
    let share = f64::from(covered) / f64::from(samples);
    assert!((0.90..0.97).contains(&share), "{share}");
}
