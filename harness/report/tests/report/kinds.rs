//! Solvers of several kinds in one report.

use record::{Category, Status};

use crate::fixture::{BASIC, Fixture, grid};
use crate::tables::page;

const SAT: (&str, &str) = ("sat", "cardinality=totalizer short-loops=7");
const SEARCH: (&str, &str) = ("search", "strategy=walk");

/// Two linear solvers, one of clauses and a search, on two fixed boards and a bounded one.
fn fixture() -> Fixture {
    let mut fixture = Fixture::new("kinds");
    fixture.manifest.formulations = [BASIC.0, SAT.0, SEARCH.0].map(ToOwned::to_owned).to_vec();
    fixture.run("n20-spur", BASIC, "highs", 0).solves(&[(1.5, 1)]);
    fixture.run("n30-spur", BASIC, "highs", 0).limited("soft-limit");
    fixture.run("n20-spur", BASIC, "cbc", 0).ends(Status::Unsupported, Category::Error);
    fixture.run("n20-spur", SAT, "cadical", 0).solves(&[(0.25, 2), (0.25, 1)]);
    fixture.run("n30-spur", SAT, "cadical", 0).solves(&[(2.0, 1)]);
    fixture.run("n10-m19", SAT, "cadical", 0).on(19).solves(&[(0.5, 1)]);
    fixture.run("n20-spur", SEARCH, "search", 0).solves(&[(0.125, 1)]);
    for run in &mut fixture.runs {
        let (kind, is_bounded) = (run.formulation.clone(), run.instance == "n10-m19");
        run.kind = if kind == BASIC.0 { "mip".to_owned() } else { kind };
        run.places = if is_bounded { Some(19) } else { run.challenge };
        if run.solver == "cadical" {
            (run.conflicts, run.peak_memory_b) = (Some(1000), Some(30 << 20));
        }
        if run.solver == "search" {
            (run.variables, run.constraints, run.nonzeros, run.build_time_s) = (None, None, None, None);
            run.nodes = Some(77);
        }
    }
    fixture
}

#[test]
fn solvers_of_several_kinds_stand_side_by_side() {
    let text = page(&mut fixture());
    for row in [
        "| kind | formulation | solver | solved | largest solved<br>fixed | largest solved<br>bounded | fastest | unsolved |",
        "| mip | basic | highs | 1/2 | 20 | — | 0 | timeout 1 | — | — | — |",
        "| sat | sat | cadical | 3/3 | 30 | 10 in 19 | 2 | — | 30 | — | 1,000 |",
        "| search | search | search | 1/1 | 20 | — | 1 | — | — | 77 | — |",
    ] {
        assert!(text.contains(row), "{row}\n{text}");
    }
}

#[test]
fn fields_of_3soku_are_no_boards() {
    let mut fixture = fixture();
    for solver in ["search", "other"] {
        fixture.run("ico-001", SEARCH, solver, 0).on(20).solves(&[(0.5, 1)]);
        let run = fixture.runs.last_mut().expect("a run");
        (run.kind, run.challenge, run.places) = ("search".to_owned(), Some(20), Some(20));
        (run.subloops, run.hole_treatment) = (String::new(), String::new());
    }
    let text = page(&mut fixture);
    for row in [
        "| largest solved<br>fixed | largest solved<br>bounded | largest solved<br>fields | fastest | unsolved |",
        "| search | search | search | 2/2 | 20 | — | 20 |",
        "| search | search | other | 1/1 | — | — | 20 |",
        "**Scores over common instances, fields of 3SoKu.**",
    ] {
        assert!(text.contains(row), "{row}\n{text}");
    }
}

#[test]
fn solvers_that_are_not_there_are_named_once_below_a_table() {
    let text = page(&mut fixture());
    for caption in ["**Solvers of all kinds.**", "**Total time (s).**"] {
        let table = text.split(caption).nth(1).and_then(|rest| rest.split("\n\n**").next()).expect("a table");
        assert!(table.contains("Left out, since they are not available on the machine: cbc."), "{table}");
        assert!(!table.contains("unsupported") && table.matches("cbc").count() == 1, "{table}");
    }
    // One that answered elsewhere stays.
    let mut fixture = fixture();
    fixture.run("n30-spur", BASIC, "cbc", 0).solves(&[(1.0, 1)]);
    let text = page(&mut fixture);
    assert!(text.contains("| mip | basic | cbc | 1/2 |") && !text.contains("Left out"), "{text}");
}

#[test]
fn effort_is_that_of_solved_runs() {
    let mut fixture = fixture();
    fixture.run("n60-spur", SAT, "cadical", 0).limited("soft-limit");
    let run = fixture.runs.last_mut().expect("a run");
    (run.kind, run.places, run.conflicts) = ("sat".to_owned(), Some(60), Some(9_000_000));
    let text = page(&mut fixture);
    assert!(text.contains("| sat | sat | cadical | 3/4 | 30 | 10 in 19 | 2 | timeout 1 | 30 | — | 1,000 |"), "{text}");
}

#[test]
fn many_solvers_are_rows_with_a_table_for_each_setting() {
    let mut fixture = fixture();
    for number in 0..8_u32 {
        let solver = format!("sat{number}");
        fixture.run("n20-spur", SAT, &solver, 0).solves(&[(f64::from(number) + 3.0, 1)]);
        let run = fixture.runs.last_mut().expect("a run");
        (run.kind, run.places) = ("sat".to_owned(), Some(20));
    }
    let text = page(&mut fixture);
    for row in [
        "**Total time (s), fixed boards.**",
        "| kind | formulation | solver | n20-spur | n30-spur | solved | ratio | ratio over |",
        "| mip | basic | highs | 1.50 | >20.00 (timeout) | 1/2 | 1.000 | 1 | 0.00 | 1.50 |",
        "| sat | sat | cadical | 0.50 | **2.00** | 2/2 | 0.333 | 1 | 0.00 | 0.50 |",
        "| sat | sat | sat7 | 10.00 | — | 1/1 | 6.667 | 1 | 0.00 | 10.00 |",
        "| search | search | search | **0.12** | — | 1/1 | 0.083 | 1 | — | 0.12 |",
        // Of one solver only, as columns.
        "**Total time (s), bounded boards.**",
        "| instance | sat<br>cadical |",
    ] {
        assert!(text.contains(row), "{row}\n{text}");
    }
}

#[test]
fn runs_that_do_not_count_are_told_of_all_settings_together() {
    let mut fixture = fixture();
    for (instance, places) in [("n20-spur", 20), ("n10-m19", 19)] {
        for seed in [0, 1] {
            let run = fixture.run(instance, SAT, "batsat", seed).on(places);
            run.solves(&[(1.0, 1)]);
            fixture.runs.last_mut().expect("a run").kind = "sat".to_owned();
        }
    }
    let table = grid(&fixture.load(), "solvers");
    let told: Vec<_> = table.notes.iter().filter(|note| note.contains("not all have as many runs")).collect();
    assert!(matches!(told[..], [note] if note.starts_with("On 2 instances ")), "{told:?}");
}

#[test]
fn wrong_answers_stand_out_among_solvers() {
    let mut fixture = fixture();
    let run = fixture.runs.iter_mut().find(|run| run.solver == "search").expect("a run");
    run.category = Category::Wrong;
    let text = page(&mut fixture);
    assert!(text.contains("| search | search | search | 0/1 | — | — | 0 | **wrong 1** |"), "{text}");
}

#[test]
fn one_kind_needs_no_such_table_unless_a_config_names_it() {
    let caption = "Solvers of all kinds";
    let plain = |tables: &[&str]| {
        let mut fixture = Fixture::new("one-kind");
        fixture.run("n20", BASIC, "highs", 0).solves(&[(1.5, 1)]);
        fixture.run("n20", BASIC, "cbc", 0).solves(&[(2.5, 1)]);
        fixture.manifest.report.tables = tables.iter().map(|table| (*table).to_owned()).collect();
        page(&mut fixture)
    };
    assert!(!plain(&[]).contains(caption));
    assert!(plain(&["solvers"]).contains(caption));
    assert!(page(&mut fixture()).contains(caption));
}

#[test]
fn columns_of_times_stand_below_their_kinds() {
    let text = page(&mut fixture());
    assert!(text.contains("| mip<br>basic<br>highs | sat<br>sat<br>cadical |"), "{text}");
    assert!(text.contains("sat (sat: cardinality=totalizer short-loops=7)"), "{text}");
    // A search has no model, so that it has no size.
    let sizes = text.split("**Size of the models").nth(1).expect("the table of sizes");
    assert!(sizes.contains("cadical") && !sizes.contains("| search |"), "{sizes}");
}

#[test]
fn what_compares_stands_first_and_what_optimal_means_is_said() {
    let text = page(&mut fixture());
    let places = ["**Solvers of all kinds", "**Total time", "**Solve time (s) by iteration", "**Runs by status"];
    let places = places.map(|caption| text.find(caption).unwrap_or_else(|| panic!("no {caption} in\n{text}")));
    assert!(places.is_sorted(), "{places:?}");
    let fact = "- Status optimal of sat, search: a solution; there nothing is optimised\n";
    assert!(text.contains(fact) && !text.contains("- Seeds: "), "{text}");
    let mut linear = Fixture::new("linear");
    linear.run("n20", BASIC, "highs", 0).solves(&[(1.5, 1)]);
    linear.run("n20", BASIC, "highs", 1).solves(&[(2.5, 1)]);
    let text = page(&mut linear);
    assert!(!text.contains("Status optimal") && text.contains("- Seeds: runs of solvers that take none"), "{text}");
}

#[test]
fn one_iteration_each_needs_no_table_of_iterations() {
    let shown = |change: fn(&mut Fixture)| {
        let mut fixture = Fixture::new("plain");
        fixture.run("n20", BASIC, "highs", 0).solves(&[(1.5, 1)]);
        fixture.run("n20", BASIC, "cbc", 0).solves(&[(2.5, 1)]);
        change(&mut fixture);
        page(&mut fixture).contains("by iteration")
    };
    assert!(!shown(|_| ()));
    assert!(shown(|f| f.manifest.report.tables = vec!["iterations".to_owned()]));
    assert!(shown(|f| _ = f.run("n25", BASIC, "cbc", 0).solves(&[(1.0, 2), (1.0, 1)])));
    assert!(shown(|f| f.publish(include_str!("../fixtures/published.csv"), "2")));
    // The only column.
    assert!(shown(|f| _ = f.runs.pop()));
}

#[test]
fn hundreds_of_iterations_share_a_row() {
    let mut fixture = fixture();
    let many = vec![(0.5, 2); 300];
    fixture.run("n40-spur", SAT, "cadical", 0).solves(&many);
    fixture.runs.last_mut().expect("a run").kind = "sat".to_owned();
    let text = page(&mut fixture);
    let iterations = text.split("**Solve time (s) by iteration, formulation sat").nth(1).expect("its iterations");
    assert!(iterations.contains("\n| 39 |") && !iterations.contains("\n| 40 |"), "{text}");
    let row = text.lines().find(|line| line.starts_with("| 40 to 299 |")).expect("the row");
    assert!(row.contains("130.00"), "{row}");
}
