//! The searches of our own: both strategies against exhaustive search and the known counts.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use combinatorics::tantrix::shapes::Shape;
use model::{Formulation, FormulationKind, Holes, Strategy};
use puzzle::tantrix::{BoardType, Colour, Numbering};
use puzzle::{InputError, Instance, Solution, verify};
use solve::search::{End, Explored, Settings, explore};

use crate::common::{bounded, exhaust, instance, regular, tantrix};

/// The strategies for Tantrix.
const TANTRIX: [Strategy; 3] = [Strategy::Walk, Strategy::ShuffledWalk, Strategy::Propagate];

pub const PLAIN: Settings = Settings { seed: 1, restarts: false, sum_check: true, time_limit: None };

fn parsed(challenge: usize, tiles: &str, extra: &str) -> Result<Instance, InputError> {
    let text = format!("kind = \"tantrix-natural\"\nchallenge = {challenge}\ntiles = \"{tiles}\"\n{extra}\n");
    Instance::parse(&text, Path::new("t.toml"))
}

pub fn natural(challenge: usize, tiles: &str, extra: &str) -> Instance {
    parsed(challenge, tiles, extra).expect("a good instance")
}

pub fn formulation(strategy: Strategy, holes: Holes) -> Formulation {
    Formulation::plain("search", FormulationKind::Search)
        .with("strategy", strategy)
        .expect("good")
        .with("holes", holes)
        .expect("good")
}

pub fn first(
    instance: &Instance,
    strategy: Strategy,
    holes: Holes,
    settings: Settings,
) -> (Explored, Option<Solution>) {
    let mut solution = None;
    let mut found = |s: &Solution| {
        solution = Some(s.clone());
        false
    };
    let explored = explore(instance, &formulation(strategy, holes), settings, None, &mut found).expect("makes sense");
    (explored, solution)
}

fn all(instance: &Instance, strategy: Strategy, holes: Holes) -> Vec<Solution> {
    let mut solutions = Vec::new();
    let mut found = |s: &Solution| {
        solutions.push(s.clone());
        true
    };
    let explored = explore(instance, &formulation(strategy, holes), PLAIN, None, &mut found).expect("makes sense");
    assert_eq!(explored.end, End::Exhausted);
    solutions
}

fn distinct(solutions: Vec<Solution>) -> BTreeSet<Vec<(usize, usize, usize)>> {
    let key = |s: Solution| s.placements.iter().map(|p| (p.place, p.tile, p.orientation)).collect();
    solutions.into_iter().map(key).collect()
}

#[test]
fn loops_of_the_open_plane_are_as_many_as_known() {
    for strategy in TANTRIX {
        let count = |n| distinct(all(&natural(n, "distinct", ""), strategy, Holes::Resolve)).len();
        assert_eq!([3, 4, 5, 6].map(count), [2, 2, 4, 8], "{strategy}");
    }
}

#[test]
fn a_walk_has_as_many_loops_in_every_order_of_the_tiles() {
    for holes in [Holes::Report, Holes::Resolve] {
        let count = |strategy| [6, 7, 8].map(|n| distinct(all(&natural(n, "distinct", ""), strategy, holes)).len());
        assert_eq!(count(Strategy::Walk), [8, 36, 84]);
        assert_eq!(count(Strategy::ShuffledWalk), [8, 36, 84]);
    }
}

#[test]
fn boards_have_the_solutions_of_exhaustive_search() {
    let mut boards: Vec<Instance> = Vec::new();
    for shape in [Shape::Round, Shape::Spur, Shape::Blob] {
        for n in 3..=8 {
            for colour in ["red", "blue", "yellow"] {
                boards.push(instance(&shape.places(n, 1), "repeated", &format!("colour = \"{colour}\"")));
            }
        }
    }
    for (kind, size, n) in [(BoardType::A, 7, 4), (BoardType::A, 7, 5), (BoardType::B, 12, 3), (BoardType::A, 7, 6)] {
        boards.extend([Colour::Red, Colour::Yellow].map(|colour| bounded(&regular(kind, size), n, colour)));
    }
    let mut solvable = 0;
    for board in &boards {
        let mut known = Vec::new();
        exhaust(&board.name, tantrix(board), &mut |solution| {
            known.push(solution.clone());
            true
        });
        let known = distinct(known);
        solvable += usize::from(!known.is_empty());
        let holes = if board.puzzle.kind() == puzzle::tantrix::FIXED { Holes::Report } else { Holes::Resolve };
        for strategy in TANTRIX {
            assert_eq!(distinct(all(board, strategy, holes)), known, "{strategy}: {:?}", board.puzzle);
        }
    }
    assert!(solvable > 10 && solvable + 10 < boards.len(), "{solvable} of {}", boards.len());
}

#[test]
fn equal_seeds_give_equal_searches() {
    let places = BoardType::A.places(19, Numbering::Rings).expect("a board");
    let bounded = bounded(&places, 15, Colour::Red);
    for instance in [bounded, natural(12, "distinct", "colour = \"yellow\"")] {
        for seed in [1, 2, 3] {
            let settings = Settings { seed, restarts: true, sum_check: true, time_limit: None };
            let [one, two] = [(); 2].map(|()| first(&instance, Strategy::Propagate, Holes::Resolve, settings));
            assert_eq!(one, two, "seed {seed}");
            assert!(verify(&instance, &one.1.expect("solvable")).violations.is_empty());
        }
    }
}

#[test]
fn no_time_is_no_search() {
    for strategy in TANTRIX {
        let settings = Settings { time_limit: Some(Duration::ZERO), ..PLAIN };
        let (explored, solution) = first(&natural(30, "repeated", ""), strategy, Holes::Report, settings);
        assert_eq!((explored.end, explored.nodes, solution), (End::OutOfTime, 0, None), "{strategy}");
    }
}

#[test]
fn who_looks_on_sees_every_tile_come_and_go() {
    for strategy in TANTRIX {
        let instance = natural(5, "distinct", "");
        let (mut last, mut steps) = (Vec::new(), 0);
        let mut solution = None;
        let mut watch = |step: solve::search::SearchStep<'_>| {
            steps += 1;
            assert_eq!(step.number, steps);
            last = step.placements.to_vec();
        };
        let mut found = |s: &Solution| {
            solution = Some(s.clone());
            false
        };
        let formulation = formulation(strategy, Holes::Report);
        explore(&instance, &formulation, PLAIN, Some(&mut watch), &mut found).expect("makes sense");
        last.sort_by_key(|p| p.place);
        assert_eq!(last, solution.expect("solvable").placements, "{strategy}: the last step shows the solution");
    }
}

#[test]
fn copies_are_not_tried_one_by_one() {
    // Tiles 11 and 12 are tiles 1 and 2 again: of copies only one is tried at a time.
    let instance = natural(12, "repeated", "");
    for strategy in TANTRIX {
        let (explored, solution) = first(&instance, strategy, Holes::Resolve, PLAIN);
        assert_eq!(explored.end, End::Stopped);
        assert!(verify(&instance, &solution.expect("solvable")).violations.is_empty(), "{strategy}");
    }
    let twice = all(&natural(11, "repeated", "colour = \"yellow\""), Strategy::Walk, Holes::Resolve);
    let once: BTreeSet<_> = distinct(twice.clone());
    assert_eq!(once.len(), twice.len(), "no solution comes twice with the same tile 1 in the middle");
}

#[test]
fn more_tiles_than_the_plane_is_held_for_are_refused() {
    for strategy in TANTRIX {
        let formulation = formulation(strategy, Holes::Report);
        let check = |n| formulation.check(&natural(n, "repeated", ""));
        assert!(check(500).is_ok());
        assert!(check(501).expect_err("too many").to_string().contains("501 tiles on the open plane"));
    }
}

#[test]
fn restarts_end_where_there_is_nothing_to_find() {
    let (mut unsolvable, mut took_long) = (0, 0);
    for n in 4..=8 {
        for (tiles, colour) in SETS.into_iter().flat_map(|tiles| COLOURS.map(|colour| (tiles, colour))) {
            let text = format!("colour = \"{colour}\"");
            let Ok(instance) = parsed(n, tiles, &text) else { continue };
            if instance.obstacle().is_none() {
                continue;
            }
            unsolvable += 1;
            let [anew, steady] = [true, false].map(|restarts| {
                let settings = Settings { restarts, ..PLAIN };
                let (explored, solution) = first(&instance, Strategy::Propagate, Holes::Report, settings);
                assert_eq!((explored.end, solution), (End::Exhausted, None), "{n} {tiles} {colour} {restarts}");
                explored.backtracks
            });
            took_long += u32::from(steady > FIRST_PATIENCE && anew > FIRST_PATIENCE);
        }
    }
    assert!(unsolvable > 3 && took_long > 0, "{unsolvable} are unsolvable, {took_long} take more than one beginning");
}

/// Dead ends before the first restart.
const FIRST_PATIENCE: u64 = 500;
const SETS: [&str; 2] = ["distinct", "repeated"];
const COLOURS: [&str; 4] = ["red", "blue", "yellow", "green"];

#[test]
fn large_planes_end_in_time() {
    for (n, holes) in [(300, Holes::Resolve), (500, Holes::Resolve), (500, Holes::Report)] {
        // Without restarts there is only the largest board.
        for restarts in [true, false] {
            let settings =
                Settings { seed: 1, restarts, sum_check: true, time_limit: Some(Duration::from_millis(500)) };
            let start = Instant::now();
            first(&natural(n, "repeated", ""), Strategy::Propagate, holes, settings);
            assert!(start.elapsed() < Duration::from_secs(4), "{n} tiles, {holes}: {:?}", start.elapsed());
        }
    }
}
