//! What the judge does with every answer: following lines and checking rules, on 60 tiles. And counting all
//! solutions on the open plane and of games of 3SoKu.

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use puzzle::soku::{Counting, count};
use puzzle::tantrix::shapes::Shape;
use puzzle::tantrix::{
    Arrangement, BoardTantrix, Colour, Laid, TileSet, TileSetKind, count_natural, default_colour, enumerate_natural,
    trace,
};
use puzzle::{Instance, Placement, Puzzle, Solution, verify};

const TILES: usize = 60;

fn instance() -> Instance {
    let places: Vec<String> = Shape::Round.places(TILES, 1).iter().map(|a| format!("[{}, {}]", a.q, a.r)).collect();
    let text = format!(
        "kind = \"tantrix-fixed\"\nchallenge = {TILES}\ntiles = \"repeated\"\nplaces = [{}]\n",
        places.join(", ")
    );
    Instance::parse(&text, Path::new("round.toml")).expect("a good instance")
}

/// A full board that is no solution: the tiles as often as they should be, each turned so that as many of its
/// edges match the tiles before it as can be.
fn fill(instance: &Instance, puzzle: &BoardTantrix) -> Solution {
    let mut left: Vec<usize> = puzzle.tiles.sorts.iter().map(|s| s.count).collect();
    let mut solution = Solution { instance: instance.name.clone(), ..Solution::default() };
    for place in puzzle.board.numbers() {
        let lying = Arrangement::new(&puzzle.board, &puzzle.tiles, &solution.placements);
        let matches = |tile: usize, orientation: usize| {
            let shown = |edge| puzzle.tiles.sorts[tile - 1].tile.colour(orientation, edge);
            let touching = puzzle.board.inner_edges(place);
            touching
                .filter(|&(edge, next)| lying.colour(next, puzzle::hex::opposite(edge)) == Some(shown(edge)))
                .count()
        };
        let ways = (1..=left.len()).filter(|&tile| left[tile - 1] > 0).flat_map(|t| (1..=6).map(move |k| (t, k)));
        let (tile, orientation) = ways.max_by_key(|&(t, k)| matches(t, k)).expect("a tile is left");
        left[tile - 1] -= 1;
        solution.placements.push(Placement { place, tile, orientation });
    }
    solution
}

fn judging(c: &mut Criterion) {
    let instance = instance();
    let Puzzle::TantrixFixed(puzzle) = &instance.puzzle else { panic!("no fixed board") };
    let solution = fill(&instance, puzzle);
    let lying = Arrangement::new(&puzzle.board, &puzzle.tiles, &solution.placements);
    let mut group = c.benchmark_group("60 tiles");
    group.bench_function("lay", |b| {
        b.iter(|| Arrangement::new(&puzzle.board, &puzzle.tiles, black_box(&solution.placements)));
    });
    group.bench_function("trace", |b| {
        b.iter(|| trace(&puzzle.board, black_box(&lying), puzzle.colour));
    });
    group.bench_function("verify", |b| b.iter(|| verify(&instance, black_box(&solution))));
    group.finish();
}

fn open_plane(c: &mut Criterion) {
    let mut group = c.benchmark_group("open plane");
    for n in [8, 10, 15] {
        let tiles = TileSet::new(TileSetKind::Repeated, n).expect("a challenge");
        let colour = if n == 15 { Colour::Red } else { default_colour(n) };
        group.bench_function(format!("count {n}"), |b| {
            b.iter(|| count_natural(black_box(&tiles), colour, 1, &|_| true))
        });
    }
    let tiles = TileSet::new(TileSetKind::Repeated, 10).expect("a challenge");
    group.bench_function("enumerate 10", |b| {
        b.iter(|| {
            let mut seen = 0;
            let mut found = |laid: &[Laid]| {
                seen += laid.len();
                true
            };
            let done = enumerate_natural(black_box(&tiles), default_colour(10), &mut found);
            (done, seen)
        });
    });
    group.finish();
}

fn soku(c: &mut Criterion) {
    let board = |tiles: &str, field: &str, capacity: &[u32]| {
        let capacity: Vec<String> = ('A'..).zip(capacity).map(|(v, capacity)| format!("{v} = {capacity}")).collect();
        let text = format!(
            "kind = \"soku\"\nfield = \"{field}\"\ncapacity = {{ {} }}\ntiles = {tiles}\n",
            capacity.join(", ")
        );
        Instance::parse(&text, Path::new("board.toml")).expect("a good instance")
    };
    let octahedron = "[[0, 0, 1], [0, 0, 2], [0, 1, 1], [0, 1, 2], [0, 2, 1], [1, 1, 1], [0, 0, 3], [1, 2, 3]]";
    let mut group = c.benchmark_group("3SoKu count");
    group.sample_size(10);
    for (name, instance) in [
        ("octahedron", board(octahedron, "octahedron", &[4, 4, 4, 4, 4, 3])),
        // Rizzo's board: 4,276,380,495 solutions.
        ("IcoSoKu", board("\"icosoku\"", "icosahedron", &[8, 5, 11, 7, 9, 10, 3, 6, 1, 4, 2, 12])),
    ] {
        let Puzzle::Soku(game) = &instance.puzzle else { panic!("no game") };
        group.bench_function(name, |b| b.iter(|| count(black_box(game), Counting::default(), &|_| true)));
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(30)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(2));
    targets = judging, open_plane, soku
}
criterion_main!(benches);
