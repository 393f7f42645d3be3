//! Options that would change what an answer means get in nowhere, and those that a program does not have are found before a model
//! is built.

use std::collections::BTreeMap;

use model::Formulation;
use model::FormulationKind::Sat;
use solve::{Backend, SessionOptions, SolveError, backend};

use super::support::{Fake, installed};
use crate::common::{silent, with};

/// Opens a backend for its own kind.
fn opened(name: &str, options: &SessionOptions) -> Result<(), SolveError> {
    let named: &dyn Backend = backend(name).expect("a backend");
    named.open(named.info().kinds[0], options).map(drop)
}

#[test]
fn arguments_set_nothing_that_the_run_sets() {
    for (name, arguments) in [
        ("cbc-exe", "-cutoff -1000"),
        ("cbc-exe", "--CUT=-1000"),
        ("cbc-exe", "-sec 5"),
        ("glpk", "--objbnd 5"),
        ("glpk", "--nomip"),
        ("glpk", "-w other.sol"),
        ("gurobi", "cutoff=5"),
        ("kissat", "--time=5"),
        ("cadical-exe", "-t 5"),
        ("cryptominisat5", "-t4"),
        ("cryptominisat5", "--maxti=4"),
        ("minisat", "-cpu-lim=5"),
        ("scip", "-c 'set limits objective 5'"),
        ("scip", "-c 'se lim o 5'"),
        ("cplex", "-c 'set mip tol upp 5'"),
        ("highs-exe", "--time_limit 5"),
        ("highs-exe", "--options_file=mine"),
    ] {
        match opened(name, &with(&[("arguments", arguments)])) {
            Err(SolveError::OwnOption { solver, .. }) => assert_eq!(solver, name),
            other => panic!("{name} {arguments}: {other:?}"),
        }
    }
    for (name, arguments) in [
        ("cbc-exe", "-cuts off -maxNodes 5"),
        ("cbc-exe", "/x/cutoff ./solve"),
        ("glpk", "--cuts"),
        ("cadical-exe", "-O3 --sat"),
        ("scip", "'/my set limits objective/script'"),
        ("scip", "-c 'set limits nodes 5'"),
        ("cplex", "-c 'set mip limits nodes 5'"),
    ] {
        opened(name, &with(&[("arguments", arguments)])).unwrap_or_else(|e| panic!("{name} {arguments}: {e}"));
    }
}

#[test]
fn options_bring_in_no_others() {
    for (name, option, value) in [
        ("highs-exe", "presolve", "on\nobjective_bound = 5"),
        ("highs-exe", "presolve = on\nobjective_bound", "5"),
        ("highs-exe", "objective_bound = 5 #", "5"),
        ("scip", "limits/nodes", "5\rlimits/objective = 5"),
        ("cplex", "mip limits nodes", "5\nset timelimit 5"),
        ("glpk", "cuts", "--nomip"),
        ("cbc-exe", "dualPivot", "-cutoff"),
        ("cryptominisat5", "restart", "--maxtime"),
        // Some take nothing for 0.
        ("highs-exe", "mip_rel_gap", ""),
        ("cbc", "ratioGap", " "),
        ("highs", "mip_rel_gap", ""),
        // Of this it would take the lower bits, which are 0.
        ("highs", "mip_max_nodes", "4294967296"),
    ] {
        match opened(name, &with(&[(option, value)])) {
            Err(SolveError::Option { option: refused, .. }) => assert_eq!(refused, option, "{name}"),
            other => panic!("{name} {option}: {other:?}"),
        }
    }
    for (name, option, value) in [
        ("highs-exe", "objective_bound ", "5"),
        ("highs-exe", "small_matrix_value", "2"),
        ("cbc-exe", "incr", "10"),
        ("cbc-exe", "fixOnDj", "0.1"),
        ("cplex", "mip/tol/uppercutoff", "5"),
        ("cplex", "m t upp", "5"),
        ("cplex", "mip", "tolerances uppercutoff 5"),
        ("cplex", "time", "5"),
        ("cplex", "mip/tolerances/objdifference", "5"),
        ("gurobi", "InputFile", "a.prm"),
        ("scip", "constraints/countsols/active", "true"),
    ] {
        let refused = opened(name, &with(&[(option, value)]));
        assert!(matches!(refused, Err(SolveError::OwnOption { .. })), "{name} {option}: {refused:?}");
    }
    for (name, option, value) in
        [("cplex", "mip/tolerances/mipgap", "0.1"), ("cbc-exe", "dualBound", "-1e5"), ("cadical-exe", "O", "3")]
    {
        opened(name, &with(&[(option, value)])).unwrap_or_else(|e| panic!("{name} {option}: {e}"));
    }
}

#[test]
fn a_rehearsal_finds_options_that_a_program_does_not_take() {
    for (name, good, arguments) in [
        ("glpk", ("cuts", "true"), "--bogus"),
        ("cbc-exe", ("cuts", "off"), "-bogus"),
        ("highs-exe", ("presolve", "off"), "--bogus"),
        ("scip", ("limits/nodes", "5"), "-bogus"),
        ("cadical-exe", ("c", "1000"), "--bogus"),
        ("minisat", ("luby", "true"), "-bogus"),
    ] {
        let Some(program) = installed(name) else { continue };
        let refused = |options: &[(&str, &str)]| match program.rehearse(&with(options), &silent) {
            Err(SolveError::Option { option, .. }) => option,
            other => panic!("{name} {options:?}: {other:?}"),
        };
        assert_eq!(refused(&[("bogus", "1")]), "bogus");
        if ["glpk", "cbc-exe", "cadical-exe"].contains(&name) {
            assert_eq!(refused(&[("arguments", arguments)]), "arguments");
        }
        if name != "minisat" {
            program.rehearse(&with(&[good]), &silent).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
    }
    let absent = with(&[("program", "/nowhere/solver"), ("cuts", "true")]);
    let missing = backend("glpk").expect("there").rehearse(&absent, &silent);
    assert!(matches!(missing, Err(SolveError::Missing { .. })), "{missing:?}");
}

#[test]
fn the_option_that_a_program_refuses_is_named_whole() {
    let fake = Fake::that("Invalid option '--cutsx'; try glpsol --help\n", None, 1);
    let mut options = fake.options();
    options.options.extend(["cuts", "cutsx", "s"].map(|name| (name.to_owned(), "true".to_owned())));
    match backend("glpk").expect("there").rehearse(&options, &silent) {
        Err(SolveError::Option { option, .. }) => assert_eq!(option, "cutsx"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn faults_of_a_config_are_found_where_the_program_is_not() {
    let absent = ("program", "/nowhere/solver");
    for (name, option, value) in [
        ("glpk", "format", "dimacs"),
        ("glpk", "arguments", "'open"),
        ("glpk", "tmlim", "5"),
        ("kissat", "format", "lp"),
        ("minisat", "arguments", "-cpu-lim=5"),
    ] {
        assert!(opened(name, &with(&[absent, (option, value)])).is_err(), "{name} {option}");
        opened(name, &with(&[absent])).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    let external = backend("external").expect("there");
    let good = [("command", "/nowhere/s {model} {solution}"), ("format", "dimacs"), ("read", "minisat")];
    assert!(external.open(Sat, &with(&good)).is_ok());
    let linear = Formulation::of("f", "C1 C2' C3 C4").expect("good");
    assert!(solve::fits(external, &linear, &with(&good).options).is_err(), "clauses only");
    for changed in [
        ("command", "/nowhere/{x} {model} {solution}"),
        ("version-command", "/nowhere/s {model}"),
        ("read", "scip"),
        ("command", "/nowhere/s {model}\0 {solution}"),
    ] {
        let mut options = with(&good);
        options.options.insert("x".to_owned(), "1".to_owned());
        options.options.insert(changed.0.to_owned(), changed.1.to_owned());
        assert!(external.open(Sat, &options).is_err(), "{changed:?}");
        // Nor is it said that the program is missing.
        let version = external.version(&options.options);
        assert!(matches!(version, Err(SolveError::Unsupported { .. } | SolveError::Option { .. })), "{version:?}");
    }
    assert!(matches!(external.version(&BTreeMap::new()), Err(SolveError::Unsupported { .. })));
}
