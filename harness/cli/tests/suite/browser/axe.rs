//! The page by the rules of axe-core: WCAG 2 to 2.2, levels A and AA, and its best practices.

use std::{env, fs};

use record::ResultsDir;

use super::chromium::Chromium;
use super::{READY, address, draw_charts, is_clean, reported};
use crate::bench::leave_out;

/// All rules. Names of buttons must hold what they show; that rule has to be asked for.
const ALL: &str = "{
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  rules: { 'label-content-name-mismatch': { enabled: true } },
}";

/// The one that colours matter to.
const CONTRAST: &str = "{ runOnly: { type: 'rule', values: ['color-contrast'] } }";

/// What breaks a rule, an element each.
const VIOLATIONS: &str = ".then(({ violations, passes }) => ({
  rules: passes.length,
  passed: passes.flatMap(({ nodes }) => nodes).length,
  broken: violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)}; ${node.failureSummary}`)),
}))";

/// The script of axe-core, where a folder of NODE_PATH has the package.
fn script() -> Option<String> {
    let folders = env::var_os("NODE_PATH").unwrap_or_default();
    let script = env::split_paths(&folders).find_map(|at| fs::read_to_string(at.join("axe-core/axe.min.js")).ok());
    if script.is_none() {
        leave_out("axe-core", "npm install axe-core, with its node_modules in NODE_PATH");
    }
    script
}

#[track_caller]
fn no_rule_is_broken(page: &mut Chromium, rules: &str, what: &str) {
    page.wait("document.getAnimations().length === 0");
    let found = page.value(&format!("axe.run(document, {rules}){VIOLATIONS}"));
    let broken = found["broken"].as_array().expect("a list");
    let texts: Vec<_> = broken.iter().map(|text| text.as_str().expect("a text")).collect();
    assert!(broken.is_empty(), "{what}:\n{}", texts.join("\n\n"));
    let (checked, least) = if rules == ALL { ("rules", 10) } else { ("passed", 5) };
    assert!(found[checked].as_u64() > Some(least), "{what}: {found}");
}

#[test]
fn the_page_keeps_the_rules_of_axe() {
    let (Some(mut page), Some(axe)) = (Chromium::start(), script()) else { return };
    let bench = reported();
    let rows = ResultsDir::new(bench.path("out/page")).read_runs().expect("rows");
    let run = rows.iter().max_by_key(|row| row.iterations).expect("a run");
    // The policy of the page lets no other script in; the developer's console is not bound by it.
    let open = |page: &mut Chromium, rest: &str| {
        page.open(&address(&bench, rest), READY);
        page.value(&format!("{axe}; true"));
    };
    for (scheme, rules) in [("light", ALL), ("dark", CONTRAST)] {
        page.prefer("prefers-color-scheme", scheme);
        page.size(1280, 900, false);
        open(&mut page, "");
        draw_charts(&mut page);
        no_rule_is_broken(&mut page, rules, &format!("{scheme}, the page"));
        page.value("document.querySelectorAll('details:not(.menu)').forEach((part) => { part.open = true; })");
        draw_charts(&mut page);
        page.wait("document.querySelector('figure.chart .values table')");
        page.click(".menu[data-column=\"solver\"] summary");
        page.wait("document.querySelector('.menu[data-column=\"solver\"]').open");
        no_rule_is_broken(&mut page, rules, &format!("{scheme}, with all that unfolds"));
        // A mark of several runs leads to a list of them.
        page.value(
            "[...document.querySelectorAll('.values button')].find((button) => !button.textContent.startsWith('1 ')).click()",
        );
        page.wait("document.querySelector('dialog.list').open");
        no_rule_is_broken(&mut page, rules, &format!("{scheme}, a list of runs"));
        open(&mut page, &format!("#run={}", run.run_id));
        page.wait("document.querySelector('dialog.run .picture svg')");
        no_rule_is_broken(&mut page, rules, &format!("{scheme}, a run"));
        page.value("document.querySelectorAll('dialog.run details').forEach((part) => { part.open = true; })");
        page.size(400, 800, true);
        no_rule_is_broken(&mut page, rules, &format!("{scheme}, a run on a phone"));
    }
    is_clean(&page);
}
