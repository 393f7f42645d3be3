//! Programs that are missing, fail, or leave behind what is no solution.

use std::collections::BTreeMap;
use std::fs;

use solve::{SolveError, SolveStatus, backend};

use super::fakes::written;
use super::support::{Fake, objective, pigeons, sat, small, solution, with};
use crate::common::mip;

const MIP: [&str; 6] = ["gurobi", "cplex", "scip", "highs-exe", "cbc-exe", "glpk"];
/// Names and values.
type Named = Vec<(String, f64)>;

const SAT: [&str; 4] = ["kissat", "cadical-exe", "cryptominisat5", "minisat"];

#[test]
fn a_program_that_is_not_there_is_missing() {
    let fake = Fake::script(":");
    let file = fake.file().display().to_string();
    for name in MIP.into_iter().chain(SAT) {
        let named = backend(name).expect("a backend");
        for (program, says) in
            [("/nowhere/solver", "No such file"), ("no-such-solver", "in PATH"), (file.as_str(), "no executable")]
        {
            let options: BTreeMap<_, _> = [("program".to_owned(), program.to_owned())].into();
            match named.version(&options) {
                Err(SolveError::Missing { solver, reason, remedy }) => {
                    assert_eq!(solver, name);
                    assert!(reason.contains(says) && reason.contains(program), "{reason}");
                    assert!(remedy.contains("options.program") && remedy.contains("TILEBENCH_"), "{remedy}");
                }
                other => panic!("{name} {program}: {other:?}"),
            }
        }
    }
    let absent = with(&[("program", "/nowhere/solver")]);
    let solved = mip(backend("glpk").expect("there"), &absent).expect("opened").solve(&small(), None);
    assert!(matches!(solved, Err(SolveError::Missing { .. })), "{solved:?}");
    let solved = sat(backend("kissat").expect("there"), &absent).expect("opened").solve(&pigeons(2, 2), None);
    assert!(matches!(solved, Err(SolveError::Missing { .. })), "{solved:?}");
}

/// The reason of a failed solve.
fn fails(fake: &Fake, name: &str) -> String {
    match fake.solve(name, &small()) {
        Err(SolveError::Call { solver, reason, .. }) => {
            assert_eq!(solver, name);
            reason
        }
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn programs_that_fail_say_what_they_printed() {
    for name in MIP {
        let reason = fails(&Fake::that("one\n\nlast words\n", None, 3), name);
        assert!(reason.contains("exit code 3") && reason.contains("one / last words"), "{name}: {reason}");
        let reason = fails(&Fake::script("echo last words >&2; kill -SEGV $$"), name);
        assert!(reason.contains("signal 11") && reason.contains("last words"), "{name}: {reason}");
        // Nothing at all.
        let reason = fails(&Fake::script(":"), name);
        assert!(reason.contains("printed nothing"), "{name}: {reason}");
    }
}

#[test]
fn programs_that_run_out_of_memory_say_so() {
    for says in [
        "terminate called after throwing an instance of 'std::bad_alloc'",
        "glp_alloc: memory allocation limit exceeded",
    ] {
        let solved = Fake::that(says, None, 134).solve("glpk", &small()).expect("an outcome");
        assert_eq!((solved.outcome.status, solved.values), (SolveStatus::Memout, None));
        assert_eq!(solved.outcome.native_status.as_deref(), Some(says));
    }
}

#[test]
fn files_that_are_no_solution_are_errors() {
    let model = small();
    let solution = solution(&model);
    let value = objective(&model, &solution);
    let set = solution.iter().position(|(_, value)| *value == 1.0).expect("a tile is placed");
    let name_of = solution[set].0.clone();
    let changed = |change: &dyn Fn(&mut Named)| {
        let mut values = solution.clone();
        change(&mut values);
        values
    };
    let prints = |program: &str| if program == "gurobi" { "Optimal solution found (tolerance 1.00e-04)\n" } else { "" };
    let fault = |program: &str, leaves: &str| {
        // GLPK says how many rows it has read.
        let leaves = leaves.replace("ROWS", &model.rows().len().to_string());
        fails(&Fake::that(prints(program), Some(&leaves), 0), program)
    };
    for program in MIP {
        let sound = written(program, &solution, value).replace("ROWS", &model.rows().len().to_string());
        Fake::that(prints(program), Some(&sound), 0)
            .solve(program, &model)
            .unwrap_or_else(|e| panic!("{program}: {e}"));

        let nonsense = fault(program, &written(program, &changed(&|values| values[set].1 = f64::NAN), value));
        assert!(nonsense.contains("NaN") || nonsense.contains("the line"), "{program}: {nonsense}");
        // Names are not in GLPK's files.
        if program != "glpk" {
            let unknown =
                fault(program, &written(program, &changed(&|values| values[set].0 = "stranger".into()), value));
            assert!(unknown.contains("stranger"), "{program}: {unknown}");
            let twice =
                fault(program, &written(program, &changed(&|values| values.push((name_of.clone(), 1.0))), value));
            assert!(twice.contains("two values") && twice.contains(&name_of), "{program}: {twice}");
        }
        // SCIP and CBC write only what is not 0: see below.
        if !["scip", "cbc-exe"].contains(&program) {
            let fewer = fault(program, &written(program, &changed(&|values| drop(values.remove(set))), value));
            assert!(
                fewer.contains("lacks") || fewer.contains("values for") || fewer.contains("columns"),
                "{program}: {fewer}"
            );
            let half: String = sound.lines().take(sound.lines().count() / 2).map(|line| format!("{line}\n")).collect();
            let cut = fault(program, &half);
            assert!(cut.contains("cut short") || cut.contains("lacks"), "{program}: {cut}");
        }
        assert!(!fault(program, "nonsense\n").is_empty());
        assert!(!fault(program, "").is_empty());
    }
}

/// The rows decide about what a file does not list, as about every solution.
#[test]
fn files_that_list_little_are_checked_by_the_model() {
    let model = small();
    let mut solution = solution(&model);
    let value = objective(&model, &solution);
    let set = solution.iter().position(|(_, value)| *value == 1.0).expect("a tile is placed");
    drop(solution.remove(set));
    for program in ["scip", "cbc-exe"] {
        let solved = Fake::that("", Some(&written(program, &solution, value)), 0).solve(program, &model);
        match solved {
            Ok(solved) => assert!(!model.broken(&solved.values.expect("values"), 1e-5).is_empty(), "{program}"),
            Err(e) => assert!(e.to_string().contains("objective"), "{program}: {e}"),
        }
    }
}

#[test]
fn an_objective_that_is_not_that_of_the_values_is_an_error() {
    let model = small();
    let solution = solution(&model);
    let value = objective(&model, &solution);
    for program in ["cplex", "scip", "highs-exe", "cbc-exe"] {
        let reason = fails(&Fake::that("", Some(&written(program, &solution, value + 1.0)), 0), program);
        assert!(reason.contains("objective"), "{program}: {reason}");
    }
}

#[test]
fn a_model_that_arrives_with_fewer_rows_is_an_error() {
    let model = small();
    let solution = solution(&model);
    let value = objective(&model, &solution);
    let (rows, columns) = (model.rows().len(), model.variables().len());
    for (program, prints) in [
        ("gurobi", "Optimize a model with 3 rows, COLUMNS columns and 9 nonzeros (Min)\nOptimal solution found\n"),
        ("scip", "original problem has COLUMNS variables (2 bin, 2 int, 0 cont) and 3 constraints\n"),
        ("highs-exe", "MIP model has 3 rows; COLUMNS cols; 9 nonzeros; 4 integer variables (2 binary)\n"),
        ("glpk", ""),
    ] {
        let prints = prints.replace("COLUMNS", &columns.to_string());
        let leaves = written(program, &solution, value).replace("ROWS", "3");
        let reason = fails(&Fake::that(&prints, Some(&leaves), 0), program);
        assert!(reason.contains("rows") && reason.contains("read 3"), "{program}, {rows} rows: {reason}");
    }
}

#[test]
fn sat_solvers_that_leave_nonsense_are_errors() {
    let formula = pigeons(2, 2);
    let holds = "1 -2 -3 4";
    for (lines, says) in [
        (format!("s SATISFIABLE\nv {holds} 0"), None),
        (format!("c it may be long\ns SATISFIABLE\nv {}\nv {} 0\nc end", "1 -2", "-3 4"), None),
        (format!("s SATISFIABLE\nv {holds}"), Some("cut short")),
        ("s SATISFIABLE\nv 1 -2 0".to_owned(), Some("no value to 2 variables, first 3")),
        (format!("s SATISFIABLE\nv {holds} 5 0"), Some("gives 5")),
        (format!("s SATISFIABLE\nv {holds} -1 0"), Some("both")),
        ("s SATISFIABLE\nv 1 zwei 0".to_owned(), Some("zwei")),
        ("s SATISFIABLE".to_owned(), Some("cut short")),
        ("s MAYBE".to_owned(), Some("MAYBE")),
        ("c nothing".to_owned(), Some("no status line")),
        (format!("c parsed 3 clauses in 0.00 seconds\ns SATISFIABLE\nv {holds} 0"), Some("read 3")),
    ] {
        for name in ["kissat", "cadical-exe", "cryptominisat5"] {
            let fake = Fake::that(&format!("{lines}\n"), None, 10);
            let solved = sat(backend(name).expect("there"), &fake.options()).expect("opened").solve(&formula, None);
            match (solved, says) {
                (Ok(solved), None) => assert_eq!(solved.values, Some(vec![true, false, false, true]), "{lines}"),
                (Err(e), Some(says)) => assert!(e.to_string().contains(says), "{name}: {e}"),
                (other, _) => panic!("{name}, {lines}: {other:?}"),
            }
        }
    }
    for (file, says) in [("SAT\n1 -2 -3 4", "cut short"), ("SAT\n", "cut short"), ("", "empty"), ("WHAT\n", "WHAT")] {
        let fake = Fake::script(&format!("for last; do :; done; printf '{file}' > $last"));
        let solved = sat(backend("minisat").expect("there"), &fake.options()).expect("opened").solve(&formula, None);
        assert!(solved.as_ref().is_err_and(|e| e.to_string().contains(says)), "{file:?}: {solved:?}");
    }
}

#[test]
fn nothing_is_left_behind() {
    let fake = Fake::script("pwd > $here/where; exit 3");
    fails(&fake, "scip");
    let place = fs::read_to_string(fake.path().join("where")).expect("it ran");
    assert!(place.contains("tilebench"), "{place}");
    assert!(!fs::exists(place.trim()).expect("can be asked"), "{place}");
}
