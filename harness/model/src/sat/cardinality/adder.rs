//! Adders (Warners, A linear-time transformation of linear inequalities into conjunctive normal form, 1998): full and
//! half adders add the literals up in binary. The fewest clauses of all, but unit propagation does not see through
//! them.

use std::collections::VecDeque;

use super::{Cnf, Lit};

pub(super) fn exactly(cnf: &mut Cnf, family: &'static str, literals: &[Lit], k: usize) {
    columns(cnf, family, vec![literals.iter().copied().collect()], k as u64);
}

/// Adds clauses that hold if and only if literals, each worth 2 to the power of the column in which it stands, add up to a total.
pub(in crate::sat) fn columns(cnf: &mut Cnf, family: &'static str, mut columns: Vec<VecDeque<Lit>>, total: u64) {
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
