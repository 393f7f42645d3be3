//! Fixed boards that lack some places and tiles of another, made reproducibly from a seed.

use std::iter;

use puzzle::hex::Axial;
use puzzle::tantrix::{Board, BoardTantrix};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A board that lacks some places and tiles of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Smaller {
    /// The smaller puzzle, of the same colour; sorts of which no tile is left have the count 0.
    pub puzzle: BoardTantrix,
    /// The number on the larger board of each of its places, ascending.
    pub places: Vec<usize>,
    /// Numbers of the places that it lacks.
    pub lacks: Vec<usize>,
}

/// Draws boards that lack so many places of a fixed board, and as many of its tiles, without end; a draw may fail.
///
/// The places lie together: one is drawn, and those nearest to it go first. What is left is a board whose places have two neighbours at least,
/// as a loop needs. A draw fails where there is no such board, or where the turns of the tiles that are left close no loop.
pub fn smaller(puzzle: &BoardTantrix, fewer: usize, seed: u64) -> impl Iterator<Item = Option<Smaller>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    iter::repeat_with(move || draw(puzzle, fewer, &mut rng))
}

fn draw(puzzle: &BoardTantrix, fewer: usize, rng: &mut ChaCha8Rng) -> Option<Smaller> {
    let board = &puzzle.board;
    let mut tiles = puzzle.tiles.clone();
    let copies = tiles.sorts.iter().enumerate().flat_map(|(index, sort)| iter::repeat_n(index, sort.count));
    let mut copies: Vec<usize> = copies.collect();
    copies.shuffle(rng);
    copies.iter().take(fewer).for_each(|&index| tiles.sorts[index].count -= 1);
    let first = board.at(rng.random_range(board.numbers()));
    let mut nearest: Vec<usize> = board.numbers().collect();
    nearest.shuffle(rng);
    nearest.sort_by_key(|&place| board.at(place).distance(first));
    let mut lacks = Vec::with_capacity(fewer);
    for _ in 0..fewer {
        let next = nearest.iter().position(|&place| {
            let left = board.numbers().filter(|other| *other != place && !lacks.contains(other));
            may_have_loop(&left.map(|other| board.at(other)).collect::<Vec<_>>())
        })?;
        lacks.push(nearest.remove(next));
    }
    let places: Vec<usize> = board.numbers().filter(|place| !lacks.contains(place)).collect();
    let at: Vec<Axial> = places.iter().map(|&place| board.at(place)).collect();
    let board = Board::new(&at).ok()?;
    let puzzle = BoardTantrix { challenge: places.len(), tiles, colour: puzzle.colour, board };
    puzzle.tiles.obstacle(puzzle.colour).is_none().then_some(Smaller { puzzle, places, lacks })
}

/// Whether these are a board of which each place has two neighbours at least.
fn may_have_loop(places: &[Axial]) -> bool {
    places.len() >= 3
        && Board::new(places).is_ok_and(|board| board.numbers().all(|place| board.inner_edges(place).count() >= 2))
}
