//! The table `health`, and medians that say what they stand for.

use std::fs;

use record::{Category, Status};
use report::{Format, grids};

use crate::fixture::{BASIC, Fixture, grid, has_all, row};

fn solved() -> Fixture {
    let mut fixture = Fixture::new("health");
    for (instance, wall, cpu, peak) in [("n5", 1.1, 1.1, 30), ("n10", 2.0, 1.9, 50)] {
        fixture.run(instance, BASIC, "highs", 0).solves(&[(1.0, 1)]);
        let run = fixture.runs.last_mut().expect("a run");
        (run.wall_time_s, run.cpu_time_s) = (Some(wall), Some(cpu));
        (run.peak_memory_b, run.memory_source) = (Some(peak << 20), Some("cgroup".to_owned()));
    }
    fixture
}

#[test]
fn it_is_there_where_something_is_wrong_or_on_request() {
    let is_there = |change: &dyn Fn(&mut Fixture)| {
        let mut fixture = solved();
        change(&mut fixture);
        !grids(&fixture.load(), "health").is_empty()
    };
    assert!(!is_there(&|_| ()));
    // A limit that struck is a result.
    assert!(!is_there(&|fixture| {
        fixture.run("n15", BASIC, "highs", 0).limited("soft-limit");
    }));
    assert!(is_there(&|fixture| fixture.runs[0].category = Category::Error));
    assert!(is_there(&|fixture| fixture.runs[0].category = Category::Wrong));
    assert!(is_there(&|fixture| fixture.runs[0].wall_time_s = Some(10.0)));
    let mut asked = solved();
    asked.manifest.report.tables = vec!["health".to_owned()];
    let found = row(&grid(&asked.load(), "health"), "highs");
    assert_eq!(found, ["2", "2", "2", "0", "0", "0", "0", "—", "—", "0.97", "0", "0", "50", "cgroup"]);
}

#[test]
fn how_well_limits_were_kept() {
    let mut fixture = solved();
    for (seed, reason, wall) in [(1, "soft-limit", 20.25), (2, "hard-limit", 21.5), (3, "hard-limit", 21.0)] {
        fixture.run("n15", BASIC, "highs", seed).limited(reason);
        fixture.runs.last_mut().expect("a run").wall_time_s = Some(wall);
    }
    // A limit of the solver's own says nothing of the time.
    fixture.run("n15", BASIC, "highs", 4).limited("solver-limit");
    fixture.runs.last_mut().expect("a run").wall_time_s = Some(2.0);
    fixture.run("n15", BASIC, "cbc", 1).ends(Status::Memout, Category::Unknown);
    fixture.run("n15", BASIC, "cbc", 2).ends(Status::Crash, Category::Error);
    let table = grid(&fixture.load(), "health");
    assert_eq!(row(&table, "highs")[..9], ["6", "2", "4", "0", "0", "2", "0", "4", "0"]);
    assert_eq!(row(&table, "highs")[9..], ["2", "1.00", "1.50", "0.97", "0", "0", "50", "cgroup"]);
    assert_eq!(row(&table, "cbc")[..9], ["2", "0", "0", "1", "1", "0", "0", "1", "1"]);
    assert_eq!(row(&table, "cbc")[9..], ["0", "—", "—", "—", "0", "0", "—", "—"]);
}

#[test]
fn a_solver_that_stops_early_keeps_its_limit() {
    let mut fixture = solved();
    fixture.run("n15", BASIC, "highs", 1).limited("soft-limit");
    fixture.runs.last_mut().expect("a run").wall_time_s = Some(19.5);
    fixture.manifest.report.tables = vec!["health".to_owned()];
    let table = grid(&fixture.load(), "health");
    let hard = table.column_names().iter().position(|name| name == "time limit / hard").expect("a column");
    assert_eq!(row(&table, "highs")[hard..hard + 3], ["0", "0.00", "0.00"]);
}

/// Three seeds twice on one board, one run on another.
fn repeated() -> Fixture {
    let mut fixture = Fixture::new("repeats");
    for (seed, time) in [(0, 1.0), (1, 2.0), (2, 6.0)] {
        for (repeat, more) in [(1, 0.0), (2, 0.5)] {
            fixture.run("n5", BASIC, "highs", seed).named(&format!("{seed}.{repeat}")).solves(&[(time + more, 1)]);
            fixture.runs.last_mut().expect("a run").repeat = repeat;
        }
    }
    fixture.run("n10", BASIC, "highs", 0).solves(&[(9.0, 1)]);
    fixture.manifest.report.tables = vec!["times".to_owned(), "iterations".to_owned()];
    fixture
}

#[test]
fn medians_are_over_seeds_and_repeats_and_say_so() {
    let mut fixture = repeated();
    let out = fixture.report(&Format::ALL);
    let read = |name: &str| fs::read_to_string(out.path().join(name)).expect("a file");
    let text = read("repeats.md");
    has_all(
        &text,
        &[
            "Medians of up to 6 runs (seeds and repeats). In brackets: the least and the most of several runs.",
            "| n5 | 2.25 \\[1.00–6.50\\] |\n| n10 | 9.00 |",
            "| total | 2.25 | 9.00 |\n| total, least | 1.00 |  |\n| total, most | 6.50 |  |\n| runs | 6 | 1 |\n",
        ],
    );
    let csv = read("repeats-times.csv");
    let expected = "instance,basic / highs,basic / highs / least,basic / highs / most,basic / highs / runs\n\
                    n5,2.25,1,6.5,6\nn10,9,,,1\n";
    assert!(csv.starts_with(expected), "{csv}");
    assert!(read("repeats.tex").contains("n5 & 2.25 [1.00--6.50] \\\\"), "{}", read("repeats.tex"));
    let points = read("repeats-total-time-curves.csv");
    for point in ["highs,ended,n5,5,2.25,1,6.5,6", "highs,ended,n10,10,9,,,1"] {
        assert!(points.lines().any(|l| l.trim_end_matches(',') == point), "no {point} in\n{points}");
    }
    let note = "Medians of up to 6 runs (seeds and repeats); bars: the least and the most";
    assert!(read("repeats-total-time.svg").contains(note));
    assert!(!read("repeats-iterations.svg").contains("bars"));
}

#[test]
fn the_most_is_open_where_any_run_did_not_end() {
    for (status, word) in [(Status::Memout, "memout"), (Status::Crash, "crash"), (Status::Timeout, "timeout")] {
        let mut fixture = Fixture::new("spread");
        fixture.run("n5", BASIC, "highs", 0).solves(&[(1.0, 1)]);
        fixture.run("n5", BASIC, "highs", 1).solves(&[(9.0, 1)]);
        fixture.run("n5", BASIC, "highs", 2).ends(status, Category::Unknown);
        fixture.manifest.report.tables = vec!["times".to_owned()];
        assert_eq!(row(&grid(&fixture.load(), "times"), "n5"), [format!("9.00 [1.00–>9.00] ({word} 1/3)")]);
    }
}

#[test]
fn cells_of_different_numbers_of_runs_say_theirs() {
    let mut fixture = repeated();
    fixture.run("n10", BASIC, "highs", 1).limited("hard-limit");
    fixture.run("n15", BASIC, "highs", 0).stops(20.0).limited("soft-limit");
    fixture.run("n15", BASIC, "highs", 1).stops(20.5).limited("soft-limit");
    let table = grid(&fixture.load(), "times");
    for (instance, expected) in [
        ("n5", "2.25 [1.00–6.50, 6 runs]"),
        // The run that was killed may take longer than any.
        ("n10", ">14.50 [9.00–>20.00, 2 runs] (timeout 1/2)"),
        // None came to its end.
        ("n15", ">20.00 [2 runs] (timeout)"),
    ] {
        assert_eq!(row(&table, instance), [expected]);
    }
    assert!(table.notes.iter().any(|note| note.contains("and their number")), "{:?}", table.notes);
}

#[test]
fn a_solver_that_is_not_there_is_no_error() {
    let mut fixture = Fixture::new("absent");
    fixture.run("n5", BASIC, "highs", 0).solves(&[(1.0, 1)]);
    fixture.run("n5", BASIC, "cbc", 0).ends(Status::Unsupported, Category::Error);
    fixture.run("n5", BASIC, "glpk", 0).ends(Status::Crash, Category::Error);
    let table = grid(&fixture.load(), "summary");
    let count = |solver: &str, name: &str| {
        let column = table.column_names().iter().position(|column| column == name).expect("a column");
        row(&table, &format!("basic / {solver}"))[column].clone()
    };
    assert_eq!(
        (count("cbc", "status / unsupported"), count("cbc", "category / error")),
        ("1".to_owned(), "0".to_owned())
    );
    assert_eq!(
        (count("glpk", "status / unsupported"), count("glpk", "category / error")),
        ("0".to_owned(), "1".to_owned())
    );
}
