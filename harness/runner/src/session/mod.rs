//! Running plans: one worker a run, every row on disk before the run counts as done.

mod attempt;
mod capped;
mod collect;
mod contradictions;
mod describe;
mod dropped;
mod earlier;
mod options;
mod progress;
mod run;
mod slots;
mod store;
mod summary;
mod words;

pub use attempt::{RunFiles, RunOutput, run_single};
pub use capped::Capped;
pub(crate) use contradictions::Claims;
pub use contradictions::Contradiction;
pub use earlier::preview;
pub use options::{OtherWork, Progress, Retry, RunOptions};
pub use run::run;
pub(crate) use store::Lock;
pub use summary::{FailedRun, Summary, WrongRow};
pub(crate) use summary::{report_folder, write_contradictions};
