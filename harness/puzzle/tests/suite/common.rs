//! Instances, solutions and what is in pictures, for all tests.

use std::path::Path;

use puzzle::scene::{Item, Point};
use puzzle::tantrix::{BoardType, Numbering};
use puzzle::{Instance, Placement, Scene, Solution};

/// The instance `t` of this text.
pub fn instance(text: &str) -> Instance {
    Instance::parse(text, Path::new("t.toml")).expect("an instance")
}

/// A challenge with repeated tiles on a bounded board of type A.
pub fn bounded(challenge: usize, size: usize) -> Instance {
    let places = BoardType::A.places(size, Numbering::Rings).expect("a board");
    let places: Vec<String> = places.iter().map(|at| format!("[{}, {}]", at.q, at.r)).collect();
    tantrix("tantrix-bounded", challenge, &format!("places = [{}]", places.join(", ")))
}

/// A challenge with repeated tiles on the open plane.
pub fn natural(challenge: usize) -> Instance {
    tantrix("tantrix-natural", challenge, "")
}

fn tantrix(kind: &str, challenge: usize, more: &str) -> Instance {
    instance(&format!("kind = \"{kind}\"\nchallenge = {challenge}\ntiles = \"repeated\"\n{more}\n"))
}

/// Placements of places, tiles and orientations (or faces, tiles and rotations).
pub fn placements(all: &[(usize, usize, usize)]) -> Vec<Placement> {
    all.iter().map(|&(place, tile, orientation)| Placement { place, tile, orientation }).collect()
}

/// Any tiles on these places; only where they lie is of interest.
pub fn on(places: impl IntoIterator<Item = usize>) -> Solution {
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

/// How many shapes of each of these classes are in a picture.
pub fn counts<const N: usize>(scene: &Scene, classes: [&str; N]) -> [usize; N] {
    classes.map(|wanted| scene.items.iter().filter(|item| class(item) == wanted).count())
}

/// Whether every shape lies within its picture.
pub fn assert_within(picture: &Scene) {
    let points = picture.items.iter().flat_map(|item| match item {
        Item::Polygon { points, .. } | Item::Polyline { points, .. } => points.clone(),
        Item::Arc { from, to, .. } => vec![*from, *to],
        Item::Circle { center: Point { x, y }, radius, .. } => {
            vec![Point { x: x - radius, y: y - radius }, Point { x: x + radius, y: y + radius }]
        }
        Item::Text { at, .. } => vec![*at],
    });
    for Point { x, y } in points {
        assert!((0.0..=picture.width).contains(&x) && (0.0..=picture.height).contains(&y), "({x}, {y})");
    }
}
