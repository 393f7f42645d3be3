//! Names change between sessions, identities do not: what kept rows are shown under, and how pages are told apart.

use std::fs;

use record::{PlanRow, write_table};
use report::{Analysis, Format, write};
use tempfile::TempDir;

use crate::fixture::{BASIC, Fixture};

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
