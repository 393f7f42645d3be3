//! `tilebench compare`: results of real runs against each other; what counts as a regression is its own crate's business.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use record::{Category, ResultsDir, RunRow, Status, columns, write_table};

use crate::bench::{Bench, COLOUR, Ran, send, wait_for, words, workspace};

/// A run that takes longer than any test.
const LONG: &str = "[[solver]]\nname = \"mock\"\noptions = { sleep = 200 }\n";

/// A part of the runs of configs/ci.toml, measured twice: `one` and `two`. The second has the times of the first: what a busy machine
/// makes of them is no matter here.
fn measured_twice() -> Bench {
    let bench = Bench::new();
    let config = workspace().join("configs/ci.toml").display().to_string();
    for out in ["one", "two"] {
        let filters = words("--filter instance=n10-* --filter kind=sat --filter solver=cadical --quiet");
        bench.run(&[words("run"), vec![&config, "--out", out], filters].concat()).ok();
    }
    for file in ["runs.csv", "iterations.csv"] {
        fs::copy(bench.path(&format!("one/ci/{file}")), bench.path(&format!("two/ci/{file}"))).expect("copied");
    }
    bench
}

/// Changes the rows of `two`.
fn tamper(bench: &Bench, change: impl Fn(usize, &mut RunRow)) {
    let files = ResultsDir::new(bench.path("two/ci"));
    let mut rows = files.read_runs().expect("rows");
    assert!(rows.len() > 5, "the filters take too much out");
    rows.iter_mut().enumerate().for_each(|(number, row)| change(number, row));
    write_table(&files.runs(), rows).expect("written");
}

#[test]
fn what_was_measured_twice_is_no_regression_and_a_tampered_row_is() {
    let bench = measured_twice();
    let ran = bench.run(&words("compare one two")).ok();
    assert!(ran.out.contains("### tilebench: no regression\n") && ran.out.contains("0 only in BASE"), "{ran:?}");
    assert_eq!(bench.run(&words("compare one/ci two/ci")).ok().out, ran.out, "folders and what is in them");
    assert_eq!(ran.err, "");

    tamper(&bench, |number, row| {
        if number == 0 {
            row.category = Category::Wrong;
        }
        if number == 1 {
            (row.status, row.category, row.nodes) = (Status::Crash, Category::Error, None);
        }
    });
    let ran = bench.run(&words("compare one two --markdown c.md --junit c.xml --json c.json"));
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("### tilebench: 2 regressions (wrong 1, failure 1)\n"), "{ran:?}");
    assert_eq!(bench.read("c.md"), ran.out);
    assert_eq!(bench.read("c.xml").matches("<failure ").count(), 2);
    assert!(bench.read("c.json").starts_with("{\n  \"regression\": true,"));
    // The other way round it is an improvement, and one may choose what fails.
    bench.run(&words("compare two one")).ok();
    bench.run(&words("compare one two --fail-on missing,memory")).ok();
    assert_eq!(bench.run(&words("compare one two --fail-on failure")).code, 1);
    let ran = bench.run(&words("compare one two --json -"));
    assert_eq!((ran.code, &ran.json()["regression"]), (1, &serde_json::Value::Bool(true)));
}

#[test]
fn runs_that_only_base_has_make_it_incomplete_and_against_itself_nothing_is_missing() {
    let bench = measured_twice();
    for file in ["one/ci/runs.csv", "two/ci/runs.csv"] {
        // As after an interruption: the plan has one run more.
        let text = bench.read(file);
        let kept = if file.starts_with("two") { text.lines().count() - 2 } else { text.lines().count() - 1 };
        bench.write(file, &text.lines().take(kept).map(|line| format!("{line}\n")).collect::<String>());
    }
    let ran = bench.run(&words("compare one two"));
    assert!(
        ran.code == 1 && ran.out.contains("### tilebench: incomplete: 1 run of BASE not measured in NEW\n"),
        "{ran:?}"
    );
    assert!(ran.out.contains("1 run measured in BASE only"), "{ran:?}");
    assert!(bench.run(&words("compare two one")).ok().out.contains("### tilebench: no regression\n"));
    let ran = bench.run(&words("compare two two")).ok();
    assert!(
        ran.out.contains("### tilebench: no regression\n") && ran.out.contains("runs of ci have a result"),
        "{ran:?}"
    );
    bench.run(&words("compare one two --fail-on wrong,failure")).ok();
}

#[test]
fn what_both_sides_lack_the_solver_for_is_said() {
    let bench = measured_twice();
    for side in ["one", "two"] {
        let dir = ResultsDir::new(bench.path(side).join("ci"));
        let lacking = |row: RunRow| RunRow { status: Status::Unsupported, category: Category::Error, ..row };
        write_table(&dir.runs(), dir.read_runs().expect("rows").into_iter().map(lacking)).expect("rows");
    }
    let ran = bench.run(&words("compare one two"));
    assert!(ran.out.contains("not compared, since both sides lack the solver: "), "{ran:?}");
}

#[test]
fn two_programs_measure_in_turns_and_are_compared() {
    let bench = Bench::new();
    let config = workspace().join("configs/ci.toml").display().to_string();
    // By a name alone: it is this file, and none that PATH may lead to.
    symlink(env!("CARGO_BIN_EXE_tilebench"), bench.path("program")).expect("a link");
    let program = "program";
    let call = |more: &str| {
        // Times on a busy machine are no matter here.
        let filters = "--filter challenge=10 --filter kind=sat --filter solver=cadical --out turns \
                       --fail-on wrong,failure,status,objective,count,missing";
        bench.run(
            &[vec!["compare", program, program, "--run", &config], words(filters), more.split_whitespace().collect()]
                .concat(),
        )
    };
    let ran = call("").ok();
    assert!(ran.out.contains("### tilebench: no regression\n"), "{ran:?}");
    let steps: Vec<_> = ran.err.lines().filter(|line| line.starts_with("ci: instance ")).collect();
    assert!(steps.len() > 1, "{ran:?}");
    let rows = |side: &str| ResultsDir::new(bench.path(&format!("turns/{side}/ci"))).read_runs().expect("rows");
    let (base, new) = (rows("base"), rows("new"));
    assert_eq!(base.len(), new.len());
    // Each side began with some instance, and no instance was measured by one side before another was done by both.
    let mut order: Vec<_> = base.iter().map(|row| (&row.started_at, &row.instance, 0)).collect();
    order.extend(new.iter().map(|row| (&row.started_at, &row.instance, 1)));
    order.sort();
    let mut turns: Vec<_> = order.iter().map(|(_, instance, side)| (*instance, *side)).collect();
    turns.dedup();
    assert_eq!(turns.len(), 2 * steps.len(), "{turns:?}");
    assert_eq!(
        turns.iter().step_by(2).map(|(_, side)| *side).collect::<Vec<_>>(),
        (0..steps.len()).map(|n| n % 2).collect::<Vec<_>>()
    );

    let again = call("");
    assert!(again.code == 2 && again.err.contains("holds an earlier comparison"), "{again:?}");
    let file = bench.run(&["compare", program, program, "--run", &config, "--out", program]);
    file.refused(&["--out program: program is no directory"]);
    call("--resume").ok();
    assert_eq!(rows("base").len(), base.len());
}

#[test]
fn whoever_compares_by_programs_hears_what_stopped_one() {
    let bench = Bench::new();
    let config = workspace().join("configs/ci.toml").display().to_string();
    let program = |name: &str, code: u8| {
        bench.write(name, &format!("#!/bin/sh\n[ \"$1\" = --version ] && echo tilebench && exit\nexit {code}\n"));
        fs::set_permissions(bench.path(name), Permissions::from_mode(0o755)).expect("a program");
    };
    for (code, expected) in [(3, 3), (130, 130), (2, 2)] {
        program("program", code);
        let out = format!("out-{code}");
        let ran = bench.run(&["compare", "program", "program", "--run", &config, "--out", &out]);
        assert_eq!(ran.code, expected, "{ran:?}");
        assert_eq!(ran.err.contains("both programs must understand"), code == 2, "{ran:?}");
    }
    let other = "compare /bin/true program --out none --run".split(' ').chain([config.as_str()]);
    bench.run(&other.collect::<Vec<_>>()).refused(&["/bin/true: no tilebench"]);
    let two = ["compare", "program", "program", "--out", "none", "--run", &config, &config];
    bench.run(&two).refused(&["are both experiment \"ci\""]);
    let folder = "compare . program --out none --run".split(' ').chain([config.as_str()]);
    bench.run(&folder.collect::<Vec<_>>()).refused(&["with --run this must be a program"]);
    assert!(!bench.path("none").exists());
}

#[test]
fn a_comparison_that_is_asked_to_stop_ends_what_it_measures_in_order() {
    let bench = Bench::mock();
    symlink(env!("CARGO_BIN_EXE_tilebench-mock"), bench.path("program")).expect("a link");
    bench.config("long", "tri.toml", &format!("{COLOUR}{LONG}"));
    let child = bench.start(&words("compare program program --run long.toml --out turns"));
    let log = || fs::read_dir(bench.path("turns/base/long/logs")).is_ok_and(|mut logs| logs.next().is_some());
    wait_for(30, log);
    send("INT", child.id());
    let ran = Ran::of(child);
    assert_eq!(ran.code, 130, "{ran:?}");
    assert_eq!(bench.survivors(), [""; 0]);
    let rows = ResultsDir::new(bench.path("turns/base/long")).read_runs().expect("rows");
    assert_eq!(rows.iter().map(|row| row.status).collect::<Vec<_>>(), [Status::Interrupted]);
}

/// As in `tilebench compare ... | head`.
#[test]
fn a_reader_that_leaves_takes_no_verdict_along() {
    let bench = measured_twice();
    let rows = bench.read("two/ci/runs.csv");
    let half = rows.lines().take(rows.lines().count() / 2).map(|line| format!("{line}\n")).collect::<String>();
    bench.write("two/ci/runs.csv", &half);
    bench.run(&words("solve tri.toml --solution tri.json")).ok();
    let wrong = bench.read("tri.json").replacen("\"tile\": 1", "\"tile\": 2", 1);
    bench.write("tri.json", &wrong);
    for (line, code) in [
        ("compare one two", 1),
        ("compare one two --json -", 1),
        ("verify tri.toml tri.json", 1),
        ("verify tri.toml tri.json --json", 1),
        ("run --help", 0),
        ("--version", 0),
        ("completions bash", 0),
        ("table one", 0),
    ] {
        let ran = bench.run_unread(&words(line));
        assert_eq!((ran.code, ran.err.as_str()), (code, ""), "{line}");
    }
}

#[test]
fn outputs_that_would_replace_each_other_or_what_is_read_are_refused() {
    let bench = measured_twice();
    let rows = bench.read("two/ci/runs.csv");
    bench.run(&words("compare one two --markdown x --junit ./x")).refused(&["./x", "two outputs"]);
    bench.run(&words("compare one two --json two/ci/runs.csv")).refused(&["two/ci/runs.csv", "are read"]);
    bench.write("mine.toml", "");
    bench
        .run(&words("compare tri.toml row.toml --run mine.toml --markdown mine.toml"))
        .refused(&["mine.toml", "is read"]);
    assert_eq!((bench.read("two/ci/runs.csv"), bench.path("x").exists()), (rows, false));
    bench.run(&words("compare one two --markdown /dev/null --junit /dev/null")).ok();
}

#[test]
fn input_that_cannot_be_compared_is_refused() {
    let bench = measured_twice();
    bench.run(&words("compare one")).refused(&["<NEW>"]);
    bench.run(&words("compare one nowhere")).refused(&["nowhere: there is no such folder"]);
    bench.run(&words("compare one two --time-threshold 0.9")).refused(&["a number above 1"]);
    bench.run(&words("compare one two --alpha 1")).refused(&["between 0 and 1"]);
    bench.run(&words("compare one two --fail-on speed")).refused(&["speed", "time"]);

    let path = bench.path("two/ci/runs.csv");
    let sound = fs::read_to_string(&path).expect("rows");
    let lines = sound.lines().count();
    let again = sound.lines().last().expect("a row");
    let cases = [
        (sound[..sound.len() - 40].to_owned(), format!("runs.csv, line {lines}: ")),
        (format!("{sound}{again}\n"), format!("runs.csv, line {}: run ", lines + 1)),
        (
            sound.replacen("schema_version,", "", 1),
            "runs.csv, line 1: the header lacks [\"schema_version\"]".to_owned(),
        ),
    ];
    assert_eq!(columns::<RunRow>()[0], "schema_version");
    for (text, expected) in cases {
        fs::write(&path, text).expect("written");
        bench.run(&words("compare one two")).refused(&[&expected]);
        bench.run(&words("compare two one")).refused(&[&expected]);
    }
    fs::write(&path, &sound).expect("written");
    bench.run(&words("compare one two")).ok();
    tamper(&bench, |_, row| row.run_id = row.run_id.chars().rev().collect());
    bench.run(&words("compare one two")).refused(&["nothing to compare", "one/ci", "two/ci"]);
}
