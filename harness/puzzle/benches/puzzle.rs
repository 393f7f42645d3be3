//! What the judge does with every answer: following lines and checking rules, on 60 tiles.

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use puzzle::hex::Axial;
use puzzle::tantrix::{Arrangement, BoardTantrix, trace};
use puzzle::{Instance, Placement, Puzzle, Solution, verify};

const TILES: usize = 60;

fn instance() -> Instance {
    let places = (1..=TILES).filter_map(Axial::from_ring_number);
    let places: Vec<String> = places.map(|at| format!("[{}, {}]", at.q, at.r)).collect();
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

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(30)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(2));
    targets = judging
}
criterion_main!(benches);
