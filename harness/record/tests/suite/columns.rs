//! What the files of rows promise: rows come back as they were, also from files of other versions; incomplete ends are cut off;
//! files that do not fit are refused by name and line.

use std::fs;
use std::path::{Path, PathBuf};
use std::slice;

use record::{
    Appender, Category, IterationRow, PlanRow, RecordError, ResultsDir, Row, RunRow, Solve, SolveStatus, Status,
    TableReader, columns, read_table, write_table,
};
use tempfile::TempDir;

fn bare_run(run_id: &str) -> RunRow {
    RunRow {
        instance: "n3".to_owned(),
        families: "C1 C2' C3 C4 C5".to_owned(),
        options: "a=1; b=2".to_owned(),
        seed: u64::MAX,
        termination_reason: "no-answer".to_owned(),
        started_at: "2026-01-02T03:04:05.678Z".to_owned(),
        ..RunRow::unmeasured(run_id)
    }
}

/// A run with figures and a message that CSV has to quote.
fn full_run(run_id: &str) -> RunRow {
    RunRow {
        status: Status::Optimal,
        category: Category::Wrong,
        loops: Some(2),
        nodes: Some(0),
        exit_code: Some(-1),
        gap: Some(0.1 + 0.2),
        root_bound: Some(f64::INFINITY),
        wall_time_s: Some(1e-9),
        git_dirty: Some(false),
        message: Some("it said \"no\", twice;\nand then\r\n\"\"".to_owned()),
        ..bare_run(run_id)
    }
}

fn bare_solve(run_id: &str) -> IterationRow {
    let solve = Solve { time_s: 0.5, cumulative_s: 0.5, native_status: None, ..Solve::of(SolveStatus::Timeout, "") };
    IterationRow { run_id: run_id.to_owned(), attempt: 1, solve: Solve { variables: Some(9), ..solve } }
}

fn results() -> (TempDir, ResultsDir) {
    let folder = TempDir::new().expect("a directory");
    let dir = ResultsDir::new(folder.path());
    (folder, dir)
}

fn append(dir: &ResultsDir, rows: &[RunRow]) {
    let mut appender = Appender::open(&dir.runs()).expect("a file of runs");
    appender.append(rows).expect("rows can be appended");
}

/// File, line and reason of an error about a row.
fn refused<T: std::fmt::Debug>(result: Result<T, RecordError>) -> (PathBuf, u64, String) {
    match result.expect_err("does not fit") {
        RecordError::Row { path, line, reason } => (path, line, reason),
        other => panic!("no error about a row: {other}"),
    }
}

#[test]
fn a_column_that_can_be_empty_says_when() {
    fn check<T: Row>(row: &T) {
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        writer.serialize(row).expect("a row");
        let bytes = writer.into_inner().expect("bytes");
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes.as_slice());
        let record = reader.records().next().expect("a row").expect("a sound row");
        assert_eq!(record.len(), T::columns().len());
        for (cell, column) in record.iter().zip(T::columns()) {
            assert!(!column.meaning().is_empty() && !column.unit().is_empty(), "{}", column.name);
            // What was not measured is an empty cell, never 0.
            assert!(
                !cell.is_empty() || column.empty().is_some() || column.unit().starts_with(['t', 'w']),
                "{}",
                column.name
            );
        }
    }
    check(&bare_run("a"));
    check(&bare_solve("a"));
}

#[test]
fn rows_come_back_as_they_were() {
    let (_folder, dir) = results();
    append(&dir, &[]);
    assert_eq!(dir.read_runs().expect("a header and no rows"), []);
    append(&dir, &[full_run("a"), bare_run("b")]);
    append(&dir, &[full_run("c")]);
    assert_eq!(dir.read_runs().expect("sound rows"), [full_run("a"), bare_run("b"), full_run("c")]);

    let mut solves = Appender::open(&dir.iterations()).expect("a file of iterations");
    let mut full = bare_solve("b");
    (full.solve.loops, full.solve.loop_lengths) = (Some(2), Some("12 8".to_owned()));
    solves.append(&[bare_solve("a"), full.clone()]).expect("rows can be appended");
    assert_eq!(dir.read_iterations().expect("sound rows"), [bare_solve("a"), full]);
}

#[test]
fn a_plan_is_written_whole() {
    let (_folder, dir) = results();
    let row = |n: u32| PlanRow {
        run_id: format!("{n:016x}"),
        instance: "n3".to_owned(),
        formulation: "all, \"but\" C7".to_owned(),
        solver: "highs".to_owned(),
        seed: u64::MAX,
        repeat: n,
    };
    for rows in [0, 3, 1] {
        write_table(&dir.plan(), (0..rows).map(row)).expect("a plan can be written");
        assert_eq!(dir.read_plan().expect("sound rows"), (0..rows).map(row).collect::<Vec<_>>());
    }
    assert!(write_table(Path::new("/nowhere/plan.csv"), [row(1)]).is_err());
}

#[test]
fn the_beginning_of_a_row_is_cut_off_when_the_file_is_opened() {
    let (_folder, dir) = results();
    append(&dir, &[full_run("a")]);
    let whole = fs::read(dir.runs()).expect("rows");
    // In the middle of a cell, of a quoted one that holds a newline, and zeros, as a loss of power may leave them.
    for rest in ["1,b,1,te", "1,b,1,test,\"half\na message", "\"", "\0\0\0\0"] {
        fs::write(dir.runs(), [&whole, rest.as_bytes()].concat()).expect("a file that was not written to its end");
        append(&dir, &[]);
        assert_eq!(fs::read(dir.runs()).expect("rows"), whole, "{rest:?}");
    }
    append(&dir, &[bare_run("b")]);
    assert_eq!(dir.read_runs().expect("sound rows"), [full_run("a"), bare_run("b")]);
}

#[test]
fn rows_behind_damage_are_not_cut_off() {
    let (_folder, dir) = results();
    append(&dir, &[full_run("a"), bare_run("b"), bare_run("c")]);
    let sound = fs::read_to_string(dir.runs()).expect("rows");
    // The row of `a` is several lines long.
    let before = sound.lines().position(|line| line.contains(",b,1,")).expect("a row") as u64;
    let damaged = sound.replace(",b,1,", ",\"b,1,");
    fs::write(dir.runs(), &damaged).expect("a stray quote");
    for result in [Appender::<RunRow>::open(&dir.runs()).map(drop), dir.read_runs().map(drop)] {
        let (path, line, reason) = refused(result);
        assert_eq!((path, line), (dir.runs(), before + 1));
        assert!(reason.contains(&format!("line {}", before + 2)), "{reason}");
    }
    assert_eq!(fs::read_to_string(dir.runs()).expect("rows"), damaged, "nothing was cut off");
    // Something long is no beginning of a row.
    fs::write(dir.runs(), sound + &"?".repeat(2_000_000)).expect("a file can be written");
    assert!(Appender::<RunRow>::open(&dir.runs()).is_err());
    assert!(fs::metadata(dir.runs()).expect("the file").len() > 2_000_000);
}

#[test]
fn rows_may_lie_across_blocks() {
    let (_folder, dir) = results();
    let long = RunRow { message: Some("\n".repeat(600_000)), ..bare_run("a") };
    append(&dir, &[long.clone(), bare_run("b")]);
    assert_eq!(dir.read_runs().expect("sound rows"), [long, bare_run("b")]);
}

#[test]
fn rows_do_not_vanish_with_a_file_that_was_moved() {
    let (folder, dir) = results();
    let mut appender = Appender::open(&dir.runs()).expect("a file of runs");
    fs::rename(dir.runs(), folder.path().join("aside")).expect("the file is moved");
    let error = appender.append(&[bare_run("a")]).expect_err("nobody would find the row").to_string();
    assert!(error.contains("deleted or moved"), "{error}");
}

#[test]
fn half_a_header_is_written_anew() {
    let (_folder, dir) = results();
    fs::write(dir.runs(), "schema_version,run").expect("half a header");
    append(&dir, &[bare_run("a")]);
    assert_eq!(dir.read_runs().expect("sound rows"), [bare_run("a")]);
}

#[test]
fn a_foreign_header_is_refused() {
    let (_folder, dir) = results();
    let lacking = columns::<IterationRow>()[1..].join(",");
    let twice = format!("{},status", columns::<IterationRow>().join(","));
    for (header, part) in [
        ("name,time".to_owned(), "unknown columns [\"name\", \"time\"]"),
        (lacking, "lacks [\"run_id\"]"),
        (twice, "`status` twice"),
    ] {
        let text = format!("{header}\n1,2\n");
        fs::write(dir.iterations(), &text).expect("a foreign file");
        for result in [
            Appender::<IterationRow>::open(&dir.iterations()).map(drop),
            read_table::<IterationRow>(&dir.iterations()).map(drop),
        ] {
            let (path, line, reason) = refused(result);
            assert_eq!((path, line), (dir.iterations(), 1));
            assert!(reason.contains(part), "{reason}");
        }
        assert_eq!(fs::read_to_string(dir.iterations()).expect("the file"), text, "nothing was written");
    }
}

#[test]
fn columns_are_found_by_name_and_files_of_older_versions_can_be_appended_to() {
    let (_folder, dir) = results();
    // In another order, without one that may be empty, with one of the future.
    fs::write(dir.plan(), "seed,mood,run_id,instance,formulation,repeat,solver\n7,good,a,n3,basic,1,highs\n")
        .expect("a plan");
    let row = |run_id: &str, seed| PlanRow {
        run_id: run_id.to_owned(),
        instance: "n3".to_owned(),
        formulation: "basic".to_owned(),
        solver: "highs".to_owned(),
        seed,
        repeat: 1,
    };
    let reader = TableReader::<PlanRow>::open(&dir.plan()).expect("known columns");
    assert_eq!(reader.unknown(), ["mood"]);
    assert_eq!(dir.read_plan().expect("rows"), [row("a", 7)]);
    // A newer file is left as it is.
    let text = fs::read_to_string(dir.plan()).expect("the plan");
    let (path, line, reason) = refused(Appender::<PlanRow>::open(&dir.plan()));
    assert_eq!((path, line), (dir.plan(), 1));
    assert!(reason.contains("columns of a newer tilebench") && reason.contains("\"mood\""), "{reason}");
    assert_eq!(fs::read_to_string(dir.plan()).expect("the plan"), text);
    fs::write(dir.plan(), text.replace(",mood", "").replace(",good", "")).expect("a plan");
    let mut appender = Appender::open(&dir.plan()).expect("known columns");
    appender.append(&[row("b", 8)]).expect("a row can be appended");
    assert_eq!(dir.read_plan().expect("rows"), [row("a", 7), row("b", 8)]);

    append(&dir, &[full_run("a")]);
    let text = fs::read_to_string(dir.runs()).expect("rows");
    let old = text.replacen("root_bound,", "", 1).replacen(",inf,", ",", 1);
    fs::write(dir.runs(), old).expect("a file without a column");
    assert_eq!(dir.read_runs().expect("rows"), [RunRow { root_bound: None, ..full_run("a") }]);
    append(&dir, &[full_run("b")]);
    assert_eq!(dir.read_runs().expect("rows"), [RunRow { root_bound: None, ..full_run("a") }, full_run("b")]);
}

#[test]
fn rows_from_before_there_was_a_column_are_read() {
    let (_folder, dir) = results();
    let counted =
        RunRow { parts: Some(71), loops_merged: Some(72), patches: Some(73), restarts: Some(74), ..full_run("a") };
    append(&dir, slice::from_ref(&counted));
    assert_eq!(dir.read_runs().expect("rows"), [counted]);
    let mut solve = bare_solve("a");
    solve.solve =
        Solve { parts: Some(71), loops_merged: Some(72), patches: Some(73), restarts: Some(74), ..solve.solve };
    let mut solves = Appender::open(&dir.iterations()).expect("a file of iterations");
    solves.append(slice::from_ref(&solve)).expect("rows can be appended");
    assert_eq!(dir.read_iterations().expect("rows"), [solve]);

    for path in [dir.runs(), dir.iterations()] {
        let text = fs::read_to_string(&path).expect("rows");
        let old = text.replacen("parts,loops_merged,patches,restarts,", "", 1).replacen(",71,72,73,74,", ",", 1);
        assert!(old.len() < text.len() - 40, "columns and cells are gone");
        fs::write(&path, old).expect("a file without the columns");
    }
    assert_eq!(dir.read_runs().expect("rows"), [full_run("a")]);
    assert_eq!(dir.read_iterations().expect("rows"), [bare_solve("a")]);
}

#[test]
fn figures_that_cannot_be_and_names_that_lead_out_are_refused() {
    let (_folder, dir) = results();
    let row = bare_run("a");
    for (row, column) in [
        (RunRow { wall_time_s: Some(-1.0), ..row.clone() }, "wall_time_s"),
        (RunRow { cpu_limit_s: Some(f64::NAN), ..row.clone() }, "cpu_limit_s"),
        (RunRow { bound: Some(f64::INFINITY), ..row.clone() }, "bound"),
        (RunRow { run_id: "../a".to_owned(), ..row.clone() }, "run_id"),
        (RunRow { run_id: String::new(), ..row.clone() }, "run_id"),
        (RunRow { instance: "/etc".to_owned(), ..row.clone() }, "instance"),
    ] {
        let _ = fs::remove_file(dir.runs());
        append(&dir, &[row]);
        let (_, line, reason) = refused(dir.read_runs());
        assert!(line == 2 && reason.contains(&format!("column {column}: ")), "{reason}");
    }
}

#[test]
fn a_cell_that_does_not_fit_is_named() {
    let (_folder, dir) = results();
    append(&dir, &[bare_run("a"), bare_run("b")]);
    let text = fs::read_to_string(dir.runs()).expect("rows");
    fs::write(dir.runs(), text.replace(",b,1,", ",b,once,")).expect("a wrong cell");
    let (path, line, reason) = refused(dir.read_runs());
    assert_eq!((path, line), (dir.runs(), 3));
    assert!(reason.contains("column attempt: `once` is not a whole number"), "{reason}");
}

#[test]
fn a_row_that_cannot_be_copied_into_the_order_of_the_columns_is_named() {
    let (_folder, dir) = results();
    let text = "seed,run_id,instance,formulation,repeat,solver\n7,a,n3,basic,1,highs\n7,b,n3\n7,c,n3,basic,1,highs\n";
    fs::write(dir.plan(), text).expect("a plan");
    let (path, line, reason) = refused(Appender::<PlanRow>::open(&dir.plan()));
    assert_eq!((path, line), (dir.plan(), 3));
    assert!(reason.contains("3 cells where the header has 6"), "{reason}");
    assert_eq!(fs::read_to_string(dir.plan()).expect("the plan"), text, "nothing was written");
}

#[test]
fn a_run_stands_in_a_file_once_for_each_attempt() {
    let (_folder, dir) = results();
    append(&dir, &[bare_run("a"), bare_run("b"), RunRow { attempt: 2, ..bare_run("a") }]);
    assert_eq!(dir.read_runs().expect("two attempts of one run").len(), 3);
    append(&dir, &[full_run("b")]);
    let (path, line, reason) = refused(dir.read_runs());
    assert_eq!((path, line), (dir.runs(), 5));
    assert!(reason.contains("run b attempt 1"), "{reason}");
}

#[test]
fn whole_rows_can_be_read_before_the_last_is_written_to_its_end() {
    let (_folder, dir) = results();
    append(&dir, &[bare_run("a"), full_run("b")]);
    let text = fs::read(dir.runs()).expect("rows");
    let (header, first) = {
        let ends: Vec<_> = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(i, _)| i + 1).collect();
        (ends[0], ends[1])
    };
    for length in header..text.len() {
        fs::write(dir.runs(), &text[..length]).expect("a file that is cut off");
        let mut reader = TableReader::<RunRow>::open(&dir.runs()).expect("a header");
        let found: Vec<_> = reader.by_ref().map(|row| row.expect("a whole row").1).collect();
        let whole = usize::from(length >= first);
        assert_eq!(found, [bare_run("a")][..whole], "{length}");
        let is_truncated = length != header && length != first;
        assert_eq!(reader.truncated(), is_truncated.then_some(2 + whole as u64), "{length}");
        assert_eq!(dir.read_runs().is_err(), is_truncated, "{length}");
    }
}

#[test]
fn the_reference_results_of_the_repository_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/reference");
    for entry in fs::read_dir(folder).expect("the reference results") {
        let reference = ResultsDir::new(entry.expect("a folder").path());
        let rows = reference.read_runs().expect("rows");
        for row in &rows {
            assert_eq!(row.run_id, row.key().id().to_string(), "the identity follows from the columns of the row");
        }
        let mut ids: Vec<_> = rows.into_iter().map(|row| row.run_id).collect();
        ids.sort_unstable();
        let mut planned: Vec<_> = reference.read_plan().expect("a plan").into_iter().map(|row| row.run_id).collect();
        planned.sort_unstable();
        assert_eq!(ids, planned, "each planned run has one row, under its identity");
    }
}
