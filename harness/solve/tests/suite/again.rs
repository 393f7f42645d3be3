//! Several solves by one session: the same model again, and one that has grown.

use std::time::Duration;

use combinatorics::tantrix::shapes::Shape;
use model::{Formulation, Problem, Program, Representation, build_cp, build_mip, build_program, build_sat};
use puzzle::{Instance, verify};
use solve::{Backend, Deadline, Opened, Prepared, ProgramSolver, Session, SolveStatus};

use crate::common::{AMPLE, board, seeded};
use crate::subjects::formulations;

/// One of the checks of the conformance suite.
pub fn answers_each_time(backend: &dyn Backend) {
    for (instance, status) in
        [(board(Shape::Blob, 5, 1), SolveStatus::Optimal), (board(Shape::Row, 3, 0), SolveStatus::Infeasible)]
    {
        for formulation in formulations(backend, &instance) {
            each(backend, &formulation, &instance, status);
        }
    }
}

fn each(backend: &dyn Backend, formulation: &Formulation, instance: &Instance, status: SolveStatus) {
    match backend.open(formulation.kind(), &seeded(1)).expect("nothing special is asked for") {
        Opened::Mip(mut session) => {
            let build = || build_mip(formulation, instance).expect("fits");
            again(build().as_ref(), session.as_mut(), instance, status);
        }
        Opened::Search(mut searcher) => {
            for limit in [None, Some(AMPLE), None] {
                let (outcome, _) =
                    searcher.search(instance, formulation, &Deadline::of(limit), &mut |_, _| ()).expect("an answer");
                assert_eq!(outcome.status, status, "{formulation:?}");
            }
        }
        Opened::Cp(mut session) => {
            let build = || build_cp(formulation, instance).expect("fits");
            again(build().as_ref(), session.as_mut(), instance, status);
        }
        Opened::Sat(mut session) => {
            let build = || build_sat(formulation, instance).expect("fits");
            again(build().as_ref(), session.as_mut(), instance, status);
        }
        Opened::Program(mut solver) => {
            let program = build_program(formulation, instance).expect("fits");
            for limit in [None, Some(AMPLE), None] {
                assert_eq!(by_program(&program, solver.as_mut(), instance, limit), status, "{formulation:?}");
            }
        }
    }
}

/// Prepares a program and solves it; the solver's answer is a solution, if it is any.
fn by_program(
    program: &Program,
    solver: &mut dyn ProgramSolver,
    instance: &Instance,
    limit: Option<Duration>,
) -> SolveStatus {
    match solver.prepare(program, &Deadline::of(limit)).expect("no error") {
        Prepared::Ended(outcome) => outcome.status,
        Prepared::Ready(_) => {
            let solved = solver.solve(&Deadline::of(limit)).expect("an answer");
            if let Some(facts) = &solved.values {
                assert_eq!(verify(instance, &program.decode(facts).expect("a solution")).violations, []);
            }
            solved.outcome.status
        }
    }
}

/// One of the checks of the conformance suite: a time that is over while the solver is given the model, and a solve without
/// a limit after it.
pub fn answers_after_a_timeout(backend: &dyn Backend) {
    let instance = board(Shape::Blob, 5, 1);
    for formulation in formulations(backend, &instance) {
        let open = || backend.open(formulation.kind(), &seeded(1)).expect("nothing special is asked for");
        match open() {
            Opened::Mip(mut session) => {
                late(build_mip(&formulation, &instance).expect("fits").as_ref(), session.as_mut(), &instance);
            }
            Opened::Sat(mut session) => {
                late(build_sat(&formulation, &instance).expect("fits").as_ref(), session.as_mut(), &instance);
            }
            Opened::Cp(mut session) => {
                late(build_cp(&formulation, &instance).expect("fits").as_ref(), session.as_mut(), &instance);
            }
            // Begins anew each time.
            Opened::Search(_) => {}
            Opened::Program(mut solver) => {
                let program = build_program(&formulation, &instance).expect("fits");
                let late = by_program(&program, solver.as_mut(), &instance, Some(Duration::ZERO));
                assert_eq!(late, SolveStatus::Timeout);
                assert_eq!(by_program(&program, solver.as_mut(), &instance, None), SolveStatus::Optimal);
            }
        }
    }
}

fn late<F: Representation>(problem: &dyn Problem<F>, session: &mut dyn Session<F>, instance: &Instance) {
    for limit in [0, 1, 200].map(Duration::from_micros) {
        let solved = session.solve(problem.model(), &Deadline::of(Some(limit))).expect("a limit is no error");
        assert_eq!(solved.values.is_some(), solved.outcome.status == SolveStatus::Optimal);
        assert_ne!(solved.outcome.status, SolveStatus::Infeasible);
    }
    let solved = session.solve(problem.model(), &Deadline::default()).expect("an answer");
    assert_eq!(solved.outcome.status, SolveStatus::Optimal);
    let values = solved.values.expect("a solution");
    assert_eq!(problem.model().broken_by(&values), Vec::<String>::new());
    assert_eq!(verify(instance, &problem.decode(&values).expect("a solution")).violations, []);
}

fn again<F: Representation>(
    problem: &dyn Problem<F>,
    session: &mut dyn Session<F>,
    instance: &Instance,
    status: SolveStatus,
) {
    for round in 0..6 {
        let limit = (round % 2 == 1).then_some(AMPLE);
        let solved = session.solve(problem.model(), &Deadline::of(limit)).expect("an answer");
        assert_eq!(solved.outcome.status, status);
        if let Some(values) = &solved.values {
            assert_eq!(problem.model().broken_by(values), Vec::<String>::new());
            let solution = problem.decode(values).expect("a solution");
            // These boards are too small for two loops, so that there is nothing to cut off.
            assert_eq!(verify(instance, &solution).violations, []);
        }
        if round == 2 {
            session.restart();
        }
    }
}
