//! Boards with more places than tiles: the tables `published` and `bounded`, and what the other tables and plots make of them.

use std::collections::BTreeSet;
use std::{fs, slice};

use record::{Category, Status};
use report::{Analysis, Format, grids};
use tempfile::TempDir;

use crate::fixture::{BASIC, Fixture, grid, row, write};
use crate::plots::has_point;
use crate::tables::{expect, page};

const B6: (&str, &str) = ("B6", "B1 B2 B3 B4+B5 B6");
const B6P: (&str, &str) = ("B6'", "B1 B2 B3 B4+B5 B6'");
const B6PP: (&str, &str) = ("B6''", "B1 B2 B3 B4+B5 B6''");

/// Every kind of cell: solved, holes, subloops, not proven, killed, repeated, not measured, not published.
fn of_everything() -> Fixture {
    let mut fixture = Fixture::new("bounded");
    fixture.manifest.formulations = [B6, B6P, B6PP].map(|f| f.0.to_owned()).to_vec();
    let reported = (Status::Optimal, Category::Unknown);
    fixture.run("n15-m19", B6, "highs", 0).on(19).solves(&[(1.5, 1)]);
    fixture.run("n15-m19", B6, "cbc", 0).on(19).solves(&[(0.5, 2)]).ends(reported.0, reported.1);
    fixture.run("n15-m27", B6, "highs", 0).on(27).solves(&[(2.25, 1)]).holes(2).ends(reported.0, reported.1);
    fixture.run("n15-m27", B6, "cbc", 0).on(27).feasible(19.998, 1);
    fixture.run("n20-m37", B6, "highs", 0).on(37).stops(19.9).ends(Status::Timeout, Category::Unknown);
    fixture.run("n20-m37", B6, "cbc", 0).on(37).ends(Status::Crash, Category::Error);
    fixture.run("n15-m19", B6P, "highs", 0).on(19).feasible(19.5, 2).holes(1).ends(Status::Feasible, Category::Unknown);
    fixture.run("n20-m37", B6P, "highs", 0).on(37).infeasible(3.0).ends(Status::Infeasible, Category::Wrong);
    for (seed, holes) in [(0, 0), (1, 1), (2, 1)] {
        let run = fixture.run("n15-m27", B6PP, "highs", seed).on(27).solves(&[(4.0, 1)]).holes(holes);
        run.ends(Status::Optimal, if holes > 0 { Category::Unknown } else { Category::Correct });
    }
    for run in &mut fixture.runs {
        run.objective = "weighted".to_owned();
    }
    fixture.publish(include_str!("../fixtures/bounded.csv"), "both");
    fixture.manifest.report.published.as_mut().expect("published figures").label = "K&U slides".to_owned();
    fixture.show_sources(&["slides", "blog"]);
    fixture
}

#[test]
fn every_kind_of_cell_in_every_format() {
    let out = TempDir::new().expect("a directory");
    let files = write(&[of_everything().load()], out.path(), &Format::ALL).expect("a report");
    for name in ["bounded.md", "bounded.tex", "bounded-published.csv", "bounded-iterations-B6.csv"] {
        assert!(files.contains(&out.path().join(name)), "{name} is not among {files:?}");
        expect(&out.path().join(name));
    }
}

#[test]
fn figures_match_by_places_and_objective() {
    let csv = "table,challenge,places,formulation,objective,time_s,hole,loops\n\
               1,15,19,B1 B2 B3 B4 B5 B6,weighted,1,no,1\n1,15,27,B1 B2 B3 B4 B5 B6,weighted,2,no,2\n\
               1,15,19,B1 B2 B3 B4 B5 B6,virtual,3,yes,3\n1,15,27,B1 B2 B3 B4 B5 B6',virtual,4,no,1\n";
    let compare = |weighted: bool| {
        let mut fixture = Fixture::new("match");
        fixture.run("n15-m27", B6, "highs", 0).on(27).objective("virtual").solves(&[(10.0, 1)]);
        fixture.run("n15-m19", B6, "highs", 0).on(19).objective("virtual").solves(&[(20.0, 1)]);
        if weighted {
            fixture.run("n15-m27", ("other", B6.1), "highs", 0).on(27).objective("weighted").solves(&[(30.0, 1)]);
        }
        fixture.manifest.formulations =
            [B6.0, "other"][..1 + usize::from(weighted)].iter().map(|&name| name.to_owned()).collect();
        fixture.publish(csv, "1");
        fixture.load()
    };
    let analysis = compare(true);
    let table = grid(&analysis, "published");
    for (name, cells) in [
        ("15 / 19 / B6", ["3.00", "yes", "3", "20.00", "no", "1", "0.150"]),
        ("15 / 27 / B6", ["", "", "", "10.00", "no", "1", ""]),
        ("15 / 19 / other", ["1.00", "no", "1", "—", "—", "—", "—"]),
        ("15 / 27 / other", ["2.00", "no", "2", "30.00", "no", "1", "0.067"]),
    ] {
        assert_eq!(row(&table, name), cells, "{name}");
    }
    // A column for each instance, and the figures of its own board beside it.
    let [b6, other] = &grids(&analysis, "iterations")[..] else { panic!("a table for each formulation") };
    assert_eq!(b6.column_names(), ["n15-m19 / Kino & Uno 2012", "n15-m19 / highs", "n15-m27 / highs"]);
    assert_eq!(row(b6, "total"), ["3.00", "20.00", "10.00"]);
    assert_eq!(
        other.column_names()[..2],
        ["challenge 15 on 19 places / Kino & Uno 2012", "challenge 15 on 19 places / highs"]
    );
    assert_eq!(row(other, "total"), ["1.00", "—", "2.00", "30.00"]);
    // Figures that stand nowhere are named by families and objective.
    let lost = |analysis: &Analysis, figures: &str| analysis.warnings().iter().any(|w| w.contains(figures));
    assert!(lost(&analysis, "B1 B2 B3 B4 B5 B6' (virtual)") && !lost(&analysis, "B1 B2 B3 B4 B5 B6 (weighted)"));
    assert!(lost(&compare(false), "B1 B2 B3 B4 B5 B6 (weighted)"));
}

#[test]
fn figures_without_places_match_every_board_of_the_challenge() {
    let mut fixture = Fixture::new("match");
    fixture.run("n15-m19", B6, "highs", 0).on(19).solves(&[(20.0, 1)]);
    fixture.run("n15-m27", B6, "highs", 0).on(27).solves(&[(10.0, 1)]);
    fixture.publish("table,challenge,formulation,time_s\n1,15,B1 B2 B3 B4 B5 B6,1\n", "1");
    let table = grid(&fixture.load(), "published");
    assert_eq!(row(&table, "15 / 19"), ["1.00", "", "20.00", "no", "1", "0.05"]);
    assert_eq!(row(&table, "15 / 27"), ["1.00", "", "10.00", "no", "1", "0.10"]);
}

#[test]
fn two_instances_of_one_size_are_told_by_name() {
    let mut fixture = Fixture::new("alike");
    fixture.run("n15-m19", B6, "highs", 0).on(19).solves(&[(1.0, 1)]);
    fixture.run("n15-m19-red", B6, "highs", 0).on(19).solves(&[(2.0, 1)]);
    let table = grid(&fixture.load(), "bounded");
    assert_eq!(table.stubs, ["challenge", "places", "instance"]);
    assert_eq!(row(&table, "15 / 19 / n15-m19")[0], "1.00");
    assert_eq!(row(&table, "15 / 19 / n15-m19-red")[0], "2.00");
}

#[test]
fn fixed_boards_have_no_such_table() {
    let mut fixture = Fixture::new("fixed");
    fixture.run("n5-spur", BASIC, "highs", 0).on(5).solves(&[(1.0, 1)]);
    let text = page(&mut fixture);
    assert!(!text.contains("bounded boards") && !text.contains("Warning"), "{text}");
    // A config that names it is told.
    let mut fixture = Fixture::new("fixed");
    fixture.run("n5-spur", BASIC, "highs", 0).on(5).solves(&[(1.0, 1)]);
    fixture.manifest.report.tables = vec!["bounded".to_owned()];
    let text = page(&mut fixture);
    assert!(text.lines().any(|line| line.contains("**Warning:**") && line.contains("table bounded")), "{text}");
}

/// The time of a row of the slides as the page shows it.
fn shown_time(seconds: &str, solved: &str) -> String {
    let (whole, cents) = seconds.split_once('.').expect("two decimals");
    let (thousands, rest) = whole.split_at(whole.len().saturating_sub(3));
    let comma = if thousands.is_empty() { "" } else { "," };
    let remark = if solved == "no" { " (not solved)" } else { "" };
    format!("{thousands}{comma}{rest}.{cents}{remark}")
}

/// Every row of the slides' tables is on the page, whatever was run.
#[test]
fn every_table_of_the_slides_is_read_and_shown() {
    let file = include_str!("../../../../results/papers/bounded_boards.csv");
    let rows: Vec<_> =
        csv::Reader::from_reader(file.as_bytes()).into_records().collect::<Result<_, _>>().expect("a table");
    let tables: BTreeSet<_> = rows.iter().map(|r: &csv::StringRecord| r[1].to_owned()).collect();
    assert_eq!(tables.iter().collect::<Vec<_>>(), ["basic", "both", "final", "holes", "limit", "objective"]);
    assert_eq!(rows.len(), 56);
    for table in tables {
        let rows: Vec<_> = rows.iter().filter(|r| r[1] == table).collect();
        let mut fixture = Fixture::new("slides");
        fixture.manifest.report.tables = vec!["published".to_owned()];
        let formulations: BTreeSet<_> = rows.iter().map(|r| (&r[4], &r[5])).collect();
        for (families, objective) in formulations.into_iter().filter(|f| !f.0.is_empty()) {
            // Where the slides name no objective, their figures stand beside any.
            let objective = if objective.is_empty() { "weighted" } else { objective };
            fixture.run("n15-m19", (families, families), "highs", 0).on(19).objective(objective).solves(&[(0.5, 1)]);
        }
        fixture.publish(file, &table);
        let text = page(&mut fixture);
        assert!(!text.contains("Warning"), "{text}");
        let lines: Vec<Vec<_>> = text.lines().map(|line| line.split('|').map(str::trim).collect()).collect();
        for row in rows {
            let time = shown_time(&row[6], &row[9]);
            let wanted: Vec<_> =
                [time.as_str(), &row[7], &row[8]].into_iter().filter(|text| !text.is_empty()).collect();
            let is_it = |line: &&Vec<&str>| {
                let cells: Vec<_> = line.iter().filter(|text| !text.is_empty()).collect();
                line.len() > 4
                    && line[1..3] == [&row[2], &row[3]]
                    && cells.windows(wanted.len()).any(|c| c.iter().copied().eq(&wanted))
            };
            assert!(lines.iter().any(|line| is_it(&line)), "no {row:?} in\n{text}");
            assert!(text.contains(&row[10]), "no {row:?} in\n{text}");
        }
    }
}

#[test]
fn without_its_table_what_names_no_formulation_is_a_warning() {
    let lost = "published figures that name no formulation are in no table";
    assert!(!page(&mut of_everything()).contains(lost));
    let mut fixture = of_everything();
    fixture.manifest.report.tables = vec!["times".to_owned()];
    assert!(page(&mut fixture).contains(lost));
}

fn words(cells: [&str; 2]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

/// The best solution was asked for; a limit that struck leaves a lower bound. Otherwise any solution will do.
#[test]
fn only_proven_optima_are_compared() {
    let compare = |objective: &str| {
        let mut fixture = Fixture::new("cmp");
        fixture.run("n15-m19", B6, "highs", 0).on(19).objective(objective).solves(&[(3.0, 1)]);
        fixture.run("n15-m19", B6, "cbc", 0).on(19).objective(objective).feasible(1.0, 1);
        fixture.manifest.report.tables = ["iterations", "times", "summary"].map(ToOwned::to_owned).to_vec();
        let (analysis, out) = (fixture.load(), TempDir::new().expect("a directory"));
        write(slice::from_ref(&analysis), out.path(), &[Format::Md]).expect("a report");
        let points = fs::read_to_string(out.path().join("cmp-total-time-curves.csv")).expect("a file");
        (analysis, points)
    };
    let (analysis, points) = compare("weighted");
    let times = grid(&analysis, "times");
    assert_eq!(row(&times, "n15-m19"), ["**3.00**", ">1.00 (not proven)"]);
    assert_eq!((row(&times, "solved"), row(&times, "ratio")), (words(["1/1", "0/1"]), words(["1.00", "—"])));
    let iterations = grid(&analysis, "iterations");
    for (name, cells) in [
        ("0", ["3.00", ">1.00 (not proven)"]),
        ("total", ["3.00", ">1.00 (not proven)"]),
        ("status", ["optimal", "feasible"]),
    ] {
        assert_eq!(row(&iterations, name), cells, "{name}");
    }
    // Verified all the same.
    assert_eq!(row(&grid(&analysis, "summary"), "B6 / cbc")[..7], ["1", "0", "1", "1", "0", "0", "0"]);
    assert!(has_point(&points, "cbc,limit,n15-m19,15,1") && has_point(&points, "cbc,median,,15,"), "{points}");
    for objective in ["virtual", "none"] {
        let (analysis, points) = compare(objective);
        let times = grid(&analysis, "times");
        assert_eq!(row(&times, "n15-m19"), ["3.00", "**1.00**"]);
        assert_eq!((row(&times, "solved"), row(&times, "ratio")), (words(["1/1", "1/1"]), words(["1.00", "0.33"])));
        assert!(has_point(&points, "cbc,ended,n15-m19,15,1"), "{points}");
    }
}

#[test]
fn one_repeat_without_a_proof_counts_as_not_solved() {
    let mut fixture = Fixture::new("repeats");
    for (seed, time) in [(0, 1.0), (1, 2.0)] {
        fixture.run("n15-m19", B6, "highs", seed).on(19).objective("weighted").solves(&[(time, 1)]);
    }
    fixture.run("n15-m19", B6, "highs", 2).on(19).objective("weighted").feasible(20.0, 1);
    fixture.run("n15-m19", B6, "cbc", 0).on(19).objective("weighted").solves(&[(9.0, 1)]);
    let times = grid(&fixture.load(), "times");
    assert_eq!(row(&times, "n15-m19"), ["2.00 [1.00–>20.00] (not proven 1/3)", "**9.00**"]);
    // Compared is the first run of each, since the other has one only.
    assert_eq!(row(&times, "solved"), ["1/1", "1/1"]);
}

#[test]
fn a_plot_has_a_point_for_each_board() {
    let out = of_everything().report(&[]);
    let read = |name: &str| fs::read_to_string(out.path().join(name)).expect("a plot");
    let csv = read("bounded-total-time-curves.csv");
    for line in [
        "\"B6, highs\",ended,n15-m19,15,1.5",
        "\"B6, highs\",unsolved,n15-m27,15,2.25",
        "\"B6, highs\",median,,15,",
        "\"B6, cbc\",limit,n15-m27,15,19.998",
        "\"K&U slides, B6\",published,,15,74.39",
        "\"K&U slides, B6\",published,,15,72.55",
        "\"K&U slides, formulation not said\",published,,45,12747.89",
        "\"K&U slides, B1 B2 B3 B4 B5 B6'' (virtual)\",published,,20,509.11",
        "\"blog, B6''\",published,,25,0.25",
    ] {
        assert!(has_point(&csv, line), "no {line} in\n{csv}");
    }
    // Times of what was not solved would look like times of solutions.
    assert!(!csv.contains("101740.34"), "{csv}");
    let svg = read("bounded-total-time.svg");
    assert!(svg.contains("1 published figure"), "{svg}");
    let loops = read("bounded-loops-curves.csv");
    for line in ["\"K&U slides, B6\",published,,15,3", "\"K&U slides, B6\",published,,15,1"] {
        assert!(has_point(&loops, line), "no {line} in\n{loops}");
    }
}

#[test]
fn what_a_restricting_family_proves_is_nothing() {
    let mut fixture = Fixture::new("restricted");
    fixture.run("n10-m12", B6, "highs", 0).on(12).infeasible(2.0).ends(Status::Infeasible, Category::Correct);
    let run = fixture.run("n10-m12", B6PP, "highs", 0).on(12).infeasible(1.0);
    run.limited("restricted").ends(Status::Infeasible, Category::Unknown);
    let analysis = fixture.load();
    let times = grid(&analysis, "times");
    let cells = row(&times, "n10-m12");
    assert!(cells[0].contains("2.00 (infeasible)") && cells[1].contains("1.00 (infeasible here)"), "{cells:?}");
    assert!(times.notes.iter().any(|note| note.contains("“infeasible here”")), "{:?}", times.notes);
    assert_eq!(analysis.warnings(), [""; 0]);
}

#[test]
fn a_table_that_a_config_names_is_shown_with_one_column_too() {
    let mut fixture = Fixture::new("one-column");
    fixture.run("n15-m19", B6, "highs", 0).on(19).solves(&[(1.5, 1)]);
    fixture.manifest.report.tables = vec!["bounded".to_owned(), "times".to_owned()];
    let text = page(&mut fixture);
    assert!(text.contains("<a id=\"one-column-times\"></a>") && !text.contains("**Warning:**"), "{text}");
}

#[test]
fn tables_say_what_an_iteration_is_where_cuts_are_lazy() {
    for (subloops, is_said) in [("resolve:each", false), ("lazy:each", true)] {
        let mut fixture = Fixture::new("lazy");
        fixture.run("n15-m19", B6, "highs", 0).on(19).solves(&[(1.5, 2), (0.5, 1)]);
        fixture.runs[0].subloops = subloops.to_owned();
        fixture.manifest.report.tables = vec!["iterations".to_owned()];
        let text = page(&mut fixture);
        assert_eq!(text.contains("an iteration is a solution that was cut off, or the last one"), is_said, "{text}");
    }
}

#[test]
fn what_is_cut_off_stands_with_the_formulation() {
    for (subloops, holes, said) in [
        ("report", "report", "objective virtual."),
        ("resolve:each", "report", "objective virtual, subloops cut off."),
        ("report", "resolve", "objective virtual, holes cut off."),
        ("resolve:region", "resolve", "objective virtual, subloops and holes cut off."),
    ] {
        let mut fixture = Fixture::new("treatment");
        fixture.run("n15-m19", B6, "highs", 0).on(19).solves(&[(1.5, 1)]);
        (fixture.runs[0].subloops, fixture.runs[0].hole_treatment) = (subloops.to_owned(), holes.to_owned());
        let text = page(&mut fixture);
        assert!(text.contains(said), "{said}: {text}");
    }
}
