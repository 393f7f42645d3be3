//! `report.html` in a browser: with the mouse and the keys of a reader, from a file, without a network.

mod axe;
mod charts;
mod chromium;
mod keys;
mod looks;
mod many;
mod runs;
mod solid;

use chromium::Chromium;

use crate::bench::{Bench, words};

const CONFIG: &str = r#"
experiment = "page"
title = "Boards <script>alert(1)</script> & others"
description = "What is </script> here is text."
instances = ["tri.toml", "row.toml", "forty.toml"]

[limits]
time = "60s"

[[formulation]]
name = "resolve"
kind = "sat"
subloops = "resolve"
short-loops = 3

[[formulation]]
name = "report"
kind = "sat"
subloops = "report"

[[solver]]
name = "cadical"

[[solver]]
name = "batsat"
"#;

pub const RUNS: usize = 12;

/// The page is there and its scripts have done their work.
pub const READY: &str = "document.documentElement.dataset.ready === 'true'";

/// Results of the config, with a report in `plots`.
pub fn reported() -> Bench {
    let bench = ran(CONFIG, &[("tantrix/fixed/n40-round.toml", "forty.toml")]);
    report(&bench);
    bench
}

/// Results in `out/page` of a config that calls its experiment so, with these instances of the project under names of their own.
pub fn ran(config: &str, instances: &[(&str, &str)]) -> Bench {
    let bench = Bench::new();
    instances.iter().for_each(|(instance, name)| bench.copy(instance, name));
    bench.write("page.toml", config);
    bench.run(&words("run page.toml --out out --quiet")).ok();
    bench
}

/// Writes the report of these results into `plots`.
pub fn report(bench: &Bench) {
    bench.run(&words("report out/page -o plots --format html")).ok();
}

/// Shows every chart: they are drawn when they come near the view.
pub fn draw_charts(page: &mut Chromium) {
    let number = page.value("document.querySelectorAll('figure.chart').length").as_u64().expect("a number");
    for chart in 0..number {
        let chart = format!("[...document.querySelectorAll('figure.chart')][{chart}]");
        if page.value(&format!("{chart}.checkVisibility()")) == true {
            page.value(&format!("{chart}.scrollIntoView({{ behavior: 'instant' }})"));
            page.wait(&format!("{chart}.querySelector('.stage svg')"));
        }
    }
    page.value("scrollTo({ top: 0, behavior: 'instant' })");
}

pub fn address(bench: &Bench, rest: &str) -> String {
    format!("file://{}{rest}", bench.path("plots/report.html").display())
}

/// Nothing went wrong, and nothing was asked for but the file itself.
#[track_caller]
pub fn is_clean(page: &Chromium) {
    assert_eq!(page.complaints(), [""; 0]);
    let foreign: Vec<_> = page
        .requests()
        .into_iter()
        .filter(|a| !["file://", "data:", "about:"].iter().any(|known| a.starts_with(known)))
        .collect();
    assert_eq!(foreign, [""; 0]);
}

/// The numbers in a column of the rows in view.
pub fn column(page: &mut Chromium, name: &str) -> Vec<String> {
    let texts = page.value(&format!(
        "(() => {{ const at = [...document.querySelectorAll('#runs-box th[data-column]')]
             .findIndex((heading) => heading.dataset.column === '{name}');
           return [...document.querySelectorAll('#runs-box tr[data-at]')].map((line) => line.cells[at].textContent); }})()"
    ));
    serde_json::from_value(texts).expect("texts")
}

pub fn numbers(texts: &[String]) -> Vec<f64> {
    texts.iter().filter(|t| !t.is_empty()).map(|t| t.replace(',', "").parse().expect("a number")).collect()
}

/// Checks a box of the menu of a column.
pub fn choose(page: &mut Chromium, name: &str, value: &str) {
    page.click(&format!(".menu[data-column=\"{name}\"] summary"));
    page.click(&format!(".menu[data-column=\"{name}\"] input[value=\"{value}\"]"));
    page.key("Escape");
    page.wait(&format!("!document.querySelector('.menu[data-column=\"{name}\"]').open"));
}
