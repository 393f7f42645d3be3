//! The sequential counter (Sinz, Towards an optimal CNF encoding of Boolean cardinality constraints, CP 2005): unary
//! counts of the first 1, 2, 3, ... literals, up to k + 1, defined both ways.

use super::{Cnf, Lit, bound};

pub(super) fn exactly(cnf: &mut Cnf, family: &'static str, literals: &[Lit], k: usize) {
    let mut before = Vec::new();
    for (index, &lit) in literals.iter().enumerate() {
        before = count(cnf, family, &before, lit, (index + 1).min(k + 1));
    }
    bound(cnf, family, &before, k);
}

/// Unary counts of the literals that were counted before and one more, up to `most`.
fn count(cnf: &mut Cnf, family: &'static str, before: &[Lit], lit: Lit, most: usize) -> Vec<Lit> {
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
