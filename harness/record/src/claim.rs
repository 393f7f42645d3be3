//! Claims, as a config states them and a report judges them.

use puzzle::words;
use serde::{Deserialize, Serialize};

/// What is claimed, and which runs test it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Its name, such as `KU-F-12`.
    pub id: String,
    /// Who claims it, for example `Kino & Uno 2012`; may be empty.
    pub source: String,
    /// Where: section, table, figure; may be empty.
    pub place: String,
    /// The claim, in a sentence.
    pub text: String,
    /// The published figure, in the unit of the measure; `None`: there is none.
    pub published: Option<f64>,
    /// How it is tested.
    pub test: Test,
}

/// How a claim is tested.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Test {
    /// Not by this experiment, for this reason.
    Untestable(String),
    /// By a figure of its runs.
    Runs(RunTest),
}

/// A figure of some runs, and the range in which a claim says it to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunTest {
    /// What is measured.
    pub measure: Measure,
    /// Whose runs.
    pub of: Selection,
    /// With whose runs they are compared, on the same boards: the figure is a quotient, or a difference of shares. `None`: with
    /// none.
    pub against: Option<Selection>,
    /// The claim is that the figure is more than this.
    pub above: Option<f64>,
    /// The claim is that the figure is less than this.
    pub below: Option<f64>,
    /// On fewer boards than this there is no verdict.
    pub boards: u32,
    /// Numbers of tiles of the boards that count; empty: all.
    pub tiles: Vec<u64>,
}

/// Runs of an experiment: those of a formulation under a solver.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Selection {
    /// Name of the formulation.
    pub formulation: String,
    /// Label of the solver; `None`: each that has runs of the formulation.
    pub solver: Option<String>,
}

words!(Measure:
    Time "time", FirstSolve "first-solve", Solves "solves", Nodes "nodes", Growth "growth", SolvesGrowth "solves-growth",
    Spread "spread", Solved "solved", Subloops "subloops", Holes "holes", SmallLoops "small-loops", LaterSolves "later-solves"
);

/// What is measured of runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Seconds to build the model and to solve; what was not solved counts as twice its limit. A geometric mean.
    Time,
    /// The same for the first solve alone, whatever its solution is worth.
    FirstSolve,
    /// Number of solves; of what was not solved at least so many. A geometric mean.
    Solves,
    /// Nodes of the search trees, one added; of what was not solved at least so many. A geometric mean.
    Nodes,
    /// Factor by which the time to an answer, whatever it is, grows with each tile.
    Growth,
    /// Factor by which the number of solves grows with each tile.
    SolvesGrowth,
    /// Slowest over fastest run of a board. A geometric mean.
    Spread,
    /// Share of boards that are solved.
    Solved,
    /// Share of boards whose first solution has more than one loop.
    Subloops,
    /// Share of boards whose first solution has a hole.
    Holes,
    /// Of the boards whose first solution has more than one loop the share on which all but the longest have at most four tiles.
    SmallLoops,
    /// Share of the time that passes after the first solve. A mean over boards.
    LaterSolves,
}

impl Measure {
    /// Whether it is a share, of boards or of time; else it is a mean or a factor.
    #[must_use]
    pub fn is_share(self) -> bool {
        matches!(self, Self::Solved | Self::Subloops | Self::Holes | Self::SmallLoops | Self::LaterSolves)
    }

    /// Whether it can be said of one selection, and whether of one against another. A number of solves that a limit cut short
    /// is a figure beside another only.
    #[must_use]
    pub fn forms(self) -> [bool; 2] {
        match self {
            Self::Solves | Self::Nodes => [false, true],
            Self::Growth | Self::SolvesGrowth | Self::Spread | Self::SmallLoops | Self::LaterSolves => [true, false],
            _ => [true, true],
        }
    }
}
