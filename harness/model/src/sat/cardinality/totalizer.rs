//! The totalizer (Bailleux and Boufkhad, Efficient CNF encoding of Boolean cardinality constraints, CP 2003): the
//! literals are the leaves of a tree, and each node counts those below it in unary, up to k + 1.

use super::{Cnf, Lit, bound};

pub(super) fn exactly(cnf: &mut Cnf, family: &'static str, literals: &[Lit], k: usize) {
    let counts = count(cnf, family, literals, k + 1);
    bound(cnf, family, &counts, k);
}

/// Unary counts of some literals, up to `most`.
fn count(cnf: &mut Cnf, family: &'static str, literals: &[Lit], most: usize) -> Vec<Lit> {
    if literals.len() < 2 {
        return literals.to_vec();
    }
    let (left, right) = literals.split_at(literals.len() / 2);
    let sizes = (left.len(), right.len());
    let left = count(cnf, family, left, most);
    let right = count(cnf, family, right, most);
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
