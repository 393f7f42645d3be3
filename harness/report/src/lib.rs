//! Tables, plots and pictures from recorded runs.
//!
//! The way of the data: [`Experiment::load`] reads and checks a results directory, `aggregate` turns its
//! rows into medians with polars, `tables` and `plots` turn those into neutral grids and charts, `formats`
//! writes them. Nothing here knows any one puzzle or solver: challenge, loops, ... are columns, and pictures
//! are [`puzzle::Scene`]s, which the puzzle crate draws in neutral terms.

mod ablation;
mod aggregate;
mod boards;
mod caveats;
pub mod compare;
mod contest;
mod entrants;
mod error;
mod experiment;
mod facts;
mod formats;
mod grid;
mod page;
mod picture;
mod plots;
mod splice;
pub mod stats;
mod stems;
mod tables;
mod write;

pub use error::ReportError;
pub use experiment::{Experiment, check_published, results_in};
pub use formats::{Format, render_latex};
pub use picture::{Frame, render_animation, render_png, render_svg, svg_to_pdf, svg_to_png};
pub use plots::names as plot_names;
pub use splice::{Spliced, splice};
pub use tables::names as table_names;
pub use write::{Options, Pictures, write, write_with};
