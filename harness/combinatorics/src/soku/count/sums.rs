//! What the weights on some of the faces around a vertex can add up to.

use std::collections::BTreeSet;

use super::job::Job;

/// Sets of sums above this size are not kept.
const MOST_SUMS: usize = 1 << 16;

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
        for _ in 0..*most {
            if sums.last()?.len() * weights.len() > 64 * MOST_SUMS {
                return None;
            }
            let next = sums.last()?.iter().flat_map(|sum| weights.iter().filter_map(|weight| sum.checked_add(*weight)));
            let next: BTreeSet<u32> = next.filter(|sum| sum <= greatest).collect();
            if next.len() > MOST_SUMS {
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

    /// Sums at a vertex once so many of its faces have tiles, in ascending order.
    pub fn at(&self, vertex: usize, laid: usize) -> &[u32] {
        &self.values[vertex][laid]
    }
}
