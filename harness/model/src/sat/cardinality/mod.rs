//! Clauses that say that exactly k of some literals hold: one encoding a file.
//!
//! Every encoding defines its auxiliary variables both ways, by clauses over variables that came before, and states
//! the bounds last. So the values of the literals alone decide those of all auxiliaries, one after another.

mod adder;
mod network;
mod sequential;
mod totalizer;

pub(super) use adder::columns;

use super::{Cnf, Lit};
use crate::Cardinality;

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
    match encoding {
        Cardinality::Totalizer => totalizer::exactly(cnf, family, literals, k),
        Cardinality::Sequential => sequential::exactly(cnf, family, literals, k),
        Cardinality::Network => network::exactly(cnf, family, literals, k),
        Cardinality::Adder => adder::exactly(cnf, family, literals, k),
    }
}

/// Says of unary counts (the m-th holds if and only if at least m hold, from 1) that they are k.
fn bound(cnf: &mut Cnf, family: &'static str, counts: &[Lit], k: usize) {
    cnf.add_clause(family, [counts[k - 1]]);
    if let Some(&more) = counts.get(k) {
        cnf.add_clause(family, [!more]);
    }
}
