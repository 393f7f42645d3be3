//! What each family contributes, against values computed by hand.

use std::fs;

use report::{Format, write};
use tempfile::TempDir;

use crate::fixture::Fixture;
use crate::tables::page;

const ALL: (&str, &str) = ("all", "C1 C7 C8");
const WITHOUT_C7: (&str, &str) = ("all -C7", "C8 C1");
const WITHOUT_C8: (&str, &str) = ("all -C8", "C1 C7");
const NONE: (&str, &str) = ("all -C7 -C8", "C1");

/// All subsets of two families on five instances; without both, one instance is not solved.
fn fixture() -> Fixture {
    let mut fixture = Fixture::new("ablation");
    fixture.manifest.formulations = [ALL, WITHOUT_C7, WITHOUT_C8, NONE].map(|f| f.0.to_owned()).to_vec();
    for number in 11..=15 {
        let instance = format!("n{number}");
        for (formulation, time, solves) in [(ALL, 1.0, 1), (WITHOUT_C7, 2.0, 2), (WITHOUT_C8, 1.0, 1), (NONE, 4.0, 4)] {
            let solves = vec![(time / f64::from(solves), 1); usize::try_from(solves).expect("small")];
            fixture.run(&instance, formulation, "highs", 0).solves(&solves);
            let run = fixture.runs.last_mut().expect("a run");
            run.nodes = Some(if formulation == ALL { 0 } else { 3 });
        }
    }
    fixture.iterations.retain(|i| i.run_id != "n15 all -C7 -C8 highs 0");
    let last = fixture.runs.last_mut().expect("a run");
    (last.status, last.category) = (record::Status::Timeout, record::Category::Unknown);
    fixture
}

fn row<'a>(page: &'a str, family: &str) -> &'a str {
    page.lines().find(|line| line.starts_with(&format!("| highs | {family} |"))).unwrap_or_else(|| panic!("{page}"))
}

#[test]
fn effects_by_hand() {
    let text = page(&mut fixture());
    // C7: five times 1/2 and four times 1/4, of the times and of the solves; nodes + 1: five times 1/4, four times 1.
    let mean = |exponent: f64| format!("{:.2}", 2.0_f64.powf(exponent / 9.0));
    let found = row(&text, "C7");
    assert!(found.starts_with(&format!("| highs | C7 | 2 | 10 | 10 | 9 | 9 | **{}** |", mean(-13.0))), "{found}");
    assert!(found.ends_with(&format!("| {} | {} |", mean(-13.0), mean(-10.0))), "{found}");
    // C8: five times 1, four times 1/2. Four instances have one of each, the last has the first alone.
    let found = row(&text, "C8");
    let ends = format!("| {} | {} |", mean(-4.0), mean(-10.0));
    assert!(found.starts_with(&format!("| highs | C8 | 2 | 10 | 10 | 9 | 9 | **{}** |", mean(-4.0))), "{found}");
    assert!(found.ends_with(&ends), "{found}");
}

#[test]
fn only_formulations_that_differ_in_nothing_else_are_pairs() {
    let mut fixture = fixture();
    for run in fixture.runs.iter_mut().filter(|run| run.formulation == NONE.0) {
        run.objective = "none".to_owned();
    }
    let text = page(&mut fixture);
    assert!(row(&text, "C7").starts_with("| highs | C7 | 1 | 5 | 5 | 5 | 5 | **0.50** | 0.50 | 0.50 |"), "{text}");
    assert!(row(&text, "C8").starts_with("| highs | C8 | 1 | 5 | 5 | 5 | 5 | 1.00 | 1.00 | 1.00 |"), "{text}");
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
    // C7: one pair has 4 known bounds, 3 of them finite on both sides, the other 5 that differ by rounding only.
    let mean = |with: f64| format!("{:.2}", (3.0 * with + 5.0 * 10.0) / 8.0);
    assert!(row(&text, "C7").ends_with(&format!("| {} | 10.00 | 4 | 9 |", mean(12.5))), "{text}");
}

#[test]
fn one_family_is_no_ablation_unless_a_config_asks_for_it() {
    let two = |tables: &[&str]| {
        let mut fixture = fixture();
        fixture.runs.retain(|run| [ALL.0, WITHOUT_C7.0].contains(&run.formulation.as_str()));
        let ids: Vec<_> = fixture.runs.iter().map(|run| run.run_id.clone()).collect();
        fixture.iterations.retain(|i| ids.contains(&i.run_id));
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
    let out = TempDir::new().expect("a directory");
    write(&[fixture().load()], out.path(), &[Format::Md]).expect("a report");
    let points = fs::read_to_string(out.path().join("ablation-ablation-curves.csv")).expect("points");
    let ratio = 2.0_f64.powf(-13.0 / 9.0);
    let found = points.lines().find(|line| line.starts_with("highs,ended,")).expect("a point");
    assert!(found.contains(&format!("{ratio:.6}")[..7]), "{points}");
    let svg = fs::read_to_string(out.path().join("ablation-ablation.svg")).expect("a plot");
    assert!(svg.contains("what each constraint family contributes"), "{svg}");
}
