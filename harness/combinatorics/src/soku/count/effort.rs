//! What counting may take, and what it took so far, for all threads; and a count in parts, so that it keeps to its memory.
//!
//! A part is a case: it says of the first sorts how many of their tiles lie on the first side. Every solution belongs to one case, and the
//! more sorts a case tells of, the fewer states it has.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

use super::job::{Share, Solved, Stock};
use crate::in_threads;

/// Multisets that a thread takes at a time.
const AT_ONCE: usize = 32;

/// More cases than this are not planned.
const MOST_CASES: f64 = 1e4;

/// Why counting ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// The caller asked to stop.
    Asked,
    /// More states than allowed.
    TooLarge,
    /// More memory than allowed.
    Full,
    /// The same beforehand: so many bytes at least.
    Needs(u64),
    /// A count does not fit its number.
    Overflow,
}

/// How far a count is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Progress {
    /// Solutions found so far.
    pub solutions: u128,
    /// The share of the cases that are done, from 0; cases that turn out to be too large for the memory are divided.
    pub cases: f64,
}

/// More states than this are too many by far, whatever the memory.
pub(super) const MOST_STATES: u64 = 100_000_000_000;

/// What all threads share: how much was done, how much may be.
pub(super) struct Effort<'a> {
    pub threads: usize,
    /// Bytes that tables may take.
    most_bytes: u64,
    /// Whether to go on.
    go_on: &'a (dyn Fn() -> bool + Sync),
    bytes: AtomicU64,
    states: AtomicU64,
    asked: AtomicBool,
    full: AtomicBool,
    overflow: AtomicBool,
}

impl<'a> Effort<'a> {
    /// Nothing done yet, by `threads` threads and with at most `most_bytes` bytes; `go_on` is asked often whether to go on.
    pub fn new(threads: usize, most_bytes: u64, go_on: &'a (dyn Fn() -> bool + Sync)) -> Self {
        let (bytes, states) = (AtomicU64::new(0), AtomicU64::new(0));
        let [asked, full, overflow] = [const { AtomicBool::new(false) }; 3];
        Self { threads, most_bytes, go_on, bytes, states, asked, full, overflow }
    }

    /// Begins again with no memory taken; states add up.
    pub fn begin(&self) {
        self.bytes.store(0, Relaxed);
        self.full.store(false, Relaxed);
        self.overflow.store(false, Relaxed);
    }

    /// States made so far.
    pub fn states(&self) -> u64 {
        self.states.load(Relaxed)
    }

    /// Whether there is a reason to stop.
    pub fn stopped(&self) -> Option<Stop> {
        if self.states() > MOST_STATES {
            return Some(Stop::TooLarge);
        }
        if self.overflow.load(Relaxed) {
            return Some(Stop::Overflow);
        }
        if self.full.load(Relaxed) {
            return Some(Stop::Full);
        }
        if !self.asked.load(Relaxed) && !(self.go_on)() {
            self.asked.store(true, Relaxed);
        }
        self.asked.load(Relaxed).then_some(Stop::Asked)
    }

    /// Adds states and the bytes that they take.
    pub fn add(&self, states: u64, bytes: u64) {
        self.states.fetch_add(states, Relaxed);
        let bytes = self.bytes.fetch_add(bytes, Relaxed).saturating_add(bytes);
        if bytes > self.most_bytes {
            self.full.store(true, Relaxed);
        }
    }

    /// Takes bytes, if about so many may be taken.
    pub fn reserve(&self, bytes: f64) -> Result<(), Stop> {
        // A float that is too great becomes the greatest number.
        self.add(0, bytes as u64);
        self.stopped().map_or(Ok(()), Err)
    }

    /// A count did not fit its number.
    pub fn overflows(&self) {
        self.overflow.store(true, Relaxed);
    }

    /// Subtracts the bytes of states that were dropped.
    pub fn free(&self, bytes: u64) {
        self.bytes.fetch_sub(bytes, Relaxed);
    }

    /// Does things with numbers below `count`, each once, with all threads. Every thread has something of its own, made by `own`.
    pub fn share<T>(&self, count: usize, own: impl Fn() -> T + Sync, work: impl Fn(&mut T, usize) + Sync) -> Vec<T>
    where
        T: Send,
    {
        let next = AtomicUsize::new(0);
        in_threads(self.threads.min(count.div_ceil(AT_ONCE)), || {
            let mut mine = own();
            loop {
                let first = next.fetch_add(AT_ONCE, Relaxed);
                if first >= count || self.stopped().is_some() {
                    return mine;
                }
                (first..count.min(first + AT_ONCE)).for_each(|index| work(&mut mine, index));
            }
        })
    }
}

/// Counts what may take so many bytes in as many cases as their memory asks for, and every case that takes too much all the same as the
/// cases of one sort more. `count` is called with the shares of both sides and what earlier cases came to. With `first`, the
/// cases after one with a solution are left out.
/// Errors: what `count` says, [`Stop::Full`] only where a case of all sorts takes too much; [`Stop::Needs`] where there would be too many
/// cases.
pub(super) fn by_cases(
    stock: &Stock,
    laid: [usize; 2],
    bytes: f64,
    first: bool,
    effort: &Effort<'_>,
    count: impl Fn([&Share; 2], Progress) -> Result<Solved, Stop>,
) -> Result<Solved, Stop> {
    let planned = bytes / effort.most_bytes as f64;
    if planned > MOST_CASES {
        // A float that is too great becomes the greatest number.
        return Err(Stop::Needs((bytes / MOST_CASES).ceil() as u64));
    }
    let mut cases = vec![stock.whole()];
    while (cases.len() as f64) < planned {
        let finer: Vec<Share> = cases.iter().flat_map(|case| divided(stock, case, laid)).collect();
        if finer.is_empty() {
            break;
        }
        cases = finer;
    }
    let share = 1.0 / cases.len() as f64;
    let mut cases: Vec<(Share, f64)> = cases.into_iter().map(|case| (case, share)).collect();
    let (mut before, mut example) = (Progress::default(), None);
    while let Some((case, share)) = cases.pop() {
        effort.begin();
        match count([&case, &stock.rest(&case)], before) {
            Ok((more, shown)) => {
                before.solutions = before.solutions.checked_add(more).ok_or(Stop::Overflow)?;
                before.cases += share;
                example = example.or(shown);
                if first && more > 0 {
                    break;
                }
            }
            Err(Stop::Full) => {
                let parts: Vec<Share> = divided(stock, &case, laid).collect();
                if parts.is_empty() {
                    return Err(Stop::Full);
                }
                let share = share / parts.len() as f64;
                cases.extend(parts.into_iter().map(|part| (part, share)));
            }
            Err(stop) => return Err(stop),
        }
    }
    Ok((before.solutions, example))
}

/// The cases that tell of one sort more, the last one first; none where all are told.
fn divided<'a>(stock: &'a Stock, case: &'a Share, laid: [usize; 2]) -> impl Iterator<Item = Share> + 'a {
    // A sort without tiles divides nothing.
    let sort = (case.fixed..stock.sorts()).find(|&sort| case.most[sort] > 0);
    let told = sort.into_iter().flat_map(move |sort| (0..=case.most[sort]).rev().map(move |tiles| (sort, tiles)));
    let told = told.map(move |(sort, tiles)| {
        let mut most = case.most.clone();
        most[sort] = tiles;
        Share { most, fixed: sort + 1 }
    });
    told.filter(move |part| part.owed() <= laid[0] as u64 && stock.rest(part).owed() <= laid[1] as u64)
}
