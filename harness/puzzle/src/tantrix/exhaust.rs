//! Every solution of a fixed board by plain exhaustive search: the reference that models are checked against,
//! and what `tilebench count` counts with. Fast enough for about 12 places.

use super::{Arrangement, Colour, FixedTantrix, trace};
use crate::hex::opposite;
use crate::{Placement, Solution};

/// Calls `found` with every solution; it returns whether to go on.
///
/// Places are filled in the order of their numbers with every tile and orientation that matches the tiles
/// that lie already; a solution counts when its designated lines form one loop.
pub fn exhaust(name: &str, puzzle: &FixedTantrix, found: &mut dyn FnMut(&Solution) -> bool) {
    let mut search = Search {
        puzzle,
        left: puzzle.tiles.sorts.iter().map(|s| s.count).collect(),
        edges: Vec::with_capacity(puzzle.board.len()),
        solution: Solution { instance: name.to_owned(), ..Solution::default() },
        found,
    };
    search.fill(1);
}

struct Search<'a> {
    puzzle: &'a FixedTantrix,
    left: Vec<usize>,
    edges: Vec<[Colour; 6]>,
    solution: Solution,
    found: &'a mut dyn FnMut(&Solution) -> bool,
}

impl Search<'_> {
    /// Fills the places from this one on; false once enough was found.
    fn fill(&mut self, place: usize) -> bool {
        if place > self.puzzle.board.len() {
            let board = &self.puzzle.board;
            let arrangement = Arrangement::new(board, &self.puzzle.tiles, &self.solution.placements);
            let single = trace(board, &arrangement, self.puzzle.colour).loops.len() == 1;
            return !single || (self.found)(&self.solution);
        }
        for index in 0..self.left.len() {
            if self.left[index] == 0 {
                continue;
            }
            let tile = self.puzzle.tiles.sorts[index].tile;
            self.left[index] -= 1;
            for orientation in 1..=6 {
                let edges: [Colour; 6] = std::array::from_fn(|i| tile.colour(orientation, i + 1));
                if !self.fits(place, &edges) {
                    continue;
                }
                self.edges.push(edges);
                self.solution.placements.push(Placement { place, tile: tile.number, orientation });
                let go_on = self.fill(place + 1);
                self.solution.placements.pop();
                self.edges.pop();
                if !go_on {
                    return false;
                }
            }
            self.left[index] += 1;
        }
        true
    }

    /// Whether a tile matches the tiles before it and turns no designated edge off the board.
    fn fits(&self, place: usize, edges: &[Colour; 6]) -> bool {
        (1..=6).all(|edge| match self.puzzle.board.neighbour(place, edge) {
            None => edges[edge - 1] != self.puzzle.colour,
            Some(next) => self.edges.get(next - 1).is_none_or(|other| other[opposite(edge) - 1] == edges[edge - 1]),
        })
    }
}
