//! Smaller boards are parts of the larger one that can have a loop, and the same every time.

use std::path::Path;

use combinatorics::tantrix::shapes::Shape;
use combinatorics::tantrix::{Smaller, smaller};
use proptest::prelude::*;
use puzzle::tantrix::BoardTantrix;
use puzzle::{Instance, Puzzle};

/// The challenge on a board of this shape, with the tiles repeated or all distinct.
fn fixed(shape: Shape, n: usize, tiles: &str, seed: u64) -> BoardTantrix {
    let places: Vec<String> = shape.places(n, seed).iter().map(|at| format!("[{}, {}]", at.q, at.r)).collect();
    let text = format!(
        "kind = \"tantrix-fixed\"\nchallenge = {n}\ntiles = \"{tiles}\"\ncolour = \"red\"\nplaces = [{}]\n",
        places.join(", ")
    );
    match Instance::parse(&text, Path::new("t.toml")).expect("a good instance").puzzle {
        Puzzle::TantrixFixed(puzzle) => puzzle,
        _ => panic!("a fixed board"),
    }
}

fn drawn(puzzle: &BoardTantrix, seed: u64) -> Vec<Smaller> {
    smaller(puzzle, 5, seed).take(8).flatten().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn they_lack_five_places_and_tiles(n in 8usize..40, seed in any::<u64>(), is_round in any::<bool>(), distinct in any::<bool>()) {
        let shape = if is_round { Shape::Round } else { Shape::Blob };
        let (n, tiles) = if distinct { (n.min(14), "distinct") } else { (n, "repeated") };
        let puzzle = fixed(shape, n, tiles, seed);
        let boards = drawn(&puzzle, seed);
        prop_assert_eq!(&boards, &drawn(&puzzle, seed));
        for Smaller { puzzle: part, places, lacks } in boards {
            prop_assert_eq!((part.challenge, part.board.len(), lacks.len()), (n - 5, n - 5, 5));
            prop_assert_eq!(part.tiles.sorts.iter().map(|sort| sort.count).sum::<usize>(), n - 5);
            let counts = part.tiles.sorts.iter().zip(&puzzle.tiles.sorts);
            prop_assert!(counts.into_iter().all(|(few, all)| few.count <= all.count && few.tile == all.tile));
            prop_assert_eq!(part.tiles.obstacle(part.colour), None);
            prop_assert!(places.iter().all(|place| !lacks.contains(place)));
            for (number, place) in (1..).zip(places) {
                prop_assert_eq!(part.board.at(number), puzzle.board.at(place));
                prop_assert!(part.board.inner_edges(number).count() >= 2);
            }
        }
    }
}

#[test]
fn seeds_draw_different_boards_and_a_row_has_none() {
    let round = fixed(Shape::Round, 20, "repeated", 1);
    let first = |seed| drawn(&round, seed).into_iter().next().expect("one of eight draws");
    assert!((1..6).any(|seed| first(seed) != first(6)));
    assert_eq!(drawn(&fixed(Shape::Row, 20, "repeated", 1), 1), []);
}
