//! Pictures: what of a board and a solution is in them, by the classes of their shapes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use puzzle::scene::{Item, Point};
use puzzle::tantrix::{BoardType, Numbering};
use puzzle::{Instance, Placement, Scene, Solution, scene};

fn instance(kind: &str, challenge: usize, places: usize) -> Instance {
    let board = if kind == "tantrix-natural" {
        String::new()
    } else {
        let places = BoardType::A.places(places, Numbering::Rings).expect("a board");
        let places: Vec<String> = places.iter().map(|at| format!("[{}, {}]", at.q, at.r)).collect();
        format!("places = [{}]", places.join(", "))
    };
    let text = format!("kind = \"{kind}\"\nchallenge = {challenge}\ntiles = \"repeated\"\n{board}\n");
    Instance::parse(&text, Path::new("t.toml")).expect("an instance")
}

/// Tiles on these places, whether they match or not.
fn on(places: impl IntoIterator<Item = usize>) -> Solution {
    let placements = places.into_iter().map(|place| Placement { place, tile: 1, orientation: 1 });
    Solution::on_places("t", placements.collect())
}

fn class(item: &Item) -> &'static str {
    match item {
        Item::Polygon { class, .. }
        | Item::Arc { class, .. }
        | Item::Polyline { class, .. }
        | Item::Circle { class, .. }
        | Item::Text { class, .. } => class,
    }
}

/// How many shapes there are of each of these classes.
fn counts<const N: usize>(scene: &Scene, classes: [&str; N]) -> [usize; N] {
    let mut counts = BTreeMap::<&str, usize>::new();
    for item in &scene.items {
        *counts.entry(class(item)).or_default() += 1;
    }
    classes.map(|class| counts.get(class).copied().unwrap_or_default())
}

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
    let board = scene(&instance("tantrix-bounded", 10, 19), None);
    assert_eq!(counts(&board, GROUND), [19, 0, 0]);
    assert_eq!(place_numbers(&board), (1..=19).collect());
    assert_eq!(board.title, "t: empty board of 19 places");
}

#[test]
fn places_without_a_tile_are_empty_or_holes() {
    let bounded = instance("tantrix-bounded", 10, 19);
    for (filled, ground, title) in [
        (vec![1, 2, 3], [3, 16, 0], "t: 10 tiles, 0 red loops"),
        ((2..=7).collect(), [6, 12, 1], "t: 10 tiles, 0 red loops, 1 hole"),
        ((8..=19).collect(), [12, 0, 7], "t: 10 tiles, 0 red loops, 1 hole"),
        ((1..=19).filter(|&j| j != 2 && j != 5).collect(), [17, 0, 2], "t: 10 tiles, 0 red loops, 2 holes"),
        (vec![], [0, 19, 0], "t: 10 tiles, 0 red loops"),
    ] {
        let picture = scene(&bounded, Some(&on(filled.clone())));
        assert_eq!(counts(&picture, GROUND), ground, "{filled:?}");
        assert_eq!(counts(&picture, ["hole-cross", "tile-number"]), [2 * ground[2], 2 * ground[0]], "{filled:?}");
        assert_eq!(picture.title, title);
        assert_eq!(place_numbers(&picture), (1..=19).collect(), "every place can be named");
    }
}

#[test]
fn rims_are_drawn_once() {
    let bounded = instance("tantrix-bounded", 10, 19);
    let rounded = |p: &Point| ((p.x * 1000.0).round() as i64, (p.y * 1000.0).round() as i64);
    // A tile in the middle: six empty places around it with 6 edges between them, 12 beyond with 12 between them and
    // 18 to those inside, and the board's own rim of 30. A ring of six: without the inner 6 and the outer ring's 18.
    for (filled, rims, hole_rims) in [(vec![1], 6 + 12 + 18 + 30, 0), ((2..=7).collect(), 12 + 30, 6)] {
        let picture = scene(&bounded, Some(&on(filled.clone())));
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
    let picture = scene(&bounded, Some(&on(around)));
    assert_eq!(counts(&picture, ["hole", "hole-rim", "rim"]), [2, 11, 0]);
}

#[test]
fn the_plane_is_drawn_as_far_as_it_is_used() {
    let natural = instance("tantrix-natural", 6, 0);
    let ring = scene(&natural, Some(&on(2..=7)));
    assert_eq!(counts(&ring, GROUND), [6, 0, 1], "the hole belongs to the picture");
    assert_eq!(place_numbers(&ring), (1..=7).collect());
    let apart = scene(&natural, Some(&on([8, 20, 0])));
    assert_eq!((counts(&apart, GROUND), place_numbers(&apart)), ([2, 0, 0], [8, 20].into()), "by ring numbers");
    let nothing = scene(&natural, None);
    assert_eq!((counts(&nothing, GROUND), nothing.title.as_str()), ([0, 7, 0], "t: the open plane, 6 tiles"));
}

#[test]
fn of_two_tiles_on_one_place_the_last_one_is_drawn_and_what_lies_nowhere_is_not() {
    let bounded = instance("tantrix-bounded", 10, 19);
    let lay = |placements: &[(usize, usize, usize)]| {
        let place = |&(place, tile, orientation): &(usize, usize, usize)| Placement { place, tile, orientation };
        let placements = placements.iter().map(place).collect();
        scene(&bounded, Some(&Solution::on_places("t", placements)))
    };
    let twice = lay(&[(3, 2, 1), (5, 4, 6), (3, 7, 2), (3, 99, 1), (5, 1, 7), (8, 0, 1), (20, 1, 1), (0, 1, 1)]);
    assert_eq!(twice, lay(&[(5, 4, 6), (3, 7, 2)]));
    assert_ne!(twice, lay(&[(5, 4, 6), (3, 2, 1)]));
    assert_eq!(counts(&twice, ["place", "designated"]), [2, 2 * 2], "a casing and a line each");
}

#[test]
fn the_plane_without_a_solution_is_drawn_for_every_challenge() {
    let places = |challenge| counts(&scene(&instance("tantrix-natural", challenge, 0), None), ["empty"])[0];
    assert_eq!([3, 4, 10, 10_000].map(places), [3, 7, 12, 10_092]);
}

#[test]
fn everything_lies_within_the_picture() {
    let bounded = instance("tantrix-bounded", 10, 19);
    for picture in [scene(&bounded, None), scene(&bounded, Some(&on(2..=11)))] {
        let points = picture.items.iter().flat_map(|item| match item {
            Item::Polygon { points, .. } | Item::Polyline { points, .. } => points.clone(),
            Item::Arc { from, to, .. } => vec![*from, *to],
            Item::Circle { center, .. } => vec![*center],
            Item::Text { at, .. } => vec![*at],
        });
        for Point { x, y } in points {
            assert!((0.0..=picture.width).contains(&x) && (0.0..=picture.height).contains(&y), "({x}, {y})");
        }
    }
}
