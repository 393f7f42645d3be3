//! Many rows: what is shown of them, and how long it takes and what memory it needs to load and report them.

use crate::fixture::write;
use std::fs;
use std::time::Instant;

use report::{Analysis, Format};
use tempfile::TempDir;

use crate::large::{OF_INSTANCE, large};

#[test]
fn the_report_of_many_runs_has_them_all() {
    let (dir, out) = (TempDir::new().expect("a directory"), TempDir::new().expect("a directory"));
    large(dir.path(), 3 * OF_INSTANCE);
    let analysis = Analysis::load(dir.path()).expect("a good directory");
    assert_eq!(analysis.experiment.len() as u64, 3 * OF_INSTANCE);
    assert_eq!(analysis.warnings(), Vec::<String>::new());
    let files = write(&[analysis], out.path(), &Format::ALL).expect("a report");
    assert!(!files.is_empty());
    let page = fs::read_to_string(out.path().join("large.md")).expect("a page");
    assert!(page.contains("Runs: 300 of 300"), "{page}");
}

/// Medians of many groups are taken side by side; the stack of a thread must not grow with their number.
#[test]
fn thousands_of_groups_can_be_loaded() {
    let dir = TempDir::new().expect("a directory");
    large(dir.path(), 200 * OF_INSTANCE);
    let analysis = Analysis::load(dir.path()).expect("a good directory");
    assert_eq!(analysis.experiment.len() as u64, 200 * OF_INSTANCE);
}

/// Peak and present resident memory in MiB.
fn memory() -> [u64; 2] {
    let text = fs::read_to_string("/proc/self/status").expect("readable");
    ["VmHWM:", "VmRSS:"].map(|key| {
        let line = text.lines().find_map(|l| l.strip_prefix(key)).expect("a line");
        line.split_whitespace().next().and_then(|kb| kb.parse::<u64>().ok()).expect("a number") >> 10
    })
}

/// CPU seconds of this process so far: other work of the machine does not count.
fn cpu_s() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").expect("readable");
    let after = text.rsplit_once(')').expect("a name in brackets").1;
    let ticks: Vec<f64> = after.split_whitespace().skip(11).take(2).filter_map(|t| t.parse().ok()).collect();
    ticks.iter().sum::<f64>() / 100.0
}

/// Measures; with `ROWS` set, that many runs.
#[test]
#[ignore = "a measurement of a hundred thousand runs"]
fn a_hundred_thousand_runs() {
    let runs = std::env::var("ROWS").ok().and_then(|rows| rows.parse().ok()).unwrap_or(100_000);
    let dir = TempDir::new().expect("a directory");
    large(dir.path(), runs);
    let size = |file: &str| fs::metadata(dir.path().join(file)).expect("a file").len() >> 20;
    let (rows, solves) = (size("runs.csv"), size("iterations.csv"));
    eprintln!(
        "{runs} runs, {rows} MiB, with iterations of {solves} MiB; memory before: {:?} MiB (peak, now)",
        memory()
    );
    let (start, cpu) = (Instant::now(), cpu_s());
    let analysis = Analysis::load(dir.path()).expect("a good directory");
    let (seconds, cpu) = (start.elapsed().as_secs_f64(), cpu_s() - cpu);
    eprintln!("loaded in {seconds:.2} s (CPU {cpu:.2} s); memory {:?} MiB", memory());
    for formats in Format::ALL.iter().map(std::slice::from_ref).chain([Format::ALL.as_slice()]) {
        let out = TempDir::new().expect("a directory");
        let (start, cpu) = (Instant::now(), cpu_s());
        let files = write(std::slice::from_ref(&analysis), out.path(), formats).expect("a report");
        let (seconds, cpu) = (start.elapsed().as_secs_f64(), cpu_s() - cpu);
        eprintln!("{formats:?}: {} files in {seconds:.2} s (CPU {cpu:.2} s); memory {:?} MiB", files.len(), memory());
    }
}
