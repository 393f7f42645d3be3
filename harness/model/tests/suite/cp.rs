//! Constraint models: sizes, meaning against exhaustive search, values and solutions, what cuts forbid.

use std::collections::HashSet;

use model::cp::Model;
use model::{CutChoice, Formulation, FormulationKeys, FormulationKind, Holes, Problem, Representation, build_cp};
use puzzle::hex::Axial;
use puzzle::tantrix::{Arrangement, BoardType, trace};
use puzzle::{Instance, Placement, Solution, verify};

use crate::common::{COLOURS, Dice, bounded, bounded_distinct, instance, natural, regular, solutions, tantrix};
use crate::scatter::{anything, disturb, loops, several};

fn plain() -> Formulation {
    Formulation::plain("cp", FormulationKind::Cp).with("short-loops", 0).expect("good")
}

fn build(formulation: &Formulation, instance: &Instance) -> Box<dyn Problem<Model>> {
    build_cp(formulation, instance).expect("fits")
}

/// What a solution breaks, by families, each once.
fn broken(problem: &dyn Problem<Model>, solution: &Solution) -> HashSet<&'static str> {
    let (model, values) = (problem.model(), problem.encode(solution));
    model.constraints().iter().filter(|c| !model.satisfied(c, &values)).map(|c| c.family).collect()
}

/// Boards that exhaustive search goes through at once: full ones and ones with room.
fn boards() -> Vec<Instance> {
    let full = [(BoardType::A, 7), (BoardType::B, 3)].map(|(kind, size)| instance(&regular(kind, size), ""));
    let sparse = COLOURS.map(|colour| bounded(&regular(BoardType::A, 7), 6, colour));
    full.into_iter().chain(sparse).collect()
}

#[test]
fn a_board_of_seven_has_so_many_variables_and_constraints() {
    // 7 states, 7 sorts, 12 touching edges.
    let problem = build(&plain(), &instance(&regular(BoardType::A, 7), ""));
    let model = problem.model();
    assert_eq!(model.variables().len(), 7 + 7 + 12);
    let of = |family| model.constraints().iter().filter(|c| c.family == family).count();
    assert_eq!((of("tiles"), of("edges"), of("counts")), (7, 24, 7));
    assert_eq!(model.constraints().len(), 7 + 24 + 7);
    assert_eq!(model.variables()[0].upper, 7 * 6);
    assert_eq!(model.size().nonzeros, 2 * 7 + 2 * 24 + 7 * 7);
    // Loops of 3 to 6 places on a wheel: round the hub over 1 to 4 of the 6 gaps, and the rim.
    let short = build(&plain().with("short-loops", 6).expect("good"), &instance(&regular(BoardType::A, 7), ""));
    assert_eq!(short.model().constraints().len() - model.constraints().len(), 4 * 6 + 1);
}

#[test]
fn every_solution_satisfies_the_model_and_comes_back_from_its_values() {
    for instance in boards() {
        for subloops in ["resolve", "propagate"] {
            let room = instance.puzzle.kind() == puzzle::tantrix::BOUNDED;
            let around: &[_] = if room { &[("around-empty", "5")] } else { &[] };
            let keys = [&[("subloops", subloops), ("short-loops", "6")], around].concat();
            let formulation = FormulationKeys::new("cp", FormulationKind::Cp, &keys).read().expect("good");
            let problem = build(&formulation, &instance);
            for solution in solutions(&instance) {
                let values = problem.encode(&solution);
                assert_eq!(problem.model().broken_by(&values), Vec::<String>::new());
                let back = problem.decode(&values).expect("values of the model");
                assert_eq!(verify(&instance, &back).violations, []);
                assert_eq!(problem.encode(&back), values);
            }
        }
    }
}

/// Of arrangements of any kind exactly those satisfy the model that break no rule but those of the loop and the hole.
#[test]
fn the_model_says_what_the_rules_say() {
    let mut dice = Dice(7);
    let (mut good, mut bad) = (0, 0);
    for instance in boards().into_iter().chain([bounded_distinct(&regular(BoardType::A, 19), 16, COLOURS[0])]) {
        let problem = build(&plain(), &instance);
        let some: Vec<Solution> = if tantrix(&instance).board.len() < 10 { solutions(&instance) } else { Vec::new() };
        for round in 0..300 {
            let solution = match some.get(round % some.len().max(1)) {
                Some(solution) if round % 3 == 0 => solution.clone(),
                Some(solution) if round % 3 == 1 => disturb(&instance, solution.clone(), &mut dice),
                _ => anything(&instance, &mut dice),
            };
            let violations = verify(&instance, &solution).violations;
            let allowed = violations.iter().all(|v| [puzzle::Rule::SingleLoop, puzzle::Rule::NoHole].contains(&v.rule));
            assert_eq!(broken(problem.as_ref(), &solution).is_empty(), allowed, "{violations:?}");
            *(if allowed { &mut good } else { &mut bad }) += 1;
        }
    }
    assert!(good > 100 && bad > 100, "{good} and {bad}");
}

#[test]
fn short_loops_are_forbidden_and_no_others() {
    let instance = bounded(&regular(BoardType::A, 19), 15, COLOURS[0]);
    let problem = build(&plain().with("short-loops", 6).expect("good"), &instance);
    let puzzle = tantrix(&instance);
    let mut dice = Dice(3);
    let (mut with, mut without) = (0, 0);
    for _ in 0..2000 {
        let laid = loops(&instance, 2, &mut dice);
        let lying = Arrangement::new(&puzzle.board, &puzzle.tiles, &laid.placements);
        let lines = trace(&puzzle.board, &lying, puzzle.colour);
        if lines.open.is_empty() {
            let short = lines.loops.iter().any(|course| course.len() <= 6);
            assert_eq!(broken(problem.as_ref(), &laid).contains("short loops"), short);
            *(if short { &mut with } else { &mut without }) += 1;
        }
    }
    assert!(with > 50 && without > 50, "{with} and {without}");
}

/// A ring of six tiles round an empty place, whatever its colours.
fn ring() -> (Instance, Solution) {
    let instance = bounded(&regular(BoardType::A, 7), 6, COLOURS[0]);
    let board = &tantrix(&instance).board;
    let hub = board.numbers().find(|&j| board.inner_edges(j).count() == 6).expect("a hub");
    let rim = board.numbers().filter(|&j| j != hub);
    let placements = rim.zip(1..).map(|(place, tile)| Placement { place, tile, orientation: 1 }).collect();
    let solution = Solution::on_places(&instance.name, placements);
    (instance, solution)
}

#[test]
fn a_ring_of_tiles_round_an_empty_place_is_forbidden_in_advance_or_cut_off() {
    let (instance, mut ring) = ring();
    for most in [5, 4, 3] {
        let problem = build(&plain().with("around-empty", most).expect("good"), &instance);
        assert!(broken(problem.as_ref(), &ring).contains("around empty"));
    }
    let mut cutting = build(&plain().with("holes", Holes::Resolve).expect("good"), &instance);
    assert_eq!(cutting.forbidden_by(&ring), None);
    assert_eq!(cutting.separate(&ring).holes_cut_off, 1);
    assert!(broken(cutting.as_ref(), &ring).contains("holes"));
    assert!(cutting.forbidden_by(&ring).is_some_and(|what| what.contains("hole")));
    for most in [5, 4] {
        ring.placements.pop();
        let limited = build(&plain().with("around-empty", most).expect("good"), &instance);
        let around = ring.placements.len();
        assert_eq!(broken(limited.as_ref(), &ring).contains("around empty"), around > most);
        assert_eq!(cutting.separate(&ring).holes, 0);
    }
}

#[test]
fn cuts_forbid_the_subloops_they_are_drawn_against_and_no_solution() {
    let instance = bounded(&regular(BoardType::B, 12), 8, COLOURS[1]);
    let all = solutions(&bounded(&regular(BoardType::A, 7), 6, COLOURS[0]));
    for cuts in [CutChoice::Loop, CutChoice::Each, CutChoice::Smallest, CutChoice::Region] {
        let mut problem = build(&plain().with("cuts", cuts).expect("good"), &instance);
        let mut dice = Dice(5);
        for _ in 0..20 {
            let shown = several(&instance, 8, &mut dice);
            if problem.forbidden_by(&shown).is_some() {
                continue;
            }
            let before = problem.model().constraints().len();
            let separation = problem.separate(&shown);
            assert!(separation.cut_off() > 0 && separation.loop_lengths.len() > 1);
            assert!(problem.model().constraints().len() > before);
            let family = if cuts == CutChoice::Loop { "loops" } else { "crossings" };
            assert!(broken(problem.as_ref(), &shown).contains(family), "{cuts}");
            assert!(problem.forbidden_by(&shown).is_some(), "{cuts}");
        }
        // One loop through eight places is cut by none of these.
        let one = (0..20_000).map(|_| loops(&instance, 1, &mut dice));
        let one = one.filter(|laid| laid.placements.len() == 8 && is_one_loop(&instance, laid)).take(20);
        let mut found = 0;
        for laid in one {
            found += 1;
            assert_eq!(problem.forbidden_by(&laid), None, "{cuts}");
            assert!(broken(problem.as_ref(), &laid).is_disjoint(&HashSet::from(["loops", "crossings"])), "{cuts}");
        }
        assert!(found > 0);
    }
    // And a loop alone is never cut.
    for solution in all {
        let instance = bounded(&regular(BoardType::A, 7), 6, COLOURS[0]);
        assert_eq!(build(&plain(), &instance).separate(&solution).cut_off(), 0);
    }
}

/// As with clauses, on the same board: a loop that is no solution is none anywhere else.
#[test]
fn a_loop_is_forbidden_wherever_it_can_lie() {
    let instance = bounded(&regular(BoardType::A, 37), 20, COLOURS[0]);
    let puzzle = tantrix(&instance);
    let at = |q, r| puzzle.board.number(Axial { q, r }).expect("on the board");
    let mut problem = build(&plain().with("cuts", CutChoice::Loop).expect("good"), &instance);
    let lay = |courses: [&[usize]; 2]| {
        let lay = |course: &[usize]| crate::scatter::lay(puzzle, course, &mut Dice(1)).expect("tiles with such lines");
        let mut placements: Vec<_> = courses.into_iter().flat_map(lay).collect();
        placements.sort_by_key(|p| p.place);
        crate::scatter::solution(&instance, placements)
    };
    let shown = lay([&[at(0, 0), at(1, 0), at(1, 1), at(0, 1)], &[at(-2, 0), at(-1, -1), at(-2, -1)]]);
    let elsewhere = lay([&[at(-2, 0), at(-1, 0), at(-1, 1), at(-2, 1)], &[at(2, 0), at(2, 1), at(1, 1)]]);
    assert_eq!((problem.forbidden_by(&shown), problem.forbidden_by(&elsewhere)), (None, None));
    let before = problem.model().constraints().len();
    assert_eq!(problem.separate(&shown).loop_lengths, [4, 3]);
    // The triangles of the board, and the pairs of them with a common edge.
    assert_eq!(problem.model().constraints().len() - before, 54 + 72);
    for laid in [shown, elsewhere] {
        assert!(problem.forbidden_by(&laid).is_some_and(|by| by.starts_with("the clauses against the loop")));
        assert!(broken(problem.as_ref(), &laid).contains("loops"));
    }
}

fn is_one_loop(instance: &Instance, laid: &Solution) -> bool {
    let puzzle = tantrix(instance);
    let lying = Arrangement::new(&puzzle.board, &puzzle.tiles, &laid.placements);
    let lines = trace(&puzzle.board, &lying, puzzle.colour);
    lines.open.is_empty() && lines.loops.len() == 1
}

#[test]
fn boards_of_the_open_plane_grow_until_the_last() {
    let mut problem = build(&plain(), &natural(8));
    let mut sizes = vec![problem.model().size().variables];
    while problem.enlarge().expect("small boards") {
        sizes.push(problem.model().size().variables);
    }
    assert!(sizes.len() > 1 && sizes.windows(2).all(|pair| pair[0] < pair[1]), "{sizes:?}");
}

#[test]
fn too_many_short_loops_are_refused_and_other_kinds_too() {
    let large = instance(&regular(BoardType::A, 1027), "");
    let refused = build_cp(&plain().with("short-loops", 12).expect("good"), &large).err();
    let is_right = |text: &str| text.ends_with("choose short-loops = 10 or less");
    assert!(matches!(&refused, Some(model::ModelError::Impossible(text)) if is_right(text)), "{refused:?}");
    assert!(build_cp(&Formulation::of("f", "C1 C2' C4c").expect("good"), &large).is_err());
}

#[test]
fn values_of_another_number_are_refused() {
    let problem = build(&plain(), &instance(&regular(BoardType::A, 7), ""));
    assert!(problem.decode(&[1, 2, 3]).is_err());
    let nothing = vec![0; problem.model().variables().len()];
    assert!(problem.model().broken_by(&nothing).len() >= problem.model().variables().len());
}

#[test]
fn sums_of_values_are_checked() {
    let mut model = Model::default();
    let (a, b) = (model.add_variable("a".to_owned(), 0, 2), model.add_variable("b".to_owned(), -1, 1));
    model.add_linear("l", vec![(3, a), (-1, b)], -1, 4);
    let broken = |a, b| model.broken_by(&[a, b]).iter().any(|broken| broken.ends_with("(l)"));
    assert_eq!(
        [(0, 0), (0, 1), (1, -1), (2, -1), (2, 1)].map(|(a, b)| broken(a, b)),
        [false, false, false, true, true]
    );
}
