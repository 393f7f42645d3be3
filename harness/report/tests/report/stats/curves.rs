//! Profiles, survival and quartiles.

use proptest::prelude::*;
use report::stats::{SHORTEST_S, Step, profile, quartiles, survival};

/// Times of some configurations on the same instances; eighths, so that equal times occur.
fn times() -> impl Strategy<Value = Vec<Vec<Option<f64>>>> {
    let time = prop::option::weighted(0.7, (1_u16..40).prop_map(|eighths| f64::from(eighths) / 8.0));
    (0_usize..12).prop_flat_map(move |instances| {
        prop::collection::vec(prop::collection::vec(time.clone(), instances..=instances), 1..5)
    })
}

/// The value of a stepped curve.
fn at(steps: &[Step], x: f64) -> f64 {
    steps.iter().take_while(|step| step.at <= x).last().map_or(0.0, |step| step.level)
}

fn rises(steps: &[Step]) -> bool {
    steps.windows(2).all(|pair| pair[0].at < pair[1].at && pair[0].level < pair[1].level)
}

proptest! {
    #[test]
    fn a_profile_is_the_share_within_a_ratio_of_the_best(times in times(), ratio in 1.0_f64..50.0) {
        let instances = times[0].len();
        let best = |i: usize| times.iter().filter_map(|of| of[i]).fold(f64::INFINITY, f64::min);
        for (steps, of) in profile(&times).iter().zip(&times) {
            let within = |ratio: f64| (0..instances).filter(|i| of[*i].is_some_and(|t| t / best(*i) <= ratio)).count();
            if instances == 0 {
                prop_assert!(steps.is_empty());
                continue;
            }
            for ratio in [1.0, ratio, f64::INFINITY] {
                prop_assert_eq!(at(steps, ratio), within(ratio) as f64 / instances as f64);
            }
            prop_assert!(steps[0].at == 1.0 && rises(steps), "{steps:?}");
            // At infinity: the share of what was solved.
            let solved = of.iter().flatten().count() as f64 / instances as f64;
            prop_assert_eq!(steps.last().map(|step| step.level), Some(solved));
        }
    }

    #[test]
    fn survival_counts_what_is_solved_in_time(times in times(), time in 0.0_f64..6.0) {
        for of in &times {
            let steps = survival(of);
            prop_assert_eq!(at(&steps, time), of.iter().flatten().filter(|t| **t <= time).count() as f64);
            prop_assert_eq!(at(&steps, f64::INFINITY), of.iter().flatten().count() as f64);
            prop_assert!(rises(&steps), "{steps:?}");
            for step in steps {
                let there: Vec<_> = (0..of.len()).filter(|instance| of[*instance] == Some(step.at)).collect();
                prop_assert_eq!(step.instances, there);
            }
        }
    }

    #[test]
    fn quartiles_are_in_order_and_between_values(mut values in prop::collection::vec(-9.0_f64..9.0, 1..20)) {
        let found = quartiles(&values);
        values.sort_by(f64::total_cmp);
        prop_assert!(found.windows(2).all(|pair| pair[0] <= pair[1]), "{found:?}");
        prop_assert_eq!((found[0], found[4]), (values[0], values[values.len() - 1]));
        for (quartile, share) in found.into_iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]) {
            let below = values.iter().filter(|v| **v < quartile - 1e-9).count() as f64;
            let above = values.iter().filter(|v| **v > quartile + 1e-9).count() as f64;
            let all = (values.len() - 1) as f64;
            prop_assert!(below <= (share * all).ceil() && above <= ((1.0 - share) * all).ceil(), "{found:?}");
        }
    }
}

#[test]
fn quartiles_of_few_values() {
    // As R's quantile() has them.
    assert_eq!(quartiles(&[4.0, 1.0, 2.0, 8.0]), [1.0, 1.75, 3.0, 5.0, 8.0]);
    assert_eq!(quartiles(&[3.0]), [3.0; 5]);
    assert!(quartiles(&[]).iter().all(|quartile| quartile.is_nan()));
    let infinite = f64::INFINITY;
    assert_eq!(quartiles(&[1.0, infinite, infinite]), [1.0, infinite, infinite, infinite, infinite]);
}

#[test]
fn times_that_cannot_be_told_apart_are_equally_good() {
    let steps = profile(&[vec![Some(0.0)], vec![Some(SHORTEST_S / 2.0)], vec![Some(2.0 * SHORTEST_S)], vec![None]]);
    let corners = |steps: &Vec<Step>| steps.iter().map(|step| (step.at, step.level)).collect::<Vec<_>>();
    let steps: Vec<_> = steps.iter().map(corners).collect();
    assert_eq!(steps, [vec![(1.0, 1.0)], vec![(1.0, 1.0)], vec![(1.0, 0.0), (2.0, 1.0)], vec![(1.0, 0.0)]]);
}
