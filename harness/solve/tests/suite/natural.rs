//! The natural setting: the board grows while it turns out too small, and no further than it can matter.

use model::default_preset;
use puzzle::tantrix::{Colour, NATURAL};
use puzzle::{Instance, Solution, verify};
use record::Status;
use solve::{Iteration, SolveStatus};

use crate::bounded::around_a_hole;
use crate::common::{bounded, brute_force, clean, natural, open, problem, regular, tantrix, watched};
use crate::script::{Reply, Script};

const ON_X: &str = "B1 B3 B45c C5x";

/// Places of the board of each solve, before any cut adds variables: 6 x for each place and sort.
fn places(iterations: &[Iteration], challenge: usize) -> Vec<usize> {
    iterations
        .iter()
        .map(|iteration| {
            usize::try_from(iteration.solve.variables.expect("a model")).expect("few") / (6 * challenge.min(10))
        })
        .collect()
}

fn infeasible(times: usize) -> Vec<Reply> {
    (0..times).map(|_| Reply::Nothing(SolveStatus::Infeasible)).collect()
}

#[test]
fn small_challenges_are_solved() {
    let highs = solve::backend("highs").expect("a backend");
    for (n, families) in [(3, ON_X), (4, ON_X), (5, ON_X), (6, ON_X), (3, "B1 B2 B3 B4+B5 C5"), (5, "B1 B3 B4 B5 C5")] {
        let instance = natural(n);
        let (answer, _) = watched(clean(&instance, families).as_mut(), open(highs).as_mut());
        assert_eq!((answer.status, answer.reason.as_str()), (Status::Optimal, "solved"));
        assert_eq!(verify(&instance, &answer.solution.expect("optimal")).violations, [], "{n} {families}");
    }
}

/// Twelve places hold no solution of ten red tiles without a hole; nineteen do.
#[test]
fn a_board_that_is_too_small_gives_way_to_the_next() {
    let highs = solve::backend("highs").expect("a backend");
    let instance = natural(10);
    let default = default_preset(NATURAL, model::FormulationKind::Mip).expect("one").read().expect("good");
    let mut problem = model::build_mip(&default, &instance).expect("makes sense");
    let (answer, iterations) = watched(problem.as_mut(), open(highs).as_mut());
    assert_eq!((answer.status, answer.reason.as_str()), (Status::Optimal, "solved"));
    assert_eq!(verify(&instance, &answer.solution.expect("optimal")).violations, []);
    let statuses: Vec<_> = iterations.iter().map(|i| i.solve.status).collect();
    assert_eq!(statuses.iter().filter(|&&status| status == SolveStatus::Infeasible).count(), 1, "{statuses:?}");
    let indices: Vec<u64> = iterations.iter().map(|i| i.solve.iteration).collect();
    assert_eq!(indices, (0..iterations.len() as u64).collect::<Vec<_>>());
    assert_eq!(places(&iterations[..1], 10), [12]);
    assert_eq!(places(&iterations[iterations.len() - 1..], 10), [19]);
}

#[test]
fn infeasible_everywhere_is_infeasible_after_the_last_board() {
    for (n, sizes) in [(3, vec![7]), (5, vec![7, 12, 19]), (8, vec![12, 19]), (10, vec![12, 19, 27, 37])] {
        let instance = natural(n);
        let mut script = Script::new(&instance, ON_X, infeasible(sizes.len()));
        let (answer, iterations) = watched(problem(&instance, ON_X).as_mut(), &mut script);
        assert_eq!((answer.status, answer.reason.as_str(), answer.solution), (Status::Infeasible, "infeasible", None));
        assert_eq!(places(&iterations, n), sizes, "challenge {n}");
        assert_eq!(script.calls(), sizes.len());
    }
}

#[test]
fn only_infeasible_makes_the_board_grow() {
    let instance = natural(5);
    for (status, reason) in [
        (SolveStatus::Timeout, "soft-limit"),
        (SolveStatus::Limit, "solver-limit"),
        (SolveStatus::Memout, "solver-limit"),
    ] {
        let replies = infeasible(1).into_iter().chain([Reply::Nothing(status)]);
        let mut script = Script::new(&instance, ON_X, replies);
        let (answer, iterations) = watched(problem(&instance, ON_X).as_mut(), &mut script);
        assert_eq!((answer.status, answer.reason.as_str()), (status.into(), reason));
        assert_eq!(places(&iterations, 5), [7, 12]);
    }
}

/// By ring numbers.
fn on_plane(flat: &Instance, mut solution: Solution) -> Solution {
    let board = &tantrix(flat).board;
    solution.placements.iter_mut().for_each(|p| p.place = board.at(p.place).ring_number());
    solution.placements.sort_by_key(|p| p.place);
    solution
}

#[test]
fn cuts_stay_with_their_board() {
    let instance = natural(10);
    let (flat, hole) = around_a_hole();
    let hole = on_plane(&flat, hole);
    // The same hole again on the larger board: the row against it went with the smaller one.
    let replies = [
        Reply::Solution(SolveStatus::Optimal, hole.clone()),
        Reply::Nothing(SolveStatus::Infeasible),
        Reply::Solution(SolveStatus::Optimal, hole.clone()),
        Reply::Nothing(SolveStatus::Timeout),
    ];
    let mut script = Script::beside(clean(&instance, ON_X), replies);
    let (answer, iterations) = watched(clean(&instance, ON_X).as_mut(), &mut script);
    assert_eq!(answer.status, Status::Timeout);
    assert_eq!(iterations[0].solution.as_ref(), Some(&hole));
    assert_eq!((places(&iterations[..1], 10), places(&iterations[2..3], 10)), (vec![12], vec![19]));
    for iteration in [&iterations[0], &iterations[2]] {
        assert_eq!((iteration.solve.holes, iteration.solve.cuts_added), (Some(1), 1));
    }
}

#[test]
fn a_solution_on_a_grown_board_ends_the_run() {
    let instance = natural(5);
    let flat = bounded(&regular(puzzle::tantrix::BoardType::B, 12), 5, Colour::Red);
    let solution = on_plane(&flat, brute_force(&flat).expect("there is one"));
    let replies = infeasible(1).into_iter().chain([Reply::Solution(SolveStatus::Optimal, solution.clone())]);
    let (answer, iterations) = watched(problem(&instance, ON_X).as_mut(), &mut Script::new(&instance, ON_X, replies));
    assert_eq!((answer.status, answer.solution), (Status::Optimal, Some(solution)));
    assert_eq!(places(&iterations, 5), [7, 12]);
}
