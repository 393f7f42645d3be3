//! Adders (Warners, A linear-time transformation of linear inequalities into conjunctive normal form, 1998): full and
//! half adders add the literals up in binary. The fewest clauses of all, but unit propagation does not see through
//! them.

use std::collections::VecDeque;

use super::{Cnf, Lit};

pub(super) fn exactly(cnf: &mut Cnf, family: &'static str, literals: &[Lit], k: usize) {
    let mut bits: VecDeque<Lit> = literals.iter().copied().collect();
    let mut weight = 1;
    while !bits.is_empty() {
        let mut carries = VecDeque::new();
        // Those that came first go first, which keeps the tree of adders flat.
        while bits.len() > 1 {
            let (a, b) = (bits[0], bits[1]);
            let third = bits.get(2).copied();
            bits.drain(..2 + usize::from(third.is_some()));
            carries.push_back(carry(cnf, family, a, b, third));
            bits.push_back(sum(cnf, family, a, b, third));
        }
        let wanted = k & weight != 0;
        cnf.add_clause(family, bits.iter().map(|&bit| if wanted { bit } else { !bit }));
        (bits, weight) = (carries, weight << 1);
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
