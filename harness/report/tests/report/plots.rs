//! Plots: what is in the SVG and the CSV, and that there is a PNG.

use std::fs;
use std::path::Path;

use record::{Category, Status};
use tempfile::TempDir;

use crate::drawing::area;
use crate::fixture::{BASIC, Fixture, has_all, write};

fn read(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join(name)).expect("a file that was written")
}

/// Whether the figures of a plot have a point that begins so: curve, kind, instance, x, y.
pub fn has_point(csv: &str, point: &str) -> bool {
    csv.lines().filter_map(|line| line.strip_prefix(point)).any(|rest| rest.starts_with(','))
}

#[test]
fn a_plot_shows_measured_and_published_points() {
    let out = Fixture::of_everything().report(&[]);
    let svg = read(out.path(), "table2-total-time.svg");
    assert!(svg.starts_with("<svg") && svg.contains("role=\"img\"") && svg.trim_end().ends_with("</svg>"));
    for text in [
        "<title>Re-solving &amp; all (profile quick) – total time; published: CPLEX 12.2, their machine, other boards</title>",
        "total time (s)",
        "challenge number",
        "10,000",
    ] {
        assert!(svg.contains(text), "no {text}");
    }
    // One marker in the legend and three points: black stars, which nothing else has.
    let star = |tag: &&str| tag.starts_with("<polygon") && tag.contains("#000000");
    assert_eq!(svg.lines().filter(star).count(), 4);
    for text in ["Kino &amp; Uno 2012, basic", "limit reached (lower bound)", "wrong answer", "Warning: WRONG"] {
        assert!(svg.contains(text), "no {text}");
    }

    let csv = read(out.path(), "table2-total-time-curves.csv");
    for line in [
        "\"basic, highs\",ended,n20,20,1.75",
        "\"basic, cbc\",limit,n20,20,20",
        "\"basic, highs\",wrong,n25,25,1234.5",
        "\"Kino & Uno 2012, basic\",published,,35,13684.78",
    ] {
        assert!(has_point(&csv, line), "no {line} in\n{csv}");
    }
    // The killed run interrupts the line.
    assert!(has_point(&csv, "\"basic, cbc\",median,,20,"), "{csv}");
}

#[test]
fn long_titles_of_experiments_take_several_lines() {
    let mut fixture = Fixture::new("long");
    fixture.manifest.title = (10..50).map(|word| format!("word{word}")).collect::<Vec<_>>().join(" ");
    fixture.run("n5", BASIC, "highs", 0).solves(&[(1.0, 1)]);
    let out = fixture.report(&[]);
    let svg = read(out.path(), "long-total-time.svg");
    let lines: Vec<_> = svg.lines().filter(|line| line.contains("<text") && line.contains("word")).collect();
    assert!(lines.len() > 1 && lines[0].contains(">word10 "), "{lines:?}");
    // Whole words from its beginning and its end.
    let words =
        (10..50).filter(|word| lines.iter().any(|line| line.contains(&format!("word{word}")))).collect::<Vec<_>>();
    assert_eq!(words, [10, 11, 12, 13, 14, 15, 16, 17, 18, 48, 49], "{lines:?}");
    assert!(lines[lines.len() - 1].contains(" – total time</text>"), "{lines:?}");
}

#[test]
fn whatever_is_not_solved_counts_in_the_medians_of_a_line() {
    let medians = |unsolved: Status| {
        let mut fixture = Fixture::new("lines");
        for (instance, time) in [("n5-a", 1.0), ("n5-b", 2.0), ("n7-a", 3.0)] {
            fixture.run(instance, BASIC, "highs", 0).solves(&[(time, 1)]);
        }
        for instance in ["n5-c", "n7-b"] {
            fixture.run(instance, BASIC, "highs", 0).ends(unsolved, Category::Unknown);
        }
        let out = fixture.report(&[]);
        let csv = read(out.path(), "lines-total-time-curves.csv");
        csv.lines().filter(|line| line.contains("median")).map(ToOwned::to_owned).collect::<Vec<_>>()
    };
    for status in [Status::Timeout, Status::Memout, Status::Crash] {
        assert_eq!(medians(status), ["highs,median,,5,2,,,,,", "highs,median,,7,,,,,,"], "{status}");
    }
}

#[test]
fn every_plot_is_a_png_too() {
    let out = TempDir::new().expect("a directory");
    let files = write(&[Fixture::of_everything().load()], out.path(), &[]).expect("a report");
    for plot in ["total-time", "iterations", "loops"] {
        let path = out.path().join(format!("table2-{plot}.png"));
        assert!(files.contains(&path));
        let bytes = fs::read(path).expect("a file");
        assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
        assert!(bytes.len() > 10_000, "{} bytes", bytes.len());
    }
}

#[test]
fn instances_without_challenge_number_have_no_plot() {
    let mut fixture = Fixture::of_everything();
    for run in &mut fixture.runs {
        run.challenge = None;
    }
    let out = TempDir::new().expect("a directory");
    let files = write(&[fixture.load()], out.path(), &[]).expect("a report");
    assert!(files.is_empty(), "{files:?}");
}

#[test]
fn figures_of_another_source_have_a_curve_of_their_own() {
    let mut fixture = Fixture::new("sources");
    fixture.run("n5", BASIC, "highs", 0).solves(&[(1.0, 1)]);
    let csv = "source,table,challenge,formulation,iteration,time_s\n\
               slides,1,3,C1 C2 C3 C4 C5,0,0.07\npaper,1,5,C1 C2 C3 C4 C5,0,0.5\n";
    fixture.publish(csv, "1");
    fixture.show_sources(&["paper", "slides"]);
    let out = fixture.report(&[]);
    let csv = read(out.path(), "sources-total-time-curves.csv");
    for line in ["slides,published,,3,0.07", "Kino & Uno 2012,published,,5,0.5"] {
        assert!(has_point(&csv, line), "no {line} in\n{csv}");
    }
}

#[test]
fn markers_stay_near_their_challenge_number() {
    let mut fixture = Fixture::new("crowd");
    for index in 0..10 {
        for instance in ["n10", "n20", "n30"] {
            let name = format!("f{index}");
            fixture.run(instance, (&name, "C1"), "highs", 0).solves(&[(1.0 + f64::from(index), 1)]);
        }
    }
    let out = fixture.report(&[]);
    let svg = read(out.path(), "crowd-total-time.svg");
    // The first and the eighth curve have circles, two in the legend.
    let value = |tag: &str, name: &str| {
        tag.split_once(&format!(" {name}=\"")).and_then(|(_, rest)| rest.split('"').next()?.parse::<f64>().ok())
    };
    let circles = svg.lines().filter(|tag| tag.starts_with("<circle"));
    let mut xs: Vec<_> =
        circles.filter(|tag| value(tag, "cy") < Some(area(&svg)[3])).filter_map(|t| value(t, "cx")).collect();
    xs.sort_by(f64::total_cmp);
    assert_eq!(xs.len(), 6, "{svg}");
    // Right of the axis, and much nearer to their own number than to the next one.
    assert!(xs[0] > area(&svg)[0] + 8.0, "{xs:?}");
    assert!(xs[1] - xs[0] <= 0.3 * (xs[2] - xs[0]), "{xs:?}");
}

#[test]
fn failures_and_the_shortest_times_are_no_ordinary_points() {
    let mut fixture = Fixture::new("odd");
    fixture.run("n5", BASIC, "highs", 0).solves(&[(1.0, 1)]).ends(Status::Optimal, Category::Error);
    fixture.run("n6", BASIC, "highs", 0).solves(&[(0.000_02, 1)]);
    let out = fixture.report(&[]);
    let csv = read(out.path(), "odd-total-time-curves.csv");
    assert!(has_point(&csv, "highs,error,n5,5,1"), "{csv}");
    let svg = read(out.path(), "odd-total-time.svg");
    assert!(svg.contains("error in a run") && !svg.contains("ended, not solved"), "{svg}");
    assert!(svg.contains("Drawn at 0.0001 s: 1 value below that"), "{svg}");
}

#[test]
fn the_legend_says_why_medians_of_several_runs_are_not_solved() {
    let svg = |seeds: u64| {
        let mut fixture = Fixture::new("hollow");
        for seed in 0..seeds {
            let run = fixture.run("n5", BASIC, "highs", seed).solves(&[(1.0, 2)]);
            if seed == 0 && seeds > 1 {
                run.limited("soft-limit")
            } else {
                run.ends(Status::Optimal, Category::Unknown)
            };
        }
        let out = fixture.report(&[]);
        read(out.path(), "hollow-total-time.svg")
    };
    let (one, several) = (svg(1), svg(3));
    assert!(one.contains(">hollow: ended, not solved (subloops, holes, no solution)<"), "{one}");
    let parts = [">hollow: ended, not solved by all runs (subloops, holes, no<", ">solution, or a limit in some)<"];
    has_all(&several, &parts);
}
