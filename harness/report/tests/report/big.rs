//! Many rows: what is shown of them, and how long it takes and what memory it needs to load and report them.

use crate::fixture::write;
use std::fs;

use report::{Analysis, Format};
use tempfile::TempDir;

use crate::large::{OF_INSTANCE, large};

#[test]
fn the_report_of_many_runs_has_them_all() {
    let (dir, out) = (TempDir::new().expect("a directory"), TempDir::new().expect("a directory"));
    large(dir.path(), 3 * OF_INSTANCE);
    let analysis = Analysis::load(dir.path()).expect("a good directory");
    assert_eq!(analysis.experiment.len() as u64, 3 * OF_INSTANCE);
    assert_eq!(analysis.warnings(), Vec::<String>::new());
    let files = write(&[analysis], out.path(), &Format::ALL).expect("a report");
    assert!(!files.is_empty());
    let page = fs::read_to_string(out.path().join("large.md")).expect("a page");
    assert!(page.contains("Runs: 300 of 300"), "{page}");
}

/// Medians of many groups are taken side by side; the stack of a thread must not grow with their number.
#[test]
fn thousands_of_groups_can_be_loaded() {
    let dir = TempDir::new().expect("a directory");
    large(dir.path(), 200 * OF_INSTANCE);
    let analysis = Analysis::load(dir.path()).expect("a good directory");
    assert_eq!(analysis.experiment.len() as u64, 200 * OF_INSTANCE);
}
