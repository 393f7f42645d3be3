//! Tiles: three weights, clockwise.

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
#[must_use]
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
    #[must_use]
    pub fn of(tiles: &[[u32; 3]]) -> Self {
        let mut sorts = std::collections::BTreeMap::<Vec<[u32; 3]>, Vec<usize>>::new();
        for (index, &tile) in tiles.iter().enumerate() {
            let mut shown: Vec<_> = (0..3).map(|rotation| rotated(tile, rotation)).collect();
            shown.sort_unstable();
            shown.dedup();
            sorts.entry(shown).or_default().push(index + 1);
        }
        Self(sorts.into_iter().map(|(shown, tiles)| Sort { tiles, shown }).collect())
    }

    /// The sorts.
    #[must_use]
    pub fn all(&self) -> &[Sort] {
        &self.0
    }

    /// Every triple that a tile can show, with the index of its sort: by sort, then lexicographically.
    pub fn options(&self) -> impl Iterator<Item = (usize, [u32; 3])> + '_ {
        self.0.iter().enumerate().flat_map(|(index, sort)| sort.shown.iter().map(move |&shown| (index, shown)))
    }
}
