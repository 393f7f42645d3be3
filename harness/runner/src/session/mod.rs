//! A session: the runs of some plans, one worker each, every row on disk before the run counts as done.

mod board;
mod capped;
mod claims;
mod closing;
mod describe;
mod earlier;
mod estimate;
mod keep;
mod lock;
mod options;
mod preview;
mod progress;
mod queue;
mod rows;
mod run;
mod screen;
mod store;
mod summary;

pub use capped::Capped;
pub use claims::Contradiction;
pub use options::{Progress, RunOptions};
pub use preview::{Preview, preview};
pub use run::run;
pub use summary::{FailedRun, SlowRun, Summary, WrongRow};
