//! Directories that cannot be reported, and what is said about them.

use std::fs;
use std::path::Path;
use std::slice;

use report::{Analysis, Format, results_in};
use tempfile::TempDir;

use crate::fixture::{BASIC, Fixture, write};

fn error(fixture: &mut Fixture) -> String {
    Analysis::load(fixture.save()).expect_err("a bad directory").to_string()
}

fn one_run() -> Fixture {
    let mut fixture = Fixture::new("one");
    fixture.run("n5", BASIC, "highs", 0).solves(&[(1.0, 1)]);
    fixture
}

#[test]
fn a_directory_without_manifest() {
    let dir = TempDir::new().expect("a directory");
    let error = Analysis::load(dir.path()).expect_err("no results").to_string();
    assert!(error.contains(&dir.path().display().to_string()) && error.contains("tilebench run"), "{error}");
}

#[test]
fn a_folder_stands_for_the_results_in_it() {
    let folder = TempDir::new().expect("a folder");
    for name in ["table10", "table2", "papers"] {
        fs::create_dir(folder.path().join(name)).expect("made");
    }
    assert!(results_in(folder.path()).is_err());
    for name in ["table10", "table2"] {
        fs::copy(one_run().save().join("manifest.json"), folder.path().join(name).join("manifest.json"))
            .expect("copied");
    }
    let found = |dir: &Path| results_in(dir).expect("results");
    assert_eq!(found(folder.path()), ["table2", "table10"].map(|name| folder.path().join(name)));
    let one = folder.path().join("table2");
    assert_eq!(found(&one), slice::from_ref(&one));
    // What lies in a results directory is its own business.
    fs::create_dir(one.join("old")).expect("made");
    fs::copy(one.join("manifest.json"), one.join("old/manifest.json")).expect("copied");
    assert_eq!(found(&one), slice::from_ref(&one));
}

#[test]
fn a_run_that_stands_there_twice() {
    let mut fixture = one_run();
    fixture.runs.push(fixture.runs[0].clone());
    let found = error(&mut fixture);
    assert!(found.contains("line 3: run n5 basic highs 0 attempt 1 stands here a second time"), "{found}");
}

#[test]
fn unknown_tables_and_plots() {
    // Found when the pages are made: `compare` reads the same results and shows none of them.
    let error = |mut fixture: Fixture| {
        let out = TempDir::new().expect("a directory");
        write(&[fixture.load()], out.path(), &[Format::Md]).expect_err("an unknown name").to_string()
    };
    let mut fixture = one_run();
    fixture.manifest.report.tables = vec!["iteration".to_owned()];
    let found = error(fixture);
    assert!(found.contains("no table `iteration`; there are published, bounded, batch"), "{found}");
    let mut fixture = one_run();
    fixture.manifest.report.plots = vec!["pie".to_owned()];
    assert!(error(fixture).contains("no plot `pie`; there are total-time, iterations, loops"));
}

#[test]
fn published_figures_that_do_not_fit() {
    let cases = [
        ("table,challenge,formulation,iteration,time_s\n1,5,C1,0,0.02\n1,5,C1,1,1_000\n", "line 3, column time_s"),
        ("table,challenge,formulation,iteration,time_s\n1,five,C1,0,0.02\n", "line 2, column challenge"),
        ("table,challenge,formulation,iteration,time_s\n1,5,C1 C2,0,1\n1,5,C2 C1,0,2\n", "line 3: challenge 5"),
        ("table,challenge,formulation,iteration,time_s\n1,5,C1,0\n", "line 2: 4 cells"),
        ("table,challenge,formulation,iteration\n1,5,C1,0\n", "line 1, column time_s: missing; published figures need"),
        ("table,challenge,formulation,iteration,time_s\n1,5,C1,,0.02\n", "line 2, column iteration: `` is not a whole"),
        (
            "table,challenge,formulation,time_s\n1,5,C1,1\n1,5,C1,2\n",
            "line 3: challenge 5, iteration 0 of C1 stands here",
        ),
        ("table,challenge,places,formulation,time_s\n1,5,many,C1,1\n", "line 2, column places: `many` is not a whole"),
        (
            "table,challenge,places,formulation,time_s\n1,5,7,C1,1\n1,5,12,C1,1\n1,5,7,C1,2\n",
            "line 4: challenge 5 on 7 places, iteration 0 of C1 stands here a second time",
        ),
        (
            "table,challenge,formulation,objective,time_s\n1,5,,weighted,1\n1,5,,none,1\n1,5,,none,1\n",
            "line 4: challenge 5, iteration 0 of formulation not said stands here a second time",
        ),
        (
            "table,challenge,formulation,time_s,hole\n1,5,C1,1,maybe\n",
            "line 2, column hole: `maybe` is neither `yes` nor `no` nor empty",
        ),
        ("table,challenge,formulation,time_s,solved\n1,5,C1,1,1\n", "line 2, column solved: `1` is neither"),
        ("table,challenge,formulation,time_s,loops\n1,5,C1,1,one\n", "line 2, column loops: `one` is not a whole"),
        (
            "table,challenge,formulation,iteration,time_s\n2,5,C1,0,0.02\n",
            "no rows of table `1`; the file has the tables 2",
        ),
    ];
    for (csv, expected) in cases {
        let mut fixture = one_run();
        fixture.publish(csv, "1");
        let found = error(&mut fixture);
        assert!(found.contains(expected) && found.contains("published.csv"), "{found}");
    }
    for (csv, expected) in [
        ("table,challenge,formulation,iteration,time_s\n1,5,C1,0,0.02\n", "line 1, column source: missing"),
        (
            "source,table,challenge,formulation,iteration,time_s\nslides,1,5,C1,0,0.02\n",
            "column source: no rows of table `1` from paper; the file has that table from slides",
        ),
    ] {
        let mut fixture = one_run();
        fixture.publish(csv, "1");
        fixture.show_sources(&["paper"]);
        let found = error(&mut fixture);
        assert!(found.contains(expected), "{found}");
    }
}

/// Names become parts of paths: those of a directory from somebody else must not name files outside of it.
#[test]
fn names_that_lead_out_of_the_directory() {
    for id in ["../../secret", "/etc/passwd", "a/b", "."] {
        let mut fixture = Fixture::new("one");
        fixture.run("n5", BASIC, "highs", 0).named(id).solves(&[(1.0, 1)]);
        let found = error(&mut fixture);
        assert!(found.contains("run_id") && found.contains(id), "{found}");
        let mut fixture = Fixture::new("one");
        fixture.run(id, BASIC, "highs", 0).named("0123456789abcdef").solves(&[(1.0, 1)]);
        let found = error(&mut fixture);
        assert!(found.contains("instance") && found.contains(id), "{found}");
    }
}
