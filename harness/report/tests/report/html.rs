//! The page for browsers: what it shows without a script, and the data that its scripts unpack.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::ZlibDecoder;
use record::{Category, IterationRow, ResultsDir, RunRow, Status, columns};
use report::{Experiment, Format, Options, Pictures, write_with};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::fixture::{BASIC, Fixture};

/// A page as a browser gets it.
struct Page {
    text: String,
    head: Value,
}

impl Page {
    fn of(experiments: &[Experiment], pictures: Pictures) -> Self {
        let out = TempDir::new().expect("a directory");
        let options = Options { formats: vec![Format::Html], pictures, revision: Some("abc".to_owned()) };
        write_with(experiments, out.path(), &options).expect("a report");
        let text = fs::read_to_string(out.path().join("report.html")).expect("a page");
        let head = serde_json::from_str(element(&text, "head")).expect("json");
        Self { text, head }
    }

    fn one(fixture: &mut Fixture) -> Self {
        Self::of(&[fixture.load()], Pictures::default())
    }

    fn chunk(&self, name: &str) -> Value {
        let zlib = STANDARD.decode(element(&self.text, &format!("chunk-{name}"))).expect("base64");
        let mut text = String::new();
        ZlibDecoder::new(zlib.as_slice()).read_to_string(&mut text).expect("zlib");
        serde_json::from_str(&text).expect("json")
    }

    fn experiment(&self, index: usize) -> &Value {
        &self.head["experiments"][index]
    }

    /// A chunk of an experiment that the head names so.
    fn named(&self, index: usize, name: &str) -> Value {
        self.chunk(self.experiment(index)["chunks"][name].as_str().expect("a name"))
    }

    /// The details of all runs of an experiment.
    fn details(&self, index: usize) -> Vec<Value> {
        let names = self.experiment(index)["chunks"]["details"].as_array().expect("names");
        let chunks = names.iter().map(|name| self.chunk(name.as_str().expect("a name")));
        chunks.flat_map(|chunk| chunk.as_array().expect("a list").clone()).collect()
    }

    /// A column of the runs of an experiment.
    fn column(&self, index: usize, name: &str) -> Vec<Value> {
        cells(&self.named(index, "runs")["columns"][name])
    }
}

/// What stands in the script element of that id.
fn element<'a>(text: &'a str, id: &str) -> &'a str {
    let (_, rest) = text.split_once(&format!(" id=\"{id}\">")).unwrap_or_else(|| panic!("no {id}"));
    rest.split_once("</script>").expect("an end").0
}

/// The values of a column.
fn cells(column: &Value) -> Vec<Value> {
    match column["codes"].as_array() {
        None => column["values"].as_array().cloned().unwrap_or_default(),
        Some(codes) => {
            let word = |code: &Value| code.as_u64().map_or(Value::Null, |code| column["words"][code as usize].clone());
            codes.iter().map(word).collect()
        }
    }
}

/// A results directory with what `change` does to the files of its one run, on the board of 3 places.
fn with_files(change: impl Fn(&ResultsDir)) -> Fixture {
    let boards = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../instances/tantrix/fixed");
    let mut fixture = Fixture::new("files");
    fixture.run("n3-round", BASIC, "highs", 0).named("0123").solves(&[(1.0, 2), (2.0, 1)]);
    fixture.iterations[0].cuts_added = 1;
    let files = fixture.files();
    let solution = fs::read_to_string(boards.join("n3-round.solution.json")).expect("a solution");
    let with_cut = solution.replacen('{', "{\"cuts\": [[[1, 1], [2, 3]]], ", 1);
    fs::create_dir_all(files.root().join("instances")).expect("made");
    fs::create_dir_all(files.root().join("solutions")).expect("made");
    fs::create_dir_all(files.root().join("logs")).expect("made");
    fs::copy(boards.join("n3-round.toml"), files.instance("n3-round")).expect("copied");
    fs::write(files.solution("0123", 0), with_cut).expect("written");
    fs::write(files.solution("0123", 1), solution).expect("written");
    fs::write(files.log("0123"), "one\ntwo\n").expect("written");
    change(&files);
    fixture
}

#[test]
fn the_page_holds_every_run_with_all_columns() {
    let mut fixture = Fixture::of_everything();
    fixture.runs[3].seed = u64::MAX;
    fixture.runs[4].message = Some("tight; \"odd\"\n2".to_owned());
    let page = Page::one(&mut fixture);
    assert_eq!(page.head["format"], 1);
    assert!(page.head["generator"].as_str().expect("text").ends_with(" (abc)"));
    let mut rows: Vec<Value> = fixture.runs.iter().map(|row| serde_json::to_value(row).expect("json")).collect();
    // Runs stand in the order of their ids.
    rows.sort_by(|a, b| a["run_id"].as_str().cmp(&b["run_id"].as_str()));
    assert_eq!(page.experiment(0)["runs"], rows.len());
    let shown = page.named(0, "runs")["columns"].as_object().expect("columns").clone();
    for name in columns::<RunRow>() {
        let expected: Vec<Value> = rows.iter().map(|row| row[name].clone()).collect();
        if *name == "schema_version" || expected.iter().all(Value::is_null) || expected.iter().all(|v| *v == "") {
            assert!(!shown.contains_key(*name), "{name}");
            continue;
        }
        for (found, expected) in cells(&shown[*name]).iter().zip(&expected) {
            let same = match (found, expected) {
                (Value::Null, expected) => expected.is_null() || *expected == "",
                (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
                // JavaScript cannot keep such seeds as numbers, and `true` is a word in a CSV file.
                (Value::String(a), Value::Number(_) | Value::Bool(_)) => *a == expected.to_string(),
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
    let shown = page.named(0, "runs")["columns"].as_object().expect("columns").clone();
    let row = serde_json::to_value(&fixture.runs[0]).expect("json");
    for (name, column) in &shown {
        assert_eq!(column["values"].is_array(), row[name].is_number(), "{name}");
    }
    let left: Vec<_> =
        columns::<RunRow>().iter().filter(|c| row[**c].is_number() && !shown.contains_key(**c)).collect();
    assert_eq!(left, [&"schema_version"]);
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
            let row = serde_json::to_value(row).expect("json");
            let cells = row.as_object().expect("cells").iter();
            let kept = cells.filter(|(name, v)| !v.is_null() && *name != "run_id" && *name != "attempt");
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
    let (charts, instances) = (page.named(0, "charts"), page.column(0, "instance"));
    let mut marks = 0;
    for chart in charts.as_array().expect("charts") {
        let curves = chart["curves"].as_array().expect("curves");
        for point in curves.iter().flat_map(|curve| curve["points"].as_array().expect("points")) {
            let members = point["members"].as_array().expect("members");
            assert_eq!(members.is_empty(), point["kind"] == "published");
            for member in members {
                assert_eq!(instances[member.as_u64().expect("a place") as usize], point["instance"]);
                marks += 1;
            }
        }
    }
    assert!(marks > 10, "{marks}");
}

#[test]
fn one_page_for_all_experiments_that_never_differs() {
    let (mut first, mut second) = (Fixture::of_everything(), with_files(|_| ()));
    let page = || Page::of(&[first.load(), second.load()], Pictures::default());
    let (mut page, mut text) = (page, String::new());
    let once = page();
    text += &once.text;
    assert_eq!(once.head["experiments"].as_array().expect("a list").len(), 2);
    assert_eq!(once.column(1, "run_id"), ["0123"]);
    // Saved twice, rows would stand there twice: the directories are read again as they are.
    let again = [&first, &second].map(|f| Experiment::load(f.dir.path()).expect("a good directory"));
    assert_eq!(Page::of(&again, Pictures::default()).text, text);
}

#[test]
fn tables_and_warnings_can_be_read_without_a_script() {
    let mut fixture = Fixture::of_everything();
    let experiment = fixture.load();
    let warnings = experiment.warnings();
    assert!(!warnings.is_empty());
    let page = Page::of(&[experiment], Pictures::default());
    for warning in warnings {
        let escaped = warning.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
        assert!(page.text.contains(&format!("<strong>Warning:</strong> {escaped}</li>")), "{warning}");
    }
    let figures = page.text.matches("<figure class=\"chart\"").count();
    assert_eq!(figures, page.named(0, "charts").as_array().expect("charts").len());
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
    evil.iterations[0].native_status = Some(EVIL.to_owned());
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
fn runs_have_pictures_of_their_solves() {
    let page = Page::one(&mut with_files(|_| ()));
    let chunks = &page.experiment(0)["chunks"];
    let shapes = page.chunk(chunks["pictures"]["n3-round"].as_str().expect("a chunk"))["shapes"].clone();
    let shapes: Vec<_> = shapes.as_array().expect("shapes").iter().map(|s| s.as_str().expect("svg")).collect();
    assert!(shapes.iter().all(|s| s.starts_with('<') && s.ends_with('>') && !s.contains('\n')), "{shapes:?}");
    assert_eq!(shapes.iter().collect::<BTreeSet<_>>().len(), shapes.len(), "a shape stands there twice");
    let details = &page.details(0)[0];
    let pictures = details["pictures"].as_array().expect("pictures");
    assert_eq!(pictures.len(), 2);
    let classes = |picture: &Value, class: &str| {
        let numbers = picture["shapes"].as_array().expect("numbers").iter();
        let drawn = numbers.map(|n| shapes[n.as_u64().expect("a number") as usize]);
        drawn.filter(|s| s.contains(&format!("class=\"{class}\""))).count()
    };
    let [first, last] = [&pictures[0], &pictures[1]];
    assert_eq!((classes(first, "place"), classes(first, "cut")), (3, 2));
    assert_eq!((classes(last, "place"), classes(last, "cut")), (3, 0));
    assert_eq!(first["size"], last["size"]);
    assert!(first["text"].as_str().expect("text").contains("in orange 1 cut"), "{first}");
    assert_eq!(details["log"], "one\ntwo");
    assert_eq!(details["log_path"], "logs/0123.log");
    assert!(details["verify"].as_str().expect("a command").ends_with("solutions/0123.1.json"), "{details}");
}

#[test]
fn pictures_can_be_left_out() {
    for (pictures, expected, left_out) in [(Pictures::All, 2, 0), (Pictures::Last, 1, 1), (Pictures::None, 0, 2)] {
        let page = Page::of(&[with_files(|_| ()).load()], pictures);
        let shown = page.details(0)[0]["pictures"].as_array().expect("pictures").clone();
        assert_eq!(shown.iter().filter(|p| p.is_object()).count(), expected, "{pictures:?}");
        assert_eq!(page.experiment(0)["pictures_left_out"], left_out, "{pictures:?}");
        assert!(expected != 1 || shown[1].is_object(), "the last one");
    }
}

#[test]
fn files_that_are_missing_are_missed_in_the_run_only() {
    let page = Page::one(&mut with_files(|files| {
        fs::remove_file(files.solution("0123", 0)).expect("removed");
        fs::remove_file(files.log("0123")).expect("removed");
    }));
    let details = &page.details(0)[0];
    assert_eq!(details["log"], Value::Null);
    assert_eq!(details["pictures"][0], json!({"missing": "there is no solution file 0123.0.json"}));
    assert!(details["pictures"][1].is_object());
    assert!(!page.text.contains("0123.0.json"), "a warning");
    // A reference without any such files.
    let page = Page::one(&mut with_files(|files| fs::remove_dir_all(files.root().join("solutions")).expect("removed")));
    assert_eq!((&page.details(0)[0]["pictures"], &page.details(0)[0]["verify"]), (&json!([]), &Value::Null));
    assert_eq!(page.experiment(0)["pictures_left_out"], 0);
}

#[test]
fn solution_files_that_are_none_are_warned_of() {
    let damage: [(&str, &dyn Fn(&str) -> String); 3] = [
        ("not a solution file", &|text| text[..text.len() / 2].to_owned()),
        ("place 4 is not one of 1..3", &|text| text.replacen("\"place\": 3", "\"place\": 4", 1)),
        ("the solution is for ", &|text| text.replacen("n3-round", "other", 1)),
    ];
    for (words, change) in damage {
        let page = Page::one(&mut with_files(|files| {
            let path = files.solution("0123", 0);
            fs::write(&path, change(&fs::read_to_string(&path).expect("a solution"))).expect("written");
        }));
        let missing = page.details(0)[0]["pictures"][0]["missing"].as_str().expect("a reason").to_owned();
        assert!(missing.contains("0123.0.json") && missing.contains(words), "{missing}");
        let warning =
            page.text.lines().find(|line| line.contains("<strong>Warning:</strong>") && line.contains("0123.0"));
        assert!(warning.is_some_and(|line| line.contains(words)), "no warning of {missing}");
    }
}

#[test]
fn an_answer_that_is_not_what_was_judged_is_not_drawn() {
    let page = Page::one(&mut with_files(|files| {
        let text = fs::read_to_string(files.solution("0123", 1)).expect("a solution");
        fs::write(files.solution("0123", 1), text.replacen("\"orientation\": 1", "\"orientation\": 2", 1))
            .expect("written");
    }));
    assert!(page.details(0)[0]["pictures"][1]["missing"].is_string());
}

#[test]
fn the_end_of_a_long_log_is_shown() {
    let page = Page::one(&mut with_files(|files| {
        let lines: String = (0..10_000).map(|n| format!("line {n}\n")).collect();
        fs::write(files.log("0123"), lines).expect("written");
    }));
    let log = page.details(0)[0]["log"].as_str().expect("text").to_owned();
    let lines: Vec<_> = log.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[39]), (40, "line 9960", "line 9999"));
}

#[test]
fn only_the_latest_attempt_of_a_run_is_shown() {
    let mut fixture = Fixture::new("attempts");
    fixture.run("n5", BASIC, "highs", 0).solves(&[(1.0, 1)]).ends(Status::Interrupted, Category::Unknown);
    let (mut run, mut solve) = (fixture.runs[0].clone(), fixture.iterations[0].clone());
    (run.attempt, run.status, run.category) = (2, Status::Optimal, Category::Correct);
    (solve.attempt, solve.time_s) = (2, 7.5);
    fixture.runs.insert(0, run);
    fixture.iterations.push(solve);
    let page = Page::one(&mut fixture);
    assert_eq!((page.column(0, "attempt"), page.column(0, "status")), (vec![json!(2)], vec![json!("optimal")]));
    assert_eq!(page.details(0)[0]["solves"].as_array().expect("solves").len(), 1);
    assert_eq!(page.details(0)[0]["solves"][0]["time_s"], 7.5);
    assert!(columns::<IterationRow>().contains(&"time_s"));
}
