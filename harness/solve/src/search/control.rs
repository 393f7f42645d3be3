//! What every search has: settings, a count of its nodes, a time to end, and perhaps somebody who looks on.

use std::time::Duration;

use puzzle::Placement;

use crate::backend::Deadline;

/// The backend.
pub(super) const NAME: &str = "search";

/// How to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Random seed; the strategies `walk`, `least-capacity`, `count` and `sums` have no use for it.
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
    /// How it ended.
    pub end: End,
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

/// Is called at every step of a search.
pub(super) type Look<'a> = &'a mut dyn FnMut(SearchStep<'_>);

/// Counts, looks at the clock, and knows whether to go on.
pub(super) struct Control<'a> {
    look: Option<Look<'a>>,
    steps: u64,
    pub nodes: u64,
    pub backtracks: u64,
    deadline: Deadline,
    is_late: bool,
    /// Since the last look at the clock.
    work: u64,
}

impl<'a> Control<'a> {
    pub fn new(deadline: Deadline, look: Option<Look<'a>>) -> Self {
        let is_late = deadline.is_over();
        Self { look, steps: 0, nodes: 0, backtracks: 0, deadline, is_late, work: 0 }
    }

    /// A tile was laid or taken back; `tiles` makes the list of those that lie now.
    #[inline(always)]
    pub fn step(&mut self, tiles: impl FnOnce() -> Vec<Placement>) {
        if let Some(look) = &mut self.look {
            self.steps += 1;
            look(SearchStep { number: self.steps, placements: &tiles() });
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
        self.is_late |= self.deadline.is_over();
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
        let mut control = Control::new(Deadline::of(Some(limit)), None);
        std::thread::sleep(2 * limit);
        control.worked(WORK_BETWEEN_LOOKS - 1);
        assert!(!control.is_late(), "nobody looked");
        control.count();
        assert!(control.is_late());
    }
}
