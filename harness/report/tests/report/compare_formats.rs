//! Comparisons as text: Markdown for GitHub, JUnit XML for test reports, JSON for programs.

use record::{Category, RunRow, Status};
use report::compare::{Aspect, Comparison, MOST_CHARACTERS, Options, json, junit, markdown};

use crate::compare::{changed, rows};

/// Text that means something in Markdown, in XML and to GitHub.
const NASTY: &str = "a|b <i>&amp; \"q\" 'r' `c` *d* _e_ @user #12\r\n\u{1b}[31m\u{1}\u{fffe}<failure>]]>";

/// A crash with such a text, a borderline run, a slower group, a missing run.
fn everything() -> Comparison {
    let mut base = rows(10);
    (base[1].wall_time_s, base[1].cpu_time_s) = (Some(19.0), Some(18.9));
    let spoil = |number: usize, row: &mut RunRow| {
        if row.solver == "cbc" {
            for time in [&mut row.solve_time_s, &mut row.wall_time_s, &mut row.cpu_time_s] {
                *time = time.map(|time| 3.0 * time);
            }
        }
        match number {
            0 => {
                (row.status, row.category) = (Status::Crash, Category::Error);
                row.message = Some(NASTY.to_owned());
                row.instance = format!("n5 {NASTY}");
            }
            1 => {
                (row.status, row.category) = (Status::Timeout, Category::Unknown);
                row.termination_reason = "hard-limit".to_owned();
            }
            2 => row.nodes = Some(1_000_000),
            3 => (row.seed, row.run_id) = (99, "another".to_owned()),
            _ => {}
        }
    };
    changed(&base, &Options::default(), spoil)
}

#[test]
fn markdown_says_first_what_fails() {
    let text = markdown(&everything());
    assert!(
        text.starts_with(
            "<!-- tilebench compare -->\n### tilebench: 5 regressions (failure 1, count 1, time 3); incomplete: 1 run of BASE not measured in NEW\n\n79 runs"
        ),
        "{text}"
    );
    let place = |part: &str| text.find(part).unwrap_or_else(|| panic!("no {part} in\n{text}"));
    assert!(place("| failure | ") < place("<details><summary>1 at a limit"));
    assert!(place("| time | basic / cbc | time × ") < place("<details><summary>Times by group"));
    assert!(text.contains("1 only in BASE, 1 only in NEW"));
    assert!(
        text.contains("optimal (correct) → timeout (unknown, hard-limit), which one measurement may show by chance")
    );
    // Nothing of the text is taken for markup, a mention or a link to an issue.
    for raw in ["<i>", "a|b", " `c`", "@user", "#12", "\r"] {
        assert!(!text.contains(raw), "{raw}");
    }
    // Rows of a table have as many cells as its head.
    for table in text.split("\n\n").filter(|part| part.contains("|---")) {
        let cells = |line: &str| line.replace("\\|", "").matches('|').count();
        let lines: Vec<_> = table.lines().filter(|line| line.starts_with('|')).collect();
        assert!(lines.iter().all(|line| cells(line) == cells(lines[0])), "{table}");
    }
    assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
}

#[test]
fn markdown_of_equal_results_is_short_and_names_the_rules() {
    let text = markdown(&changed(&rows(1), &Options::default(), |_, _| ()));
    assert!(text.contains("### tilebench: no regression\n\n8 runs are in both; 0 only in BASE, 0 only in NEW. BASE: tilebench abc1234."), "{text}");
    assert!(text.contains("Counts and sizes: 64 of 64 are equal"), "{text}");
    assert!(text.contains("times: 4 of 4 groups with too few instances"), "{text}");
    assert!(text.contains("<sub>Fails on: wrong, failure, status, objective, count, time, missing. "), "{text}");
    assert!(text.len() < 3_000);
}

#[test]
fn markdown_stays_within_what_github_takes() {
    let base = rows(150);
    let found = changed(&base, &Options::default(), |_, row| {
        (row.status, row.category) = (Status::Crash, Category::Error);
        row.instance += &"@#|".repeat(200);
    });
    let text = markdown(&found);
    assert!((MOST_CHARACTERS / 2..=MOST_CHARACTERS).contains(&text.len()), "{}", text.len());
    assert!(text.contains(" more are left out here: `--json` and `--junit` write all of them."), "{text}");
    assert!(text.trim_end().ends_with("</sub>"));
    assert_eq!(junit(&found).matches("<failure ").count(), base.len());
}

#[test]
fn junit_is_xml_with_a_case_for_each_run() {
    let found = everything();
    let text = junit(&found);
    let document = roxmltree::Document::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "testsuites");
    let number = |node: &roxmltree::Node, name: &str| -> usize {
        node.attribute(name).and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{name}: {node:?}"))
    };
    let mut names = Vec::new();
    for suite in root.children().filter(roxmltree::Node::is_element) {
        let cases: Vec<_> = suite.children().filter(|node| node.has_tag_name("testcase")).collect();
        let with = |tag: &str| cases.iter().filter(|c| c.children().any(|n| n.has_tag_name(tag))).count();
        assert_eq!(number(&suite, "tests"), cases.len());
        assert_eq!(number(&suite, "failures"), with("failure"));
        assert_eq!((number(&suite, "skipped"), number(&suite, "errors")), (with("skipped"), 0));
        assert!(cases.iter().all(|case| case.attribute("time").is_some_and(|time| time.parse::<f64>().is_ok())));
        names.push(suite.attribute("name").expect("a name"));
    }
    assert_eq!(names, ["one / cbc", "one / highs", "groups"]);
    assert!(found.warnings.is_empty() && !text.contains("<system-err>"));
    // 80 runs, one of which each side has alone, and five groups.
    assert_eq!((number(&root, "tests"), number(&root, "failures"), number(&root, "skipped")), (81 + 5, 4, 1));

    let failure = document.descendants().find(|n| n.has_tag_name("failure")).expect("a failure");
    let crash = document.descendants().find(|n| n.attribute("type") == Some("failure")).expect("a crash");
    assert!(failure.attribute("message").is_some());
    let case = crash.parent().expect("a case");
    let name = case.attribute("name").expect("a name");
    assert!(name.starts_with("n5 a|b <i>&amp; \"q\" 'r' `c`") && name.ends_with("/ basic / highs, seed 1"), "{name}");
    // What XML cannot hold is replaced; a line feed is kept in text.
    let shown = crash.text().expect("a text");
    assert!(shown.contains("\u{fffd}[31m\u{fffd}\u{fffd}<failure>]]>") && shown.contains('\n'), "{shown:?}");
    let near = document.descendants().find(|n| n.has_tag_name("system-out")).expect("a borderline run");
    assert!(near.text().expect("a text").starts_with("failure (borderline): optimal (correct) → timeout"));
}

#[test]
fn junit_has_the_warnings_too() {
    let found = changed(&rows(1), &Options::default(), |_, row| row.host = "laptop & co".to_owned());
    let text = junit(&found);
    let document = roxmltree::Document::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let warnings = document.descendants().find(|node| node.has_tag_name("system-err")).and_then(|node| node.text());
    assert!(found.warnings.iter().any(|warning| warning.contains("laptop & co")), "{:?}", found.warnings);
    assert_eq!(warnings, Some(found.warnings.join("\n").as_str()));
}

#[test]
fn json_holds_what_was_found_and_of_which_runs() {
    let found = everything();
    let text = json(&found);
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&value["regression"], &value["incomplete"]), (&true.into(), &true.into()));
    assert_eq!((&value["matched"], &value["base"]["alone"]), (&79.into(), &1.into()));
    let findings = value["findings"].as_array().expect("a list");
    assert_eq!(findings.len(), found.findings.len());
    assert_eq!((&findings[0]["aspect"], &findings[0]["verdict"]), (&"failure".into(), &"worse".into()));
    assert_eq!(findings[0]["run"]["new"]["status"], "crash");
    assert_eq!(findings[0]["run"]["new"]["message"], NASTY);
    assert_eq!(value["tests"].as_array().map(Vec::len), Some(found.tests.len()));
    assert!(findings.iter().any(|finding| finding["aspect"] == Aspect::Time.name() && finding["run"].is_null()));
}

#[test]
fn the_order_of_rows_does_not_matter() {
    let base = rows(6);
    let text = |order: &dyn Fn(&mut Vec<RunRow>)| {
        let mut new = base.clone();
        new.iter_mut().for_each(|row| row.nodes = row.nodes.map(|nodes| nodes * 3));
        order(&mut new);
        let sides = [base.as_slice(), &new].map(|rows| [crate::compare::experiment("one", rows)]);
        let found = report::compare::compare(&sides[0], &sides[1], &Options::default()).expect("runs in common");
        (markdown(&found), junit(&found), json(&found))
    };
    assert_eq!(text(&|_| ()), text(&|rows| rows.reverse()));
}
