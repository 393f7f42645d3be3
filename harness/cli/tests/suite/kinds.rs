//! Formulations of other kinds than mip through the command; `mock` takes all kinds.

use record::{Category, ResultsDir, Status};

use crate::bench::{Bench, words};

const CONFIG: &str = r#"
experiment = "kinds"
title = "Two kinds"
instances = ["tri.toml"]

[[formulation]]
name = "colour"
families = "C1 C2' C4c C5x C6x"

[[formulation]]
name = "search"
kind = "search"
solvers = ["mock*"]

[[solver]]
name = "highs"

[[solver]]
name = "mock"
"#;

#[test]
fn the_kind_of_the_solver_is_the_default() {
    let bench = Bench::mock();
    let solved = |line: &str| bench.run(&words(line)).ok().json();
    let search = solved("solve tri.toml --kind search --solver mock --json");
    assert_eq!(search["kind"], "search");
    assert_eq!(
        (search["families"].as_str(), search["subloops"].as_str()),
        (Some("strategy=propagate"), Some("propagate"))
    );
    assert!(search["variables"].is_null() && search["build_time_s"].is_null(), "there is no model: {search}");
    assert_eq!(search["category"], "correct");
    let walk = solved("solve tri.toml --kind search --strategy walk --solver mock --json");
    assert_eq!(walk["families"], "strategy=walk");
    assert_eq!(solved("solve tri.toml --solver highs --json")["kind"], "mip");
}

#[test]
fn what_does_not_fit_is_refused() {
    let bench = Bench::mock();
    for (line, parts) in [
        ("solve tri.toml --kind search --solver highs", &["highs is for formulations of kind mip, not search"][..]),
        ("solve tri.toml --formulation colour --kind search", &["colour is of kind mip, not search"]),
        ("solve tri.toml --solver highs --subloops propagate", &["propagate", "kinds sat and cp"]),
        (
            "solve tri.toml --solver highs --cardinality adder",
            &["--cardinality makes this kind sat", "kind mip, not sat"],
        ),
        ("solve tri.toml --solver highs --proof x.drat", &["highs writes no proofs"]),
        ("solve tri.toml --solver cadical --proof p.cnf", &["--proof p.cnf", "another ending", ".drat"]),
        ("solve tri.toml --solver mock --kind serach", &["serach", "search"]),
        ("export tri.toml --kind search -o x.lp", &["search", "model"]),
    ] {
        bench.run(&words(line)).refused(parts);
    }
}

#[test]
fn kinds_stand_in_rows_and_reports() {
    let bench = Bench::mock();
    bench.write("kinds.toml", CONFIG);
    bench.run(&words("run kinds.toml --out out --quiet")).ok();
    let results = ResultsDir::new(bench.path("out/kinds"));
    let rows = results.read_runs().expect("rows");
    let mut found: Vec<_> = rows
        .iter()
        .map(|row| (row.kind.as_str(), row.solver.as_str(), row.category, row.variables.is_some()))
        .collect();
    found.sort();
    let correct = Category::Correct;
    assert_eq!(
        found,
        [("mip", "highs", correct, true), ("mip", "mock", correct, true), ("search", "mock", correct, false)]
    );
    let search = rows.iter().find(|row| row.kind == "search").expect("a row");
    let solves = results.read_iterations().expect("rows");
    let solve = solves.iter().find(|solve| solve.run_id == search.run_id).expect("its solve");
    assert_eq!((solve.solve.variables, solve.solve.constraints), (None, None));
    bench.run(&words("report out/kinds -o plots")).ok();
    assert!(bench.read("plots/kinds.md").contains("Solvers of all kinds"));

    // A pair that does not fit is refused with what to write.
    bench.write("pairs.toml", &CONFIG.replace("solvers = [\"mock*\"]", ""));
    bench.run(&words("run pairs.toml --dry-run")).refused(&[
        "line 10",
        "\"search\"",
        "\"highs\"",
        "solvers = [\"mock\"]",
    ]);
}

#[test]
fn stages_of_a_search_stand_in_rows_and_files() {
    let bench = Bench::new();
    bench.run(&words("generate fixed --shape round --challenge 100 --seed 1 -o large.toml")).ok();
    let config = "experiment = \"large\"\ntitle = \"Stages\"\ninstances = [\"large.toml\"]\n\n[[formulation]]\n\
                  name = \"parts\"\nkind = \"search\"\nstrategy = \"parts\"\n\n[[solver]]\nname = \"search\"\n";
    bench.write("large-config.toml", config);
    bench.run(&words("run large-config.toml --out out --quiet")).ok();
    let results = ResultsDir::new(bench.path("out/large"));
    let (rows, solves) = (results.read_runs().expect("rows"), results.read_iterations().expect("rows"));
    let [row] = rows.as_slice() else { panic!("one run: {rows:?}") };
    assert_eq!((row.category, row.iterations), (Category::Correct, Some(solves.len() as u64)));
    assert!(solves.len() > 1 && row.parts >= Some(3), "{row:?}");
    assert!((0..solves.len() as u64).all(|number| results.solution(&row.run_id, number).is_file()));
    // Every stage is drawn: one that cannot be is named.
    bench.run(&words("report out/large -o plots --format html")).ok();
    assert!(!bench.read("plots/report.html").contains(&format!("solution file {}", row.run_id)));
}

#[test]
fn a_program_of_a_config_is_for_the_kind_that_its_options_say() {
    let bench = Bench::mock();
    let plan = |options: &str| {
        let external = format!("name = \"external\"\noptions = {{ {options} }}");
        let config = CONFIG
            .replace("name = \"highs\"", &external)
            .replace("name = \"colour\"\n", "name = \"colour\"\nsolvers = [\"external\"]\n");
        let config = config.replace(
            "name = \"search\"\nkind = \"search\"\nsolvers = [\"mock*\"]",
            "name = \"clauses\"\nkind = \"sat\"\nsolvers = [\"mock\"]",
        );
        bench.write("own.toml", &config);
        bench.run(&words("run own.toml --dry-run"))
    };
    let lp = "command = \"nosuchprogram {model} {solution}\", format = \"lp\", read = \"cbc\"";
    let cnf = "command = \"nosuchprogram {model}\", format = \"dimacs\", read = \"sat-competition\"";
    // That it is not there is no mistake; the wrong kind is, and so are options that make no sense.
    plan(lp).ok();
    plan(cnf).refused(&["line 6", "\"colour\" (kind mip)", "\"external\"", "kind sat, not mip"]);
    plan("read = \"cbc\"").refused(&["line 17", "without options.command"]);
}

#[test]
fn what_is_unsolved_or_unsupported_fails_where_that_is_asked_for() {
    let bench = Bench::mock();
    for (answer, gate, status) in
        [("timeout", "unsolved", Status::Timeout), ("unsupported", "unsupported", Status::Unsupported)]
    {
        let options = format!("name = \"mock\"\noptions = {{ answer = \"{answer}\" }}");
        let experiment = format!("experiment = \"{answer}\"");
        let config = CONFIG.replace("name = \"mock\"", &options).replace("experiment = \"kinds\"", &experiment);
        bench.write("gate.toml", &config);
        let run = |extra: &str| bench.run(&words(&format!("run gate.toml --out {answer}{extra} --quiet")));
        let (plain, other) = (run(""), run("-other --fail-on unsolved,unsupported"));
        assert_eq!(plain.code, 0, "{plain:?}");
        assert_eq!(other.code, 1, "{other:?}");
        assert!(other.err.contains(&format!("2 runs {gate} (--fail-on {gate})")), "{other:?}");
        let rows = ResultsDir::new(bench.path(answer).join(answer)).read_runs().expect("rows");
        assert_eq!(rows.iter().filter(|row| row.status == status).count(), 2);
    }
}
