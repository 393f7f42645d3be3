//! Charts and tables within the report.

use super::chromium::Chromium;
use super::{READY, address, draw_charts, is_clean, reported};

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
    assert!(["cadical", "batsat"].iter().any(|solver| said.contains(solver)), "{said}");
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
    page.point_at([1.0, 1.0]);
    page.point_at(place);
    page.wait(&format!("document.querySelector('{stage}').classList.contains('pointing')"));
    assert!(page.text(&format!("{stage} .tip")).contains(" s"), "what the mark is");
    page.click_at(place);
    page.wait("document.querySelector('dialog.run').dataset.ready");
    assert_eq!(page.text("#run-title"), title);
    page.key("Escape");
    page.wait("!document.querySelector('dialog.run').open");

    let shown = "document.querySelectorAll('figure.chart .marks:not(.hidden) .mark').length";
    let all = page.value(shown).as_u64();
    page.click("figure.chart .entry");
    assert!(page.value(shown).as_u64() < all, "a curve can be hidden");
    assert_eq!(page.value("document.querySelector('figure.chart .entry').ariaPressed"), "false");
    page.value("document.querySelector('figure.chart .entry').focus()");
    page.key("Enter");
    assert_eq!(page.value(shown).as_u64(), all, "and be shown again");
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
    let foot = "document.querySelector('figure.grid tfoot').innerText";
    let below = page.value(foot);
    let mut seen = Vec::new();
    for order in ["ascending", "descending"] {
        page.click("figure.grid thead th:first-child button");
        assert_eq!(page.value("document.querySelector('figure.grid [aria-sort]').ariaSort"), order);
        seen.push(page.value(first));
    }
    assert_ne!(seen[0], seen[1]);
    assert_eq!(page.value(foot), below, "what sums up the rows stays below them");
    page.click("figure.grid thead th:first-child button");
    assert_eq!(page.value(first), before, "a third press brings the order of the report back");
    is_clean(&page);
}

#[test]
fn charts_take_the_room_that_was_kept_for_them() {
    let Some(mut page) = Chromium::start() else { return };
    let bench = reported();
    let heights = "[...document.querySelectorAll('figure.chart')].map((chart) => Math.round(chart.getBoundingClientRect().height))";
    for (width, is_phone) in [(360, true), (1000, false), (1500, false)] {
        page.size(width, 740, is_phone);
        page.open(&address(&bench, ""), READY);
        page.value("document.querySelectorAll('details.more').forEach((part) => { part.open = true; })");
        let kept = page.value(heights);
        draw_charts(&mut page);
        let taken = page.value(heights);
        let [kept, taken] = [kept, taken].map(|of| serde_json::from_value::<Vec<i64>>(of).expect("numbers"));
        assert!(!kept.is_empty() && kept.len() == taken.len());
        let differ = |(kept, taken): (&i64, &i64)| (kept - taken).abs() > 2;
        assert!(!kept.iter().zip(&taken).any(differ), "{width} pixels: {kept:?}, {taken:?}");
    }
}
