//! `results/COLUMNS.md` against the row types, and what the files of rows promise: rows come back as they
//! were, torn ends are repaired, files that do not fit are refused by name and line.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use record::{
    Appender, Category, IterationRow, PlanRow, RecordError, ResultsDir, RunRow, SCHEMA_VERSION, Solve, SolveStatus, Status, TableReader,
    columns, read_table, write_table,
};
use tempfile::TempDir;

/// A run of which nothing was measured.
fn bare_run(run_id: &str) -> RunRow {
    RunRow {
        schema_version: SCHEMA_VERSION,
        run_id: run_id.to_owned(),
        attempt: 1,
        experiment: "test".to_owned(),
        instance: "n3".to_owned(),
        instance_hash: "0123456789abcdef".to_owned(),
        challenge: None,
        places: None,
        colour: None,
        formulation: "basic".to_owned(),
        kind: "mip".to_owned(),
        families: "C1 C2' C3 C4 C5".to_owned(),
        objective: "virtual".to_owned(),
        subloops: "resolve:each".to_owned(),
        hole_treatment: "report".to_owned(),
        solver: "highs".to_owned(),
        solver_version: "1.0".to_owned(),
        options: "a=1; b=2".to_owned(),
        seed: u64::MAX,
        repeat: 1,
        threads: 1,
        cpus: None,
        jobs: 1,
        time_limit_s: None,
        cpu_limit_s: None,
        memory_limit_b: None,
        status: Status::Lost,
        category: Category::Error,
        termination_reason: "no-answer".to_owned(),
        native_status: None,
        exit_code: None,
        exit_signal: None,
        objective_value: None,
        bound: None,
        gap: None,
        root_bound: None,
        loops: None,
        holes: None,
        iterations: None,
        cuts: None,
        variables: None,
        constraints: None,
        nonzeros: None,
        build_time_s: None,
        solve_time_s: None,
        wall_time_s: None,
        cpu_time_s: None,
        peak_memory_b: None,
        memory_source: None,
        isolation: "process-group".to_owned(),
        nodes: None,
        simplex_iterations: None,
        conflicts: None,
        propagations: None,
        host: "box".to_owned(),
        cpu_model: "CPU 1".to_owned(),
        git_commit: "abcdef".to_owned(),
        git_dirty: None,
        started_at: "2026-01-02T03:04:05.678Z".to_owned(),
        message: None,
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

/// The first table under a heading of COLUMNS.md: its cells, without the column headings.
fn described(heading: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/COLUMNS.md");
    let text = fs::read_to_string(path).expect("results/COLUMNS.md is there");
    let section = text.split("\n## ").find_map(|s| s.strip_prefix(heading)).expect(heading);
    let rows = section.lines().take_while(|line| !line.starts_with("###")).filter(|line| line.starts_with("| `"));
    rows.map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

fn names(table: &[Vec<String>]) -> Vec<&str> {
    table.iter().map(|row| row[0].trim_matches('`')).collect()
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
fn columns_md_describes_every_column_in_order() {
    assert_eq!(names(&described("runs.csv\n")), columns::<RunRow>());
    assert_eq!(names(&described("iterations.csv\n")), columns::<IterationRow>());
    assert_eq!(names(&described("plan.csv\n")), columns::<PlanRow>());
}

#[test]
fn columns_md_says_of_every_optional_column_when_it_is_empty() {
    let (_folder, dir) = results();
    append(&dir, &[bare_run("a")]);
    let mut solves = Appender::open(&dir.iterations()).expect("a file of iterations");
    solves.append(&[bare_solve("a")]).expect("a row can be appended");
    for (path, heading) in [(dir.runs(), "runs.csv\n"), (dir.iterations(), "iterations.csv\n")] {
        let mut reader = csv::Reader::from_path(path).expect("a CSV file");
        let record = reader.records().next().expect("a row").expect("a sound row");
        for (cell, row) in record.iter().zip(described(heading)) {
            assert_eq!(row.len(), 4, "{row:?}");
            // What was not measured is an empty cell, never 0.
            assert!(!cell.is_empty() || row[3] != "never", "{} can be empty", row[0]);
        }
    }
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
fn a_torn_last_line_is_cut_off_when_the_file_is_opened() {
    let (_folder, dir) = results();
    append(&dir, &[full_run("a")]);
    let whole = fs::read(dir.runs()).expect("rows");
    // In the middle of a cell, and in the middle of a quoted one that holds a newline.
    for torn in ["1,b,1,te", "1,b,1,test,\"half\na message", "\""] {
        let mut file = OpenOptions::new().append(true).open(dir.runs()).expect("the file");
        file.write_all(torn.as_bytes()).expect("a torn line");
        append(&dir, &[]);
        assert_eq!(fs::read(dir.runs()).expect("rows"), whole, "{torn:?}");
    }
    append(&dir, &[bare_run("b")]);
    assert_eq!(dir.read_runs().expect("sound rows"), [full_run("a"), bare_run("b")]);
}

#[test]
fn zero_bytes_are_damage_and_never_written() {
    let (_folder, dir) = results();
    append(&dir, &[RunRow { message: Some("it said \0".to_owned()), ..bare_run("a") }]);
    assert_eq!(dir.read_runs().expect("sound rows")[0].message.as_deref(), Some("it said \u{fffd}"));
    let whole = fs::read(dir.runs()).expect("rows");
    // What a loss of power leaves of a batch: blocks that were never written, perhaps before some that were.
    for torn in [vec![0; 4096], b"3,b,1,\0\0\0\n3,c,1\n".to_vec()] {
        fs::write(dir.runs(), [whole.clone(), torn].concat()).expect("a file can be written");
        append(&dir, &[]);
        assert_eq!(fs::read(dir.runs()).expect("rows"), whole);
    }
    fs::write(dir.runs(), [0; 100]).expect("a file can be written");
    append(&dir, &[bare_run("a")]);
    assert_eq!(dir.read_runs().expect("sound rows"), [bare_run("a")]);
    // Something else that begins like that is not ours to cut.
    fs::write(dir.runs(), [0; 5000]).expect("a file can be written");
    assert!(Appender::<RunRow>::open(&dir.runs()).is_err());
    assert_eq!(fs::metadata(dir.runs()).expect("the file").len(), 5000);
}

#[test]
fn what_is_cut_off_is_kept_and_sound_rows_are_not_cut_off() {
    let (folder, dir) = results();
    append(&dir, &[full_run("a")]);
    let whole = fs::read(dir.runs()).expect("rows");
    for n in 1..=2 {
        let torn = format!("3,b,{n},\0\0\n3,c,\n");
        fs::write(dir.runs(), [&whole, torn.as_bytes()].concat()).expect("a file can be written");
        let appender = Appender::<RunRow>::open(&dir.runs()).expect("a file that is mended");
        let kept = folder.path().join(format!("runs.csv.cut-{n}"));
        assert_eq!(appender.cut(), Some(kept.as_path()));
        assert_eq!(fs::read_to_string(kept).expect("what was cut off"), torn);
        assert_eq!(fs::read(dir.runs()).expect("rows"), whole);
    }
    assert_eq!(Appender::<RunRow>::open(&dir.runs()).expect("a sound file").cut(), None);

    append(&dir, &[bare_run("b"), bare_run("c")]);
    let sound = fs::read_to_string(dir.runs()).expect("rows");
    // A stray quote, and zeros, in the row of `b`.
    for damage in [",\"b,1,", ",b\0\0,1,"] {
        let damaged = sound.replace(",b,1,", damage);
        fs::write(dir.runs(), &damaged).expect("a file can be written");
        let (path, line, reason) = refused(Appender::<RunRow>::open(&dir.runs()));
        // The row of `a` is several lines long, if it says so.
        let before = u64::try_from(whole.iter().filter(|byte| **byte == b'\n').count()).expect("a number");
        assert_eq!((path, line), (dir.runs(), before + 1));
        assert!(reason.contains(&format!("line {}", before + 2)), "{reason}");
        assert_eq!(fs::read_to_string(dir.runs()).expect("rows"), damaged, "nothing was cut off");
    }
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
fn a_torn_header_is_written_anew() {
    let (_folder, dir) = results();
    fs::write(dir.runs(), "schema_version,run").expect("a torn header");
    append(&dir, &[bare_run("a")]);
    assert_eq!(dir.read_runs().expect("sound rows"), [bare_run("a")]);
}

#[test]
fn a_foreign_header_is_refused() {
    let (_folder, dir) = results();
    let mut turned = columns::<IterationRow>();
    turned.swap(0, 1);
    let lacking = &columns::<IterationRow>()[1..];
    for (header, part) in [
        ("name,time".to_owned(), "unknown columns [\"name\", \"time\"]"),
        (format!("{},more", columns::<IterationRow>().join(",")), "unknown columns [\"more\"]"),
        (lacking.join(","), "lacks [\"run_id\"]"),
        (turned.join(","), "not in the order"),
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
fn another_schema_version_is_refused() {
    let (_folder, dir) = results();
    let other = RunRow { schema_version: SCHEMA_VERSION + 1, ..bare_run("b") };
    append(&dir, &[bare_run("a"), other]);
    let (path, line, reason) = refused(dir.read_runs());
    assert_eq!((path, line), (dir.runs(), 3));
    assert!(reason.contains(&format!("column schema_version: {} is not", SCHEMA_VERSION + 1)), "{reason}");
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
        let is_torn = length != header && length != first;
        assert_eq!(reader.torn(), is_torn.then_some(2 + whole as u64), "{length}");
        assert_eq!(dir.read_runs().is_err(), is_torn, "{length}");
    }
    // Sound rows behind the damage: nothing may be lost without a word.
    append(&dir, &[bare_run("a"), bare_run("c"), bare_run("d")]);
    let text = fs::read_to_string(dir.runs()).expect("rows").replace(",c,1,", ",\"c,1,");
    fs::write(dir.runs(), text).expect("an open quote");
    let mut reader = TableReader::<RunRow>::open(&dir.runs()).expect("a header");
    let (_, line, reason) = refused(reader.find(Result::is_err).expect("an error").map(drop));
    assert!(line > 2 && reason.contains("is a row again"), "{line}: {reason}");
}
