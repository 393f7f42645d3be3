//! A plot in neutral terms: what is drawn, not how.

use crate::figures::{Spread, number};

/// Seconds: nothing is measured to better than that. Times above it are worth showing by themselves, though those below
/// [`crate::stats::SHORTEST_S`] are not worth a quotient.
pub const FINEST_S: f64 = 1e-6;

/// Curves over a common pair of axes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Chart {
    /// Tells the charts of one plot apart, in file names; empty where there is one only.
    pub key: String,
    /// What it shows, without a full stop; on a page behind the page's title.
    pub title: String,
    pub x: Dimension,
    pub y: Dimension,
    /// The curves, in the order of the legend.
    pub curves: Vec<Curve>,
    /// Lines to read values by.
    pub guides: Vec<Guide>,
    /// Sentences under the plot.
    pub notes: Vec<String>,
    /// Reasons not to compare its figures, shown in the plot and under it.
    pub caveats: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Dimension {
    pub label: String,
    pub scale: Scale,
}

/// How values are laid out along an axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Scale {
    /// Challenge numbers, evenly, with ticks at those that occur; by their logarithm where they are far apart.
    Challenges,
    /// Counts, evenly from 0.
    #[default]
    Counts,
    /// Shares, evenly from 0 to 1.
    Shares,
    /// Seconds, by their logarithm; what is shorter than can be measured stands at the shortest.
    Seconds,
    /// The same over a range that several charts have in common, from its least value to its greatest; the shortest is
    /// [`FINEST_S`].
    SecondsWithin(f64, f64),
    /// Quotients, by their logarithm; 1 is always on the axis.
    Ratios,
    /// Names; the value 0 stands for the first.
    Names(Vec<String>),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Guide {
    pub at: GuideAt,
    pub label: String,
}

/// Where a [`Guide`] runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GuideAt {
    /// Upright, at a horizontal value.
    X(f64),
    /// Level, at a vertical value.
    Y(f64),
    /// Where both values are equal.
    Equal,
}

/// Points that belong together, the line through them, and boxes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Curve {
    pub label: String,
    /// Whether it is published by others: drawn as black stars, without a line.
    pub published: bool,
    /// Which formulation and which solver it is of, by number; what tells curves apart.
    pub of: (usize, usize),
    pub points: Vec<Point>,
    /// Where its line runs; `None` interrupts it.
    pub line: Vec<(f64, Option<f64>)>,
    pub trace: Trace,
    /// Boxes: how values at one place are spread.
    pub boxes: Vec<BoxMark>,
}

/// How the values of a curve are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Trace {
    /// A line runs straight from value to value.
    #[default]
    Straight,
    /// It runs level up to the next value and then jumps.
    Steps,
    /// There is none: each point is the upper end of a bar that stands on the axis.
    Bars,
}

#[derive(Debug, Clone, PartialEq)]
pub struct BoxMark {
    pub x: f64,
    /// End of the lower whisker, first quartile, median, third quartile, end of the upper whisker.
    pub five: [f64; 5],
    /// Which runs it is made of: places in [`crate::results::Experiment::runs`].
    pub members: Vec<u32>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Point {
    pub x: f64,
    pub y: f64,
    pub kind: Kind,
    /// Name of the instance; empty for published values.
    pub instance: String,
    /// The runs that it is the median of: places in [`crate::results::Experiment::runs`]; none for published values.
    pub members: Vec<u32>,
    /// How far these lie apart, where they are several.
    pub spread: Option<Spread>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// A run that completed and solved the puzzle, or proved that it has no solution.
    #[default]
    Ended,
    /// A run that completed without either: subloops, holes, infeasible under a restricting family.
    Unsolved,
    /// Some run failed or its answer could not be checked: not a result of the puzzle.
    Error,
    /// A lower bound: the run reached a limit.
    Limit,
    /// A run whose answer is wrong.
    Wrong,
    Published,
}

impl Kind {
    /// The word in CSV files, and what it means.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Ended => ("ended", "ended, solved or proved"),
            Self::Unsolved => ("unsolved", "ended, not solved (subloops, holes)"),
            Self::Error => ("error", "error in a run"),
            Self::Limit => ("limit", "limit reached (lower bound)"),
            Self::Wrong => ("wrong", "wrong answer"),
            Self::Published => ("published", "published"),
        }
    }
}

impl Dimension {
    pub fn new(label: impl Into<String>, scale: Scale) -> Self {
        Self { label: label.into(), scale }
    }

    pub fn named<T: Into<String>>(label: &str, names: impl IntoIterator<Item = T>) -> Self {
        Self::new(label, Scale::Names(names.into_iter().map(Into::into).collect()))
    }

    fn value(&self, value: f64) -> String {
        match &self.scale {
            Scale::Names(_) => self.name(value).unwrap_or_default().to_owned(),
            Scale::Seconds | Scale::SecondsWithin(..) => format!("{} s", number::seconds(value)),
            _ if value.fract() == 0.0 => number::grouped(&value.to_string()),
            _ => number::seconds(value),
        }
    }

    /// The name that stands at a place; none on an axis of values.
    pub fn name(&self, place: f64) -> Option<&str> {
        let Scale::Names(names) = &self.scale else { return None };
        let places = std::iter::successors(Some(0.0), |at: &f64| Some(at + 1.0));
        places.zip(names).find(|(at, _)| at.total_cmp(&place).is_eq()).map(|(_, name)| name.as_str())
    }

    fn said(&self, value: f64) -> String {
        format!("{}: {}", self.label, self.value(value))
    }
}

impl Chart {
    pub fn has(&self, kind: Kind) -> bool {
        self.points().any(|p| p.kind == kind)
    }

    pub fn points(&self) -> impl Iterator<Item = &Point> {
        self.curves.iter().flat_map(|c| &c.points)
    }

    /// What a point of a curve says, in lines: of what it is, both values, the least and the most of several runs, and how
    /// they ended.
    pub fn describe_point(&self, curve: &Curve, point: &Point) -> String {
        let name = if point.instance.is_empty() { self.x.name(point.x).unwrap_or_default() } else { &point.instance };
        let or_more = |open: bool| if open { " or more" } else { "" };
        let y = format!("{}{}", self.y.said(point.y), or_more(point.kind == Kind::Limit));
        let mut lines = vec![headed(name, curve), self.x.said(point.x), y];
        if let Some(Spread { range: Some((least, most)), open, .. }) = point.spread {
            let (least, most) = (self.y.value(least), self.y.value(most));
            lines.push(format!("between {least} and {most}{}", or_more(open)));
        }
        lines.push(point.kind.words().1.to_owned());
        lines.join("\n")
    }

    /// What a box of a curve says, in lines.
    pub fn describe_box(&self, curve: &Curve, mark: &BoxMark) -> String {
        let [low, first, median, third, high] = mark.five.map(|value| self.y.value(value));
        let lines = [
            headed(self.x.name(mark.x).unwrap_or_default(), curve),
            self.x.said(mark.x),
            format!("{}: median {median}", self.y.label),
            format!("quartiles {first} and {third}, whiskers {low} and {high}"),
        ];
        lines.join("\n")
    }
}

/// Of which instance and curve a mark is.
fn headed(name: &str, curve: &Curve) -> String {
    if name.is_empty() { curve.label.clone() } else { format!("{name}: {}", curve.label) }
}
