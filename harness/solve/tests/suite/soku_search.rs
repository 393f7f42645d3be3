//! The searches of 3SoKu: against plain enumeration, on larger fields, and what they are asked to honour.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use model::{Formulation, FormulationKind, Strategy};
use puzzle::soku::{Field, Soku, arranged, named, placements, rotated};
use puzzle::{Instance, Placement, Puzzle, Solution, verify};
use solve::search::{End, Explored, Settings, SokuSolver, explore};

const STRATEGIES: [Strategy; 2] = [Strategy::Propagate, Strategy::LeastCapacity];

const STEADY: Settings = Settings { seed: 1, restarts: false, sum_check: true, time_limit: None };

/// Numbers from a seed (splitmix64).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits >> 33) % u64::from(bound)) as u32
    }

    fn shuffled<T>(&mut self, mut list: Vec<T>) -> Vec<T> {
        for place in (1..list.len()).rev() {
            list.swap(place, self.below(place as u32 + 1) as usize);
        }
        list
    }
}

/// Two pyramids of n faces, base to base.
fn bipyramid(n: usize) -> Field {
    let around = |place: usize| format!("Z{}", place % n);
    let face = |corners: [String; 3]| corners.to_vec();
    let upper = (0..n).map(|place| face(["P".to_owned(), around(place), around(place + 1)]));
    let lower = (0..n).map(|place| face(["Q".to_owned(), around(place + 1), around(place)]));
    Field::new(&upper.chain(lower).collect::<Vec<_>>()).expect("a field")
}

fn tiles(numbers: &mut Numbers, count: usize, largest: u32) -> Vec<[u32; 3]> {
    (0..count).map(|_| std::array::from_fn(|_| numbers.below(largest + 1))).collect()
}

/// A game that has a solution: the tiles laid at random give the capacities.
pub fn solvable(field: Field, largest: u32, numbers: &mut Numbers) -> Soku {
    let tiles = tiles(numbers, field.faces().len(), largest);
    let order = numbers.shuffled((0..tiles.len()).collect());
    let mut capacity = vec![0; field.vertices().len()];
    for (corners, tile) in field.faces().iter().zip(order) {
        for (&vertex, weight) in corners.iter().zip(rotated(tiles[tile], numbers.below(3) as usize)) {
            capacity[vertex] += weight;
        }
    }
    Soku { field, capacity, tiles, placed: Vec::new() }
}

fn instance(game: &Soku) -> Instance {
    let text = "kind = \"soku\"\nfield = \"tetrahedron\"\ncapacity = { A = 0, B = 0, C = 0, D = 0 }\n\
                tiles = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]\n";
    let instance = Instance::parse(text, Path::new("game.toml")).expect("a good instance");
    Instance { puzzle: Puzzle::Soku(game.clone()), ..instance }
}

fn formulation(strategy: Strategy) -> Formulation {
    Formulation::plain("search", FormulationKind::Search).with("strategy", strategy).expect("good")
}

/// What lies on each face, for every solution that comes.
fn all(game: &Soku, strategy: Strategy, settings: Settings) -> (Explored, Vec<Vec<[u32; 3]>>) {
    let (instance, mut found) = (instance(game), Vec::new());
    let mut report = |solution: &Solution| {
        let verdict = verify(&instance, solution);
        assert!(verdict.is_valid(), "{strategy}: {:?}", verdict.violations);
        found.push(arranged(game, &solution.placements).into_iter().map(|shown| shown.expect("full")).collect());
        true
    };
    let explored = explore(&instance, &formulation(strategy), settings, None, &mut report).expect("makes sense");
    (explored, found)
}

/// The first solution.
fn first(game: &Soku, strategy: Strategy, settings: Settings) -> (Explored, Option<Solution>) {
    let (instance, mut found) = (instance(game), None);
    let mut report = |solution: &Solution| {
        found = Some(solution.clone());
        false
    };
    let explored = explore(&instance, &formulation(strategy), settings, None, &mut report).expect("makes sense");
    if let Some(solution) = &found {
        assert!(verify(&instance, solution).is_valid(), "{strategy}: {:?}", verify(&instance, solution).violations);
    }
    (explored, found)
}

/// Every way to lay the tiles, one face after the other, with the sums looked at in the end only.
fn enumerated(game: &Soku) -> BTreeSet<Vec<[u32; 3]>> {
    fn lay(game: &Soku, used: &mut Vec<bool>, shown: &mut Vec<[u32; 3]>, found: &mut BTreeSet<Vec<[u32; 3]>>) {
        if shown.len() == game.tiles.len() {
            let mut sums = vec![0; game.capacity.len()];
            for (corners, weights) in game.field.faces().iter().zip(&*shown) {
                corners.iter().zip(weights).for_each(|(&vertex, weight)| sums[vertex] += weight);
            }
            let placed = game
                .placed
                .iter()
                .all(|placed| shown[placed.place - 1] == rotated(game.tiles[placed.tile - 1], placed.orientation));
            if sums == game.capacity && placed {
                found.insert(shown.clone());
            }
            return;
        }
        for tile in 0..game.tiles.len() {
            if !std::mem::replace(&mut used[tile], true) {
                for rotation in 0..3 {
                    shown.push(rotated(game.tiles[tile], rotation));
                    lay(game, used, shown, found);
                    shown.pop();
                }
                used[tile] = false;
            }
        }
    }
    let mut found = BTreeSet::new();
    lay(game, &mut vec![false; game.tiles.len()], &mut Vec::new(), &mut found);
    found
}

/// Small games, solvable or not, with tiles placed or none.
fn small_games() -> Vec<Soku> {
    let mut numbers = Numbers(7);
    let mut games = Vec::new();
    for round in 0..60 {
        let field = match round % 3 {
            0 => named("tetrahedron").expect("a field"),
            _ => bipyramid(3),
        };
        let largest = [1, 3, 9, 500_000_000][round % 4];
        let mut game = solvable(field, largest, &mut numbers);
        if round % 2 == 1 {
            // The totals stay the same, so that nothing refutes the game at once.
            let (from, to) = (numbers.below(4) as usize, numbers.below(4) as usize);
            let by = (1 + numbers.below(largest.min(2))).min(game.capacity[from]);
            game.capacity[from] -= by;
            game.capacity[to] += by;
        }
        if round % 5 == 0 {
            let (face, tile) = (1 + numbers.below(4) as usize, 1 + numbers.below(4) as usize);
            game.placed.push(Placement { place: face, tile, orientation: numbers.below(3) as usize });
        }
        games.push(game);
    }
    games
}

#[test]
fn small_games_have_the_solutions_of_plain_enumeration() {
    let mut solved = 0;
    let games = small_games();
    for game in &games {
        let known = enumerated(game);
        solved += usize::from(!known.is_empty());
        for strategy in STRATEGIES {
            for sum_check in [true, false] {
                let (explored, found) = all(game, strategy, Settings { sum_check, ..STEADY });
                assert_eq!(explored.end, End::Exhausted);
                assert_eq!(found.len(), known.len(), "{strategy}: each solution once: {game:?}");
                assert_eq!(BTreeSet::from_iter(found), known, "{strategy}: {game:?}");
            }
            let (explored, solution) = first(game, strategy, Settings { restarts: true, ..STEADY });
            assert_eq!(solution.is_some(), !known.is_empty(), "{strategy}: {game:?}");
            assert_eq!(explored.end, if known.is_empty() { End::Exhausted } else { End::Stopped });
        }
        if game.placed.is_empty() {
            let options: Vec<[u32; 3]> = game.sorts().options().map(|(_, weights)| weights).collect();
            let mut solver = SokuSolver::new(game, 3).expect("room");
            let shown = solver.solve(&game.capacity).map(|shown| shown.to_vec());
            assert_eq!(shown.is_some(), !known.is_empty());
            let shown = shown.map(|shown| shown.iter().map(|&option| options[usize::from(option)]).collect());
            assert!(shown.is_none_or(|shown: Vec<_>| known.contains(&shown)));
        }
    }
    assert!(solved > 20 && solved + 15 < games.len(), "{solved} of {} have a solution", games.len());
}

#[test]
fn games_of_larger_fields_are_solved() {
    let mut numbers = Numbers(5);
    let octahedron = || named("octahedron").expect("a field");
    let icosahedron = || named("icosahedron").expect("a field");
    let games = [
        solvable(octahedron(), 3, &mut numbers),
        solvable(octahedron(), 20, &mut numbers),
        solvable(icosahedron(), 3, &mut numbers),
        solvable(icosahedron(), 10, &mut numbers),
        solvable(bipyramid(40), 3, &mut numbers),
        // Sets of options of several words, and sums that no table holds.
        solvable(bipyramid(100), 4, &mut numbers),
        solvable(bipyramid(4), 900_000_000, &mut numbers),
    ];
    for game in &games {
        let (explored, solution) = first(game, Strategy::Propagate, Settings { restarts: true, ..STEADY });
        assert_eq!((explored.end, solution.is_some()), (End::Stopped, true), "{} faces", game.tiles.len());
        assert!(explored.nodes >= game.tiles.len() as u64 && explored.nodes > explored.backtracks);
    }
}

#[test]
fn totals_that_differ_refute_a_game_at_once_if_they_are_looked_at() {
    let mut numbers = Numbers(11);
    for _ in 0..5 {
        let mut game = solvable(bipyramid(3), 3, &mut numbers);
        let vertex = (0..5).max_by_key(|&vertex| game.capacity[vertex]).expect("vertices");
        game.capacity[vertex] -= 1;
        for strategy in STRATEGIES {
            let (explored, _) = first(&game, strategy, STEADY);
            assert_eq!((explored.end, explored.nodes), (End::Exhausted, 0));
            let (explored, _) = first(&game, strategy, Settings { sum_check: false, ..STEADY });
            assert_eq!(explored.end, End::Exhausted);
            assert!(explored.nodes > 0, "{strategy} has to search");
        }
        assert_eq!(SokuSolver::new(&game, 1).expect("room").solve(&game.capacity), None);
    }
}

#[test]
fn placed_tiles_stay_where_they_are() {
    let mut numbers = Numbers(13);
    let mut game = solvable(named("icosahedron").expect("a field"), 3, &mut numbers);
    let (_, solution) = first(&game, Strategy::Propagate, STEADY);
    // Half of a solution, by tiles of the highest numbers where several would do.
    let half: Vec<Placement> = solution.expect("solvable").placements.into_iter().step_by(2).collect();
    game.placed = half;
    for strategy in STRATEGIES {
        let (explored, solution) = first(&game, strategy, STEADY);
        let solution = solution.expect("solvable");
        assert_eq!(explored.end, End::Stopped);
        for placed in &game.placed {
            assert!(solution.placements.contains(placed), "{strategy}: {placed:?}");
        }
    }
}

#[test]
fn equal_seeds_give_equal_searches_and_others_differ() {
    let game = solvable(bipyramid(30), 3, &mut Numbers(17));
    let run = |seed| first(&game, Strategy::Propagate, Settings { seed, restarts: true, ..STEADY });
    assert_eq!(run(1), run(1));
    let different: BTreeSet<String> = (1..=4).map(|seed| format!("{:?}", run(seed).1)).collect();
    assert!(different.len() > 1, "seeds change something");
    // So they do where there is but one beginning.
    let small = solvable(named("icosahedron").expect("a field"), 3, &mut Numbers(17));
    let steady = |seed| first(&small, Strategy::Propagate, Settings { seed, restarts: false, ..STEADY });
    let different: BTreeSet<String> = (1..=4).map(|seed| format!("{:?}", steady(seed).1)).collect();
    assert!(different.len() > 1, "seeds change something without restarts");
    let mut solver = SokuSolver::new(&game, 1).expect("room");
    let shown = solver.solve(&game.capacity).expect("solvable").to_vec();
    // Other boards in between change nothing.
    let mut other = game.capacity.clone();
    other.swap(0, 1);
    solver.solve(&other);
    assert_eq!(solver.solve(&game.capacity), Some(shown.as_slice()));
    let options: Vec<[u32; 3]> = game.sorts().options().map(|(_, weights)| weights).collect();
    let weights: Vec<[u32; 3]> = shown.iter().map(|&option| options[usize::from(option)]).collect();
    let solution = Solution::on_faces("game", placements(&game, &weights).expect("tiles of the game"));
    assert!(verify(&instance(&game), &solution).is_valid());
}

#[test]
fn who_looks_on_sees_every_tile_come_and_go() {
    let game = solvable(named("octahedron").expect("a field"), 3, &mut Numbers(19));
    for strategy in STRATEGIES {
        let (mut last, mut steps, mut solution) = (Vec::new(), 0, None);
        let mut watch = |step: solve::search::SearchStep<'_>| {
            assert!(step.placements.len().abs_diff(last.len()) == 1, "one tile at a time");
            (steps, last) = (step.number, step.placements.to_vec());
        };
        let mut found = |found: &Solution| {
            solution = Some(found.clone());
            false
        };
        let explored = explore(&instance(&game), &formulation(strategy), STEADY, Some(&mut watch), &mut found);
        let explored = explored.expect("makes sense");
        assert_eq!(steps, explored.nodes + explored.backtracks);
        assert_eq!(last, solution.expect("solvable").placements, "{strategy}");
    }
}

#[test]
fn no_time_is_no_search() {
    let game = solvable(named("icosahedron").expect("a field"), 3, &mut Numbers(23));
    for strategy in STRATEGIES {
        let (explored, solution) = first(&game, strategy, Settings { time_limit: Some(Duration::ZERO), ..STEADY });
        assert_eq!((explored.end, explored.nodes, solution), (End::OutOfTime, 0, None));
    }
}

/// Tiles with one of these weights each, and as many without, between the two apices of a bipyramid, weights in any corner.
fn to_part(weights: &[u32], upper: u32, numbers: &mut Numbers) -> Soku {
    let n = weights.len().max(3);
    let field = bipyramid(n);
    let mut tiles: Vec<[u32; 3]> = weights.iter().map(|&w| rotated([w, 0, 0], numbers.below(3) as usize)).collect();
    tiles.resize(2 * n, [0; 3]);
    let mut capacity = vec![0; field.vertices().len()];
    capacity[field.vertex("P").expect("an apex")] = upper;
    capacity[field.vertex("Q").expect("an apex")] = weights.iter().sum::<u32>() - upper;
    Soku { field, capacity, tiles: numbers.shuffled(tiles), placed: Vec::new() }
}

#[test]
fn sums_decide_whether_tiles_can_be_parted() {
    let sums = Formulation::plain("f", FormulationKind::Search).with("strategy", Strategy::Sums).expect("good");
    let mut parted = [0, 0];
    for seed in 0..200 {
        let mut numbers = Numbers(seed);
        let weights: Vec<u32> = (0..1 + numbers.below(7)).map(|_| 1 + numbers.below(12)).collect();
        let total: u32 = weights.iter().sum();
        let upper = 1 + numbers.below(total);
        if upper == total {
            continue;
        }
        let some =
            |part: u32| -> u32 { (0..weights.len()).filter(|bit| part >> bit & 1 == 1).map(|bit| weights[bit]).sum() };
        let expected = (0..1 << weights.len()).any(|part| some(part) == upper);
        let instance = instance(&to_part(&weights, upper, &mut numbers));
        let mut solutions = Vec::new();
        let explored = explore(&instance, &sums, STEADY, None, &mut |found| {
            solutions.push(found.clone());
            false
        });
        assert_eq!(explored.expect("fits").end, if expected { End::Stopped } else { End::Exhausted }, "{weights:?}");
        assert_eq!(solutions.len(), usize::from(expected));
        solutions.iter().for_each(|solution| assert_eq!(verify(&instance, solution).violations, []));
        parted[usize::from(expected)] += 1;
    }
    assert!(parted.iter().all(|&count| count > 40), "{parted:?}");
}

#[test]
fn sums_decide_small_games_of_any_form() {
    let sums = || formulation(Strategy::Sums);
    let mut decided = [0, 0];
    for game in small_games() {
        let known = enumerated(&game);
        let mut solution = None;
        let explored = explore(&instance(&game), &sums(), STEADY, None, &mut |found| {
            solution = Some(found.clone());
            false
        });
        match explored {
            Ok(explored) => {
                assert_eq!(explored.end, if known.is_empty() { End::Exhausted } else { End::Stopped }, "{game:?}");
                assert_eq!(solution.is_some(), !known.is_empty(), "{game:?}");
                if let Some(solution) = solution {
                    assert_eq!(verify(&instance(&game), &solution).violations, []);
                }
                decided[usize::from(!known.is_empty())] += 1;
            }
            Err(error) => {
                assert!(game.tiles.iter().flatten().any(|&weight| weight > 9), "{error}");
                assert!(error.to_string().contains("strategy sums: "), "{error}");
            }
        }
    }
    assert!(decided.iter().all(|&count| count > 9), "{decided:?}");
}

#[test]
fn sums_solve_games_with_large_weights() {
    let mut numbers = Numbers(29);
    // All faces in one go; then the last ones after others were filled.
    for field in [named("octahedron").expect("a field"), bipyramid(9), bipyramid(15)] {
        let mut game = solvable(field, 100, &mut numbers);
        for _ in 0..2 {
            let (explored, solution) = first(&game, Strategy::Sums, STEADY);
            let solution = solution.expect("solvable");
            assert_eq!(explored.end, End::Stopped);
            assert!(game.placed.iter().all(|placed| solution.placements.contains(placed)));
            assert_eq!(
                first(&game, Strategy::Sums, STEADY).1.as_ref(),
                Some(&solution),
                "equal seeds, equal solutions"
            );
            // Some of it beforehand.
            game.placed = solution.placements.into_iter().step_by(5).collect();
        }
        let none = Settings { time_limit: Some(Duration::ZERO), ..STEADY };
        assert_eq!(first(&game, Strategy::Sums, none).0.end, End::OutOfTime);
    }
    // All weights even, and a capacity that is odd.
    let mut odd = solvable(bipyramid(20), 50, &mut numbers);
    odd.tiles.iter_mut().flatten().for_each(|weight| *weight *= 2);
    odd.capacity.iter_mut().for_each(|capacity| *capacity *= 2);
    odd.capacity[0] -= 1;
    odd.capacity[1] += 1;
    assert_eq!(first(&odd, Strategy::Sums, STEADY).0.end, End::Exhausted);
}
