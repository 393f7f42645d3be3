//! Boards as programs: what they describe is what the rules of the puzzle allow, no more and no less.

use std::collections::BTreeSet;
use std::process::Command;

use combinatorics::tantrix::shapes::Shape;
use model::{Fact, Formulation, FormulationKind, build_program};
use puzzle::tantrix::{BoardType, Colour};
use puzzle::{Instance, Placement, verify};
use record::Status;
use solve::{SolveError, backend};

use crate::arrangements::nine;
use crate::bounded::around_a_hole;
use crate::common::{AMPLE, board, bounded, exhaust, regular, seeded, silent, tantrix, with};
use crate::conformance::solve;
use crate::subjects::{is_missing, may_be_missing};

const PROGRAMS: [(FormulationKind, &str); 2] =
    [(FormulationKind::Minizinc, "minizinc"), (FormulationKind::Asp, "clingo")];

/// All solutions by exhaustive search.
fn all(instance: &Instance) -> BTreeSet<Vec<(usize, usize, usize)>> {
    let mut found = BTreeSet::new();
    exhaust(&instance.name, tantrix(instance), &mut |solution| {
        found.insert(plain(&solution.placements));
        true
    });
    found
}

fn plain(placements: &[Placement]) -> Vec<(usize, usize, usize)> {
    let mut plain: Vec<_> = placements.iter().map(|p| (p.place, p.tile, p.orientation)).collect();
    plain.sort_unstable();
    plain
}

/// What the program itself says are all solutions.
fn told(executable: &str, formulation: &Formulation, instance: &Instance) -> BTreeSet<Vec<(usize, usize, usize)>> {
    let program = build_program(formulation, instance).expect("fits");
    let as_atoms = formulation.kind() == FormulationKind::Asp;
    let (name, arguments) = if as_atoms {
        ("model.lp", ["--models=0", "--outf=0"].as_slice())
    } else {
        ("model.mzn", ["--solver", "gecode", "-a"].as_slice())
    };
    let directory = tempfile::tempdir().expect("made");
    std::fs::write(directory.path().join(name), program.text()).expect("written");
    let ran = Command::new(executable).args(arguments).arg(name).current_dir(directory.path()).output().expect("runs");
    let printed = String::from_utf8(ran.stdout).expect("text");
    let numbers = |list: &str| -> Vec<i64> { list.split(',').map(|n| n.trim().parse().expect("a number")).collect() };
    let fact = |arguments| Fact { name: "lying".to_owned(), arguments };
    let facts = |line: &str| -> Option<Vec<Fact>> {
        if as_atoms {
            let atoms = line.starts_with("lying(").then(|| line.split(' '))?;
            return Some(atoms.map(|atom| fact(numbers(&atom["lying(".len()..atom.len() - 1]))).collect());
        }
        let list = line.strip_prefix("lying = ")?.trim_end_matches(");").trim_end_matches("];");
        let list = list.rsplit('[').next()?.trim_end_matches(']');
        Some((1..).zip(numbers(list)).map(|(place, state)| fact(vec![place, state])).collect())
    };
    let solutions = printed.lines().filter_map(facts).map(|facts| program.decode(&facts).expect("whole"));
    solutions.map(|solution| plain(&solution.placements)).collect()
}

#[test]
fn programs_describe_exactly_the_solutions() {
    let boards = [
        board(Shape::Blob, 5, 1),
        board(Shape::Round, 7, 1),
        nine().instance,
        bounded(&regular(BoardType::A, 7), 5, Colour::Red),
        bounded(&regular(BoardType::A, 7), 6, Colour::Blue),
        bounded(&regular(BoardType::B, 12), 4, Colour::Red),
    ];
    let solvable = boards.iter().filter(|board| !all(board).is_empty()).count();
    assert!((3..boards.len()).contains(&solvable), "{solvable}");
    for (kind, name) in PROGRAMS {
        if is_missing(backend(name).expect("a backend")) {
            continue;
        }
        for board in &boards {
            let full = board.puzzle.kind() == "tantrix-fixed";
            let plain = Formulation::plain("f", kind);
            let formulation = if full { plain } else { plain.with("holes", "resolve").expect("good") };
            assert_eq!(told(name, &formulation, board), all(board), "{name}: {}", board.canonical());
        }
    }
}

#[test]
fn loops_and_holes_are_forbidden_or_reported() {
    let (ring, nine) = (around_a_hole().0, nine());
    for (kind, name) in PROGRAMS {
        let solver = backend(name).expect("a backend");
        if is_missing(solver) {
            continue;
        }
        let plain = Formulation::plain("f", kind);
        let found = |formulation: &Formulation, instance: &Instance| {
            let solved = solve(solver, formulation, instance, &seeded(1), AMPLE).expect("an answer");
            solved.solution.map(|solution| verify(instance, &solution))
        };
        // Ten tiles on these twelve places enclose a hole, nine on those lie in two loops.
        assert_eq!(found(&plain, &ring).expect("solved").holes, 1);
        assert_eq!(found(&plain.with("holes", "resolve").expect("good"), &ring), None);
        assert_eq!(
            found(&plain.with("subloops", "report").expect("good"), &nine.instance).expect("solved").loops.len(),
            2
        );
        assert_eq!(found(&plain, &nine.instance), None);
    }
}

#[test]
fn chuffed_solves_and_refutes_programs() {
    let (minizinc, chuffed) = (backend("minizinc").expect("a backend"), with(&[("solver", "chuffed")]));
    let version = match minizinc.version(&chuffed.options) {
        Ok(version) => version,
        Err(error) => return may_be_missing("chuffed", &error),
    };
    let ring = around_a_hole().0;
    let plain = Formulation::plain("f", FormulationKind::Minizinc);
    let solved = solve(minizinc, &plain, &ring, &chuffed, AMPLE).expect("an answer");
    let verdict = verify(&ring, &solved.solution.expect("solved"));
    assert_eq!((verdict.loops.len(), verdict.holes), (1, 1));
    // It is loaded first where it is WebAssembly.
    let is_loaded = solved.message.is_some_and(|message| message.contains("loading the solver took"));
    assert_eq!(is_loaded, version.contains("WebAssembly"), "{version}");
    let refuted = solve(minizinc, &plain.with("holes", "resolve").expect("good"), &ring, &chuffed, AMPLE);
    assert_eq!(refuted.expect("an answer").status, Status::Infeasible);
}

#[test]
fn flatzinc_solvers_refuse_arguments_before_a_run() {
    let minizinc = backend("minizinc").expect("a backend");
    // Chuffed takes seconds to load where it is WebAssembly, and is out of time on a busy machine.
    for solver in ["gecode"] {
        let options = |arguments: &str| with(&[("solver", solver), ("arguments", arguments)]);
        if let Err(error) = minizinc.version(&options("").options) {
            may_be_missing(solver, &error);
            continue;
        }
        // What is out of time on a busy machine is not refused.
        let refusal = (0..5).find_map(|_| minizinc.rehearse(&options("--nonsense 7"), &silent).err());
        match refusal {
            Some(SolveError::Option { option, value, .. }) => {
                assert_eq!((option.as_str(), value.as_str()), ("arguments", "--nonsense 7"))
            }
            other => panic!("{solver}: {other:?}"),
        }
        assert!(minizinc.rehearse(&options("-f"), &silent).is_ok(), "{solver}");
    }
}
