//! What can lie on a place: each tile in each orientation, or nothing; as sets of values. One word serves the ten sorts of the
//! repeated set.

use std::array;

use puzzle::Placement;
use puzzle::tantrix::{Colour, TileSet};

use super::places::Places;
use super::sets::{Set, both, insert, meets, union};

/// What an edge shows if nothing lies there; the colours come before it.
pub(super) const EMPTY: usize = 4;

/// Whether the values of a set of tiles, six orientations of each sort and nothing, fit into one word. Those of the thirty tiles that
/// are known fit into [`MOST_WORDS`].
pub(super) fn fit_one_word(tiles: &TileSet) -> bool {
    6 * tiles.sorts.len() < 64
}

/// Words of the largest sets of values.
pub(super) const MOST_WORDS: usize = 3;

#[derive(Debug, Clone, Copy)]
pub(super) struct Value {
    pub sort: usize,
    /// Number of the tile.
    pub tile: usize,
    pub orientation: usize,
    /// The edges (indices) that its designated line joins.
    pub ends: [usize; 2],
}

/// Everything about values that does not change. The value behind the last tile is that nothing lies there.
pub(super) struct Table<const W: usize> {
    pub values: Vec<Value>,
    pub supply: Vec<u32>,
    /// The values of each sort.
    pub of_sort: Vec<Set<W>>,
    pub designated: usize,
    /// By edge (index) and what it shows: the values that show it.
    showing: [[Set<W>; 5]; 6],
    /// By edge (index) and a set of what it may show: the values that show one of them.
    within: [Vec<Set<W>>; 6],
    /// By a set of what an edge may show: what the edge that touches it may.
    opposite: [u8; 32],
}

impl<const W: usize> Table<W> {
    pub fn new(tiles: &TileSet, colour: Colour) -> Self {
        let designated = colour as usize;
        let mut table = Self {
            values: Vec::new(),
            supply: tiles.sorts.iter().map(|sort| sort.count as u32).collect(),
            of_sort: vec![[0; W]; tiles.sorts.len()],
            designated,
            showing: [[[0; W]; 5]; 6],
            within: array::from_fn(|_| vec![[0; W]; 32]),
            opposite: array::from_fn(|shown| partners(shown, designated)),
        };
        for (sort, tile) in tiles.sorts.iter().map(|sort| sort.tile).enumerate() {
            for orientation in 1..=6 {
                let Some(line) = tile.line(orientation, colour) else { continue };
                let value = table.values.len();
                insert(&mut table.of_sort[sort], value);
                for edge in 0..6 {
                    insert(&mut table.showing[edge][tile.colour(orientation, edge + 1) as usize], value);
                }
                let ends = [line.edges.0 - 1, line.edges.1 - 1];
                table.values.push(Value { sort, tile: tile.number, orientation, ends });
            }
        }
        for edge in 0..6 {
            insert(&mut table.showing[edge][EMPTY], table.values.len());
            for shown in 0..32usize {
                let all = (0..5).filter(|state| shown >> state & 1 == 1).map(|state| table.showing[edge][state]);
                table.within[edge][shown] = all.fold([0; W], |all, set| union(&all, &set));
            }
        }
        table
    }

    /// Every tile in every orientation, and nothing.
    pub fn all(&self) -> Set<W> {
        self.within[0][31]
    }

    /// That nothing lies there.
    pub fn nothing(&self) -> Set<W> {
        self.showing[0][EMPTY]
    }

    /// The tile of a value at a place; `None` where the value is that nothing lies there.
    pub fn placement(&self, places: &Places, place: usize, value: usize) -> Option<Placement> {
        let value = self.values.get(value)?;
        Some(Placement { place: places.labels[place], tile: value.tile, orientation: value.orientation })
    }

    /// What lies on a board, by the value of each place.
    pub fn placements(&self, places: &Places, values: &[u16]) -> Vec<Placement> {
        values.iter().enumerate().filter_map(|(place, &value)| self.placement(places, place, value.into())).collect()
    }

    /// What an edge may show, as bits.
    #[inline(always)]
    pub fn shown(&self, set: &Set<W>, edge: usize) -> u8 {
        let showing = &self.showing[edge];
        (0..5).fold(0, |shown, state| shown | u8::from(meets(set, &showing[state])) << state)
    }

    /// Whether an edge may show the designated colour.
    #[inline(always)]
    pub fn may_lead(&self, set: &Set<W>, edge: usize) -> bool {
        meets(set, &self.showing[edge][self.designated])
    }

    /// The values whose designated line joins two edges.
    pub fn joining(&self, [a, b]: [usize; 2]) -> Set<W> {
        both(&self.showing[a][self.designated], &self.showing[b][self.designated])
    }

    /// The values that go with what the touching edge may show.
    #[inline(always)]
    pub fn beside(&self, edge: usize, touching: u8) -> &Set<W> {
        &self.within[edge][usize::from(self.opposite[usize::from(touching)])]
    }
}

/// Equal colours touch; beside nothing there is nothing or any colour but the designated one.
fn partners(shown: usize, designated: usize) -> u8 {
    let has = |state: usize| shown >> state & 1 == 1;
    let may = |state: usize| match state {
        EMPTY => has(EMPTY) || (0..EMPTY).any(|colour| colour != designated && has(colour)),
        colour => has(colour) || colour != designated && has(EMPTY),
    };
    (0..5).filter(|&state| may(state)).fold(0, |all, state| all | 1 << state)
}
