//! Which tilebench this is.

/// Git revision that this program was built from, with `-dirty` for changed files.
pub const GIT_COMMIT: &str = env!("TILEBENCH_GIT_COMMIT");

/// The version and the revision, in one line.
pub fn short_version() -> String {
    let revision = if GIT_COMMIT.is_empty() { "built outside of git" } else { GIT_COMMIT };
    format!("{} ({revision})", env!("CARGO_PKG_VERSION"))
}
