//! Games from seeds: with capacities read off an arrangement of random tiles, and IcoSoKu with random capacities; and such games
//! made unsolvable.

use std::fmt;

use puzzle::soku::{GREATEST_WEIGHT, ICOSAHEDRON, ICOSOKU_TILES, Soku, least_rotation, named, placements};
use puzzle::{FieldError, Known, Placement};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::soku::count::first;

/// Faces of the largest field on which a shifted game is decided as it is made: a matter of milliseconds.
const DECIDED: usize = 8;

/// Bytes that may be taken for that.
const MEMORY: u64 = 64 << 20;

/// A generated game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generated {
    /// The game.
    pub game: Soku,
    /// The name of its field.
    pub field: String,
    /// What is known of its answer.
    pub known: Known,
    /// A solution, where it is known to have one.
    pub solution: Option<Vec<Placement>>,
}

/// How random tiles are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights {
    /// Greatest weight; weights from 0 to it are equally likely.
    pub greatest: u32,
    /// All weights are multiples of it; 1: any weights.
    pub multiple: u32,
    /// How many triples there are to draw tiles from; `None`: every tile is drawn anew.
    pub sorts: Option<usize>,
}

/// The options of the command line that make such weights, without those at their defaults.
impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " --greatest {}", self.greatest)?;
        if self.multiple != 1 {
            write!(f, " --multiple {}", self.multiple)?;
        }
        self.sorts.map_or(Ok(()), |sorts| write!(f, " --sorts {sorts}"))
    }
}

/// A game whose capacities are read off a random arrangement, which is a solution of it.
pub(super) fn solvable(field: &str, weights: &Weights, seed: u64) -> Result<Generated, FieldError> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    read_off(field, weights, &mut rng)
}

/// The same with one capacity greater by 1 and another one less by 1. Where all weights are multiples of a number, these two are
/// none, and there is no solution. Of other games an answer is known up to [`DECIDED`] faces and capacities of 2²⁶ together.
pub(super) fn shifted(field: &str, weights: &Weights, seed: u64) -> Result<Generated, FieldError> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut made = read_off(field, weights, &mut rng)?;
    let mut vertices: Vec<usize> = (0..made.game.capacity.len()).collect();
    vertices.shuffle(&mut rng);
    let less = vertices.iter().copied().find(|&vertex| made.game.capacity[vertex] > 0).ok_or_else(|| {
        FieldError::new("greatest", "all weights are 0, so that no capacity can be less; take another seed or weight")
    })?;
    let most = |vertex: &usize| made.game.capacity[*vertex] < GREATEST_WEIGHT;
    let more = vertices
        .into_iter()
        .find(|vertex| *vertex != less && most(vertex))
        .ok_or_else(|| FieldError::new("greatest", "every capacity is as great as can be; take a lesser weight"))?;
    made.game.capacity[less] -= 1;
    made.game.capacity[more] += 1;
    let is_small = weights.multiple == 1 && made.game.tiles.len() <= DECIDED;
    let found = is_small.then(|| first(&made.game, MEMORY, &|| true).ok()).flatten();
    let is_unsolvable = weights.multiple > 1 || found.as_ref().is_some_and(|found| found.solutions == 0);
    made.solution = found.and_then(|found| placements(&made.game, &found.example?));
    made.known = match made.solution {
        Some(_) => Known::Solvable,
        None if is_unsolvable => Known::Unsolvable,
        None => Known::Unknown,
    };
    Ok(made)
}

fn read_off(name: &str, weights: &Weights, rng: &mut ChaCha8Rng) -> Result<Generated, FieldError> {
    let field = named(name)?;
    let tiles = tiles(field.faces().len(), weights, rng)?;
    let mut game = Soku { field, capacity: Vec::new(), tiles, placed: Vec::new() };
    let lying = scattered(game.tiles.len(), rng);
    let capacity = |sum: u64| {
        u32::try_from(sum).ok().filter(|&sum| sum <= GREATEST_WEIGHT).ok_or_else(|| {
            let reason =
                format!("{}; a vertex would get the capacity {sum}, more than {GREATEST_WEIGHT}", weights.greatest);
            FieldError::new("greatest", reason)
        })
    };
    game.capacity = sums(&game, &lying).into_iter().map(capacity).collect::<Result<_, _>>()?;
    Ok(Generated { game, field: name.to_owned(), known: Known::Solvable, solution: Some(lying) })
}

/// All tiles on the faces at random, in the order of the faces.
fn scattered(tiles: usize, rng: &mut ChaCha8Rng) -> Vec<Placement> {
    let mut order: Vec<usize> = (1..=tiles).collect();
    order.shuffle(rng);
    (1..).zip(order).map(|(place, tile)| Placement { place, tile, orientation: rng.random_range(0..3) }).collect()
}

fn sums(game: &Soku, lying: &[Placement]) -> Vec<u64> {
    let mut sums = vec![0; game.field.vertices().len()];
    for placement in lying {
        for (&vertex, weight) in game.field.faces()[placement.place - 1].iter().zip(game.shown(placement)) {
            sums[vertex] += u64::from(weight);
        }
    }
    sums
}

/// Random tiles, each in its least rotation, in lexicographic order, so that their numbers say nothing of an arrangement.
fn tiles(count: usize, weights: &Weights, rng: &mut ChaCha8Rng) -> Result<Vec<[u32; 3]>, FieldError> {
    let &Weights { greatest, multiple, sorts } = weights;
    if greatest > GREATEST_WEIGHT {
        return Err(FieldError::new("greatest", format!("{greatest}; a weight is at most {GREATEST_WEIGHT}")));
    }
    if multiple == 0 || multiple > greatest.max(1) {
        let reason = format!("{multiple}; a whole number from 1 to the greatest weight, {greatest}");
        return Err(FieldError::new("multiple", reason));
    }
    if sorts == Some(0) {
        return Err(FieldError::new("sorts", "0; there is at least 1"));
    }
    let mut draw =
        || least_rotation(std::array::from_fn::<u32, 3, _>(|_| rng.random_range(0..=greatest / multiple) * multiple));
    let mut tiles: Vec<[u32; 3]> = match sorts {
        None => (0..count).map(|_| draw()).collect(),
        Some(sorts) => {
            let sorts: Vec<[u32; 3]> = (0..sorts.min(count)).map(|_| draw()).collect();
            (0..count).map(|_| sorts[rng.random_range(0..sorts.len())]).collect()
        }
    };
    tiles.sort_unstable();
    Ok(tiles)
}

const MOVES: usize = 20_000;

/// `IcoSoKu` with the capacities 1 to 12 on random vertices. All of them can be solved (Rizzo, section 5.2).
pub(super) fn random(seed: u64) -> Result<Generated, FieldError> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    solved(shuffled(&mut rng), &mut rng)
}

/// `IcoSoKu` with given capacities of A to L: 1 to 12 in any order, so that there is a solution.
pub(super) fn given(capacities: &[u32]) -> Result<Generated, FieldError> {
    let mut sorted = capacities.to_vec();
    sorted.sort_unstable();
    if !sorted.iter().copied().eq(1..=12) {
        let reason = "these are not the numbers 1 to 12, each once, in the order of the vertices A to L";
        return Err(FieldError::new("capacities", reason));
    }
    solved(capacities.to_vec(), &mut ChaCha8Rng::seed_from_u64(1))
}

/// k-unsat-IcoSoKu. The same seed gives the same game, the same vertex and, for more placed tiles, the same ones and more.
pub(super) fn unsat(placed: usize, seed: u64) -> Result<Generated, FieldError> {
    let faces = ICOSOKU_TILES.len();
    if placed > faces {
        return Err(FieldError::new("placed", format!("{placed}; there are {faces} tiles")));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut made = solved(shuffled(&mut rng), &mut rng)?;
    let vertex = rng.random_range(0..made.game.capacity.len());
    made.game.capacity[vertex] -= 1;
    let mut placements = made.solution.take().unwrap_or_default();
    placements.shuffle(&mut rng);
    placements.truncate(placed);
    placements.sort_unstable_by_key(|placement| placement.place);
    made.game.placed = placements;
    made.known = Known::Unsolvable;
    Ok(made)
}

fn shuffled(rng: &mut ChaCha8Rng) -> Vec<u32> {
    let mut capacity: Vec<u32> = (1..=12).collect();
    capacity.shuffle(rng);
    capacity
}

fn solved(capacity: Vec<u32>, rng: &mut ChaCha8Rng) -> Result<Generated, FieldError> {
    let game = Soku { field: named(ICOSAHEDRON)?, capacity, tiles: ICOSOKU_TILES.to_vec(), placed: Vec::new() };
    let solution = loop {
        if let Some(found) = descend(&game, rng) {
            break Some(found);
        }
    };
    Ok(Generated { game, field: ICOSAHEDRON.to_owned(), known: Known::Solvable, solution })
}

/// From a random arrangement, moves (two faces exchange their tiles, in random rotations, or one tile is rotated) that make
/// the squares of what vertices lack or have too much add up to less, or to little more, until nothing is lacking.
fn descend(game: &Soku, rng: &mut ChaCha8Rng) -> Option<Vec<Placement>> {
    let mut lying = scattered(game.tiles.len(), rng);
    let mut excess: Vec<i64> =
        sums(game, &lying).iter().zip(&game.capacity).map(|(&sum, &due)| sum as i64 - i64::from(due)).collect();
    let squares = |excess: &[i64]| excess.iter().map(|excess| excess * excess).sum::<i64>();
    let mut distance = squares(&excess);
    for _ in 0..MOVES {
        if distance == 0 {
            return Some(lying);
        }
        let [a, b] = std::array::from_fn(|_| rng.random_range(0..lying.len()));
        let (before_a, before_b) = (lying[a], lying[b]);
        let mut put = |new: Placement| {
            let old = std::mem::replace(&mut lying[new.place - 1], new);
            let change = game.shown(&new).into_iter().zip(game.shown(&old));
            for (&vertex, (new, old)) in game.field.faces()[new.place - 1].iter().zip(change) {
                excess[vertex] += i64::from(new) - i64::from(old);
            }
            squares(&excess)
        };
        let mut moved = put(Placement { tile: before_b.tile, orientation: rng.random_range(0..3), ..before_a });
        if a != b {
            moved = put(Placement { tile: before_a.tile, orientation: rng.random_range(0..3), ..before_b });
        }
        // A little more is allowed now and then: 0, 1, 2 or 3 squares.
        if moved <= distance + rng.random_range(0..4) {
            distance = moved;
        } else {
            put(before_a);
            put(before_b);
        }
    }
    None
}
