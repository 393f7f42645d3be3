//! In how many ways the tiles of one kind go to places of which it is known which tiles fit.

use std::collections::HashMap;

use crate::tantrix::TileSet;

/// A set of demands (which tiles fit a place), whatever their order.
pub(super) type Demands = u32;

/// No tile for some place, whatever the others get.
pub(super) const NONE: Demands = u32::MAX;

/// Not looked at yet.
const UNKNOWN: Demands = u32::MAX - 1;

/// The demands met so far, and for each set of them what they leave.
///
/// The answer depends on the set alone, and places in all lines make few different sets: each is worked out once.
pub(super) struct Supply {
    /// (copies, weight of one copy) of each sort.
    sorts: Vec<(u64, u64)>,
    total: usize,
    /// For each demand the sorts that fit, as often as they do.
    demands: Vec<Vec<u8>>,
    numbers: HashMap<Vec<u8>, u16>,
    sets: Vec<Set>,
    known: HashMap<Vec<u16>, Demands>,
}

struct Set {
    demands: Vec<u16>,
    /// Tiles used (number of copies times weight, summed), and in how many ways.
    used: Vec<(u64, u64)>,
    /// The set with one more demand.
    with: Vec<Demands>,
}

impl Supply {
    /// The tiles of a set; those of other kinds are never asked for.
    pub fn new(tiles: &TileSet, total: usize) -> Self {
        let mut weight = 1;
        let sorts = tiles.sorts.iter().map(|sort| {
            let this = weight;
            // At most 2^30, with 30 tiles of 30 sorts.
            weight *= sort.count as u64 + 1;
            (sort.count as u64, this)
        });
        let sorts = sorts.collect();
        let empty = Set { demands: Vec::new(), used: vec![(0, 1)], with: Vec::new() };
        Self {
            sorts,
            total,
            demands: Vec::new(),
            numbers: HashMap::new(),
            sets: vec![empty],
            known: HashMap::from([(Vec::new(), 0)]),
        }
    }

    /// The number of a demand: the sorts (indices) that fit, as often as they do, in order.
    pub fn demand(&mut self, sorts: Vec<u8>) -> u16 {
        let next = self.demands.len() as u16;
        *self.numbers.entry(sorts).or_insert_with_key(|sorts| {
            self.demands.push(sorts.clone());
            next
        })
    }

    /// The set with one more demand, or [`NONE`].
    pub fn with(&mut self, set: Demands, demand: u16) -> Demands {
        match self.sets[set as usize].with.get(usize::from(demand)) {
            Some(&next) if next != UNKNOWN => next,
            _ => self.work_out(set, demand),
        }
    }

    /// In how many ways all tiles go to the places of a set.
    pub fn ways(&self, set: Demands) -> u64 {
        let set = &self.sets[set as usize];
        if set.demands.len() == self.total { set.used.iter().map(|&(_, ways)| ways).sum() } else { 0 }
    }

    #[cold]
    fn work_out(&mut self, from: Demands, demand: u16) -> Demands {
        let mut demands = self.sets[from as usize].demands.clone();
        let at = demands.partition_point(|&other| other < demand);
        demands.insert(at, demand);
        let next = self.known.get(&demands).copied().unwrap_or_else(|| {
            let used = self.use_one(&self.sets[from as usize].used, demand);
            let next = if used.is_empty() { NONE } else { self.sets.len() as Demands };
            if next != NONE {
                self.sets.push(Set { demands: demands.clone(), used, with: Vec::new() });
            }
            self.known.insert(demands, next);
            next
        });
        let with = &mut self.sets[from as usize].with;
        if with.len() <= usize::from(demand) {
            with.resize(usize::from(demand) + 1, UNKNOWN);
        }
        with[usize::from(demand)] = next;
        next
    }

    /// Every way to use one tile more.
    fn use_one(&self, used: &[(u64, u64)], demand: u16) -> Vec<(u64, u64)> {
        let mut after = Vec::new();
        for &(code, ways) in used {
            for &sort in &self.demands[usize::from(demand)] {
                let (count, weight) = self.sorts[usize::from(sort)];
                if code / weight % (count + 1) < count {
                    after.push((code + weight, ways));
                }
            }
        }
        after.sort_unstable();
        after.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        after
    }
}
