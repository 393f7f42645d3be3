//! From what lies on faces to numbered tiles, and back.

use super::{Soku, rotated};
use crate::Placement;

/// The placements that show these weights (on face 1, 2, ..., near the corners 0, 1, 2): of tiles that can stand in for each
/// other the one with the least number lies on the first face, in the least rotation. Tiles that the game has placed lie where
/// it says.
///
/// `None` where the game has no such tiles.
#[must_use]
pub fn placements(game: &Soku, shown: &[[u32; 3]]) -> Option<Vec<Placement>> {
    let mut used = vec![false; game.tiles.len()];
    let mut on: Vec<Option<Placement>> = vec![None; shown.len()];
    for &placed in &game.placed {
        let shows = rotated(game.tiles[placed.tile - 1], placed.orientation);
        if shown.get(placed.place - 1) == Some(&shows) {
            used[placed.tile - 1] = true;
            on[placed.place - 1] = Some(placed);
        }
    }
    // By what they can show, least number last.
    let mut stock = std::collections::HashMap::<[u32; 3], Vec<usize>>::new();
    let normal = |tile| (0..3).map(|rotation| rotated(tile, rotation)).min().unwrap_or(tile);
    for (index, &tile) in game.tiles.iter().enumerate().rev().filter(|(index, _)| !used[*index]) {
        stock.entry(normal(tile)).or_default().push(index);
    }
    for (face, &weights) in shown.iter().enumerate() {
        if on[face].is_none() {
            let index = stock.get_mut(&normal(weights))?.pop()?;
            let orientation = (0..3).find(|&rotation| rotated(game.tiles[index], rotation) == weights)?;
            on[face] = Some(Placement { place: face + 1, tile: index + 1, orientation });
        }
    }
    on.into_iter().collect()
}

/// The weights that lie on each face, near its corners 0, 1, 2; `None` where no tile lies. Of several tiles on a face the last one
/// counts; placements that the game does not have (a face, tile or rotation out of range) are left out.
#[must_use]
pub fn arranged(game: &Soku, placements: &[Placement]) -> Vec<Option<[u32; 3]>> {
    let mut shown = vec![None; game.field.faces().len()];
    for placement in placements.iter().filter(|placement| placement.orientation < 3) {
        let face = placement.place.checked_sub(1).and_then(|face| shown.get_mut(face));
        let tile = placement.tile.checked_sub(1).and_then(|tile| game.tiles.get(tile));
        if let (Some(face), Some(&tile)) = (face, tile) {
            *face = Some(rotated(tile, placement.orientation));
        }
    }
    shown
}
