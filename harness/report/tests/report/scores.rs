//! The tables that compare: scores and pairs, against values computed by hand.

use record::{Category, Status};
use report::stats::geometric_interval;
use report::{Analysis, grids};

use crate::fixture::{BASIC, Fixture, PRIMED, grid, row};

/// Six instances that both solve, one that only the second does, one that neither does; a limit of 20 s.
fn two() -> Fixture {
    let mut fixture = Fixture::new("two");
    for (number, (base, other)) in [(4.0, 2.0); 5].into_iter().chain([(4.0, 8.0)]).enumerate() {
        let instance = format!("n{}", 11 + number);
        fixture.run(&instance, BASIC, "highs", 0).solves(&[(base, 1)]);
        fixture.run(&instance, PRIMED, "highs", 0).solves(&[(other, 1)]);
    }
    for (instance, other) in [("n17", Some(5.0)), ("n18", None)] {
        fixture.run(instance, BASIC, "highs", 0).limited("soft-limit");
        let run = fixture.run(instance, PRIMED, "highs", 0);
        match other {
            Some(time) => drop(run.solves(&[(time, 1)])),
            None => drop(run.limited("hard-limit")),
        }
    }
    fixture
}

#[test]
fn what_a_verified_solution_refutes_solves_nothing() {
    let mut fixture = two();
    let refuted: [fn(&mut record::RunRow); 2] = [
        |run| (run.objective_value, run.bound) = (Some(51.0), Some(51.0)),
        |run| (run.status, run.category) = (Status::Infeasible, Category::Unknown),
    ];
    for (place, change) in refuted.into_iter().enumerate() {
        let [base, other] = [2 * place, 2 * place + 1];
        (fixture.runs[base].objective_value, fixture.runs[base].bound) = (Some(49.0), Some(40.0));
        change(&mut fixture.runs[other]);
        // Values compare between runs of one model.
        let families = fixture.runs[base].families.clone();
        for place in [base, other] {
            (fixture.runs[place].families, fixture.runs[place].objective) = (families.clone(), "weighted".to_owned());
        }
    }
    let table = grid(&fixture.load(), "scores");
    let [of_base, of_other] = ["basic / highs", "c2'_50% / highs"].map(|label| row(&table, label));
    // Solved, wrong, not solved.
    assert_eq!(
        (&of_base[..3], &of_other[..3]),
        (&["6", "0", "2"].map(str::to_owned)[..], &["5", "**2**", "1"].map(str::to_owned)[..])
    );
}

fn shifted(times: &[f64], shift: f64) -> f64 {
    times.iter().map(|t| t + shift).product::<f64>().powf(1.0 / times.len() as f64) - shift
}

#[test]
fn scores_by_hand() {
    let table = grid(&two().load(), "scores");
    let base = [4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 20.0, 20.0];
    let other = [2.0, 2.0, 2.0, 2.0, 2.0, 8.0, 5.0, 20.0];
    let best = [2.0, 2.0, 2.0, 2.0, 2.0, 4.0, 5.0, 20.0];
    let means = |times: &[f64; 8], bold: bool| -> Vec<String> {
        let pair = |shift: f64| {
            let mean = format!("{:.2}", shifted(times, shift));
            let mean = if bold { format!("**{mean}**") } else { mean };
            [mean, format!("{:.2}", shifted(times, shift) / shifted(&base, shift))]
        };
        [1.0, 10.0].into_iter().flat_map(pair).collect()
    };
    let line = |start: &[&str], means: Vec<String>, end: &[&str]| -> Vec<String> {
        let text = |part: &[&str]| part.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        [text(start), means, text(end)].concat()
    };
    // PAR-2: what was not solved counts as 40 s.
    // Both solved six instances.
    let expected = line(&["6", "0", "2", "0", "13.00", "1.00"], means(&base, false), &["0.00", "4.00", "1", "0"]);
    assert_eq!(row(&table, "basic / highs"), expected);
    let expected = line(&["7", "0", "1", "0", "**7.88**", "0.61"], means(&other, true), &["0.00", "3.00", "6", "1"]);
    assert_eq!(row(&table, "c2'_50% / highs"), expected);
    let expected = line(&["7", "", "", "", "7.38", "0.57"], means(&best, false), &["", "", "", ""]);
    assert_eq!(row(&table, "virtual best"), expected);
    assert_eq!(table.notes[0], "Over the 8 instances that both were run on");
}

#[test]
fn what_a_solver_does_not_support_is_no_error() {
    let mut fixture = two();
    fixture.run("n19", BASIC, "highs", 0).ends(Status::Unsupported, Category::Error);
    fixture.run("n19", PRIMED, "highs", 0).ends(Status::Crash, Category::Error);
    let table = grid(&fixture.load(), "scores");
    // Solved, wrong, unknown, error.
    assert_eq!(row(&table, "basic / highs")[..4], ["6", "0", "3", "0"]);
    assert_eq!(row(&table, "c2'_50% / highs")[..4], ["7", "0", "1", "1"]);
}

#[test]
fn pairs_by_hand() {
    let table = grid(&two().load(), "pairs");
    assert_eq!(table.caption, "Against the baseline basic, highs");
    // Six ties with rank 3.5, one of them negative, and rank 7: 7 of 128 assignments of signs go as low as 3.5.
    let logs = [[2.0_f64.ln(); 5].as_slice(), &[0.5_f64.ln()]].concat();
    let (low, high) = geometric_interval(&logs).expect("an interval");
    let interval = [low, high].map(|end| format!("{end:.2}"));
    let speed_up = format!("{:.2}", 2.0_f64.powf(4.0 / 6.0));
    let expected = [&speed_up, &interval[0], &interval[1], "6", "0.11", "0.11", "6", "7", "1.00", "1.00", "1", "0"]
        .map(ToOwned::to_owned);
    assert_eq!(row(&table, "c2'_50% / highs"), expected);
}

/// The p-values of a table are corrected together.
#[test]
fn several_rows_are_corrected() {
    let mut fixture = two();
    let copies: Vec<_> = fixture.runs.iter().filter(|run| run.formulation == PRIMED.0).cloned().collect();
    for mut run in copies {
        run.solver = "cbc".to_owned();
        run.solve_time_s = fixture.iterations.iter().find(|i| i.run_id == run.run_id).map(|i| i.solve.time_s);
        run.run_id += "-cbc";
        fixture.runs.push(run);
    }
    let table = grid(&fixture.load(), "pairs");
    for solver in ["highs", "cbc"] {
        assert_eq!(row(&table, &format!("c2'_50% / {solver}"))[4..8], ["0.11", "0.22", "6", "7"]);
    }
    assert!(table.notes[0].contains("that all 3 were run on"), "{:?}", table.notes);
}

#[test]
fn an_instance_is_solved_if_every_run_of_it_was() {
    let mut fixture = two();
    fixture.run("n11", BASIC, "highs", 1).solves(&[(4.0, 2)]).ends(Status::Optimal, Category::Wrong);
    fixture.run("n12", BASIC, "highs", 1).ends(Status::Crash, Category::Error);
    fixture.run("n13", BASIC, "highs", 1).limited("soft-limit");
    fixture.run("n14", BASIC, "highs", 1).solves(&[(6.0, 1)]);
    for instance in ["n11", "n12", "n13", "n14"] {
        fixture.run(instance, PRIMED, "highs", 1).solves(&[(2.0, 1)]);
    }
    let found = row(&grid(&fixture.load(), "scores"), "basic / highs");
    assert_eq!(found[..4], ["3", "**1**", "3", "1"]);
    // Median of 4 and 6 beside 4 and 4; five at 40.
    assert_eq!(found[4], format!("{:.2}", (5.0 + 4.0 + 4.0 + 5.0 * 40.0) / 8.0));
}

#[test]
fn only_common_instances_are_compared() {
    let mut fixture = two();
    fixture.run("n40", BASIC, "highs", 0).solves(&[(1.0, 1)]);
    fixture.run("n41", PRIMED, "highs", 0).solves(&[(1.0, 1)]);
    let analysis = fixture.load();
    let scores = grid(&analysis, "scores");
    assert_eq!(scores.notes[0], "Over the 8 instances that both were run on; 2 others are left out");
    assert_eq!(row(&scores, "basic / highs")[0], "6");
    assert_eq!(row(&grid(&analysis, "pairs"), "c2'_50% / highs")[3], "6");
}

#[test]
fn limits_that_differ_or_are_missing_are_said() {
    let mut fixture = two();
    let run = fixture.runs.iter_mut().find(|run| run.instance == "n18").expect("a run");
    run.time_limit_s = None;
    let analysis = fixture.load();
    for name in ["scores", "pairs"] {
        assert_eq!(
            grid(&analysis, name).caveats,
            ["time limits that are not the same for all, on 1 instance: the least of them counts for all"],
            "{name}"
        );
    }
    // Without any limit what was not solved has no time.
    fixture = two();
    fixture.runs.iter_mut().filter(|run| run.instance == "n18").for_each(|run| run.time_limit_s = None);
    let scores = grid(&fixture.load(), "scores");
    assert_eq!(row(&scores, "basic / highs")[4..6], ["—", "—"]);
    assert_eq!(row(&scores, "c2'_50% / highs")[4..6], ["—", "—"]);
}

/// Both solve in the same times; the second was given 20 s where the first was given 3 s. Neither is better for that.
#[test]
fn nobody_is_better_for_a_longer_limit() {
    let mut fixture = Fixture::new("limits");
    for number in 0..12_u32 {
        let (instance, time) = (format!("n{}", 11 + number), f64::from(number) + 0.5);
        let run = fixture.run(&instance, BASIC, "highs", 0);
        if time < 3.0 {
            run.solves(&[(time, 1)])
        } else {
            run.limited("soft-limit")
        };
        fixture.runs.last_mut().expect("a run").time_limit_s = Some(3.0);
        fixture.run(&instance, PRIMED, "highs", 0).solves(&[(time, 1)]);
    }
    let analysis = fixture.load();
    let scores = grid(&analysis, "scores");
    assert_eq!(row(&scores, "basic / highs"), row(&scores, "c2'_50% / highs"));
    assert_eq!(row(&scores, "basic / highs")[0], "3");
    // No test rests on an instance that only one solved.
    let pairs = row(&grid(&analysis, "pairs"), "c2'_50% / highs");
    assert_eq!((pairs[8].as_str(), &pairs[10..]), ("—", ["0".to_owned(), "0".to_owned()].as_slice()));
}

/// A configuration that fails at once, under a limit of a second where the others have 20 s, and one whose hard runs were lost.
#[test]
fn bold_is_for_those_who_solved_something_and_lost_nothing() {
    let mut fixture = two();
    for number in 11..=18 {
        fixture.run(&format!("n{number}"), BASIC, "cbc", 0).ends(Status::Crash, Category::Error);
    }
    let is_bold = |cells: &[String]| cells.iter().any(|cell| cell.starts_with("**"));
    let scores = grid(&fixture.load(), "scores");
    assert!(!is_bold(&row(&scores, "basic / cbc")) && is_bold(&row(&scores, "c2'_50% / highs")));

    let mut fixture = two();
    fixture.run("n40", BASIC, "highs", 0).solves(&[(10.0, 1)]);
    fixture.run("n40", PRIMED, "highs", 0).ends(Status::Lost, Category::Error);
    let analysis = fixture.load();
    let scores = grid(&analysis, "scores");
    assert!(!is_bold(&row(&scores, "c2'_50% / highs")) && is_bold(&row(&scores, "basic / highs")));
    assert!(scores.notes.iter().any(|note| note.contains("c2'_50%, highs")), "{:?}", scores.notes);
}

#[test]
fn a_baseline_that_solved_nothing_has_no_ratio() {
    let mut fixture = two();
    fixture.manifest.report.baseline = Some("cbc".to_owned());
    for number in 11..=18 {
        fixture.run(&format!("n{number}"), BASIC, "cbc", 0).limited("soft-limit");
    }
    let analysis = fixture.load();
    for column in [5, 7, 9] {
        assert_eq!(row(&grid(&analysis, "scores"), "c2'_50% / highs")[column], "—");
    }
    assert_eq!(row(&grid(&analysis, "pairs"), "c2'_50% / highs")[..4], ["—", "—", "—", "0"]);
    assert_eq!(row(&grid(&analysis, "times"), "ratio"), ["—", "—", "—"]);
}

/// The third solved one hard instance less: all ratios leave that instance out.
#[test]
fn ratios_side_by_side_are_over_the_same_instances() {
    let mut fixture = Fixture::new("three");
    for (instance, times) in [("n5", [1.0, 3.0, 1.0]), ("n6", [15.0, 1.0, 0.0])] {
        for (solver, time) in ["highs", "cbc", "scip"].into_iter().zip(times) {
            let run = fixture.run(instance, BASIC, solver, 0);
            if time > 0.0 {
                run.solves(&[(time, 1)])
            } else {
                run.limited("soft-limit")
            };
        }
    }
    let times = grid(&fixture.load(), "times");
    assert_eq!(row(&times, "ratio over"), ["1", "1", "1"]);
    assert_eq!(row(&times, "ratio"), ["1.00", "3.00", "1.00"]);
}

/// Where the first solved none, the others have no ratio, and over what they solved their parts all the same.
#[test]
fn parts_of_times_need_no_first_column() {
    let mut fixture = Fixture::new("three");
    for (solver, time) in [("highs", 0.0), ("cbc", 2.0), ("scip", 3.0)] {
        let run = fixture.run("n5", BASIC, solver, 0);
        if time > 0.0 {
            run.solves(&[(time, 1)])
        } else {
            run.limited("soft-limit")
        };
    }
    let times = grid(&fixture.load(), "times");
    assert_eq!(row(&times, "ratio"), ["—", "—", "—"]);
    assert_eq!(row(&times, "ratio over"), ["0", "1", "1"]);
    assert_eq!(row(&times, "solve")[1..], ["2.00", "3.00"]);
}

/// A second to build and a second to solve are two, against a limit and against others; tables show both parts.
#[test]
fn building_the_model_is_part_of_the_time() {
    let mut fixture = Fixture::new("grounding");
    for number in 0..6 {
        let instance = format!("n{}", 11 + number);
        fixture.run(&instance, BASIC, "highs", 0).solves(&[(2.0, 1)]);
        fixture.run(&instance, PRIMED, "highs", 0).solves(&[(1.0, 1)]);
        fixture.runs.last_mut().expect("a run").build_time_s = Some(3.0);
    }
    let analysis = fixture.load();
    let scores = grid(&analysis, "scores");
    assert_eq!(row(&scores, "c2'_50% / highs")[4..6], ["4.00", "2.00"]);
    assert_eq!(row(&scores, "c2'_50% / highs")[10..12], ["3.00", "1.00"]);
    assert_eq!(row(&grid(&analysis, "pairs"), "c2'_50% / highs")[0], "0.50");
    let times = grid(&analysis, "times");
    assert_eq!(row(&times, "n11"), ["**2.00**", "4.00"]);
    assert_eq!(
        (row(&times, "build"), row(&times, "solve")),
        (vec!["0.00".to_owned(), "18.00".to_owned()], vec!["12.00".to_owned(), "6.00".to_owned()])
    );
    let iterations = grids(&analysis, "iterations");
    assert!(iterations.is_empty() || row(&iterations[1], "build")[0] == "3.00");
}

#[test]
fn nothing_is_compared_where_there_is_nothing_to_compare() {
    let mut fixture = Fixture::new("alone");
    fixture.run("n20", BASIC, "highs", 0).solves(&[(1.5, 1)]);
    let analysis = fixture.load();
    assert!(grids(&analysis, "scores").is_empty() && grids(&analysis, "pairs").is_empty());
    // Four instances prove nothing, unless a config asks for it.
    let few = |tables: &[&str]| {
        let mut fixture = two();
        fixture.runs.retain(|run| ["n11", "n12", "n13", "n14"].contains(&run.instance.as_str()));
        fixture.iterations.retain(|i| ["n11", "n12", "n13", "n14"].iter().any(|name| i.run_id.starts_with(name)));
        fixture.manifest.report.tables = tables.iter().map(|table| (*table).to_owned()).collect();
        fixture.load()
    };
    let analysis = few(&[]);
    assert!(!grids(&analysis, "scores").is_empty() && grids(&analysis, "pairs").is_empty());
    assert_eq!(row(&grid(&few(&["pairs"]), "pairs"), "c2'_50% / highs")[..4], ["2.00", "—", "—", "4"]);
}

#[test]
fn a_formulation_as_baseline_is_it_under_each_solver() {
    let with = |baseline: &str| {
        let mut fixture = two();
        for number in 11..17 {
            for (formulation, time) in [(BASIC, 8.0), (PRIMED, 1.0)] {
                fixture.run(&format!("n{number}"), formulation, "cbc", 0).solves(&[(time, 1)]);
            }
        }
        fixture.manifest.report.baseline = Some(baseline.to_owned());
        grid(&fixture.load(), "pairs")
    };
    let table = with("basic");
    assert_eq!((table.caption.as_str(), table.column_names()[0].as_str()), ("Against the baseline basic", "baseline"));
    assert_eq!(row(&table, "c2'_50% / cbc")[..2], ["basic, cbc", "8.00"]);
    assert_eq!(row(&table, "c2'_50% / highs")[..2], ["basic, highs", "1.59"]);
    assert_eq!(row(&with("cbc"), "basic / highs")[..2], ["basic, cbc", "2.00"]);
    // The same for all.
    assert_eq!(row(&with("basic, highs"), "c2'_50% / cbc")[0], "4.00");
    // One that only a solver beside the first has.
    let mut fixture = Fixture::new("one");
    for number in 11..17 {
        for (formulation, solver, time) in [(BASIC, "highs", 1.0), (BASIC, "cbc", 8.0), (PRIMED, "cbc", 2.0)] {
            fixture.run(&format!("n{number}"), formulation, solver, 0).solves(&[(time, 1)]);
        }
    }
    fixture.manifest.report.baseline = Some("basic".to_owned());
    let table = grid(&fixture.load(), "pairs");
    assert_eq!((table.caption.as_str(), table.rows.len()), ("Against the baseline basic, cbc", 1));
    assert_eq!(row(&table, "c2'_50% / cbc")[0], "4.00");
}

#[test]
fn the_baseline_comes_first() {
    let with = |baseline: &str| {
        let mut fixture = two();
        fixture.run("n11", BASIC, "cbc", 0).solves(&[(8.0, 1)]);
        fixture.manifest.report.baseline = Some(baseline.to_owned());
        fixture.load()
    };
    let ratio_to = |analysis: &Analysis, baseline: &str| {
        let notes = grid(analysis, "scores").notes;
        assert!(notes.iter().any(|note| note.starts_with(&format!("Ratio: to {baseline},"))), "{notes:?}");
    };
    for (baseline, first) in
        [(PRIMED.0, "c2'_50%, highs"), ("cbc", "basic, cbc"), ("basic, cbc", "basic, cbc"), ("highs", "basic, highs")]
    {
        let analysis = with(baseline);
        ratio_to(&analysis, first);
        assert_eq!(analysis.warnings(), [""; 0]);
    }
    // As the column that ratios are to.
    assert_eq!(grid(&with("cbc"), "times").column_names()[0], "basic / cbc");
    for missing in ["glpk", "c2'_50%, cbc"] {
        let analysis = with(missing);
        ratio_to(&analysis, "basic, highs");
        let warnings = analysis.warnings();
        assert!(warnings.iter().any(|w| w.contains(&format!("no rows of the baseline {missing}"))), "{warnings:?}");
    }
}

#[test]
fn boards_of_two_settings_do_not_hide_each_other() {
    let mut fixture = Fixture::new("mixed");
    for (formulation, solver) in [(BASIC, "highs"), (BASIC, "cbc")] {
        fixture.run("n5-round", formulation, solver, 0).solves(&[(1.0, 1)]);
    }
    // A formulation that forbids holes: a bounded board that only one of them can do.
    fixture.run("n12", BASIC, "sat", 0).solves(&[(1.0, 1)]);
    let run = fixture.runs.last_mut().expect("a run");
    (run.kind, run.hole_treatment) = ("sat".to_owned(), "resolve".to_owned());
    fixture.runs.iter_mut().for_each(|run| run.places = run.challenge);
    let lines = report::ranking(&fixture.load());
    assert_eq!(lines[0], "ranking on 1 instance, fixed boards:", "{lines:?}");

    let mut fixture = Fixture::new("apart");
    fixture.run("n5-round", BASIC, "highs", 0).solves(&[(1.0, 1)]);
    fixture.run("n6-round", BASIC, "cbc", 0).solves(&[(1.0, 1)]);
    let lines = report::ranking(&fixture.load());
    assert_eq!(lines, ["no comparison: no instance was run by all 2 configurations"]);
}
