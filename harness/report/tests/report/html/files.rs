//! Pictures of solves and ends of logs: of files that are there, missing or damaged.

use std::collections::BTreeSet;
use std::fs;

use puzzle::{Placement, Solution};
use record::{Lays, PlanRow, write_table};
use report::Pictures;
use serde_json::{Value, json};

use super::{Page, with_files};
use crate::fixture::Fixture;

#[test]
fn runs_have_pictures_of_their_solves() {
    let page = Page::one(&mut with_files(|_| ()));
    let name = page.experiment(0)["pictures"]["n3-round"].as_str().expect("a chunk").to_owned();
    let shapes = page.chunk(&name)["shapes"].clone();
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

/// Of designated lines without tiles there is no solution file, and nothing is missed.
#[test]
fn lines_have_no_picture() {
    let mut fixture = with_files(|files| fs::remove_file(files.solution("0123", 0)).expect("removed"));
    fixture.iterations[0].solve.lays = Some(Lays::Lines);
    let page = Page::one(&mut fixture);
    let pictures = &page.details(0)[0]["pictures"];
    assert_eq!(pictures[0], json!({"missing": "the designated lines alone, without tiles"}));
    assert!(pictures[1].is_object());
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

/// A name is no part of a run's identity: its files keep the one that they were written with.
#[test]
fn solutions_of_an_instance_that_is_called_otherwise_now_are_shown() {
    let page = Page::one(&mut with_files(|files| {
        fs::copy(files.instance("n3-round"), files.instance("three")).expect("copied");
        let [run_id, instance, formulation, solver] = ["0123", "three", "basic", "highs"].map(ToOwned::to_owned);
        let row = PlanRow { run_id, instance, formulation, solver, seed: 0, repeat: 1 };
        write_table(&files.plan(), [row]).expect("written");
    }));
    let details = &page.details(0)[0];
    assert!(details["pictures"].as_array().expect("pictures").iter().all(|p| p["shapes"].is_array()), "{details}");
    assert!(!page.text.contains("<strong>Warning:</strong>"));
    let verify = details["verify"].as_str().expect("a command");
    assert!(verify.contains("instances/n3-round.toml"), "{verify}");
}

/// A change of the text of a file.
type Change<'a> = &'a dyn Fn(&str) -> String;

#[test]
fn solution_files_that_are_none_are_warned_of() {
    let damage: [(&str, Change); 3] = [
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
fn solutions_of_puzzles_without_loops_have_a_picture() {
    let mut fixture = Fixture::new("soku");
    fixture.run("tetra", ("soku-sat", "cardinality=totalizer"), "cadical", 0).named("0123").solves(&[(1.0, 1)]);
    fixture.run("tetra", ("soku-sat", "cardinality=totalizer"), "cadical", 1).named("0124").infeasible(1.0);
    fixture.iterations.iter_mut().for_each(|solve| solve.solve.loops = None);
    for row in &mut fixture.runs {
        row.subloops.clear();
        row.hole_treatment.clear();
    }
    let files = fixture.files();
    for folder in ["instances", "solutions"] {
        fs::create_dir_all(files.root().join(folder)).expect("made");
    }
    let game = "kind = \"soku\"\nfield = \"tetrahedron\"\ntiles = [[0, 0, 1], [0, 0, 2], [0, 0, 3], [1, 1, 2]]\n\
                capacity = {A = 1, B = 2, C = 3, D = 4}\n";
    fs::write(files.instance("tetra"), game).expect("written");
    let placements = [(1, 1, 0), (2, 2, 2), (3, 4, 0), (4, 3, 2)]
        .map(|(place, tile, orientation)| Placement { place, tile, orientation })
        .to_vec();
    fs::write(files.solution("0123", 0), Solution::on_faces("tetra", placements).to_json()).expect("written");
    let page = Page::one(&mut fixture);
    let pictures: Vec<Value> = page.details(0).iter().map(|details| details["pictures"][0].clone()).collect();
    assert_eq!(pictures[0]["text"], "tetra: 4 of 4 faces with a tile, all capacities met");
    assert_eq!(pictures[1], Value::Null, "nothing was found");
    let command = page.details(0)[0]["command"].as_str().expect("a command").to_owned();
    assert!(command.contains("--kind mip") && !command.contains("subloops") && !command.contains("holes"), "{command}");
}
