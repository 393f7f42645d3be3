//! The table of runs and the sheet of a run.

use record::{Category, ResultsDir};
use serde_json::json;

use super::chromium::Chromium;
use super::{READY, RUNS, address, choose, column, is_clean, numbers, reported};

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

    choose(&mut page, "solver", "batsat");
    page.wait(&format!("document.querySelector('.found').textContent === '{} of {RUNS} runs'", RUNS / 2));
    assert!(column(&mut page, "solver").iter().all(|solver| solver == "batsat"));
    choose(&mut page, "status", "infeasible");
    page.wait(&format!("document.querySelector('.found').textContent === '2 of {RUNS} runs'"));
    assert!(column(&mut page, "status").iter().all(|status| status == "infeasible"));
    let hash = page.value("location.hash");
    for part in ["solver=batsat", "status=infeasible", "sort=-solve_time_s"] {
        assert!(hash.as_str().expect("a text").contains(part), "{hash}");
    }
    // The address alone brings all of it back.
    page.open(&address(&bench, hash.as_str().expect("a text")), READY);
    assert_eq!(page.text(".found"), format!("2 of {RUNS} runs"));
    page.click("#filters .clear");
    page.wait(&format!("document.querySelector('.found').textContent === '{RUNS} runs'"));
    page.click("#search");
    page.write("forty batsat");
    page.wait(&format!("document.querySelector('.found').textContent === '2 of {RUNS} runs'"));

    page.click("#runs-box tr[data-at=\"1\"] td");
    page.wait("document.querySelector('dialog.run').dataset.ready");
    let title = page.text("#run-title");
    assert!(title.starts_with("forty, ") && title.ends_with(", batsat"), "{title}");
    // The list has two runs: to the first and no further.
    page.key("k");
    page.wait(&format!("document.querySelector('#run-title').textContent !== '{title}'"));
    page.key("k");
    page.wait("document.querySelector('dialog.run > .offscreen').textContent.includes('first run')");
    page.key("j");
    page.wait(&format!("document.querySelector('#run-title').textContent === '{title}'"));
    let command = page.text("dialog.run .command code");
    assert!(command.starts_with("tilebench solve ") && command.contains("--solver batsat"), "{command}");
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
