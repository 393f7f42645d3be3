//! The table of batches: published means and worst times beside ours.

use record::{Category, Status};
use report::grids;

use crate::fixture::{BASIC, Fixture, grid};

const HEADER: &str = "source,table,approach,formulation,solver,figure,value,machine\n";

const FIGURES: &str = "\
paper,batch of 100,Plain,strategy=solver,gecode,worst time,146.33,old
later,batch of 100,Plain,strategy=solver,gecode,mean time,4.16,old
paper,batch of 100,Answer sets,symmetry-breaking=true,clingo,worst time,1.20,old
paper,another table,Plain,,,classes,3991680,old
";

const MZN: (&str, &str) = ("mzn", "strategy=solver");

/// Two games of one batch and one of another, the last beyond the limit for one of two solvers.
fn fixture() -> Fixture {
    let mut fixture = Fixture::new("ico");
    fixture.run("rizzo-001", MZN, "gecode", 0).solves(&[(1.0, 1)]);
    fixture.run("rizzo-002", MZN, "gecode", 0).solves(&[(4.0, 1)]);
    fixture.run("ico-1", MZN, "gecode", 0).limited("soft-limit");
    fixture.run("rizzo-001", MZN, "chuffed", 0).solves(&[(0.5, 1)]);
    fixture
}

#[test]
fn means_and_worst_times_stand_beside_the_published_ones_of_the_same_approach() {
    let mut fixture = fixture();
    fixture.publish(&format!("{HEADER}{FIGURES}"), "batch of 100");
    let table = grid(&fixture.load(), "batch");
    let expected = [
        "paper / mean (s)",
        "paper / worst (s)",
        "later / mean (s)",
        "later / worst (s)",
        "here: ico, 1 instance / solved",
        "here: ico, 1 instance / mean (s)",
        "here: ico, 1 instance / worst (s)",
        "here: rizzo, 2 instances / solved",
        "here: rizzo, 2 instances / mean (s)",
        "here: rizzo, 2 instances / worst (s)",
    ];
    assert_eq!(table.column_names(), expected);
    let lines: Vec<Vec<String>> = table.rows.iter().map(|row| row.labels[1..].to_vec()).collect();
    assert_eq!(lines, [["mzn", "chuffed"], ["mzn", "gecode"], ["Answer sets", ""]], "what nobody ran comes last");
    let cells = |line: usize| table.rows[line].cells.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(cells(0), ["", "", "", "", "", "", "", "1/1", "0.50", "0.50"]);
    assert_eq!(cells(1), ["", "146.33", "4.16", "", "0/1", ">20.00", ">20.00", "2/2", "2.50", "4.00"]);
    assert_eq!(cells(2), ["", "1.20", "", "", "", "", "", "", "", ""]);
    assert!(table.caption.contains("published: their program, their machine"), "{}", table.caption);
}

/// Of three seeds one hit the limit: the median is that of a run that ended, and the worst is not.
#[test]
fn a_single_run_at_the_limit_is_marked_and_is_the_worst() {
    let mut fixture = Fixture::new("ico");
    fixture.run("rizzo-001", MZN, "gecode", 1).solves(&[(1.0, 1)]);
    fixture.run("rizzo-001", MZN, "gecode", 2).solves(&[(3.0, 1)]);
    fixture.run("rizzo-001", MZN, "gecode", 3).limited("soft-limit");
    for (seed, time) in [(1, 4.0), (2, 5.0), (3, 9.0)] {
        fixture.run("rizzo-002", MZN, "gecode", seed).solves(&[(time, 1)]);
        fixture.run("ico-1", MZN, "gecode", seed).solves(&[(time, 1)]);
    }
    fixture.publish(&format!("{HEADER}{FIGURES}"), "batch of 100");
    let table = grid(&fixture.load(), "batch");
    let cells: Vec<_> = table.rows[0].cells[4..].iter().map(ToString::to_string).collect();
    assert_eq!(cells, ["1/1", "5.00", "9.00", "1/2", ">4.00", ">20.00"]);
}

#[test]
fn a_failed_run_among_others_leaves_lower_bounds() {
    let mut fixture = Fixture::new("ico");
    fixture.run("rizzo-001", MZN, "gecode", 1).solves(&[(1.0, 1)]);
    fixture.run("rizzo-001", MZN, "gecode", 2).solves(&[(3.0, 1)]);
    fixture.run("rizzo-001", MZN, "gecode", 3).ends(Status::Crash, Category::Error);
    fixture.publish(&format!("{HEADER}{FIGURES}"), "batch of 100");
    let table = grid(&fixture.load(), "batch");
    let cells: Vec<_> = table.rows[0].cells[4..].iter().map(ToString::to_string).collect();
    assert_eq!(cells, ["0/1", ">3.00", ">3.00"]);
}

#[test]
fn figures_of_batches_are_in_no_table_of_single_runs_and_the_other_way_round() {
    assert!(grids(&fixture().load(), "batch").is_empty());
    let mut fixture = fixture();
    fixture.publish(&format!("{HEADER}{FIGURES}"), "batch of 100");
    let experiment = fixture.load();
    assert!(grids(&experiment, "iterations").iter().all(|grid| !grid.caption.contains("published")));
    let mut single = Fixture::new("single");
    single.run("n5-spur", BASIC, "highs", 0).on(5).solves(&[(1.0, 1)]);
    single.publish("table,challenge,formulation,time_s\n1,5,C1 C2 C3 C4,0.02\n", "1");
    assert!(grids(&single.load(), "batch").is_empty());
}

#[test]
fn figures_that_cannot_be_read_are_refused_with_file_line_and_column() {
    let message = |text: &str, table: &str| {
        let mut fixture = fixture();
        fixture.publish(text, table);
        let path = fixture.save().to_owned();
        report::Experiment::load(&path).expect_err("refused").to_string()
    };
    let all = format!("{HEADER}{FIGURES}");
    for (text, table, parts) in [
        (all.replace("4.16", "four"), "batch of 100", ["line 3", "value", "`four` is not a time in seconds"]),
        (all.clone(), "another table", ["line 5", "figure", "`classes` is neither `mean time` nor `worst time`"]),
        (all.clone(), "batch of 99", ["line 1", "table", "no rows of table `batch of 99`"]),
        (all.replace("solver,figure", "solvers,figure"), "batch of 100", ["line 1", "solver", "missing"]),
    ] {
        let message = message(&text, table);
        assert!(parts.iter().all(|part| message.contains(part)), "{parts:?}: {message}");
    }
}
