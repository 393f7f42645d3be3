//! What the page looks like: on a phone, in the dark.

use record::ResultsDir;

use super::chromium::Chromium;
use super::{READY, address, is_clean, reported};

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
        page.value("document.querySelector('figure.chart').scrollIntoView({ behavior: 'instant' })");
        page.wait("document.querySelector('figure.chart .stage text')");
        let ink = page.value("getComputedStyle(document.querySelector('figure.chart .stage text')).fill");
        assert_eq!(
            ink,
            page.value("getComputedStyle(document.body).color"),
            "{scheme}: charts have the ink of the page"
        );
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
