//! From what lies on faces to a solution, for models of every form.

use puzzle::soku::{Soku, placements, rotated};
use puzzle::{Placement, Solution};

/// The solution in which these weights lie on these faces (from 0). Tiles get the numbers that [`placements`] gives them.
/// Where not one tile lies on each face, or the game has no such tiles, the solution has what lies there by the first tile that can
/// show it, and is none.
pub(super) fn solution(instance: &str, game: &Soku, lying: &[(usize, [u32; 3])]) -> Solution {
    let one_each = lying.len() == game.tiles.len() && lying.iter().enumerate().all(|(face, on)| on.0 == face);
    let shown: Vec<[u32; 3]> = lying.iter().map(|&(_, weights)| weights).collect();
    let placed = if one_each { placements(game, &shown) } else { None };
    let placed = placed.unwrap_or_else(|| lying.iter().filter_map(|&on| first_that_shows(game, on)).collect());
    Solution::on_faces(instance, placed)
}

fn first_that_shows(game: &Soku, (face, weights): (usize, [u32; 3])) -> Option<Placement> {
    game.tiles.iter().enumerate().find_map(|(index, &tile)| {
        let orientation = (0..3).find(|&rotation| rotated(tile, rotation) == weights)?;
        Some(Placement { place: face + 1, tile: index + 1, orientation })
    })
}
