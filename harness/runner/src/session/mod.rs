//! A session: the runs of some plans, one worker each, every row on disk before the run counts as done.

mod claims;
mod describe;
mod earlier;
mod options;
mod progress;
mod queue;
mod rows;
mod run;
mod store;
mod summary;

pub use claims::Contradiction;
pub use options::{Progress, RunOptions};
pub use run::run;
pub use summary::{Summary, WrongRow};
