//! Proofs of infeasibility, checked by a checker that shares nothing with the solvers.

use std::fs;
use std::path::Path;

use model::sat::Cnf;
use solve::{Backend, Deadline, SessionOptions, SolveError, SolveStatus, Task};

use crate::common::{AMPLE, board, seeded};
use crate::drat;
use crate::formulas::{Numbers, built_in, cnf, grid, lit, loops, pigeons, sat, three};
use crate::subjects::formulations;

fn provers() -> impl Iterator<Item = &'static dyn Backend> {
    built_in().filter(|backend| backend.info().reports.proof)
}

fn proving(path: &Path) -> SessionOptions {
    SessionOptions { proof: Some(path.to_owned()), ..seeded(1) }
}

/// Solves as often as there are batches of further clauses, the last time without a solution, and returns the formula
/// and the proof, which check.
fn proof(backend: &dyn Backend, mut cnf: Cnf, batches: &[Vec<Vec<i32>>]) -> (Vec<Vec<i32>>, String) {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("of.it.drat");
    let mut session = sat(backend, &proving(&path)).expect("a place to write");
    let mut cuts = 0;
    for batch in batches {
        let solved = session.solve(&cnf, &Deadline::of(Some(AMPLE))).expect("an answer");
        cuts += solved.outcome.cuts_added;
        assert_eq!(solved.outcome.status, SolveStatus::Optimal);
        assert!(!path.exists());
        for clause in batch {
            cnf.add_clause("test", clause.iter().map(|&number| lit(number)));
        }
    }
    let solved = session.solve(&cnf, &Deadline::of(Some(AMPLE))).expect("an answer");
    assert_eq!(solved.outcome.status, SolveStatus::Infeasible);
    let read = |name: &str| fs::read_to_string(dir.path().join(name)).expect("written");
    let (formula, proof) = (drat::formula(&read("of.it.cnf")), read("of.it.drat"));
    assert_eq!(drat::check(&formula, &proof), Ok(()));
    let own: Vec<Vec<i32>> = cnf.clauses().map(|c| c.literals.iter().map(|l| l.dimacs()).collect()).collect();
    assert_eq!(formula[..own.len()], own);
    // Reasons are given only where the solver asks for them.
    cuts += solved.outcome.cuts_added;
    assert!((formula.len() - own.len()) as u64 <= cuts, "{} clauses of {cuts} cuts", formula.len() - own.len());
    (formula, proof)
}

/// Edges of a grid, an odd number of them chosen at one node and an even number at each other: as each edge has two ends,
/// there is no such choice (Tseitin 1968).
fn parity(width: usize, height: usize) -> Cnf {
    let edges = grid(width, height);
    let mut clauses = Vec::new();
    for node in 0..width * height {
        let at: Vec<i32> =
            (1..).zip(&edges).filter(|(_, ends)| ends.contains(&node)).map(|(number, _)| number).collect();
        for chosen in (0..1u32 << at.len()).filter(|set| set.count_ones() % 2 == u32::from(node != 0)) {
            clauses
                .push((0..).zip(&at).map(|(bit, &edge)| if chosen >> bit & 1 == 1 { -edge } else { edge }).collect());
        }
    }
    cnf(edges.len(), &clauses)
}

#[test]
fn proofs_of_pigeons_and_of_parity() {
    for backend in provers() {
        proof(backend, pigeons(6, 5), &[]);
        let (_, text) = proof(backend, pigeons(7, 6), &[]);
        assert!(text.lines().count() > 20);
        for (width, height) in [(2, 2), (3, 4), (4, 5)] {
            proof(backend, parity(width, height), &[]);
        }
        proof(backend, cnf(2, &[vec![]]), &[]);
    }
}

#[test]
fn proofs_of_formulas_that_were_solved_in_several_calls() {
    for backend in provers() {
        let mut numbers = Numbers(0x0dd0_f00d_1234_5671);
        for variables in [20, 40, 60, 80] {
            let mut batch = |size| (0..size).map(|_| three(&mut numbers, variables)).collect::<Vec<_>>();
            let mut batches: Vec<Vec<Vec<i32>>> = vec![batch(variables * 3)];
            let mut session = sat(backend, &seeded(1)).expect("nothing special");
            let mut grown = cnf(variables, &[]);
            // How many batches it takes.
            loop {
                for clause in batches.last().expect("one") {
                    grown.add_clause("test", clause.iter().map(|&number| lit(number)));
                }
                match session.solve(&grown, &Deadline::of(Some(AMPLE))).expect("an answer").outcome.status {
                    SolveStatus::Optimal => batches.push(batch(variables / 5)),
                    _ => break,
                }
            }
            assert!(batches.len() > 2);
            proof(backend, cnf(variables, &[]), &batches);
        }
    }
}

#[test]
fn proofs_with_clauses_of_the_single_loop() {
    for backend in provers().filter(|backend| backend.info().reports.single_loop) {
        // Two squares side by side, joined at no node: each is a cycle by itself.
        let (formula, _) =
            proof(backend, loops(8, &[[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 7], [7, 4]], 8, true), &[]);
        assert!(formula.len() > 8);
        let mut bridged = grid(3, 4);
        bridged.extend(grid(3, 4).into_iter().map(|[a, b]| [a + 12, b + 12]));
        bridged.push([0, 12]);
        proof(backend, loops(24, &bridged, 24, true), &[]);
        proof(backend, loops(25, &grid(5, 5), 25, true), &[]);
        // All six round trips of a grid, each forbidden when it is found.
        let edges = grid(4, 4);
        let mut batches = Vec::new();
        let mut cnf = loops(16, &edges, 16, true);
        let mut session = sat(backend, &seeded(1)).expect("nothing special");
        while let Some(values) = session.solve(&cnf, &Deadline::of(Some(AMPLE))).expect("an answer").values {
            let clause: Vec<i32> = (1..).zip(values).filter(|(_, value)| *value).map(|(number, _)| -number).collect();
            cnf.add_clause("test", clause.iter().map(|&number| lit(number)));
            batches.push(vec![clause]);
        }
        assert_eq!(batches.len(), 6);
        proof(backend, loops(16, &edges, 16, true), &batches);
    }
}

#[test]
fn damaged_proofs_do_not_check() {
    for backend in provers() {
        let (formula, proof) = proof(backend, pigeons(7, 6), &[]);
        let lines: Vec<&str> = proof.lines().collect();
        let half = format!("{}\n0\n", lines[..lines.len() / 4].join("\n"));
        assert!(drat::check(&formula, &half).is_err());
        assert!(drat::check(&formula, &format!("1 0\n{proof}")).is_err());
        assert!(drat::check(&formula[1..], &proof).is_err());
        assert!(drat::check(&formula, &proof.replace("\n0\n", "\n")).is_err());
    }
}

#[test]
fn without_the_answer_infeasible_there_is_no_proof() {
    for backend in provers() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("p");
        fs::write(&path, "of another run").expect("writable");
        for cnf in [cnf(2, &[vec![1, 2]]), pigeons(13, 12)] {
            let mut session = sat(backend, &proving(&path)).expect("a place to write");
            let solved =
                session.solve(&cnf, &Deadline::of(Some(std::time::Duration::from_millis(50)))).expect("an answer");
            assert_ne!(solved.outcome.status, SolveStatus::Infeasible);
            drop(session);
            assert_eq!(fs::read_dir(dir.path()).expect("readable").count(), 0);
        }
    }
}

#[test]
fn after_a_restart_the_proof_is_that_of_the_last_formula() {
    for backend in provers() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("p.drat");
        let mut session = sat(backend, &proving(&path)).expect("a place to write");
        for holes in [4, 5] {
            session.restart();
            session.solve(&pigeons(holes + 1, holes), &Deadline::default()).expect("an answer");
        }
        let read = |name: &str| fs::read_to_string(dir.path().join(name)).expect("written");
        assert!(read("p.cnf").contains("p cnf 30 81\n"), "{}", &read("p.cnf")[..80]);
        assert_eq!(drat::check(&drat::formula(&read("p.cnf")), &read("p.drat")), Ok(()));
        assert_eq!(fs::read_dir(dir.path()).expect("readable").count(), 2);
    }
}

#[test]
fn a_restart_takes_the_proof_of_the_last_formula_back() {
    for backend in provers() {
        let dir = tempfile::tempdir().expect("a directory");
        let files = || fs::read_dir(dir.path()).expect("readable").count();
        let mut session = sat(backend, &proving(&dir.path().join("p.drat"))).expect("a place to write");
        let infeasible = |session: &mut dyn solve::Session<Cnf>| {
            let solved = session.solve(&pigeons(5, 4), &Deadline::default()).expect("an answer");
            assert_eq!((solved.outcome.status, files()), (SolveStatus::Infeasible, 2));
        };
        infeasible(session.as_mut());
        session.restart();
        // Also where the time is over before the next solve.
        assert_eq!(files(), 0);
        infeasible(session.as_mut());
        session.restart();
        let solved = session.solve(&cnf(2, &[vec![1, 2]]), &Deadline::default()).expect("an answer");
        assert_eq!(solved.outcome.status, SolveStatus::Optimal);
        drop(session);
        assert_eq!(files(), 0);
    }
}

#[test]
fn neither_proof_nor_formula_stays_where_the_formula_cannot_be_written() {
    for backend in provers() {
        let dir = tempfile::tempdir().expect("a directory");
        let mut session = sat(backend, &proving(&dir.path().join("p.drat"))).expect("a place to write");
        fs::create_dir(dir.path().join("p.cnf.part")).expect("writable");
        let failed = session.solve(&pigeons(5, 4), &Deadline::default()).expect_err("no place for the formula");
        assert!(matches!(failed, SolveError::Call { call: "proof", .. }), "{failed}");
        drop(session);
        assert_eq!(fs::read_dir(dir.path()).expect("readable").count(), 1, "what was there before");
    }
}

#[test]
fn a_place_where_nothing_can_be_written_is_said_before_a_solve() {
    for backend in provers() {
        let dir = tempfile::tempdir().expect("a directory");
        for name in ["no/such/directory", "the-formula.cnf", ""] {
            let opened = sat(backend, &proving(&dir.path().join(name)));
            assert!(matches!(opened, Err(SolveError::Call { call: "proof", .. })), "{name}");
        }
    }
}

#[test]
fn backends_without_proofs_say_so() {
    let instance = board(combinatorics::tantrix::shapes::Shape::Blob, 3, 1);
    for backend in solve::BACKENDS.iter().copied().filter(|backend| !backend.info().reports.proof) {
        for formulation in formulations(backend, &instance) {
            let task = Task::build(&formulation, &instance, &Deadline::default()).expect("makes sense");
            let solved = task.solve(backend, &proving(Path::new("p")), &Deadline::default(), &mut |_| {});
            assert!(matches!(solved, Err(SolveError::Unsupported { .. })), "{}: {formulation:?}", backend.info().name);
        }
    }
}
