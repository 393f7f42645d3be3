//! Whole sessions: what stands in the results directory afterwards.

use std::fs::{self, File};

use record::{Category, Status};

use crate::support::{
    BUILT, Bench, CONFIG, STARTED, answer, broken_solution, instance_text, iteration, say, solution, solving, worker,
};

#[test]
fn a_session_leaves_everything_behind() {
    let config = CONFIG.replacen(
        "[limits]",
        "[report]\npublished = { file = \"p.csv\", table = \"1\", label = \"P\" }\n[limits]",
        1,
    );
    let bench = Bench::with(&config);
    bench.write("p.csv", "table,loops\n");
    let summary = bench.run(&solving()).expect("a session");
    assert_eq!((summary.rows(), summary.remaining(), summary.interrupted), (1, 0, false));

    let (results, rows) = (bench.results(), bench.rows());
    let row = &rows[0];
    assert_eq!((row.status, row.category, row.loops), (Status::Optimal, Category::Correct, Some(1)));
    assert_eq!((row.attempt, row.iterations, row.cuts, row.nodes), (1, Some(1), Some(2), Some(10)));
    assert_eq!((row.variables, row.build_time_s, row.solve_time_s), (Some(9), Some(0.25), Some(0.5)));
    assert_eq!((row.families.as_str(), row.subloops.as_str()), ("C1 C2 C3 C4", "report"));
    assert_eq!(row.hole_treatment, "report");
    assert_eq!((row.challenge, row.git_dirty, row.gap), (Some(3), Some(false), None));
    let iterations = results.read_iterations().expect("sound rows");
    assert_eq!((iterations.len(), &iterations[0].run_id), (1, &row.run_id));

    let kept = puzzle::Solution::load(&results.solution(&row.run_id, 0)).expect("the solution");
    assert_eq!(&kept, solution());
    assert_eq!(fs::read_to_string(results.instance("tri")).expect("the instance"), instance_text("solvable"));
    assert_eq!(fs::read_to_string(results.config()).expect("the config"), bench.read("config.toml"));
    assert_eq!(fs::read_to_string(results.published()).expect("published figures"), "table,loops\n");
    let manifest = results.read_manifest().expect("a manifest");
    assert_eq!((manifest.experiment.as_str(), manifest.planned, manifest.sessions[0].jobs), ("test", 1, 1));
    assert_eq!(results.read_plan().expect("a plan")[0].run_id, row.run_id);
    assert!(summary.to_string().contains("tilebench report"), "{summary}");
}

#[test]
fn wrong_answers_stand_out() {
    let bench = Bench::new(2);
    let script = say(&[STARTED, BUILT, &answer("optimal", Some(&broken_solution()))]);
    let summary = bench.run(&script).expect("a session");
    assert_eq!(summary.wrong.len(), 2);
    assert!(summary.to_string().contains("WRONG ANSWERS: 2"), "{summary}");
    assert!(bench.rows()[0].message.as_ref().is_some_and(|m| m.contains("breaks rules")));

    let claims_infeasible = Bench::new(1);
    claims_infeasible.run(&say(&[STARTED, &answer("infeasible", None)])).expect("a session");
    assert_eq!(claims_infeasible.rows()[0].category, Category::Wrong);
}

#[test]
fn an_unsolvable_board_is_answered_with_infeasible() {
    let bench = Bench::new(1);
    bench.write("tri.toml", &instance_text("unsolvable"));
    let summary = bench.run(&say(&[STARTED, &answer("infeasible", None)])).expect("a session");
    assert_eq!(summary.of_category(Category::Correct), 1);
    assert_eq!(bench.rows()[0].loops, None);
}

#[test]
fn failed_runs_are_rows_and_the_session_goes_on() {
    let bench = Bench::new(3);
    let summary = bench.run("echo no licence >&2; exit 3").expect("a session");
    assert_eq!(summary.of_status(Status::Error), 3);
    assert!(summary.failed.len() == 3 && !summary.is_sound(), "{summary}");
    assert!(summary.to_string().contains("FAILED: 3 runs"), "{summary}");
    let row = &bench.rows()[0];
    assert_eq!((row.exit_code, row.message.as_deref()), (Some(3), Some("exit code 3; no licence")));
    assert_eq!((row.iterations, row.solve_time_s, row.variables), (None, None, None));
}

#[test]
fn a_missing_solver_gives_unsupported_rows() {
    let bench = Bench::with(&CONFIG.replacen("\"fake\"", "\"fake\"\n[[solver]]\nname = \"gone\"", 1));
    let summary = bench.run(&solving()).expect("a session");
    assert_eq!(summary.of_status(Status::Unsupported), 1);
    assert!(summary.failed.is_empty() && summary.is_sound(), "a missing solver is no failure: {summary}");
    assert_eq!(summary.of_status(Status::Optimal), 1);
    let rows = bench.rows();
    let row = rows.iter().find(|row| row.solver == "gone").expect("a row");
    assert_eq!((row.category, row.message.as_deref()), (Category::Error, Some("not installed")));
}

#[test]
fn several_jobs_lose_nothing() {
    let mut bench = Bench::new(20);
    bench.options.jobs = 3;
    assert_eq!(bench.run(&solving()).expect("a session").rows(), 20);
    let ids: std::collections::HashSet<String> = bench.rows().into_iter().map(|row| row.run_id).collect();
    assert_eq!(ids.len(), 20);
}

#[test]
fn a_worker_that_cannot_be_started_stops_the_session() {
    let bench = Bench::new(3);
    let missing = runner::Worker { command: "/no/such/worker".into(), ..worker("") };
    let error = runner::run(bench.plan().expect("a sound plan"), &bench.out(), &bench.options, &missing)
        .expect_err("no worker");
    assert!(error.to_string().contains("/no/such/worker") && error.to_string().contains("0 of 3"), "{error}");
    assert!(!error.is_usage() && bench.rows().is_empty());
}

#[test]
fn a_worker_of_another_build_stops_the_session_without_rows() {
    let bench = Bench::new(3);
    let error = bench.run("echo another build >&2; exit 2").expect_err("another build");
    assert!(error.to_string().contains("another build") && error.to_string().contains("0 of 3"), "{error}");
    assert!(!error.is_usage() && bench.rows().is_empty());
}

#[test]
fn contradicting_solvers_are_told_of() {
    // Seed 1 solves the board, seed 2 claims that it cannot be done, seed 3 says nothing.
    let script = format!(
        "job=$(cat); case $job in *'\"seed\":2,'*) {}exit;; *'\"seed\":3,'*) {}exit;; esac\n{}",
        say(&[STARTED, &answer("infeasible", None)]),
        say(&[STARTED, &answer("timeout", None)]),
        solving()
    );
    let mut bench = Bench::new(3);
    bench.write("tri.toml", &instance_text("unknown"));
    bench.filter(&["seed=[13]"]);
    let summary = bench.run(&script).expect("a session");
    assert!(summary.contradictions.is_empty() && summary.is_sound(), "{summary}");

    // The other side may be a kept row, even one that the filters leave out.
    bench.options.resume = true;
    for filters in [&["seed=2"][..], &[]] {
        bench.filter(filters);
        let summary = bench.run(&script).expect("a session");
        assert!(summary.wrong.is_empty() && !summary.is_sound(), "{summary}");
        let [found] = summary.contradictions.as_slice() else { panic!("{summary}") };
        let (solved, infeasible) = found.how.split_once(", and infeasible by").expect("both sides");
        assert_eq!(found.instance, "tri");
        assert!(solved.contains("seed 1") && infeasible.contains("seed 2"), "{summary}");
        assert!(summary.to_string().contains("CONTRADICTIONS: 1 instance"), "{summary}");
    }
}

#[test]
fn a_solution_below_a_proven_optimum_contradicts_it() {
    let solved = answer("optimal", Some(solution()));
    let optimal = |value: u32| {
        let last = format!(
            "\"last\":{{\"iteration\":0,\"time_s\":0.0,\"status\":\"optimal\",\"cuts_added\":0,\"objective_value\":{value},\
             \"bound\":{value}}},\"solution\""
        );
        say(&[STARTED, &solved.replacen("\"solution\"", &last, 1)])
    };
    let script = format!("job=$(cat); case $job in *'\"seed\":2,'*) {}exit;; esac\n{}", optimal(51), optimal(49));
    for (objective, expected) in [("virtual", 1), ("random", 0)] {
        let config = CONFIG.replacen("title", "seeds = [1, 2, 3]\ntitle", 1);
        let families = "families = \"C1 C2 C3 C4\"";
        let bench = Bench::with(&config.replacen(families, &format!("{families}\nobjective = \"{objective}\""), 1));
        let summary = bench.run(&script).expect("a session");
        assert_eq!((summary.contradictions.len(), summary.is_sound()), (expected, expected == 0), "{summary}");
        let text = summary.to_string();
        let told = text.contains("objective 49 found by") && text.contains("proven to be at least 51 by");
        assert_eq!(told, expected == 1, "{text}");
    }
}

#[test]
fn infeasible_under_a_restricting_family_contradicts_no_other_model() {
    // The solver that every run has solves the board unless B6'' is there.
    let script = format!(
        "job=$(cat); case $job in *\"B6''\"*) {}exit;; esac\n{}",
        say(&[STARTED, &answer("infeasible", None)]),
        solving()
    );
    let config = CONFIG.replacen(
        "[[formulation]]\nname = \"C1-C4\"\nfamilies = \"C1 C2 C3 C4\"",
        "[[formulation]]\nname = \"B\"\nfamilies = \"B1 B3 B45c\"\nholes = \"resolve\"\n\
         [[formulation]]\nname = \"narrow\"\nfamilies = \"B1 B3 B45c B6''\"",
        1,
    );
    for known in ["unknown", "solvable", "unsolvable"] {
        let bench = Bench::with(&config);
        bench.write("tri.toml", &instance_text(known).replace("tantrix-fixed", "tantrix-bounded"));
        let summary = bench.run(&script).expect("a session");
        assert!(summary.contradictions.is_empty(), "{summary}");
        assert_eq!(summary.wrong.len(), usize::from(known == "unsolvable"), "the solution, not the claim: {summary}");
        let rows = bench.rows();
        let row = |name: &str| rows.iter().find(|row| row.formulation == name).expect("a row");
        let narrow = row("narrow");
        assert_eq!((narrow.status, narrow.category), (Status::Infeasible, Category::Unknown), "{known}");
        assert_eq!(narrow.termination_reason, "restricted");
        assert!(narrow.message.as_ref().is_some_and(|m| m.contains("B6'' forbid")), "{:?}", narrow.message);
        assert_eq!((narrow.hole_treatment.as_str(), row("B").hole_treatment.as_str()), ("report", "resolve"));
        assert_ne!(narrow.run_id, row("B").run_id);
    }
}

#[test]
fn results_that_cannot_be_kept_stop_the_session() {
    let bench = Bench::new(5);
    // Once the solutions of two runs are on disk, no more can be written.
    let folder = bench.results().root().join("solutions");
    let script = format!(
        "echo >> '{count}'; if [ $(wc -l < '{count}') -gt 2 ] && [ -d '{folder}' ]; then \
         until [ $(ls '{folder}' | wc -l) -ge 2 ]; do sleep 0.01; done; rm -r '{folder}'; : > '{folder}'; fi\n{}",
        say(&[STARTED, &iteration(0, Some(solution())), &answer("optimal", Some(solution()))]),
        count = bench.folder.path().join("count").display(),
        folder = folder.display()
    );
    let error = bench.run(&script).expect_err("nowhere to write").to_string();
    let rows = bench.rows().len();
    assert!(rows >= 1 && error.contains(&format!("{rows} of 5")) && error.contains("--resume"), "{error}");
}

#[test]
fn a_second_runner_is_refused() {
    let bench = Bench::new(1);
    fs::create_dir_all(bench.results().root()).expect("a folder");
    let lock = File::create(bench.results().root().join(".lock")).expect("a file");
    lock.lock().expect("a lock");
    let error = bench.run(&solving()).expect_err("locked").to_string();
    assert!(error.contains("another tilebench run"), "{error}");
    lock.unlock().expect("a lock that is held");
    bench.run(&solving()).expect("a session");
}
