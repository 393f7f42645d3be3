//! Files of rows that are being written, were cut off or damaged: whole rows are shown with a warning, anything else is refused by
//! file, line and column.

use std::fs;
use std::path::Path;

use record::{IterationRow, RunRow};
use report::{Analysis, Experiment, Format};
use tempfile::TempDir;

use crate::fixture::{BASIC, Fixture, write};

/// Three runs of two solves each, saved.
fn three() -> Fixture {
    let mut fixture = Fixture::new("three");
    for instance in ["n5", "n6", "n7"] {
        fixture.run(instance, BASIC, "highs", 0).solves(&[(1.0, 2), (0.5, 1)]);
        let row = fixture.runs.last_mut().expect("a run");
        (row.iterations, row.message) = (Some(2), Some("two\n\"lines\"".to_owned()));
        row.build_time_s = Some(0.002);
    }
    fixture.save();
    fixture
}

fn shorten(path: &Path, bytes: usize) {
    let text = fs::read(path).expect("rows");
    fs::write(path, &text[..text.len() - bytes]).expect("written");
}

fn warnings(fixture: &Fixture) -> String {
    Analysis::load(fixture.dir.path()).expect("whole rows").warnings().join("\n")
}

/// The error of a directory after something in one of its files was replaced.
fn damaged(file: &str, from: &str, to: &[u8]) -> String {
    let fixture = three();
    let path = fixture.dir.path().join(file);
    let text = fs::read_to_string(&path).expect("rows");
    let at = text.rfind(from).unwrap_or_else(|| panic!("{from} in {text}"));
    let (before, after) = (&text.as_bytes()[..at], &text.as_bytes()[at + from.len()..]);
    fs::write(&path, [before, to, after].concat()).expect("written");
    Analysis::load(fixture.dir.path()).expect_err("damaged").to_string()
}

#[test]
fn a_report_of_rows_that_are_being_written_has_the_whole_ones() {
    let whole = three();
    assert_eq!(warnings(&whole), "");
    // The row of the last run, cut anywhere: in its message, at the newline of it, before it.
    for bytes in [1, 2, 8, 12, 60, 200] {
        let fixture = three();
        shorten(&fixture.files().runs(), bytes);
        let analysis = Analysis::load(fixture.dir.path()).expect("whole rows");
        assert_eq!(analysis.experiment.len(), 2, "{bytes}");
        let found = analysis.warnings().join("\n");
        // Two rows of two lines each stand before it.
        assert!(found.contains("runs.csv ends within a row, which begins at line 6 and is left out"), "{found}");
        assert!(found.contains("only 2 of 3 planned runs"), "{found}");
        assert!(found.contains("2 rows are left out of iterations.csv"), "{found}");
        // In every format.
        let out = TempDir::new().expect("a directory");
        write(&[analysis], out.path(), &Format::ALL).expect("a report");
        for file in ["three.md", "three.tex", "three-warnings.csv"] {
            let Ok(text) = fs::read_to_string(out.path().join(file)) else { continue };
            assert!(text.contains("ends within a row"), "{file}: {text}");
        }
    }
    let fixture = three();
    shorten(&fixture.files().iterations(), 5);
    let found = warnings(&fixture);
    assert!(found.contains("iterations.csv ends within a row, which begins at line 7"), "{found}");
    assert!(found.contains("1 run has another number of rows in iterations.csv than of solves in runs.csv"), "{found}");
    // What a loss of power leaves.
    let fixture = three();
    let text = fs::read(fixture.files().runs()).expect("rows");
    fs::write(fixture.files().runs(), [text, vec![0; 5000]].concat()).expect("written");
    assert!(
        warnings(&fixture).contains("runs.csv ends within a row, which begins at line 8"),
        "{}",
        warnings(&fixture)
    );
}

#[test]
fn a_header_alone_is_no_run() {
    let fixture = three();
    for (path, header) in [
        (fixture.files().runs(), record::columns::<RunRow>()),
        (fixture.files().iterations(), record::columns::<IterationRow>()),
    ] {
        fs::write(path, header.join(",") + "\n").expect("written");
    }
    assert!(warnings(&fixture).contains("no run has ended yet"), "{}", warnings(&fixture));
    fs::write(fixture.files().runs(), "").expect("written");
    let error = Analysis::load(fixture.dir.path()).expect_err("no header").to_string();
    assert!(error.contains("runs.csv, line 1: the header is missing"), "{error}");
}

#[test]
fn what_does_not_fit_is_refused_by_file_line_and_column() {
    for (file, from, to, expected) in [
        ("runs.csv", ",box,", b",".as_slice(), "cells where the header has"),
        ("runs.csv", ",1200,90,", b",many,90,", "runs.csv, line 6: column variables: `many` is not a whole number"),
        ("runs.csv", ",1200,90,", b",-1,90,", "runs.csv, line 6: column variables: `-1` is not a whole number"),
        (
            "runs.csv",
            ",optimal,",
            b",best,",
            "runs.csv, line 6: column status: unknown variant `best`, expected one of",
        ),
        (
            "runs.csv",
            ",correct,",
            b",optimum,",
            "runs.csv, line 6: column category: unknown variant `optimum`, expected one of",
        ),
        ("runs.csv", ",optimal,", b",,", "runs.csv, line 6: column status: unknown variant ``, expected one of"),
        ("runs.csv", ",0.002,", b",-0.002,", "runs.csv, line 6: column build_time_s: `-0.002` is not"),
        ("runs.csv", ",0.002,", b",NaN,", "runs.csv, line 6: column build_time_s: `NaN` is not"),
        ("runs.csv", ",0.002,", b",1e999,", "runs.csv, line 6: column build_time_s: `1e999` is not"),
        ("runs.csv", ",0.002,", b",0;002,", "runs.csv, line 6: column build_time_s: `0;002` is not a number"),
        ("runs.csv", ",box,", b",b\xffx,", "runs.csv, line 6: column host: not UTF-8"),
        ("runs.csv", ",box,", b",b\0x,", "runs.csv, line 6: a zero byte"),
        ("runs.csv", ",false,", b",no,", "runs.csv, line 6: column git_dirty: `no` is neither `true` nor `false`"),
        (
            "runs.csv",
            ",attempt,",
            b",try,",
            "runs.csv, line 1: the header lacks [\"attempt\"], and has unknown columns [\"try\"]",
        ),
        ("iterations.csv", ",0.5,", b",-0.5,", "iterations.csv, line 7: column time_s: `-0.5` is not"),
        ("iterations.csv", ",0.5,", b",inf,", "iterations.csv, line 7: column time_s: `inf` is not"),
        (
            "iterations.csv",
            ",1,1,0.5,",
            b",1,0,0.5,",
            "iterations.csv, line 7: iteration 0 of run n7 basic highs 0 attempt 1 stands",
        ),
        ("manifest.json", "\"three\"", b"three", "manifest.json: expected"),
    ] {
        let found = damaged(file, from, to);
        assert!(found.contains(expected), "{found}\ninstead of {expected}");
    }
}

#[test]
fn files_that_are_missing() {
    for (file, expected) in [
        ("runs.csv", "runs.csv: this file is missing beside the rows of iterations.csv"),
        ("iterations.csv", "iterations.csv: this file is missing beside the rows of runs.csv"),
        ("manifest.json", "no manifest.json"),
    ] {
        let fixture = three();
        fs::remove_file(fixture.dir.path().join(file)).expect("removed");
        let error = Analysis::load(fixture.dir.path()).expect_err("a file is missing").to_string();
        assert!(error.contains(expected), "{error}");
    }
    // Without a plan nobody can tell which rows are of the latest one.
    let fixture = three();
    fs::remove_file(fixture.files().plan()).expect("removed");
    let analysis = Analysis::load(fixture.dir.path()).expect("a directory that can be read");
    let expected = "there is no plan.csv to tell which rows are of the latest plan, which has 3 runs: all 3 are shown";
    assert!(analysis.warnings().join("\n").contains(expected), "{:?}", analysis.warnings());
}

#[test]
fn solves_of_runs_that_have_no_row_are_counted() {
    let mut fixture = three();
    let orphan = IterationRow { run_id: "somebody".to_owned(), ..fixture.iterations[0].clone() };
    let killed = IterationRow { attempt: 2, ..fixture.iterations[0].clone() };
    (fixture.runs, fixture.iterations) = (Vec::new(), vec![orphan, killed]);
    fixture.save();
    let found = warnings(&fixture);
    assert!(found.contains("2 rows are left out of iterations.csv: runs.csv has no row of their attempt"), "{found}");
    assert!(!found.contains("another number"), "{found}");
}

#[test]
fn rows_that_contradict_each_other_are_refused() {
    let sound = || {
        let mut fixture = Fixture::new("one");
        fixture.run("n20", BASIC, "highs", 0).solves(&[(1.5, 2), (0.25, 1)]);
        let row = &mut fixture.runs[0];
        (row.iterations, row.solve_time_s, row.wall_time_s) = (Some(2), Some(1.75), Some(1.8));
        fixture
    };
    sound().load();
    let mut slower = sound();
    slower.iterations.iter_mut().for_each(|row| row.solve.time_s *= 10.0);
    let mut longer = sound();
    longer.runs[0].solve_time_s = Some(1000.0);
    for (mut fixture, file) in [(slower, "iterations.csv, line 3"), (longer, "runs.csv, line 2")] {
        let error = Experiment::load(fixture.save()).expect_err("a contradiction").to_string();
        assert!(error.contains(file) && error.ends_with("one of the two was changed"), "{error}");
    }
}
