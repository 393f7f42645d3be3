//! Programs that only tests need.

use std::path::PathBuf;

/// Lists programs whose tests must not be skipped, separated by spaces.
const NEEDED: &str = "TILEBENCH_TEST_PROGRAMS";

/// Where a program is; nowhere is said, or a failure if the program must be there.
pub fn program(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file());
    if found.is_none() {
        let needed = std::env::var(NEEDED).unwrap_or_default();
        assert!(
            !needed.split_whitespace().any(|needed| needed == name),
            "{NEEDED} names {name}, which is not installed"
        );
        eprintln!("NOT TESTED here: {name} is not installed");
    }
    found
}
