//! In how many ways the tiles of one kind go to places of which it is known which tiles fit.

use std::collections::HashMap;
use std::sync::Arc;

use puzzle::tantrix::TileSet;

/// Number of a state of the supply; 0 where no tile is used yet.
pub(super) type State = u32;

/// No tile is left for some place, whatever the others get.
pub(super) const NONE: State = u32::MAX;

/// More ways than can be counted.
const TOO_MANY: u64 = u64::MAX;

/// Not looked at yet.
const UNKNOWN: State = u32::MAX - 1;

/// So many entries are kept (16 bytes each and as much again for their successors) before all are forgotten.
const MOST_ENTRIES: usize = 4_000_000;

/// Which tiles can be used up by the places so far, and in how many ways: (the tiles, the ways).
///
/// The tiles are a number: for each tile the weight of its sort. Ways beyond [`TOO_MANY`] stay there.
type Used = Arc<[(u32, u64)]>;

/// The states that the supply of tiles can be in, and how it gets from one to another.
///
/// What is possible later depends on nothing but the state, and different places in different lines lead to
/// the same states: each step is worked out once.
#[derive(Clone)]
pub(super) struct Supply {
    /// (copies, weight) of each sort.
    sorts: Vec<(u32, u32)>,
    /// All tiles of this kind.
    all: u32,
    /// For each demand the sorts that fit, as often as they do.
    demands: Vec<Vec<u8>>,
    numbers: HashMap<Vec<u8>, u16>,
    states: Vec<Used>,
    known: HashMap<Used, State>,
    entries: usize,
    /// The state after a state and a demand, in rows of `width`.
    next: Vec<State>,
    width: usize,
}

impl Supply {
    /// The sorts (indices) of one kind in a set of tiles.
    pub fn new(tiles: &TileSet, kind: &[u8]) -> Self {
        let (mut sorts, mut weight, mut all) = (Vec::new(), 1, 0);
        for (index, sort) in tiles.sorts.iter().enumerate() {
            let count = if kind.contains(&(index as u8)) { sort.count as u32 } else { 0 };
            sorts.push((count, weight));
            all += weight * count;
            // At most 2^30, with 30 sorts of one tile.
            weight *= count + 1;
        }
        let mut supply = Self {
            sorts,
            all,
            demands: Vec::new(),
            numbers: HashMap::new(),
            states: Vec::new(),
            known: HashMap::new(),
            entries: 0,
            next: Vec::new(),
            width: 8,
        };
        supply.forget();
        supply
    }

    /// The number of a demand: the sorts (indices) that fit, as often as they do, in order.
    pub fn demand(&mut self, sorts: Vec<u8>) -> u16 {
        let number = self.demands.len() as u16;
        let number = *self.numbers.entry(sorts).or_insert_with_key(|sorts| {
            self.demands.push(sorts.clone());
            number
        });
        if self.demands.len() > self.width {
            self.width *= 2;
            self.forget();
        }
        number
    }

    /// Frees memory if much is used; states of before mean nothing after it.
    pub fn trim(&mut self) {
        if self.entries > MOST_ENTRIES {
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.states.clear();
        self.known.clear();
        self.next.clear();
        self.entries = 0;
        self.state(vec![(0, 1)]);
    }

    /// The state after one more place, or [`NONE`].
    pub fn after(&mut self, state: State, demand: u16) -> State {
        match self.next[state as usize * self.width + usize::from(demand)] {
            UNKNOWN => self.work_out(state, demand),
            next => next,
        }
    }

    /// In how many ways all tiles are used in a state; nothing if these are too many to count.
    pub fn ways(&self, state: State) -> Option<u64> {
        match *self.states[state as usize] {
            [(tiles, ways)] if tiles == self.all => (ways != TOO_MANY).then_some(ways),
            _ => Some(0),
        }
    }

    #[cold]
    fn work_out(&mut self, state: State, demand: u16) -> State {
        let mut used = Vec::new();
        for &(tiles, ways) in self.states[state as usize].iter() {
            for &sort in &self.demands[usize::from(demand)] {
                let (count, weight) = self.sorts[usize::from(sort)];
                if tiles / weight % (count + 1) < count {
                    used.push((tiles + weight, ways));
                }
            }
        }
        used.sort_unstable();
        used.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = u64::saturating_add(kept.1, next.1);
            }
            same
        });
        let next = if used.is_empty() { NONE } else { self.state(used) };
        self.next[state as usize * self.width + usize::from(demand)] = next;
        next
    }

    fn state(&mut self, used: Vec<(u32, u64)>) -> State {
        let used: Used = used.into();
        if let Some(&state) = self.known.get(&used) {
            return state;
        }
        let state = self.states.len() as State;
        self.entries += used.len() + self.width / 4;
        self.states.push(Arc::clone(&used));
        self.known.insert(used, state);
        self.next.resize(self.states.len() * self.width, UNKNOWN);
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzle::tantrix::{Sort, TileSetKind, tile};

    /// Ways to lay so many copies of a tile on as many places, each of which it fits in 255 turns.
    fn ways(copies: usize) -> Option<u64> {
        let sorts = vec![Sort { tile: tile(1).expect("known"), count: copies }];
        let mut supply = Supply::new(&TileSet { kind: TileSetKind::Repeated, sorts }, &[0]);
        let demand = supply.demand(vec![0; 255]);
        let last = (0..copies).fold(0, |state, _| supply.after(state, demand));
        supply.ways(last)
    }

    #[test]
    fn ways_that_are_too_many_to_count_are_not_taken_for_a_number() {
        for copies in 1..=8 {
            assert_eq!(ways(copies), Some(255u64.pow(copies as u32)));
        }
        for copies in 9..=30 {
            assert_eq!(ways(copies), None);
        }
    }
}
