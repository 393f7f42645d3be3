//! Face by face over the whole field, with the states in maps: for games whose sums are too many to number them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::effort::{Effort, Stop};
use super::job::{Job, Solved, Stock};

/// The tiles used and the sums at the open vertices, in as many bits as each can need. Nothing of it is allocated, so that maps of
/// millions are dropped at once.
type State<const WORDS: usize> = (u64, [u64; WORDS]);

/// The maps of a layer. One map of all states would take seconds to grow, in which nobody looks at the clock.
const MAPS: usize = 64;

/// Slots of a map for each state: after growing it is a little less than half full.
const SLOTS_OF_STATE: f64 = 2.3;

/// States with the ways that lead to each.
struct States<const WORDS: usize>(Vec<HashMap<State<WORDS>, u128>>);

impl<const WORDS: usize> States<WORDS> {
    fn new() -> Self {
        Self(vec![HashMap::new(); MAPS])
    }

    fn entry(&mut self, state: State<WORDS>) -> Entry<'_, State<WORDS>, u128> {
        let mixed = state
            .1
            .iter()
            .fold(state.0, |mixed, word| mixed.rotate_left(23) ^ word.wrapping_mul(0xA24B_AED4_963E_E407));
        let map = (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize % MAPS;
        self.0[map].entry(state)
    }

    fn all(&self) -> impl Iterator<Item = (&State<WORDS>, &u128)> {
        self.0.iter().flatten()
    }

    fn len(&self) -> usize {
        self.0.iter().map(HashMap::len).sum()
    }
}

/// Where the sum at an open vertex stands in a state.
struct Slot {
    vertex: usize,
    word: usize,
    shift: u32,
}

/// The slots of some vertices, each within one word, and how many words these take.
fn slots(job: &Job, open: &[usize]) -> (Vec<Slot>, usize) {
    let (mut slots, mut word, mut shift) = (Vec::new(), 0, 0);
    // What has room for nothing needs none.
    for &vertex in open.iter().filter(|&&vertex| job.capacity[vertex] > 0) {
        let bits = u32::BITS - job.capacity[vertex].leading_zeros();
        if shift + bits > u64::BITS {
            (word, shift) = (word + 1, 0);
        }
        slots.push(Slot { vertex, word, shift });
        shift += bits;
    }
    (slots, word + 1)
}

/// The vertices with tiles on some of their faces and not on all, after so many faces of an order.
fn open(job: &Job, order: &[usize], laid: usize) -> Vec<usize> {
    let (degrees, around) = (job.degrees(), job.around(&order[..laid]));
    (0..degrees.len()).filter(|&vertex| around[vertex] > 0 && around[vertex] < degrees[vertex]).collect()
}

/// What tiles on one face do to states.
struct Face<'a> {
    job: &'a Job,
    stock: &'a Stock,
    corners: [usize; 3],
    /// Open vertices before and after.
    open: [Vec<Slot>; 2],
    /// Of each vertex: how many faces lack a tile after this one.
    lacking: Vec<u32>,
    /// The greatest weight.
    heaviest: u32,
}

impl<'a> Face<'a> {
    fn new(job: &'a Job, stock: &'a Stock, order: &[usize], laid: usize) -> Self {
        let after = job.around(&order[..=laid]);
        Self {
            job,
            stock,
            corners: job.faces[order[laid]],
            open: [laid, laid + 1].map(|laid| slots(job, &open(job, order, laid)).0),
            lacking: job.degrees().iter().zip(after).map(|(degree, laid)| (degree - laid) as u32).collect(),
            heaviest: job.shown.iter().flatten().flatten().copied().max().unwrap_or(0),
        }
    }

    /// Calls `each` with what a tile makes of a state, and what it shows.
    fn step<const WORDS: usize>(&self, (multiset, sums): &State<WORDS>, each: &mut dyn FnMut(State<WORDS>, [u32; 3])) {
        for (sort, shown) in self.job.shown.iter().enumerate() {
            let Some(multiset) = self.stock.with(*multiset, sort) else { continue };
            for &weights in shown {
                if let Some(sums) = self.sums(sums, weights) {
                    each((multiset, sums), weights);
                }
            }
        }
    }

    fn sums<const WORDS: usize>(&self, before: &[u64; WORDS], weights: [u32; 3]) -> Option<[u64; WORDS]> {
        let sum = |slot: &Slot| {
            let bits = u32::BITS - self.job.capacity[slot.vertex].leading_zeros();
            (before[slot.word] >> slot.shift & ((1 << bits) - 1)) as u32
        };
        let of = |vertex: usize| {
            self.open[0].binary_search_by_key(&vertex, |slot| slot.vertex).map_or(0, |index| sum(&self.open[0][index]))
        };
        for (vertex, weight) in self.corners.into_iter().zip(weights) {
            let lack = self.job.capacity[vertex].checked_sub(of(vertex).checked_add(weight)?)?;
            if lack > self.lacking[vertex].saturating_mul(self.heaviest) {
                return None;
            }
        }
        let weight = |vertex: usize| self.corners.iter().position(|corner| *corner == vertex).map_or(0, |c| weights[c]);
        let mut after = [0; WORDS];
        for &Slot { vertex, word, shift } in &self.open[1] {
            after[word] |= u64::from(of(vertex) + weight(vertex)) << shift;
        }
        Some(after)
    }
}

/// Counts the fillings of a job in this order of its faces, and shows one if wanted.
pub(super) fn count(
    job: &Job,
    stock: &Stock,
    order: &[usize],
    effort: &Effort<'_>,
    example: bool,
) -> Result<Solved, Stop> {
    let words = (0..=order.len()).map(|laid| slots(job, &open(job, order, laid)).1).max().unwrap_or(1);
    let count = match words {
        ..=1 => in_words::<1>,
        2 => in_words::<2>,
        3..=4 => in_words::<4>,
        5..=8 => in_words::<8>,
        9..=16 => in_words::<16>,
        17..=64 => in_words::<64>,
        _ => return Err(Stop::TooLarge),
    };
    count(job, stock, order, effort, example)
}

fn in_words<const WORDS: usize>(
    job: &Job,
    stock: &Stock,
    order: &[usize],
    effort: &Effort<'_>,
    example: bool,
) -> Result<Solved, Stop> {
    let bytes = (SLOTS_OF_STATE * (size_of::<(State<WORDS>, u128)>() + 1) as f64) as u64;
    let mut layers = vec![States::<WORDS>::new()];
    layers[0].entry((0, [0; WORDS])).or_insert(1);
    let mut bytes_before = 0;
    for laid in 0..order.len() {
        let face = Face::new(job, stock, order, laid);
        let mut next = States::new();
        let mut overflow = false;
        for (index, (state, &ways)) in layers.last().into_iter().flat_map(States::all).enumerate() {
            face.step(state, &mut |state, _| match next.entry(state) {
                Entry::Vacant(entry) => {
                    entry.insert(ways);
                    effort.add(1, bytes);
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
        bytes_before = next.len() as u64 * bytes;
        layers.push(next);
    }
    if let Some(stop) = effort.stopped() {
        return Err(stop);
    }
    let solutions = layers.last().and_then(|states| states.all().next()).map_or(0, |(_, ways)| *ways);
    let shown = (example && solutions > 0).then(|| walk_back(job, stock, order, &layers, effort)).transpose()?;
    Ok((solutions, shown))
}

/// One of the ways to the last state; of several states that lead on, the least is taken.
fn walk_back<const WORDS: usize>(
    job: &Job,
    stock: &Stock,
    order: &[usize],
    layers: &[States<WORDS>],
    effort: &Effort<'_>,
) -> Result<Vec<[u32; 3]>, Stop> {
    let mut shown = vec![[0; 3]; order.len()];
    let mut target: State<WORDS> = (stock.all(), [0; WORDS]);
    for laid in (0..order.len()).rev() {
        let face = Face::new(job, stock, order, laid);
        let mut least: Option<(&State<WORDS>, [u32; 3])> = None;
        for (index, (state, _)) in layers[laid].all().enumerate() {
            if index % 1024 == 0
                && let Some(stop) = effort.stopped()
            {
                return Err(stop);
            }
            face.step(state, &mut |next, weights| {
                if next == target && least.is_none_or(|least| (state, weights) < least) {
                    least = Some((state, weights));
                }
            });
        }
        if let Some((state, weights)) = least {
            shown[order[laid]] = weights;
            target = *state;
        }
    }
    Ok(shown)
}
