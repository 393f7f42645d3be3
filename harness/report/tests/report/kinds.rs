//! Solvers of several kinds in one report.

use record::{Category, Status};
use report::{Row, grids};

use crate::fixture::{BASIC, Fixture, grid, row};
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
    let table = grid(&fixture().load(), "solvers");
    assert_eq!(table.stubs, ["kind", "formulation", "solver"]);
    let headings = ["solved", "largest solved / fixed", "largest solved / bounded", "fastest", "unsolved runs"];
    assert_eq!(table.column_names()[..5], headings);
    assert_eq!(row(&table, "mip / basic / highs")[..8], ["1/2", "20", "—", "0", "timeout 1", "—", "—", "—"]);
    assert_eq!(row(&table, "sat / sat / cadical")[..8], ["3/3", "30", "10 in 19", "2", "—", "30", "—", "1,000"]);
    assert_eq!(row(&table, "search / search / search")[..8], ["1/1", "20", "—", "1", "—", "—", "77", "—"]);
}

#[test]
fn records_are_the_largest_boards_of_each_kind() {
    assert!(grids(&fixture().load(), "records").is_empty(), "the config does not name it");
    let mut fixture = fixture();
    fixture.manifest.report.tables = vec!["records".to_owned()];
    // As large as the first, and faster; larger, but found by one of its runs only.
    fixture.run("n20-round", SEARCH, "search", 0).solves(&[(0.0625, 1)]);
    for seed in [0, 1] {
        let run = fixture.run("n60-spur", SEARCH, "search", seed);
        if seed == 0 {
            run.solves(&[(3.0, 1)])
        } else {
            run.limited("soft-limit")
        };
    }
    let of_search = fixture.runs.iter_mut().filter(|run| run.solver == "search");
    of_search.for_each(|run| (run.kind, run.places) = ("search".to_owned(), run.challenge));
    let table = grid(&fixture.load(), "records");
    assert_eq!(table.stubs, ["setting", "kind"]);
    let names: Vec<String> = table.rows.iter().map(|row| row.name()).collect();
    assert_eq!(names, ["fixed / mip", "fixed / sat", "fixed / search", "bounded / sat"]);
    assert_eq!(row(&table, "fixed / mip"), ["20", "1.500", "n20-spur", "basic", "highs"]);
    assert_eq!(row(&table, "fixed / sat")[0], "30");
    assert_eq!(row(&table, "fixed / search")[2], "n20-round");
    assert_eq!(row(&table, "bounded / sat")[0], "10 in 19");
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
    let analysis = fixture.load();
    let table = grid(&analysis, "solvers");
    assert_eq!(table.column_names()[1..4], ["fixed", "bounded", "fields"].map(|of| format!("largest solved / {of}")));
    assert_eq!(row(&table, "search / search / search")[..4], ["2/2", "20", "—", "20"]);
    assert_eq!(row(&table, "search / search / other")[..4], ["1/1", "—", "—", "20"]);
    // Scores are over the one field that both have, and not over the board of one of them.
    let scores = grids(&analysis, "scores");
    let both = |name: &str| scores.iter().filter(|grid| grid.rows.iter().any(|row| row.name().contains(name))).count();
    assert_eq!(both("other"), 1, "{scores:?}");
}

#[test]
fn solvers_that_are_not_there_are_named_once_below_a_table() {
    let analysis = fixture().load();
    for table in [grid(&analysis, "solvers"), grid(&analysis, "times")] {
        let named = table.notes.iter().filter(|note| note.contains("cbc")).count();
        let shown = format!("{:?} {:?}", table.groups, table.rows);
        assert!(named == 1 && !shown.contains("cbc") && !shown.contains("unsupported"), "{table:?}");
    }
    // One that answered elsewhere stays.
    let mut fixture = fixture();
    fixture.run("n30-spur", BASIC, "cbc", 0).solves(&[(1.0, 1)]);
    let table = grid(&fixture.load(), "solvers");
    assert_eq!(row(&table, "mip / basic / cbc")[0], "1/2");
    assert!(!table.notes.iter().any(|note| note.contains("cbc")), "{:?}", table.notes);
}

#[test]
fn solutions_without_a_proof_count_where_any_solution_serves() {
    for (objective, solved, unsolved) in
        [("random", "3/4", "timeout 1"), ("weighted", "2/4", "not proven the best 1, timeout 1")]
    {
        let mut fixture = fixture();
        fixture.run("n40-spur", BASIC, "highs", 0).objective(objective).solves(&[(1.0, 1)]);
        fixture.run("n60-spur", BASIC, "highs", 0).objective(objective).feasible(20.0, 1);
        for run in fixture.runs.iter_mut().filter(|run| run.solver == "highs") {
            (run.objective, run.places) = (objective.to_owned(), run.challenge);
        }
        let table = grid(&fixture.load(), "solvers");
        let found = row(&table, "mip / basic / highs");
        assert_eq!((found[0].as_str(), found.contains(&unsolved.to_owned())), (solved, true), "{objective} {found:?}");
        let told = "1 run ended with a solution not proven the best: solved";
        assert_eq!(
            table.notes.iter().chain(&table.caveats).any(|note| note.contains(told)),
            objective == "random",
            "{table:?}"
        );
    }
}

#[test]
fn effort_is_that_of_solved_runs() {
    let mut fixture = fixture();
    fixture.run("n60-spur", SAT, "cadical", 0).limited("soft-limit");
    let run = fixture.runs.last_mut().expect("a run");
    (run.kind, run.places, run.conflicts) = ("sat".to_owned(), Some(60), Some(9_000_000));
    let found = row(&grid(&fixture.load(), "solvers"), "sat / sat / cadical");
    assert_eq!(found[..8], ["3/4", "30", "10 in 19", "2", "timeout 1", "30", "—", "1,000"]);
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
    let [fixed, bounded] = &grids(&fixture.load(), "times")[..] else { panic!("a table for each setting") };
    assert_eq!((&*fixed.key, &*bounded.key), ("fixed", "bounded"));
    assert_eq!(fixed.stubs, ["kind", "formulation", "solver"]);
    assert_eq!(fixed.column_names()[..5], ["n20-spur", "n30-spur", "solved", "ratio", "ratio over"]);
    for (name, cells) in [
        ("mip / basic / highs", ["1.50", ">20.00 (timeout)", "1/2", "1.000", "1", "0.00", "1.50"]),
        ("sat / sat / cadical", ["0.50", "**2.00**", "2/2", "0.333", "1", "0.00", "0.50"]),
        ("sat / sat / sat7", ["10.00", "—", "1/1", "6.667", "1", "0.00", "10.00"]),
        ("search / search / search", ["**0.12**", "—", "1/1", "0.083", "1", "—", "0.12"]),
    ] {
        assert_eq!(row(fixed, name)[..7], cells, "{name}");
    }
    // Of one solver only, as columns.
    assert_eq!(
        (&bounded.stubs[..], bounded.column_names()),
        (&["instance".to_owned()][..], vec!["sat / cadical".to_owned()])
    );
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
    let found = row(&grid(&fixture.load(), "solvers"), "search / search / search");
    assert_eq!(found[..5], ["0/1", "—", "—", "0", "**wrong 1**"]);
}

#[test]
fn runs_that_ended_without_solving_the_puzzle_say_what_is_the_matter() {
    let mut fixture = Fixture::new("flaws");
    fixture.manifest.report.tables = vec!["solvers".to_owned()];
    for (seed, (loops, holes)) in [(2, 0), (1, 1), (1, 2), (2, 1)].into_iter().enumerate() {
        let run = fixture.run("n20", BASIC, "highs", seed as u64).solves(&[(1.0, loops)]).holes(holes);
        run.ends(Status::Optimal, Category::Unknown);
    }
    fixture.run("n20", BASIC, "highs", 4).limited("hard-limit");
    let unsolved = "subloops 1, holes 2, subloops and holes 1, timeout 1";
    assert!(row(&grid(&fixture.load(), "solvers"), "mip / basic / highs").contains(&unsolved.to_owned()));
}

#[test]
fn one_kind_needs_no_such_table_unless_a_config_names_it() {
    let is_there = |fixture: &mut Fixture| page(fixture).contains("-solvers\"></a>");
    let plain = |tables: &[&str]| {
        let mut fixture = Fixture::new("one-kind");
        fixture.run("n20", BASIC, "highs", 0).solves(&[(1.5, 1)]);
        fixture.run("n20", BASIC, "cbc", 0).solves(&[(2.5, 1)]);
        fixture.manifest.report.tables = tables.iter().map(|table| (*table).to_owned()).collect();
        is_there(&mut fixture)
    };
    assert!(!plain(&[]));
    assert!(plain(&["solvers"]));
    assert!(is_there(&mut fixture()));
}

#[test]
fn columns_of_times_stand_below_their_kinds() {
    let analysis = fixture().load();
    let times = grid(&analysis, "times");
    assert_eq!(times.column_names(), ["mip: basic / highs", "sat: sat / cadical", "search: search / search"]);
    let captions: Vec<_> = grids(&analysis, "iterations").into_iter().map(|grid| grid.caption).collect();
    assert!(captions.iter().any(|caption| caption.contains(SAT.1)), "{captions:?}");
    // A search has no model, so that it has no size.
    let sizes = grid(&analysis, "model-size").rows.iter().map(Row::name).collect::<Vec<_>>().join("\n");
    assert!(sizes.contains("cadical") && !sizes.contains("search"), "{sizes}");
}

#[test]
fn what_compares_stands_first_and_what_optimal_means_is_said() {
    let text = page(&mut fixture());
    let places = ["solvers", "times", "iterations-sat", "summary"].map(|table| {
        let anchor = format!("<a id=\"kinds-{table}\"></a>");
        text.find(&anchor).unwrap_or_else(|| panic!("no {anchor} in\n{text}"))
    });
    assert!(places.is_sorted(), "{places:?}");
    assert!(text.contains("\n- Status optimal of sat, search: ") && !text.contains("- Seeds: "), "{text}");
    let mut linear = Fixture::new("linear");
    linear.run("n20", BASIC, "highs", 0).solves(&[(1.5, 1)]);
    linear.run("n20", BASIC, "highs", 1).solves(&[(2.5, 1)]);
    let text = page(&mut linear);
    assert!(!text.contains("Status optimal") && text.contains("\n- Seeds: "), "{text}");
}

#[test]
fn one_iteration_each_needs_no_table_of_iterations() {
    let shown = |change: fn(&mut Fixture)| {
        let mut fixture = Fixture::new("plain");
        fixture.run("n20", BASIC, "highs", 0).solves(&[(1.5, 1)]);
        fixture.run("n20", BASIC, "cbc", 0).solves(&[(2.5, 1)]);
        change(&mut fixture);
        page(&mut fixture).contains("<a id=\"plain-iterations-")
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
    let tables = grids(&fixture.load(), "iterations");
    let table = tables.iter().find(|grid| grid.rows.len() > 40).expect("a table with its iterations");
    let labels: Vec<_> = table.rows.iter().map(Row::name).collect();
    assert_eq!(labels[38..41], ["38", "39", "40 to 299"]);
    assert!(row(table, "40 to 299").contains(&"130.00".to_owned()), "{table:?}");
}
