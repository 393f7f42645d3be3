//! What verification finds.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::words;

/// A rule that a solution can break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The solution names another instance.
    Instance,
    /// A place, tile or orientation number that does not exist.
    Range,
    /// At most one tile lies on a place.
    OneTile,
    /// A tile lies on every place of a fixed board.
    FullBoard,
    /// Every tile is used as often as the challenge says.
    TileCount,
    /// Touching edges show the same colour.
    Matching,
    /// Every designated line is part of a loop.
    ClosedLines,
    /// There is one designated loop only.
    SingleLoop,
    /// No empty places are enclosed.
    NoHole,
    /// Tiles that were placed beforehand lie where they were.
    Placed,
    /// The weights around each vertex add up to its capacity.
    Capacity,
}

words!(Rule:
    Instance "instance", Range "range", OneTile "one-tile", FullBoard "full-board", TileCount "tile-count",
    Matching "matching", ClosedLines "closed-lines", SingleLoop "single-loop", NoHole "no-hole", Placed "placed",
    Capacity "capacity"
);

/// One broken rule and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// The rule.
    pub rule: Rule,
    /// Where and how it is broken, in puzzle terms (1-based).
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule, self.message)
    }
}

/// Everything verification found out about a solution.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Verdict {
    /// Every broken rule; empty for a valid solution.
    pub violations: Vec<Violation>,
    /// Places of each closed designated loop, in the order in which the line passes them; longest first.
    pub loops: Vec<Vec<usize>>,
    /// Number of holes.
    pub holes: usize,
    /// Remarks that make no solution invalid (the official record rule).
    pub remarks: Vec<String>,
}

impl Verdict {
    /// Whether no rule is broken.
    pub fn is_valid(&self) -> bool {
        self.violations.is_empty()
    }

    /// Whether no rule is broken other than these.
    pub fn is_valid_but_for(&self, waived: &[Rule]) -> bool {
        self.violations.iter().all(|v| waived.contains(&v.rule))
    }
}
