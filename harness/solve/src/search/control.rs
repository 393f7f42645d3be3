//! What every search has: a count of its nodes, a time to end, and perhaps somebody who looks on.

use std::time::{Duration, Instant};

use puzzle::Placement;

use super::{End, Explored, SearchStep};

/// The clock is looked at whenever so much was done, counted in places that were looked at.
const WORK_BETWEEN_LOOKS: u64 = 1 << 15;

/// What a node counts, whatever it looks at.
const WORK_OF_NODE: u64 = 64;

/// Looks on while a search goes its way.
pub(super) trait Watch {
    /// A tile was laid or taken back; `tiles` makes the list of those that lie now.
    fn step(&mut self, tiles: impl FnOnce() -> Vec<Placement>);
}

/// Nobody looks on, which costs nothing.
pub(super) struct Unwatched;

impl Watch for Unwatched {
    #[inline(always)]
    fn step(&mut self, _tiles: impl FnOnce() -> Vec<Placement>) {}
}

/// Somebody does.
pub(super) struct Watched<'a> {
    steps: u64,
    look: &'a mut dyn FnMut(SearchStep<'_>),
}

impl<'a> Watched<'a> {
    pub fn new(look: &'a mut dyn FnMut(SearchStep<'_>)) -> Self {
        Self { steps: 0, look }
    }
}

impl Watch for Watched<'_> {
    fn step(&mut self, tiles: impl FnOnce() -> Vec<Placement>) {
        self.steps += 1;
        (self.look)(SearchStep { number: self.steps, placements: &tiles() });
    }
}

/// Counts, looks at the clock, and knows whether to go on.
pub(super) struct Control<W> {
    pub watch: W,
    pub nodes: u64,
    pub backtracks: u64,
    deadline: Option<Instant>,
    is_late: bool,
    /// Since the last look at the clock.
    work: u64,
}

impl<W> Control<W> {
    pub fn new(time_limit: Option<Duration>, watch: W) -> Self {
        let now = Instant::now();
        // A limit too long for the clock is none.
        let deadline = time_limit.and_then(|limit| now.checked_add(limit));
        Self {
            watch,
            nodes: 0,
            backtracks: 0,
            deadline,
            is_late: deadline.is_some_and(|deadline| deadline <= now),
            work: 0,
        }
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
        self.is_late |= self.deadline.is_some_and(|deadline| deadline <= Instant::now());
    }

    /// Whether the time is over, as far as was looked.
    #[inline(always)]
    pub fn is_late(&self) -> bool {
        self.is_late
    }

    pub fn ended(&self, end: End) -> Explored {
        Explored { nodes: self.nodes, backtracks: self.backtracks, end }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_looked_at_by_work_done() {
        let limit = Duration::from_millis(5);
        let mut control = Control::new(Some(limit), Unwatched);
        std::thread::sleep(2 * limit);
        control.worked(WORK_BETWEEN_LOOKS - 1);
        assert!(!control.is_late(), "nobody looked");
        control.count();
        assert!(control.is_late());
    }
}
