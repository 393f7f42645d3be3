//! `IcoSoKu` with random capacities, and made unsolvable.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Generated;
use super::arrangement::Arrangement;
use puzzle::soku::ICOSOKU_TILES;
use puzzle::soku::{Field, ICOSAHEDRON, Soku, named, rotated};
use puzzle::{FieldError, Known};

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
    let mut at = Lying::new(field, capacity, Arrangement::random(ICOSOKU_TILES.len(), rng));
    let mut distance = at.distance();
    for _ in 0..MOVES {
        if distance == 0 {
            return Some(at.arrangement);
        }
        let [a, b] = std::array::from_fn(|_| rng.random_range(0..ICOSOKU_TILES.len()));
        let [before_a, before_b] = [a, b].map(|face| at.arrangement.0[face]);
        at.put(a, (before_b.0, rng.random_range(0..3)));
        if a != b {
            at.put(b, (before_a.0, rng.random_range(0..3)));
        }
        let moved = at.distance();
        // A little more is allowed now and then: 0, 1, 2 or 3 squares.
        if moved <= distance + rng.random_range(0..4) {
            distance = moved;
        } else {
            at.put(a, before_a);
            at.put(b, before_b);
        }
    }
    None
}

/// An arrangement, and how much too great the sum around each vertex is.
struct Lying<'a> {
    field: &'a Field,
    arrangement: Arrangement,
    excess: Vec<i64>,
}

impl<'a> Lying<'a> {
    fn new(field: &'a Field, capacity: &[u32], arrangement: Arrangement) -> Self {
        let mut excess: Vec<i64> = capacity.iter().map(|&capacity| -i64::from(capacity)).collect();
        for (corners, &(tile, rotation)) in field.faces().iter().zip(&arrangement.0) {
            for (&vertex, weight) in corners.iter().zip(rotated(ICOSOKU_TILES[tile], rotation)) {
                excess[vertex] += i64::from(weight);
            }
        }
        Self { field, arrangement, excess }
    }

    fn put(&mut self, face: usize, new: (usize, usize)) {
        let old = std::mem::replace(&mut self.arrangement.0[face], new);
        let [old, new] = [old, new].map(|(tile, rotation)| rotated(ICOSOKU_TILES[tile], rotation));
        for (&vertex, (new, old)) in self.field.faces()[face].iter().zip(new.into_iter().zip(old)) {
            self.excess[vertex] += i64::from(new) - i64::from(old);
        }
    }

    /// The squares of what is too much or too little.
    fn distance(&self) -> i64 {
        self.excess.iter().map(|excess| excess * excess).sum()
    }
}
