//! What programs print, write and end with, recorded or damaged, and what becomes of it.
//!
//! SCIP, HiGHS, GLPK and CBC were recorded from the programs. Of Gurobi and CPLEX only the libraries could be had (13.0 and
//! 22.2, without a licence): solution files, the messages about the size of a model and Gurobi's lines at infeasibility
//! and time limits are recorded from these, adapted to the model here; the other lines are written after the manuals.

use std::collections::BTreeMap;
use std::fs;

use model::ir::Model;
use solve::{Deadline, SolveError, SolveStatus, Solved, backend};

use super::support::{Fake, MIP, SAT, objective, small, solution};
use crate::common::{mip, with};
use crate::formulas::{pigeons, sat};

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

/// Names and values.
type Named = Vec<(String, f64)>;

/// A model with a solution of it.
struct Sample {
    model: Model,
    solution: Named,
    objective: f64,
    /// A tile that the solution places.
    set: usize,
}

impl Sample {
    fn new() -> Self {
        let model = small();
        let solution = solution(&model);
        let set = solution.iter().position(|(_, value)| *value == 1.0).expect("a tile is placed");
        Self { objective: objective(&model, &solution), set, model, solution }
    }

    /// The solution as a program writes it.
    fn written(&self, program: &str) -> String {
        self.changed(program, |_| {})
    }

    /// The same after a change.
    fn changed(&self, program: &str, change: impl FnOnce(&mut Named)) -> String {
        let mut values = self.solution.clone();
        change(&mut values);
        written(program, &values, self.objective).replace("ROWS", &self.model.rows().len().to_string())
    }

    /// What is made of a program that prints and leaves this.
    fn left(&self, program: &str, prints: &str, leaves: Option<&str>, exit: i32) -> Result<Solved, SolveError> {
        Fake::that(prints, leaves, exit).solve(program, &self.model)
    }

    /// The status that is made of it.
    fn status(&self, program: &str, prints: &str, leaves: Option<&str>) -> SolveStatus {
        let solved = self.left(program, prints, leaves, 0);
        let solved = solved.unwrap_or_else(|e| panic!("{program}: {prints}{leaves:?}: {e}"));
        let found = matches!(solved.outcome.status, SolveStatus::Optimal | SolveStatus::Feasible);
        assert_eq!(
            (solved.values.is_some(), solved.outcome.objective_value.is_some()),
            (found, found),
            "{program}: {prints}"
        );
        solved.outcome.status
    }

    /// The reason why it is an error.
    fn fault(&self, fake: &Fake, program: &str) -> String {
        match fake.solve(program, &self.model) {
            Err(SolveError::Call { solver, reason, .. }) => {
                assert_eq!(solver, program);
                reason
            }
            other => panic!("{program}: {other:?}"),
        }
    }
}

#[test]
fn recorded_solutions_are_read() {
    let sample = Sample::new();
    let value = Some(sample.objective);
    for (name, prints, iterations) in [
        ("gurobi", GUROBI_OPTIMAL, Some(345)),
        ("cplex", CPLEX_OPTIMAL, Some(345)),
        ("scip", SCIP_OPTIMAL, None),
        ("highs-exe", HIGHS_OPTIMAL, Some(345)),
    ] {
        let prints = prints.replace("OBJECTIVE", &format!("{:e}", sample.objective));
        let solved = sample.left(name, &prints, Some(&sample.written(name)), 0);
        let Solved { outcome, values } = solved.unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(outcome.status, SolveStatus::Optimal, "{name}");
        assert_eq!((outcome.nodes, outcome.simplex_iterations), (Some(12), iterations), "{name}");
        assert_eq!((outcome.objective_value, outcome.bound, outcome.gap), (value, value, Some(0.0)), "{name}");
        assert_eq!(values, Some(sample.solution.iter().map(|(_, value)| *value).collect()), "{name}");
    }
}

#[test]
fn recorded_ends_without_a_solution_are_told_apart() {
    let sample = Sample::new();
    let cplex = |says: &str| {
        format!(
            "MIP - {says}.\nSolution time =    0.01 sec.  Iterations = 345  Nodes = 12 (3)\n\
                 CPLEX Error  1217: No solution exists.\n"
        )
    };
    let gurobi = |says: &str| format!("Solution count 0\n\n{says}\nBest objective -, best bound -, gap -\n");
    let scip = |says: &str| format!("solution status: {says}\nno solution available\n");
    let highs = |says: &str| format!("Model status\n{says}\n\n# Primal solution values\nNone\n");
    for (says, in_cplex, in_scip, in_highs, expected) in [
        (
            "Time limit reached",
            "Time limit exceeded, no integer solution",
            "time limit reached",
            "Time limit reached",
            SolveStatus::Timeout,
        ),
        (
            "Memory limit reached",
            "Memory limit exceeded, no integer solution",
            "memory limit reached",
            "Memory limit reached",
            SolveStatus::Memout,
        ),
        (
            "Node limit reached",
            "Node limit exceeded, no integer solution",
            "node limit reached",
            "Solution limit reached",
            SolveStatus::Limit,
        ),
        ("Model is infeasible", "Integer infeasible", "infeasible", "Infeasible", SolveStatus::Infeasible),
        (
            "Model is infeasible or unbounded",
            "Infeasible or unbounded",
            "infeasible or unbounded",
            "Primal infeasible or unbounded",
            SolveStatus::Infeasible,
        ),
    ] {
        assert_eq!(sample.status("gurobi", &gurobi(says), None), expected, "{says}");
        assert_eq!(sample.status("cplex", &cplex(in_cplex), None), expected, "{in_cplex}");
        assert_eq!(sample.status("scip", "", Some(&scip(in_scip))), expected, "{in_scip}");
        assert_eq!(sample.status("highs-exe", "", Some(&highs(in_highs))), expected, "{in_highs}");
    }
    let point = "      2 x_1_1_3              0.55022472        0\n";
    for (prints, leaves, expected) in [
        (
            "Result - Stopped on time limit\n\nNo feasible solution found\nLower bound:                    0.000\n",
            // The point of the relaxation, not a solution.
            format!("Stopped on time (no integer solution - continuous used) - objective value 0.0\n{point}"),
            SolveStatus::Timeout,
        ),
        // Older versions do not say it.
        ("", format!("Stopped on time - objective value 0.00000000\n{point}"), SolveStatus::Timeout),
        (
            "Problem is infeasible - 0.00 seconds\n",
            "Infeasible - objective value 8.00000000\n**       0 x_1_1_1                      2            0\n".into(),
            SolveStatus::Infeasible,
        ),
    ] {
        assert_eq!(sample.status("cbc-exe", prints, Some(&leaves)), expected, "{prints}{leaves}");
    }
}

/// Every solver calls it optimal that the gap of its options is reached; the bound tells how far it may be from that.
#[test]
fn who_ends_within_the_gap_that_is_allowed_is_optimal() {
    let sample = Sample::new();
    for (name, prints, from, to) in [
        ("cplex", "Current MIP best bound =  -1.0e+00 (gap = 1, 50%)\n", "\"101\"", "\"102\""),
        ("scip", "Dual Bound         : -1.0e+00\n", "optimal solution found", "gap limit reached"),
        (
            "glpk",
            "+ 6: mip = 1.0e+00 >= -1.0e+00 10.0% (1; 2)\nRELATIVE MIP GAP TOLERANCE REACHED; SEARCH TERMINATED\n",
            " o ",
            " f ",
        ),
        ("cbc-exe", "Lower bound:                    -0.9995\nexited within gap tolerance\n", "", ""),
    ] {
        let leaves = sample.changed(name, |_| {}).replacen(from, to, 1);
        let outcome = sample.left(name, prints, Some(&leaves), 0).expect("an answer").outcome;
        assert_eq!(outcome.status, SolveStatus::Optimal, "{name}");
        assert!(outcome.bound.is_some_and(|bound| (bound + 1.0).abs() < 1e-9), "{name}: {outcome:?}");
    }
}

#[test]
fn who_stops_with_a_solution_has_one() {
    let sample = Sample::new();
    let best = format!("Best objective {:e}, best bound -1.0e+00, gap -\n", sample.objective);
    for (name, prints, from, to) in [
        ("gurobi", format!("Time limit reached\n{best}").as_str(), "", ""),
        ("cplex", "Current MIP best bound =  -1.0e+00 (gap = 1, 50%)\n", "\"101\"", "\"107\""),
        ("scip", "Dual Bound         : -1.0e+00\n", "optimal solution found", "time limit reached"),
        ("highs-exe", "  Dual bound        -1\n", "Optimal", "Time limit reached"),
        ("cbc-exe", "Lower bound:                    -0.9995\n", "Optimal", "Stopped on time"),
    ] {
        let leaves = sample.written(name).replacen(from, to, 1);
        let Solved { outcome, values } =
            sample.left(name, prints, Some(&leaves), 0).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(outcome.status, SolveStatus::Feasible, "{name}");
        assert_eq!((outcome.objective_value, outcome.bound), (Some(sample.objective), Some(-1.0)), "{name}");
        assert!(values.is_some() && outcome.gap.is_some_and(|gap| gap > 0.0), "{name}");
    }
}

#[test]
fn a_point_that_is_no_solution_leaves_the_limit_that_struck() {
    let sample = Sample::new();
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
        let leaves = sample.changed(name, |values| values[sample.set].1 = 0.5).replacen(from, to, 1);
        assert_eq!(sample.status(name, prints, Some(&leaves)), expected, "{name} {prints}{to}");
    }
}

#[test]
fn a_limit_goes_before_what_is_infeasible_elsewhere() {
    let sample = Sample::new();
    let (rows, columns) = (sample.model.rows().len(), sample.model.variables().len());
    let left = format!("c Status:     INTEGER UNDEFINED\nc\ns mip {rows} {columns} u 0\ne o f\n");
    let infeasible = "PROBLEM HAS NO PRIMAL FEASIBLE SOLUTION\n";
    for (prints, expected) in [
        (infeasible.to_owned(), SolveStatus::Infeasible),
        (format!("{infeasible}TIME LIMIT EXCEEDED; SEARCH TERMINATED\n"), SolveStatus::Timeout),
        (format!("{infeasible}ITERATION LIMIT EXCEEDED\n"), SolveStatus::Limit),
    ] {
        assert_eq!(sample.status("glpk", &prints, Some(&left)), expected, "{prints}");
    }
    for (prints, expected) in [
        ("Model is infeasible\n\nTime limit reached\n", SolveStatus::Timeout),
        ("Read file 'Model is infeasible'\nNode limit reached\n", SolveStatus::Limit),
        ("Time limit reached\n\nModel is infeasible\n", SolveStatus::Infeasible),
    ] {
        assert_eq!(sample.status("gurobi", prints, None), expected, "{prints}");
    }
}

#[test]
fn licence_failures_are_told_apart() {
    let sample = Sample::new();
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
        match sample.left(name, prints, None, exit) {
            Err(SolveError::Licence { solver, reason }) => {
                assert_eq!(solver, name);
                assert!(prints.contains(&reason), "{reason}");
            }
            other => panic!("{name}, {prints}: {other:?}"),
        }
    }
    // Where the program already says it when it is asked for its version.
    let fake = Fake::that("CPLEX Error 32201: ILM Error 16: Access key not found.\n", None, 1);
    let named = backend("cplex").expect("there");
    let options = [("program".to_owned(), fake.program())].into();
    match named.version(&options) {
        Err(SolveError::Licence { reason, .. }) => assert!(reason.contains("ILM Error 16"), "{reason}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn exit_codes_of_sat_solvers_must_agree_with_what_they_say() {
    let formula = pigeons(2, 2);
    let (holds, refuted) = ("s SATISFIABLE\nv 1 -2 -3 4 0\n", "s UNSATISFIABLE\n");
    for name in SAT {
        let says = |lines: &str, exit: i32| {
            let fake = match (name, lines.contains("UNSAT")) {
                ("minisat", unsat) => {
                    let file = if unsat { "UNSAT" } else { "SAT\\n1 -2 -3 4 0\\n" };
                    let file = if unsat { format!("{file}\\n") } else { file.to_owned() };
                    Fake::script(&format!("for last; do :; done; printf '{file}' > $last; exit {exit}"))
                }
                _ => Fake::that(lines, None, exit),
            };
            let solved = sat(backend(name).expect("there"), &fake.options())
                .expect("opened")
                .solve(&formula, &Deadline::default());
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
    let solved =
        sat(backend("kissat").expect("there"), &both.options()).expect("opened").solve(&formula, &Deadline::default());
    assert!(solved.is_err(), "{solved:?}");
}

#[test]
fn a_message_is_no_version() {
    let version = |name: &str, prints: &str, exit: i32| {
        let fake = Fake::that(prints, None, exit);
        backend(name).expect("a backend").version(&BTreeMap::from([("program".to_owned(), fake.program())]))
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

#[test]
fn a_program_that_is_not_there_is_missing() {
    let fake = Fake::script(":");
    let file = fake.file().display().to_string();
    for name in MIP.into_iter().chain(SAT) {
        let named = backend(name).expect("a backend");
        for (program, says) in
            [("/nowhere/solver", "there is no"), ("no-such-solver", "in PATH"), (file.as_str(), "no executable")]
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
    let solved = mip(backend("glpk").expect("there"), &absent).expect("opened").solve(&small(), &Deadline::default());
    assert!(matches!(solved, Err(SolveError::Missing { .. })), "{solved:?}");
    let solved =
        sat(backend("kissat").expect("there"), &absent).expect("opened").solve(&pigeons(2, 2), &Deadline::default());
    assert!(matches!(solved, Err(SolveError::Missing { .. })), "{solved:?}");
}

#[test]
fn programs_that_fail_say_what_they_printed() {
    let sample = Sample::new();
    for name in MIP {
        let reason = sample.fault(&Fake::that("one\n\nlast words\n", None, 3), name);
        assert!(reason.contains("exit code 3") && reason.contains("one / last words"), "{name}: {reason}");
        let reason = sample.fault(&Fake::script("echo last words >&2; kill -SEGV $$"), name);
        assert!(reason.contains("signal 11") && reason.contains("last words"), "{name}: {reason}");
        // Nothing at all.
        assert!(sample.fault(&Fake::script(":"), name).contains("printed nothing"), "{name}");
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
    let sample = Sample::new();
    let (set, name) = (sample.set, sample.solution[sample.set].0.clone());
    for program in MIP {
        let prints = if program == "gurobi" { "Optimal solution found (tolerance 1.00e-04)\n" } else { "" };
        let sound = sample.written(program);
        sample.left(program, prints, Some(&sound), 0).unwrap_or_else(|e| panic!("{program}: {e}"));
        let faulty = |leaves: &str, says: &[&str]| {
            let fault = sample.fault(&Fake::that(prints, Some(leaves), 0), program);
            assert!(says.iter().any(|says| fault.contains(says)), "{program}: {fault}");
        };
        faulty(&sample.changed(program, |values| values[set].1 = f64::NAN), &["NaN", "the line"]);
        // Names are not in GLPK's files.
        if program != "glpk" {
            faulty(&sample.changed(program, |values| values[set].0 = "stranger".into()), &["stranger"]);
            faulty(
                &sample.changed(program, |values| values.push((name.clone(), 1.0))),
                &[&format!("two values for {name}")],
            );
        }
        // SCIP and CBC write only what is not 0: see below.
        if !["scip", "cbc-exe"].contains(&program) {
            let fewer = sample.changed(program, |values| drop(values.remove(set)));
            faulty(&fewer, &["lacks", "values for", "columns"]);
            let half: String = sound.lines().take(sound.lines().count() / 2).map(|line| format!("{line}\n")).collect();
            faulty(&half, &["cut short", "cannot be read", "lacks"]);
        }
        faulty("nonsense\n", &[""]);
        faulty("", &[""]);
        // GLPK is told the objective with its status only, Gurobi in what it prints.
        if !["gurobi", "glpk"].contains(&program) {
            faulty(&written(program, &sample.solution, sample.objective + 1.0), &["objective"]);
        }
    }
}

/// The rows decide about what a file does not list, as about every solution.
#[test]
fn files_that_list_little_are_checked_by_the_model() {
    let sample = Sample::new();
    for program in ["scip", "cbc-exe"] {
        let leaves = sample.changed(program, |values| drop(values.remove(sample.set)));
        match sample.left(program, "", Some(&leaves), 0) {
            Ok(solved) => {
                assert!(!sample.model.broken(&solved.values.expect("values"), 1e-5).is_empty(), "{program}");
            }
            Err(e) => assert!(e.to_string().contains("objective"), "{program}: {e}"),
        }
    }
}

#[test]
fn a_model_that_arrives_with_fewer_rows_is_an_error() {
    let sample = Sample::new();
    let columns = sample.model.variables().len().to_string();
    for (program, prints) in [
        ("gurobi", "Optimize a model with 3 rows, COLUMNS columns and 9 nonzeros (Min)\nOptimal solution found\n"),
        ("scip", "original problem has COLUMNS variables (2 bin, 2 int, 0 cont) and 3 constraints\n"),
        ("highs-exe", "MIP model has 3 rows; COLUMNS cols; 9 nonzeros; 4 integer variables (2 binary)\n"),
        ("glpk", ""),
    ] {
        let leaves = written(program, &sample.solution, sample.objective).replace("ROWS", "3");
        let fake = Fake::that(&prints.replace("COLUMNS", &columns), Some(&leaves), 0);
        let reason = sample.fault(&fake, program);
        assert!(reason.contains("rows") && reason.contains("read 3"), "{program}: {reason}");
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
        for name in &SAT[..3] {
            let fake = Fake::that(&format!("{lines}\n"), None, 10);
            let solved = sat(backend(name).expect("there"), &fake.options())
                .expect("opened")
                .solve(&formula, &Deadline::default());
            match (solved, says) {
                (Ok(solved), None) => assert_eq!(solved.values, Some(vec![true, false, false, true]), "{lines}"),
                (Err(e), Some(says)) => assert!(e.to_string().contains(says), "{name}: {e}"),
                (other, _) => panic!("{name}, {lines}: {other:?}"),
            }
        }
    }
    for (file, says) in [("SAT\n1 -2 -3 4", "cut short"), ("SAT\n", "cut short"), ("", "empty"), ("WHAT\n", "WHAT")] {
        let fake = Fake::script(&format!("for last; do :; done; printf '{file}' > $last"));
        let solved = sat(backend("minisat").expect("there"), &fake.options())
            .expect("opened")
            .solve(&formula, &Deadline::default());
        assert!(solved.as_ref().is_err_and(|e| e.to_string().contains(says)), "{file:?}: {solved:?}");
    }
}

#[test]
fn nothing_is_left_behind() {
    let fake = Fake::script("pwd > $here/where; exit 3");
    Sample::new().fault(&fake, "scip");
    let place = fs::read_to_string(fake.path().join("where")).expect("it ran");
    assert!(place.contains("tilebench"), "{place}");
    assert!(!fs::exists(place.trim()).expect("can be asked"), "{place}");
}
