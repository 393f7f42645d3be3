//! Running plans: one worker a run, every row on disk before the run counts as done.

mod attempt;
mod collect;
mod earlier;
mod options;
mod progress;
mod run;
mod store;
mod summary;
mod verdicts;

pub use attempt::{RunFiles, RunOutput, run_single};
pub use options::{OtherWork, Retry, RunOptions};
pub use run::{WARMUP_S, check_out, preview, run};
pub(crate) use store::Lock;
pub use store::refuse_inside;
pub(crate) use summary::{Claims, report_folder, write_contradictions};
pub use summary::{Contradiction, FailedRun, Summary, WrongRow};
