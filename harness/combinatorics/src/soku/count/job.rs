//! What is left to lay of a game, without its names: faces, what their vertices lack, tiles by sorts; and what follows from that
//! alone: which multisets of tiles there are, and what sums there can be at a vertex.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use puzzle::soku::Soku;

/// Faces that have no tile yet, and what has to lie on them.
#[derive(Debug, Clone)]
pub(super) struct Job {
    /// Vertices of each face, clockwise.
    pub faces: Vec<[usize; 3]>,
    /// Of each vertex: what the weights on these faces add up to.
    pub capacity: Vec<u32>,
    /// Copies of each sort.
    pub stock: Vec<usize>,
    /// What a tile of each sort can show.
    pub shown: Vec<Vec<[u32; 3]>>,
}

/// A count, and a solution (by face, in the order of the job) if there is one and it was wanted.
pub(super) type Solved = (u128, Option<Vec<[u32; 3]>>);

impl Job {
    /// What is left of a game once the tiles lie that it has placed, and the indices of the faces that are left. `None` where totals or
    /// single vertices show that there is no solution.
    pub fn of(game: &Soku) -> Option<(Self, Vec<usize>)> {
        let sorts = game.sorts();
        let mut stock: Vec<usize> = sorts.all().iter().map(|sort| sort.tiles.len()).collect();
        let mut capacity = game.capacity.clone();
        let mut left: Vec<usize> = (0..game.field.faces().len()).collect();
        for placed in &game.placed {
            stock[sorts.all().iter().position(|sort| sort.tiles.contains(&placed.tile))?] -= 1;
            for (vertex, weight) in game.field.faces()[placed.place - 1].into_iter().zip(game.shown(placed)) {
                capacity[vertex] = capacity[vertex].checked_sub(weight)?;
            }
            left.retain(|&face| face != placed.place - 1);
        }
        let mut sorts: Vec<_> = stock.into_iter().zip(sorts.all().iter().map(|sort| sort.shown.clone())).collect();
        // Multisets are parted by the first sorts: the more copies these have, the smaller the parts.
        sorts.sort_by_key(|(copies, _)| Reverse(*copies));
        let (stock, shown) = sorts.into_iter().unzip();
        let faces = left.iter().map(|&face| game.field.faces()[face]).collect();
        let job = Self { faces, capacity, stock, shown };
        let degrees = job.degrees();
        let lonely = job.capacity.iter().zip(&degrees).any(|(&capacity, &degree)| degree == 0 && capacity > 0);
        (game.obstacle().is_none() && !lonely).then_some((job, left))
    }

    /// How many of the faces meet at each vertex.
    pub fn degrees(&self) -> Vec<usize> {
        self.meeting(self.faces.iter())
    }

    /// How many of some faces (indices) meet at each vertex.
    pub fn around(&self, faces: &[usize]) -> Vec<usize> {
        self.meeting(faces.iter().map(|&face| &self.faces[face]))
    }

    fn meeting<'a>(&self, faces: impl Iterator<Item = &'a [usize; 3]>) -> Vec<usize> {
        let mut meeting = vec![0; self.capacity.len()];
        faces.flatten().for_each(|&vertex| meeting[vertex] += 1);
        meeting
    }

    /// Some of the faces with some of the tiles as a job of its own.
    pub fn part(&self, faces: &[usize], stock: Vec<usize>, capacity: Vec<u32>) -> Self {
        Self { faces: faces.iter().map(|&face| self.faces[face]).collect(), capacity, stock, shown: self.shown.clone() }
    }
}

/// The tiles of a job by sorts.
#[derive(Debug)]
pub(super) struct Stock {
    /// Copies of each sort.
    copies: Vec<u64>,
    /// What one tile of a sort adds to the number of a multiset.
    pub strides: Vec<u64>,
    /// How many multisets have 0, 1, 2, ... tiles.
    pub sizes: Vec<f64>,
}

impl Stock {
    /// `None` where there are more multisets than a number can tell apart.
    pub fn new(copies: &[usize]) -> Option<Self> {
        let sizes = numbers(copies);
        let copies: Vec<u64> = copies.iter().map(|&copies| copies as u64).collect();
        let mut strides = vec![1; copies.len()];
        let mut next = 1_u64;
        // The first sort has the greatest stride, so that multisets come up in the order of their numbers.
        for (stride, copies) in strides.iter_mut().zip(&copies).rev() {
            *stride = next;
            next = next.checked_mul(copies + 1)?;
        }
        Some(Self { copies, strides, sizes })
    }

    /// All tiles.
    pub fn all(&self) -> u64 {
        self.copies.iter().zip(&self.strides).map(|(copies, stride)| copies * stride).sum()
    }

    /// How many sorts there are.
    pub fn sorts(&self) -> usize {
        self.copies.len()
    }

    /// How many tiles of a sort a multiset has.
    pub fn used(&self, multiset: u64, sort: usize) -> u64 {
        multiset / self.strides[sort] % (self.copies[sort] + 1)
    }

    /// How many it has of every sort.
    pub fn uses(&self, multiset: u64) -> Vec<usize> {
        (0..self.sorts()).map(|sort| self.used(multiset, sort) as usize).collect()
    }

    /// A multiset with one tile of a sort more, if there is one.
    pub fn with(&self, multiset: u64, sort: usize) -> Option<u64> {
        (self.used(multiset, sort) < self.copies[sort]).then(|| multiset + self.strides[sort])
    }

    /// A multiset with one tile of a sort less, if it has one.
    pub fn without(&self, multiset: u64, sort: usize) -> Option<u64> {
        (self.used(multiset, sort) > 0).then(|| multiset - self.strides[sort])
    }

    /// All tiles, as the share of one side.
    pub fn whole(&self) -> Share {
        Share { most: self.copies.clone(), fixed: 0 }
    }

    /// The tiles of one multiset and no others.
    pub fn exactly(&self, multiset: u64) -> Share {
        Share { most: (0..self.sorts()).map(|sort| self.used(multiset, sort)).collect(), fixed: self.sorts() }
    }

    /// The share of the other side.
    pub fn rest(&self, share: &Share) -> Share {
        let left = |sort: usize| self.copies[sort] - if sort < share.fixed { share.most[sort] } else { 0 };
        Share { most: (0..self.sorts()).map(left).collect(), fixed: share.fixed }
    }

    /// All multisets of `size` tiles that a share permits if `to_come` tiles follow, in the order of their numbers.
    pub fn of_size(&self, size: usize, share: &Share, to_come: usize) -> Vec<u64> {
        let mut found = Vec::new();
        self.choose(0, [size as u64, to_come as u64], share, 0, &mut found);
        found
    }

    /// Not less than the number of multisets that [`Stock::of_size`] lists.
    pub fn number_of_size(&self, size: usize, share: &Share, to_come: usize) -> f64 {
        let least = |sort: usize| if sort < share.fixed { share.most[sort].saturating_sub(to_come as u64) } else { 0 };
        let bounds = (0..self.sorts()).map(|sort| (least(sort) as usize, share.most[sort] as usize));
        numbers_between(bounds, size)[size]
    }

    fn choose(&self, sort: usize, [left, spare]: [u64; 2], share: &Share, chosen: u64, found: &mut Vec<u64>) {
        let Some(&most) = share.most.get(sort) else {
            if left == 0 {
                found.push(chosen);
            }
            return;
        };
        let later: u64 = share.most[sort + 1..].iter().sum();
        let is_fixed = sort < share.fixed;
        let least = if is_fixed { most.saturating_sub(spare) } else { 0 };
        for used in left.saturating_sub(later).max(least)..=most.min(left) {
            let spare = if is_fixed { spare - (most - used) } else { spare };
            self.choose(sort + 1, [left - used, spare], share, chosen + used * self.strides[sort], found);
        }
    }
}

/// What one side may have of the tiles: of each sort so many at most, and of the first sorts exactly so many in the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Share {
    pub most: Vec<u64>,
    /// How many sorts are told exactly.
    pub fixed: usize,
}

impl Share {
    /// Tiles that the side has in any case.
    pub fn owed(&self) -> u64 {
        self.most[..self.fixed].iter().sum()
    }
}

/// How many multisets have 0, 1, 2, ... tiles, for these numbers of copies of each sort.
pub(super) fn numbers(copies: &[usize]) -> Vec<f64> {
    numbers_between(copies.iter().map(|&copies| (0, copies)), copies.iter().sum())
}

/// How many multisets have 0, 1, ..., `size` tiles, for the least and the greatest number of tiles of each sort.
fn numbers_between(bounds: impl Iterator<Item = (usize, usize)>, size: usize) -> Vec<f64> {
    let mut numbers = vec![0.0; size + 1];
    numbers[0] = 1.0;
    for (least, most) in bounds {
        // Times x^least + ... + x^most, coefficient by coefficient.
        let with = |size: usize| match size.checked_sub(least) {
            Some(last) => numbers[size.saturating_sub(most)..=last].iter().sum::<f64>(),
            None => 0.0,
        };
        numbers = (0..=size).map(with).collect();
    }
    numbers
}

/// Sets of sums above this size are not kept, nor sets that have more than this together.
const MOST_SUMS: usize = 1 << 16;
const MOST_SUMS_IN_ALL: usize = 1 << 24;

/// For each number of faces that have a tile, the sums at a vertex that can still become its capacity.
#[derive(Debug)]
pub(super) struct Sums {
    values: Vec<Vec<Vec<u32>>>,
}

impl Sums {
    /// `None` where they are too many.
    pub fn new(job: &Job) -> Option<Self> {
        let sorts = job.shown.iter().zip(&job.stock).filter(|(_, copies)| **copies > 0);
        let weights: BTreeSet<u32> = sorts.flat_map(|(shown, _)| shown.iter().flatten().copied()).collect();
        let degrees = job.degrees();
        let (most, greatest) = (degrees.iter().max()?, job.capacity.iter().max()?);
        let mut sums = vec![BTreeSet::from([0_u32])];
        let mut all = 0;
        for _ in 0..*most {
            if sums.last()?.len() * weights.len() > 64 * MOST_SUMS {
                return None;
            }
            let next = sums.last()?.iter().flat_map(|sum| weights.iter().filter_map(|weight| sum.checked_add(*weight)));
            let next: BTreeSet<u32> = next.filter(|sum| sum <= greatest).collect();
            all += next.len();
            if next.len() > MOST_SUMS || all > MOST_SUMS_IN_ALL {
                return None;
            }
            sums.push(next);
        }
        let of = |(&capacity, &degree): (&u32, &usize)| {
            let at = |laid: usize| {
                let rest = &sums[degree - laid];
                sums[laid].range(..=capacity).copied().filter(|sum| rest.contains(&(capacity - sum))).collect()
            };
            (0..=degree).map(at).collect()
        };
        Some(Self { values: job.capacity.iter().zip(&degrees).map(of).collect() })
    }

    /// Sums at a vertex once `laid` of its faces have tiles, in ascending order.
    pub fn at(&self, vertex: usize, laid: usize) -> &[u32] {
        &self.values[vertex][laid]
    }
}
