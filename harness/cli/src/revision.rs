//! The revision that this program was built from.

/// Git revision this binary was built from, with `-dirty` for changed files.
pub const GIT_COMMIT: &str = env!("TILEBENCH_GIT_COMMIT");
