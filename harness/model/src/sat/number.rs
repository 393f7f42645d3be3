//! Numbers in clauses, and that some of them add up to a total.
//!
//! A number is a list of levels (value, literal) with rising values: the literal holds if and only if the number is at least the
//! value, so that those of lower values hold too. Where none holds the number is 0. This is the order encoding (Tamura, Taga, Kitagawa
//! and Banbara, Compiling finite linear CSP into SAT, Constraints 2009).

use std::collections::{BTreeSet, VecDeque};

use super::cardinality::columns;
use super::{Cnf, Lit, exactly};
use crate::formulation::Cardinality;

/// Greatest sum that is counted in units.
const MOST_UNITS: u64 = 64;

/// Most clauses that a tree of sums may have; beyond that it is binary.
const MOST_CLAUSES: u64 = 300_000;

/// Levels of a number: values, each greater than the one before, and literals.
pub type Levels = Vec<(u64, Lit)>;

/// Adds clauses that hold if and only if some numbers add up to a total, for some values of the auxiliary variables that
/// it adds. How, is chosen by size: the units are counted by `encoding` (a level counts as often as it is greater than
/// the one before); or sums are merged up a tree, one variable for each sum that there can be up to the total (the generalized totalizer of Joshi, Martins and
/// Manquinho, CP 2015, in the order encoding); or they are added in binary. The encoding `adder` always adds in binary.
///
/// As in [`exactly`], clauses define all auxiliaries by variables that came before.
pub fn add_up(cnf: &mut Cnf, family: &'static str, encoding: Cardinality, numbers: &[Levels], total: u64) {
    let most: u64 = numbers.iter().filter_map(|levels| levels.last()).map(|&(value, _)| value).sum();
    match encoding {
        Cardinality::Adder => binary(cnf, family, numbers, total),
        _ if most <= MOST_UNITS => {
            let units: Vec<Lit> = numbers.iter().flat_map(|levels| units(levels)).collect();
            exactly(cnf, family, encoding, &units, usize::try_from(total).unwrap_or(usize::MAX));
        }
        _ if most < total => cnf.add_clause(family, []),
        _ => match clauses_of_tree(numbers, total) {
            Some(_) => tree(cnf, family, numbers, total),
            None => binary(cnf, family, numbers, total),
        },
    }
}

/// Adds clauses that hold if and only if the sum of some numbers is between two bounds, for some values of the auxiliary variables
/// that it adds. Sums of one or two numbers, at least 1 and less than the most there can be are said by clauses on their levels; a
/// total as [`add_up`] does; others are merged up a tree, or added in binary with a number that makes up for what is missing.
pub fn add_between(
    cnf: &mut Cnf,
    family: &'static str,
    encoding: Cardinality,
    numbers: &[Levels],
    lower: u64,
    upper: u64,
) {
    let most: u64 = numbers.iter().filter_map(|levels| levels.last()).map(|&(value, _)| value).sum();
    let upper = upper.min(most);
    if lower > upper {
        return cnf.add_clause(family, []);
    }
    match numbers {
        _ if lower == 0 && upper == most => {}
        [] => {}
        [only] => pair(cnf, family, only, &Levels::new(), lower, upper),
        [a, b] => pair(cnf, family, a, b, lower, upper),
        _ if lower == 1 && upper == most => {
            cnf.add_clause(family, numbers.iter().filter_map(|levels| levels.first()).map(|&(_, lit)| lit));
        }
        _ if lower == 0 && upper + 1 == most => {
            cnf.add_clause(family, numbers.iter().filter_map(|levels| levels.last()).map(|&(_, lit)| !lit));
        }
        _ if lower == upper => add_up(cnf, family, encoding, numbers, lower),
        _ => {
            let relevant = if upper < most { upper } else { lower };
            if clauses_of_tree(numbers, relevant).is_some() {
                let sum = merge(cnf, family, numbers, relevant);
                let level = |least: u64| sum.iter().find(|&&(value, _)| value >= least).map(|&(_, lit)| lit);
                if lower > 0 {
                    cnf.add_clause(family, level(lower));
                }
                if let Some(more) = level(upper + 1).filter(|_| upper < most) {
                    cnf.add_clause(family, [!more]);
                }
            } else {
                let missing = up_to(cnf, upper - lower);
                binary(cnf, family, &[numbers, &missing].concat(), upper);
            }
        }
    }
}

/// Numbers of one level each that can add up to anything from 0 to some most, and to no more.
fn up_to(cnf: &mut Cnf, most: u64) -> Vec<Levels> {
    let (mut rest, mut step, mut numbers) = (most, 1, Vec::new());
    while rest > 0 {
        let value = rest.min(step);
        numbers.push(vec![(value, cnf.add_variable().positive())]);
        rest -= value;
        step *= 2;
    }
    numbers
}

/// That two numbers add up to something between two bounds, by clauses on their levels.
fn pair(cnf: &mut Cnf, family: &'static str, a: &Levels, b: &Levels, lower: u64, upper: u64) {
    let at_least = |levels: &Levels, value: u64| levels.iter().find(|&&(level, _)| level >= value).map(|&(_, lit)| lit);
    for value in values(a) {
        // Where a is at most the value, b makes up for the rest.
        if value < lower {
            let more = at_least(a, value + 1);
            cnf.add_clause(family, more.into_iter().chain(at_least(b, lower - value)));
        }
        // Where a is at least the value, b is not more than what is left.
        let own = at_least(a, value).filter(|_| value > 0).map(|lit| !lit);
        match upper.checked_sub(value) {
            Some(left) => {
                if let Some(more) = at_least(b, left + 1) {
                    cnf.add_clause(family, own.into_iter().chain([!more]));
                }
            }
            None => cnf.add_clause(family, own),
        }
    }
}

/// Each level as often as it is greater than the one before.
fn units(levels: &[(u64, Lit)]) -> impl Iterator<Item = Lit> + '_ {
    let before = std::iter::once(0).chain(levels.iter().map(|&(value, _)| value));
    levels.iter().zip(before).flat_map(|(&(value, lit), before)| (before..value).map(move |_| lit))
}

/// The sums of two numbers that there can be, up to the first above the total, which stands for all above.
fn sums(left: &[u64], right: &[u64], total: u64) -> Vec<u64> {
    let all = left.iter().flat_map(|a| right.iter().map(move |b| (a + b).min(total + 1)));
    all.collect::<BTreeSet<_>>().into_iter().collect()
}

/// The values of a number, 0 first.
fn values(levels: &[(u64, Lit)]) -> Vec<u64> {
    std::iter::once(0).chain(levels.iter().map(|&(value, _)| value)).collect()
}

/// How many clauses the tree has; `None` if they are too many.
fn clauses_of_tree(numbers: &[Levels], total: u64) -> Option<u64> {
    fn count(numbers: &[Levels], total: u64, clauses: &mut u64) -> Option<Vec<u64>> {
        if let [only] = numbers {
            return Some(values(only));
        }
        let (left, right) = numbers.split_at(numbers.len() / 2);
        let (left, right) = (count(left, total, clauses)?, count(right, total, clauses)?);
        *clauses += 2 * (left.len() * right.len()) as u64;
        (*clauses <= MOST_CLAUSES).then(|| sums(&left, &right, total))
    }
    let mut clauses = 0;
    count(numbers, total, &mut clauses).map(|_| clauses)
}

fn tree(cnf: &mut Cnf, family: &'static str, numbers: &[Levels], total: u64) {
    let sum = merge(cnf, family, numbers, total);
    if total > 0 {
        match sum.iter().find(|&&(value, _)| value >= total) {
            // Between the sums that there can be lies nothing.
            Some(&(value, lit)) if value == total => cnf.add_clause(family, [lit]),
            _ => cnf.add_clause(family, []),
        }
    }
    if let Some(&(_, more)) = sum.iter().find(|&&(value, _)| value > total) {
        cnf.add_clause(family, [!more]);
    }
}

/// The sum of some numbers as a number, up to the first above the total.
fn merge(cnf: &mut Cnf, family: &'static str, numbers: &[Levels], total: u64) -> Levels {
    if let [only] = numbers {
        return only.clone();
    }
    let (left, right) = numbers.split_at(numbers.len() / 2);
    let (left, right) = (merge(cnf, family, left, total), merge(cnf, family, right, total));
    let (of_left, of_right) = (values(&left), values(&right));
    let sums = sums(&of_left, &of_right, total);
    let sum: Levels = sums[1..].iter().map(|&value| (value, cnf.add_variable().positive())).collect();
    // The level of a value, or of the next that there is.
    let from = |value: u64| sum.iter().find(|&&(level, _)| level >= value.min(total + 1)).map(|&(_, lit)| lit);
    let pairs = || (0..of_left.len()).flat_map(|a| (0..of_right.len()).map(move |b| (a, b)));
    // At least a and at least b are at least a + b.
    for (a, b) in pairs() {
        let premises = a.checked_sub(1).map(|a| !left[a].1).into_iter().chain(b.checked_sub(1).map(|b| !right[b].1));
        let value = of_left[a] + of_right[b];
        if let Some(reached) = from(value).filter(|_| value > 0) {
            cnf.add_clause(family, premises.chain([reached]));
        }
    }
    for pair in sum.windows(2).rev() {
        cnf.add_clause(family, [!pair[1].1, pair[0].1]);
    }
    // At most a and at most b, thus below their next levels, are below the next level of a + b.
    for (a, b) in pairs() {
        let premises = left.get(a).into_iter().chain(right.get(b)).map(|&(_, lit)| lit);
        let value = of_left[a] + of_right[b];
        if let Some(next) = from(value + 1).filter(|_| value <= total) {
            cnf.add_clause(family, premises.chain([!next]));
        }
    }
    // From below once more, so that each level has a clause that decides it, after those by which it does.
    for pair in sum.windows(2) {
        cnf.add_clause(family, [!pair[1].1, pair[0].1]);
    }
    sum
}

fn binary(cnf: &mut Cnf, family: &'static str, numbers: &[Levels], total: u64) {
    let mut added: Vec<VecDeque<Lit>> = Vec::new();
    for levels in numbers {
        let greatest = levels.last().map_or(0, |&(value, _)| value);
        let bits = (u64::BITS - greatest.leading_zeros()) as usize;
        if added.len() < bits {
            added.resize(bits, VecDeque::new());
        }
        for (column, place) in added.iter_mut().enumerate().take(bits) {
            place.push_back(bit(cnf, family, levels, column));
        }
    }
    columns(cnf, family, added, total);
}

/// A binary digit of a number.
fn bit(cnf: &mut Cnf, family: &'static str, levels: &[(u64, Lit)], column: usize) -> Lit {
    let is_set = |value: u64| value >> column & 1 == 1;
    if let &[(value, lit)] = levels
        && is_set(value)
    {
        return lit;
    }
    let bit = cnf.add_variable().positive();
    let valued = |value| if is_set(value) { bit } else { !bit };
    let first = levels.first().map(|&(_, lit)| lit);
    cnf.add_clause(family, first.into_iter().chain([!bit]));
    for (index, &(value, lit)) in levels.iter().enumerate() {
        let next = levels.get(index + 1).map(|&(_, next)| next);
        cnf.add_clause(family, [!lit].into_iter().chain(next).chain([valued(value)]));
    }
    bit
}
