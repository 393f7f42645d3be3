//! Every rule of a solution (Rizzo, definition 3 and equation 1).

use super::game::Soku;
use crate::solution::{Solution, Terms};
use crate::verdict::{Rule, Verdict, Violation};

/// Checks a solution of a game.
///
/// Every face has exactly one tile, every tile lies exactly once, tiles that were placed beforehand show their weights where
/// they were, and the weights around each vertex add up to its capacity.
pub fn verify(name: &str, game: &Soku, solution: &Solution) -> Verdict {
    let mut violations = Vec::new();
    let mut broken = |rule, message: String| violations.push(Violation { rule, message });
    if solution.instance != name {
        broken(Rule::Instance, format!("the solution is for {:?}, not for {name:?}", solution.instance));
    }
    if solution.terms != Terms::Faces && !solution.placements.is_empty() {
        let message = "placements have place and orientation; in 3SoKu they have face and rotation";
        broken(Rule::Range, message.to_owned());
    }
    let count = game.tiles.len();
    let mut lying: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut shown = vec![None; count];
    let mut uses = vec![0_usize; count];
    for placement in &solution.placements {
        let (face, tile, rotation) = (placement.place, placement.tile, placement.orientation);
        let mut in_range = true;
        for (what, number) in [("face", face), ("tile", tile)] {
            if !(1..=count).contains(&number) {
                broken(Rule::Range, format!("{what} {number}; there are {what}s 1 to {count}"));
                in_range = false;
            }
        }
        if rotation > 2 {
            broken(Rule::Range, format!("rotation {rotation} on face {face}; there is 0, 1 and 2"));
            in_range = false;
        }
        if in_range {
            lying[face - 1].push(tile);
            shown[face - 1] = Some(game.shown(placement));
            uses[tile - 1] += 1;
        }
    }
    let named = |face: usize| format!("face {} ({})", face + 1, game.field.corners(face).join(", "));
    for (face, tiles) in lying.iter().enumerate() {
        match tiles.as_slice() {
            [] => broken(Rule::FullBoard, format!("{} has no tile", named(face))),
            [_] => {}
            several => {
                let tiles: Vec<String> = several.iter().map(usize::to_string).collect();
                broken(Rule::OneTile, format!("{} has the tiles {}", named(face), tiles.join(" and ")));
            }
        }
    }
    for (index, &used) in uses.iter().enumerate().filter(|(_, used)| **used != 1) {
        broken(Rule::TileCount, format!("tile {} lies {used} times instead of once", index + 1));
    }
    for placed in &game.placed {
        let due = game.shown(placed);
        if let Some(found) = shown[placed.place - 1].filter(|found| *found != due) {
            let message = format!(
                "{} shows {found:?}, but tile {} in rotation {} was placed there, which shows {due:?}",
                named(placed.place - 1),
                placed.tile,
                placed.orientation
            );
            broken(Rule::Placed, message);
        }
    }
    for (vertex, &capacity) in game.capacity.iter().enumerate() {
        let weights =
            game.field.around(vertex).iter().filter_map(|&(face, corner)| Some(u64::from(shown[face]?[corner])));
        let sum: u64 = weights.sum();
        if sum != u64::from(capacity) {
            let vertex = &game.field.vertices()[vertex];
            broken(Rule::Capacity, format!("the weights around {vertex} add up to {sum} instead of {capacity}"));
        }
    }
    Verdict { violations, ..Verdict::default() }
}
