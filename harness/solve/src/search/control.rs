//! What every search has: settings, random numbers, a count of its nodes, a time to end, and perhaps an observer.

use std::time::Duration;

use puzzle::Placement;

use crate::backend::Deadline;

pub(super) const NAME: &str = "search";

/// How to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Random seed; the strategies `walk`, `least-capacity` and `count` have no use for it.
    pub seed: u64,
    /// Whether the strategy `propagate` begins anew now and then.
    pub restarts: bool,
    /// 3SoKu: whether totals that differ refute a game at once.
    pub sum_check: bool,
    /// Wall time.
    pub time_limit: Option<Duration>,
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// There is nothing more to find.
    Exhausted,
    /// Enough was found.
    Stopped,
    /// The time was over.
    OutOfTime,
}

/// What a search did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explored {
    /// Placements tried.
    pub nodes: u64,
    /// Placements that were taken back because nothing could follow.
    pub backtracks: u64,
    /// What the search by parts did beside; `None` of other searches.
    pub filling: Option<Filling>,
    /// How it ended.
    pub end: End,
}

/// What the search by parts counts, beside chains among the nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Filling {
    /// Parts of the board that were filled.
    pub parts: u64,
    /// Loops that exchanges joined to others, whatever they split.
    pub loops_merged: u64,
    /// Patches of a full board that were filled anew.
    pub patches: u64,
    /// How often it began anew with an empty board or other places, not with other colours around another loop.
    pub restarts: u64,
}

/// A full board that the search by parts came to: touching edges match, and it need be no solution.
#[derive(Debug)]
pub(crate) struct Stage {
    /// Nodes up to here.
    pub nodes: u64,
    /// Nodes taken back up to here.
    pub backtracks: u64,
    /// The rest of what was counted up to here.
    pub filling: Filling,
    /// Copies that lie beyond their number; as many of other sorts are missing.
    pub surplus: u32,
    /// What lies.
    pub placements: Vec<Placement>,
}

/// A step of a search: a tile more lies, or a tile fewer; several at a time where more follows from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchStep<'a> {
    /// Number of the step, from 1.
    pub number: u64,
    /// The tiles that lie now.
    pub placements: &'a [Placement],
}

/// The clock is looked at whenever so much was done, counted in places that were looked at.
const WORK_BETWEEN_LOOKS: u64 = 1 << 15;

/// What a node counts, whatever it looks at.
const WORK_OF_NODE: u64 = 64;

/// An observer of a search.
pub(crate) enum Watch<'a> {
    /// Is called at every step of a search.
    Steps(&'a mut dyn FnMut(SearchStep<'_>)),
    /// Is called at the stages of the search by parts, [`MOST_STAGES`] at most.
    Stages(&'a mut dyn FnMut(Stage)),
}

/// Stages of a search that are told; further ones would be of boards begun anew again and again.
const MOST_STAGES: u32 = 19;

/// Counts, looks at the clock, and knows whether to go on.
pub(super) struct Control<'a> {
    watch: Option<Watch<'a>>,
    steps: u64,
    stages: u32,
    pub nodes: u64,
    pub backtracks: u64,
    pub filling: Option<Filling>,
    deadline: Deadline,
    is_late: bool,
    /// Since the last look at the clock.
    work: u64,
}

impl<'a> Control<'a> {
    pub fn new(deadline: Deadline, watch: Option<Watch<'a>>) -> Self {
        let is_late = deadline.is_over();
        Self { watch, steps: 0, stages: 0, nodes: 0, backtracks: 0, filling: None, deadline, is_late, work: 0 }
    }

    /// A tile was laid or taken back; `tiles` makes the list of those that lie now.
    #[inline(always)]
    pub fn step(&mut self, tiles: impl FnOnce() -> Vec<Placement>) {
        if let Some(Watch::Steps(look)) = &mut self.watch {
            self.steps += 1;
            look(SearchStep { number: self.steps, placements: &tiles() });
        }
    }

    /// A stage was reached, with so many copies too many; `tiles` makes the list of what lies.
    pub fn stage(&mut self, surplus: u32, tiles: impl FnOnce() -> Vec<Placement>) {
        if let Some(Watch::Stages(look)) = &mut self.watch
            && self.stages < MOST_STAGES
        {
            self.stages += 1;
            let filling = self.filling.unwrap_or_default();
            look(Stage { nodes: self.nodes, backtracks: self.backtracks, filling, surplus, placements: tiles() });
        }
    }

    /// What the search by parts counts.
    pub fn filling(&mut self) -> &mut Filling {
        self.filling.get_or_insert_default()
    }

    /// Counts a node.
    #[inline(always)]
    pub fn count(&mut self) {
        self.nodes += 1;
        self.worked(WORK_OF_NODE);
    }

    /// Looks at the clock if it is time to.
    #[inline(always)]
    pub fn worked(&mut self, work: u64) {
        self.work += work;
        if self.work >= WORK_BETWEEN_LOOKS {
            self.work = 0;
            self.look_at_clock();
        }
    }

    #[cold]
    pub fn look_at_clock(&mut self) {
        self.is_late |= self.deadline.is_over();
    }

    /// When the time is over.
    pub fn deadline(&self) -> Deadline {
        self.deadline.clone()
    }

    /// Whether the time is over, as far as was looked.
    #[inline(always)]
    pub fn is_late(&self) -> bool {
        self.is_late
    }

    pub fn ended(&self, end: End) -> Explored {
        Explored { nodes: self.nodes, backtracks: self.backtracks, filling: self.filling, end }
    }
}

/// Numbers from a seed (splitmix64; Steele, Lea & Flood 2014).
pub(crate) struct Random(pub u64);

impl Random {
    /// Bits of which each is equally likely to be set.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ bits >> 31
    }

    /// Between 0 and 1.
    pub fn next(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Below a number of at most 2^32.
    pub fn below(&mut self, end: usize) -> usize {
        (((self.bits() >> 32) * end as u64) >> 32) as usize
    }

    /// Puts these into an order of which each is equally likely (Fisher & Yates; Durstenfeld 1964).
    pub fn shuffle<T>(&mut self, all: &mut [T]) {
        for last in (1..all.len()).rev() {
            all.swap(last, (self.next() * (last + 1) as f64) as usize);
        }
    }

    /// Values in a random order. Each comes last with a chance proportional to its weight (the greatest of numbers drawn so;
    /// Efraimidis & Spirakis 2006); one without a weight comes first.
    pub fn order(&mut self, values: impl Iterator<Item = (usize, Option<f64>)>) -> Vec<usize> {
        let drawn = |(value, weight): (usize, Option<f64>)| {
            (weight.map_or(-1.0, |weight| self.next().powf(1.0 / weight)), value)
        };
        let mut values: Vec<(f64, usize)> = values.map(drawn).collect();
        values.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        values.into_iter().map(|(_, value)| value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_looked_at_by_work_done() {
        let limit = Duration::from_millis(5);
        let mut control = Control::new(Deadline::of(Some(limit)), None);
        std::thread::sleep(2 * limit);
        control.worked(WORK_BETWEEN_LOOKS - 1);
        assert!(!control.is_late(), "nobody looked");
        control.count();
        assert!(control.is_late());
    }
}
