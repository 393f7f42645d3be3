//! Plots of comparisons: their figures against values computed by hand, when they are shown, what is in the SVG.

use std::fs;
use std::path::Path;

use record::{Category, Status};

use crate::fixture::{BASIC, Fixture, PRIMED, has_all};

/// Times of two solvers on six instances, in seconds; none: the limit of 20 s was reached.
const TIMES: [(Option<f64>, Option<f64>); 6] = [
    (Some(1.0), Some(2.0)),
    (Some(8.0), Some(2.0)),
    (Some(3.0), Some(3.0)),
    (Some(0.5), None),
    (None, Some(10.0)),
    (None, None),
];

/// The plots of comparisons.
const PLOTS: [&str; 5] = ["profile", "cactus", "scatter", "box", "by-iteration"];

fn duel() -> Fixture {
    let mut fixture = Fixture::new("duel");
    for (index, (highs, cbc)) in TIMES.iter().enumerate() {
        for (solver, time) in [("highs", highs), ("cbc", cbc)] {
            let run = fixture.run(&format!("n{}", index + 5), BASIC, solver, 0);
            match time {
                Some(time) => run.solves(&[(*time, 1)]),
                None => run.stops(20.0).limited("soft-limit"),
            };
        }
    }
    fixture
}

fn read(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join(name)).expect("a file that was written")
}

/// The rows of a plot's figures that begin so, with all that follows but empty columns at the end.
fn rows(dir: &Path, plot: &str, start: &str) -> Vec<String> {
    let csv = read(dir, &format!("{plot}-curves.csv"));
    let found = csv.lines().filter(|line| line.starts_with(start));
    found.map(|line| line[start.len()..].trim_end_matches(',').to_owned()).collect()
}

fn is_drawn(dir: &Path, experiment: &str, plot: &str) -> bool {
    dir.join(format!("{experiment}-{plot}.svg")).exists()
}

#[test]
fn a_profile_is_that_of_dolan_and_more() {
    let out = duel().report(&[]);
    // Ratios of highs: 1, 4, 1, 1; of cbc: 2, 1, 1, 1. Six instances, one of which nobody solved.
    assert_eq!(rows(out.path(), "duel-profile", "highs,step,,"), ["1,0.5", "4,0.666666667", "4,0.666666667"]);
    assert_eq!(rows(out.path(), "duel-profile", "cbc,step,,"), ["1,0.5", "2,0.666666667", "4,0.666666667"]);
    let points = rows(out.path(), "duel-profile", "highs,ended,");
    assert_eq!(points, ["\"n5, n7, n8\",1,0.5,,,3", "n6,4,0.666666667,,,1"]);
}

#[test]
fn a_cactus_plot_climbs_by_instance() {
    let out = duel().report(&[]);
    let corners = ["0,0.5", "1,1", "2,3", "3,8", "4,8"];
    assert_eq!(rows(out.path(), "duel-cactus", "highs,step,,"), corners);
    // Two instances took the same time: one step of two.
    assert_eq!(rows(out.path(), "duel-cactus", "cbc,step,,"), ["0,2", "2,3", "3,10", "4,10"]);
    assert_eq!(rows(out.path(), "duel-cactus", "cbc,ended,"), ["\"n5, n6\",2,2,,,2", "n7,3,3,,,1", "n9,4,10,,,1"]);
    assert_eq!(rows(out.path(), "duel-cactus", "time limit 20 s,guide,,"), [",20"]);
    assert_eq!(rows(out.path(), "duel-cactus", "all 6 instances,guide,,"), ["6"]);
}

#[test]
fn a_scatter_stands_what_was_not_solved_on_its_limit() {
    let out = duel().report(&[]);
    assert_eq!(
        rows(out.path(), "duel-scatter", "cbc,"),
        ["ended,n5,1,2,,,2", "ended,n6,8,2,,,2", "ended,n7,3,3,,,2", "limit,n8,0.5,20,,,2", "limit,n9,20,10,,,2"]
    );
    assert_eq!(rows(out.path(), "duel-scatter", "time limit 20 s,guide,,"), ["20", ",20"]);
    assert_eq!(rows(out.path(), "duel-scatter", "equally fast,guide"), [""]);
    let svg = read(out.path(), "duel-scatter.svg");
    for text in ["time of highs (s)", "time of cbc (s)", "equally fast", "time limit 20 s", "arrow: limit reached"] {
        assert!(svg.contains(text), "no {text}");
    }
    assert!(svg.contains("Not shown: 1 instance that neither solved"), "{svg}");
}

#[test]
fn six_stand_against_the_baseline_and_more_as_the_best_of_all() {
    let with = |solvers: usize| {
        let mut fixture = Fixture::new("many");
        for instance in ["n5", "n6", "n7", "n8", "n9"] {
            for solver in 0..solvers {
                let time = f64::from(u32::try_from(solvers - solver).expect("small"));
                fixture.run(instance, BASIC, &format!("s{solver}"), 0).solves(&[(time, 1)]);
            }
        }
        rows(fixture.report(&[]).path(), "many-scatter", "")
    };
    let curves = |rows: &[String]| rows.iter().filter(|r| r.contains(",ended,")).count();
    assert_eq!(curves(&with(6)), 5 * 5);
    let seven = with(7);
    assert_eq!(curves(&seven), 5);
    assert!(seven.contains(&"the best of 6 others,ended,n5,7,1,,,2".to_owned()), "{seven:?}");
}

#[test]
fn too_many_curves_are_the_first_and_the_best() {
    let mut fixture = Fixture::new("crowd");
    for instance in ["n5", "n6", "n7", "n8", "n9"] {
        for solver in 0..20 {
            fixture.run(instance, BASIC, &format!("s{solver}"), 0).solves(&[(20.0 - f64::from(solver), 1)]);
        }
    }
    let out = fixture.report(&[]);
    for plot in ["crowd-cactus", "crowd-profile"] {
        let all = rows(out.path(), plot, "s");
        let of = |solver: usize| all.iter().any(|row| row.starts_with(&format!("{solver},step")));
        let shown: Vec<_> = (0..20).filter(|s| of(*s)).collect();
        assert_eq!(shown, [vec![0], (5..20).collect()].concat(), "{plot}");
        let svg = read(out.path(), &format!("{plot}.svg"));
        assert!(svg.contains("Shown: the first, and the 15 of 19 others"), "{svg}");
    }
}

#[test]
fn boxes_are_quartiles_of_times_and_a_limit_that_was_reached_stands_apart() {
    let mut fixture = Fixture::new("seeds");
    for (seed, time) in [(0, 4.0), (1, 1.0), (2, 2.0), (3, 8.0), (4, 3.0)] {
        fixture.run("n5", BASIC, "highs", seed).solves(&[(time / 2.0, 2), (time / 2.0, 1)]);
        let run = fixture.run("n6", BASIC, "highs", seed);
        if seed == 3 {
            run.stops(20.0).limited("soft-limit")
        } else {
            run.solves(&[(time, 1)])
        };
    }
    for seed in 0..2 {
        fixture.run("n7", BASIC, "highs", seed).solves(&[(1.0, 1)]);
    }
    let out = fixture.report(&[]);
    let boxes = ["n5,3,1,8,5,2,4", "n6,2.5,1,4,4,1.75,3.25"];
    assert_eq!(rows(out.path(), "seeds-box", "highs,box,,"), boxes);
    assert_eq!(rows(out.path(), "seeds-box", "highs,limit,"), ["n6,n6,20,,,1"]);
    let svg = read(out.path(), "seeds-box.svg");
    has_all(&svg, &["In no box: 1 of 10 runs", "5 runs a cell", "Not shown: 1 cell of fewer than 3 runs", ">n5<"]);
}

#[test]
fn many_boxes_become_one_an_entrant() {
    let mut fixture = Fixture::new("boxes");
    for instance in 5..30 {
        for (solver, factor) in [("highs", 1.0), ("cbc", 3.0)] {
            for (seed, time) in [(0, 0.5), (1, 1.0), (2, 4.0)] {
                let time = time * factor * f64::from(instance);
                fixture.run(&format!("n{instance}"), BASIC, solver, seed).solves(&[(time, 1)]);
            }
        }
    }
    let out = fixture.report(&[]);
    // Each run in the unit of the median of its cell.
    let expected = ["highs,1,0.5,4,75,0.5,4", "cbc,1,0.5,4,75,0.5,4"];
    assert_eq!(rows(out.path(), "boxes-box", "runs of all cells,box,,"), expected);
    assert_eq!(rows(out.path(), "boxes-box", "median of the cell,guide,,"), [",1"]);
}

#[test]
fn iterations_are_medians_over_those_that_had_them() {
    let mut fixture = Fixture::new("again");
    fixture.run("n5", BASIC, "highs", 0).solves(&[(1.0, 3), (2.0, 2), (4.0, 1)]);
    fixture.run("n6", BASIC, "highs", 0).solves(&[(3.0, 2), (6.0, 1)]);
    fixture.run("n7", BASIC, "highs", 0).solves(&[(5.0, 2)]).stops(15.0).limited("soft-limit");
    for instance in ["n5", "n6", "n7"] {
        fixture.run(instance, BASIC, "cbc", 0).stops(20.0).limited("soft-limit");
    }
    let out = fixture.report(&[]);
    assert_eq!(rows(out.path(), "again-by-iteration", "highs,median,,"), ["0,3", "1,6", "2,4"]);
    let points = rows(out.path(), "again-by-iteration", "highs,ended,");
    assert_eq!(points, ["\"n5, n6, n7\",0,3,,,3", "\"n5, n6, n7\",1,6,,,3", "n5,2,4,,,1"]);
    assert_eq!(rows(out.path(), "again-by-iteration", "cbc,"), [""; 0]);
    assert!(read(out.path(), "again-by-iteration.svg").contains("Without a curve"), "cbc ended no solve");
}

#[test]
fn what_says_nothing_is_not_drawn() {
    let drawn = |mut fixture: Fixture| -> Vec<&str> {
        let name = fixture.manifest.experiment.clone();
        let out = fixture.report(&[]);
        PLOTS.into_iter().filter(|plot| is_drawn(out.path(), &name, plot)).collect()
    };
    assert_eq!(drawn(duel()), ["profile", "cactus", "scatter"]);
    let mut alone = duel();
    alone.runs.retain(|run| run.solver == "highs");
    assert_eq!(drawn(alone), [""; 0], "one solver");
    let mut few = duel();
    few.runs.retain(|run| ["n5", "n6", "n7", "n8"].contains(&run.instance.as_str()));
    assert_eq!(drawn(few), [""; 0], "four instances");
    let mut unsolved = duel();
    for run in &mut unsolved.runs {
        (run.status, run.category) = (Status::Timeout, Category::Unknown);
    }
    assert_eq!(drawn(unsolved), [""; 0], "nothing solved");
    let mut apart = duel();
    for run in apart.runs.iter_mut().filter(|run| run.solver == "cbc") {
        run.instance += "-other";
    }
    assert_eq!(drawn(apart), [""; 0], "no common instance");
    let mut named = duel();
    named.runs.retain(|run| run.instance == "n5");
    named.manifest.report.plots = vec!["cactus".to_owned()];
    assert_eq!(drawn(named), ["cactus"], "named in the config");
}

#[test]
fn settings_have_charts_of_their_own() {
    let mut fixture = duel();
    for (index, (highs, cbc)) in TIMES.iter().enumerate().take(5) {
        for (solver, time) in [("highs", highs), ("cbc", cbc)] {
            let run = fixture.run(&format!("n{}-open", index + 5), PRIMED, solver, 0);
            run.solves(&[(time.unwrap_or(7.0), 1)]);
        }
    }
    for run in &mut fixture.runs {
        run.places = (!run.instance.ends_with("open")).then_some(run.challenge).flatten();
    }
    let out = fixture.report(&[]);
    for plot in ["cactus-fixed", "cactus-open-plane", "profile-fixed", "scatter-open-plane"] {
        assert!(is_drawn(out.path(), "duel", plot), "no {plot}");
    }
    assert!(read(out.path(), "duel-cactus-fixed.svg").contains("cactus plot, fixed boards"));
}

#[test]
fn limits_that_differ_between_solvers_are_said() {
    let mut fixture = duel();
    for run in fixture.runs.iter_mut().filter(|run| run.solver == "cbc") {
        run.time_limit_s = Some(60.0);
    }
    let out = fixture.report(&[]);
    let csv = read(out.path(), "duel-scatter-curves.csv");
    assert!(csv.contains("# warning: time limits that are not the same for all, on 6 instances"), "{csv}");
    assert!(csv.contains("limit,n8,0.5,20,") && csv.contains("limit,n9,20,10,"), "{csv}");
}
