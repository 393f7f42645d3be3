//! Bars of the time on each instance, with their mean.

use std::fs;

use record::{Category, Status};

use crate::fixture::{BASIC, Fixture, PRIMED};
use crate::plots::has_point;

/// What a report of it has in files of this ending, by name.
fn charts(fixture: &mut Fixture, ending: &str) -> Vec<(String, String)> {
    let out = fixture.report(&[]);
    let entries = fs::read_dir(out.path()).expect("files").map(|entry| entry.expect("an entry").path());
    let mut found: Vec<_> = entries
        .filter_map(|path| {
            let name = path.file_name()?.to_str()?.to_owned();
            (name.contains("-bars-") && name.ends_with(ending))
                .then(|| (name, fs::read_to_string(&path).expect("text")))
        })
        .collect();
    found.sort();
    found
}

/// The texts of a picture.
fn texts(svg: &str) -> impl Iterator<Item = &str> {
    svg.lines().filter_map(|line| line.strip_prefix("<text")?.split_once('>')?.1.strip_suffix("</text>"))
}

/// One that solves all within milliseconds, and one that needs seconds and does not solve one of three.
fn uneven() -> Fixture {
    let mut fixture = Fixture::new("batch");
    for (instance, fast, slow) in
        [("n20-a", 0.000_01, Some(4.0)), ("n20-b", 0.002, None), ("n20-c", 0.003_99, Some(9.0))]
    {
        fixture.run(instance, BASIC, "highs", 0).solves(&[(fast, 1)]);
        let run = fixture.run(instance, PRIMED, "cbc", 0);
        match slow {
            Some(time) => drop(run.solves(&[(time, 1)])),
            None => drop(run.limited("soft-limit")),
        }
    }
    fixture.manifest.report.plots = vec!["bars".to_owned()];
    fixture
}

#[test]
fn each_entrant_has_a_chart_with_its_mean() {
    let found = charts(&mut uneven(), ".csv");
    let names: Vec<_> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["batch-bars-basic-highs-curves.csv", "batch-bars-c2p_50--cbc-curves.csv"]);
    for line in ["\"basic, highs\",ended,n20-b,n20-b,0.002", "mean: 0.002 s,guide,,,0.002"] {
        assert!(has_point(&found[0].1, line), "no {line} in\n{}", found[0].1);
    }
    // What was not solved counts at the limit of 20 s, so that the mean is a lower bound.
    for line in ["\"c2'_50%, cbc\",limit,n20-b,n20-b,20", "mean: at least 11.00 s,guide,,,11"] {
        assert!(has_point(&found[1].1, line), "no {line} in\n{}", found[1].1);
    }
}

#[test]
fn all_charts_have_one_scale_and_say_what_is_not_solved() {
    let found = charts(&mut uneven(), ".svg");
    let labels =
        |svg: &str| texts(svg).filter(|text| text.parse::<f64>().is_ok()).map(ToOwned::to_owned).collect::<Vec<_>>();
    assert_eq!(labels(&found[0].1), labels(&found[1].1));
    assert_eq!(labels(&found[0].1), ["0.00001", "0.0001", "0.001", "0.01", "0.1", "1", "10"]);
    assert!(found.iter().all(|(_, svg)| svg.contains("All 2 charts have one scale")));
    assert!(found[1].1.contains("hatched: limit reached (lower bound)"));
    assert!(found[1].1.contains("Not solved: 1 of 3 instances; counted at the time limit"), "{}", found[1].1);
    assert!(!found[0].1.contains("hatched"));
}

#[test]
fn bars_are_drawn_where_a_config_names_them() {
    let mut fixture = uneven();
    fixture.manifest.report.plots.clear();
    assert!(charts(&mut fixture, ".svg").is_empty());
}

#[test]
fn a_hundred_instances_have_a_bar_each_and_fewer_names() {
    let mut fixture = Fixture::new("hundred");
    for index in 0..100 {
        let run = fixture.run(&format!("n20-random-{index:03}"), BASIC, "highs", 0);
        match index {
            7 => drop(run.ends(Status::Crash, Category::Error)),
            8 => drop(run.infeasible(1.0).ends(Status::Infeasible, Category::Wrong)),
            _ => drop(run.solves(&[(0.01 + f64::from(index), 1)])),
        }
    }
    fixture.manifest.report.plots = vec!["bars".to_owned()];
    let (_, svg) = charts(&mut fixture, ".svg").pop().expect("a chart");
    let blue = |line: &&str| line.starts_with("<polygon") && line.contains("#116dd8");
    assert_eq!(svg.lines().filter(blue).count(), 98 + 1, "filled ones, and one in the legend");
    let names = texts(&svg).filter(|text| text.starts_with("n20-random-")).count();
    // They are smaller than the labels of the other axis: at that size every third would be drawn.
    assert!((50..100).contains(&names), "{names}");
    assert!(svg.contains("Not solved: 2 of 100 instances") && svg.contains("wrong answer"));
}
