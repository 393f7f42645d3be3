//! The data of the page, and what stands in it without a script.

use std::collections::BTreeSet;
use std::fs;

use record::{Category, IterationRow, RunRow, Status, columns};
use report::{Analysis, Pictures};
use serde_json::{Value, json};

use super::{Page, cells, with_files};
use crate::fixture::{BASIC, Fixture, has_all};

#[test]
fn the_page_holds_every_run_with_all_columns() {
    let mut fixture = Fixture::of_everything();
    fixture.runs[3].seed = u64::MAX;
    fixture.runs[4].message = Some("tight; \"odd\"\n2".to_owned());
    let page = Page::one(&mut fixture);
    assert_eq!(page.head["format"], 3);
    assert!(page.head["generator"].as_str().expect("text").ends_with(" (abc)"));
    let mut rows: Vec<Value> = fixture.runs.iter().map(|row| serde_json::to_value(row).expect("json")).collect();
    // Runs stand in the order of their ids.
    rows.sort_by(|a, b| a["run_id"].as_str().cmp(&b["run_id"].as_str()));
    assert_eq!(page.experiment(0)["runs"], rows.len());
    let shown = page.chunk("e0-runs")["columns"].as_object().expect("columns").clone();
    for name in columns::<RunRow>() {
        let expected: Vec<Value> = rows.iter().map(|row| row[name].clone()).collect();
        if name == "schema_version" || expected.iter().all(Value::is_null) || expected.iter().all(|v| *v == "") {
            assert!(!shown.contains_key(name), "{name}");
            continue;
        }
        for (found, expected) in cells(&shown[name]).iter().zip(&expected) {
            let same = match (found, expected) {
                (Value::Null, expected) => expected.is_null() || *expected == "",
                (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
                // JavaScript cannot keep such seeds as numbers, and `true` is a word in a CSV file.
                (Value::String(a), Value::Number(number)) => *a == number.to_string(),
                (Value::String(a), Value::Bool(value)) => *a == value.to_string(),
                (a, b) => a == b,
            };
            assert!(same, "{name}: {found} for {expected}");
        }
    }
}

#[test]
fn numeric_columns_are_numbers_and_others_are_not() {
    let mut fixture = Fixture::new("numbers");
    fixture.run("n5", BASIC, "highs", 0).solves(&[(1.0, 1)]);
    // Names and hashes may look like numbers.
    let row = &mut fixture.runs[0];
    (row.formulation, row.solver, row.instance_hash) = ("1".to_owned(), "2".to_owned(), "0000000000000003".to_owned());
    row.host = "4".to_owned();
    (row.loops, row.holes, row.gap, row.bound, row.objective_value) =
        (Some(1), Some(0), Some(0.5), Some(1.0), Some(1.0));
    (row.exit_code, row.exit_signal, row.nodes, row.conflicts) = (Some(1), Some(9), Some(3), Some(4));
    (row.simplex_iterations, row.propagations, row.cuts, row.iterations) = (Some(1), Some(2), Some(3), Some(4));
    (row.solve_time_s, row.wall_time_s, row.cpu_time_s, row.peak_memory_b) =
        (Some(1e-7), Some(1.5), Some(2.0), Some(3));
    (row.cpu_limit_s, row.memory_limit_b, row.places) = (Some(1.0), Some(1 << 40), Some(5));
    let page = Page::one(&mut fixture);
    let shown = page.chunk("e0-runs")["columns"].as_object().expect("columns").clone();
    let row = serde_json::to_value(&fixture.runs[0]).expect("json");
    for (name, column) in &shown {
        assert_eq!(column["values"].is_array(), row[name].is_number(), "{name}");
    }
    let left: Vec<_> =
        columns::<RunRow>().into_iter().filter(|c| row[c].is_number() && !shown.contains_key(*c)).collect();
    assert_eq!(left, ["schema_version"]);
}

#[test]
fn solves_and_charts_say_what_the_rows_say() {
    let mut fixture = Fixture::of_everything();
    let page = Page::one(&mut fixture);
    let (ids, details) = (page.column(0, "run_id"), page.details(0));
    assert_eq!(ids.len(), details.len());
    for (id, detail) in ids.iter().zip(&details) {
        let of_run = fixture.iterations.iter().filter(|i| *i.run_id == *id.as_str().expect("an id"));
        let expected = of_run.map(|row| {
            let row = serde_json::to_value(&row.solve).expect("json");
            let kept = row.as_object().expect("cells").iter().filter(|(_, value)| !value.is_null());
            kept.map(|(name, value)| (name.clone(), value.clone())).collect::<serde_json::Map<_, _>>()
        });
        let solves = detail["solves"].as_array().expect("solves");
        for (solve, expected) in solves.iter().zip(expected.clone()) {
            let names: BTreeSet<_> = solve.as_object().expect("cells").keys().collect();
            assert_eq!(names, expected.keys().collect());
            for (name, value) in &expected {
                let same = solve[name].as_f64().map_or(solve[name] == *value, |v| Some(v) == value.as_f64());
                assert!(same, "{id}, {name}: {} for {value}", solve[name]);
            }
        }
        assert_eq!(solves.len(), expected.count());
    }
    // Every run behind a mark is of the instance that the mark is for.
    let instances = page.column(0, "instance");
    let mut marks = 0;
    for chart in page.charts(0) {
        let svg = roxmltree::Document::parse(&chart).expect("XML");
        for mark in svg.descendants().filter(|node| node.attribute("class") == Some("mark")) {
            let (text, runs) =
                (mark.attribute("data-text").expect("a text"), mark.attribute("data-run").expect("runs"));
            assert_eq!(runs.is_empty(), text.ends_with("published"), "{text}");
            let instance = text.split(": ").next().expect("a name");
            for run in runs.split_whitespace() {
                assert_eq!(instances[run.parse::<usize>().expect("a place")], instance);
                marks += 1;
            }
            let curve = mark.parent().and_then(|curve| curve.attribute("data-curve")).expect("a curve");
            let entry = |node: &roxmltree::Node| {
                node.attribute("class") == Some("entry") && node.attribute("data-curve") == Some(curve)
            };
            assert_eq!(svg.descendants().filter(entry).count(), 1, "an entry in the legend");
        }
    }
    assert!(marks > 10, "{marks}");
}

#[test]
fn one_page_for_all_experiments_that_never_differs() {
    let (mut first, mut second) = (Fixture::of_everything(), with_files(|_| ()));
    let once = Page::of(&[first.load(), second.load()], Pictures::default());
    assert_eq!(once.head["experiments"].as_array().expect("a list").len(), 2);
    assert_eq!(once.column(1, "run_id"), ["0123"]);
    // The same rows, the other way round.
    for path in [first.files().runs(), first.files().iterations()] {
        let text = fs::read_to_string(&path).expect("rows");
        let (header, rows) = text.split_once('\n').expect("a header");
        let lines: Vec<_> = [header].into_iter().chain(rows.lines().rev()).collect();
        fs::write(&path, lines.join("\n") + "\n").expect("written");
    }
    // Saved twice, rows would stand there twice: the directories are read again as they are.
    let again = [&first, &second].map(|f| Analysis::load(f.dir.path()).expect("a good directory"));
    assert!(Page::of(&again, Pictures::default()).text == once.text, "another page");
}

#[test]
fn tables_and_warnings_can_be_read_without_a_script() {
    let mut fixture = Fixture::of_everything();
    let experiment = fixture.load();
    let warnings = experiment.warnings();
    assert!(!warnings.is_empty());
    let page = Page::of(&[experiment], Pictures::default());
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#x27;", "'"), ("&#x2f;", "/"), ("&amp;", "&")];
    let unescaped = entities.iter().fold(page.text.clone(), |text, (entity, sign)| text.replace(entity, sign));
    for warning in warnings {
        assert!(unescaped.contains(&format!("<strong>Warning:</strong> {warning}</li>")), "{warning}");
    }
    let figures = page.text.matches("<figure class=\"chart\"").count();
    assert_eq!(figures, page.charts(0).len());
    // A time as the paper prints it, and what to sort it by.
    assert!(page.text.contains("data-v=\"0.0042\">"), "no raw figure");
    // As many cells in each row of a table as its headings have.
    for table in page.text.split("<table>").skip(1).map(|t| t.split("</table>").next().expect("an end")) {
        let (head, body) = table.split_once("<tbody>").expect("a body");
        let last = head.rsplit("<tr>").next().expect("a row of headings");
        let first = head.split("<tr>").nth(1).expect("a row of headings");
        let stubs = first.matches("rowspan").count();
        let headings = last.matches("<th").count() + if first == last { 0 } else { stubs };
        for row in body.split("<tr").skip(1) {
            assert_eq!(row.matches("<th").count() + row.matches("<td").count(), headings, "{row}");
        }
    }
}

#[test]
fn nothing_in_results_becomes_markup() {
    const EVIL: &str = "</script><img src=x onerror=alert(1)>'\"<!--\u{7}";
    let clean = with_files(|_| ());
    let evil = with_files(|files| {
        fs::write(files.config(), format!("# {EVIL}\n")).expect("written");
        fs::write(files.log("0123"), [EVIL.as_bytes(), b"\n\xff\xfe broken \x00\n"].concat()).expect("written");
    });
    let (mut clean, mut evil) = (clean, evil);
    let row = &mut evil.runs[0];
    (row.formulation, row.solver, row.host) = (EVIL.to_owned(), EVIL.to_owned(), EVIL.to_owned());
    (row.message, row.options) = (Some(EVIL.to_owned()), EVIL.to_owned());
    (evil.manifest.title, evil.manifest.description) = (EVIL.to_owned(), EVIL.to_owned());
    evil.iterations[0].solve.native_status = Some(EVIL.to_owned());
    let (clean, evil) = (Page::one(&mut clean), Page::one(&mut evil));
    for markup in ["<script", "</script", "<img", "<!--"] {
        assert_eq!(evil.text.matches(markup).count(), clean.text.matches(markup).count(), "{markup}");
    }
    assert_eq!(evil.column(0, "formulation"), [EVIL]);
    assert_eq!(evil.column(0, "message"), [EVIL]);
    assert_eq!(evil.experiment(0)["config"], format!("# {EVIL}\n"));
    let details = &evil.details(0)[0];
    assert_eq!(details["solves"][0]["native_status"], EVIL);
    assert_eq!(details["log"], format!("{EVIL}\n\u{fffd}\u{fffd} broken \0"));
}

#[test]
fn only_the_latest_attempt_of_a_run_is_shown() {
    let mut fixture = Fixture::new("attempts");
    fixture.run("n5", BASIC, "highs", 0).solves(&[(1.0, 1)]).ends(Status::Interrupted, Category::Unknown);
    let (mut run, mut solve) = (fixture.runs[0].clone(), fixture.iterations[0].clone());
    (run.attempt, run.status, run.category) = (2, Status::Optimal, Category::Correct);
    (solve.attempt, solve.solve.time_s) = (2, 7.5);
    fixture.runs.insert(0, run);
    fixture.iterations.push(solve);
    let page = Page::one(&mut fixture);
    assert_eq!((page.column(0, "attempt"), page.column(0, "status")), (vec![json!(2)], vec![json!("optimal")]));
    assert_eq!(page.details(0)[0]["solves"].as_array().expect("solves").len(), 1);
    assert_eq!(page.details(0)[0]["solves"][0]["time_s"], 7.5);
    assert!(columns::<IterationRow>().contains(&"time_s"));
}

#[test]
fn rows_of_a_run_need_not_stand_together() {
    let three = |mingled: bool| {
        let mut fixture = Fixture::new("mingled");
        for seed in 0..3 {
            fixture.run("n5", BASIC, "highs", seed).solves(&[(1.0 + seed as f64, 3), (0.25, 2), (0.5, 1)]);
        }
        if mingled {
            fixture.iterations.sort_by_key(|row| (row.solve.iteration % 2, row.solve.iteration));
            assert!(fixture.iterations.windows(2).all(|pair| pair[0].run_id != pair[1].run_id));
        }
        fixture
    };
    let solves = |mingled| -> Vec<_> {
        Page::one(&mut three(mingled)).details(0).iter().map(|detail| detail["solves"].clone()).collect()
    };
    assert_eq!(solves(true), solves(false));
    assert_eq!(crate::tables::page(&mut three(true)), crate::tables::page(&mut three(false)));
}

#[test]
fn runs_of_one_setting_have_commands_of_their_own() {
    let mut fixture = Fixture::new("seeds");
    for seed in [7, 8] {
        fixture.run("n5", BASIC, "highs", seed).solves(&[(1.0, 1)]);
        fixture.runs.last_mut().expect("a run").options =
            "a=1; proof=true; start=fix; start-share=25; fix-and-optimise=true".to_owned();
    }
    let page = Page::one(&mut fixture);
    for ((detail, id), seed) in page.details(0).iter().zip(page.column(0, "run_id")).zip(page.column(0, "seed")) {
        let command = detail["command"].as_str().expect("a command");
        let own = format!(
            " --option a=1 --start fix --start-share 25 --fix-and-optimise true --proof '{}.drat' --seed {seed} --threads 1 ",
            id.as_str().expect("an id")
        );
        assert!(command.contains(&own), "{command}, which lacks{own}");
    }
}

#[test]
fn rows_that_sum_up_are_the_foot_of_their_table() {
    let page = Page::one(&mut Fixture::of_everything());
    let cases = [
        ("table2-times", ["n20-spur", "n25"], ["solved", "ratio"]),
        ("table2-scores", ["basic", "c2&#x27;_50%"], ["virtual best"; 2]),
        ("table2-iterations-basic", ["0", "1"], ["build", "status"]),
        ("table2-summary", ["basic", "c2&#x27;_50%"], ["total"; 2]),
    ];
    for (slug, in_body, in_foot) in cases {
        let (_, table) = page.text.split_once(&format!("id=\"table-{slug}\"")).expect("the table");
        let (_, body) = table.split_once("<tbody>").expect("a body");
        let (body, foot) = body.split_once("<tfoot>").expect("a foot");
        let (foot, _) = foot.split_once("</tfoot>").expect("an end");
        let has = |part: &str, label: &str| part.contains(&format!(">{label}</th>"));
        for label in in_body {
            assert!(has(body, label) && !has(foot, label), "{slug}, {label}:\n{table}");
        }
        for label in in_foot {
            assert!(has(foot, label) && !has(body, label), "{slug}, {label}:\n{table}");
        }
    }
}

#[test]
fn words_in_a_column_of_numbers_stand_where_these_do() {
    let page = Page::one(&mut Fixture::of_everything());
    let (_, table) = page.text.split_once("id=\"table-table2-iterations-c2p_50\"").expect("the table");
    let (table, _) = table.split_once("</table>").expect("an end");
    has_all(
        table,
        &[
            "<th scope=\"col\" class=\"number\">highs</th>",
            "<td class=\"number\">optimal 2&#x2f;3, timeout 1&#x2f;3</td>",
        ],
    );
    // Of words alone.
    let (_, table) = page.text.split_once("id=\"table-table2-times\"").expect("the table");
    assert!(table.contains("<td>"), "{table}");
}
