//! Regular boards: sizes, numberings, symmetry, and how each lies within the next.

use std::collections::HashSet;

use puzzle::hex::Axial;
use puzzle::tantrix::{Board, BoardType, MOST_TILES, Numbering};

const SIZES: [(BoardType, [usize; 6]); 2] =
    [(BoardType::A, [7, 19, 37, 61, 91, 127]), (BoardType::B, [3, 12, 27, 48, 75, 108])];

fn places(kind: BoardType, size: usize) -> Vec<Axial> {
    kind.places(size, Numbering::Rings).expect("a board")
}

fn set(places: &[Axial]) -> HashSet<Axial> {
    places.iter().copied().collect()
}

/// Every place that is within this distance of one of the centre's places.
fn ball(kind: BoardType, distance: u32) -> HashSet<Axial> {
    let centre: &[(i32, i32)] = if kind == BoardType::A { &[(0, 0)] } else { &[(0, 0), (1, 0), (0, 1)] };
    let reach = i32::try_from(distance).expect("small") + 1;
    let near = |at: Axial| centre.iter().any(|&c| at.distance(c.into()) <= distance);
    let all = (-reach..=reach).flat_map(|q| (-reach..=reach).map(move |r| Axial { q, r }));
    all.filter(|&at| near(at)).collect()
}

#[test]
fn boards_hold_all_places_near_their_centre_once() {
    for (kind, sizes) in SIZES {
        for (rings, size) in (1..).zip(sizes) {
            assert_eq!(kind.size(rings), size);
            let board = places(kind, size);
            let distance = u32::try_from(rings).expect("small") - u32::from(kind == BoardType::B);
            assert_eq!((board.len(), set(&board)), (size, ball(kind, distance)), "{kind} {size}");
            assert!(Board::new(&board).is_ok(), "{kind} {size}");
        }
    }
}

#[test]
fn other_sizes_are_refused_with_the_nearest_ones() {
    let refused = |kind: BoardType, size| kind.places(size, Numbering::Rows).expect_err("no such board");
    assert_eq!(refused(BoardType::A, 20), "no type A board has 20 places; the nearest have 19 and 37");
    assert_eq!(refused(BoardType::B, 74), "no type B board has 74 places; the nearest have 48 and 75");
    assert_eq!(refused(BoardType::A, 6), "type A boards have at least 7 places, not 6");
    assert_eq!(refused(BoardType::B, 0), "type B boards have at least 3 places, not 0");
    for (kind, sizes) in SIZES {
        for size in 0..=sizes[5] {
            assert_eq!(kind.places(size, Numbering::Rings).is_ok(), sizes.contains(&size), "{kind} {size}");
        }
    }
}

#[test]
fn sizes_beyond_what_a_board_may_have_are_refused_at_once() {
    for (kind, _) in SIZES {
        for size in [MOST_TILES + 1, kind.size(100), 300_000_000, usize::MAX] {
            let refused = kind.places(size, Numbering::Rings).expect_err("too large");
            assert_eq!(refused, format!("{size} places are more than the {MOST_TILES} that a board may have here"));
        }
        assert_eq!([1_000_000_000_000, usize::MAX].map(|rings| kind.size(rings)), [usize::MAX; 2]);
        assert_eq!(places(kind, kind.size(57)).len(), kind.size(57));
    }
    assert_eq!(BoardType::at_least(usize::MAX).1, usize::MAX);
    assert_eq!(BoardType::at_least(3_000_000_000_000), (BoardType::B, 3_000_000_000_000));
}

#[test]
fn rings_number_outwards_and_a_larger_board_only_adds() {
    for (kind, sizes) in SIZES {
        let largest = places(kind, sizes[5]);
        for size in sizes {
            assert_eq!(places(kind, size), largest[..size], "{kind} {size}");
        }
    }
    let ring_numbers: Vec<usize> = places(BoardType::A, 127).iter().map(|at| at.ring_number()).collect();
    assert_eq!(ring_numbers, (1..=127).collect::<Vec<_>>(), "type A is numbered as the plane is");
}

#[test]
fn rows_number_from_the_top_and_from_the_left() {
    for (kind, sizes) in SIZES {
        for size in sizes {
            let rows = kind.places(size, Numbering::Rows).expect("a board");
            assert_eq!(set(&rows), set(&places(kind, size)));
            for pair in rows.windows(2) {
                let ((x1, y1), (x2, y2)) = (pair[0].centre(), pair[1].centre());
                let (below, right) = (y2 < y1 - 0.1, (y2 - y1).abs() < 0.1 && x2 > x1 + 0.1);
                assert!(below || right, "{pair:?}");
            }
        }
    }
}

#[test]
fn boards_look_the_same_from_six_or_three_sides() {
    for size in SIZES[0].1 {
        let board = set(&places(BoardType::A, size));
        let turned: HashSet<Axial> = board.iter().map(|at| at.turned(1)).collect();
        assert_eq!(turned, board, "A {size} by 60 degrees");
    }
    for size in SIZES[1].1 {
        let board = set(&places(BoardType::B, size));
        // In thirds, from the corner (1/3, 1/3).
        let turned: HashSet<Axial> = board
            .iter()
            .map(|at| Axial { q: 3 * at.q - 1, r: 3 * at.r - 1 }.turned(2))
            .map(|at| Axial { q: (at.q + 1) / 3, r: (at.r + 1) / 3 })
            .collect();
        assert_eq!(turned, board, "B {size} by 120 degrees");
    }
}

#[test]
fn each_board_lies_within_the_next_of_either_type() {
    let mut chain = vec![BoardType::at_least(1)];
    while chain.len() < 10 {
        let (_, size) = chain[chain.len() - 1];
        chain.push(BoardType::at_least(size + 1));
    }
    let sizes: Vec<usize> = chain.iter().map(|&(_, size)| size).collect();
    assert_eq!(sizes, [3, 7, 12, 19, 27, 37, 48, 61, 75, 91]);
    for pair in chain.windows(2) {
        let [inner, outer] = [pair[0], pair[1]].map(|(kind, size)| set(&places(kind, size)));
        assert!(inner.is_subset(&outer), "{pair:?}");
    }
    for size in 1..=91 {
        let (kind, found) = BoardType::at_least(size);
        assert_eq!(Some(&found), sizes.iter().find(|&&s| s >= size), "{size}");
        assert_eq!(places(kind, found).len(), found);
    }
}

#[test]
fn types_and_numberings_are_read_from_their_words() {
    assert_eq!(["A", "a", "B", "b"].map(str::parse), [BoardType::A, BoardType::A, BoardType::B, BoardType::B].map(Ok));
    assert_eq!(["rings", "rows"].map(str::parse), [Numbering::Rings, Numbering::Rows].map(Ok));
    let error = "C".parse::<BoardType>().expect_err("no type");
    assert_eq!(error, "unknown board type \"C\"; types: A (around a place), B (around a corner)");
    let error = "spiral".parse::<Numbering>().expect_err("no numbering");
    assert_eq!(error, "unknown numbering \"spiral\"; numberings: rings, rows");
}
