//! `tilebench report`: only that it meets the results of `run`; what it writes is its own crate's business.

use std::fs;
use std::os::unix::fs::symlink;

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
    let ending = "start reading at plots/index.md\nopen plots/report.html in a browser\n";
    assert!(ran.out.ends_with(ending), "{ran:?}");
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
    assert!(!bench.path("plots/report.tex").exists());
    bench.run(&words("report out/small -o papers --format latex")).ok();
    assert!(bench.path("papers/report.tex").exists());
}

#[test]
fn tables_are_printed() {
    let bench = measured();
    let times = bench.run(&words("table out/small times")).ok();
    assert!(times.out.contains("Total time (s)") && times.out.contains("highs"), "{times:?}");
    // Nobody reads colours from a pipe.
    assert!(!times.out.contains('\u{1b}'), "{times:?}");
    bench.run(&words("table out time")).refused(&["no table `time`", "small-times"]);
}

#[test]
fn a_report_replaces_reports_only() {
    let bench = measured();
    fs::create_dir(bench.path("docs")).expect("a folder");
    bench.write("docs/index.md", "# My book\n");
    let ran = bench.run(&words("report out/small -o docs"));
    assert!(ran.code == 2 && ran.err.contains("docs/index.md is there and is no report"), "{ran:?}");
    assert_eq!(fs::read_dir(bench.path("docs")).expect("the folder").count(), 1, "nothing is written");
    assert_eq!(bench.read("docs/index.md"), "# My book\n");
    // Nor a file where the folder is to be, or a link that leads nowhere.
    symlink("nowhere", bench.path("link")).expect("a link");
    for (place, there) in
        [("docs/index.md", "docs/index.md"), ("docs/index.md/below", "docs/index.md"), ("link/x", "link")]
    {
        let ran = bench.run(&["report", "out/small", "-o", place]);
        assert!(ran.code == 2 && ran.err.contains(&format!("error: {there} is there and is no report")), "{ran:?}");
        bench.run(&["merge", "out/small", "-o", place]).refused(&[&format!("--out {place}: {there} is no directory")]);
    }
    // A format without that file, and a report over an older one.
    bench.run(&words("report out/small -o docs --format csv")).ok();
    for _ in 0..2 {
        let ran = bench.run(&words("report out/small -o plots --format md")).ok();
        assert!(!ran.err.contains("note: "), "{ran:?}");
    }
    // What an earlier one wrote and this one does not is left, and named.
    bench.write("plots/small-old.svg", "<svg/>");
    let ran = bench.run(&words("report out/small -o plots --format md")).ok();
    assert!(
        ran.err.contains("note: 1 file in plots is not of this report") && ran.err.contains("small-old.svg"),
        "{ran:?}"
    );
    assert_eq!(bench.read("plots/small-old.svg"), "<svg/>");
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
fn a_folder_of_results_is_reported_whole() {
    let bench = measured();
    bench
        .write("small10.toml", &bench.read("small.toml").replace("experiment = \"small\"", "experiment = \"small10\""));
    bench.write("small9.toml", &bench.read("small.toml").replace("experiment = \"small\"", "experiment = \"small9\""));
    bench.run(&words("run small10.toml small9.toml --out out --profile quick --quiet")).ok();
    // A folder without results is no matter, and what was named already is not shown again.
    fs::create_dir(bench.path("out/notes")).expect("a folder");
    let ran = bench.run(&words("report out out/small9 -o plots --format md")).ok();
    assert!(ran.out.starts_with("out holds 3 experiments: small, small9, small10\n"), "{ran:?}");
    let index = bench.read("plots/index.md");
    let places = ["](#small)", "](#small9)", "](#small10)"].map(|link| index.find(link).expect("a link"));
    assert!(places.is_sorted() && index.matches("\n## ").count() == 3, "{index}");
}

#[test]
fn a_manifest_that_does_not_fit_is_refused_by_name_and_version() {
    let bench = measured();
    fs::create_dir(bench.path("out/old")).expect("a folder");
    bench.write("out/old/manifest.json", r#"{"schema_version": 2, "experiment": "old", "run_ids": []}"#);
    for call in ["report out -o plots", "report out/small out/old -o plots"] {
        bench.run(&words(call)).refused(&["out/old/manifest.json", "schema version 2", "`title`"]);
    }
    assert!(!bench.path("plots").exists());
}

#[test]
fn what_holds_no_results_is_refused() {
    let bench = Bench::new();
    bench.run(&words("report nowhere")).refused(&["nowhere: there is no such folder"]);
    bench.run(&words("report tri.toml")).refused(&["tri.toml: this is a file"]);
    assert_eq!(bench.names(), ["row.toml", "tri.toml"]);
    fs::create_dir(bench.path("empty")).expect("a folder");
    bench.run(&words("report empty")).refused(&["empty: no manifest.json", "tilebench run CONFIG"]);
}

#[test]
fn results_further_down_are_named() {
    let bench = measured();
    fs::create_dir_all(bench.path("turns/new")).expect("a folder");
    fs::rename(bench.path("out"), bench.path("turns/base")).expect("moved");
    bench.run(&words("report turns -o plots")).refused(&["turns", "turns/base"]);
    // Beside results that are taken, those that are not.
    fs::create_dir(bench.path("all")).expect("a folder");
    fs::rename(bench.path("turns/base/small"), bench.path("all/small")).expect("moved");
    bench.run(&words("run small.toml --out all/older --profile quick --quiet")).ok();
    let ran = bench.run(&words("report all -o plots --format md")).ok();
    assert!(ran.out.starts_with("all holds 1 experiment: small\n") && ran.err.contains("all/older"), "{ran:?}");
}

#[test]
fn what_is_proposed_next_replaces_no_other_report() {
    let bench = measured();
    let next = |out: &str| bench.run(&words(&format!("run small.toml --profile quick --out {out}"))).ok().out;
    assert!(next("new").contains("next: tilebench report new/small -o plots/new-small\n"));
    assert!(next("newer").contains("next: tilebench report newer/small -o plots/newer-small\n"));
}

#[test]
fn a_report_is_not_written_into_results() {
    let bench = measured();
    let before = bench.read("out/small/runs.csv");
    for output in ["out/small", "./out/../out/small/", "out/small/plots"] {
        bench.run(&words(&format!("report out/small -o {output}"))).refused(&[output, "--output"]);
    }
    assert_eq!(bench.read("out/small/runs.csv"), before);
    assert!(!bench.path("out/small/index.md").exists() && !bench.path("out/small/plots").exists());
    bench.run(&words("report out/small -o out --format md")).ok();
}

/// A document with marks, one of which can be chosen.
fn document(stem: &str) -> String {
    format!(
        "# Ours\n\n<!-- tilebench: table {stem} -->\nstale\n<!-- /tilebench -->\n\n\
         <!-- tilebench: figure small-total-time to=pictures -->\n<!-- /tilebench -->\n"
    )
}

#[test]
fn a_document_is_renewed_from_results_and_only_once() {
    let bench = measured();
    bench.write("README.md", &document("small-times"));
    let check = words("report out --splice README.md --check");
    let ran = bench.run(&check);
    assert_eq!(ran.code, 1, "{ran:?}");
    let named = ["README.md", "pictures/small-total-time.svg", "not as these results make it"];
    assert!(named.iter().all(|name| ran.err.contains(name)), "{ran:?}");
    assert_eq!(bench.read("README.md"), document("small-times"), "a check changes nothing");
    assert!(!bench.path("pictures").exists());

    let ran = bench.run(&words("report out --splice README.md")).ok();
    assert!(ran.out.ends_with("renewed pictures/small-total-time.svg\nrenewed README.md\n"), "{ran:?}");
    let renewed = bench.read("README.md");
    assert!(renewed.contains("| highs |") || renewed.contains("<br>highs |"), "{renewed}");
    assert!(!renewed.contains("stale") && !bench.path("plots").exists(), "{renewed}");
    assert!(bench.read("pictures/small-total-time.svg").starts_with("<svg"));

    bench.run(&check).ok();
    let ran = bench.run(&words("report out --splice README.md")).ok();
    assert!(ran.out.ends_with("all as these results make it\n") && bench.read("README.md") == renewed, "{ran:?}");
    bench.write("pictures/small-total-time.svg", "<svg/>");
    assert_eq!(bench.run(&check).code, 1);
}

#[test]
fn a_mistake_in_any_document_leaves_all_as_they_are() {
    let bench = measured();
    bench.write("good.md", &document("small-times"));
    bench.write("bad.md", &document("small-tims"));
    // Behind warnings about the results.
    let ran = bench.run(&words("report out --splice good.md --splice bad.md"));
    let named = ["error: bad.md, line 3: ", "no table `small-tims`", "small-times"];
    assert!(ran.code == 2 && named.iter().all(|name| ran.err.contains(name)), "{ran:?}");
    assert_eq!(bench.read("good.md"), document("small-times"));
    assert!(!bench.path("pictures").exists());
    let ran = bench.run(&words("report out --splice nowhere.md"));
    assert!(ran.code == 2 && ran.err.contains("error: nowhere.md"), "{ran:?}");
    bench.run(&words("report out --check")).refused(&["--splice"]);
    bench.run(&words("report out --splice good.md -o plots")).refused(&["--splice", "--output"]);
}
