//! Nodes of our own searches: the plain walk, propagation on a fixed board and on the open plane. The number of nodes
//! stands in the names, so that the time says the rate.

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use combinatorics::tantrix::shapes::Shape;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use model::{Formulation, FormulationKind, Strategy};
use puzzle::Instance;
use solve::search::{Settings, explore};

const SETTINGS: Settings = Settings { seed: 1, restarts: true, sum_check: true, time_limit: None };

fn natural(challenge: usize) -> Instance {
    let text = format!("kind = \"tantrix-natural\"\nchallenge = {challenge}\ntiles = \"distinct\"\n");
    Instance::parse(&text, Path::new("natural.toml")).expect("a good instance")
}

fn round(challenge: usize) -> Instance {
    let places: Vec<String> =
        Shape::Round.places(challenge, 1).iter().map(|at| format!("[{}, {}]", at.q, at.r)).collect();
    let text = format!(
        "kind = \"tantrix-fixed\"\nchallenge = {challenge}\ntiles = \"repeated\"\nplaces = [{}]\n",
        places.join(", ")
    );
    Instance::parse(&text, Path::new("round.toml")).expect("a good instance")
}

fn searching(c: &mut Criterion) {
    let cases = [
        ("walk, open plane 9", natural(9), Strategy::Walk),
        ("propagate, open plane 9", natural(9), Strategy::Propagate),
        ("propagate, fixed 20", round(20), Strategy::Propagate),
        ("propagate, fixed 30", round(30), Strategy::Propagate),
    ];
    let mut group = c.benchmark_group("search");
    for (name, instance, strategy) in &cases {
        let formulation =
            Formulation::plain("search", FormulationKind::Search).with("strategy", *strategy).expect("good");
        let run = || explore(black_box(instance), &formulation, SETTINGS, None, &mut |_| false).expect("makes sense");
        let nodes = run().nodes;
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(format!("{name}: {nodes} nodes"), |b| b.iter(run));
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = searching
}
criterion_main!(benches);
