//! Clauses that say that exactly k of some literals hold, and that some numbers add up to a total.
//!
//! A number is a list of levels (value, literal) with rising values: the literal holds if and only if the number is at least the
//! value, so that those of lower values hold too. Where none holds the number is 0. This is the order encoding (Tamura, Taga, Kitagawa
//! and Banbara, Compiling finite linear CSP into SAT, Constraints 2009).
//!
//! Every encoding defines its auxiliary variables both ways, by clauses over variables that came before, and states
//! the bounds last. So the values of the literals alone decide those of all auxiliaries, one after another.

use std::collections::{BTreeSet, VecDeque};

use super::{Cnf, Lit};
use crate::formulation::Cardinality;

/// Adds clauses that hold if and only if exactly k of the literals do, for some values of the auxiliary variables that
/// it adds. A literal that stands in the list twice counts twice.
pub fn exactly(cnf: &mut Cnf, family: &'static str, encoding: Cardinality, literals: &[Lit], k: usize) {
    if k > literals.len() {
        return cnf.add_clause(family, []);
    }
    if k == 0 || k == literals.len() {
        for &lit in literals {
            cnf.add_clause(family, [if k == 0 { !lit } else { lit }]);
        }
        return;
    }
    // Unary counts: the m-th, from 1, holds if and only if at least m of the literals do; up to k + 1.
    let counts = match encoding {
        Cardinality::Totalizer => totalizer(cnf, family, literals, k + 1),
        Cardinality::Sequential => sequential(cnf, family, literals, k + 1),
        Cardinality::Network => network(cnf, family, literals, k + 1),
        Cardinality::Adder => return columns(cnf, family, vec![literals.iter().copied().collect()], k as u64),
    };
    cnf.add_clause(family, [counts[k - 1]]);
    if let Some(&more) = counts.get(k) {
        cnf.add_clause(family, [!more]);
    }
}

/// The totalizer (Bailleux and Boufkhad, Efficient CNF encoding of Boolean cardinality constraints, CP 2003): the
/// literals are the leaves of a tree, and each node counts those below it in unary, up to `most`.
fn totalizer(cnf: &mut Cnf, family: &'static str, literals: &[Lit], most: usize) -> Vec<Lit> {
    if literals.len() < 2 {
        return literals.to_vec();
    }
    let (left, right) = literals.split_at(literals.len() / 2);
    let sizes = (left.len(), right.len());
    let left = totalizer(cnf, family, left, most);
    let right = totalizer(cnf, family, right, most);
    let counts: Vec<Lit> = (0..literals.len().min(most)).map(|_| cnf.add_variable()).collect();
    // At least a on the left and b on the right are at least a + b.
    for (a, b) in (0..=left.len()).flat_map(|a| (0..=right.len()).map(move |b| (a, b))).filter(|&(a, b)| a + b > 0) {
        // Beyond `most` it is as good to say it of `most`, and said already where one side alone reaches that far.
        if a + b <= counts.len() {
            let premises = a.checked_sub(1).map(|a| !left[a]).into_iter().chain(b.checked_sub(1).map(|b| !right[b]));
            cnf.add_clause(family, premises.chain([counts[a + b - 1]]));
        }
    }
    // At most a on the left and b on the right are at most a + b; a node whose counts end early cannot say "at most
    // its last".
    for (a, b) in (0..=left.len()).flat_map(|a| (0..=right.len()).map(move |b| (a, b))) {
        let known = (a < left.len() || a == sizes.0) && (b < right.len() || b == sizes.1);
        if known && a + b < counts.len() {
            let premises = left.get(a).into_iter().chain(right.get(b)).copied();
            cnf.add_clause(family, premises.chain([!counts[a + b]]));
        }
    }
    counts
}

/// The sequential counter (Sinz, Towards an optimal CNF encoding of Boolean cardinality constraints, CP 2005): unary
/// counts of the first 1, 2, 3, ... literals, up to `most`, defined both ways.
fn sequential(cnf: &mut Cnf, family: &'static str, literals: &[Lit], most: usize) -> Vec<Lit> {
    (1..)
        .zip(literals)
        .fold(Vec::new(), |before, (count, &lit)| count_one_more(cnf, family, &before, lit, most.min(count)))
}

/// Unary counts of the literals that were counted before and one more, up to `most`.
fn count_one_more(cnf: &mut Cnf, family: &'static str, before: &[Lit], lit: Lit, most: usize) -> Vec<Lit> {
    if before.is_empty() {
        return vec![lit];
    }
    let counts: Vec<Lit> = (0..most).map(|_| cnf.add_variable()).collect();
    for (m, &now) in counts.iter().enumerate() {
        // At least m + 1 now: as many before, or one less and this one. Of 0 there are always enough.
        let (enough, less) = (before.get(m).copied(), m.checked_sub(1).map(|m| before[m]));
        cnf.add_clause(family, less.map(|less| !less).into_iter().chain([!lit, now]));
        cnf.add_clause(family, enough.into_iter().chain([lit, !now]));
        if let Some(enough) = enough {
            cnf.add_clause(family, [!enough, now]);
        }
        if let Some(less) = less {
            cnf.add_clause(family, enough.into_iter().chain([less, !now]));
        }
    }
    counts
}

/// Sorting networks of odd-even merges (Asin, Nieuwenhuis, Oliveras and Rodriguez-Carbonell, Cardinality networks: a
/// theoretical and empirical study, Constraints 2011): the literals are sorted, those that hold first, and everything
/// behind place `most` is cut off.
fn network(cnf: &mut Cnf, family: &'static str, literals: &[Lit], most: usize) -> Vec<Lit> {
    if literals.len() < 2 {
        return literals.to_vec();
    }
    let (left, right) = literals.split_at(literals.len() / 2);
    let left = network(cnf, family, left, most);
    let right = network(cnf, family, right, most);
    merge_sorted(cnf, family, &left, &right, most)
}

/// The first `most` of two sorted lists in order.
fn merge_sorted(cnf: &mut Cnf, family: &'static str, left: &[Lit], right: &[Lit], most: usize) -> Vec<Lit> {
    match (left, right) {
        ([], only) | (only, []) => return only.iter().copied().take(most).collect(),
        (&[a], &[b]) => return compare(cnf, family, a, b, most > 1),
        _ => {}
    }
    let every_second = |list: &[Lit], from| list.iter().copied().skip(from).step_by(2).collect::<Vec<_>>();
    // Of those at odd places one more, or two, may hold than of those at even places.
    let odd = merge_sorted(cnf, family, &every_second(left, 0), &every_second(right, 0), most / 2 + 1);
    let even = merge_sorted(cnf, family, &every_second(left, 1), &every_second(right, 1), most / 2);
    let mut sorted = vec![odd[0]];
    let mut index = 0;
    while sorted.len() < most {
        match (odd.get(index + 1), even.get(index)) {
            (Some(&a), Some(&b)) => sorted.extend(compare(cnf, family, a, b, sorted.len() + 1 < most)),
            (Some(&one), None) | (None, Some(&one)) => sorted.push(one),
            (None, None) => break,
        }
        index += 1;
    }
    sorted
}

/// Two literals in order: the first holds if one of them does; the second, if wanted, if both do.
fn compare(cnf: &mut Cnf, family: &'static str, a: Lit, b: Lit, both: bool) -> Vec<Lit> {
    let first = cnf.add_variable();
    cnf.define_any(family, first, &[a, b]);
    if !both {
        return vec![first];
    }
    let second = cnf.add_variable();
    cnf.add_clause(family, [a, !second]);
    cnf.add_clause(family, [b, !second]);
    cnf.add_clause(family, [!a, !b, second]);
    vec![first, second]
}

/// Adds clauses that hold if and only if literals, each worth 2 to the power of the column in which it stands, add up to a total.
///
/// Adders (Warners, A linear-time transformation of linear inequalities into conjunctive normal form, 1998): full and
/// half adders add the literals up in binary. The fewest clauses of all, but unit propagation does not see through
/// them.
fn columns(cnf: &mut Cnf, family: &'static str, mut columns: Vec<VecDeque<Lit>>, total: u64) {
    let mut column = 0;
    while column < columns.len() || total.checked_shr(column as u32).is_some_and(|rest| rest > 0) {
        let mut bits = columns.get_mut(column).map(std::mem::take).unwrap_or_default();
        let mut carries = VecDeque::new();
        // Those that came first go first, which keeps the tree of adders flat.
        while bits.len() > 1 {
            let (a, b) = (bits[0], bits[1]);
            let third = bits.get(2).copied();
            bits.drain(..2 + usize::from(third.is_some()));
            carries.push_back(carry(cnf, family, a, b, third));
            bits.push_back(sum(cnf, family, a, b, third));
        }
        let wanted = total.checked_shr(column as u32).is_some_and(|rest| rest & 1 == 1);
        match bits.front() {
            Some(&bit) => cnf.add_clause(family, [if wanted { bit } else { !bit }]),
            None if wanted => cnf.add_clause(family, []),
            None => {}
        }
        column += 1;
        if !carries.is_empty() {
            if column == columns.len() {
                columns.push(VecDeque::new());
            }
            // Before the literals of that column, as they came first.
            carries.append(&mut columns[column]);
            columns[column] = carries;
        }
    }
}

/// Holds if and only if two of them hold.
fn carry(cnf: &mut Cnf, family: &'static str, a: Lit, b: Lit, third: Option<Lit>) -> Lit {
    let carry = cnf.add_variable();
    cnf.add_clause(family, [!a, !b, carry]);
    let Some(c) = third else {
        cnf.add_clause(family, [a, !carry]);
        cnf.add_clause(family, [b, !carry]);
        return carry;
    };
    cnf.add_clause(family, [a, b, !carry]);
    for one in [a, b] {
        cnf.add_clause(family, [!one, !c, carry]);
        cnf.add_clause(family, [one, c, !carry]);
    }
    carry
}

/// Holds if and only if an odd number of them hold.
fn sum(cnf: &mut Cnf, family: &'static str, a: Lit, b: Lit, third: Option<Lit>) -> Lit {
    let sum = cnf.add_variable();
    let inputs: Vec<Lit> = [a, b].into_iter().chain(third).collect();
    for holding in 0..1_u32 << inputs.len() {
        let odd = holding.count_ones() % 2 == 1;
        let premises = inputs.iter().enumerate().map(|(at, &lit)| if holding >> at & 1 == 1 { !lit } else { lit });
        cnf.add_clause(family, premises.chain([if odd { sum } else { !sum }]));
    }
    sum
}

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
pub fn add_up(cnf: &mut Cnf, family: &'static str, encoding: Cardinality, numbers: &[Levels], total: u64) {
    let most = greatest(numbers);
    match encoding {
        Cardinality::Adder => binary(cnf, family, numbers, total),
        _ if most <= MOST_UNITS => {
            let units: Vec<Lit> = numbers.iter().flat_map(|levels| units(levels)).collect();
            exactly(cnf, family, encoding, &units, usize::try_from(total).unwrap_or(usize::MAX));
        }
        _ if most < total => cnf.add_clause(family, []),
        _ if is_small_tree(numbers, total) => tree(cnf, family, numbers, total),
        _ => binary(cnf, family, numbers, total),
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
    let most = greatest(numbers);
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
            if is_small_tree(numbers, relevant) {
                let sum = merge(cnf, family, numbers, relevant);
                if lower > 0 {
                    cnf.add_clause(family, at_least(&sum, lower));
                }
                if let Some(more) = at_least(&sum, upper + 1).filter(|_| upper < most) {
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
        numbers.push(vec![(value, cnf.add_variable())]);
        rest -= value;
        step *= 2;
    }
    numbers
}

/// That two numbers add up to something between two bounds, by clauses on their levels.
fn pair(cnf: &mut Cnf, family: &'static str, a: &Levels, b: &Levels, lower: u64, upper: u64) {
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

/// The first level of at least a value.
fn at_least(levels: &[(u64, Lit)], value: u64) -> Option<Lit> {
    levels.iter().find(|&&(level, _)| level >= value).map(|&(_, lit)| lit)
}

/// The greatest sum of some numbers.
pub(crate) fn greatest(numbers: &[Levels]) -> u64 {
    numbers.iter().filter_map(|levels| levels.last()).map(|&(value, _)| value).sum()
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

/// Whether a tree of sums has few enough clauses.
fn is_small_tree(numbers: &[Levels], total: u64) -> bool {
    fn count(numbers: &[Levels], total: u64, clauses: &mut u64) -> Option<Vec<u64>> {
        if let [only] = numbers {
            return Some(values(only));
        }
        let (left, right) = numbers.split_at(numbers.len() / 2);
        let (left, right) = (count(left, total, clauses)?, count(right, total, clauses)?);
        *clauses += 2 * (left.len() * right.len()) as u64;
        (*clauses <= MOST_CLAUSES).then(|| sums(&left, &right, total))
    }
    count(numbers, total, &mut 0).is_some()
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
    if let Some(more) = at_least(&sum, total + 1) {
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
    let sum: Levels = sums[1..].iter().map(|&value| (value, cnf.add_variable())).collect();
    // The level of a value, or of the next that there is.
    let from = |value: u64| at_least(&sum, value.min(total + 1));
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
    let bit = cnf.add_variable();
    let valued = |value| if is_set(value) { bit } else { !bit };
    let first = levels.first().map(|&(_, lit)| lit);
    cnf.add_clause(family, first.into_iter().chain([!bit]));
    for (index, &(value, lit)) in levels.iter().enumerate() {
        let next = levels.get(index + 1).map(|&(_, next)| next);
        cnf.add_clause(family, [!lit].into_iter().chain(next).chain([valued(value)]));
    }
    bit
}
