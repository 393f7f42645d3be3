//! What must not be compared is said.

use std::fs;

use record::{Category, Status};
use report::{Analysis, grids};

use crate::fixture::{BASIC, Fixture, PRIMED, has_all};
use crate::tables::page;

fn has(fixture: &mut Fixture, text: &str) -> bool {
    let analysis = fixture.load();
    analysis.warnings().iter().any(|w| w.contains(text))
}

fn two_runs() -> Fixture {
    let mut fixture = Fixture::new("two");
    fixture.run("n5", BASIC, "highs", 0).solves(&[(1.0, 1)]);
    fixture.run("n10", BASIC, "highs", 0).solves(&[(2.0, 1)]);
    fixture
}

#[test]
fn a_clean_experiment_has_none() {
    assert_eq!(two_runs().load().warnings(), [""; 0]);
}

#[test]
fn columns_of_a_newer_version_are_named_once_and_left_out() {
    let mut fixture = two_runs();
    let expected = fixture.load();
    for (path, column) in [(fixture.files().runs(), "flux"), (fixture.files().iterations(), "spin")] {
        let text = fs::read_to_string(&path).expect("rows");
        let lines: Vec<_> = text.lines().enumerate().collect();
        let longer = lines.iter().map(|(at, line)| format!("{line},{}\n", if *at == 0 { column } else { "1.5" }));
        fs::write(&path, longer.collect::<String>()).expect("written");
    }
    let found = Analysis::load(fixture.dir.path()).expect("columns are found by their names");
    let warning = "written by a newer tilebench: columns that this one does not know are left out: flux (runs.csv), \
                   spin (iterations.csv)";
    assert_eq!(found.warnings(), [warning]);
    assert_eq!(grids(&found, "times"), grids(&expected, "times"));
    assert_eq!(grids(&found, "iterations"), grids(&expected, "iterations"));
}

#[test]
fn only_the_latest_attempt_counts() {
    let mut fixture = two_runs();
    let mut again = fixture.runs[0].clone();
    again.attempt = 2;
    fixture.runs[0].status = Status::Lost;
    fixture.runs[0].category = Category::Error;
    fixture.runs.push(again);
    fixture.manifest.planned = 2;
    let page = page(&mut fixture);
    // The solve belongs to the first attempt.
    has_all(
        &page,
        &["1 earlier attempt was superseded", "| 0 | — | 2.00 |", "| basic | highs | 2 | 2 | 2 | 0 | 0 | 0 |"],
    );
}

#[test]
fn missing_runs_and_wrong_answers() {
    let mut fixture = two_runs();
    fixture.manifest.planned = 3;
    assert!(has(&mut fixture, "only 2 of 3 planned runs"));
    // What a resumption does again has not ended.
    let mut fixture = two_runs();
    fixture.manifest.planned = 3;
    fixture.runs[0].status = Status::Interrupted;
    assert!(has(&mut fixture, "only 1 of 3 planned runs"));
    let mut fixture = two_runs();
    fixture.runs[0].category = Category::Wrong;
    assert!(has(&mut fixture, "WRONG answers (instance / formulation / solver): n5 / basic / highs"));
}

#[test]
fn published_figures_without_a_formulation() {
    let warning = "published figures of C1 C2' C3 C4 are in no table";
    assert!(has(&mut Fixture::of_everything(), warning));
    // The one whose runs are still to come may have these families.
    let mut fixture = Fixture::of_everything();
    fixture.manifest.formulations.push("still to come".to_owned());
    assert!(!has(&mut fixture, warning));
}

#[test]
fn a_manifest_of_another_machine() {
    let mut fixture = two_runs();
    fixture.manifest.sessions[0].host.host = "laptop".to_owned();
    assert!(has(&mut fixture, "2 rows are of no session in the manifest (box, CPU 1)"));
    let mut fixture = two_runs();
    fixture.manifest.sessions[0].host.cpu_model = "CPU 9".to_owned();
    assert!(has(&mut fixture, "2 rows are of no session in the manifest (box, CPU 1)"));
}

#[test]
fn rows_of_earlier_plans_are_left_out() {
    let mut fixture = two_runs();
    // The same cell under other limits: no repeat of the run that the plan holds.
    fixture.run("n5", BASIC, "highs", 7).solves(&[(100.0, 1)]);
    fixture.plan = fixture.runs[..2].iter().map(|r| r.run_id.clone()).collect();
    fixture.manifest.planned = 2;
    let analysis = fixture.load();
    assert_eq!(analysis.experiment.len(), 2);
    let expected = "1 row of an earlier plan is left out: the latest plan does not hold these runs";
    assert_eq!(analysis.warnings(), [expected]);
}

#[test]
fn sessions_that_began_on_a_busy_machine() {
    let mut fixture = two_runs();
    fixture.manifest.sessions[0].busy = "2.0 of 2 cores are busy with other work".to_owned();
    let expected = "2 of 2 runs are of sessions that began on a busy machine: 2.0 of 2 cores are busy with other work";
    assert_eq!(fixture.load().warnings(), [expected]);
}

#[test]
fn answers_that_contradict_each_other() {
    let mut fixture = two_runs();
    fixture.run("n5", BASIC, "cbc", 0).infeasible(1.0).ends(Status::Infeasible, Category::Unknown);
    fixture.run("n7", BASIC, "cbc", 0).infeasible(1.0).ends(Status::Infeasible, Category::Correct);
    let analysis = fixture.load();
    let wrong = "WRONG answers (instance / formulation / solver): n5 / basic / cbc";
    let expected = "WRONG answers, as runs contradict each other: solved by n5 / basic / highs, and infeasible by n5 / basic / cbc";
    assert_eq!(analysis.warnings(), [wrong, expected]);
}

#[test]
fn a_model_that_forbids_solutions_is_not_without_any_where_one_is_known() {
    let told = |formulation: (&'static str, &'static str), places: Option<u64>, options: &str| {
        let mut fixture = two_runs();
        fixture.run("n5", formulation, "cbc", 0).infeasible(1.0).ends(Status::Infeasible, Category::Unknown);
        let run = fixture.runs.last_mut().expect("a run");
        (run.termination_reason, run.places) = (record::RESTRICTED.to_owned(), places);
        run.options = options.to_owned();
        fixture.load().warnings().into_iter().find(|warning| warning.starts_with("WRONG answers, as"))
    };
    let expected = "WRONG answers, as runs contradict each other: solved by n5 / basic / highs, and infeasible by n5 / basic / cbc";
    assert_eq!(told(BASIC, Some(5), "").as_deref(), Some(expected));
    assert_eq!(told(PRIMED, Some(5), ""), None, "another model");
    assert_eq!(told(BASIC, None, ""), None, "the plane is open");
    assert_eq!(told(BASIC, Some(5), "start=fix"), None, "tiles were fixed");
}

#[test]
fn proofs_that_nothing_confirms() {
    let mut fixture = two_runs();
    fixture.run("n9", BASIC, "cbc", 0).infeasible(1.0).ends(Status::Infeasible, Category::Unknown);
    fixture.run("n8", BASIC, "cbc", 0).infeasible(1.0).ends(Status::Infeasible, Category::Correct);
    let expected = "1 instance was proven to have no solution, which counts only if the file says known = \"unsolvable\" (once it does, `tilebench run CONFIG --resume` judges again): n9";
    assert_eq!(fixture.load().warnings(), [expected]);
}

#[test]
fn counts_that_differ() {
    let counting = ("count", "strategy=count");
    let mut fixture = two_runs();
    // Two that differ in a digit for which a float has no room.
    let (more, less) = (9_007_199_254_740_993, 9_007_199_254_740_992);
    for (instance, solver, value) in [("n9", "highs", 7), ("n9", "cbc", 7), ("n8", "highs", less), ("n8", "cbc", more)]
    {
        fixture.run(instance, counting, solver, 0).solves(&[(1.0, 1)]);
        let run = fixture.runs.last_mut().expect("a run");
        (run.objective_value, run.native_status) = (Some(value as f64), Some(record::counted(value)));
    }
    let expected = format!(
        "WRONG answers, as runs contradict each other: {less} solutions by n8 / count / highs, and {more} solutions by n8 / count / cbc"
    );
    let warnings = fixture.load().warnings();
    assert!(warnings.contains(&expected), "{warnings:?}");
}

#[test]
fn verified_solutions_below_a_proven_optimum() {
    let told = |objective: &str, (second_value, second_bound): (f64, f64), options: &str| {
        let mut fixture = two_runs();
        for (solver, value, bound) in [("highs", 49.0, 48.5), ("cbc", second_value, second_bound)] {
            fixture.run("n9", BASIC, solver, 0).objective(objective).solves(&[(1.0, 1)]);
            let run = fixture.runs.last_mut().expect("a run");
            (run.objective_value, run.bound) = (Some(value), Some(bound));
            if solver == "cbc" {
                run.options = options.to_owned();
            }
        }
        let warnings = fixture.load().warnings();
        warnings.into_iter().find(|warning| warning.starts_with("WRONG answers, as"))
    };
    assert_eq!(
        told("weighted", (51.0, 51.0), "").as_deref(),
        Some(
            "WRONG answers, as runs contradict each other: objective 49 found by n9 / basic / highs, and proven to be at least 51 by \
             n9 / basic / cbc"
        )
    );
    assert_eq!(told("weighted", (51.0, 49.0), ""), None, "it stopped within its gap");
    assert_eq!(told("weighted", (51.0, 51.0), "start=fix; start-share=50"), None, "tiles were fixed");
    assert_eq!(told("none", (51.0, 51.0), ""), None, "nothing is optimised");
    assert_eq!(told("random", (51.0, 51.0), ""), None, "each seed has an objective of its own");
    assert_eq!(told("weighted", (49.0, 49.001), ""), None, "coefficients may be rounded");
}

#[test]
fn a_bound_counts_without_a_verified_solution_but_for_the_open_plane() {
    let is_told = |places: Option<u64>| {
        let mut fixture = two_runs();
        for (solver, value, category) in [("highs", 49.0, Category::Correct), ("cbc", 51.0, Category::Unknown)] {
            fixture.run("n9", BASIC, solver, 0).objective("weighted").solves(&[(1.0, 2)]);
            let run = fixture.runs.last_mut().expect("a run");
            (run.objective_value, run.bound, run.category, run.places) = (Some(value), Some(value), category, places);
        }
        fixture.load().warnings().iter().any(|warning| warning.contains("proven to be at least 51 by n9 / basic / cbc"))
    };
    assert!(is_told(Some(12)) && !is_told(None));
}
