//! `tilebench report`: only that it meets the results of `run`; what it writes is its own crate's business.

use std::fs;

use crate::bench::{Bench, words};
use crate::run::small;

/// Results of the triangle.
fn measured() -> Bench {
    let bench = small();
    bench.run(&words("run small.toml --out out --profile quick --quiet")).ok();
    bench
}

#[test]
fn results_become_pages() {
    let bench = measured();
    let ran = bench.run(&words("report out/small -o plots")).ok();
    assert!(ran.out.ends_with("start reading at plots/index.md\n"), "{ran:?}");
    assert!(bench.read("plots/index.md").contains("Small boards"));
    let mut files = 0;
    for entry in fs::read_dir(bench.path("plots")).expect("the folder") {
        let path = entry.expect("an entry").path();
        assert!(fs::metadata(&path).expect("a file").len() > 0, "{} is empty", path.display());
        files += 1;
    }
    assert!(ran.out.starts_with(&format!("{files} files in plots\n")), "{ran:?}");
    let page = bench.read("plots/small.md");
    for solver in ["highs", "cbc", "microlp"] {
        assert!(page.contains(solver), "{solver}: {page}");
    }
    assert!(bench.path("plots/report.tex").exists());
}

#[test]
fn formats_can_be_chosen() {
    let bench = measured();
    bench.run(&words("report out/small -o plots --format md")).ok();
    assert!(bench.path("plots/index.md").exists());
    assert!(!bench.path("plots/report.tex").exists());
    bench.run(&words("report out/small -o plots --format pdf")).refused(&["pdf", "latex"]);
}

#[test]
fn what_holds_no_results_is_refused() {
    let bench = Bench::new();
    bench.run(&words("report nowhere")).refused(&["nowhere: no manifest.json"]);
    assert_eq!(bench.names(), ["row.toml", "tri.toml"]);
}
