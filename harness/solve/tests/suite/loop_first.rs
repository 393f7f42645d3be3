//! The designated lines first, then the tiles.

use std::path::Path;
use std::time::Duration;

use combinatorics::tantrix::shapes::Shape;
use model::{Formulation, FormulationKeys, FormulationKind, PRESETS};
use puzzle::tantrix::{BoardType, Colour};
use puzzle::{Instance, verify};
use record::{Iteration, Lays, SolveStatus, Status};
use solve::{Answer, backend};

use crate::common::{AMPLE, board, bounded, brute_force, distinct_tiles_as_by_search, regular, run, seeded};
use crate::subjects::is_missing;

fn preset(name: &str) -> FormulationKeys {
    PRESETS.iter().find(|preset| preset.name == name).expect("a preset").written()
}

fn answer(name: &str, formulation: FormulationKeys, instance: &Instance) -> Option<(Answer, Vec<Iteration>)> {
    let backend = backend(name).ok().filter(|backend| !is_missing(*backend))?;
    let formulation = formulation.read().expect("good").seeded(1);
    let (answer, solves) = run(backend, &formulation, instance, &seeded(1), AMPLE);
    Some((answer.expect("an answer"), solves))
}

/// Checks an answer against exhaustive search; true if there is a solution.
fn is_right(answer: &Answer, instance: &Instance) -> bool {
    let expected = brute_force(instance);
    let status = if expected.is_some() { Status::Optimal } else { Status::Infeasible };
    assert_eq!(answer.status, status, "{}: {answer:?}", instance.name);
    let broken = answer.solution.as_ref().map(|solution| verify(instance, solution).violations);
    assert_eq!(broken.unwrap_or_default(), [], "{}", instance.name);
    expected.is_some()
}

#[test]
fn large_boards_are_solved_by_solvers_of_all_sorts() {
    for (name, board) in [
        ("highs", "n60-spur"),
        ("highs", "n100-round"),
        ("cadical", "n40-round"),
        ("cp-sat", "n40-spur"),
        ("cbc", "n30-round"),
        ("glpk", "n20-spur"),
        ("pyscipopt", "n30-spur"),
    ] {
        let file = format!("{}/../../instances/tantrix/fixed/{board}.toml", env!("CARGO_MANIFEST_DIR"));
        let instance = Instance::load(Path::new(&file)).expect("an instance");
        let Some((answer, solves)) = answer(name, preset("loop-first"), &instance) else { continue };
        assert_eq!(answer.status, Status::Optimal, "{name}, {board}: {answer:?}");
        let solution = answer.solution.expect("a solution");
        assert_eq!(verify(&instance, &solution).violations, [], "{name}, {board}");
        // Solves of the lines tell of loops, and have no tiles; solves of the tiles have one loop.
        let [before @ .., last] = &solves[..] else { panic!("no solve") };
        assert!(!before.is_empty() && before.iter().all(|iteration| iteration.solution.is_none()), "{name}, {board}");
        assert!(before.iter().any(|iteration| iteration.solve.loops.is_some()), "{name}, {board}");
        for Iteration { solve, .. } in before {
            let of_tiles = solve.lays == Some(Lays::Tiles);
            assert!(of_tiles || solve.lays == Some(Lays::Lines), "{name}, {board}: {solve:?}");
            // Lines that are not kept are cut off, as are those that no tiles have.
            assert!(!of_tiles || (solve.status, solve.cuts_added) == (SolveStatus::Infeasible, 1), "{name}, {board}");
        }
        // After lines that stand tiles are laid, after all others lines.
        for pair in solves.windows(2) {
            let stands = pair[0].solve.lays == Some(Lays::Lines) && pair[0].solve.cuts_added == 0;
            assert_eq!(pair[1].solve.lays == Some(Lays::Tiles), stands, "{name}, {board}: {pair:?}");
        }
        assert!(solves.iter().all(|iteration| iteration.solve.patches.is_some()), "{name}, {board}");
        assert_eq!((last.solution.as_ref(), last.solve.loops), (Some(&solution), Some(1)), "{name}, {board}");
        assert!(solves.iter().map(|iteration| iteration.solve.iteration).eq(0..solves.len() as u64));
    }
}

#[test]
fn small_fixed_boards_are_decided_as_by_exhaustive_search() {
    let (mut solvable, mut unsolvable) = (0, 0);
    for n in 5..=10 {
        for shape in [Shape::Blob, Shape::Round, Shape::Spur] {
            for windows in [false, true] {
                let instance = board(shape, n, 2);
                let formulation = preset("loop-first").with("fix-and-optimise", windows);
                let (answer, _) = answer("cadical", formulation, &instance).expect("it is built in");
                if is_right(&answer, &instance) { solvable += 1 } else { unsolvable += 1 }
            }
        }
    }
    assert!(solvable > 5 && unsolvable > 5, "{solvable} {unsolvable}");
}

/// Some of these boards have loops that no tiles fit, so that others are tried.
#[test]
fn fixed_boards_are_decided_as_by_search() {
    let search = Formulation::plain("search", FormulationKind::Search);
    let (mut solvable, mut unsolvable, mut again) = (0, 0, 0);
    for n in 12..=20 {
        for shape in [Shape::Blob, Shape::Round, Shape::Spur] {
            let instance = board(shape, n, 1);
            let searched = run(backend("search").expect("built in"), &search, &instance, &seeded(1), AMPLE).0;
            let formulation = preset("loop-first").with("fix-and-optimise", false);
            let (answer, solves) = answer("cadical", formulation, &instance).expect("it is built in");
            assert_eq!(answer.status, searched.expect("an answer").status, "{n} {shape}: {answer:?}");
            match &answer.solution {
                Some(solution) => (assert_eq!(verify(&instance, solution).violations, []), solvable += 1),
                None => ((), unsolvable += 1),
            };
            // Tiles were looked for, in vain, and lines laid again.
            let in_vain = solves.split_last().map_or(&[][..], |(_, before)| before);
            again += in_vain.iter().filter(|iteration| iteration.solve.status == SolveStatus::Infeasible).count();
        }
    }
    assert!(solvable > 5 && unsolvable > 1 && again > 0, "{solvable} {unsolvable} {again}");
}

#[test]
fn small_bounded_boards_are_decided_as_by_exhaustive_search() {
    let (mut solvable, mut unsolvable) = (0, 0);
    for (kind, places) in [(BoardType::A, 7), (BoardType::B, 12)] {
        for challenge in 3..=8 {
            for colour in [Colour::Red, Colour::Blue, Colour::Yellow] {
                if challenge > places {
                    continue;
                }
                let instance = bounded(&regular(kind, places), challenge, colour);
                let formulation = preset("bounded-loop-first");
                let (answer, _) = answer("cadical", formulation, &instance).expect("it is built in");
                if is_right(&answer, &instance) { solvable += 1 } else { unsolvable += 1 }
            }
        }
    }
    assert!(solvable > 5 && unsolvable > 5, "{solvable} {unsolvable}");
}

/// Four colours, of which tiles lack one: the other edges of a line show any of the others.
#[test]
fn boards_of_distinct_tiles_are_decided_as_by_search() {
    distinct_tiles_as_by_search(|instance| {
        answer("cadical", preset("loop-first"), instance).expect("it is built in").0
    });
}

/// Families that say something of colour numbers, of single tiles and of one loop hold for lines too.
#[test]
fn every_family_can_speak_of_lines() {
    let (mut solvable, mut unsolvable) = (0, 0);
    for families in ["C1 C2 C2o C3 C4 C5 C6", "C1 C2' C4e MTZ", "C1 C2' C4e SCF L6", "C1 C2' C3x C4c C5x L5"] {
        for n in 7..=10 {
            let instance = board(Shape::Blob, n, 3);
            let formulation = preset("loop-first").with("fix-and-optimise", false).with("families", families);
            let (answer, _) = answer("cadical", formulation, &instance).expect("it is built in");
            if is_right(&answer, &instance) { solvable += 1 } else { unsolvable += 1 }
        }
    }
    assert!(solvable > 0 && unsolvable > 0, "{solvable} {unsolvable}");
}

/// Of bounded boards too, on y or on x, where bays or holes are forbidden and where subloops are only reported.
#[test]
fn bounded_boards_are_decided_alike_with_all_families() {
    let (mut solved, mut unsolved) = (0, 0);
    for families in ["B1 B2 B3 B4 B5 C5", "B1 B3 B4+B5 B6' C5", "B1 B3 B45c B6'' C5x C7", "B1 B3 B45c"] {
        for (challenge, colour) in [3, 4, 5, 6].into_iter().flat_map(|n| Colour::ALL[..3].iter().map(move |&c| (n, c)))
        {
            let instance = bounded(&regular(BoardType::A, 7), challenge, colour);
            let written = preset("bounded-loop-first").with("families", families);
            let (first, _) = answer("cadical", written.clone(), &instance).expect("it is built in");
            let (whole, _) = answer("cadical", written.without("loop-first"), &instance).expect("it is built in");
            assert_eq!(first.status, whole.status, "{families}, {challenge}");
            if first.status == Status::Optimal { solved += 1 } else { unsolved += 1 }
        }
    }
    assert!(solved > 0 && unsolved > 0, "{solved} {unsolved}");
}

#[test]
fn the_time_ends_while_lines_are_laid() {
    let instance = board(Shape::Round, 60, 1);
    let formulation = preset("loop-first").with("fix-and-optimise", false).read().expect("good");
    let backend = backend("cadical").expect("it is built in");
    let (answer, _) = run(backend, &formulation, &instance, &seeded(1), Duration::ZERO);
    assert_eq!(answer.expect("an answer").status, Status::Timeout);
}
