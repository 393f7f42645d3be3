//! Building models, writing them and cutting off subloops, for boards of the papers' size and well beyond.

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use combinatorics::tantrix::shapes::Shape;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use model::tantrix::cuts_against;
use model::{CutChoice, Formulation, PRESETS, build_cp, build_mip, build_sat, formats};
use puzzle::{Instance, Puzzle};

/// Numbers of tiles.
const SIZES: [usize; 2] = [60, 200];

/// Rizzo's board of IcoSoKu.
const ICOSOKU: &str = "kind = \"soku\"\nfield = \"icosahedron\"\ntiles = \"icosoku\"\ncapacity = { A = 8, B = 5, C = 11, D = 7, \
                       E = 9, F = 10, G = 3, H = 6, I = 1, J = 4, K = 2, L = 12 }\n";

/// Named formulations: with the colour variables y, and on x alone.
const FORMULATIONS: [&str; 2] = ["best", "colour"];

fn round(n: usize) -> Instance {
    let places: Vec<String> = Shape::Round.places(n, 1).iter().map(|a| format!("[{}, {}]", a.q, a.r)).collect();
    let text = format!(
        "kind = \"tantrix-fixed\"\nchallenge = {n}\ntiles = \"repeated\"\nplaces = [{}]\nknown = \"unknown\"\nsource = \"bench\"\n",
        places.join(", ")
    );
    Instance::parse(&text, Path::new("round.toml")).expect("a good instance")
}

fn preset(name: &str) -> Formulation {
    let found = PRESETS.iter().find(|preset| preset.name == name).expect("a named formulation");
    found.written().read().expect("good")
}

fn building(c: &mut Criterion) {
    let mut group = c.benchmark_group("build");
    for n in SIZES {
        let instance = round(n);
        for name in FORMULATIONS {
            let formulation = preset(name);
            group.bench_function(BenchmarkId::new(name, n), |b| {
                b.iter(|| build_mip(&formulation, black_box(&instance)).expect("makes sense"));
            });
        }
    }
    let icosoku = Instance::parse(ICOSOKU, Path::new("icosoku.toml")).expect("a good instance");
    group.bench_function("soku", |b| b.iter(|| build_mip(&preset("soku"), black_box(&icosoku)).expect("makes sense")));
    group.bench_function("soku-sat", |b| {
        b.iter(|| build_sat(&preset("soku-sat"), black_box(&icosoku)).expect("makes sense"))
    });
    group.bench_function("soku-cp", |b| {
        b.iter(|| build_cp(&preset("soku-cp"), black_box(&icosoku)).expect("makes sense"))
    });
    group.finish();
}

fn writing(c: &mut Criterion) {
    let mut group = c.benchmark_group("write");
    let mut text = Vec::new();
    for name in FORMULATIONS {
        let problem = build_mip(&preset(name), &round(60)).expect("makes sense");
        group.bench_function(BenchmarkId::new(format!("lp/{name}"), 60), |b| {
            b.iter(|| {
                text.clear();
                formats::lp(black_box(problem.model()), &mut text).expect("memory can be written");
            });
        });
        group.bench_function(BenchmarkId::new(format!("mps/{name}"), 60), |b| {
            b.iter(|| {
                text.clear();
                formats::mps(black_box(problem.model()), "round", &mut text).expect("memory can be written");
            });
        });
    }
    group.finish();
}

/// Four loops that are not there, cut off: 15 places each.
fn cutting(c: &mut Criterion) {
    let instance = round(60);
    let Puzzle::TantrixFixed(puzzle) = &instance.puzzle else { panic!("no fixed board") };
    let places: Vec<usize> = puzzle.board.numbers().collect();
    let loops: Vec<Vec<usize>> = places.chunks(15).map(<[usize]>::to_vec).collect();
    let mut group = c.benchmark_group("cuts against 4 loops");
    for choice in [CutChoice::Each, CutChoice::Region] {
        group.bench_function(choice.name(), |b| {
            b.iter(|| cuts_against(&puzzle.board, puzzle.challenge, black_box(&loops), choice));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(30).warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(2));
    targets = building, writing, cutting
}
criterion_main!(benches);
