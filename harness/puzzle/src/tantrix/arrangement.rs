//! Tiles lying on the places of a board.

use super::{Board, Colour, TileSet};
use crate::Placement;

/// For each place the colours of its six edges, or nothing where no tile lies.
///
/// Built from puzzle data only, so that verification shares nothing with any model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrangement {
    edges: Vec<Option<[Colour; 6]>>,
}

impl Arrangement {
    /// Lays tiles on a board. Placements out of range are left out; of two on one place the last one lies.
    #[must_use]
    pub fn new(board: &Board, tiles: &TileSet, placements: &[Placement]) -> Self {
        let shown = |p: &Placement| {
            let tile = tiles.sort(p.tile)?.tile;
            Some(std::array::from_fn(|i| tile.colour(p.orientation, i + 1)))
        };
        let lying = lying(board, tiles, placements).into_iter();
        Self { edges: lying.map(|index| shown(&placements[index?])).collect() }
    }

    /// Colour on an edge of a place, if a tile lies there.
    #[must_use]
    pub fn colour(&self, place: usize, edge: usize) -> Option<Colour> {
        self.edges[place - 1].map(|edges| edges[edge - 1])
    }

    /// Whether a tile lies on the place.
    #[must_use]
    pub fn is_filled(&self, place: usize) -> bool {
        self.edges[place - 1].is_some()
    }
}

/// For each place the placement (its index) whose tile lies there.
pub(super) fn lying(board: &Board, tiles: &TileSet, placements: &[Placement]) -> Vec<Option<usize>> {
    let mut lying = vec![None; board.len()];
    for (index, p) in placements.iter().enumerate() {
        let slot = p.place.checked_sub(1).and_then(|place| lying.get_mut(place));
        if let (Some(slot), Some(_), 1..=6) = (slot, tiles.sort(p.tile), p.orientation) {
            *slot = Some(index);
        }
    }
    lying
}
