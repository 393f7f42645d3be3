//! Pictures: what of a board and a solution is in them, by the classes of their shapes.

use std::collections::BTreeSet;

use puzzle::scene::{Item, Point, Rgb};
use puzzle::{Scene, Solution, scene};

use crate::common::{assert_within, bounded, counts, instance, natural, on, placements};

/// The numbers in the picture that name places.
fn place_numbers(scene: &Scene) -> BTreeSet<usize> {
    let texts = scene.items.iter().filter_map(|item| match item {
        Item::Text { class: "place-number", text, .. } => Some(text.parse().expect("a number")),
        _ => None,
    });
    texts.collect()
}

const GROUND: [&str; 3] = ["place", "empty", "hole"];

#[test]
fn a_board_without_tiles_shows_all_its_places_and_their_numbers() {
    let board = scene(&bounded(10, 19), None);
    assert_eq!(counts(&board, GROUND), [19, 0, 0]);
    assert_eq!(place_numbers(&board), (1..=19).collect());
    assert_eq!(board.title, "t: empty board of 19 places");
}

#[test]
fn places_without_a_tile_are_empty_or_holes() {
    let board = bounded(10, 19);
    for (filled, ground, title) in [
        (vec![1, 2, 3], [3, 16, 0], "t: 10 tiles, 0 red loops"),
        ((2..=7).collect(), [6, 12, 1], "t: 10 tiles, 0 red loops, 1 hole"),
        ((8..=19).collect(), [12, 0, 7], "t: 10 tiles, 0 red loops, 1 hole"),
        ((1..=19).filter(|&j| j != 2 && j != 5).collect(), [17, 0, 2], "t: 10 tiles, 0 red loops, 2 holes"),
        (vec![], [0, 19, 0], "t: 10 tiles, 0 red loops"),
    ] {
        let picture = scene(&board, Some(&on(filled.clone())));
        assert_eq!(counts(&picture, GROUND), ground, "{filled:?}");
        assert_eq!(counts(&picture, ["hole-cross", "tile-number"]), [2 * ground[2], 2 * ground[0]], "{filled:?}");
        assert_eq!(picture.title, title);
        assert_eq!(place_numbers(&picture), (1..=19).collect(), "every place can be named");
    }
}

#[test]
fn large_boards_are_drawn_without_what_would_hide_the_loop() {
    let shown = |places: usize| {
        let board = bounded(30, places);
        assert_eq!(place_numbers(&scene(&board, None)).len(), places);
        counts(&scene(&board, Some(&on(1..=30))), ["tile-number", "line", "designated"])
    };
    // A number is a circle and a text; each colour has a casing and a line on each tile.
    assert_eq!(shown(469), [60, 120, 60]);
    assert_eq!(shown(547), [0, 120, 60]);
    assert_eq!(shown(2107), [0, 0, 60]);
}

#[test]
fn rims_are_drawn_once() {
    let board = bounded(10, 19);
    let rounded = |p: &Point| ((p.x * 1000.0).round() as i64, (p.y * 1000.0).round() as i64);
    // A tile in the middle: six empty places around it with 6 edges between them, 12 beyond with 12 between them and
    // 18 to those inside, and the board's own rim of 30. A ring of six: without the inner 6 and the outer ring's 18.
    for (filled, rims, hole_rims) in [(vec![1], 6 + 12 + 18 + 30, 0), ((2..=7).collect(), 12 + 30, 6)] {
        let picture = scene(&board, Some(&on(filled.clone())));
        assert_eq!(counts(&picture, ["rim", "hole-rim"]), [rims, hole_rims], "{filled:?}");
        let lines = picture.items.iter().filter_map(|item| match item {
            Item::Polyline { class: "rim" | "hole-rim", points, .. } => {
                Some(points.iter().map(rounded).collect::<BTreeSet<_>>())
            }
            _ => None,
        });
        assert_eq!(lines.collect::<BTreeSet<_>>().len(), rims + hole_rims, "no rim lies on another");
    }
    // Two places in one hole: ten edges around them, one between.
    let around = (1..=19).filter(|&j| j != 1 && j != 2);
    let picture = scene(&board, Some(&on(around)));
    assert_eq!(counts(&picture, ["hole", "hole-rim", "rim"]), [2, 11, 0]);
}

#[test]
fn the_plane_is_drawn_as_far_as_it_is_used() {
    let plane = natural(6);
    let ring = scene(&plane, Some(&on(2..=7)));
    assert_eq!(counts(&ring, GROUND), [6, 0, 1], "the hole belongs to the picture");
    assert_eq!(place_numbers(&ring), (1..=7).collect());
    let apart = scene(&plane, Some(&on([8, 20, 0])));
    assert_eq!((counts(&apart, GROUND), place_numbers(&apart)), ([2, 0, 0], [8, 20].into()), "by ring numbers");
    let nothing = scene(&plane, None);
    assert_eq!((counts(&nothing, GROUND), nothing.title.as_str()), ([0, 7, 0], "t: the open plane, 6 tiles"));
}

#[test]
fn of_two_tiles_on_one_place_the_last_one_is_drawn_and_what_lies_nowhere_is_not() {
    let board = bounded(10, 19);
    let lay = |all: &[_]| scene(&board, Some(&Solution::on_places("t", placements(all))));
    let twice = lay(&[(3, 2, 1), (5, 4, 6), (3, 7, 2), (3, 99, 1), (5, 1, 7), (8, 0, 1), (20, 1, 1), (0, 1, 1)]);
    assert_eq!(twice, lay(&[(5, 4, 6), (3, 7, 2)]));
    assert_ne!(twice, lay(&[(5, 4, 6), (3, 2, 1)]));
    assert_eq!(counts(&twice, ["place", "designated"]), [2, 2 * 2], "a casing and a line each");
}

#[test]
fn the_plane_without_a_solution_is_drawn_for_every_challenge() {
    let places = |challenge| counts(&scene(&natural(challenge), None), ["empty"])[0];
    assert_eq!([3, 4, 10, 10_000].map(places), [3, 7, 12, 10_092]);
}

#[test]
fn everything_lies_within_the_picture() {
    let board = bounded(10, 19);
    for picture in [scene(&board, None), scene(&board, Some(&on(2..=11)))] {
        assert_within(&picture);
    }
}

/// What grey keeps of a colour: the lightness L* of CIELAB, from 0 (black) to 100 (white).
fn lightness(Rgb(red, green, blue): Rgb) -> f64 {
    let linear = |part: u8| {
        let value = f64::from(part) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    116.0 * (0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)).cbrt() - 16.0
}

#[test]
fn the_colours_of_lines_differ_in_grey() {
    let game = instance("kind = \"tantrix-natural\"\nchallenge = 30\ntiles = \"distinct\"\n");
    let tiles: Vec<_> = (1..=30).map(|tile| (tile, tile, 1)).collect();
    let picture = scene(&game, Some(&Solution::on_places("t", placements(&tiles))));
    let strokes = picture.items.iter().filter_map(|item| match item {
        Item::Arc { style, .. } => style.stroke,
        _ => None,
    });
    let mut found: Vec<_> = strokes.map(lightness).collect();
    found.sort_by(f64::total_cmp);
    found.dedup();
    assert_eq!(found.len(), 5, "four colours, and what surrounds the lines");
    assert!(found.windows(2).all(|pair| pair[1] - pair[0] > 12.0), "{found:?}");
}
