//! What programs print and write, recorded, and what becomes of it.
//!
//! SCIP, HiGHS, GLPK and CBC were recorded from the programs. Of Gurobi and CPLEX only the libraries could be had (13.0 and
//! 22.2, without a licence): solution files, the messages about the size of a model and Gurobi's lines at infeasibility
//! and time limits are recorded from these, adapted to the model here; the other lines are written after the manuals.

use solve::{SolveError, SolveStatus};

use super::support::{Fake, objective, small, solution};

const GUROBI_OPTIMAL: &str = "\
Gurobi Optimizer version 13.0.3 build v13.0.3rc0 (linux64 - \"Debian GNU/Linux 12 (bookworm)\")
Explored 12 nodes (345 simplex iterations) in 0.02 seconds (0.00 work units)
Thread count was 1 (of 2 available processors)

Solution count 1: 0

Optimal solution found (tolerance 1.00e-04)
Best objective OBJECTIVE, best bound OBJECTIVE, gap 0.0000%

Wrote result file 'solution.sol'
";

const CPLEX_OPTIMAL: &str = "\
MIP - Integer optimal solution:  Objective =  OBJECTIVE
Solution time =    0.01 sec.  Iterations = 345  Nodes = 12
Deterministic time = 1.68 ticks  (168.00 ticks/sec)
";

const SCIP_OPTIMAL: &str = "\
SCIP Status        : problem is solved [optimal solution found]
Solving Time (sec) : 0.00
Solving Nodes      : 12 (total of 20 nodes in 2 runs)
Primal Bound       : +OBJECTIVE (1 solutions)
Dual Bound         : +OBJECTIVE
Gap                : 0.00 %
";

const HIGHS_OPTIMAL: &str = "\
  Dual bound        OBJECTIVE
  Gap               0% (tolerance: 0.01%)
  Nodes             12
  Repair LPs        0
  LP iterations     345
";

fn lines(values: &[(String, f64)], line: impl Fn(usize, &str, f64) -> String) -> String {
    values.iter().enumerate().map(|(index, (name, value))| line(index, name, *value) + "\n").collect()
}

/// A solution as a program writes it.
pub fn written(program: &str, values: &[(String, f64)], objective: f64) -> String {
    match program {
        "gurobi" => {
            let values = lines(values, |_, name, value| format!("{name} {value}"));
            format!("# Solution for model obj\n# Objective value = {objective}\n{values}")
        }
        "cplex" => {
            let values = lines(values, |index, name, value| {
                format!("  <variable name=\"{name}\" index=\"{index}\" value=\"{value}\"/>")
            });
            format!(
                "<?xml version = \"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<CPLEXSolution version=\"1.2\">\n <header\n   \
                 problemName=\"model.lp\"\n   solutionName=\"incumbent\"\n   objectiveValue=\"{objective}\"\n   \
                 solutionStatusValue=\"101\"\n   solutionStatusString=\"integer optimal solution\"\n   MIPNodes=\"12\"/>\n \
                 <quality\n   epInt=\"1.0000000000000001e-05\"/>\n <variables>\n{values} </variables>\n</CPLEXSolution>\n"
            )
        }
        "scip" => {
            let set: Vec<_> = values.iter().filter(|(_, value)| *value != 0.0).cloned().collect();
            let values = lines(&set, |_, name, value| format!("{name:<35} {value:>20} \t(obj:0)"));
            format!("solution status: optimal solution found\nobjective value: {objective:>35}\n{values}")
        }
        "highs-exe" => {
            let (count, values) = (values.len(), lines(values, |_, name, value| format!("{name} {value}")));
            format!(
                "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective {objective}\n# Columns \
                 {count}\n{values}# Rows 0\n\n# Dual solution values\nNone\n"
            )
        }
        "cbc-exe" => {
            let values = lines(values, |index, name, value| format!("{index:7} {name:<20} {value:>12} {:>20}", 0));
            format!("Optimal - objective value {objective:.8}\n{values}")
        }
        "glpk" => {
            let values = lines(values, |index, _, value| format!("j {} {value}", index + 1));
            let columns = values.lines().count();
            format!("c Status:     INTEGER OPTIMAL\nc\ns mip ROWS {columns} o {objective}\n{values}e o f\n")
        }
        other => panic!("{other}"),
    }
}

#[test]
fn recorded_solutions_are_read() {
    let model = small();
    let solution = solution(&model);
    let value = objective(&model, &solution);
    for (name, prints, iterations) in [
        ("gurobi", GUROBI_OPTIMAL, Some(345)),
        ("cplex", CPLEX_OPTIMAL, Some(345)),
        ("scip", SCIP_OPTIMAL, None),
        ("highs-exe", HIGHS_OPTIMAL, Some(345)),
    ] {
        let prints = prints.replace("OBJECTIVE", &format!("{value:e}"));
        let fake = Fake::that(&prints, Some(&written(name, &solution, value)), 0);
        let solved = fake.solve(name, &model).unwrap_or_else(|e| panic!("{name}: {e}"));
        let outcome = solved.outcome;
        assert_eq!(outcome.status, SolveStatus::Optimal, "{name}");
        assert_eq!((outcome.nodes, outcome.simplex_iterations), (Some(12), iterations), "{name}");
        assert_eq!(
            (outcome.objective_value, outcome.bound, outcome.gap),
            (Some(value), Some(value), Some(0.0)),
            "{name}"
        );
        assert_eq!(solved.values, Some(solution.iter().map(|(_, value)| *value).collect()), "{name}");
    }
}

#[test]
fn recorded_ends_without_a_solution_are_told_apart() {
    let model = small();
    let cplex =
        "Solution time =    0.01 sec.  Iterations = 345  Nodes = 12 (3)\nCPLEX Error  1217: No solution exists.\n";
    let gurobi = "Solution count 0\n\nSTATUS\nBest objective -, best bound -, gap -\n";
    for (name, prints, leaves, expected) in [
        ("gurobi", gurobi.replace("STATUS", "Time limit reached"), None, SolveStatus::Timeout),
        ("gurobi", gurobi.replace("STATUS", "Memory limit reached"), None, SolveStatus::Memout),
        ("gurobi", gurobi.replace("STATUS", "Node limit reached"), None, SolveStatus::Limit),
        ("gurobi", gurobi.replace("STATUS", "Model is infeasible"), None, SolveStatus::Infeasible),
        ("gurobi", gurobi.replace("STATUS", "Model is infeasible or unbounded"), None, SolveStatus::Infeasible),
        ("cplex", format!("MIP - Integer infeasible.\n{cplex}"), None, SolveStatus::Infeasible),
        ("cplex", format!("MIP - Time limit exceeded, no integer solution.\n{cplex}"), None, SolveStatus::Timeout),
        ("cplex", format!("MIP - Memory limit exceeded, no integer solution.\n{cplex}"), None, SolveStatus::Memout),
        ("cplex", format!("MIP - Node limit exceeded, no integer solution.\n{cplex}"), None, SolveStatus::Limit),
        ("scip", String::new(), Some("solution status: infeasible\nno solution available\n"), SolveStatus::Infeasible),
        (
            "scip",
            String::new(),
            Some("solution status: time limit reached\nno solution available\n"),
            SolveStatus::Timeout,
        ),
        (
            "scip",
            String::new(),
            Some("solution status: memory limit reached\nno solution available\n"),
            SolveStatus::Memout,
        ),
        (
            "scip",
            String::new(),
            Some("solution status: node limit reached\nno solution available\n"),
            SolveStatus::Limit,
        ),
        (
            "highs-exe",
            String::new(),
            Some("Model status\nTime limit reached\n\n# Primal solution values\nNone\n"),
            SolveStatus::Timeout,
        ),
        (
            "highs-exe",
            String::new(),
            Some("Model status\nMemory limit reached\n\n# Primal solution values\nNone\n"),
            SolveStatus::Memout,
        ),
        (
            "cbc-exe",
            "Result - Stopped on time limit\n\nNo feasible solution found\nLower bound:                    0.000\n"
                .into(),
            // The point of the relaxation, not a solution.
            Some(
                "Stopped on time (no integer solution - continuous used) - objective value 0.0\n      2 x_1_1_3  0.55  0\n",
            ),
            SolveStatus::Timeout,
        ),
        (
            "cbc-exe",
            String::new(),
            // Older versions do not say it.
            Some("Stopped on time - objective value 0.00000000\n      2 x_1_1_3              0.55022472        0\n"),
            SolveStatus::Timeout,
        ),
        (
            "cbc-exe",
            "Problem is infeasible - 0.00 seconds\n".into(),
            Some("Infeasible - objective value 8.00000000\n**       0 x_1_1_1                      2            0\n"),
            SolveStatus::Infeasible,
        ),
    ] {
        let solved = Fake::that(&prints, leaves, 0).solve(name, &model).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!((solved.outcome.status, &solved.values), (expected, &None), "{name}: {prints}{leaves:?}");
        assert_eq!(solved.outcome.objective_value, None, "{name}");
    }
}

#[test]
fn who_stops_with_a_solution_has_one() {
    let model = small();
    let solution = solution(&model);
    let value = objective(&model, &solution);
    for (name, prints, from, to) in [
        ("gurobi", "Time limit reached\nBest objective 0.0e+00, best bound -1.0e+00, gap -\n", "", ""),
        ("cplex", "Current MIP best bound =  -1.0e+00 (gap = 1, 50%)\n", "\"101\"", "\"107\""),
        ("scip", "Dual Bound         : -1.0e+00\n", "optimal solution found", "time limit reached"),
        ("highs-exe", "  Dual bound        -1\n", "Optimal", "Time limit reached"),
        ("cbc-exe", "Lower bound:                    -1.000\n", "Optimal", "Stopped on time"),
    ] {
        let prints = prints.replace("0.0e+00,", &format!("{value:e},"));
        let leaves = written(name, &solution, value).replacen(from, to, 1);
        let solved =
            Fake::that(&prints, Some(&leaves), 0).solve(name, &model).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(solved.outcome.status, SolveStatus::Feasible, "{name}");
        assert_eq!((solved.outcome.objective_value, solved.outcome.bound), (Some(value), Some(-1.0)), "{name}");
        assert!(solved.values.is_some() && solved.outcome.gap.is_some_and(|gap| gap > 0.0), "{name}");
    }
}

#[test]
fn licence_failures_are_told_apart() {
    let model = small();
    for (name, prints, exit) in [
        ("gurobi", "ERROR 10009: No Gurobi license found (user u, host h, hostid 1a2b3c4d, cores 2)\n", 1),
        ("gurobi", "Error 10009: License expired 2024-01-01\n", 1),
        (
            "gurobi",
            "Model too large for size-limited license; visit https://gurobi.com/unrestricted for more information\n",
            0,
        ),
        (
            "cplex",
            "CPLEX Error  1016: Community Edition. Problem size limits exceeded. Purchase at http://ibm.biz/error1016.\n",
            0,
        ),
        ("cplex", "CPLEX Error  1016: Promotional version. Problem size limits exceeded.\n", 0),
        ("cplex", "CPLEX Error 32201: ILM Error 16: Access key not found.\n", 1),
    ] {
        match Fake::that(prints, None, exit).solve(name, &model) {
            Err(SolveError::Licence { solver, reason }) => {
                assert_eq!(solver, name);
                assert!(prints.contains(&reason), "{reason}");
            }
            other => panic!("{name}, {prints}: {other:?}"),
        }
    }
    // Where the program already says it when it is asked for its version.
    let fake = Fake::that("CPLEX Error 32201: ILM Error 16: Access key not found.\n", None, 1);
    let named = solve::backend("cplex").expect("there");
    let options = [("program".to_owned(), fake.program())].into();
    match named.version(&options) {
        Err(SolveError::Licence { reason, .. }) => assert!(reason.contains("ILM Error 16"), "{reason}"),
        other => panic!("{other:?}"),
    }
}
