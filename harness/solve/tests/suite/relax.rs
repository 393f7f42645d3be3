//! The linear relaxation: against another simplex code, against the optimum, and as families are added.

use combinatorics::tantrix::shapes::Shape;
use good_lp::{Expression, ProblemVariables, ResolutionError, Solution, SolverModel, constraint, microlp, variable};
use model::ir::Model;
use model::{Formulation, FormulationKind, Objective, build_mip};
use puzzle::Instance;
use puzzle::tantrix::{BoardType, Colour};
use record::Status;
use solve::{Deadline, Task};

use crate::common::{AMPLE, board, bounded, open, regular, to_the_end};

const TOLERANCE: f64 = 1e-6;

fn weighted(families: &str) -> Formulation {
    Formulation::of("f", families).expect("good").with("objective", Objective::Weighted).expect("good")
}

/// The optimum of the relaxation; infinite where it has no solution.
fn root(formulation: &Formulation, instance: &Instance) -> f64 {
    let task = Task::build(formulation, instance, &Deadline::default()).expect("makes sense");
    let relaxed = task.relax(&Deadline::of(Some(AMPLE))).expect("a linear model");
    relaxed.optimum().unwrap_or_else(|| panic!("{}: {relaxed:?}", formulation.name()))
}

/// The same by microlp.
fn by_microlp(model: &Model) -> f64 {
    let mut variables = ProblemVariables::new();
    let columns: Vec<_> =
        model.variables().iter().map(|v| variables.add(variable().min(v.lower).max(v.upper))).collect();
    let sum = |terms: &[(model::ir::VarId, f64)]| -> Expression { terms.iter().map(|&(v, c)| c * columns[v.0]).sum() };
    let objective = sum(model.objective());
    let mut problem = variables.minimise(objective.clone()).using(microlp);
    for row in model.rows() {
        if row.lower.is_finite() {
            problem.add_constraint(constraint::geq(sum(&row.terms), row.lower));
        }
        if row.upper.is_finite() {
            problem.add_constraint(constraint::leq(sum(&row.terms), row.upper));
        }
    }
    match problem.solve() {
        Ok(solution) => solution.eval(objective),
        Err(ResolutionError::Infeasible) => f64::INFINITY,
        Err(error) => panic!("{error}"),
    }
}

fn small() -> [Instance; 3] {
    [
        bounded(&regular(BoardType::A, 7), 3, Colour::Yellow),
        bounded(&regular(BoardType::B, 12), 4, Colour::Red),
        bounded(&Shape::Blob.places(10, 2), 6, Colour::Blue),
    ]
}

fn same(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() < TOLERANCE
}

#[test]
fn two_simplex_codes_agree() {
    let mut values = Vec::new();
    for instance in small() {
        for families in ["B1 B3 B45c C5x", "B1 B2 B3 B4+B5 C5 C7 C8 C9"] {
            let formulation = weighted(families);
            let problem = build_mip(&formulation, &instance).expect("makes sense");
            let (ours, theirs) = (root(&formulation, &instance), by_microlp(problem.model()));
            assert!(same(ours, theirs), "{ours} and {theirs}: {families} on {}", instance.canonical());
            values.push(ours);
        }
    }
    assert!(
        values.iter().any(|v| (v - v.round()).abs() > 1e-3),
        "some relaxation has a fractional optimum: {values:?}"
    );
}

#[test]
fn it_is_a_lower_bound_that_families_never_lower() {
    let highs = solve::backend("highs").expect("a backend");
    for instance in small() {
        let mut families = "B1 B3 B45c C5x".to_owned();
        let mut best = f64::NEG_INFINITY;
        for family in ["", " C7", " C8", " C9", " B6", " C6x"] {
            let more = format!("{families}{family}");
            if weighted(&more).check(&instance).is_err() {
                continue;
            }
            families = more;
            let formulation = weighted(&families);
            let bound = root(&formulation, &instance);
            assert!(bound >= best - TOLERANCE, "{bound} after {best}: {families} on {}", instance.canonical());
            best = bound;
            let mut problem = build_mip(&formulation, &instance).expect("makes sense");
            let answer = to_the_end(problem.as_mut(), open(highs).as_mut(), Some(AMPLE)).expect("an answer");
            match answer.status {
                Status::Infeasible => {}
                Status::Optimal => {
                    let optimum = answer.last.and_then(|last| last.objective_value).expect("a value");
                    assert!(bound <= optimum + TOLERANCE, "{bound} above {optimum}: {families}");
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn the_stronger_of_two_formulations_has_the_greater_bound() {
    let instance = bounded(&regular(BoardType::A, 19), 10, Colour::Red);
    let bound = |families: &str| root(&weighted(families), &instance);
    // Matching colour by colour, on x, and through the designated edges, on y.
    let (by_colour, by_edge, both) =
        (bound("B1 B2 B3 B45c C5"), bound("B1 B2 B3 B4+B5 C5"), bound("B1 B2 B3 B4+B5 B45c C5"));
    assert!(by_colour > by_edge + 0.01 && same(both, by_colour), "{by_colour}, {by_edge}, {both}");
}

#[test]
fn without_an_objective_it_is_nought_or_there_is_no_solution() {
    let instances: Vec<Instance> =
        (0..4).map(|seed| board(Shape::Blob, 6, seed)).chain([board(Shape::Row, 3, 0)]).collect();
    for instance in &instances {
        let bound = root(&Formulation::of("f", "C1 C2' C4c C5x").expect("good"), instance);
        assert!(same(bound, 0.0) || bound == f64::INFINITY, "{bound}");
    }
}

#[test]
fn other_kinds_have_none() {
    let instance = board(Shape::Blob, 3, 1);
    for kind in [FormulationKind::Sat, FormulationKind::Cp, FormulationKind::Search] {
        let formulation = Formulation::plain("f", kind);
        let task = Task::build(&formulation, &instance, &Deadline::default()).expect("makes sense");
        assert_eq!(task.relax(&Deadline::default()), None);
    }
}
