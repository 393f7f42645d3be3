//! Shares and their differences: published examples, and how often their intervals hold the true value.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use report::stats::{paired_difference, wilson};

fn is_close(found: (f64, f64), expected: (f64, f64)) -> bool {
    (found.0 - expected.0).abs() < 1e-4 && (found.1 - expected.1).abs() < 1e-4
}

/// Table I of R. G. Newcombe, *Two-sided confidence intervals for the single proportion*, Statistics in Medicine 17 (1998), method 3.
#[test]
fn wilsons_intervals_as_published() {
    for (found, all, expected) in
        [(81, 263, (0.2553, 0.3662)), (15, 148, (0.0624, 0.1605)), (0, 20, (0.0, 0.1611)), (1, 29, (0.0061, 0.1718))]
    {
        assert!(is_close(wilson(found, all), expected), "{found} of {all}: {:?}", wilson(found, all));
    }
    assert!(is_close(wilson(0, 0), (0.0, 1.0)));
}

/// A board counts by both of its sides: as often the first alone as the second alone is no difference, and both always the same is one
/// that is known less surely on fewer boards.
#[test]
fn differences_of_the_same_boards() {
    let boards = |counts: [usize; 4]| -> Vec<_> {
        let kinds = [(true, true), (true, false), (false, true), (false, false)];
        kinds.into_iter().zip(counts).flat_map(|(kind, count)| vec![kind; count]).collect()
    };
    let found = |counts| paired_difference(&boards(counts)).expect("a difference");
    let (difference, (low, high)) = found([5, 5, 5, 5]);
    assert!(difference.abs() < 1e-12 && (low + high).abs() < 1e-12 && low < 0.0, "{low} {high}");
    let (difference, (low, high)) = found([2, 14, 1, 3]);
    assert!((difference - 0.65).abs() < 1e-12 && low > 0.0 && high < 1.0, "{low} {high}");
    let (first, second) = (found([3, 7, 2, 8]), found([3, 2, 7, 8]));
    assert!(is_close(first.1, (-second.1.1, -second.1.0)), "{first:?} {second:?}");
    let [few, many] = [[6, 0, 0, 0], [60, 0, 0, 0]].map(|counts| found(counts).1);
    assert!(few.0 < many.0 && many.0 < 0.0 && few.1 > many.1, "{few:?} {many:?}");
    assert_eq!(paired_difference(&[]), None);
}

#[test]
fn they_cover_as_often_as_they_say() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    // Each side has the property where a hidden figure of the board, which both know, and some noise say so.
    for (boards, shift) in [(10, 0.0), (20, 0.0), (20, 0.3)] {
        let mut sample = |count: u32| -> Vec<_> {
            let board = |_| {
                let hidden: f64 = rng.random_range(-0.5..0.5);
                let [first, second] = [0, 1].map(|_| rng.random_range(0.0..1.0));
                (first + hidden < 0.5 + shift, second + hidden < 0.5)
            };
            (0..count).map(board).collect()
        };
        let truth = paired_difference(&sample(200_000)).expect("a difference").0;
        let held = (0..2000).filter(|_| {
            let (low, high) = paired_difference(&sample(boards)).expect("a difference").1;
            low <= truth && truth <= high
        });
        let share = held.count() as f64 / 2000.0;
        assert!((0.93..0.99).contains(&share), "{share} of samples of {boards}, shift {shift}");
    }
}
