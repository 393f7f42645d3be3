//! The ways to count: what they allow, what unit propagation sees through, how large they are.

use std::ops::ControlFlow;

use crate::clauses::{each_model, propagate};
use crate::common::Dice;
use model::sat::{Cnf, Lit, exactly};
use model::{Cardinality, Representation};

/// Exactly k of n new variables, which come first.
fn counting(encoding: Cardinality, n: usize, k: usize) -> (Cnf, Vec<Lit>) {
    let mut cnf = Cnf::default();
    let literals: Vec<Lit> = (0..n).map(|_| cnf.add_variable()).collect();
    exactly(&mut cnf, "count", encoding, &literals, k);
    (cnf, literals)
}

fn cases(most: usize) -> impl Iterator<Item = (Cardinality, usize, usize)> {
    let sizes = (0..=most).flat_map(|n| (0..=n + 1).map(move |k| (n, k)));
    sizes.flat_map(|(n, k)| Cardinality::ALL.map(|encoding| (encoding, n, k)))
}

/// Bit by bit, which of n inputs hold.
fn inputs(n: usize, bits: u32) -> Vec<bool> {
    (0..n).map(|index| bits >> index & 1 == 1).collect()
}

#[test]
fn exactly_the_right_inputs_can_be_completed() {
    for (encoding, n, k) in cases(10) {
        let (cnf, _) = counting(encoding, n, k);
        for bits in 0..1_u32 << n {
            // The definitions fix all auxiliaries, so that these are the only values worth a look ...
            let values = cnf.complete(&inputs(n, bits));
            assert_eq!(
                cnf.broken_by(&values).is_empty(),
                bits.count_ones() as usize == k,
                "{encoding} {k} of {n}: {bits:b}"
            );
        }
    }
}

#[test]
fn no_other_values_of_the_auxiliaries_complete_other_inputs() {
    // ... which another solver confirms: as many models as there are sets of k, each with the values above.
    for (encoding, n, k) in cases(7) {
        let (cnf, _) = counting(encoding, n, k);
        let mut models = 0;
        each_model(&cnf, cnf.variables(), &mut |values| {
            models += 1;
            assert_eq!(cnf.complete(&values[..n]), values, "{encoding} {k} of {n}");
            ControlFlow::Continue(())
        });
        let sets = (0..1_u32 << n).filter(|bits| bits.count_ones() as usize == k).count();
        assert_eq!(models, sets, "{encoding} {k} of {n}");
    }
}

/// As soon as k inputs hold, all others do not; as soon as only k can hold, they do; and more or less is refused.
#[test]
fn unit_propagation_sees_through_all_but_the_adder() {
    let mut unseen = 0;
    for (encoding, n, k) in cases(7).filter(|&(_, n, k)| k <= n) {
        let (cnf, literals) = counting(encoding, n, k);
        // Every partial assignment, as numbers of base 3.
        for number in 0..3_usize.pow(n as u32) {
            let known: Vec<Option<bool>> =
                (0..n).map(|index| [None, Some(true), Some(false)][number / 3_usize.pow(index as u32) % 3]).collect();
            let assumed =
                literals.iter().zip(&known).filter_map(|(&lit, known)| Some(if (*known)? { lit } else { !lit }));
            let holding = known.iter().filter(|&&value| value == Some(true)).count();
            let possible = known.iter().filter(|&&value| value != Some(false)).count();
            let expected = match () {
                () if holding > k || possible < k => None,
                () if holding == k => Some(known.iter().map(|value| value.or(Some(false))).collect()),
                () if possible == k => Some(known.iter().map(|value| value.or(Some(true))).collect()),
                () => Some(known.clone()),
            };
            let found = propagate(&cnf, &assumed.collect::<Vec<_>>()).map(|values| values[..n].to_vec());
            if encoding == Cardinality::Adder {
                unseen += usize::from(found != expected);
            } else {
                assert_eq!(found, expected, "{encoding} {k} of {n}: {known:?}");
            }
        }
    }
    assert!(unseen > 0, "the adder is known not to be arc-consistent");
}

#[test]
fn literals_of_any_kind_are_counted() {
    let mut dice = Dice(6);
    for encoding in Cardinality::ALL {
        for _ in 0..40 {
            let mut cnf = Cnf::default();
            let variables: Vec<Lit> = (0..6).map(|_| cnf.add_variable()).collect();
            // Some negated, some more than once.
            let one = |_| {
                let lit = dice.pick(&variables);
                if dice.roll(2) == 0 { lit } else { !lit }
            };
            let literals: Vec<Lit> = (0..8).map(one).collect();
            let k = dice.roll(9);
            exactly(&mut cnf, "count", encoding, &literals, k);
            for bits in 0..1 << 6 {
                let first = inputs(6, bits);
                let holding = literals.iter().filter(|lit| lit.holds(&first)).count();
                assert_eq!(
                    cnf.broken_by(&cnf.complete(&first)).is_empty(),
                    holding == k,
                    "{encoding} {literals:?} {k}"
                );
            }
        }
    }
}

#[test]
fn sizes_are_those_of_the_sources() {
    let size = |encoding, n, k| {
        let size = counting(encoding, n, k).0.size();
        (size.variables - n, size.constraints)
    };
    // A full totalizer of 8: three levels of 8 counts; (1, 2, 4)-merges have 3, 8 and 24 clauses a direction.
    assert_eq!(size(Cardinality::Totalizer, 8, 7), (24, 2 * (4 * 3 + 2 * 8 + 24) + 2));
    // Counts up to k + 1 = 3 of the first 2, 3, 4, 5 and 6: 2 + 3 + 3 + 3 + 3.
    assert_eq!(size(Cardinality::Sequential, 6, 2).0, 14);
    // Batcher's network for 8 has 19 comparators of two outputs with three clauses each.
    assert_eq!(size(Cardinality::Network, 8, 7), (38, 19 * 6 + 2));
    // 7 inputs take 4 full adders: a carry of 6 clauses, a sum of 8; three bits.
    assert_eq!(size(Cardinality::Adder, 7, 3), (8, 4 * 14 + 3));
    // What is cut off behind k + 1 counts.
    for encoding in [Cardinality::Totalizer, Cardinality::Sequential, Cardinality::Network] {
        assert!(size(encoding, 64, 2) < size(encoding, 64, 20), "{encoding}");
    }
}
