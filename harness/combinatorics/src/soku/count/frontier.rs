//! Face by face over the whole field, with the states in a map: for games whose sums are too many to number them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::effort::{Effort, Stop};
use super::job::{Job, Solved, Stock};

/// The tiles used and the sums at the open vertices, in the order of the vertices.
type State = (u64, Box<[u32]>);

/// States with the ways that lead to each.
type States = HashMap<State, u128>;

/// What a map takes for a state while it grows, beside its sums.
const BYTES_OF_STATE: usize = 200;

/// What tiles on one face do to states.
struct Face<'a> {
    job: &'a Job,
    stock: &'a Stock,
    corners: [usize; 3],
    /// Open vertices before and after.
    open: [Vec<usize>; 2],
    /// Of each vertex: how many faces lack a tile after this one.
    lacking: Vec<u32>,
    /// The greatest weight.
    heaviest: u32,
}

impl<'a> Face<'a> {
    fn new(job: &'a Job, stock: &'a Stock, order: &[usize], laid: usize) -> Self {
        let degrees = job.degrees();
        let open = |laid: usize| {
            let around = job.around(&order[..laid]);
            (0..degrees.len()).filter(|&vertex| around[vertex] > 0 && around[vertex] < degrees[vertex]).collect()
        };
        let after = job.around(&order[..=laid]);
        Self {
            job,
            stock,
            corners: job.faces[order[laid]],
            open: [open(laid), open(laid + 1)],
            lacking: degrees.iter().zip(after).map(|(degree, laid)| (degree - laid) as u32).collect(),
            heaviest: job.shown.iter().flatten().flatten().copied().max().unwrap_or(0),
        }
    }

    /// Calls `each` with what a tile makes of a state, and what it shows.
    fn step(&self, (multiset, sums): &State, each: &mut dyn FnMut(State, [u32; 3])) {
        for (sort, shown) in self.job.shown.iter().enumerate() {
            let Some(multiset) = self.stock.with(*multiset, sort) else { continue };
            for &weights in shown {
                if let Some(sums) = self.sums(sums, weights) {
                    each((multiset, sums), weights);
                }
            }
        }
    }

    fn sums(&self, before: &[u32], weights: [u32; 3]) -> Option<Box<[u32]>> {
        let of = |vertex: usize| self.open[0].binary_search(&vertex).map_or(0, |index| before[index]);
        for (vertex, weight) in self.corners.into_iter().zip(weights) {
            let lack = self.job.capacity[vertex].checked_sub(of(vertex).checked_add(weight)?)?;
            if lack > self.lacking[vertex].saturating_mul(self.heaviest) {
                return None;
            }
        }
        let weight = |vertex: usize| self.corners.iter().position(|corner| *corner == vertex).map_or(0, |c| weights[c]);
        Some(self.open[1].iter().map(|&vertex| of(vertex) + weight(vertex)).collect())
    }
}

pub(super) fn count(
    job: &Job,
    stock: &Stock,
    order: &[usize],
    effort: &Effort<'_>,
    example: bool,
) -> Result<Solved, Stop> {
    let root: State = (0, Box::default());
    let mut layers = vec![States::from([(root, 1)])];
    let mut bytes_before = 0;
    for laid in 0..order.len() {
        let face = Face::new(job, stock, order, laid);
        let bytes = BYTES_OF_STATE + 4 * face.open[1].len();
        let mut next = States::new();
        let mut overflow = false;
        for (index, (state, &ways)) in layers.last().into_iter().flatten().enumerate() {
            face.step(state, &mut |state, _| match next.entry(state) {
                Entry::Vacant(entry) => {
                    entry.insert(ways);
                    effort.add(1, bytes as u64);
                }
                Entry::Occupied(mut entry) => match entry.get().checked_add(ways) {
                    Some(sum) => *entry.get_mut() = sum,
                    None => overflow = true,
                },
            });
            if index % 1024 == 0
                && let Some(stop) = effort.stopped()
            {
                return Err(stop);
            }
        }
        if overflow {
            return Err(Stop::Overflow);
        }
        if !example {
            layers.clear();
            effort.free(bytes_before);
        }
        bytes_before = (next.len() * bytes) as u64;
        layers.push(next);
    }
    if let Some(stop) = effort.stopped() {
        return Err(stop);
    }
    let solutions = layers.last().and_then(|states| states.values().next()).copied().unwrap_or(0);
    let shown = (example && solutions > 0).then(|| walk_back(job, stock, order, &layers));
    Ok((solutions, shown))
}

/// One of the ways to the last state; of several states that lead on, the least is taken.
fn walk_back(job: &Job, stock: &Stock, order: &[usize], layers: &[States]) -> Vec<[u32; 3]> {
    let mut shown = vec![[0; 3]; order.len()];
    let mut target: State = (stock.all(), Box::default());
    for laid in (0..order.len()).rev() {
        let face = Face::new(job, stock, order, laid);
        let mut least: Option<(&State, [u32; 3])> = None;
        for state in layers[laid].keys() {
            face.step(state, &mut |next, weights| {
                if next == target && least.is_none_or(|least| (state, weights) < least) {
                    least = Some((state, weights));
                }
            });
        }
        if let Some((state, weights)) = least {
            shown[order[laid]] = weights;
            target = state.clone();
        }
    }
    shown
}
