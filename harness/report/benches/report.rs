//! Loading results, and reporting them in each format, at three sizes. Before each size the peak memory of doing it once.

#[path = "../tests/report/large.rs"]
mod large;

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::slice;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use report::{Analysis, Format, Options, write};
use tempfile::TempDir;

/// Numbers of runs; of solves up to ten times as many.
const SIZES: [u64; 3] = [100, 10_000, 100_000];

fn results(runs: u64) -> TempDir {
    let dir = TempDir::new().expect("a directory");
    large::large(dir.path(), runs);
    dir
}

fn of(formats: &[Format]) -> Options {
    Options { formats: formats.to_vec(), ..Options::default() }
}

fn report(dir: &Path, formats: &[Format]) -> usize {
    let out = TempDir::new().expect("a directory");
    let analysis = Analysis::load(dir).expect("a good directory");
    write(slice::from_ref(&analysis), out.path(), &of(formats)).expect("a report").len()
}

/// Peak resident memory in MiB since it was last forgotten.
fn peak() -> u64 {
    let text = fs::read_to_string("/proc/self/status").expect("readable");
    let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:")).expect("a peak");
    line.split_whitespace().next().and_then(|kb| kb.parse::<u64>().ok()).expect("a number") >> 10
}

fn reporting(c: &mut Criterion) {
    let mut group = c.benchmark_group("report");
    // Each takes seconds at the largest size.
    group.sample_size(10).measurement_time(Duration::from_secs(5));
    for runs in SIZES {
        let dir = results(runs);
        // Forgets the peak so far (proc(5)).
        fs::write("/proc/self/clear_refs", "5").expect("a kernel that forgets peaks");
        let files = report(dir.path(), &Format::ALL);
        eprintln!("{runs} runs: {files} files, peak memory {} MiB", peak());
        group.bench_function(BenchmarkId::new("load", runs), |b| {
            b.iter(|| Analysis::load(black_box(dir.path())).expect("a good directory"));
        });
        let analysis = Analysis::load(dir.path()).expect("a good directory");
        for format in Format::ALL {
            let out = TempDir::new().expect("a directory");
            group.bench_function(BenchmarkId::new(format!("write {format:?}"), runs), |b| {
                b.iter(|| write(slice::from_ref(&analysis), out.path(), &of(&[format])).expect("a report"));
            });
        }
        group.bench_function(BenchmarkId::new("all", runs), |b| {
            b.iter(|| report(black_box(dir.path()), &Format::ALL));
        });
    }
    group.finish();
}

criterion_group!(benches, reporting);
criterion_main!(benches);
