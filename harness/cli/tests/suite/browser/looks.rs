//! What the page looks like: narrow and wide, light and dark.

use record::ResultsDir;

use super::chromium::Chromium;
use super::{READY, address, draw_charts, is_clean, reported};

/// How much wider the page is than the window.
const BEYOND: &str = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

/// Texts of an element that cannot be read: cut off by what is around them (unless that scrolls, or tells the whole text when it is
/// pointed at), or on top of each other.
const UNREADABLE: &str = "((scope) => {
  const [wrong, seen] = [[], []];
  const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent.trim();
    if (text === '' || !element.checkVisibility() || element.closest('.offscreen, .board, .picture svg')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      let { left, right, top, bottom } = box;
      for (let at = element; at !== null && at !== document.body; at = at.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(at);
        if (overflowX === 'visible' && overflowY === 'visible') continue;
        const frame = at.getBoundingClientRect();
        const isCut = left < frame.left - 1 || right > frame.right + 1 || top < frame.top - 1 || bottom > frame.bottom + 1;
        if (isCut && overflowX === 'hidden' && !at.closest('[title]')) wrong.push(`cut off: ${text}`);
        [left, right] = [Math.max(left, frame.left), Math.min(right, frame.right)];
        [top, bottom] = [Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
      }
      if (right - left > 2 && bottom - top > 2) seen.push({ node, text, left, right, top, bottom });
    }
  }
  for (const [index, a] of seen.entries()) {
    for (const b of seen.slice(index + 1)) {
      const [wide, high] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
      if (a.node !== b.node && wide > 2 && high > 3) wrong.push(`on top of each other: ${a.text} and ${b.text}`);
    }
  }
  return wrong;
})";

#[track_caller]
fn is_readable(page: &mut Chromium, selector: &str, what: &str) {
    let wrong = page.value(&format!("[...document.querySelectorAll('{selector}')].flatMap({UNREADABLE})"));
    assert_eq!(wrong, serde_json::json!([]), "{what}, {selector}");
}

#[test]
fn the_page_fits_every_width_in_light_and_dark() {
    let Some(mut page) = Chromium::start() else { return };
    let bench = reported();
    let rows = ResultsDir::new(bench.path("out/page")).read_runs().expect("rows");
    let run = rows.iter().max_by_key(|row| row.iterations).expect("a run");
    // On a phone or not, where the scroll bar takes room.
    let cases = [
        (360, true, "light"),
        (360, true, "dark"),
        (400, true, "light"),
        (900, false, "light"),
        (1400, false, "light"),
    ];
    for (width, is_phone, scheme) in cases {
        let what = format!("{width} pixels, {scheme}, {}", if is_phone { "phone" } else { "no phone" });
        page.prefer("prefers-color-scheme", scheme);
        page.size(width, 740, is_phone);
        page.open(&address(&bench, ""), READY);
        page.value("document.querySelectorAll('details.more').forEach((part) => { part.open = true; })");
        draw_charts(&mut page);
        let back = page.value("getComputedStyle(document.body).backgroundColor");
        assert_eq!(back == "rgb(255, 255, 255)", scheme == "light", "{what}: {back}");
        let ink = page.value("getComputedStyle(document.querySelector('figure.chart .stage text')).fill");
        assert_eq!(ink, page.value("getComputedStyle(document.body).color"), "{what}: charts have the ink of the page");
        assert_eq!(page.value(BEYOND), 0, "{what}: the page scrolls sideways");
        for part in ["header", "figure", "#filters", "#runs-box"] {
            is_readable(&mut page, part, &what);
        }
        page.click(".menu[data-column=\"solver\"] summary");
        page.wait("document.querySelector('.menu[open] .choices label')");
        is_readable(&mut page, ".menu[open] .choices", &what);
        // It goes to the side where there is room.
        page.wait(
            "(() => { const { left, right } = document.querySelector('.menu[open] .choices').getBoundingClientRect();
               return left >= 0 && right <= document.documentElement.clientWidth; })()",
        );

        page.open(&address(&bench, &format!("#run={}&solve=0", run.run_id)), READY);
        page.wait("document.querySelector('dialog.run .picture svg') && document.getAnimations().length === 0");
        page.value("document.querySelectorAll('dialog.run details').forEach((part) => { part.open = true; })");
        assert_eq!(page.value(BEYOND), 0, "{what}: the page scrolls sideways beside a run");
        let left = page.value("document.querySelector('dialog.run').getBoundingClientRect().left");
        assert!(left.as_f64().is_some_and(|left| left >= 0.0), "{what}: the run begins at {left}");
        let sheet = page.value("document.querySelector('dialog.run .content').scrollWidth");
        assert!(sheet.as_u64().is_some_and(|sheet| sheet <= u64::from(width)), "{what}: the run is {sheet} wide");
        is_readable(&mut page, "dialog.run", &what);
    }
    page.key("Escape");
    // The switch of the page overrules the system.
    page.click("#theme");
    assert_ne!(page.value("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)");
    is_clean(&page);
}

/// What somebody smuggles into a page, by a name that is escaped nowhere, say, does not run: the policy names the page's own script.
#[test]
fn no_other_script_runs() {
    let Some(mut page) = Chromium::start() else { return };
    let bench = reported();
    let text = bench.read("plots/report.html");
    let smuggled = "<script>document.documentElement.dataset.smuggled = 'true'</script>\
                    <img src=\"data:,\" onerror=\"document.documentElement.dataset.smuggled = 'true'\">";
    assert_eq!(text.matches("<main").count(), 1);
    bench.write("plots/report.html", &text.replacen("<main", &format!("{smuggled}<main"), 1));
    page.open(&address(&bench, ""), READY);
    assert_eq!(page.value("document.documentElement.dataset.smuggled ?? null"), serde_json::Value::Null);
    assert_eq!(page.value("document.images.length"), 1, "what was smuggled in is there");
}
