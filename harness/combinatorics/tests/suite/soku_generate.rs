//! Generated games of 3SoKu: what is known of them is so, and the same recipe gives the same game.

use std::path::Path;

use combinatorics::soku::generate::{Generated, Numbers, Recipe, Weights, half, is_searched, partition};
use proptest::prelude::*;
use puzzle::soku::{Soku, arranged, rotated};
use puzzle::{Instance, Known, Puzzle, Solution, verify};

fn weights(greatest: u32) -> Weights {
    Weights { greatest, multiple: 1, sorts: None }
}

/// Makes a game, reads its text back and checks its solution by the rules.
fn made(recipe: &Recipe) -> (Generated, String) {
    let (made, text) = recipe.text().expect("a game");
    let instance = Instance::parse(&text, Path::new("g.toml")).expect("an instance");
    assert_eq!((instance.known, instance.puzzle), (made.known, Puzzle::Soku(made.game.clone())), "{text}");
    assert!(instance.source.contains(&format!("tilebench generate soku {recipe};")), "{}", instance.source);
    let instance = Instance::parse(&text, Path::new("g.toml")).expect("an instance");
    match &made.solution {
        Some(placements) => {
            assert_eq!(verify(&instance, &Solution::on_faces("g", placements.clone())).violations, []);
            assert_eq!(made.known, Known::Solvable);
        }
        None => assert_ne!(made.known, Known::Solvable),
    }
    assert_eq!(recipe.text().expect("the same").1, text);
    (made, text)
}

/// Whether a game has a solution, by laying every tile in every rotation on one face after the other.
fn is_solvable(game: &Soku) -> bool {
    fn lay(game: &Soku, face: usize, used: &mut [bool], left: &mut [i64]) -> bool {
        let Some(&corners) = game.field.faces().get(face) else { return left.iter().all(|&left| left == 0) };
        let placed = game.placed.iter().find(|placed| placed.place == face + 1);
        for tile in 0..used.len() {
            let elsewhere = placed.is_some_and(|placed| placed.tile != tile + 1);
            let twin = (0..tile).any(|other| !used[other] && game.tiles[other] == game.tiles[tile]);
            if used[tile] || elsewhere || (twin && game.placed.is_empty()) {
                continue;
            }
            for rotation in 0..3 {
                if placed.is_some_and(|placed| placed.orientation != rotation) {
                    continue;
                }
                let shown = rotated(game.tiles[tile], rotation);
                let mut fits = true;
                for (vertex, weight) in corners.into_iter().zip(shown) {
                    left[vertex] -= i64::from(weight);
                    fits &= left[vertex] >= 0;
                }
                used[tile] = true;
                let found = fits && lay(game, face + 1, used, left);
                used[tile] = false;
                for (vertex, weight) in corners.into_iter().zip(shown) {
                    left[vertex] += i64::from(weight);
                }
                if found {
                    return true;
                }
            }
        }
        false
    }
    let mut left: Vec<i64> = game.capacity.iter().map(|&capacity| i64::from(capacity)).collect();
    lay(game, 0, &mut vec![false; game.tiles.len()], &mut left)
}

#[test]
fn random_games_have_the_capacities_of_icosoku_and_a_solution() {
    let mut boards = std::collections::HashSet::new();
    for seed in 1..=20 {
        let (made, text) = made(&Recipe::Random { seed });
        let mut capacity = made.game.capacity.clone();
        assert!(boards.insert(capacity.clone()), "seed {seed} gives an earlier board");
        capacity.sort_unstable();
        assert_eq!(capacity, (1..=12).collect::<Vec<u32>>());
        assert!(text.contains("tiles = \"icosoku\"") && text.contains("field = \"icosahedron\""), "{text}");
        assert!(made.solution.is_some());
    }
}

#[test]
fn solvable_games_are_solvable_on_every_field() {
    for field in ["tetrahedron", "octahedron", "icosahedron", "bipyramid-3", "bipyramid-30", "geodesic-2", "geodesic-4"]
    {
        for (greatest, multiple, sorts) in
            [(0, 1, None), (3, 1, None), (3, 1, Some(4)), (100, 7, None), (9, 3, Some(1))]
        {
            let weights = Weights { greatest, multiple, sorts };
            let (made, _) = made(&Recipe::Solvable { field: field.to_owned(), weights, seed: 5 });
            assert!(made.solution.is_some());
            let drawn = made.game.tiles.iter().flatten();
            assert!(drawn.clone().all(|&weight| weight <= greatest && weight % multiple == 0));
            let faces = made.game.field.faces().len();
            assert!(faces < 8 || greatest == 0 || drawn.max() > Some(&0), "{field}: nothing but empty tiles");
            let kinds = made.game.sorts().all().len();
            assert!(sorts.is_none_or(|sorts| kinds <= sorts), "{field}: {kinds} sorts");
        }
    }
}

#[test]
fn unsat_games_lower_one_capacity_of_a_game_with_the_placed_tiles() {
    for seed in 1..=5 {
        let (random, _) = made(&Recipe::Random { seed });
        let placed = |placed| made(&Recipe::Unsat { placed, seed }).0.game;
        let solution = random.solution.expect("a solution");
        let mut lower = Vec::new();
        for k in [0, 2, 4, 6, 20] {
            let game = placed(k);
            assert_eq!(game.placed.len(), k);
            assert!(game.placed.iter().all(|placed| solution.contains(placed)), "as in a solution");
            assert!(lower.iter().all(|earlier| game.placed.contains(earlier)), "more tiles, and the earlier ones");
            lower.clone_from(&game.placed);
            let changes: Vec<i64> = (game.capacity.iter().zip(&random.game.capacity))
                .map(|(&after, &before)| i64::from(after) - i64::from(before))
                .filter(|&change| change != 0)
                .collect();
            assert_eq!(changes, [-1]);
            assert!(game.obstacle().expect("the totals differ").contains("78"));
        }
    }
    let error = Recipe::Unsat { placed: 21, seed: 1 }.make().expect_err("too many");
    assert_eq!((error.field.as_str(), error.reason.as_str()), ("placed", "21; there are 20 tiles"));
}

#[test]
fn shifted_games_keep_the_total_and_are_unsolvable_where_they_say_so() {
    let mut solvable = 0;
    for seed in 1..=40 {
        for (field, weights) in [
            ("tetrahedron", weights(9)),
            ("bipyramid-3", weights(2)),
            ("tetrahedron", Weights { greatest: 9, multiple: 3, sorts: None }),
        ] {
            let recipe = Recipe::Shifted { field: field.to_owned(), weights: weights.clone(), seed };
            let (shifted, _) = made(&recipe);
            let source = Recipe::Solvable { field: field.to_owned(), weights: weights.clone(), seed };
            let (source, _) = made(&source);
            assert_eq!(shifted.game.obstacle(), None);
            assert_eq!(shifted.game.tiles, source.game.tiles);
            let mut changes: Vec<i64> = (shifted.game.capacity.iter().zip(&source.game.capacity))
                .map(|(&after, &before)| i64::from(after) - i64::from(before))
                .filter(|&change| change != 0)
                .collect();
            changes.sort_unstable();
            assert_eq!(changes, [-1, 1]);
            let answer = is_solvable(&shifted.game);
            assert_eq!(shifted.known, if answer { Known::Solvable } else { Known::Unsolvable });
            solvable += usize::from(answer);
        }
    }
    assert!(
        (1..80).contains(&solvable),
        "{solvable} of 80 games with any weights can be solved; some can, some cannot"
    );
}

#[test]
fn partition_says_what_trying_every_arrangement_says() {
    let mut seen = [0, 0];
    for seed in 0..30 {
        for (size, greatest) in [(3, 6), (4, 9)] {
            let numbers = Numbers::Random { size, greatest, seed };
            let (made, _) = made(&Recipe::Partition(numbers));
            assert_ne!(made.known, Known::Unknown);
            assert_eq!(is_solvable(&made.game), made.known == Known::Solvable);
            assert_eq!(made.game.obstacle(), None, "the totals say nothing");
            seen[usize::from(made.known == Known::Solvable)] += 1;
        }
    }
    assert!(seen[0] > 0 && seen[1] > 0);
}

#[test]
fn partition_follows_the_lemma() {
    let (made, text) = made(&Recipe::Partition(Numbers::Listed(vec![3, 1, 2, 2])));
    assert_eq!((made.field.as_str(), made.known), ("bipyramid-4", Known::Solvable));
    assert_eq!(made.game.tiles, [[3, 0, 0], [1, 0, 0], [2, 0, 0], [2, 0, 0], [0; 3], [0; 3], [0; 3], [0; 3]]);
    assert_eq!(made.game.capacity, [4, 4, 0, 0, 0, 0]);
    assert!(text.contains("generate soku partition --numbers 3,1,2,2;"));
    let shown = arranged(&made.game, &made.solution.expect("a solution"));
    let sum = |faces: std::ops::Range<usize>| -> u32 { shown[faces].iter().flatten().map(|shown| shown[0]).sum() };
    assert_eq!((sum(0..4), sum(4..8)), (4, 4));
    // An odd sum: doubled, so that the totals agree.
    let odd = partition(&[3, 1, 1]).expect("a game");
    assert_eq!((odd.game.capacity, odd.known), (vec![5, 5, 0, 0, 0], Known::Unsolvable));
    assert_eq!(odd.game.tiles[..3], [[6, 0, 0], [2, 0, 0], [2, 0, 0]]);
    // Fewer than three.
    for (numbers, known) in [(vec![7, 7], Known::Solvable), (vec![8], Known::Unsolvable), (vec![7], Known::Unsolvable)]
    {
        let few = partition(&numbers).expect("a game");
        assert_eq!((few.field.as_str(), few.game.tiles.len(), few.known), ("bipyramid-3", 6, known), "{numbers:?}");
    }
}

/// Whether some part of the numbers has half of their sum, by trying all parts.
fn has_half(numbers: &[u32]) -> bool {
    let total: u64 = numbers.iter().map(|&number| u64::from(number)).sum();
    (0..1_u32 << numbers.len()).any(|part| {
        let chosen = numbers.iter().enumerate().filter(|(bit, _)| part >> bit & 1 == 1);
        2 * chosen.map(|(_, &number)| u64::from(number)).sum::<u64>() == total
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn half_is_found_where_there_is_one(
        numbers in prop::collection::vec(1_u32..60, 1..11),
        scale in prop::sample::select(vec![1_u32, 20_000_000]),
    ) {
        // The great ones are too great for a table.
        let numbers: Vec<u32> = numbers.into_iter().map(|number| number * scale).collect();
        let part = half(&numbers);
        prop_assert_eq!(part.is_some(), has_half(&numbers));
        if let Some(part) = part {
            let sum = |of: bool| -> u64 {
                numbers.iter().zip(&part).filter(|(_, chosen)| **chosen == of).map(|(&n, _)| u64::from(n)).sum()
            };
            prop_assert_eq!(part.len(), numbers.len());
            prop_assert_eq!(sum(true), sum(false));
        }
    }
}

#[test]
fn great_numbers_are_searched_up_to_forty_and_more_of_small_ones() {
    assert!(is_searched(&[1_000_000_000; 40]));
    assert!(!is_searched(&[1_000_000_000; 41]));
    assert!(is_searched(&[100; 400]));
    let part = half(&[1_000; 400]).expect("half of them");
    assert_eq!(part.iter().filter(|&&chosen| chosen).count(), 200);
    // 41 numbers that nobody can say anything about, but for an odd sum.
    let mut many = vec![24_000_000; 41];
    many[0] += 2;
    assert_eq!(partition(&many).expect("a game").known, Known::Unknown);
    many[0] += 1;
    assert_eq!(partition(&many).expect("a game").known, Known::Unsolvable);
}

#[test]
fn recipes_that_make_no_sense_are_refused() {
    let solvable = |field: &str, greatest, multiple, sorts| {
        let weights = Weights { greatest, multiple, sorts };
        Recipe::Solvable { field: field.to_owned(), weights, seed: 1 }
    };
    let shifted = Recipe::Shifted { field: "octahedron".to_owned(), weights: weights(0), seed: 1 };
    let numbers = |list: &[u32]| Recipe::Partition(Numbers::Listed(list.to_vec()));
    let random = |size, greatest| Recipe::Partition(Numbers::Random { size, greatest, seed: 1 });
    for (recipe, field, words) in [
        (solvable("cube", 3, 1, None), "field", "no field has the name \"cube\""),
        (solvable("bipyramid-1", 3, 1, None), "field", "from 3"),
        (solvable("octahedron", 1_000_000_001, 1, None), "greatest", "at most 1000000000"),
        (solvable("geodesic-2", 1_000_000_000, 1, None), "greatest", "more than 1000000000"),
        (solvable("octahedron", 3, 0, None), "multiple", "from 1 to the greatest weight, 3"),
        (solvable("octahedron", 3, 4, None), "multiple", "from 1 to the greatest weight, 3"),
        (solvable("octahedron", 3, 1, Some(0)), "sorts", "at least 1"),
        (shifted, "greatest", "all weights are 0"),
        (numbers(&[]), "numbers", "0 of them"),
        (numbers(&[1, 0, 1]), "numbers", "number 2 is 0; they are positive"),
        (numbers(&[1_000_000_000, 1_000_000_000, 1]), "numbers", "their sum is 2000000001"),
        (random(0, 5), "numbers", "0 of them"),
        (random(10_001, 5), "size", "at most 10000 numbers"),
        (random(5, 0), "greatest", "from 1 to 1000000000"),
    ] {
        let error = recipe.make().expect_err(words);
        assert_eq!(error.field, field, "{error:?}");
        assert!(error.reason.contains(words), "{error:?}");
    }
    assert_eq!(Recipe::Random { seed: u64::MAX }.later(1), None, "there is no seed after the last one");
    assert_eq!(numbers(&[1, 1]).later(1), None, "a list has no next one");
}

#[test]
fn given_games_have_their_capacities_and_a_solution() {
    let capacities = vec![8, 5, 11, 7, 9, 10, 3, 6, 1, 4, 2, 12];
    let recipe = Recipe::Given { capacities: capacities.clone() };
    let (made, text) = made(&recipe);
    assert_eq!(made.game.capacity, capacities);
    assert!(made.solution.is_some() && text.contains("A = 8, B = 5"), "{text}");
    assert_eq!((recipe.later(0), recipe.later(1)), (Some(recipe.clone()), None));
    for wrong in [vec![], vec![1; 12], (0..12).collect(), (1..=13).collect()] {
        let error = Recipe::Given { capacities: wrong }.make().expect_err("no game");
        assert_eq!(error.field, "capacities");
    }
}
