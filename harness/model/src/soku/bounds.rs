//! What arithmetic alone says of the weights around a vertex.

use puzzle::soku::Soku;

/// The greatest and the least weights of the tiles of a game.
#[derive(Debug)]
pub(super) struct Bounds {
    /// The greatest weight of each tile, greatest first, added up: of no tile, of one, of two, ...
    most: Vec<u64>,
    /// The least weight of each tile, least first, added up.
    least: Vec<u64>,
}

impl Bounds {
    pub fn new(game: &Soku) -> Self {
        let mut greatest: Vec<u32> = game.tiles.iter().filter_map(|tile| tile.iter().max().copied()).collect();
        let mut least: Vec<u32> = game.tiles.iter().filter_map(|tile| tile.iter().min().copied()).collect();
        greatest.sort_unstable_by(|a, b| b.cmp(a));
        least.sort_unstable();
        Self { most: added_up(&greatest), least: added_up(&least) }
    }

    /// Whether the other tiles around a vertex can complete a weight to its capacity, as far as their greatest and
    /// least weights tell. Each face has at most one corner at a vertex, so that the tiles around it are different ones.
    pub fn completes(&self, game: &Soku, vertex: usize, weight: u32) -> bool {
        let others = game.field.around(vertex).len() - 1;
        let rest = u64::from(game.capacity[vertex]).checked_sub(u64::from(weight));
        rest.is_some_and(|rest| (self.least[others]..=self.most[others]).contains(&rest))
    }

    /// Whether these weights can lie on a face: each can be completed to the capacity of its vertex, and they are those of
    /// the tile that was placed there, if one was.
    pub fn allows(&self, game: &Soku, face: usize, weights: [u32; 3]) -> bool {
        let corners = game.field.faces()[face];
        corners.into_iter().zip(weights).all(|(vertex, weight)| self.completes(game, vertex, weight))
            && shows_what_was_placed(game, face, weights)
    }
}

/// Whether these weights are those of the tile that was placed on a face; true where none was.
pub(super) fn shows_what_was_placed(game: &Soku, face: usize, weights: [u32; 3]) -> bool {
    let placed = game.placed.iter().find(|placed| placed.place == face + 1);
    placed.is_none_or(|placed| puzzle::soku::rotated(game.tiles[placed.tile - 1], placed.orientation) == weights)
}

/// The sums of the first 0, 1, 2, ... numbers.
fn added_up(numbers: &[u32]) -> Vec<u64> {
    let sums = numbers.iter().scan(0, |sum, &number| {
        *sum += u64::from(number);
        Some(*sum)
    });
    std::iter::once(0).chain(sums).collect()
}
