//! `IcoSoKu` with random capacities, and made unsolvable.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Generated;
use super::arrangement::Arrangement;
use crate::soku::tiles::ICOSOKU_TILES;
use crate::soku::{Field, ICOSAHEDRON, Soku, named};
use crate::{FieldError, Known};

/// Moves after which a search begins anew.
const MOVES: usize = 20_000;

/// `IcoSoKu` with the capacities 1 to 12 on random vertices. All of them can be solved (Rizzo, section 5.2).
pub(super) fn random(seed: u64) -> Result<Generated, FieldError> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    Ok(solved(&mut rng)?.0)
}

/// k-unsat-IcoSoKu. The same seed gives the same game, the same vertex and, for more placed tiles, the same ones and more.
pub(super) fn unsat(placed: usize, seed: u64) -> Result<Generated, FieldError> {
    let faces = ICOSOKU_TILES.len();
    if placed > faces {
        return Err(FieldError::new("placed", format!("{placed}; there are {faces} tiles")));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut made, arrangement) = solved(&mut rng)?;
    let vertex = rng.random_range(0..made.game.capacity.len());
    made.game.capacity[vertex] -= 1;
    let mut placements = arrangement.placements();
    placements.shuffle(&mut rng);
    placements.truncate(placed);
    placements.sort_unstable_by_key(|placement| placement.place);
    made.game.placed = placements;
    made.known = Known::Unsolvable;
    made.solution = None;
    Ok(made)
}

/// A random game with a solution.
fn solved(rng: &mut ChaCha8Rng) -> Result<(Generated, Arrangement), FieldError> {
    let field = named(ICOSAHEDRON)?;
    let mut capacity: Vec<u32> = (1..=12).collect();
    capacity.shuffle(rng);
    let arrangement = loop {
        if let Some(found) = descend(&field, &capacity, rng) {
            break found;
        }
    };
    let game = Soku { field, capacity, tiles: ICOSOKU_TILES.to_vec(), placed: Vec::new() };
    let solution = Some(arrangement.placements());
    let made = Generated { game, field: ICOSAHEDRON.to_owned(), known: Known::Solvable, solution };
    Ok((made, arrangement))
}

/// From a random arrangement, moves (two faces exchange their tiles, in random rotations, or one tile is rotated) that make
/// the squares of what vertices lack or have too much add up to less, or to little more, until nothing is lacking.
fn descend(field: &Field, capacity: &[u32], rng: &mut ChaCha8Rng) -> Option<Arrangement> {
    let wrong = |arrangement: &Arrangement| -> u64 {
        let sums = arrangement.sums(field, &ICOSOKU_TILES);
        sums.iter().zip(capacity).map(|(&sum, &capacity)| sum.abs_diff(u64::from(capacity)).pow(2)).sum()
    };
    let mut at = Arrangement::random(ICOSOKU_TILES.len(), rng);
    let mut distance = wrong(&at);
    for _ in 0..MOVES {
        if distance == 0 {
            return Some(at);
        }
        let mut next = at.clone();
        let [a, b] = std::array::from_fn(|_| rng.random_range(0..next.0.len()));
        next.0.swap(a, b);
        for face in [a, b] {
            next.0[face].1 = rng.random_range(0..3);
        }
        let moved = wrong(&next);
        // A little more is allowed now and then: 0, 1, 2 or 3 squares.
        if moved <= distance + rng.random_range(0..4) {
            (at, distance) = (next, moved);
        }
    }
    (distance == 0).then_some(at)
}
