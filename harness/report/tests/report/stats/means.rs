//! Means, logarithms of quotients and the virtual best.

use report::stats::{
    Contribution, SHORTEST_S, Score, contributions, log_ratio, par, shifted_geometric_mean, virtual_best,
};

fn solved(time: f64) -> Score {
    Score { time_s: Some(time), limit_s: Some(100.0) }
}

fn unsolved(limit: f64) -> Score {
    Score { time_s: None, limit_s: Some(limit) }
}

const ENDLESS: Score = Score { time_s: None, limit_s: None };

fn near(found: Option<f64>, expected: f64) -> bool {
    found.is_some_and(|found| (found - expected).abs() < 1e-12)
}

#[test]
fn what_is_not_solved_counts_as_a_multiple_of_its_limit() {
    assert_eq!(par(&[solved(1.0), unsolved(100.0), unsolved(10.0)], 2.0), Some((1.0 + 200.0 + 20.0) / 3.0));
    assert_eq!(par(&[solved(1.0), unsolved(100.0)], 10.0), Some(1001.0 / 2.0));
    assert_eq!(par(&[solved(1.0), ENDLESS], 2.0), None);
    assert_eq!(par(&[], 2.0), None);
}

#[test]
fn shifted_means() {
    // (1 + 1)(7 + 1) = 4 squared; (2 + 10)(17 + 10) = 18 squared.
    assert!(near(shifted_geometric_mean(&[1.0, 7.0], 1.0), 3.0));
    assert!(near(shifted_geometric_mean(&[2.0, 17.0], 10.0), 8.0));
    assert!(near(shifted_geometric_mean(&[2.0, 8.0], 0.0), 4.0));
    assert_eq!(shifted_geometric_mean(&[], 1.0), None);
}

#[test]
fn quotients_of_times_and_limits() {
    assert!(near(log_ratio(solved(6.0), solved(2.0)), 3.0_f64.ln()));
    assert!(near(log_ratio(unsolved(20.0), solved(2.0)), 10.0_f64.ln()));
    assert!(near(log_ratio(solved(2.0), unsolved(20.0)), -(10.0_f64.ln())));
    // Stopped early by a lower limit: nobody knows that it would have been faster.
    assert_eq!(log_ratio(unsolved(20.0), solved(50.0)), Some(0.0));
    assert_eq!(log_ratio(ENDLESS, solved(2.0)), Some(f64::INFINITY));
    assert_eq!(log_ratio(solved(2.0), ENDLESS), Some(f64::NEG_INFINITY));
    assert_eq!(log_ratio(unsolved(20.0), ENDLESS), None);
    assert_eq!(log_ratio(solved(0.0), solved(SHORTEST_S / 10.0)), Some(0.0));
}

#[test]
fn the_virtual_best_takes_the_fastest_for_each_instance() {
    let scores = [
        vec![solved(1.0), solved(5.0), unsolved(100.0), unsolved(100.0), solved(2.0)],
        vec![solved(2.0), solved(5.0), solved(9.0), unsolved(50.0), unsolved(100.0)],
        vec![solved(3.0), unsolved(100.0), solved(8.0), ENDLESS, unsolved(100.0)],
    ];
    let best = virtual_best(&scores);
    assert_eq!(
        best.iter().map(|score| score.time_s).collect::<Vec<_>>(),
        [Some(1.0), Some(5.0), Some(8.0), None, Some(2.0)]
    );
    assert_eq!(best[3].limit_s, Some(50.0));
    let expected = [(3, 1), (1, 0), (1, 0)].map(|(fastest, unique)| Contribution { fastest, unique });
    assert_eq!(contributions(&scores), expected);
    assert!(virtual_best(&[]).is_empty() && contributions(&[]).is_empty());
}
