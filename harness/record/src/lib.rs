//! The contract between running and reporting: what one run and one solve leave behind.
//!
//! `tilebench run` writes these rows and files, `tilebench report` reads them; neither side knows the
//! other. The fields of the rows describe their columns; `docs/reference/columns.md` is generated from them.

mod answers;
mod appender;
mod claim;
mod columns;
mod dir;
mod error;
mod id;
mod manifest;
mod merge;
mod names;
mod options;
mod run;
mod solve;
mod status;
mod table;
mod whole;

pub use answers::{Answers, ModelColumns, is_below, is_whole_model, proven};
pub use appender::{Appender, is_same_file};
pub use claim::{Claim, Measure, RunTest, Selection, Test};
pub use columns::{Column, Row, columns};
pub use dir::ResultsDir;
pub use error::RecordError;
pub use id::{RunId, RunKey, bytes, short_hash};
pub use manifest::{EngineFacts, HostFacts, Manifest, Published, ReportSpec, SessionFacts, SolverFacts, data_package};
pub use merge::{Merge, Merged, Origin};
pub use names::{Baseline, alternatives, listed, natural_order};
pub use options::{FORMULATION_OPTIONS, formulation_options, options};
pub use run::{PlanRow, RunRow, times_differ};
pub use solve::{
    Answer, Iteration, IterationRow, Lays, Relaxed, Solve, SolveStatus, counted, counted_in, counted_until_limit,
    counted_until_limit_in,
};
pub use status::{
    CPU_LIMIT, Category, DISK_LIMIT, FALSE_SOLUTION, HARD_LIMIT, LICENCE, MEMORY_LIMIT, NO_OTHER_PLACES, RESTRICTED,
    SOFT_LIMIT, SOLVER_LIMIT, Status, UNAVAILABLE,
};
pub use table::{TableReader, read_table, rewrite_table, stream_table, table_has_rows, table_is, write_table};
pub use whole::{
    Drafts, discard_proof, in_the_way, make_folder, proof_files, remove_drafts, write_whole, write_whole_with,
};

/// Version of the columns that this crate writes. It goes up where a reader has to tell rows apart.
pub const SCHEMA_VERSION: u32 = 6;
