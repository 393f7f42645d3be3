//! Published results beside ours: the table `published` and the scoreboard over all experiments.

use std::fs;

use record::{Category, Status};
use report::{Format, splice, tables};
use tempfile::TempDir;

use crate::fixture::{BASIC, Fixture, grid, has_all, row, write};

/// A board of each size, one for each way in which a published result can end.
fn of_every_standing() -> Fixture {
    let mut csv = "table,challenge,formulation,objective,time_s,iteration,loops\n".to_owned();
    for challenge in [5, 10, 15, 20, 25, 30, 35] {
        csv += &format!("2,{challenge},{},,3.5,0,2\n2,{challenge},{},,0.5,1,1\n", BASIC.1, BASIC.1);
    }
    let mut fixture = Fixture::new("standing");
    // Two solvers, of which the second is faster; slower than published; at the limit; wrong; not there; without the proof.
    fixture.run("n5", BASIC, "highs", 0).solves(&[(1.5, 2), (0.5, 1)]);
    fixture.run("n5", BASIC, "cbc", 0).solves(&[(1.0, 1)]);
    fixture.run("n10", BASIC, "highs", 0).solves(&[(16.0, 3)]).ends(Status::Optimal, Category::Unknown);
    fixture.run("n15", BASIC, "highs", 0).solves(&[(0.5, 2)]).limited("hard-limit");
    fixture.run("n20", BASIC, "highs", 0).solves(&[(0.5, 1)]).ends(Status::Optimal, Category::Wrong);
    fixture.run("n25", BASIC, "highs", 0).ends(Status::Unsupported, Category::Error);
    fixture.run("n30", BASIC, "highs", 0).objective("weighted").feasible(20.0, 1);
    fixture.publish(&csv, "2");
    fixture
}

#[test]
fn each_published_result_stands_beside_ours() {
    let table = grid(&of_every_standing().load(), "published");
    let headings = table.column_names();
    let of = |group: &str, wanted: &[&str]| wanted.iter().map(|name| format!("{group} / {name}")).collect::<Vec<_>>();
    let ours = ["time (s)", "solves", "hole", "loops"];
    let groups =
        [of("Kino & Uno 2012", &["time (s)", "solves", "loops"]), of("highs", &ours), of("cbc", &ours)].concat();
    assert_eq!(headings, [groups, vec!["published / fastest".to_owned()]].concat());
    assert_eq!(row(&table, "5"), ["4.00", "2", "1", "2.00", "2", "no", "1", "**1.00**", "1", "no", "1", "4.00"]);
    assert_eq!(row(&table, "10")[3..], ["16.00", "1", "no", "3", "—", "—", "—", "—", "0.25"]);
    assert_eq!(row(&table, "15")[3], ">20.00 (timeout)");
    // What was published and not measured.
    assert_eq!(row(&table, "35"), ["4.00", "2", "1", "—", "—", "—", "—", "—", "—", "—", "—", "—"]);
    let board = "reproduced 2 of 7 published results, 1 of them faster than published, 1 with the puzzle solved; \
                 1 not proven; 1 at the limit; 1 failed or not solved; 2 not run";
    assert!(table.caption.contains(board), "{}", table.caption);
}

/// What starts from a smaller board is not what was published, though its families are.
#[test]
fn formulations_that_ask_for_more_are_not_the_published_ones() {
    let mut fixture = of_every_standing();
    for run in &mut fixture.runs {
        run.options = "presolve=on; start=fix; start-share=25".to_owned();
    }
    let table = grid(&fixture.load(), "published");
    assert!(table.caption.contains("reproduced 0 of 7 published results"), "{}", table.caption);
    let notes = table.notes.join(" ");
    assert!(notes.contains("subloops cut off, start=fix, start-share=25"), "{notes}");
}

#[test]
fn what_solvers_of_integer_programs_reproduce_alone_is_told() {
    let mut fixture = Fixture::new("alone");
    fixture.manifest.solvers[1].backend = "cadical".to_owned();
    fixture.run("n20", BASIC, "highs", 0).solves(&[(2.0, 1)]);
    fixture.run("n20", BASIC, "cbc", 0).solves(&[(0.25, 1)]);
    fixture.run("n25", BASIC, "cbc", 0).solves(&[(0.25, 1)]);
    fixture.publish("table,challenge,formulation,time_s\n7,20,C1 C2 C3 C4 C5,1\n7,25,C1 C2 C3 C4 C5,1\n", "7");
    let table = grid(&fixture.load(), "published");
    let board = "reproduced 2 of 2 published results, 2 of them faster than published, 2 with the puzzle solved; \
                 by solvers of integer programs alone 1, 0 of them faster";
    assert!(table.caption.contains(board), "{}", table.caption);
}

#[test]
fn reports_begin_with_the_scoreboard_of_all_experiments() {
    let mut other = Fixture::new("other");
    other.run("n20", BASIC, "highs", 0).solves(&[(0.25, 1)]);
    other.publish("table,challenge,formulation,time_s\n7,20,C1 C2 C3 C4 C5,1\n", "7");
    let mut without = Fixture::new("without");
    without.run("n20", BASIC, "highs", 0).solves(&[(0.25, 1)]);
    let out = TempDir::new().expect("a directory");
    let mut first = of_every_standing();
    let pages = [first.load(), without.load(), other.load()];
    write(&pages, out.path(), &Format::ALL).expect("a report");
    let read = |name: &str| fs::read_to_string(out.path().join(name)).expect("a file");
    let index = read("index.md");
    has_all(
        &index,
        &[
            "**Reproduced 3 of 8 published results",
            "| [Kino &amp; Uno 2012, table 2](#standing) | Re-solving &amp; all (profile quick), folder",
            "| 7 | 2 | 1 | 1 | 2 | 1 | 1 | 1 | 1 | 2 |\n| [Kino &amp; Uno 2012, table 7](#other) |",
            "| all |  | 8 | 3 | 2 | 2 | 3 | 2 | 1 | 1 | 1 | 2 |",
        ],
    );
    assert!(index.find("| all |").expect("the scoreboard") < index.find("## Re-solving").expect("a page"));
    has_all(&read("report.html"), &["<a href=\"#e0\">Kino &amp; Uno 2012, table 2</a>", "<a href=\"#e2\">"]);
    assert!(read("report.tex").contains("Reproduced 3 of 8 published results"));
}

#[test]
fn documents_show_the_scoreboard() {
    let mark = "<!-- tilebench: table scoreboard columns=\"results, reproduced\" -->\n<!-- /tilebench -->\n";
    let path = std::path::Path::new("README.md");
    let mut fixture = of_every_standing();
    let spliced = splice(path, mark, &[fixture.load()]).expect("a document");
    has_all(&spliced.text, &["**Reproduced 2 of 7 published results", "| Kino &amp; Uno 2012, table 2 |", "| 7 | 2 |"]);
    assert!(!spliced.text.contains("(#"), "{}", spliced.text);
    let mut without = Fixture::new("without");
    without.run("n20", BASIC, "highs", 0).solves(&[(0.25, 1)]);
    let error = splice(path, mark, &[without.load()]).expect_err("nothing published").to_string();
    has_all(&error, &["README.md, line 1", "no table `scoreboard`"]);
}

#[test]
fn what_the_source_did_not_solve_is_not_reproduced() {
    let mut fixture = Fixture::new("beyond");
    fixture.run("n20", BASIC, "highs", 0).solves(&[(0.25, 1)]);
    fixture.publish("table,challenge,formulation,time_s,solved\n7,20,C1 C2 C3 C4 C5,1,no\n", "7");
    let table = grid(&fixture.load(), "published");
    assert!(
        table.caption.contains("reproduced 0 of 1 published results")
            && table.caption.contains("1 more solved here only")
    );
    assert_eq!(row(&table, "20").last().map(String::as_str), Some("—"));
    // Subloops, which the formulation only reports, may be why the source did not.
    let mut fixture = Fixture::new("subloops");
    fixture.run("n20", BASIC, "highs", 0).solves(&[(0.25, 2)]);
    fixture.runs[0].category = Category::Unknown;
    fixture.publish("table,challenge,formulation,time_s,solved\n7,20,C1 C2 C3 C4 C5,1,no\n", "7");
    let table = grid(&fixture.load(), "published");
    assert!(table.caption.contains("published results") && !table.caption.contains("solved here only"));
    assert!(table.caption.contains("1 failed or not solved"), "{}", table.caption);
}

#[test]
fn what_was_not_asked_is_folded_away() {
    let page = |fixture: &mut Fixture| crate::tables::page(fixture);
    let text = page(&mut of_every_standing());
    let fold = text.find("<details>").expect("a fold");
    for (caption, is_shown) in
        [("**Published and", true), ("**Solve time (s) by iteration", true), ("**Total time", false)]
    {
        let at = text.find(caption).unwrap_or_else(|| panic!("no {caption} in\n{text}"));
        assert_eq!(at < fold, is_shown, "{caption}");
    }
    assert!(text.find("</details>").expect("its end") > text.find("**Runs by status").expect("the summary"));
}

#[test]
fn a_terminal_shows_tables_in_columns() {
    let mut fixture = of_every_standing();
    let analyses = [fixture.load()];
    let text = tables(&analyses, None).expect("text").replace("\u{1b}[1m", "").replace("\u{1b}[0m", "");
    has_all(&text, &["Reproduced 2 of 7 published results", "published table", "Published and measured"]);
    assert!(!text.contains("Total time (s)"), "{text}");
    let rows: Vec<_> = text.lines().filter(|line| line.starts_with("5 ") || line.starts_with("10 ")).collect();
    // Figures of one column end at one place.
    let ends = |line: &str| line.trim_end().chars().count();
    assert!(rows.len() >= 2 && rows.iter().all(|row| ends(row) == ends(rows[0])), "{text}");
    let text = tables(&analyses, Some("times")).expect("text");
    assert!(text.contains("Total time (s)") && text.contains("\u{1b}[1m1.00\u{1b}[0m"), "{text}");
    assert!(!text.contains("Published and measured"), "{text}");
    let one = tables(&analyses, Some("standing-iterations-basic")).expect("text");
    assert!(one.contains("Solve time (s) by iteration"), "{one}");
    // A report leaves it out unless the config names it.
    assert!(!tables(&analyses, None).expect("text").contains("Records"));
    assert!(tables(&analyses, Some("records")).expect("text").contains("Records"));
    let error = tables(&analyses, Some("time")).expect_err("no such table").to_string();
    has_all(&error, &["no table `time`", "standing-times", "standing-published"]);
}
