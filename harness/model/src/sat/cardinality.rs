//! Clauses that say that exactly k of some literals hold.
//!
//! Every encoding defines its auxiliary variables both ways, by clauses over variables that came before, and states
//! the bounds last. So the values of the literals alone decide those of all auxiliaries, one after another.

use std::collections::VecDeque;

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
    let counts: Vec<Lit> = (0..literals.len().min(most)).map(|_| cnf.add_variable().positive()).collect();
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
    let counts: Vec<Lit> = (0..most).map(|_| cnf.add_variable().positive()).collect();
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
    merge(cnf, family, &left, &right, most)
}

/// The first `most` of two sorted lists in order.
fn merge(cnf: &mut Cnf, family: &'static str, left: &[Lit], right: &[Lit], most: usize) -> Vec<Lit> {
    match (left, right) {
        ([], only) | (only, []) => return only.iter().copied().take(most).collect(),
        (&[a], &[b]) => return compare(cnf, family, a, b, most > 1),
        _ => {}
    }
    let every_second = |list: &[Lit], from| list.iter().copied().skip(from).step_by(2).collect::<Vec<_>>();
    // Of those at odd places one more, or two, may hold than of those at even places.
    let odd = merge(cnf, family, &every_second(left, 0), &every_second(right, 0), most / 2 + 1);
    let even = merge(cnf, family, &every_second(left, 1), &every_second(right, 1), most / 2);
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
    let first = cnf.add_variable().positive();
    cnf.add_clause(family, [!a, first]);
    cnf.add_clause(family, [!b, first]);
    cnf.add_clause(family, [a, b, !first]);
    if !both {
        return vec![first];
    }
    let second = cnf.add_variable().positive();
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
pub(super) fn columns(cnf: &mut Cnf, family: &'static str, mut columns: Vec<VecDeque<Lit>>, total: u64) {
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
    let carry = cnf.add_variable().positive();
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
    let sum = cnf.add_variable().positive();
    let inputs: Vec<Lit> = [a, b].into_iter().chain(third).collect();
    for holding in 0..1_u32 << inputs.len() {
        let odd = holding.count_ones() % 2 == 1;
        let premises = inputs.iter().enumerate().map(|(at, &lit)| if holding >> at & 1 == 1 { !lit } else { lit });
        cnf.add_clause(family, premises.chain([if odd { sum } else { !sum }]));
    }
    sum
}
