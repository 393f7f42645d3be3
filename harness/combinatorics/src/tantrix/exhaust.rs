//! Every solution on a board by plain exhaustive search: the reference that models and faster searches are checked
//! against. Fast enough for about 12 tiles on a fixed board, and for about 6 where the board has places to spare.

use puzzle::hex::{holes, opposite};
use puzzle::tantrix::{Arrangement, BoardTantrix, Colour, trace};
use puzzle::{Placement, Solution};

/// Calls `found` with every solution; it returns whether to go on.
///
/// Places are filled in the order of their numbers with every tile and orientation that matches the tiles that lie
/// already, or left empty while there are places to spare; a solution counts when its designated lines form one
/// loop and it encloses no hole. A board of fewer places than tiles has none.
pub fn exhaust(name: &str, puzzle: &BoardTantrix, found: &mut dyn FnMut(&Solution) -> bool) {
    let Some(spare) = puzzle.board.len().checked_sub(puzzle.challenge) else { return };
    let mut search = Search {
        puzzle,
        left: puzzle.tiles.sorts.iter().map(|s| s.count).collect(),
        spare,
        edges: Vec::with_capacity(puzzle.board.len()),
        solution: Solution { instance: name.to_owned(), ..Solution::default() },
        found,
    };
    search.fill(1);
}

struct Search<'a> {
    puzzle: &'a BoardTantrix,
    left: Vec<usize>,
    /// Places that may still be left empty.
    spare: usize,
    /// What lies on the places so far: the colours of a tile, or nothing.
    edges: Vec<Option<[Colour; 6]>>,
    solution: Solution,
    found: &'a mut dyn FnMut(&Solution) -> bool,
}

impl Search<'_> {
    /// Fills the places from this one on; false once enough was found.
    fn fill(&mut self, place: usize) -> bool {
        if place > self.puzzle.board.len() {
            return !self.is_solution() || (self.found)(&self.solution);
        }
        for index in 0..self.left.len() {
            if self.left[index] == 0 {
                continue;
            }
            let tile = self.puzzle.tiles.sorts[index].tile;
            self.left[index] -= 1;
            for orientation in 1..=6 {
                let edges: [Colour; 6] = std::array::from_fn(|i| tile.colour(orientation, i + 1));
                if !self.fits(place, Some(&edges)) {
                    continue;
                }
                self.edges.push(Some(edges));
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
        if self.spare == 0 || !self.fits(place, None) {
            return true;
        }
        self.spare -= 1;
        self.edges.push(None);
        let go_on = self.fill(place + 1);
        self.edges.pop();
        self.spare += 1;
        go_on
    }

    /// Whether a tile, or leaving the place empty, goes with what lies before it: touching edges match, and no
    /// designated edge looks at an empty place or off the board.
    fn fits(&self, place: usize, edges: Option<&[Colour; 6]>) -> bool {
        let designated = self.puzzle.colour;
        (1..=6).all(|edge| {
            let here = edges.map(|edges| edges[edge - 1]);
            match self.puzzle.board.neighbour(place, edge) {
                None => here != Some(designated),
                Some(next) => match (here, self.edges.get(next - 1)) {
                    (_, None) | (None, Some(None)) => true,
                    (Some(colour), Some(None)) => colour != designated,
                    (None, Some(Some(other))) => other[opposite(edge) - 1] != designated,
                    (Some(colour), Some(Some(other))) => other[opposite(edge) - 1] == colour,
                },
            }
        })
    }

    fn is_solution(&self) -> bool {
        let board = &self.puzzle.board;
        let arrangement = Arrangement::new(board, &self.puzzle.tiles, &self.solution.placements);
        let filled = self.solution.placements.iter().map(|p| board.at(p.place)).collect();
        trace(board, &arrangement, self.puzzle.colour).loops.len() == 1 && holes(&filled).is_empty()
    }
}
