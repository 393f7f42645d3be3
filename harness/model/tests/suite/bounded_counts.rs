//! Sizes of every family on boards with places to spare, pinned: by formula on boards of types A and B, and as plain
//! numbers on two.

use crate::common::{bounded, bounded_distinct, problem, regular, sizes, tantrix};
use model::ir::Model;
use puzzle::Instance;
use puzzle::tantrix::{BoardType, Colour};

fn model(instance: &Instance, families: &str) -> Model {
    problem(instance, families).model().clone()
}

/// Touching edges, edges on the rim, places with six and with four neighbours. There are none with five.
fn facts(kind: BoardType, k: usize) -> (usize, usize, usize, usize) {
    match kind {
        BoardType::A => (9 * k * k + 3 * k, 12 * k + 6, 3 * k * (k - 1) + 1, 6 * (k - 1)),
        BoardType::B => (9 * k * k - 6 * k, 12 * k, 3 * (k - 1) * (k - 1), (6 * k).saturating_sub(9)),
    }
}

#[test]
fn sizes_follow_from_type_and_rings() {
    for (kind, rings) in [(BoardType::A, 1..=4), (BoardType::B, 1..=5)] {
        for k in rings {
            let m = kind.size(k);
            for n in [3, 7, 10, 23].into_iter().filter(|&n| n <= m) {
                check(&bounded(&regular(kind, m), n, Colour::Red), n, facts(kind, k));
            }
        }
    }
}

fn check(instance: &Instance, n: usize, (touching, rim, inner, side): (usize, usize, usize, usize)) {
    let board = &tantrix(instance).board;
    let (m, s) = (board.len(), n.min(10));
    assert_eq!((board.touching().count(), board.boundary().count()), (touching, rim));

    let printed = model(instance, "B1 B2 B3 B4+B5 B6 B6' B6'' C5 C7 C8 C9");
    let (x, y, o, u) = (6 * m * s, 6 * m, m, touching);
    assert_eq!(printed.variables().len(), x + y + o + u);
    let rows = sizes(&printed);
    assert_eq!(rows["B1"], (m, x));
    assert_eq!(rows["B2"], (1, x));
    assert_eq!(rows["B3"], (s, x));
    assert_eq!(rows["y"], (6 * m, 6 * m * (6 * s + 1)));
    assert_eq!(rows["o"], (m, x + m));
    // Two rows that match and two that define u, of three terms each.
    assert_eq!(rows["B4+B5"], (rim + 4 * touching, rim + 12 * touching));
    let none = (0, 0);
    let of = |family| rows.get(family).copied().unwrap_or(none);
    assert_eq!(of("B6"), (inner, 7 * inner));
    assert_eq!(of("B6'"), (inner, 7 * inner));
    assert_eq!(of("B6''"), (inner + side, 7 * inner + 5 * side));
    assert_eq!(of("C5"), none, "cuts come later");
    let short = if n > 5 { (2 * touching, touching) } else { (0, 0) };
    assert_eq!((of("C7").0, of("C8").0), short);

    let apart = model(instance, "B1 B3 B4 B5");
    assert_eq!(apart.variables().len(), x + y + o);
    let rows = sizes(&apart);
    assert_eq!(rows["B4"], (rim + 2 * touching, rim + 4 * touching));
    assert_eq!(rows["B5"], (2 * touching, 8 * touching));

    let by_colour = model(instance, "B1 B3 B45c C5x");
    assert_eq!(by_colour.variables().len(), x);
    // Each tile shows each colour on an edge in 2 of its 6 orientations, and another in 4.
    assert_eq!(sizes(&by_colour)["B45c"], (3 * touching, (4 + 6 + 6) * s * touching));
    assert_eq!(by_colour.rows().len(), m + s + 3 * touching);
    let red = |j: usize, i: usize, k: usize| {
        let tile = tantrix(instance).tiles.sorts[i].tile;
        (1..=6).any(|l| board.neighbour(j, l).is_none() && tile.colour(k, l) == Colour::Red)
    };
    let open = board.numbers().flat_map(|j| (0..s).flat_map(move |i| (1..=6).map(move |k| (j, i, k))));
    let fixed = by_colour.variables().iter().filter(|v| v.upper == 0.0).count();
    assert_eq!(fixed, open.filter(|&(j, i, k)| red(j, i, k)).count());
}

#[test]
fn the_numbers_on_two_boards_stay_what_they_are() {
    let instance = bounded(&regular(BoardType::A, 19), 10, Colour::Red);
    let printed = model(&instance, "B1 B2 B3 B4+B5 B6 B6' B6'' C5 C7 C8 C9");
    assert_eq!((printed.variables().len(), printed.rows().len(), printed.nonzeros()), (1315, 562, 13852));
    let expected = [
        ("B1", (19, 1140)),
        ("B2", (1, 1140)),
        ("B3", (10, 1140)),
        ("B4+B5", (198, 534)),
        ("B6", (7, 49)),
        ("B6'", (7, 49)),
        ("B6''", (13, 79)),
        ("C7", (84, 336)),
        ("C8", (42, 504)),
        ("C9", (48, 768)),
        ("o", (19, 1159)),
        ("y", (114, 6954)),
    ];
    assert_eq!(sizes(&printed), expected.into_iter().collect());

    let apart = sizes(&model(&instance, "B1 B3 B4 B5"));
    assert_eq!((apart["B4"], apart["B5"]), ((114, 198), (84, 336)));

    let four_colours = bounded_distinct(&regular(BoardType::B, 27), 16, Colour::Red);
    let by_colour = model(&four_colours, "B1 B3 B45c B6 C5x C7 C8 C9");
    assert_eq!((by_colour.variables().len(), by_colour.rows().len(), by_colour.nonzeros()), (2619, 793, 52185));
    // Seven rows a pair of touching edges: the designated colour, and three others from either side.
    let expected = [
        ("B1", (27, 2592)),
        ("B3", (16, 2592)),
        ("B45c", (441, 40320)),
        ("B6", (12, 84)),
        ("C7", (126, 1764)),
        ("C8", (63, 756)),
        ("C9", (81, 1458)),
        ("o", (27, 2619)),
    ];
    assert_eq!(sizes(&by_colour), expected.into_iter().collect());
}
