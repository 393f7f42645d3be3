//! The two sides, put together: where one has some of the tiles the other has the rest, and at the vertices between them the sums make
//! up the capacities.

use std::sync::Mutex;

use super::stock::Stock;
use super::sweep::{Effort, Side};

/// What joins.
pub(super) struct Joined {
    /// Solutions; nothing where they are too many for the number.
    pub solutions: Option<u128>,
    /// The first multiset of the first side that is part of a solution.
    pub first: Option<u64>,
}

/// Counts the pairs. `laid` is how many tiles the first side has, `found` is called with the count so far.
pub(super) fn join(
    sides: [&Side<'_>; 2],
    stock: &Stock,
    laid: usize,
    effort: &Effort<'_>,
    found: &(dyn Fn(u128) + Sync),
) -> Joined {
    let multisets = stock.of_size(laid);
    let joined = Mutex::new(Joined { solutions: Some(0), first: None });
    let own = || vec![0_u64; sides[0].cells.cells()];
    effort.share(multisets.len(), own, |across, index| {
        let multiset = multisets[index];
        let mut solutions = 0;
        // No overflow: the ways of either side, all cells together, are below 2^63.
        fill(sides[1], stock.all() - multiset, across);
        sides[0].finish(multiset, |cell, ways| solutions += u128::from(across[cell]) * u128::from(ways));
        if solutions > 0
            && let Ok(mut joined) = joined.lock()
        {
            joined.solutions = joined.solutions.and_then(|so_far| so_far.checked_add(solutions));
            joined.first = Some(joined.first.map_or(multiset, |first| first.min(multiset)));
            found(joined.solutions.unwrap_or(u128::MAX));
        }
    });
    joined.into_inner().unwrap_or(Joined { solutions: None, first: None })
}

/// The first cell of the first side in which a multiset of that side is part of a solution.
pub(super) fn meeting(sides: [&Side<'_>; 2], stock: &Stock, multiset: u64) -> Option<usize> {
    let mut across = vec![0; sides[0].cells.cells()];
    fill(sides[1], stock.all() - multiset, &mut across);
    let mut met = None;
    sides[0].finish(multiset, |cell, _| {
        if across[cell] > 0 {
            met = Some(met.map_or(cell, |first: usize| first.min(cell)));
        }
    });
    met
}

/// The ways of the second side by the cell of the first that it completes: at each vertex what one side has is what the other
/// lacks, so that both have the same cells in opposite order.
fn fill(side: &Side<'_>, multiset: u64, across: &mut [u64]) {
    across.fill(0);
    let last = across.len() - 1;
    side.finish(multiset, |cell, ways| across[last - cell] += ways);
}
