//! The table of counts.

use std::fs;

use record::{Category, Status};
use report::{Format, grids};
use tempfile::TempDir;

use crate::fixture::{BASIC, Fixture, grid, row, write};

const COUNT: (&str, &str) = ("count", "strategy=count");

/// Adds a run that counted so many.
fn counted(fixture: &mut Fixture, instance: &str, seed: u64, solutions: u128) {
    fixture.run(instance, COUNT, "tilebench", seed).solves(&[(0.5, 0)]);
    let run = fixture.runs.last_mut().expect("a run");
    (run.kind, run.objective, run.objective_value) = ("search".to_owned(), "none".to_owned(), Some(solutions as f64));
    run.native_status = Some(record::counted(solutions));
    (run.subloops, run.status) = ("report".to_owned(), Status::Feasible);
}

#[test]
fn counts_are_shown_with_all_their_digits() {
    let mut fixture = Fixture::new("sample");
    counted(&mut fixture, "board-1", 0, 9_007_199_254_740_992);
    counted(&mut fixture, "board-2", 0, 60_000_001);
    counted(&mut fixture, "board-3", 0, 9_007_199_254_740_993);
    counted(&mut fixture, "board-6", 0, 100_000_000_000_000_000_000_001);
    counted(&mut fixture, "board-4", 0, 5);
    counted(&mut fixture, "board-4", 1, 6);
    fixture.run("board-5", COUNT, "tilebench", 0).limited("soft-limit");
    fixture.runs.last_mut().expect("a run").kind = "search".to_owned();
    let loaded = fixture.load();
    let table = grid(&loaded, "counts");
    for (board, expected) in [
        ("board-1", ["9,007,199,254,740,992", "0.50"]),
        ("board-2", ["60,000,001", "0.50"]),
        ("board-3", ["9,007,199,254,740,993", "0.50"]),
        ("board-4", ["**contradiction: 5 and 6**", "**0.50 (wrong)**"]),
        ("board-5", ["timeout", ">20.00 (timeout)"]),
        ("board-6", ["100,000,000,000,000,000,000,001", "0.50"]),
    ] {
        assert_eq!(row(&table, board), expected, "{board}");
    }
    assert!(
        table.notes.iter().any(|note| note.starts_with(
            "Of 5 counts: the least 5, the median 9,007,199,254,740,992, the most 100,000,000,000,000,000,000,001"
        )),
        "{:?}",
        table.notes
    );
    // As numbers they sort.
    let out = TempDir::new().expect("a directory");
    write(&[loaded], out.path(), &[Format::Csv, Format::Html]).expect("a report");
    let [csv, page] =
        ["sample-counts.csv", "report.html"].map(|name| fs::read_to_string(out.path().join(name)).expect("a file"));
    assert!(csv.contains("\nboard-6,100000000000000000000001,"), "{csv}");
    let cell = page.find("\">100,000,000,000,000,000,000,001<").map(|end| &page[end - 60..end]).expect("the count");
    assert!(cell.contains("class=\"number\" data-v=\"1"), "{cell}");
}

#[test]
fn other_runs_have_no_table_of_counts() {
    let mut fixture = Fixture::new("plain");
    fixture.run("n20", BASIC, "highs", 0).solves(&[(0.5, 1)]);
    fixture.run("n20", ("walk", "strategy=walk"), "tilebench", 0).ends(Status::Crash, Category::Error);
    assert!(grids(&fixture.load(), "counts").is_empty());
}
