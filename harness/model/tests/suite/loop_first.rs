//! Loop first: designated lines that tiles are to follow or to avoid, and formulations that make no sense with it.

use combinatorics::tantrix::shapes::Shape;
use model::{FormulationKeys, FormulationKind, Problem};
use puzzle::tantrix::{BoardType, Colour, Line};
use puzzle::{Instance, Puzzle, Solution};

use crate::common::{bounded, instance, natural, problem, regular, solutions};

/// The designated lines of a solution.
fn lines(instance: &Instance, solution: &Solution) -> Vec<(usize, Line)> {
    match &instance.puzzle {
        Puzzle::TantrixFixed(board) | Puzzle::TantrixBounded(board) => board.lines_of(&solution.placements),
        _ => panic!("no board"),
    }
}

fn holds(problem: &dyn Problem, solution: &Solution) -> bool {
    problem.model().broken(&problem.encode(solution), 1e-6).is_empty()
}

/// A fixed and a bounded board with solutions of several loops.
fn boards() -> [(Instance, &'static str, Vec<Solution>); 2] {
    let fixed = (0..).map(|seed| instance(&Shape::Blob.places(9, seed), ""));
    let sparse = [bounded(&regular(BoardType::B, 12), 8, Colour::Blue)];
    let several = |board: Instance, families| {
        let all = solutions(&board);
        let loops: std::collections::HashSet<_> = all.iter().map(|solution| lines(&board, solution)).collect();
        (loops.len() > 1).then_some((board, families, all))
    };
    let fixed = fixed.filter_map(|board| several(board, "C1 C2' C4c C5x C6x")).next().expect("one of them");
    let sparse = sparse.into_iter().find_map(|board| several(board, "B1 B3 B45c C5x C7")).expect("this one");
    [fixed, sparse]
}

#[test]
fn what_follows_lines_has_these_lines_and_what_avoids_them_others() {
    for (board, families, all) in boards() {
        let (mut following, mut avoiding) = (problem(&board, families), problem(&board, families));
        let mut avoided = Vec::new();
        for chosen in all.iter().step_by(all.len().div_ceil(6)) {
            let laid = lines(&board, chosen);
            following.follow(&laid);
            avoiding.avoid(&laid);
            avoided.push(laid.clone());
            for solution in &all {
                let own = lines(&board, solution);
                assert_eq!(holds(following.as_ref(), solution), own == laid, "{families}");
                assert_eq!(holds(avoiding.as_ref(), solution), !avoided.contains(&own), "{families}");
            }
        }
    }
}

/// A part of the lines is avoided wherever all of it lies.
#[test]
fn some_lines_are_avoided_together() {
    for (board, families, all) in boards() {
        let part = lines(&board, &all[0])[..3].to_vec();
        let mut avoiding = problem(&board, families);
        avoiding.avoid(&part);
        for solution in &all {
            let own = lines(&board, solution);
            let has_all = part.iter().all(|line| own.contains(line));
            assert_eq!(holds(avoiding.as_ref(), solution), !has_all, "{families}");
        }
    }
}

/// Every solution is one of the puzzle of its lines.
#[test]
fn solutions_are_solutions_of_the_puzzle_of_the_lines() {
    for (board, families, all) in boards() {
        let lines_alone = match board.puzzle.clone() {
            Puzzle::TantrixFixed(whole) => Puzzle::TantrixFixed(whole.lines()),
            Puzzle::TantrixBounded(whole) => Puzzle::TantrixBounded(whole.lines()),
            _ => panic!("no board"),
        };
        let of_lines = Instance { puzzle: lines_alone, ..board.clone() };
        let problem = problem(&of_lines, families);
        let (Puzzle::TantrixFixed(puzzle) | Puzzle::TantrixBounded(puzzle)) = &of_lines.puzzle else { panic!() };
        for solution in &all {
            let own = lines(&board, solution);
            let placements = solution.placements.iter().zip(&own).map(|(placement, &(_, line))| {
                let sorts = (1..=puzzle.tiles.sorts.len()).flat_map(|tile| (1..=6).map(move |k| (tile, k)));
                let has_line = |&(tile, k): &(usize, usize)| {
                    puzzle.tiles.sorts[tile - 1].tile.line(k, puzzle.colour) == Some(line)
                };
                let (tile, orientation) = sorts.into_iter().find(has_line).expect("a tile with this line");
                puzzle::Placement { tile, orientation, ..*placement }
            });
            let laid = Solution { placements: placements.collect(), ..solution.clone() };
            assert!(holds(problem.as_ref(), &laid), "{families}");
        }
    }
}

#[test]
fn formulations_that_make_no_sense_with_the_loop_first_are_refused_with_the_reason() {
    let board = instance(&Shape::Round.places(12, 1), "");
    let keys = |others: &[(&str, &str)]| {
        let own = [("families", "C1 C2' C4c C5x"), ("objective", "none"), ("loop-first", "true")];
        FormulationKeys::new("f", FormulationKind::Mip, &[&own, others].concat())
    };
    let refusal = |written: FormulationKeys, instance| {
        written.read().and_then(|formulation| formulation.check(instance)).expect_err("makes no sense").to_string()
    };
    keys(&[]).read().expect("good").check(&board).expect("fits");
    for (written, reason) in [
        (keys(&[]).without("objective"), "its objective has to be none"),
        (keys(&[("objective", "weighted")]), "its objective has to be none"),
        (keys(&[("start", "hint")]), "leave start out"),
        (keys(&[("subloops", "lazy")]), "leave one of them out"),
        (keys(&[("loop-first", "yes")]), "it is true or false"),
    ] {
        let text = refusal(written, &board);
        assert!(text.contains(reason), "{text}");
    }
    let on_room = keys(&[("families", "B1 B3 B45c C5x")]);
    on_room.clone().read().expect("good").check(&bounded(&regular(BoardType::B, 12), 8, Colour::Blue)).expect("fits");
    assert!(refusal(on_room.clone(), &natural(12)).contains("loop-first is for fixed and bounded boards"));
    on_room.with("loop-first", false).read().expect("good").check(&natural(12)).expect("says nothing");
}
