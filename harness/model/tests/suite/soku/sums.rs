//! Numbers that add up, in each of the ways to say so.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use model::sat::{Cnf, Levels, add_between, add_up};
use model::{Cardinality, Representation};

use crate::clauses::each_model;
use crate::common::Dice;

/// Some numbers: for each its values, 0 first.
fn numbers(most: u64, dice: &mut Dice) -> Vec<Vec<u64>> {
    let one = |dice: &mut Dice| {
        let mut values: Vec<u64> = (0..dice.roll(4)).map(|_| 1 + dice.roll(most as usize) as u64).collect();
        values.push(0);
        values.sort_unstable();
        values.dedup();
        values
    };
    (0..1 + dice.roll(4)).map(|_| one(dice)).collect()
}

/// A formula that these numbers, whose levels are its first variables, add up to a total.
fn formula(numbers: &[Vec<u64>], encoding: Cardinality, total: u64) -> (Cnf, usize) {
    demanding(numbers, |cnf, levels| add_up(cnf, "sum", encoding, levels, total))
}

fn demanding(numbers: &[Vec<u64>], demand: impl FnOnce(&mut Cnf, &[Levels])) -> (Cnf, usize) {
    let mut cnf = Cnf::default();
    let levels: Vec<Levels> =
        numbers.iter().map(|values| values[1..].iter().map(|&value| (value, cnf.add_variable())).collect()).collect();
    let first = cnf.variables();
    for pair in levels.iter().flat_map(|levels| levels.windows(2)) {
        cnf.add_clause("order", [!pair[1].1, pair[0].1]);
    }
    demand(&mut cnf, &levels);
    (cnf, first)
}

/// Every choice of a value of each number: its sum and the values of the levels.
fn choices(numbers: &[Vec<u64>]) -> Vec<(u64, Vec<bool>)> {
    numbers.iter().fold(vec![(0, Vec::new())], |before, values| {
        let with = |(sum, levels): &(u64, Vec<bool>)| {
            let with = |&value: &u64| {
                let own = values[1..].iter().map(|&level| value >= level);
                (sum + value, levels.iter().copied().chain(own).collect())
            };
            values.iter().map(with).collect::<Vec<_>>()
        };
        before.iter().flat_map(with).collect()
    })
}

/// In units, in a tree of sums, in binary: weights of up to 4, 100 and a thousand million.
#[test]
fn exactly_the_numbers_that_add_up_can_be_completed() {
    let mut dice = Dice(8);
    let (mut right, mut wrong) = (0, 0);
    for round in 0..400 {
        let most = [4, 100, 1_000_000_000][round % 3];
        let numbers = numbers(most, &mut dice);
        let all = choices(&numbers);
        let total = match dice.roll(3) {
            0 => dice.roll(2 * most as usize) as u64,
            _ => all[dice.roll(all.len())].0,
        };
        for encoding in Cardinality::ALL {
            let (cnf, first) = formula(&numbers, encoding, total);
            for (sum, levels) in &all {
                let adds_up = cnf.broken_by(&cnf.complete(levels)).is_empty();
                assert_eq!(adds_up, *sum == total, "{encoding}: {numbers:?} to {total}");
                *(if adds_up { &mut right } else { &mut wrong }) += 1;
            }
            // Nor are there other values of the auxiliaries.
            let mut models = 0;
            each_model(&cnf, cnf.variables(), &mut |values| {
                models += 1;
                assert_eq!(cnf.complete(&values[..first]), values);
                ControlFlow::Continue(())
            });
            assert_eq!(models, all.iter().filter(|(sum, _)| *sum == total).count());
        }
    }
    assert!(right > 300 && wrong > 300, "{right} and {wrong}");
}

#[test]
fn sums_between_bounds_are_those_that_can_be_completed() {
    let mut dice = Dice(9);
    let mut bounded = [0; 3];
    for round in 0..600 {
        let most = [1, 4, 100, 1_000_000_000][round % 4];
        let numbers = numbers(most, &mut dice);
        let all = choices(&numbers);
        let mut bound = || all[dice.roll(all.len())].0 + dice.roll(2) as u64;
        let (lower, upper) = match round % 3 {
            0 => (bound(), u64::MAX),
            1 => (0, bound()),
            _ => (bound(), bound()),
        };
        for encoding in [Cardinality::Totalizer, Cardinality::Adder] {
            let (cnf, first) =
                demanding(&numbers, |cnf, levels| add_between(cnf, "sum", encoding, levels, lower, upper));
            let mut found = BTreeSet::new();
            each_model(&cnf, cnf.variables(), &mut |values| {
                found.insert(values[..first].to_vec());
                ControlFlow::Continue(())
            });
            let within = all.iter().filter(|(sum, _)| (lower..=upper).contains(sum));
            let within: BTreeSet<Vec<bool>> = within.map(|(_, levels)| levels.clone()).collect();
            assert_eq!(found, within, "{encoding}: {lower} to {upper} of {numbers:?}");
            bounded[round % 3] += usize::from(!within.is_empty() && within.len() < all.len());
        }
    }
    assert!(bounded.into_iter().all(|count| count > 50), "{bounded:?}");
}

#[test]
fn large_sums_of_many_values_are_binary_and_small_ones_are_not() {
    let spread =
        |step: u64| (0..16).map(|number| (0..60).map(|at| at * (step + number)).collect()).collect::<Vec<Vec<u64>>>();
    let size = |encoding, step| formula(&spread(step), encoding, 100 * step).0.len();
    let adder = size(Cardinality::Adder, 1_000_003);
    assert_eq!(size(Cardinality::Totalizer, 1_000_003), adder, "too many different sums");
    assert!(size(Cardinality::Totalizer, 1) > size(Cardinality::Adder, 1));
    assert_ne!(size(Cardinality::Totalizer, 1), size(Cardinality::Adder, 1_000_003));
}
