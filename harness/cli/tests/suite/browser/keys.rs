//! The page without a mouse: Tab leads to everything that can be pressed, and shows where it is.

use super::chromium::Chromium;
use super::{READY, RUNS, address, draw_charts, is_clean, reported};

/// What Tab must lead to: everything that can be pressed or scrolled. Of the table of runs it is one row, the others by arrow keys.
const STOPS: &str = "[...(document.querySelector('dialog[open]') ?? document)
  .querySelectorAll('a[href], button, input, summary, [tabindex=\"0\"]')]
  .filter((at) => at.checkVisibility() && at.tabIndex >= 0)";

/// What is wrong with the focus: nothing if it is outlined and in view, with nothing before it.
const FOCUS: &str = "(() => {
  const at = document.activeElement;
  const name = at.outerHTML.slice(0, 120);
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  if (outlineStyle === 'none' || parseFloat(outlineWidth) < 2) return `no outline: ${name}`;
  const box = at.getBoundingClientRect();
  const parts = [0.02, 0.25, 0.5, 0.75, 0.98];
  const isSeen = parts.some((x) => parts.some((y) => {
    const hit = document.elementFromPoint(box.left + x * box.width, box.top + y * box.height);
    return hit !== null && at.contains(hit);
  }));
  return isSeen ? '' : `not in view: ${name}`;
})()";

/// Presses Tab; the focus must be seen.
#[track_caller]
fn tab(page: &mut Chromium) {
    page.key("Tab");
    if page.value("document.activeElement !== document.body") == true {
        assert_eq!(page.value(FOCUS), "");
    }
}

/// Presses Tab until an element has the focus.
#[track_caller]
fn reach(page: &mut Chromium, selector: &str) {
    let is_there = format!("document.activeElement.matches('{selector}')");
    for _ in 0..300 {
        tab(page);
        if page.value(&is_there) == true {
            return;
        }
    }
    panic!("Tab does not lead to {selector}");
}

/// Presses Tab until all stops have had the focus.
#[track_caller]
fn reach_all(page: &mut Chromium) {
    let number = page.value(&format!("(globalThis.left = new Set({STOPS})).size")).as_u64().expect("a number");
    for _ in 0..number + 20 {
        tab(page);
        if page.value("(left.delete(document.activeElement), left.size)") == 0 {
            return;
        }
    }
    let missed = page.value("[...left].map((at) => at.outerHTML.slice(0, 120))");
    panic!("Tab does not lead to {missed:#}");
}

#[test]
fn tab_leads_everywhere() {
    let Some(mut page) = Chromium::start() else { return };
    let bench = reported();
    page.prefer("prefers-reduced-motion", "reduce");
    page.size(1000, 700, false);
    page.open(&address(&bench, ""), READY);
    page.value("document.querySelectorAll('details.more').forEach((part) => { part.open = true; })");
    draw_charts(&mut page);
    let stops = page.value(&format!("{STOPS}.length"));
    assert!(stops.as_u64() > Some(30), "{stops}");
    reach_all(&mut page);
    // One row of the table; the others by arrow keys, as far as the table goes.
    page.value("document.querySelector('#runs-box tbody a[tabindex=\"0\"]').focus()");
    for row in 1..RUNS {
        page.key("ArrowDown");
        page.wait(&format!("document.activeElement.closest('tr').dataset.at === '{row}'"));
        assert_eq!(page.value(FOCUS), "");
    }
    page.key("Enter");
    page.wait("document.querySelector('dialog.run').dataset.ready");
    page.value("document.querySelectorAll('dialog.run details').forEach((part) => { part.open = true; })");
    reach_all(&mut page);
    is_clean(&page);
}

#[test]
fn everything_works_by_keys() {
    let Some(mut page) = Chromium::start() else { return };
    let bench = reported();
    page.prefer("prefers-reduced-motion", "reduce");
    page.size(1000, 700, false);
    page.open(&address(&bench, ""), READY);
    draw_charts(&mut page);

    tab(&mut page);
    assert_eq!(page.text(":focus"), "Skip to the report");
    page.key("Enter");
    page.wait("document.activeElement.id === 'main'");
    page.open(&address(&bench, ""), READY);
    draw_charts(&mut page);

    let back = "getComputedStyle(document.body).backgroundColor";
    let before = page.value(back);
    reach(&mut page, "#theme");
    page.key(" ");
    assert_ne!(page.value(back), before, "light or dark");

    reach(&mut page, "figure.grid thead button");
    page.key("Enter");
    assert_eq!(page.value("document.activeElement.closest('th').ariaSort"), "ascending");

    reach(&mut page, "details.more > summary");
    page.key("Enter");
    page.wait("document.activeElement.parentElement.open");
    page.key(" ");
    page.wait("!document.activeElement.parentElement.open");

    reach(&mut page, ".stage");
    page.key("ArrowRight");
    page.wait("document.querySelector('.stage:focus .tip').checkVisibility()");
    page.key("Enter");
    page.wait("document.querySelector('dialog.run').dataset.ready");
    page.key("Escape");
    page.wait("!document.querySelector('dialog.run').open && document.activeElement.matches('.stage')");
    reach(&mut page, ".entry");
    page.key(" ");
    assert_eq!(page.value("document.activeElement.ariaPressed"), "false");
    page.key("Enter");
    assert_eq!(page.value("document.activeElement.ariaPressed"), "true");
    reach(&mut page, ".values summary");
    page.key("Enter");
    page.wait("document.querySelector('.values[open] tbody tr')");
    reach(&mut page, ".values button");
    page.key("Enter");
    page.wait("document.querySelector('dialog.run').dataset.ready");
    page.key("Escape");
    page.wait("document.activeElement.matches('.values button')");

    reach(&mut page, "#search");
    page.write("forty");
    page.wait(&format!("document.querySelector('.found').textContent === '4 of {RUNS} runs'"));
    reach(&mut page, ".menu[data-column=solver] summary");
    page.key("Enter");
    reach(&mut page, ".menu[data-column=solver] input");
    page.key(" ");
    page.wait(&format!("document.querySelector('.found').textContent === '2 of {RUNS} runs'"));
    page.key("Escape");
    page.wait("!document.activeElement.parentElement.open");
    reach(&mut page, "#filters .clear");
    page.key("Enter");
    page.wait(&format!("document.querySelector('.found').textContent === '{RUNS} runs'"));
    reach(&mut page, "#runs-box thead button");
    page.key("Enter");
    assert_eq!(page.value("document.activeElement.closest('th').ariaSort"), "ascending");
    reach(&mut page, "#runs-box tbody a");
    page.key("Enter");
    page.wait("document.querySelector('dialog.run').dataset.ready");
    reach(&mut page, "dialog.run details summary");
    page.key("Enter");
    page.wait("document.activeElement.parentElement.open");
    reach(&mut page, "dialog.run .close");
    page.key("Enter");
    page.wait("document.activeElement.matches('#runs-box tbody a')");
    is_clean(&page);
}
