//! Boards of 3SoKu: a thousand of IcoSoKu one after the other, and solvable games on bipyramids, many of each size, as single ones
//! differ a lot. The number of nodes stands in the names, so that the time says the rate.

use std::hint::black_box;
use std::time::Duration;

use combinatorics::soku::classes::{CLASSES, Classes, game};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use puzzle::soku::{Field, Soku, rotated};
use solve::search::SokuSolver;

const BOARDS: u32 = 1000;

/// Of each size.
const GAMES: u64 = 50;

fn icosoku(c: &mut Criterion) {
    let classes = Classes::new();
    let boards: Vec<[u32; 12]> =
        (0..BOARDS).map(|number| classes.capacities(number * (CLASSES / BOARDS)).map(u32::from)).collect();
    let game = game(&classes.capacities(0)).expect("a good game");
    let mut solver = SokuSolver::new(&game, 1).expect("room");
    let mut run = || boards.iter().filter(|board| solver.solve(black_box(&board[..])).is_some()).count();
    assert_eq!(run(), BOARDS as usize);
    let mut group = c.benchmark_group("icosoku");
    group.throughput(Throughput::Elements(u64::from(BOARDS)));
    group.bench_function("boards", |b| b.iter(&mut run));
    group.finish();
}

/// A game that has a solution, on two pyramids of n faces, base to base.
fn bipyramid(n: usize, largest: u32, seed: u64) -> Soku {
    let around = |place: usize| format!("Z{}", place % n);
    let upper = (0..n).map(|place| vec!["P".to_owned(), around(place), around(place + 1)]);
    let lower = (0..n).map(|place| vec!["Q".to_owned(), around(place + 1), around(place)]);
    let field = Field::new(&upper.chain(lower).collect::<Vec<_>>()).expect("a field");
    let mut bits = seed;
    let mut below = |bound: u32| {
        bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (bits >> 33) as u32 % bound
    };
    let tiles: Vec<[u32; 3]> = (0..2 * n).map(|_| [0; 3].map(|_| below(largest + 1))).collect();
    let mut capacity = vec![0; field.vertices().len()];
    for (corners, &tile) in field.faces().iter().zip(&tiles) {
        for (&vertex, weight) in corners.iter().zip(rotated(tile, below(3) as usize)) {
            capacity[vertex] += weight;
        }
    }
    Soku { field, capacity, tiles, placed: Vec::new() }
}

fn larger(c: &mut Criterion) {
    let mut group = c.benchmark_group("3soku");
    for (n, largest) in [(10, 3), (40, 3), (160, 3), (10, 10), (40, 10)] {
        let games: Vec<Soku> = (0..GAMES).map(|seed| bipyramid(n, largest, seed)).collect();
        // They share a field, but not their tiles.
        let mut solvers: Vec<SokuSolver> = games.iter().map(|game| SokuSolver::new(game, 1).expect("room")).collect();
        let run = |solvers: &mut Vec<SokuSolver>| {
            let solved =
                games.iter().zip(solvers).map(|(game, solver)| solver.solve(black_box(&game.capacity)).is_some());
            solved.filter(|solved| *solved).count()
        };
        assert_eq!(run(&mut solvers), GAMES as usize);
        let nodes: u64 = solvers.iter().map(SokuSolver::nodes).sum();
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(format!("{} faces, weights to {largest}: {nodes} nodes", 2 * n), |b| {
            b.iter(|| run(&mut solvers))
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = icosoku, larger
}
criterion_main!(benches);
