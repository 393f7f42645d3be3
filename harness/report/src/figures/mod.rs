//! What a report shows, in neutral terms: grids of typed cells and charts, before any format renders them.

mod chart;
mod grid;
pub mod number;
pub mod plots;
pub mod tables;

pub use chart::{BoxMark, Chart, Curve, Dimension, FINEST_S, Guide, GuideAt, Kind, Point, Scale, Trace};
pub use grid::{Cell, Column, Grid, Group, Row, Spread, Value};
