//! A plot in neutral terms: what is drawn, not how.

use crate::grid::Spread;

/// Curves over a common pair of axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// What it shows, without a full stop.
    pub title: String,
    /// Quantity and unit of the horizontal axis.
    pub x_label: String,
    /// Quantity and unit of the vertical axis.
    pub y_label: String,
    /// Whether the vertical axis is logarithmic.
    pub log_y: bool,
    /// The curves, in the order of the legend.
    pub curves: Vec<Curve>,
    /// Sentences to be said under the plot.
    pub notes: Vec<String>,
    /// What its figures must not be compared without knowing: said in the plot and under it.
    pub caveats: Vec<String>,
}

/// Points that belong together, and the line through their medians.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Name in the legend.
    pub label: String,
    /// Whether it is published by others: drawn hollow, black and without a line.
    pub published: bool,
    /// Which formulation and which solver it is of, by number; what tells curves apart.
    pub of: (usize, usize),
    /// The points.
    pub points: Vec<Point>,
    /// Medians by x, where the line runs; `None` interrupts it.
    pub medians: Vec<(f64, Option<f64>)>,
}

/// One measured or published value.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Horizontal value.
    pub x: f64,
    /// Vertical value.
    pub y: f64,
    /// What kind of value it is.
    pub kind: Kind,
    /// Name of the instance; empty for published values.
    pub instance: String,
    /// Number of runs that it is the median of; 0 for published values.
    pub runs: u64,
    /// How far these lie apart, where they are several.
    pub spread: Option<Spread>,
}

/// What a point stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A run that came to its end and solved the puzzle, or proved that it has no solution.
    Ended,
    /// A run that came to its end without either: subloops, holes, infeasible under a restricting family.
    Unsolved,
    /// Some run failed or its answer could not be checked: not a result of the puzzle.
    Error,
    /// A lower bound: the run reached a limit.
    Limit,
    /// A run whose answer is wrong.
    Wrong,
    /// A published value.
    Published,
}

impl Kind {
    /// The word in CSV files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ended => "ended",
            Self::Unsolved => "unsolved",
            Self::Error => "error",
            Self::Limit => "limit",
            Self::Wrong => "wrong",
            Self::Published => "published",
        }
    }
}

impl Chart {
    /// Whether any point is of that kind.
    pub fn has(&self, kind: Kind) -> bool {
        self.points().any(|p| p.kind == kind)
    }

    /// All points of all curves.
    pub fn points(&self) -> impl Iterator<Item = &Point> {
        self.curves.iter().flat_map(|c| &c.points)
    }
}
