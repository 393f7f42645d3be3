//! Tables, plots and pictures from recorded runs.
//!
//! The layers, each of which knows those before it only:
//!
//! ```text
//! results -> analysis -> figures -> page -> render -> write -> splice
//!        `-> compare                    `-> exchange
//! ```
//!
//! [`Experiment::load`] reads and checks a results directory, [`Analysis`] holds medians over repeats, `figures` turns those
//! into neutral grids and charts, `page` puts them in order, `render` writes them in each format and `write` to files. `stats`,
//! `picture`, `group`, `text` and `error` are leaves, known to all. Nothing here knows any one puzzle or solver: challenge, loops, ... are
//! columns, and pictures are [`puzzle::Scene`]s, which the puzzle crate draws in neutral terms.

mod analysis;
pub mod compare;
mod error;
mod exchange;
mod figures;
mod group;
mod page;
mod picture;
mod render;
mod results;
mod splice;
pub mod stats;
mod text;
mod write;

pub use analysis::Analysis;
pub use analysis::comparison::ranking;
pub use analysis::reproduction::reproduced;
pub use error::ReportError;
pub use exchange::Exchange;
pub use figures::{Cell, Grid, Group, Row, Spread, Value, grids, plot_list, table_list};
pub use picture::{Frame, render_animation, render_svg, svg_to_pdf, svg_to_png};
pub use render::{Format, Options, Pictures, render_latex, tables};
pub use results::{Experiment, check_published, results_below, results_in};
pub use splice::{Spliced, splice};
pub use write::write;
