//! What a program says of its end, where it says more than one thing.

use std::collections::BTreeMap;

use solve::{Backend, SolveError, SolveStatus, backend};

use super::fakes::written;
use super::support::{Fake, objective, pigeons, sat, small, solution};

#[test]
fn a_point_that_is_no_solution_leaves_the_limit_that_struck() {
    let model = small();
    let mut solution = solution(&model);
    let value = objective(&model, &solution);
    let set = solution.iter().position(|(_, value)| *value == 1.0).expect("a tile is placed");
    solution[set].1 = 0.5;
    let rows = model.rows().len().to_string();
    for (name, prints, from, to, expected) in [
        ("gurobi", "Time limit reached\n", "", "", SolveStatus::Timeout),
        ("gurobi", "Node limit reached\n", "", "", SolveStatus::Limit),
        ("cplex", "", "\"101\"", "\"111\"", SolveStatus::Memout),
        ("cplex", "", "\"101\"", "\"105\"", SolveStatus::Limit),
        ("scip", "", "optimal solution found", "memory limit reached", SolveStatus::Memout),
        ("scip", "", "optimal solution found", "node limit reached", SolveStatus::Limit),
        ("highs-exe", "", "Optimal", "Memory limit reached", SolveStatus::Memout),
        ("cbc-exe", "", "Optimal", "Stopped on nodes", SolveStatus::Limit),
        ("cbc-exe", "", "Optimal", "Stopped on time", SolveStatus::Timeout),
        ("glpk", "TIME LIMIT EXCEEDED; SEARCH TERMINATED\n", " o ", " f ", SolveStatus::Timeout),
        ("glpk", "ITERATION LIMIT EXCEEDED; SEARCH TERMINATED\n", " o ", " f ", SolveStatus::Limit),
    ] {
        let leaves = written(name, &solution, value).replace("ROWS", &rows).replacen(from, to, 1);
        let solved = Fake::that(prints, Some(&leaves), 0).solve(name, &model);
        let solved = solved.unwrap_or_else(|e| panic!("{name} {prints}{to}: {e}"));
        assert_eq!((solved.outcome.status, solved.values), (expected, None), "{name} {prints}{to}");
    }
}

#[test]
fn a_limit_goes_before_what_is_infeasible_elsewhere() {
    let model = small();
    let (rows, columns) = (model.rows().len(), model.variables().len());
    let left = format!("c Status:     INTEGER UNDEFINED\nc\ns mip {rows} {columns} u 0\ne o f\n");
    let glpk = |prints: &str| Fake::that(prints, Some(&left), 0).solve("glpk", &model).expect("read").outcome.status;
    let infeasible = "PROBLEM HAS NO PRIMAL FEASIBLE SOLUTION\n";
    assert_eq!(glpk(infeasible), SolveStatus::Infeasible);
    assert_eq!(glpk(&format!("{infeasible}TIME LIMIT EXCEEDED; SEARCH TERMINATED\n")), SolveStatus::Timeout);
    assert_eq!(glpk(&format!("{infeasible}ITERATION LIMIT EXCEEDED\n")), SolveStatus::Limit);

    let gurobi = |prints: &str| Fake::that(prints, None, 0).solve("gurobi", &model).expect("read").outcome.status;
    assert_eq!(gurobi("Model is infeasible\n\nTime limit reached\n"), SolveStatus::Timeout);
    assert_eq!(gurobi("Read file 'Model is infeasible'\nNode limit reached\n"), SolveStatus::Limit);
    assert_eq!(gurobi("Time limit reached\n\nModel is infeasible\n"), SolveStatus::Infeasible);
}

#[test]
fn exit_codes_of_sat_solvers_must_agree_with_what_they_say() {
    let formula = pigeons(2, 2);
    let (holds, refuted) = ("s SATISFIABLE\nv 1 -2 -3 4 0\n", "s UNSATISFIABLE\n");
    for name in ["kissat", "cadical-exe", "cryptominisat5", "minisat"] {
        let says = |lines: &str, exit: i32| {
            let fake = match (name, lines.contains("UNSAT")) {
                ("minisat", unsat) => {
                    let file = if unsat { "UNSAT" } else { "SAT\\n1 -2 -3 4 0\\n" };
                    let file = if unsat { format!("{file}\\n") } else { file.to_owned() };
                    Fake::script(&format!("for last; do :; done; printf '{file}' > $last; exit {exit}"))
                }
                _ => Fake::that(lines, None, exit),
            };
            let solved = sat(backend(name).expect("there"), &fake.options()).expect("opened").solve(&formula, None);
            solved.map(|solved| solved.outcome.status)
        };
        assert_eq!(says(holds, 10).expect("sound"), SolveStatus::Optimal, "{name}");
        assert_eq!(says(refuted, 20).expect("sound"), SolveStatus::Infeasible, "{name}");
        for (lines, exit) in [(holds, 20), (refuted, 10), (holds, 0), (refuted, 0)] {
            let wrong = says(lines, exit).expect_err("a contradiction").to_string();
            assert!(wrong.contains("exit code"), "{name}: {wrong}");
        }
    }
    let both = Fake::that(&format!("{refuted}{holds}"), None, 20);
    let solved = sat(backend("kissat").expect("there"), &both.options()).expect("opened").solve(&formula, None);
    assert!(solved.is_err(), "{solved:?}");
}

#[test]
fn a_message_is_no_version() {
    let version = |name: &str, prints: &str, exit: i32| {
        let fake = Fake::that(prints, None, exit);
        let named: &dyn Backend = backend(name).expect("a backend");
        named.version(&BTreeMap::from([("program".to_owned(), fake.program())]))
    };
    for (name, prints, expected) in [
        ("kissat", "4.0.1\n", "4.0.1"),
        ("cadical-exe", "sc2021\n", "sc2021"),
        ("glpk", "GLPSOL--GLPK LP/MIP Solver 5.0\n", "5.0"),
        ("scip", "SCIP version 9.2.1 [precision: 8 byte]\n", "9.2.1"),
    ] {
        assert_eq!(version(name, prints, 0).expect("a version"), expected);
        assert!(matches!(version(name, prints, 1), Err(SolveError::Missing { .. })), "{name}");
    }
    for prints in ["/x/k4: error while loading shared libraries\n", "kissat:1: no\n", "k1/2\n", "none\n", "\n"] {
        match version("kissat", prints, 0) {
            Err(SolveError::Missing { reason, .. }) => assert!(reason.contains("tells no version"), "{reason}"),
            other => panic!("{prints}: {other:?}"),
        }
    }
    assert!(matches!(version("minisat", "minisat: error\n", 127), Err(SolveError::Missing { .. })));
}
