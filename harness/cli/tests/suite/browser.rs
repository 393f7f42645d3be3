//! `report.html` in a browser: with the mouse and the keys of a reader, from a file, without a network.

use std::fs;

use record::{Appender, Category, IterationRow, PlanRow, ResultsDir, RunRow, Status, write_table};
use serde_json::json;

use crate::bench::{Bench, words, workspace};
use crate::chromium::Chromium;

const CONFIG: &str = r#"
experiment = "page"
title = "Boards <script>alert(1)</script> & others"
description = "What is </script> here is text."
instances = ["tri.toml", "row.toml", "ten.toml"]

[limits]
time = "60s"

[[formulation]]
name = "resolve"
families = "C1 C2' C4c"
subloops = "resolve"

[[formulation]]
name = "report"
families = "C1 C2' C4c"

[[solver]]
name = "highs"

[[solver]]
name = "cbc"
"#;

const RUNS: usize = 12;

/// The page is there and its scripts have done their work.
const READY: &str = "document.documentElement.dataset.ready === 'true'";

/// Results of the config, with a report in `plots`.
fn reported() -> Bench {
    let bench = Bench::new();
    let ten = workspace().join("instances/tantrix/fixed/n10-round.toml");
    bench.write("ten.toml", &fs::read_to_string(ten).expect("the board of ten"));
    bench.write("page.toml", CONFIG);
    bench.run(&words("run page.toml --out out --quiet")).ok();
    bench.run(&words("report out/page -o plots --format html")).ok();
    bench
}

fn address(bench: &Bench, rest: &str) -> String {
    format!("file://{}{rest}", bench.path("plots/report.html").display())
}

/// Nothing went wrong, and nothing was asked for but the file itself.
#[track_caller]
fn is_clean(page: &Chromium) {
    assert_eq!(page.complaints(), [""; 0]);
    let foreign: Vec<_> = page
        .requests()
        .into_iter()
        .filter(|a| !["file://", "data:", "about:"].iter().any(|known| a.starts_with(known)))
        .collect();
    assert_eq!(foreign, [""; 0]);
}

/// The numbers in a column of the rows in view.
fn column(page: &mut Chromium, name: &str) -> Vec<String> {
    let texts = page.value(&format!(
        "(() => {{ const at = [...document.querySelectorAll('#runs-box th[data-column]')]
             .findIndex((heading) => heading.dataset.column === '{name}');
           return [...document.querySelectorAll('#runs-box tr[data-at]')].map((line) => line.cells[at].textContent); }})()"
    ));
    serde_json::from_value(texts).expect("texts")
}

fn numbers(texts: &[String]) -> Vec<f64> {
    texts.iter().filter(|t| !t.is_empty()).map(|t| t.replace(',', "").parse().expect("a number")).collect()
}

/// Checks a box of the menu of a column.
fn choose(page: &mut Chromium, name: &str, value: &str) {
    page.click(&format!(".menu[data-column=\"{name}\"] summary"));
    page.click(&format!(".menu[data-column=\"{name}\"] input[value=\"{value}\"]"));
    page.key("Escape");
    page.wait(&format!("!document.querySelector('.menu[data-column=\"{name}\"]').open"));
}

#[test]
fn runs_are_sorted_filtered_and_opened() {
    let Some(mut page) = Chromium::start() else { return };
    let bench = reported();
    page.open(&address(&bench, ""), READY);
    assert_eq!(page.text(".found"), format!("{RUNS} runs"));
    assert_eq!(page.text("h1"), "Boards <script>alert(1)</script> & others");

    page.click("#runs-box th[data-column=\"solve_time_s\"] button");
    let times = numbers(&column(&mut page, "solve_time_s"));
    assert!(times.is_sorted() && times.len() > 5, "{times:?}");
    page.click("#runs-box th[data-column=\"solve_time_s\"] button");
    let mut times = numbers(&column(&mut page, "solve_time_s"));
    times.reverse();
    assert!(times.is_sorted(), "{times:?}");
    assert_eq!(page.value("document.querySelector('[aria-sort]').ariaSort"), "descending");

    choose(&mut page, "solver", "cbc");
    page.wait(&format!("document.querySelector('.found').textContent === '{} of {RUNS} runs'", RUNS / 2));
    assert!(column(&mut page, "solver").iter().all(|solver| solver == "cbc"));
    choose(&mut page, "status", "infeasible");
    page.wait(&format!("document.querySelector('.found').textContent === '2 of {RUNS} runs'"));
    assert!(column(&mut page, "status").iter().all(|status| status == "infeasible"));
    let hash = page.value("location.hash");
    for part in ["solver=cbc", "status=infeasible", "sort=-solve_time_s"] {
        assert!(hash.as_str().expect("a text").contains(part), "{hash}");
    }
    // The address alone brings all of it back.
    page.open(&address(&bench, hash.as_str().expect("a text")), READY);
    assert_eq!(page.text(".found"), format!("2 of {RUNS} runs"));
    page.click("#filters .clear");
    page.wait(&format!("document.querySelector('.found').textContent === '{RUNS} runs'"));
    page.click("#search");
    page.write("ten cbc");
    page.wait(&format!("document.querySelector('.found').textContent === '2 of {RUNS} runs'"));

    page.click("#runs-box tr[data-at=\"1\"] td");
    page.wait("document.querySelector('dialog.run').dataset.ready");
    let title = page.text("#run-title");
    assert!(title.starts_with("ten, ") && title.ends_with(", cbc"), "{title}");
    // The list has two runs: to the first and no further.
    page.key("k");
    page.wait(&format!("document.querySelector('#run-title').textContent !== '{title}'"));
    page.key("k");
    page.wait("document.querySelector('dialog.run > .offscreen').textContent.includes('first run')");
    page.key("j");
    page.wait(&format!("document.querySelector('#run-title').textContent === '{title}'"));
    let command = page.text("dialog.run .command code");
    assert!(command.starts_with("tilebench solve ") && command.contains("--solver cbc"), "{command}");
    page.key("Escape");
    page.wait("!document.querySelector('dialog.run').open");
    assert_eq!(page.value("document.activeElement.closest('tr').dataset.at"), "1", "the focus is where it was");
    is_clean(&page);
}

#[test]
fn a_run_is_stepped_through() {
    let Some(mut page) = Chromium::start() else { return };
    let bench = reported();
    let rows = ResultsDir::new(bench.path("out/page")).read_runs().expect("rows");
    let run = rows.iter().filter(|r| r.category == Category::Correct).max_by_key(|r| r.iterations).expect("a run");
    let solves = run.iterations.expect("solves");
    assert!(solves > 1, "there is nothing to step through");
    let shown = |iteration: u64| format!("Iteration {iteration} ({} of {solves}): ", iteration + 1);
    let is_shown = |iteration: u64| {
        format!("document.querySelector('dialog.run .words')?.textContent.startsWith({})", json!(shown(iteration)))
    };
    let picture = "document.querySelector('dialog.run .picture svg').innerHTML";

    page.open(&address(&bench, &format!("#run={}", run.run_id)), READY);
    page.wait(&is_shown(solves - 1));
    let last = page.value(picture);
    assert!(last.as_str().is_some_and(|svg| svg.contains("<polygon")), "{last}");
    page.key("Home");
    page.wait(&is_shown(0));
    assert_ne!(page.value(picture), last);
    let words = page.text("dialog.run .words");
    assert!(words.contains("loops of") && words.contains("added after it"), "{words}");
    let label = page.value("document.querySelector('dialog.run .picture svg').getAttribute('aria-label')");
    assert!(label.as_str().is_some_and(|label| label.contains("loop")), "{label}");
    page.key("ArrowRight");
    page.wait(&is_shown(1));
    assert_eq!(page.value("location.hash"), format!("#run={}&solve=1", run.run_id));
    page.key("ArrowLeft");
    page.wait(&is_shown(0));
    page.click("dialog.run [data-step=\"play\"]");
    assert_eq!(page.text("dialog.run [data-step=\"play\"]").trim(), "Pause");
    page.wait(&is_shown(solves - 1));
    page.wait("document.querySelector('dialog.run [data-step=play]').textContent.trim() === 'Play'");
    page.key("Escape");
    page.wait("!document.querySelector('dialog.run').open");

    page.open(&address(&bench, &format!("#run={}&solve=1", run.run_id)), READY);
    page.wait(&is_shown(1));
    is_clean(&page);
}

#[test]
fn marks_of_charts_lead_to_their_runs() {
    let Some(mut page) = Chromium::start() else { return };
    let bench = reported();
    page.open(&address(&bench, ""), READY);
    let stage = "figure.chart .stage";
    page.value("document.querySelector('figure.chart').scrollIntoView({ block: 'center', behavior: 'instant' })");
    page.wait(&format!("document.querySelector('{stage} svg')"));
    page.value(&format!("document.querySelector('{stage}').focus()"));
    page.key("ArrowRight");
    page.wait(&format!("!document.querySelector('{stage} .tip').hidden"));
    let said = page.text("#live");
    assert!(["highs", "cbc"].iter().any(|solver| said.contains(solver)), "{said}");
    page.key("Enter");
    page.wait("document.querySelector('dialog.run').dataset.ready");
    let title = page.text("#run-title");
    page.key("Escape");
    page.wait("!document.querySelector('dialog.run').open");
    // The same mark with the mouse: where the keys have set the ring.
    page.value(&format!("document.querySelector('{stage}').focus()"));
    page.key("ArrowRight");
    let place = page.value(&format!(
        "(() => {{ const box = document.querySelector('{stage} .ring').getBoundingClientRect();
           return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
    ));
    let place = [0, 1].map(|i| place[i].as_f64().expect("a number"));
    page.click_at(place);
    page.wait("document.querySelector('dialog.run').dataset.ready");
    assert_eq!(page.text("#run-title"), title);
    page.key("Escape");
    page.wait("!document.querySelector('dialog.run').open");

    let marks = "document.querySelectorAll('figure.chart .mark').length";
    let before = page.value(marks).as_u64();
    page.click("figure.chart .legend button");
    assert!(page.value(marks).as_u64() < before, "a curve can be hidden");
    page.click("figure.chart .values summary");
    page.wait("document.querySelectorAll('figure.chart .values tbody tr').length > 2");
    is_clean(&page);
}

#[test]
fn tables_of_the_page_are_sorted() {
    let Some(mut page) = Chromium::start() else { return };
    let bench = reported();
    page.open(&address(&bench, ""), READY);
    let first = "document.querySelector('figure.grid tbody').innerText";
    let before = page.value(first);
    page.click("figure.grid thead th:first-child button");
    page.click("figure.grid thead th:first-child button");
    assert_eq!(page.value("document.querySelector('figure.grid [aria-sort]').ariaSort"), "descending");
    assert_ne!(page.value(first), before);
    page.click("figure.grid thead th:first-child button");
    assert_eq!(page.value(first), before, "a third press brings the order of the report back");
    is_clean(&page);
}

/// The least contrast between text and its background, over all texts in view that are not disabled.
const CONTRAST: &str = "(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (colour) => {
    const part = (value) => (value <= 10.31 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(colour[0]) + 0.7152 * part(colour[1]) + 0.0722 * part(colour[2]);
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgb(getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255, 255];
  };
  let least = [99, ''];
  for (const element of document.querySelectorAll('body *:not(svg *)')) {
    const isText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
    if (!isText || element.ariaDisabled === 'true' || !element.checkVisibility()) continue;
    const [a, b] = [light(rgb(getComputedStyle(element).color)), light(behind(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < least[0]) least = [contrast, element.outerHTML.slice(0, 99)];
  }
  return least;
})()";

#[test]
fn the_page_fits_phones_and_the_dark() {
    let Some(mut page) = Chromium::start() else { return };
    let bench = reported();
    let rows = ResultsDir::new(bench.path("out/page")).read_runs().expect("rows");
    for scheme in ["light", "dark"] {
        page.prefer("prefers-color-scheme", scheme);
        page.size(360, 740, true);
        page.open(&address(&bench, ""), READY);
        let contrast = page.value(CONTRAST);
        assert!(contrast[0].as_f64().is_some_and(|c| c >= 4.5), "{scheme}: {contrast}");
        let back = page.value("getComputedStyle(document.body).backgroundColor");
        assert_eq!(back == "rgb(255, 255, 255)", scheme == "light", "{scheme}: {back}");
        page.value("scrollTo(0, document.body.scrollHeight)");
        let width = page.value("document.documentElement.scrollWidth");
        assert_eq!(width, 360, "the page scrolls sideways");
        page.open(&address(&bench, &format!("#run={}", rows[0].run_id)), READY);
        page.wait("document.querySelector('dialog.run').dataset.ready");
        assert_eq!(page.value("document.documentElement.scrollWidth"), 360, "the page scrolls sideways beside a run");
        let sheet = page.value("document.querySelector('dialog.run .content').scrollWidth");
        assert!(sheet.as_u64().is_some_and(|width| width <= 360), "the run is {sheet} wide");
        let contrast = page.value(CONTRAST);
        assert!(contrast[0].as_f64().is_some_and(|c| c >= 4.5), "{scheme}, a run: {contrast}");
    }
    page.key("Escape");
    // The switch of the page overrules the system.
    page.click("#theme");
    assert_eq!(page.value("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)");
    is_clean(&page);
}

/// The results a hundred times and more: other seeds, other times.
fn many(bench: &Bench, number: u64) {
    let files = ResultsDir::new(bench.path("out/page"));
    let runs = files.read_runs().expect("rows");
    let solves = files.read_iterations().expect("rows");
    let (mut all, mut iterations): (Vec<RunRow>, Vec<IterationRow>) = (Vec::new(), Vec::new());
    for index in 0..number {
        let of = &runs[usize::try_from(index).expect("small") % runs.len()];
        let run_id = format!("{:016x}", index.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let time = f64::from(u16::try_from(index * 7919 % 10_007).expect("small")) / 100.0;
        let mine = solves.iter().filter(|solve| solve.run_id == of.run_id);
        iterations.extend(mine.map(|solve| IterationRow { run_id: run_id.clone(), ..solve.clone() }));
        all.push(RunRow { run_id, seed: index, solve_time_s: Some(time), ..of.clone() });
    }
    fs::remove_file(files.runs()).expect("a file");
    fs::remove_file(files.iterations()).expect("a file");
    Appender::<RunRow>::open(&files.runs()).expect("a file").append(&all).expect("written");
    Appender::<IterationRow>::open(&files.iterations()).expect("a file").append(&iterations).expect("written");
    let plan = all.iter().map(|run| PlanRow {
        run_id: run.run_id.clone(),
        instance: run.instance.clone(),
        formulation: run.formulation.clone(),
        solver: run.solver.clone(),
        seed: run.seed,
        repeat: run.repeat,
    });
    write_table(&files.plan(), plan).expect("written");
}

#[test]
fn ten_thousand_runs_are_few_rows() {
    let Some(mut page) = Chromium::start() else { return };
    let bench = reported();
    many(&bench, 10_000);
    bench.run(&words("report out/page -o plots --format html")).ok();
    page.open(&address(&bench, ""), READY);
    assert_eq!(page.text(".found"), "10,000 runs");
    let rows = "document.querySelectorAll('#runs-box tr').length";
    let few = |page: &mut Chromium| {
        let shown = page.value(rows).as_u64().expect("a number");
        assert!((5..200).contains(&shown), "{shown} rows");
    };
    few(&mut page);
    page.click("#runs-box th[data-column=\"solve_time_s\"] button");
    let times = numbers(&column(&mut page, "solve_time_s"));
    assert!(times.is_sorted() && times[0] < 0.1, "{times:?}");
    // To the end by a key, as readers do.
    page.value("document.querySelector('#runs-box tr[data-at=\"0\"] a').focus()");
    page.key("End");
    page.wait("document.activeElement.closest('tr')?.dataset.at === '9999'");
    let times = numbers(&column(&mut page, "solve_time_s"));
    assert!(times.is_sorted() && *times.last().expect("rows") > 99.0, "{times:?}");
    assert_eq!(page.value("document.activeElement.closest('tr').ariaRowIndex"), "10001");
    assert_eq!(page.value("document.querySelector('#runs-box table').ariaRowCount"), "10001");
    few(&mut page);
    choose(&mut page, "solver", "highs");
    page.wait("document.querySelector('.found').textContent === '5,000 of 10,000 runs'");
    choose(&mut page, "status", Status::Infeasible.as_str());
    page.wait("/^1,66[67] of 10,000 runs$/.test(document.querySelector('.found').textContent)");
    few(&mut page);
    page.click("#runs-box tr[data-at=\"3\"] td");
    page.wait("document.querySelector('dialog.run').dataset.ready");
    page.key("Escape");
    is_clean(&page);
}
