//! What each family contributes, against values computed by hand.

use std::fs;

use record::RunRow;
use report::stats::mean_quotient;
use report::{Cell, Format};

use crate::fixture::{Fixture, grid, row as cells};
use crate::tables::page;

const ALL: (&str, &str) = ("all", "C1 C7 C8");
const WITHOUT_C7: (&str, &str) = ("all -C7", "C8 C1");
const WITHOUT_C8: (&str, &str) = ("all -C8", "C1 C7");
const NONE: (&str, &str) = ("all -C7 -C8", "C1");

/// All subsets of two families on eight instances; without both, one instance is not solved within 20 s.
fn fixture() -> Fixture {
    let mut fixture = Fixture::new("ablation");
    fixture.manifest.formulations = [ALL, WITHOUT_C7, WITHOUT_C8, NONE].map(|f| f.0.to_owned()).to_vec();
    for number in 11..=18 {
        let instance = format!("n{number}");
        for (formulation, time, solves) in [(ALL, 1.0, 1), (WITHOUT_C7, 2.0, 2), (WITHOUT_C8, 1.0, 1), (NONE, 4.0, 4)] {
            let solves = vec![(time / f64::from(solves), 1); usize::try_from(solves).expect("small")];
            fixture.run(&instance, formulation, "highs", 0).solves(&solves);
            let run = fixture.runs.last_mut().expect("a run");
            run.nodes = Some(if formulation == ALL { 0 } else { 3 });
        }
    }
    fixture.iterations.retain(|i| i.run_id != "n18 all -C7 -C8 highs 0");
    let last = fixture.runs.last_mut().expect("a run");
    (last.status, last.category) = (record::Status::Timeout, record::Category::Unknown);
    fixture
}

fn row<'a>(page: &'a str, family: &str) -> &'a str {
    page.lines().find(|line| line.starts_with(&format!("| highs | {family} |"))).unwrap_or_else(|| panic!("{page}"))
}

#[test]
fn effects_by_hand() {
    let table = grid(&fixture().load(), "ablation");
    let (two, twenty, forty) = (2.0_f64.ln(), 20.0_f64.ln(), 40.0_f64.ln());
    // C7: eight times 1/2, seven times 1/4, and once 1 s against twice the limit of 20 s. Of the solves the same without the last, of which the
    // other side is at least as many; nodes + 1: eight times 1/4, eight times 1.
    // C8: eight times 1, seven times 1/2, and once 2 s against twice the limit; of the solves as of the times, without the last.
    for (family, log, boards, solves) in [
        ("C7", -22.0 * two - forty, [vec![(-3.0 * two, 2.0); 7], vec![(-two - forty, 2.0)]].concat(), -22.0),
        ("C8", -7.0 * two - twenty, [vec![(-two, 2.0); 7], vec![(-twenty, 2.0)]].concat(), -7.0),
    ] {
        let (_, interval) = mean_quotient(&boards);
        let (low, high) = interval.expect("an interval");
        let figure = |value: f64| Cell::ratio(Some(value)).to_string();
        let mean = |exponent: f64| figure(2.0_f64.powf(exponent / 16.0));
        // All eight boards say the same: 2 of 256 assignments of signs go as far. Corrected for two families that is 0.016.
        let expected = [
            "2",
            "16",
            "16",
            "15",
            "15",
            "1",
            "0",
            "1.00",
            &figure((log / 16.0).exp()),
            &figure(low),
            &figure(high),
            "0.0078",
            "**0.016**",
            &mean(solves),
            &mean(-16.0),
        ];
        let found = cells(&table, &format!("highs / {family}"));
        assert_eq!(found, expected.map(ToOwned::to_owned), "{family}");
    }
}

#[test]
fn families_that_leave_the_size_of_models_are_named() {
    let note = |mut fixture: Fixture| grid(&fixture.load(), "ablation").notes.pop().expect("notes");
    assert!(note(fixture()).ends_with(": C7 16 of 16, C8 16 of 16"));
    let mut fixture = fixture();
    let of_c7 = |run: &&mut RunRow| run.families.contains("C7") && ["n11", "n12"].contains(&run.instance.as_str());
    fixture.runs.iter_mut().filter(of_c7).for_each(|run| run.constraints = run.constraints.map(|rows| rows + 1));
    assert!(note(fixture).ends_with(": C7 12 of 16, C8 16 of 16"));
}

#[test]
fn only_formulations_that_differ_in_nothing_else_are_pairs() {
    let changes: [fn(&mut RunRow); 2] =
        [|run| run.objective = "none".to_owned(), |run| run.options = "presolve=on; fix-and-optimise=true".to_owned()];
    for change in changes {
        let mut fixture = fixture();
        fixture.runs.iter_mut().filter(|run| run.formulation == NONE.0).for_each(change);
        let table = grid(&fixture.load(), "ablation");
        let found = |family: &str| {
            let cells = cells(&table, &format!("highs / {family}"));
            (cells[..5].join(" "), cells[8..11].join(" "))
        };
        assert_eq!(found("C7"), ("1 8 8 8 8".to_owned(), "0.50 0.50 0.50".to_owned()));
        assert_eq!(found("C8"), ("1 8 8 8 8".to_owned(), "1.00 1.00 1.00".to_owned()));
    }
}

/// What a family does under one objective is not mixed with what it does under another.
#[test]
fn each_objective_has_rows_of_its_own() {
    let mut fixture = fixture();
    for number in 11..=18 {
        for (formulation, time) in [(("none", ALL.1), 3.0), (("none -C7", WITHOUT_C7.1), 1.0)] {
            fixture.run(&format!("n{number}"), formulation, "highs", 0).objective("none").solves(&[(time, 1)]);
        }
    }
    let table = grid(&fixture.load(), "ablation");
    assert_eq!(table.stubs, ["solver", "objective", "family"]);
    assert_eq!(cells(&table, "highs / virtual / C7")[..2], ["2", "16"]);
    let none = cells(&table, "highs / none / C7");
    assert_eq!(
        (&none[..2], &none[8..11]),
        (&["1", "8"].map(str::to_owned)[..], &["3.00", "3.00", "3.00"].map(str::to_owned)[..])
    );
}

/// A family that makes three of eight instances reach the limit does not look as if it cost nothing.
#[test]
fn a_case_that_only_one_way_solved_counts() {
    let mut fixture = fixture();
    fixture.runs.retain(|run| [ALL.0, WITHOUT_C7.0].contains(&run.formulation.as_str()));
    let is_lost = |id: &str| ["n11", "n12", "n13"].iter().any(|name| id.starts_with(&format!("{name} all highs")));
    for run in fixture.runs.iter_mut().filter(|run| is_lost(&run.run_id)) {
        (run.status, run.category) = (record::Status::Timeout, record::Category::Unknown);
    }
    let ids: Vec<_> = fixture.runs.iter().map(|run| run.run_id.clone()).collect();
    fixture.iterations.retain(|i| ids.contains(&i.run_id) && !is_lost(&i.run_id));
    fixture.manifest.report.tables = vec!["ablation".to_owned()];
    let found = cells(&grid(&fixture.load(), "ablation"), "highs / C7");
    let mean = ((3.0 * 20.0_f64.ln() - 5.0 * 2.0_f64.ln()) / 8.0).exp();
    assert_eq!(found[..9], ["1", "8", "5", "8", "5", "0", "3", "0.25", &format!("{mean:.2}")]);
}

/// Half the time on six boards, and two boards lost: what is saved over those solved both ways is no gain, and not bold.
#[test]
fn time_is_not_saved_by_losing_boards() {
    let mut fixture = one_pair();
    let is_lost = |id: &str| ["n11", "n12"].iter().any(|name| id.starts_with(&format!("{name} all highs")));
    for run in fixture.runs.iter_mut().filter(|run| is_lost(&run.run_id)) {
        (run.status, run.category) = (record::Status::Timeout, record::Category::Unknown);
        run.time_limit_s = Some(3.0);
    }
    for run in fixture.runs.iter_mut().filter(|run| run.formulation == WITHOUT_C7.0) {
        run.time_limit_s = Some(if ["n11", "n12"].contains(&run.instance.as_str()) { 3.0 } else { 20.0 });
    }
    fixture.iterations.retain(|i| !is_lost(&i.run_id));
    let found = cells(&grid(&fixture.load(), "ablation"), "highs / C7");
    let mean = ((2.0 * 3.0_f64.ln() - 6.0 * 2.0_f64.ln()) / 8.0).exp();
    assert!(mean < 1.0);
    assert_eq!(found[5..9], ["0", "2", "0.50", &format!("{mean:.2}")]);
    assert!(!found.iter().any(|cell| cell.starts_with("**")), "{found:?}");
}

/// With and without C7 on eight instances.
fn one_pair() -> Fixture {
    let mut fixture = fixture();
    fixture.runs.retain(|run| [ALL.0, WITHOUT_C7.0].contains(&run.formulation.as_str()));
    let ids: Vec<_> = fixture.runs.iter().map(|run| run.run_id.clone()).collect();
    fixture.iterations.retain(|i| ids.contains(&i.run_id));
    fixture.manifest.report.tables = vec!["ablation".to_owned()];
    fixture
}

#[test]
fn what_was_lost_or_interrupted_is_no_case() {
    let found = |mut fixture: Fixture| {
        let cells = cells(&grid(&fixture.load(), "ablation"), "highs / C7");
        (cells[..5].join(" "), cells.iter().any(|cell| cell.starts_with("**")))
    };
    assert_eq!(found(one_pair()), ("1 8 8 8 8".to_owned(), true));
    for (status, is_bold) in [(record::Status::Interrupted, true), (record::Status::Lost, false)] {
        let mut fixture = one_pair();
        let run = fixture.runs.iter_mut().find(|run| run.run_id == "n11 all highs 0").expect("a run");
        (run.status, run.category) = (status, record::Category::Unknown);
        assert_eq!(found(fixture), ("1 7 7 7 7".to_owned(), is_bold), "{status:?}");
    }
    // Another run of the case was not interrupted.
    let mut fixture = one_pair();
    fixture.run("n11", ALL, "highs", 1).ends(record::Status::Interrupted, record::Category::Unknown);
    assert_eq!(found(fixture), ("1 8 8 8 8".to_owned(), true));
}

/// Both sides have two runs of a board, and one of them is of the same seed: that is what is compared.
#[test]
fn sides_are_compared_on_the_seeds_that_both_have() {
    let mut fixture = one_pair();
    for (formulation, seed, time) in [(ALL, 1, 1.5), (WITHOUT_C7, 2, 19.0)] {
        for number in 11..=18 {
            fixture.run(&format!("n{number}"), formulation, "highs", seed).solves(&[(time, 1)]);
        }
    }
    let found = cells(&grid(&fixture.load(), "ablation"), "highs / C7");
    assert_eq!((&*found[1], &*found[8]), ("8", "0.50"), "1 s over 2 s of seed 0, and not the medians");
}

/// Neither side solved a board, and nobody knows of how many nodes: that is no quotient of 1.
#[test]
fn a_solver_that_reports_no_nodes_has_no_quotient_of_them() {
    let nodes = |reported: Option<u64>| {
        let mut fixture = one_pair();
        for run in &mut fixture.runs {
            run.nodes = reported;
            if run.instance == "n11" {
                (run.status, run.category) = (record::Status::Timeout, record::Category::Unknown);
            }
        }
        fixture.iterations.retain(|i| !i.run_id.starts_with("n11 "));
        cells(&grid(&fixture.load(), "ablation"), "highs / C7").pop()
    };
    assert_eq!(nodes(None).as_deref(), Some("—"));
    assert_eq!(nodes(Some(7)).as_deref(), Some("1.00"));
}

#[test]
fn the_lesser_limit_counts_for_both() {
    let mut fixture = one_pair();
    // Without C7 a run takes 2 s, and with it there were 1.5 s.
    for run in fixture.runs.iter_mut().filter(|run| run.formulation == ALL.0) {
        run.time_limit_s = Some(1.5);
    }
    let found = cells(&grid(&fixture.load(), "ablation"), "highs / C7");
    assert_eq!(found[..5], ["1", "8", "8", "0", "0"]);
}

#[test]
fn root_bounds_with_and_without() {
    assert!(!page(&mut fixture()).contains("root bound"));
    let mut fixture = fixture();
    for run in &mut fixture.runs {
        run.root_bound = match (run.formulation.as_str(), run.instance.as_str()) {
            ("all", "n11") => Some(f64::INFINITY),
            ("all", _) => Some(12.5),
            ("all -C7", "n12") => None,
            ("all -C7", _) => Some(10.0),
            _ => Some(10.0 + 1e-9),
        };
    }
    let text = page(&mut fixture);
    // C7: one pair has 7 known bounds, 6 of them finite on both sides, the other 8 that differ by rounding only.
    let mean = |with: f64| format!("{:.2}", (6.0 * with + 8.0 * 10.0) / 14.0);
    assert!(row(&text, "C7").ends_with(&format!("| {} | 10.00 | 7 | 15 |", mean(12.5))), "{text}");
}

#[test]
fn one_family_is_no_ablation_unless_a_config_asks_for_it() {
    let two = |tables: &[&str]| {
        let mut fixture = one_pair();
        fixture.manifest.report.tables = tables.iter().map(|table| (*table).to_owned()).collect();
        page(&mut fixture)
    };
    let caption = "What each constraint family contributes";
    assert!(!two(&[]).contains(caption));
    assert!(two(&["ablation"]).contains(caption));
    assert!(two(&["times", "ablation"]).contains("| highs | C7 | 1 |"));
}

#[test]
fn effects_are_drawn_by_name() {
    let out = fixture().report(&[Format::Md]);
    let points = fs::read_to_string(out.path().join("ablation-ablation-curves.csv")).expect("points");
    let ratio = ((-22.0 * 2.0_f64.ln() - 40.0_f64.ln()) / 16.0).exp();
    let found = points.lines().find(|line| line.starts_with("highs,ended,")).expect("a point");
    assert!(found.contains(&format!("{ratio:.6}")[..6]), "{points}");
    let svg = fs::read_to_string(out.path().join("ablation-ablation.svg")).expect("a plot");
    assert!(svg.contains("what each constraint family contributes"), "{svg}");
}

#[test]
fn limits_that_differ_are_a_warning() {
    let mut fixture = fixture();
    fixture.runs[0].time_limit_s = Some(40.0);
    let expected = "time limits that are not the same for all, on 1 instance: the least of them counts for all";
    let found = grid(&fixture.load(), "ablation").caveats;
    assert!(found.contains(&expected.to_owned()), "{found:?}");
}
