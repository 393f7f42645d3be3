//! Games whose capacities are read off an arrangement of random tiles.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Generated, Weights};
use puzzle::soku::{Field, GREATEST_WEIGHT, Soku, named, rotated};
use puzzle::{FieldError, Known, Placement};

/// Tiles on the faces of a field: on each face a tile (counted from 0) and its rotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Arrangement(pub Vec<(usize, usize)>);

impl Arrangement {
    /// All tiles, at random.
    pub fn random(tiles: usize, rng: &mut ChaCha8Rng) -> Self {
        let mut order: Vec<usize> = (0..tiles).collect();
        order.shuffle(rng);
        Self(order.into_iter().map(|tile| (tile, rng.random_range(0..3))).collect())
    }

    /// The sums of the weights around the vertices.
    pub fn sums(&self, field: &Field, tiles: &[[u32; 3]]) -> Vec<u64> {
        let mut sums = vec![0; field.vertices().len()];
        for (corners, &(tile, rotation)) in field.faces().iter().zip(&self.0) {
            for (&vertex, weight) in corners.iter().zip(rotated(tiles[tile], rotation)) {
                sums[vertex] += u64::from(weight);
            }
        }
        sums
    }

    /// The same in the terms of solutions.
    pub fn placements(&self) -> Vec<Placement> {
        let placement = |(face, &(tile, rotation)): (usize, &(usize, usize))| Placement {
            place: face + 1,
            tile: tile + 1,
            orientation: rotation,
        };
        self.0.iter().enumerate().map(placement).collect()
    }
}

/// A game that has the arrangement as a solution.
pub(super) fn solvable(field: &str, weights: &Weights, seed: u64) -> Result<Generated, FieldError> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    read_off(field, weights, &mut rng)
}

/// The same with one capacity greater by 1 and another one less by 1. Where all weights are multiples of a number, these two are
/// none, and there is no solution.
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
    made.known = if weights.multiple > 1 { Known::Unsolvable } else { Known::Unknown };
    made.solution = None;
    Ok(made)
}

fn read_off(name: &str, weights: &Weights, rng: &mut ChaCha8Rng) -> Result<Generated, FieldError> {
    let field = named(name)?;
    let tiles = tiles(field.faces().len(), weights, rng)?;
    let arrangement = Arrangement::random(tiles.len(), rng);
    let sum = |sum: u64| {
        u32::try_from(sum).ok().filter(|&sum| sum <= GREATEST_WEIGHT).ok_or_else(|| {
            let reason =
                format!("{}; a vertex would get the capacity {sum}, more than {GREATEST_WEIGHT}", weights.greatest);
            FieldError::new("greatest", reason)
        })
    };
    let capacity = arrangement.sums(&field, &tiles).into_iter().map(sum).collect::<Result<_, _>>()?;
    let game = Soku { field, capacity, tiles, placed: Vec::new() };
    let solution = Some(arrangement.placements());
    Ok(Generated { game, field: name.to_owned(), known: Known::Solvable, solution })
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
    let mut draw = || {
        let tile: [u32; 3] = std::array::from_fn(|_| rng.random_range(0..=greatest / multiple) * multiple);
        (0..3).map(|rotation| rotated(tile, rotation)).min().unwrap_or(tile)
    };
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
