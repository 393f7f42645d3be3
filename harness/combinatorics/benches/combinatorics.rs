//! Counting all solutions on the open plane and of games of 3SoKu.

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use combinatorics::soku::{Counting, count};
use combinatorics::tantrix::{Laid, count_natural, enumerate_natural};
use criterion::{Criterion, criterion_group, criterion_main};
use puzzle::tantrix::{Colour, TileSet, TileSetKind, default_colour};
use puzzle::{Instance, Puzzle};

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
    targets = open_plane, soku
}
criterion_main!(benches);
