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
        let mut edges = vec![None; board.len()];
        for p in placements {
            let slot = p.place.checked_sub(1).and_then(|index| edges.get_mut(index));
            if let (Some(slot), Some(sort), 1..=6) = (slot, tiles.sort(p.tile), p.orientation) {
                *slot = Some(std::array::from_fn(|i| sort.tile.colour(p.orientation, i + 1)));
            }
        }
        Self { edges }
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
