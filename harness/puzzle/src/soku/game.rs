//! Games (Rizzo, definition 2): a field, capacities of its vertices, tiles with three weights; weights from placements, and placements
//! from weights.

use std::collections::{BTreeMap, HashMap};

use super::field::{Field, least_rotation};
use crate::solution::Placement;

/// Greatest weight and capacity that a file may give.
pub const GREATEST_WEIGHT: u32 = 1_000_000_000;

/// The name by which instance files call the tiles of IcoSoKu.
pub const ICOSOKU: &str = "icosoku";

/// The twenty tiles of IcoSoKu in the order of their numbers (Rizzo, section 1.1 and listing 2).
pub const ICOSOKU_TILES: [[u32; 3]; 20] = [
    [0, 0, 0],
    [0, 0, 1],
    [0, 0, 2],
    [0, 0, 3],
    [0, 1, 1],
    [0, 1, 2],
    [0, 1, 2],
    [0, 1, 2],
    [0, 2, 1],
    [0, 2, 1],
    [0, 2, 1],
    [0, 2, 2],
    [0, 3, 3],
    [1, 1, 1],
    [1, 2, 3],
    [1, 2, 3],
    [3, 2, 1],
    [3, 2, 1],
    [2, 2, 2],
    [3, 3, 3],
];

/// A tile, rotated clockwise (0, 1 or 2 times 120 degrees): the weights near the corners 0, 1, 2 of a face.
pub fn rotated(tile: [u32; 3], rotation: usize) -> [u32; 3] {
    std::array::from_fn(|corner| tile[(corner + 3 - rotation % 3) % 3])
}

/// Tiles that can stand in for each other: equal, or equal after a rotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sort {
    /// Numbers of the tiles, from 1.
    pub tiles: Vec<usize>,
    /// The weights that one of them can show near the corners 0, 1, 2 of a face, in lexicographic order: one triple for
    /// a uniform tile, three for any other.
    pub shown: Vec<[u32; 3]>,
}

/// The tiles of a game by sorts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sorts(Vec<Sort>);

impl Sorts {
    /// Sorts tiles. The sorts are in the order of the least triple that each can show.
    pub fn of(tiles: &[[u32; 3]]) -> Self {
        let mut sorts = BTreeMap::<Vec<[u32; 3]>, Vec<usize>>::new();
        for (index, &tile) in tiles.iter().enumerate() {
            let mut shown: Vec<_> = (0..3).map(|rotation| rotated(tile, rotation)).collect();
            shown.sort_unstable();
            shown.dedup();
            sorts.entry(shown).or_default().push(index + 1);
        }
        Self(sorts.into_iter().map(|(shown, tiles)| Sort { tiles, shown }).collect())
    }

    /// The sorts.
    pub fn all(&self) -> &[Sort] {
        &self.0
    }

    /// Every triple that a tile can show, with the index of its sort: by sort, then lexicographically.
    pub fn options(&self) -> impl Iterator<Item = (usize, [u32; 3])> + '_ {
        self.0.iter().enumerate().flat_map(|(index, sort)| sort.shown.iter().map(move |&shown| (index, shown)))
    }
}

/// A game of 3SoKu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Soku {
    /// The playing field.
    pub field: Field,
    /// Of each vertex, in the order of [`Field::vertices`]: what the weights around it add up to.
    pub capacity: Vec<u32>,
    /// Weights of each tile, clockwise, in the order of the tiles' numbers (number 1 at index 0).
    pub tiles: Vec<[u32; 3]>,
    /// Tiles that lie already (place is a face, orientation a rotation from 0), in the order of the faces. A solution shows the
    /// same weights there.
    pub placed: Vec<Placement>,
}

impl Soku {
    /// The weights that a tile shows near the corners 0, 1, 2 of its face.
    pub fn shown(&self, placement: &Placement) -> [u32; 3] {
        rotated(self.tiles[placement.tile - 1], placement.orientation)
    }

    /// The tiles by sorts.
    pub fn sorts(&self) -> Sorts {
        Sorts::of(&self.tiles)
    }

    /// The weights of all tiles together.
    pub fn total_weight(&self) -> u64 {
        self.tiles.iter().flatten().map(|&weight| u64::from(weight)).sum()
    }

    /// Why there can be no solution, if the totals tell.
    pub fn obstacle(&self) -> Option<String> {
        let capacity: u64 = self.capacity.iter().map(|&capacity| u64::from(capacity)).sum();
        let weight = self.total_weight();
        (weight != capacity).then(|| {
            format!("the weights of all tiles add up to {weight}, the capacities of all vertices to {capacity}")
        })
    }

    /// The two vertices between which the tiles are to be parted, if nothing else matters: all others have capacity 0, each face
    /// touches one of the two, a tile has at most one weight above 0, none lies already, and around each of the two there are faces for
    /// all tiles that have one. Partition becomes such games (Rizzo, lemma 1).
    pub fn parted(&self) -> Option<[usize; 2]> {
        let open: Vec<usize> = (0..self.capacity.len()).filter(|&vertex| self.capacity[vertex] > 0).collect();
        let &[first, second] = open.as_slice() else { return None };
        let touches_one = |face: &[usize; 3]| face.iter().filter(|vertex| open.contains(vertex)).count() == 1;
        let positive = |tile: &[u32; 3]| tile.iter().filter(|&&weight| weight > 0).count();
        let weighing: usize = self.tiles.iter().map(positive).sum();
        let fits = self.placed.is_empty()
            && self.field.faces().iter().all(touches_one)
            && self.tiles.iter().all(|tile| positive(tile) <= 1)
            && open.iter().all(|&vertex| self.field.around(vertex).len() >= weighing);
        fits.then_some([first, second])
    }

    /// Everything that determines the puzzle, in a normal form.
    pub(crate) fn canonical(&self) -> String {
        // In quotes where it has what names are joined by, so that no two games have one text.
        let word = |name: &str| {
            let is_plain = !name.contains(|c: char| c.is_whitespace() || ",=\"\\".contains(c));
            if is_plain { name.to_owned() } else { format!("{name:?}") }
        };
        let corners = |face| self.field.corners(face).map(word).join(",");
        let faces: Vec<_> = (0..self.field.faces().len()).map(corners).collect();
        let capacity = self.field.vertices().iter().zip(&self.capacity);
        let capacity: Vec<_> = capacity.map(|(name, capacity)| format!("{}={capacity}", word(name))).collect();
        let tiles: Vec<_> = self.tiles.iter().map(|[a, b, c]| format!("{a},{b},{c}")).collect();
        let placed: Vec<_> = self
            .placed
            .iter()
            .map(|placed| format!("{},{},{}", placed.place, placed.tile, placed.orientation))
            .collect();
        format!(
            "faces {} capacity {} tiles {} placed {}",
            faces.join(" "),
            capacity.join(" "),
            tiles.join(" "),
            placed.join(" ")
        )
    }
}

/// The placements that show these weights (on face 1, 2, ..., near the corners 0, 1, 2): of tiles that can stand in for each
/// other the one with the least number lies on the first face, in the least rotation. Tiles that the game has placed lie where
/// it says.
///
/// `None` where the game has no such tiles.
pub fn placements(game: &Soku, shown: &[[u32; 3]]) -> Option<Vec<Placement>> {
    placements_so_far(game, &shown.iter().copied().map(Some).collect::<Vec<_>>())
}

/// The same where some faces have no tile yet.
pub fn placements_so_far(game: &Soku, shown: &[Option<[u32; 3]>]) -> Option<Vec<Placement>> {
    let mut used = vec![false; game.tiles.len()];
    let mut on: Vec<Option<Placement>> = vec![None; shown.len()];
    for &placed in &game.placed {
        if shown.get(placed.place - 1) == Some(&Some(game.shown(&placed))) {
            used[placed.tile - 1] = true;
            on[placed.place - 1] = Some(placed);
        }
    }
    // By what they can show, least number last.
    let mut stock = HashMap::<[u32; 3], Vec<usize>>::new();
    for (index, &tile) in game.tiles.iter().enumerate().rev().filter(|(index, _)| !used[*index]) {
        stock.entry(least_rotation(tile)).or_default().push(index);
    }
    for (face, weights) in shown.iter().enumerate() {
        if let (None, &Some(weights)) = (on[face], weights) {
            let index = stock.get_mut(&least_rotation(weights))?.pop()?;
            let orientation = (0..3).find(|&rotation| rotated(game.tiles[index], rotation) == weights)?;
            on[face] = Some(Placement { place: face + 1, tile: index + 1, orientation });
        }
    }
    Some(on.into_iter().flatten().collect())
}

/// The placement on each face; of several tiles on a face the last one counts, and placements that the game does not have (a face,
/// tile or rotation out of range) are left out.
pub(super) fn lying(game: &Soku, placements: &[Placement]) -> Vec<Option<Placement>> {
    let count = game.tiles.len();
    let mut lying = vec![None; count];
    let is_there =
        |p: &&Placement| (1..=count).contains(&p.place) && (1..=count).contains(&p.tile) && p.orientation < 3;
    for &placement in placements.iter().filter(is_there) {
        lying[placement.place - 1] = Some(placement);
    }
    lying
}

/// The weights that lie on each face, near its corners 0, 1, 2; `None` where no tile lies. Of several tiles on a face the last one
/// counts; placements that the game does not have (a face, tile or rotation out of range) are left out.
pub fn arranged(game: &Soku, placements: &[Placement]) -> Vec<Option<[u32; 3]>> {
    lying(game, placements).into_iter().map(|placement| Some(game.shown(&placement?))).collect()
}
