//! Boards with places to spare: every formulation finds a solution where exhaustive search finds one, and only there;
//! subloops and holes are cut off.

use combinatorics::tantrix::shapes::Shape;
use model::{Formulation, FormulationKind, Holes, Problem, build_mip};
use puzzle::hex::Axial;
use puzzle::tantrix::{BoardType, Colour};
use puzzle::{Instance, Placement, Solution, verify};
use record::Status;
use solve::{Backend, SolveError, SolveStatus};

use crate::common::{AMPLE, bounded, brute_force, clean, open, problem, regular, to_the_end, watched};
use crate::conformance::answer;
use crate::script::{Reply, Script, optimal};
use crate::subjects::{formulations, is_slow_to_start};

const COLOURS: [Colour; 3] = [Colour::Red, Colour::Blue, Colour::Yellow];
const ON_X: &str = "B1 B3 B45c C5x";
const PRINTED: &str = "B1 B2 B3 B4+B5 C5";

/// Challenges of 3 to 6 in all colours on a board.
fn challenges(places: &[Axial]) -> Vec<Instance> {
    let fits = (3..=6).filter(|&n| n <= places.len());
    fits.flat_map(|n| COLOURS.map(|colour| bounded(places, n, colour))).collect()
}

/// Boards of 3, 7 and 12 places and irregular ones of 10.
fn boards() -> Vec<Vec<Axial>> {
    let regular = [(BoardType::B, 3), (BoardType::A, 7), (BoardType::B, 12)].map(|(kind, size)| regular(kind, size));
    regular.into_iter().chain((0..3).map(|seed| Shape::Blob.places(10, seed))).collect()
}

fn agrees(backend: &dyn Backend, instance: &Instance, formulation: &Formulation) {
    let expected = if brute_force(instance).is_some() { Status::Optimal } else { Status::Infeasible };
    assert_eq!(answer(backend, formulation, instance), expected, "{formulation:?} on {}", instance.canonical());
}

/// Families with subloops and holes cut off.
fn resolving(families: &str) -> Formulation {
    Formulation::of("f", families).expect("good").with("holes", Holes::Resolve).expect("good")
}

/// One of the checks of the conformance suite: what every backend solves fast. Those that take no families are fast
/// enough for all boards.
pub fn agrees_with_brute_force(backend: &dyn Backend) {
    let boards = boards();
    let takes_families = backend.info().kinds.contains(&FormulationKind::Mip);
    let most = if takes_families || is_slow_to_start(backend) { 2 } else { boards.len() };
    for instance in boards.iter().take(most).flat_map(|places| challenges(places)) {
        for formulation in formulations(backend, &instance) {
            agrees(backend, &instance, &formulation);
        }
    }
    for instance in challenges(&boards[0]) {
        if takes_families {
            agrees(backend, &instance, &resolving(PRINTED));
        }
    }
}

#[test]
fn the_boards_are_a_fair_mix() {
    let all: Vec<Instance> = boards().iter().flat_map(|places| challenges(places)).collect();
    let solvable = all.iter().filter(|instance| brute_force(instance).is_some()).count();
    assert!(solvable > 15 && all.len() - solvable > 15, "{solvable} of {}", all.len());
}

#[test]
fn highs_agrees_with_brute_force_on_x() {
    let highs = solve::backend("highs").expect("a backend");
    for instance in boards().iter().flat_map(|places| challenges(places)) {
        agrees(highs, &instance, &resolving(ON_X));
    }
}

/// Slower by far: without two of the irregular boards.
#[test]
fn highs_agrees_with_brute_force_as_printed() {
    let highs = solve::backend("highs").expect("a backend");
    for instance in boards().iter().take(4).flat_map(|places| challenges(places)) {
        agrees(highs, &instance, &resolving(PRINTED));
    }
}

/// Tiles written as place:tile:orientation.
fn lay(instance: &Instance, text: &str) -> Solution {
    let placement = |word: &str| {
        let numbers: Vec<usize> = word.split(':').map(|n| n.parse().expect("a number")).collect();
        Placement { place: numbers[0], tile: numbers[1], orientation: numbers[2] }
    };
    let placements = text.split(' ').map(placement).collect();
    Solution::on_places(&instance.name, placements)
}

/// Ten tiles on twelve places around a hole.
pub fn around_a_hole() -> (Instance, Solution) {
    let instance = bounded(&regular(BoardType::B, 12), 10, Colour::Red);
    let solution = lay(&instance, "2:3:6 4:5:4 5:6:4 6:8:5 7:9:2 8:4:1 9:1:1 10:10:1 11:2:1 12:7:6");
    (instance, solution)
}

/// Eleven tiles on nineteen places, in loops of eight and three.
fn two_loops() -> (Instance, Solution) {
    let instance = bounded(&regular(BoardType::A, 19), 11, Colour::Yellow);
    let solution = lay(&instance, "1:8:2 2:6:2 3:2:5 4:9:3 7:5:3 8:1:3 9:7:6 10:1:2 11:4:5 17:10:5 18:3:4");
    (instance, solution)
}

#[test]
fn holes_are_cut_off_or_reported() {
    let (instance, solution) = around_a_hole();
    let replies = || [optimal(&solution), Reply::Nothing(SolveStatus::Infeasible)];
    let mut script = Script::beside(clean(&instance, ON_X), replies());
    let (answer, iterations) = watched(clean(&instance, ON_X).as_mut(), &mut script);
    assert_eq!((answer.status, answer.reason.as_str(), answer.solution), (Status::Infeasible, "infeasible", None));
    let [first, second] = iterations.as_slice() else { panic!("two solves") };
    assert_eq!((first.solve.holes, first.solve.cuts_added), (Some(1), 1));
    assert!(first.solution.as_ref().expect("a solution").cuts.is_empty());
    assert!(first.solve.constraints.expect("a model") < second.solve.constraints.expect("a model"));

    let mut script = Script::new(&instance, ON_X, replies());
    let answer = to_the_end(problem(&instance, ON_X).as_mut(), &mut script, None).expect("an answer");
    assert_eq!((answer.status, answer.solution), (Status::Optimal, Some(solution)));
    assert_eq!(script.calls(), 1);
}

#[test]
fn a_hole_or_subloop_that_comes_back_ends_the_run() {
    let ((ring, hole), (flat, loops)) = (around_a_hole(), two_loops());
    for families in [ON_X, PRINTED] {
        for (instance, solution, said) in
            [(&ring, &hole, "the constraint against the hole at places ["), (&flat, &loops, "the cut [(")]
        {
            let mut script = Script::beside(clean(instance, families), [optimal(solution), optimal(solution)]);
            match to_the_end(clean(instance, families).as_mut(), &mut script, None) {
                Err(SolveError::CutIgnored { iteration: 1, cut }) => assert!(cut.starts_with(said), "{cut}"),
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn subloops_and_holes_are_cut_off_until_a_solution_is_left() {
    let highs = solve::backend("highs").expect("a backend");
    let (instance, loops) = two_loops();
    let mut problem = clean(&instance, ON_X);
    // As if the first solve had shown these; the solver need not find them itself.
    let separation = problem.separate(&loops);
    assert_eq!((separation.loop_lengths.as_slice(), separation.cuts.len()), (&[8, 3][..], 2));
    let answer = to_the_end(problem.as_mut(), open(highs).as_mut(), Some(AMPLE)).expect("an answer");
    assert_eq!(answer.status, Status::Optimal);
    assert_eq!(verify(&instance, &answer.solution.expect("optimal")).violations, []);
}

/// Of whatever shape the hole may be: with the rows of B6, and with those of B6', which forbid bays too.
#[test]
fn ten_red_tiles_on_twelve_places_enclose_a_hole() {
    let highs = solve::backend("highs").expect("a backend");
    let (instance, _) = around_a_hole();
    let status =
        |problem: &mut dyn Problem| to_the_end(problem, open(highs).as_mut(), Some(AMPLE)).expect("an answer").status;
    assert_eq!(status(problem(&instance, ON_X).as_mut()), Status::Optimal);
    for families in [ON_X, "B1 B3 B45c B6 C5x C7 C8 C9"] {
        assert_eq!(status(clean(&instance, families).as_mut()), Status::Infeasible, "{families}");
    }
    let restricted = Formulation::of("f", "B1 B3 B45c B6'").expect("good").with("holes", Holes::Report).expect("good");
    assert_eq!(status(build_mip(&restricted, &instance).expect("makes sense").as_mut()), Status::Infeasible);
}
