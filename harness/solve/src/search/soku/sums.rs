//! Games in which two sums are all that counts, as those that Partition becomes (Rizzo, lemma 1): which tiles go around the first of the
//! two vertices is decided over the sums of their weights, in pseudo-polynomial time or, for up to 40 tiles, from two sorted lists.

use combinatorics::soku::generate::{is_searched, part};
use puzzle::Placement;
use puzzle::soku::{Soku, placements};

use crate::backend::*;
use crate::search::control::{Control, End, Explored, NAME};

/// Finds one solution, or that there is none, of a game that parts its tiles between these vertices ([`Soku::parted`]).
/// Errors: weights too large for so many tiles.
pub(super) fn search(
    game: &Soku,
    mut vertices: [usize; 2],
    control: &Control<'_>,
    found: &mut dyn FnMut(Vec<Placement>) -> bool,
) -> Result<Explored, SolveError> {
    let unsupported = |reason: &str| unsupported(NAME, format!("strategy sums: {reason}"));
    let weights: Vec<u32> = game.tiles.iter().flatten().copied().filter(|&weight| weight > 0).collect();
    if !is_searched(&weights) {
        return Err(unsupported("more than 40 weights with sums too large for a table"));
    }
    vertices.sort_by_key(|&vertex| game.capacity[vertex]);
    // Where there is one, the capacities need not fit the weights.
    let parted = match game.obstacle() {
        Some(_) => None,
        None => part(&weights, u64::from(game.capacity[vertices[0]])),
    };
    let Some(parted) = parted else { return Ok(control.ended(End::Exhausted)) };
    let mut around = vertices.map(|vertex| game.field.around(vertex).iter());
    let mut shown = vec![[0; 3]; game.tiles.len()];
    for (&weight, is_first) in weights.iter().zip(&parted) {
        if let Some(&(face, corner)) = around[usize::from(!is_first)].next() {
            shown[face][corner] = weight;
        }
    }
    let solution = placements(game, &shown);
    let solution = solution.ok_or_else(|| SolveError::call(NAME, "sums", "no tiles with the weights of the parts"))?;
    let goes_on = found(solution);
    Ok(control.ended(if goes_on { End::Exhausted } else { End::Stopped }))
}
