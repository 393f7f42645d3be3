//! Whether comparisons find differences where there are none: two identical configurations, of which one was run under more seeds.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use report::{Grid, Value};

use crate::error_rates::normal;
use crate::fixture::{BASIC, Fixture, PRIMED, grid};

/// Simulated experiments.
const SETS: u32 = 200;

/// Limit of the runs, in seconds: about a third of them reach it.
const LIMIT_S: f64 = 20.0;

/// A figure of the second configuration.
fn figure(grid: &Grid, of: usize, column: usize) -> Option<f64> {
    match grid.rows[of].cells[column].value {
        Value::Time { seconds, .. } => Some(seconds),
        Value::Count(value) | Value::P(value) => Some(value),
        _ => None,
    }
}

#[test]
fn more_seeds_are_neither_better_nor_worse() {
    let mut rng = ChaCha8Rng::seed_from_u64(16);
    let (mut par, mut solved) = (Vec::new(), Vec::new());
    let (mut wilcoxon, mut mcnemar) = (0, 0);
    for _ in 0..SETS {
        let mut fixture = Fixture::new("null");
        for number in 0..20 {
            let (instance, typical) = (format!("n{}", 11 + number), rng.random_range(0.5_f64..60.0).ln());
            for (formulation, seeds) in [(BASIC, 1), (PRIMED, 5)] {
                for seed in 0..seeds {
                    let time = (typical + 0.7 * normal(&mut rng)).exp();
                    let run = fixture.run(&instance, formulation, "highs", seed);
                    if time < LIMIT_S {
                        run.solves(&[(time, 1)])
                    } else {
                        run.limited("soft-limit")
                    };
                }
            }
        }
        let analysis = fixture.load();
        let (scores, pairs) = (grid(&analysis, "scores"), grid(&analysis, "pairs"));
        let difference = |column| Some(figure(&scores, 1, column)? - figure(&scores, 0, column)?);
        solved.extend(difference(0));
        par.extend(difference(4));
        wilcoxon += u32::from(figure(&pairs, 0, 4).is_some_and(|p| p <= 0.05));
        mcnemar += u32::from(figure(&pairs, 0, 7).is_some_and(|p| p <= 0.05));
    }
    for differences in [par, solved] {
        let count = differences.len() as f64;
        assert!(count > 0.0);
        let mean = differences.iter().sum::<f64>() / count;
        let squares: f64 = differences.iter().map(|d| (d - mean).powi(2)).sum();
        let error = (squares / (count - 1.0) / count).sqrt();
        assert!(mean.abs() < 3.0 * error, "{mean} with a standard error of {error}");
    }
    // At a level of 5 %; three standard errors of such a share are 4.6 %. The exact test of few numbers stays below its level.
    let share = |found: u32| f64::from(found) / f64::from(SETS);
    assert!((0.01..0.096).contains(&share(wilcoxon)), "{}", share(wilcoxon));
    assert!(share(mcnemar) < 0.096, "{}", share(mcnemar));
}
