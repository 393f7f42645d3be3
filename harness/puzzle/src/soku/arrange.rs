//! What lies on faces: weights from placements, placements from weights, and the sums around vertices.

use std::collections::HashMap;

use super::field::least_rotation;
use super::game::{Soku, rotated};
use crate::solution::Placement;

/// The placements that show these weights (on face 1, 2, ..., near the corners 0, 1, 2): of tiles that can stand in for each
/// other the one with the least number lies on the first face, in the least rotation. Tiles that the game has placed lie where
/// it says.
///
/// `None` where the game has no such tiles.
pub fn placements(game: &Soku, shown: &[[u32; 3]]) -> Option<Vec<Placement>> {
    placements_so_far(game, &shown.iter().copied().map(Some).collect::<Vec<_>>())
}

/// The same where some faces have no tile yet.
pub fn placements_so_far(game: &Soku, shown: &[Option<[u32; 3]>]) -> Option<Vec<Placement>> {
    let mut used = vec![false; game.tiles.len()];
    let mut on: Vec<Option<Placement>> = vec![None; shown.len()];
    for &placed in &game.placed {
        if shown.get(placed.place - 1) == Some(&Some(game.shown(&placed))) {
            used[placed.tile - 1] = true;
            on[placed.place - 1] = Some(placed);
        }
    }
    // By what they can show, least number last.
    let mut stock = HashMap::<[u32; 3], Vec<usize>>::new();
    for (index, &tile) in game.tiles.iter().enumerate().rev().filter(|(index, _)| !used[*index]) {
        stock.entry(least_rotation(tile)).or_default().push(index);
    }
    for (face, weights) in shown.iter().enumerate() {
        if let (None, &Some(weights)) = (on[face], weights) {
            let index = stock.get_mut(&least_rotation(weights))?.pop()?;
            let orientation = (0..3).find(|&rotation| rotated(game.tiles[index], rotation) == weights)?;
            on[face] = Some(Placement { place: face + 1, tile: index + 1, orientation });
        }
    }
    Some(on.into_iter().flatten().collect())
}

/// What lies on each face; of several tiles on a face the last one counts, and placements that the game does not have (a face,
/// tile or rotation out of range) are left out.
pub(super) fn lying(game: &Soku, placements: &[Placement]) -> Vec<Option<Placement>> {
    let count = game.tiles.len();
    let mut lying = vec![None; count];
    let is_there =
        |p: &&Placement| (1..=count).contains(&p.place) && (1..=count).contains(&p.tile) && p.orientation < 3;
    for &placement in placements.iter().filter(is_there) {
        lying[placement.place - 1] = Some(placement);
    }
    lying
}

/// The weights that lie on each face, near its corners 0, 1, 2; `None` where no tile lies. Of several tiles on a face the last one
/// counts; placements that the game does not have (a face, tile or rotation out of range) are left out.
pub fn arranged(game: &Soku, placements: &[Placement]) -> Vec<Option<[u32; 3]>> {
    lying(game, placements).into_iter().map(|placement| Some(game.shown(&placement?))).collect()
}

/// Vertices with a wrong sum that are named; the others are counted.
const NAMED: usize = 6;

/// Whether the capacity of a vertex is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// The weights around it add up to its capacity, and all its faces have a tile.
    Met,
    /// Some of its faces have no tile, and the weights are not too many yet.
    Open,
    /// The weights are too many, or too few with a tile on each of its faces.
    Missed,
}

/// The weights around the vertices of a game.
pub(super) struct Sums<'a> {
    game: &'a Soku,
    sums: Vec<u64>,
    open: Vec<bool>,
}

impl<'a> Sums<'a> {
    /// The sums of these placements.
    pub fn of(game: &'a Soku, placements: &[Placement]) -> Self {
        let shown = arranged(game, placements);
        let vertices = 0..game.field.vertices().len();
        let around = |vertex| game.field.around(vertex).iter().map(|&(face, corner)| Some(shown[face]?[corner]));
        let sum = |vertex| around(vertex).flatten().map(u64::from).sum();
        let open = |vertex| around(vertex).any(|weight| weight.is_none());
        Self { game, sums: vertices.clone().map(sum).collect(), open: vertices.map(open).collect() }
    }

    /// The sum around a vertex.
    pub fn around(&self, vertex: usize) -> u64 {
        self.sums[vertex]
    }

    /// Whether the capacity of a vertex is met.
    pub fn state(&self, vertex: usize) -> State {
        let (sum, capacity) = (self.sums[vertex], u64::from(self.game.capacity[vertex]));
        if self.open[vertex] && sum <= capacity {
            State::Open
        } else if sum == capacity {
            State::Met
        } else {
            State::Missed
        }
    }

    /// How many capacities are met, and which cannot be.
    pub fn words(&self) -> String {
        let count = self.sums.len();
        let of = |wanted| (0..count).filter(move |&vertex| self.state(vertex) == wanted);
        let met = of(State::Met).count();
        if met == count {
            return "all capacities met".to_owned();
        }
        let missed: Vec<usize> = of(State::Missed).collect();
        let name = |&vertex: &usize| {
            let vertices = self.game.field.vertices();
            format!("{} has {} instead of {}", vertices[vertex], self.sums[vertex], self.game.capacity[vertex])
        };
        let mut parts = vec![format!("{met} of {count} capacities met")];
        parts.extend(missed.iter().take(NAMED).map(name));
        if missed.len() > NAMED {
            parts.push(format!("{} more are missed", missed.len() - NAMED));
        }
        parts.join(", ")
    }
}
