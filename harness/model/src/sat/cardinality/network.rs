//! Sorting networks of odd-even merges (Asin, Nieuwenhuis, Oliveras and Rodriguez-Carbonell, Cardinality networks: a
//! theoretical and empirical study, Constraints 2011): the literals are sorted, those that hold first, and everything
//! behind place k + 1 is cut off.

use super::{Cnf, Lit, bound};

pub(super) fn exactly(cnf: &mut Cnf, family: &'static str, literals: &[Lit], k: usize) {
    let sorted = sort(cnf, family, literals, k + 1);
    bound(cnf, family, &sorted, k);
}

/// The first `most` of the literals in order.
fn sort(cnf: &mut Cnf, family: &'static str, literals: &[Lit], most: usize) -> Vec<Lit> {
    if literals.len() < 2 {
        return literals.to_vec();
    }
    let (left, right) = literals.split_at(literals.len() / 2);
    let left = sort(cnf, family, left, most);
    let right = sort(cnf, family, right, most);
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
