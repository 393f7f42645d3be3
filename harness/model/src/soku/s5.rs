//! S5: tiles that can stand in for each other lie in the order of the faces (Rizzo 2020, listing 5). One that was placed
//! beforehand lies where it was placed, and is no part of the order.
//!
//! For tiles t and t' of one sort, t' the next after t, with p\[t,f\] = sum over r of x\[t,f,r\]:
//! sum over g <= f of p\[t',g\] <= sum over g < f of p\[t,g\] for all f. Where t' lies on face f or before, t lies before. This is the
//! convex hull of the order of two tiles, while comparing the numbers of their faces in one row has a weaker relaxation.

use puzzle::soku::Soku;

use super::{Builder, Family, KINDS};
use crate::{FamilyInfo, ModelError, Role};

/// Most nonzeros that its rows may have.
const MOST: usize = 50_000_000;

pub struct S5;

impl Family for S5 {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "S5",
            summary: "equal tiles lie in the order of the faces (with S2: breaks a symmetry)",
            source: "Rizzo 2020, section 3.1 and listing 5",
            kinds: &KINDS,
            roles: &[Role::Strengthening],
        }
    }

    fn add(&self, b: &mut Builder) {
        for placed in b.game.placed.clone() {
            let terms: Vec<_> = b.item_on(placed.tile - 1, placed.place - 1).collect();
            b.model.add_row("S5", format!("S5_{}_placed", placed.tile), terms, 1.0, 1.0);
        }
        for (first, next) in pairs(&b.game) {
            let mut terms = Vec::new();
            for face in b.faces() {
                terms.extend(b.item_on(next - 1, face));
                b.model.add_row("S5", format!("S5_{next}_{}", face + 1), terms.iter().copied(), f64::NEG_INFINITY, 0.0);
                terms.extend(b.item_on(first - 1, face).map(|(var, _)| (var, -1.0)));
            }
        }
    }
}

/// Numbers of tiles that follow each other within a sort, without those that were placed.
fn pairs(game: &Soku) -> Vec<(usize, usize)> {
    let is_placed = |number: usize| game.placed.iter().any(|placed| placed.tile == number);
    let free = |tiles: &[usize]| tiles.iter().copied().filter(|&number| !is_placed(number)).collect::<Vec<_>>();
    let chains = game.sorts().all().iter().map(|sort| free(&sort.tiles)).collect::<Vec<_>>();
    chains.iter().flat_map(|chain| chain.windows(2).map(|pair| (pair[0], pair[1]))).collect()
}

/// Whether its rows are few enough; asked before they are added.
///
/// # Errors
/// They are not.
pub(super) fn check_size(game: &Soku) -> Result<(), ModelError> {
    let (faces, pairs) = (game.tiles.len(), pairs(game).len());
    // Three rotations of two tiles on half of the faces, for each face.
    let nonzeros = pairs.saturating_mul(3 * faces * faces);
    if nonzeros <= MOST {
        return Ok(());
    }
    let reason = format!(
        "S5: {pairs} pairs of equal tiles on {faces} faces make {nonzeros} nonzeros, of which there may be {MOST}; \
         S2' does not tell equal tiles apart and needs no such rows"
    );
    Err(ModelError::Board { reason })
}
