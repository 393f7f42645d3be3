//! Files of tables against stored ones; `BLESS=1` stores anew.

use std::fs;
use std::path::Path;

use record::{Category, Status};
use report::{Format, write};
use tempfile::TempDir;

use crate::fixture::{BASIC, Fixture, PRIMED};

fn expect(found: &Path) {
    let name = found.file_name().expect("a name");
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/expected").join(name);
    let found = fs::read_to_string(found).expect("a file that was written");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&stored, &found).expect("stored");
    }
    let expected = fs::read_to_string(&stored).unwrap_or_default();
    assert!(found == expected, "{} differs; found:\n{found}", stored.display());
}

#[test]
fn every_kind_of_cell_in_every_format() {
    let out = TempDir::new().expect("a directory");
    let experiment = Fixture::of_everything().load();
    let files = write(&[experiment], out.path(), &Format::ALL).expect("a report");
    for name in ["table2.md", "table2.tex", "table2-iterations-basic.csv", "table2-times.csv", "report.tex"] {
        assert!(files.contains(&out.path().join(name)), "{name} is not among {files:?}");
        expect(&out.path().join(name));
    }
    // Whatever was reported is there, and nothing else.
    assert!(files.iter().all(|f| f.is_file()));
    assert_eq!(fs::read_dir(out.path()).expect("readable").count(), files.len());
}

#[test]
fn the_same_rows_make_the_same_files_in_whatever_order() {
    let outs = [false, true].map(|reversed| {
        let mut fixture = Fixture::of_everything();
        if reversed {
            fixture.runs.reverse();
            fixture.iterations.reverse();
        }
        let out = TempDir::new().expect("a directory");
        let files = write(&[fixture.load()], out.path(), &Format::ALL).expect("a report");
        files.iter().map(|f| (f.file_name().map(ToOwned::to_owned), fs::read(f).expect("a file"))).collect::<Vec<_>>()
    });
    assert!(outs[0] == outs[1]);
}

#[test]
fn the_index_holds_all_experiments_and_their_warnings() {
    let out = TempDir::new().expect("a directory");
    let experiments = [Fixture::of_everything().load(), Fixture::of_everything().load()];
    write(&experiments, out.path(), &[Format::Md]).expect("a report");
    let index = fs::read_to_string(out.path().join("index.md")).expect("an index");
    for text in
        ["](#table2)", "](#table2-2)", "WRONG answers", "another directory holds the same experiment", "Machine: box"]
    {
        assert!(index.contains(text), "no {text} in\n{index}");
    }
    assert!(!out.path().join("report.tex").exists());
}

#[test]
fn a_comparison_counts_what_is_solved() {
    let mut fixture = Fixture::new("cmp");
    for (instance, highs, cbc) in [("n5", 1.0, 3.0), ("n10", 7.0, 15.0)] {
        fixture.run(instance, BASIC, "highs", 0).solves(&[(highs, 1)]);
        fixture.run(instance, BASIC, "cbc", 0).solves(&[(cbc, 1)]);
        fixture.run(instance, PRIMED, "cbc", 0).solves(&[(0.5, 2)]).ends(Status::Optimal, Category::Unknown);
    }
    let out = TempDir::new().expect("a directory");
    write(&[fixture.load()], out.path(), &[Format::Md]).expect("a report");
    let text = fs::read_to_string(out.path().join("cmp.md")).expect("a page");
    for row in [
        "| n5 | **1.00** | 3.00 | 0.50 (2 loops) |",
        "| n10 | **7.00** | 15.00 | 0.50 (2 loops) |",
        "| solved | 2/2 | 2/2 | 0/2 |",
        "| ratio | 1.00 | 2.33 | — |",
    ] {
        assert!(text.contains(row), "no {row} in\n{text}");
    }
}
