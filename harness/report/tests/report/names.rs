//! Names change between sessions, identities do not: what kept rows are shown under, and how pages are told apart.

use std::fs;

use record::{PlanRow, write_table};
use report::{Analysis, Format};
use tempfile::TempDir;

use crate::fixture::{BASIC, Fixture, write};

#[test]
fn kept_rows_have_the_names_of_the_plan() {
    let mut fixture = Fixture::new("renamed");
    let new = ("new", BASIC.1);
    fixture.run("n5", BASIC, "highs", 0).solves(&[(1.0, 1)]);
    fixture.run("n10", new, "fast", 0).solves(&[(2.0, 1)]);
    fixture.run("n15", BASIC, "highs", 0).solves(&[(3.0, 1)]);
    fixture.manifest.formulations = vec![new.0.to_owned()];
    fixture.manifest.report.tables = vec!["times".to_owned()];
    // The third run is no longer planned.
    let row = |id: &str, instance: &str| PlanRow {
        run_id: id.to_owned(),
        instance: instance.to_owned(),
        formulation: new.0.to_owned(),
        solver: "fast".to_owned(),
        seed: 0,
        repeat: 1,
    };
    fixture.manifest.planned = 2;
    fixture.save();
    let ids: Vec<_> = fixture.runs.iter().map(|r| r.run_id.clone()).collect();
    write_table(&fixture.files().plan(), [row(&ids[0], "five"), row(&ids[1], "n10")]).expect("written");
    let out = TempDir::new().expect("a directory");
    let analysis = Analysis::load(fixture.dir.path()).expect("a good directory");
    write(&[analysis], out.path(), &[Format::Csv]).expect("a report");
    let csv = fs::read_to_string(out.path().join("renamed-times.csv")).expect("a file");
    let figures = csv.split_once("instance,").expect("a header").1;
    assert!(figures.starts_with("new / fast\nfive,1\nn10,2\nsolved,2/2\n"), "{csv}");
}

#[test]
fn pages_say_their_profile_and_if_need_be_their_folder() {
    let root = TempDir::new().expect("a directory");
    let load = |profile: Option<&str>, folder: &str| {
        let mut fixture = Fixture::new("same");
        fixture.manifest.profile = profile.map(ToOwned::to_owned);
        fixture.run("n5", BASIC, "highs", 0).solves(&[(1.0, 1)]);
        let dir = root.path().join(folder);
        fs::create_dir_all(dir.parent().expect("a parent")).expect("made");
        fixture.save();
        fs::rename(fixture.dir.keep(), &dir).expect("renamed");
        Analysis::load(&dir).expect("a good directory")
    };
    let pages = [load(Some("quick"), "a/same"), load(Some("quick"), "b/same"), load(None, "c/same")];
    let out = TempDir::new().expect("a directory");
    write(&pages, out.path(), &[Format::Md]).expect("a report");
    let index = fs::read_to_string(out.path().join("index.md")).expect("a file");
    for title in [
        "Re-solving &amp; all (profile quick), folder a/same",
        "Re-solving &amp; all (profile quick), folder b/same",
        "Re-solving &amp; all",
    ] {
        assert!(index.contains(&format!("\n- [{title}](#")), "no {title} in\n{index}");
        assert!(index.contains(&format!("\n## {title}\n")), "no {title} in\n{index}");
    }
}

#[test]
fn names_longer_than_those_of_files_are_shortened() {
    let long = |end: &str| format!("n5-{}{end}", "long".repeat(100));
    let mut fixture = Fixture::new(&"experiment".repeat(40));
    let formulation = ("f".repeat(300), BASIC.1.to_owned());
    for instance in [long("a"), long("b")] {
        for solver in ["highs", "cbc"] {
            fixture
                .run(&instance, (&formulation.0, &formulation.1), solver, 0)
                .named(solver)
                .solves(&[(1.0, 2), (1.0, 1)]);
            let run = fixture.runs.last_mut().expect("a run");
            run.run_id = format!("{}{}", &instance[instance.len() - 1..], run.run_id);
            let id = run.run_id.clone();
            fixture.iterations.iter_mut().rev().take(2).for_each(|solve| solve.run_id.clone_from(&id));
        }
    }
    let out = TempDir::new().expect("a directory");
    let files = write(&[fixture.load()], out.path(), &Format::ALL).expect("a report");
    let there = fs::read_dir(out.path()).expect("readable").count();
    assert!(files.len() > 10 && files.len() == there, "{files:?}");
    let text = fs::read_to_string(out.path().join("index.md")).expect("an index");
    assert!(text.contains(&long("a")) && text.contains(&long("b")), "names are shown as they are");
}

/// Names that a spreadsheet would take for formulas; figures, negative ones among them, stay what they are.
#[test]
fn no_cell_of_a_csv_is_a_formula() {
    let mut fixture = Fixture::new("formulas");
    for (instance, solver) in [("=1+1", "@highs"), ("-A1", "+cbc"), ("n5", "highs")] {
        for formulation in [BASIC, ("=SUM(A1)", "C1")] {
            fixture.run(instance, formulation, solver, 0).solves(&[(1.0, 1)]);
        }
    }
    fixture.manifest.report.plots = ["bars", "cactus", "total-time"].map(ToOwned::to_owned).to_vec();
    let out = TempDir::new().expect("a directory");
    let files = write(&[fixture.load()], out.path(), &[Format::Csv]).expect("a report");
    let tables = files.iter().filter(|file| file.extension().is_some_and(|end| end == "csv"));
    let mut cells = 0;
    for table in tables {
        let text = fs::read_to_string(table).expect("a file");
        let rows = csv_cells(&text);
        for cell in &rows {
            assert!(
                !cell.starts_with(['=', '+', '-', '@']) || cell.parse::<f64>().is_ok(),
                "{cell} in {}",
                table.display()
            );
        }
        cells += rows.len();
    }
    assert!(cells > 50);
    let times = fs::read_to_string(out.path().join("formulas-times.csv")).expect("a table");
    assert!(times.contains("\n'=1+1,"), "{times}");
}

/// The cells of a CSV file below its warnings; none of these tables has a quoted quote.
fn csv_cells(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.starts_with("# "));
    let mut cells = Vec::new();
    for line in lines {
        let mut quoted = false;
        let mut cell = String::new();
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(std::mem::take(&mut cell)),
                c => cell.push(c),
            }
        }
        cells.push(cell);
    }
    cells
}
