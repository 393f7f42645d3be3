//! What can lie on a face: a tile, or a sort of tiles that are not told apart, in a rotation.

use std::ops::Range;

use puzzle::Placement;
use puzzle::soku::{Soku, rotated};

/// A tile or sort in a rotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Oriented {
    /// Index of the tile or sort, from 0.
    pub item: usize,
    /// Of the tile; of a sort: of the least triple that it can show.
    pub rotation: usize,
    /// The weights near the corners 0, 1, 2 of a face.
    pub weights: [u32; 3],
}

/// A tile, or a sort of tiles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    /// Numbers of the tiles, from 1.
    pub tiles: Vec<usize>,
    /// Where its rotations stand among all options.
    pub options: Range<usize>,
}

/// All options of a game.
#[derive(Debug)]
pub(super) struct Options {
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
        let triples = sorts.all().iter().map(|sort| (sort.tiles.clone(), sort.shown[0], sort.shown.len()));
        Self::new(game, false, triples)
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

    /// The tiles or sorts.
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
