//! Runs experiments: config -> plan -> one worker process a run -> judge -> rows.
//!
//! [`plan()`] reads configs and says what is to be done; [`run`] does it and keeps every row; [`execute`] and
//! [`judge()`] are the two halves of a single run. What a puzzle is, and how it is solved, is not known here:
//! workers are processes that speak [`protocol`], solutions are judged by [`puzzle::verify`].

mod config;
mod error;
mod host;
mod interrupt;
mod judge;
mod merge;
mod plan;
pub mod protocol;
mod session;
mod text;
mod worker;

pub use config::{
    Ablation, BlockChoice, CheckPublished, Config, DEFAULT_SEED, Exclude, Filter, FormulationChoice, Limits,
    MOST_THREADS, MakeSuite, Setting, SolverChoice, Vocabulary, config_schema, is_suite,
};
pub use error::RunnerError;
pub use host::host_facts;
pub use interrupt::{Interrupt, outlive_file_size_limit};
pub use judge::{Judgement, judge};
pub use merge::{MergedExperiment, merge};
pub use plan::{
    CheckFormulation, CheckOptions, ExperimentPlan, Lack, PlannedInstance, PlannedRun, PlannedSolver, Probe, RunId,
    Shard, SingleRun, SolverInfo, UNLIMITED_S, Unavailable, plan,
};
pub use session::{
    Contradiction, FailedRun, OtherWork, Retry, RunFiles, RunOptions, RunOutput, Summary, WARMUP_S, WrongRow,
    check_out, preview, refuse_inside, run, run_single,
};
pub use text::{alternatives, argument, count, duration, parse_bytes, parse_duration, table};
pub use worker::{
    Condition, Ended, GRACE, Guard, Worker, Workplace, WorkplaceOptions, Workplaces, conditions, execute, guard,
};
