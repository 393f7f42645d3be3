//! What can lie on a face: a tile, or a sort of tiles that are not told apart, in a rotation; and what arithmetic alone says of the
//! weights around a vertex.

use std::ops::Range;

use puzzle::Placement;
use puzzle::soku::{Soku, rotated};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Oriented {
    /// Index of the tile or sort, from 0.
    pub item: usize,
    /// Of the tile; of a sort: of the least triple that it can show.
    pub rotation: usize,
    /// The weights near the corners 0, 1, 2 of a face.
    pub weights: [u32; 3],
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    /// Numbers of the tiles, from 1.
    pub tiles: Vec<usize>,
    /// Where its rotations stand among all options.
    pub options: Range<usize>,
}

#[derive(Debug)]
pub(crate) struct Options {
    distinguished: bool,
    all: Vec<Oriented>,
    items: Vec<Item>,
    /// By number of the tile, from 0.
    item_of: Vec<usize>,
}

impl Options {
    /// The options where tiles of one sort are not told apart: a rotation for each triple that a sort can show.
    pub fn of_sorts(game: &Soku) -> Self {
        let sorts = game.sorts();
        Self::new(game, false, sorts.all().iter().map(|sort| (sort.tiles.clone(), sort.shown[0], sort.shown.len())))
    }

    /// The options where each tile is told apart: three rotations of each, whatever they show.
    pub fn of_tiles(game: &Soku) -> Self {
        let triples = game.tiles.iter().enumerate().map(|(index, &tile)| (vec![index + 1], tile, 3));
        Self::new(game, true, triples)
    }

    fn new(game: &Soku, distinguished: bool, triples: impl Iterator<Item = (Vec<usize>, [u32; 3], usize)>) -> Self {
        let mut made = Self { distinguished, all: Vec::new(), items: Vec::new(), item_of: vec![0; game.tiles.len()] };
        for (item, (tiles, triple, rotations)) in triples.enumerate() {
            let start = made.all.len();
            let oriented = |rotation| Oriented { item, rotation, weights: rotated(triple, rotation) };
            made.all.extend((0..rotations).map(oriented));
            tiles.iter().for_each(|&number| made.item_of[number - 1] = item);
            made.items.push(Item { tiles, options: start..made.all.len() });
        }
        made
    }

    /// All of them, by tile or sort, then by rotation.
    pub fn all(&self) -> &[Oriented] {
        &self.all
    }

    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The index of the option that a placement is; `None` for a tile or rotation that the game does not have.
    pub fn index(&self, game: &Soku, placement: &Placement) -> Option<usize> {
        let number = placement.tile.checked_sub(1).filter(|_| placement.orientation < 3)?;
        let item = &self.items[*self.item_of.get(number)?];
        let weights = rotated(game.tiles[number], placement.orientation);
        let is = |option: &Oriented| {
            if self.distinguished { option.rotation == placement.orientation } else { option.weights == weights }
        };
        item.options.clone().find(|&index| is(&self.all[index]))
    }
}

/// The greatest and the least weights of the tiles of a game.
#[derive(Debug)]
pub(crate) struct Bounds {
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
    placed.is_none_or(|placed| rotated(game.tiles[placed.tile - 1], placed.orientation) == weights)
}

/// The sums of the first 0, 1, 2, ... numbers.
fn added_up(numbers: &[u32]) -> Vec<u64> {
    let sums = numbers.iter().scan(0, |sum, &number| {
        *sum += u64::from(number);
        Some(*sum)
    });
    std::iter::once(0).chain(sums).collect()
}
