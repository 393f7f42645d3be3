//! Two sets of results compared: what is found, what of it fails, and what is chance.

use record::{Category, RunRow, SessionFacts, Status};
use report::Experiment;
use report::compare::{Aspect, Comparison, Finding, Options, Verdict, compare, markdown};

use crate::fixture::{BASIC, Fixture, PRIMED};

/// What is done to a row.
type Change = fn(&mut RunRow);

/// Runs on so many instances, of two formulations under two solvers with two seeds each; no two figures are equal.
pub fn rows(instances: u32) -> Vec<RunRow> {
    let mut fixture = Fixture::new("one");
    for instance in 0..instances {
        for formulation in [BASIC, PRIMED] {
            for solver in ["highs", "cbc"] {
                for seed in 1..=2 {
                    fixture.run(&format!("n{}-round", 5 + instance), formulation, solver, seed);
                }
            }
        }
    }
    let mut time_s = 0.02;
    for (number, row) in fixture.runs.iter_mut().enumerate() {
        // From 20 ms to 6 s of the 20 s that are allowed, whatever the number of rows.
        time_s = if time_s > 5.0 { 0.021 } else { time_s * 1.17 };
        let count = 10 * number as u64;
        (row.solve_time_s, row.wall_time_s, row.cpu_time_s) = (Some(time_s), Some(time_s + 0.01), Some(time_s));
        (row.iterations, row.cuts, row.nodes, row.conflicts) = (Some(2), Some(3), Some(count + 20), Some(count + 50));
        (row.simplex_iterations, row.propagations) = (Some(count * 30), Some(count * 100));
        row.peak_memory_b = Some((50 << 20) + (count << 10));
        row.memory_source = Some("VmHWM (worker)".to_owned());
        row.objective_value = Some(-3.5);
    }
    fixture.runs
}

/// An experiment of these rows.
pub fn experiment(name: &str, rows: &[RunRow]) -> Experiment {
    let mut fixture = Fixture::new(name);
    fixture.runs = rows.to_vec();
    fixture.load().experiment
}

/// Compares rows with the same rows after a change.
pub fn changed(rows: &[RunRow], options: &Options, change: impl Fn(usize, &mut RunRow)) -> Comparison {
    let mut new = rows.to_vec();
    new.iter_mut().enumerate().for_each(|(number, row)| change(number, row));
    compare(&[experiment("one", rows)], &[experiment("one", &new)], options).expect("runs in common")
}

/// Compares rows of which the first is changed, on each side in its way.
fn first(before: Change, after: Change) -> Comparison {
    let side = |change: Change| {
        let mut rows = rows(2);
        // A puzzle of its own, so that no other run of the side refutes it.
        rows[0].instance_hash = "0".repeat(16);
        change(&mut rows[0]);
        [experiment("one", &rows)]
    };
    compare(&side(before), &side(after), &Options::default()).expect("runs in common")
}

fn only(comparison: &Comparison) -> &Finding {
    let [finding] = comparison.findings.as_slice() else { panic!("{:#?}", comparison.findings) };
    finding
}

fn ends(row: &mut RunRow, status: Status, category: Category, reason: &str) {
    (row.status, row.category, row.termination_reason) = (status, category, reason.to_owned());
    if !status.has_solution() {
        row.objective_value = None;
    }
}

fn times_out(row: &mut RunRow) {
    ends(row, Status::Timeout, Category::Unknown, "hard-limit");
    (row.wall_time_s, row.cpu_time_s) = (Some(21.2), Some(21.1));
}

#[test]
fn every_way_to_be_worse_and_its_reverse() {
    use Aspect::{Failure, Objective, Status as Other, Wrong};
    use Verdict::{Borderline, Changed, Worse};
    let same: Change = |_| {};
    let near: Change = |row| row.wall_time_s = Some(16.5);
    let open: Change = |row| ends(row, Status::Infeasible, Category::Unknown, "infeasible");
    let feasible: Change = |row| row.status = Status::Feasible;
    let feasible_at_limit: Change = |row| (row.status, row.wall_time_s) = (Status::Feasible, Some(20.1));
    let cases: [(Change, Change, Aspect, Verdict); 21] = [
        (same, |row| row.category = Category::Wrong, Wrong, Worse),
        (times_out, |row| row.category = Category::Wrong, Wrong, Worse),
        (|row| ends(row, Status::Crash, Category::Error, ""), |row| row.category = Category::Wrong, Wrong, Worse),
        (same, |row| ends(row, Status::Crash, Category::Error, "signal"), Failure, Worse),
        (same, |row| ends(row, Status::Lost, Category::Error, "no-answer"), Failure, Worse),
        (same, |row| ends(row, Status::Unsupported, Category::Error, "unavailable"), Failure, Worse),
        (times_out, |row| ends(row, Status::Error, Category::Error, "error"), Failure, Worse),
        (same, times_out, Failure, Worse),
        (same, |row| ends(row, Status::Timeout, Category::Unknown, "solver-limit"), Failure, Worse),
        (same, |row| ends(row, Status::Memout, Category::Unknown, "memory-limit"), Failure, Worse),
        (near, times_out, Failure, Borderline),
        (open, times_out, Other, Worse),
        (same, feasible, Other, Worse),
        (near, feasible_at_limit, Other, Borderline),
        (feasible_at_limit, times_out, Failure, Borderline),
        (
            |row| row.status = Status::Feasible,
            |row| (row.status, row.objective_value) = (Status::Feasible, Some(-3.4)),
            Objective,
            Worse,
        ),
        (
            feasible_at_limit,
            |row| (row.status, row.wall_time_s, row.objective_value) = (Status::Feasible, Some(20.1), Some(-3.4)),
            Objective,
            Borderline,
        ),
        (
            |row| row.bound = Some(-3.6),
            |row| (row.objective_value, row.bound) = (Some(-3.55), Some(-3.6)),
            Objective,
            Changed,
        ),
        (times_out, |row| ends(row, Status::Memout, Category::Unknown, "memory-limit"), Other, Changed),
        // Whether a solution under a formulation that only reports subloops has any is luck.
        (same, |row| ends(row, Status::Optimal, Category::Unknown, "subloops"), Other, Changed),
        (
            |row| ends(row, Status::Crash, Category::Error, ""),
            |row| ends(row, Status::Error, Category::Error, ""),
            Failure,
            Changed,
        ),
    ];
    for (number, (before, after, aspect, verdict)) in cases.into_iter().enumerate() {
        let forth = first(before, after);
        let finding = only(&forth);
        assert_eq!((finding.aspect, finding.verdict), (aspect, verdict), "case {number}: {finding:?}");
        assert_eq!(forth.is_regression(), verdict == Worse, "case {number}");
        let case = &forth.cases[finding.case.expect("a run")];
        assert_eq!((case.instance.as_str(), case.seed), ("n5-round", 1));

        let back = first(after, before);
        let finding = only(&back);
        let reversed = if verdict == Worse { Verdict::Better } else { verdict };
        assert_eq!((finding.aspect, finding.verdict), (aspect, reversed), "case {number}: {finding:?}");
        assert!(!back.is_regression(), "case {number}");
    }
}

#[test]
fn contradictions_are_loud_both_ways() {
    let same: Change = |_| {};
    let cases: [(Change, Aspect); 3] = [
        (|row| ends(row, Status::Infeasible, Category::Unknown, "infeasible"), Aspect::Wrong),
        // The same model: that it forbids too much is no excuse.
        (|row| ends(row, Status::Infeasible, Category::Unknown, "restricted"), Aspect::Wrong),
        (|row| row.objective_value = Some(-3.6), Aspect::Objective),
    ];
    for (change, aspect) in cases {
        for found in [first(same, change), first(change, same)] {
            let finding = only(&found);
            assert_eq!((finding.aspect, finding.verdict, finding.fails), (aspect, Verdict::Worse, true), "{finding:?}");
        }
    }
}

/// A proof that a verified solution of the other side refutes, though that side found it when a limit struck.
#[test]
fn a_refuted_proof_is_loud_both_ways() {
    let proven: Change = |row| (row.objective_value, row.bound) = (Some(12.0), Some(12.0));
    let lower: Change = |row| {
        ends(row, Status::Feasible, Category::Correct, record::SOFT_LIMIT);
        (row.objective_value, row.bound) = (Some(8.0), Some(1.0));
    };
    // The value is right, or was at a limit, and the bound is wrong all the same.
    let same_value: Change = |row| row.bound = row.objective_value.map(|value| value + 1.0);
    let at_limit: Change = |row| {
        ends(row, Status::Feasible, Category::Correct, record::SOFT_LIMIT);
        (row.objective_value, row.bound) = (Some(12.0), Some(11.0));
    };
    let same: Change = |_| {};
    // A bound without a solution counts too.
    let no_value: Change = |row| {
        times_out(row);
        (row.bound, row.places) = (Some(11.0), Some(5));
    };
    let both_ways = [(lower, proven), (lower, at_limit), (lower, no_value)];
    let both_ways = both_ways.into_iter().flat_map(|(a, b)| [first(a, b), first(b, a)]);
    for found in both_ways.chain([first(same, same_value)]) {
        let of_answer = [Aspect::Objective, Aspect::Wrong];
        let refuted = found.findings.iter().find(|finding| of_answer.contains(&finding.aspect)).expect("a finding");
        assert_eq!((refuted.verdict, refuted.fails), (Verdict::Worse, true), "{}", refuted.text);
    }
}

#[test]
fn what_is_known_of_an_instance_is_no_work_of_the_program() {
    let unknown: Change = |row| ends(row, Status::Infeasible, Category::Unknown, "infeasible");
    let correct: Change = |row| ends(row, Status::Infeasible, Category::Correct, "infeasible");
    for found in [first(unknown, correct), first(correct, unknown)] {
        let finding = only(&found);
        assert_eq!((finding.verdict, finding.fails), (Verdict::Changed, false), "{}", finding.text);
    }
}

#[test]
fn what_another_run_of_a_side_refutes_is_no_change_of_this_one() {
    let side = |is_refuted: bool, bound: f64| {
        let mut rows = rows(2);
        let solved =
            rows.iter().position(|row| row.category == Category::Correct && row.solver == "cbc").expect("a run");
        let hash = rows[solved].instance_hash.clone();
        rows[0].instance_hash = if is_refuted { hash } else { "0".repeat(16) };
        ends(&mut rows[0], Status::Infeasible, Category::Unknown, "infeasible");
        rows[0].bound = Some(bound);
        [experiment("one", &rows)]
    };
    for (base, new, text) in [(false, true, "run in NEW refutes"), (true, false, "run in BASE refutes")] {
        // Bounds may differ in their last digits.
        let found = compare(&side(base, 5.0), &side(new, 5.0 + 1e-9), &Options::default()).expect("runs in common");
        let finding = only(&found);
        assert_eq!((finding.verdict, finding.fails), (Verdict::Changed, false), "{}", finding.text);
        assert!(finding.text.contains(text), "{}", finding.text);
        let text = markdown(&found);
        assert!(text.contains("tilebench: no regression; 1 answer is refuted on one side by another run\n"), "{text}");
    }
}

#[test]
fn counts_are_compared_with_all_of_their_digits() {
    /// Counts that are one float.
    fn counted(row: &mut RunRow, number: u128) {
        row.families = "strategy=count".to_owned();
        row.native_status = Some(record::counted(number));
        row.objective_value = Some(1e26);
    }
    let [one, other]: [Change; 2] = [|row| counted(row, 10_u128.pow(26)), |row| counted(row, 10_u128.pow(26) + 1)];
    assert!(first(one, one).findings.is_empty());
    for found in [first(one, other), first(other, one)] {
        let finding = only(&found);
        assert_eq!((finding.aspect, finding.verdict), (Aspect::Objective, Verdict::Worse), "{}", finding.text);
        assert!(finding.text.contains("100000000000000000000000001"), "{}", finding.text);
    }
}

#[test]
fn what_is_wrong_on_both_sides_is_said_and_no_regression() {
    let wrong: Change = |row| row.category = Category::Wrong;
    let found = first(wrong, wrong);
    assert_eq!(only(&found).verdict, Verdict::Changed);
    assert!(only(&found).text.starts_with("wrong on both sides"));
    assert!(!found.is_regression());
    assert!(markdown(&found).contains("tilebench: no regression; 1 wrong answer on both sides\n"));
}

#[test]
fn on_another_machine_or_with_threads_a_run_is_sooner_near_its_limit() {
    let slow: Change = |row| row.wall_time_s = Some(1.5);
    assert_eq!(only(&first(slow, times_out)).verdict, Verdict::Worse);
    let elsewhere = first(slow, |row| {
        times_out(row);
        row.host = "laptop".to_owned();
    });
    assert_eq!(only(&elsewhere).verdict, Verdict::Borderline);
    let threads = |row: &mut RunRow| row.threads = 4;
    let parallel = first(
        |row| (row.wall_time_s, row.threads) = (Some(1.5), 4),
        |row| {
            times_out(row);
            row.threads = 4;
        },
    );
    assert_eq!(only(&parallel).verdict, Verdict::Borderline);
    let mut quick = rows(2);
    threads(&mut quick[0]);
    let found = changed(&quick, &Options::default(), |number, row| {
        if number == 0 {
            times_out(row)
        }
    });
    assert_eq!(only(&found).verdict, Verdict::Worse, "a thousandth of the limit is not near it");
}

#[test]
fn a_limit_is_near_for_what_was_used_of_that_very_limit() {
    let memory: Change = |row| (row.memory_limit_b, row.peak_memory_b) = (Some(100 << 20), Some(90 << 20));
    let memout: Change = |row| {
        ends(row, Status::Memout, Category::Unknown, "memory-limit");
        (row.memory_limit_b, row.peak_memory_b) = (Some(100 << 20), Some(100 << 20));
    };
    let timeout: Change = |row| {
        times_out(row);
        row.memory_limit_b = Some(100 << 20);
    };
    assert_eq!(only(&first(memory, memout)).verdict, Verdict::Borderline);
    assert_eq!(only(&first(memory, timeout)).verdict, Verdict::Worse);
}

#[test]
fn runs_are_matched_by_their_ids() {
    let base = rows(2);
    let found = changed(&base, &Options::default(), |number, row| {
        if number == 0 {
            row.run_id += " of others";
        }
    });
    assert_eq!((found.matched, found.base.alone, found.new.alone), (base.len() - 1, 1, 1));
    assert!(found.findings.iter().all(|finding| finding.aspect == Aspect::Missing));
    // Neither names nor versions count.
    let found = changed(&base, &Options::default(), |_, row| {
        row.instance += "-renamed";
        row.formulation += " renamed";
        row.solver_version = "2.0".to_owned();
        row.git_commit = "def5678".to_owned();
    });
    assert_eq!((found.matched, found.base.alone, found.new.alone), (base.len(), 0, 0));
    assert!(found.findings.is_empty(), "{:?}", found.findings);
    let versions = "other versions of solvers: cbc 1.0 → 2.0, highs 1.0 → 2.0";
    assert!(found.warnings.iter().any(|warning| warning.starts_with(versions)), "{:?}", found.warnings);
    assert_eq!((found.base.builds, found.new.builds), (vec!["abc1234".to_owned()], vec!["def5678".to_owned()]));
}

/// What BASE refutes of itself NEW can mend or leave; and a start may fix other tiles in each of two builds.
#[test]
fn what_was_wrong_in_base_or_is_of_a_part_is_no_regression() {
    let wrong: Change = |row| row.bound = row.objective_value.map(|value| value + 1.0);
    let same: Change = |_| {};
    // A bound of a run that is known to be wrong is none.
    let known: Change = |row| {
        ends(row, Status::Infeasible, Category::Wrong, "infeasible");
        row.bound = Some(100.0);
    };
    let found = first(known, same);
    assert!(only(&found).aspect == Aspect::Wrong && !found.is_regression(), "{:?}", found.findings);
    // NEW refutes itself, and BASE with the same value.
    let below: Change =
        |row| (row.objective_value, row.bound) = (row.objective_value.map(|v| v - 1.0), row.objective_value);
    assert_eq!(only(&first(same, below)).verdict, Verdict::Worse);
    for (found, verdict) in [(first(wrong, same), Verdict::Better), (first(wrong, wrong), Verdict::Changed)] {
        assert_eq!((only(&found).aspect, only(&found).verdict), (Aspect::Wrong, verdict), "{}", only(&found).text);
    }
    let [low, high]: [Change; 2] = [
        |row| row.options = "start=fix".to_owned(),
        |row| {
            row.options = "start=fix".to_owned();
            (row.objective_value, row.bound) = (Some(-3.0), Some(-3.0));
        },
    ];
    for found in [first(low, high), first(high, low)] {
        assert_eq!(only(&found).verdict, Verdict::Changed, "{}", only(&found).text);
    }
}

#[test]
fn what_a_missing_solver_did_not_measure_is_not_missing() {
    let base = rows(2);
    let mut unsupported = base.clone();
    let of_cbc = unsupported.iter_mut().filter(|row| row.solver == "cbc");
    of_cbc.for_each(|row| ends(row, Status::Unsupported, Category::Error, "unavailable"));
    let compared = |base: &[RunRow]| {
        let new: Vec<_> = base.iter().filter(|row| row.solver != "cbc").cloned().collect();
        compare(&[experiment("one", base)], &[experiment("one", &new)], &Options::default()).expect("runs in common")
    };
    let found = compared(&unsupported);
    assert!(found.findings.is_empty() && !found.is_incomplete(), "{:?}", found.findings);
    assert!(compared(&base).is_incomplete());
}

#[test]
fn missing_runs_fail_unless_other_aspects_are_asked_for() {
    let base = rows(2);
    let part = [experiment("one", &base[..10])];
    let whole = [experiment("one", &base)];
    let mut options = Options::default();
    let found = compare(&whole, &part, &options).expect("runs in common");
    assert_eq!((found.matched, found.base.alone, found.new.alone), (10, 6, 0));
    assert!(found.findings.iter().all(|f| (f.aspect, f.verdict) == (Aspect::Missing, Verdict::Missing)));
    assert_eq!((found.is_incomplete(), found.is_regression()), (true, false));
    let back = compare(&part, &whole, &options).expect("runs in common");
    assert!(!back.is_regression() && !back.is_incomplete() && back.new.alone == 6);
    options.fail_on = Some([Aspect::Wrong].into());
    assert!(!compare(&whole, &part, &options).expect("runs in common").is_incomplete());
    // Runs that neither side has are no difference, but said: the plan knows of them.
    let lost = || {
        let mut fixture = Fixture::new("one");
        fixture.runs = base[..10].to_vec();
        (fixture.manifest.planned, fixture.manifest.sessions[0].runs) = (base.len() as u64, base.len() as u64);
        [fixture.load().experiment]
    };
    let found = compare(&lost(), &lost(), &Options::default()).expect("runs in common");
    assert!(found.findings.is_empty(), "{:?}", found.findings);
    let unfinished = |found: &Comparison| found.warnings.iter().filter(|w| w.contains("10 of 16 runs of one")).count();
    assert_eq!(unfinished(&found), 2, "{:?}", found.warnings);
    // What a session was to do under another plan is not missing from this one.
    let edited = |plan: &str| {
        let mut fixture = Fixture::new("one");
        fixture.runs = base[..10].to_vec();
        fixture.manifest.plan = plan.to_owned();
        fixture.manifest.planned = 12;
        let first = fixture.manifest.sessions[0].clone();
        let session = |runs, plan: &str| SessionFacts { runs, plan: plan.to_owned(), ..first.clone() };
        fixture.manifest.sessions = vec![session(16, "before"), session(8, "now")];
        [fixture.load().experiment]
    };
    let missing = |plan| {
        let found = compare(&edited(plan), &edited(plan), &Options::default()).expect("runs in common");
        found.warnings.iter().filter(|warning| warning.contains("10 of 12 runs of one have a result")).count()
    };
    assert_eq!((missing("now"), missing("before")), (0, 2));
}

#[test]
fn interrupted_runs_are_missing_and_new_ones_may_be_wrong() {
    let found = first(|_| {}, |row| ends(row, Status::Interrupted, Category::Unknown, "interrupted"));
    assert_eq!((found.base.alone, found.new.interrupted), (1, 1));
    assert!(found.warnings.contains(&"NEW: 1 run was interrupted, as if not measured".to_owned()));
    let base = rows(2);
    let mut more = base.clone();
    more.push(RunRow { seed: 9, run_id: "more".to_owned(), category: Category::Wrong, ..base[0].clone() });
    let found = compare(&[experiment("one", &base)], &[experiment("one", &more)], &Options::default());
    let found = found.expect("runs in common");
    assert_eq!(found.regressions().map(|f| f.aspect).collect::<Vec<_>>(), [Aspect::Wrong]);
}

#[test]
fn experiments_share_runs_and_may_be_renamed() {
    let base = rows(2);
    let [one, two] = ["one", "two"].map(|name| experiment(name, &base));
    // What both experiments of a side have is compared with its namesake.
    let mut slow = base.clone();
    slow.iter_mut().for_each(|row| row.nodes = Some(7));
    let found = compare(&[one.clone(), two.clone()], &[experiment("two", &slow), one.clone()], &Options::default());
    let found = found.expect("runs in common");
    assert_eq!((found.matched, found.base.alone, found.new.alone), (2 * base.len(), 0, 0));
    assert!(!found.changes.is_empty() && found.changes.iter().all(|change| change.subject.experiment == "two"));
    let found = compare(&[one], &[experiment("renamed", &base)], &Options::default()).expect("runs in common");
    assert_eq!(found.matched, base.len());
    assert!(found.findings.is_empty());
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let base = rows(2);
    let error = |base: &[Experiment], new: &[Experiment]| compare(base, new, &Options::default()).expect_err("refused");
    let mut others = base.clone();
    others.iter_mut().for_each(|row| row.run_id += " of others");
    let mut longer = others.clone();
    longer.iter_mut().for_each(|row| row.time_limit_s = Some(99.0));
    let (one, others) = ([experiment("one", &base)], [experiment("one", &others)]);
    let text = error(&one, &others).to_string();
    assert!(
        text.starts_with("nothing to compare: no run of BASE (/") && text.ends_with("threads and limits are"),
        "{text}"
    );
    let text = error(&one, &[experiment("one", &longer)]).to_string();
    assert!(text.contains(" differs in time limit: ") && text.ends_with(" → 99 s"), "{text}");
    let mut twice = base.clone();
    twice.iter_mut().for_each(|row| row.solver_version = "1.1".to_owned());
    let text = error(&[one[0].clone(), experiment("one", &twice)], &one).to_string();
    for part in ["n5-round / basic / cbc, seed 1, repeat 1 stands there twice", "runs.csv, cbc 1.0", "cbc 1.1"] {
        assert!(text.contains(part), "{text}");
    }
}
