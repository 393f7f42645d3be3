//! Tests of significance against enumeration of all that could have happened.

use proptest::prelude::*;
use report::stats::{holm, mcnemar, wilcoxon};

/// Mean ranks by absolute value, counted pair by pair.
fn ranks(differences: &[f64]) -> Vec<f64> {
    let rank = |d: &f64| {
        let less = differences.iter().filter(|other| other.abs() < d.abs()).count();
        let equal = differences.iter().filter(|other| other.abs() == d.abs()).count();
        less as f64 + (equal as f64 + 1.0) / 2.0
    };
    differences.iter().map(rank).collect()
}

/// The share of all assignments of signs to the nonzero differences that are as extreme, after Pratt.
fn enumerated(differences: &[f64]) -> Option<f64> {
    let ranked: Vec<_> = differences.iter().copied().zip(ranks(differences)).filter(|(d, _)| *d != 0.0).collect();
    let total: f64 = ranked.iter().map(|(_, rank)| rank).sum();
    let found: f64 = ranked.iter().filter(|(d, _)| *d > 0.0).map(|(_, rank)| rank).sum();
    let far = |sum: f64| (sum - total / 2.0).abs();
    let sum = |signs: u32| (0..ranked.len()).filter(|at| signs >> at & 1 == 1).map(|at| ranked[at].1).sum::<f64>();
    let all = 1_u32 << ranked.len();
    let extreme = (0..all).filter(|signs| far(sum(*signs)) >= far(found) - 1e-9).count();
    (!ranked.is_empty()).then(|| extreme as f64 / f64::from(all))
}

proptest! {
    /// Small whole numbers: many ties and zeros.
    #[test]
    fn signed_ranks_against_all_signs(differences in prop::collection::vec(-4_i8..=4, 0..11)) {
        let differences: Vec<_> = differences.into_iter().map(f64::from).collect();
        let found = wilcoxon(&differences);
        prop_assert_eq!(found.is_some(), differences.iter().any(|d| *d != 0.0));
        if let Some(p) = found {
            let expected = enumerated(&differences).expect("differences other than zero");
            prop_assert!((p - expected).abs() < 1e-12, "{p}, not {expected}");
        }
    }

    #[test]
    fn the_sign_of_all_differences_does_not_matter(differences in prop::collection::vec(-9_i8..=9, 1..130)) {
        let p = |sign: f64| wilcoxon(&differences.iter().map(|d| sign * f64::from(*d)).collect::<Vec<_>>());
        prop_assert_eq!(p(1.0), p(-1.0));
    }

    #[test]
    fn mcnemar_against_the_sum_of_binomials(first in 0_u64..40, second in 0_u64..40) {
        // Pascal's triangle, in halves.
        let all = first + second;
        let mut row = vec![1.0_f64];
        for _ in 0..all {
            let next = |k: usize| (if k > 0 { row[k - 1] } else { 0.0 } + row.get(k).copied().unwrap_or(0.0)) / 2.0;
            row = (0..=row.len()).map(next).collect();
        }
        let least = usize::try_from(first.min(second)).expect("small");
        let expected = (2.0 * row[..=least].iter().sum::<f64>()).min(1.0);
        match mcnemar(first, second) {
            None => prop_assert_eq!(all, 0),
            Some(p) => prop_assert!((p - expected).abs() < 1e-10, "{p}, not {expected}"),
        }
    }

    /// By its definition as a procedure: the hypotheses that are rejected at a level are those with an adjusted p up to it.
    #[test]
    fn holm_rejects_what_the_procedure_rejects(
        p_values in prop::collection::vec(prop::option::of(0.0_f64..1.0), 0..12),
        level in 0.001_f64..1.0,
    ) {
        let adjusted = holm(&p_values);
        prop_assert_eq!(adjusted.len(), p_values.len());
        let mut sorted: Vec<_> = p_values.iter().flatten().copied().collect();
        sorted.sort_by(f64::total_cmp);
        let kept = |(rank, p): (usize, &f64)| *p > level / (sorted.len() - rank) as f64;
        let rejected = sorted.iter().enumerate().position(kept).unwrap_or(sorted.len());
        let found = adjusted.iter().flatten().filter(|p| **p <= level).count();
        prop_assert_eq!(found, rejected);
        for (p, adjusted) in p_values.iter().zip(&adjusted) {
            prop_assert_eq!(p.is_some(), adjusted.is_some());
            prop_assert!(p.zip(*adjusted).is_none_or(|(p, adjusted)| adjusted >= p && adjusted <= 1.0));
        }
    }
}

#[test]
fn published_examples() {
    // Five differences of one sign: 2 of 32 assignments are as extreme.
    assert_eq!(wilcoxon(&[1.0, 2.0, 3.0, 4.0, 5.0]), Some(0.0625));
    // What is equal but for the rounding of floats is a tie.
    let ties = [0.3, 0.1 + 0.2, 0.3, -0.3].map(|d| 1e3 * d);
    assert_eq!(wilcoxon(&ties), Some(0.625));
    // Infinite differences have the highest ranks: 1 against 2.5 and 2.5.
    assert_eq!(wilcoxon(&[-1.0, f64::INFINITY, f64::INFINITY]), Some(0.5));
    // Holm's own example of the order: 0.01 of four, then 0.03 of two counts before 0.04 of one.
    let found = holm(&[Some(0.01), Some(0.04), None, Some(0.03), Some(0.005)]);
    let expected = [Some(0.03), Some(0.06), None, Some(0.06), Some(0.02)];
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.into_iter().zip(expected) {
        assert_eq!(found.is_some(), expected.is_some());
        assert!(found.zip(expected).is_none_or(|(f, e)| (f - e).abs() < 1e-12), "{found:?}, not {expected:?}");
    }
}

/// Beyond 100 differences the normal distribution takes over: against the exact one, summed up here.
#[test]
fn the_normal_distribution_is_near_the_exact_one() {
    let all = 120_usize;
    let mut sums = vec![1.0_f64];
    for rank in 1..=all {
        let at = |sum: usize| sums.get(sum).copied().unwrap_or(0.0);
        sums = (0..sums.len() + rank)
            .map(|sum| (at(sum) + if sum >= rank { at(sum - rank) } else { 0.0 }) / 2.0)
            .collect();
    }
    for share in 6..=10 {
        let is_positive = |rank: usize| rank % 20 < share;
        let differences: Vec<_> =
            (1..=all).map(|rank| if is_positive(rank) { rank as f64 } else { -(rank as f64) }).collect();
        let p = wilcoxon(&differences).expect("a test");
        let positive: usize = (1..=all).filter(|rank| is_positive(*rank)).sum();
        let least = positive.min(all * (all + 1) / 2 - positive);
        let expected = 2.0 * sums[..=least].iter().sum::<f64>();
        assert!((p - expected).abs() < 0.003, "{p} and {expected}");
    }
}
