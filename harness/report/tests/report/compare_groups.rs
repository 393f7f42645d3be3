//! Groups of runs compared: counts, times, memory; and that two measurements of one program are no regression.

use std::collections::BTreeSet;

use proptest::prelude::*;
use record::{Category, RunRow, Status};
use report::compare::{Aspect, Comparison, Options, Verdict, compare, markdown};

use crate::compare::{changed, experiment, rows};
use crate::fixture::Fixture;

/// A generator of numbers that are the same at every call (SplitMix64).
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// About normal: the sum of twelve.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }
}

fn longer(row: &mut RunRow, factor: f64) {
    for time in [&mut row.build_time_s, &mut row.solve_time_s, &mut row.wall_time_s, &mut row.cpu_time_s] {
        *time = time.map(|time| time * factor);
    }
}

/// The aspects that fail.
fn failing(comparison: &Comparison) -> BTreeSet<Aspect> {
    comparison.regressions().map(|finding| finding.aspect).collect()
}

#[test]
fn a_group_that_is_slower_fails_and_one_that_is_quicker_is_told() {
    let base = rows(10);
    let is_slow = |row: &RunRow| row.formulation == "basic" && row.solver == "highs";
    let change = |factor: f64| {
        move |_: usize, row: &mut RunRow| {
            if is_slow(row) {
                longer(row, factor);
            }
        }
    };
    let found = changed(&base, &Options::default(), change(1.6));
    assert_eq!(failing(&found), [Aspect::Time].into(), "{:#?}", found.findings);
    let slow: Vec<_> = found.tests.iter().filter(|tested| tested.verdict.is_some()).collect();
    // All groups together are slower too, by the fourth root of that.
    assert_eq!(slow.len(), 1, "{:#?}", found.tests);
    let tested = slow[0];
    assert_eq!((tested.subject.formulation.as_str(), tested.subject.solver.as_str()), ("basic", "highs"));
    assert_eq!((tested.instances, tested.runs, tested.left_out, tested.comparable), (10, 20, 0, true));
    assert!((1.3..1.6).contains(&tested.ratio), "{tested:?}");
    // Four groups, each also beside the others, and all together.
    assert_eq!((tested.intervals, tested.seen), (9, Some(found.options.time_threshold)));
    let (low, high) = tested.interval.expect("an interval");
    assert!(low <= tested.ratio && tested.ratio <= high, "{tested:?}");

    let found = changed(&base, &Options::default(), change(1.0 / 1.6));
    assert!(!found.is_regression());
    assert_eq!(found.others(Verdict::Better).map(|f| f.aspect).collect::<Vec<_>>(), [Aspect::Time]);

    // A wrong answer is none the better for coming soon.
    let found = changed(&base, &Options::default(), |number, row| {
        change(1.0 / 1.6)(number, row);
        if is_slow(row) {
            row.category = Category::Wrong;
        }
    });
    assert_eq!(found.others(Verdict::Better).count(), 0, "{:#?}", found.findings);
    // Nor is one that the other side refutes, and its work is none either.
    let found = changed(&base, &Options::default(), |number, row| {
        change(1.0 / 1.6)(number, row);
        if is_slow(row) {
            (row.status, row.category, row.nodes) = (Status::Infeasible, Category::Unknown, Some(0));
        }
    });
    assert_eq!(found.others(Verdict::Better).count(), 0, "{:#?}", found.findings);

    // Less than the threshold, however sure.
    assert!(changed(&base, &Options::default(), change(1.2)).findings.is_empty());
    let strict = Options { time_threshold: 1.1, ..Options::default() };
    assert_eq!(failing(&changed(&base, &strict, change(1.2))), [Aspect::Time].into());
    // Not sure enough, however slow: of eight rows an instance, two a group, each group has other slow instances.
    let spread = |number: usize, row: &mut RunRow| {
        let (instance, group) = (number / 8, number / 2 % 4);
        let is_slow = (instance / (1 + group / 2) + group) % 2 == 0;
        longer(row, if is_slow { 8.0 } else { 0.25 });
    };
    let found = changed(&base, &Options::default(), spread);
    assert!(!found.is_regression() && found.tests.iter().any(|tested| tested.ratio > 1.25), "{:#?}", found.tests);
    assert!(found.warnings.iter().any(|warning| warning.contains("may go unnoticed")));
}

#[test]
fn an_instance_tells_nothing_alone_and_two_tell_what_is_beyond_doubt() {
    let base = rows(1);
    let by = |factor: f64| move |_: usize, row: &mut RunRow| longer(row, factor);
    let found = changed(&base, &Options::default(), by(9.0));
    assert!(found.findings.is_empty(), "{:?}", found.findings);
    let unseen =
        |found: &Comparison| found.tests.iter().filter(|t| t.aspect == Aspect::Time && t.seen.is_none()).count();
    assert_eq!(unseen(&found), 4);
    // The groups lend each other what they know of the noise; one alone knows too little.
    assert!(changed(&rows(2), &Options::default(), by(1.9)).findings.is_empty());
    let found = changed(&rows(2), &Options::default(), by(2.2));
    assert_eq!((failing(&found), unseen(&found)), ([Aspect::Time].into(), 0));
    let one = rows(2).into_iter().filter(|row| row.solver == "highs" && row.formulation == "basic");
    let one: Vec<_> = one.collect();
    let found = changed(&one, &Options::default(), |number, row| longer(row, if number < 2 { 9.0 } else { 7.0 }));
    assert!(found.findings.is_empty(), "{:?}", found.findings);
    let found = changed(&one, &Options::default(), |number, row| longer(row, if number < 2 { 9.0 } else { 0.1 }));
    let why = |found: &Comparison, why: &str| found.warnings.iter().any(|warning| warning.contains(why));
    assert!(why(&found, "1 of 1 group with too wide an interval"), "{:?}", found.warnings);
    assert!(!why(&found, "too few instances"), "{:?}", found.warnings);
}

#[test]
fn what_all_runs_of_an_instance_share_hides_no_group() {
    let base = rows(10);
    let disturbed = |number: usize, row: &mut RunRow| {
        let is_slow = row.formulation == "basic" && row.solver == "highs";
        longer(row, [0.5, 0.8, 1.25, 2.0][number / 8 % 4] * if is_slow { 1.5 } else { 1.0 });
    };
    let found = changed(&base, &Options::default(), disturbed);
    let [finding] = found.findings.as_slice() else { panic!("{:?}", found.findings) };
    assert_eq!((finding.aspect, finding.subject.name(false).as_str()), (Aspect::Time, "basic / highs"));
    let tested = found.tests.iter().find(|tested| tested.subject == finding.subject).expect("its group");
    let (ratio, (low, high)) = tested.beside.expect("three other groups");
    assert!((1.4..1.6).contains(&ratio) && low > 1.3 && high < 1.7, "{tested:?}");
    assert!(tested.interval.is_some_and(|(low, _)| low < Options::DRIFT), "{tested:?}");
}

#[test]
fn times_of_other_circumstances_fail_only_by_name() {
    type Change = fn(&mut RunRow);
    let base = rows(10);
    let changes: [(Change, &str); 4] = [
        (|row| row.host = "laptop".to_owned(), "other host (box → laptop)"),
        (|row| row.cpu_model = "CPU 2".to_owned(), "other CPU model (CPU 1 → CPU 2)"),
        (|row| row.jobs = 2, "other jobs at a time (1 → 2)"),
        (|row| row.cpus = Some("1".to_owned()), "other pinning (not pinned → pinned)"),
    ];
    for (change, words) in changes {
        let slower = |_: usize, row: &mut RunRow| {
            longer(row, 2.0);
            change(row);
        };
        let found = changed(&base, &Options::default(), slower);
        assert!(!found.is_regression(), "{words}");
        assert!(found.others(Verdict::Changed).all(|finding| finding.aspect == Aspect::Time));
        assert!(found.others(Verdict::Changed).count() > 0, "{words}");
        let warned = |found: &Comparison, but: &str| {
            let warning = found.warnings.iter().find(|warning| warning.contains(words));
            assert!(warning.is_some_and(|warning| warning.contains(but)), "{words}: {:?}", found.warnings);
        };
        warned(&found, "and do not fail");
        let headline = "tilebench: no regression; 4 slower groups not judged, up to × ";
        assert!(markdown(&found).contains(headline), "{words}: {}", markdown(&found));
        let insist = Options { fail_on: Some([Aspect::Time].into()), ..Options::default() };
        let found = changed(&base, &insist, slower);
        assert_eq!(failing(&found), [Aspect::Time].into(), "{words}");
        warned(&found, "and fail all the same");
    }
}

#[test]
fn runs_that_waited_are_judged_by_their_cpu_time() {
    let base = rows(10);
    let waits = |row: &mut RunRow| {
        row.solve_time_s = row.solve_time_s.map(|time| 3.0 * time + 0.5);
        row.wall_time_s = row.wall_time_s.map(|time| 3.0 * time + 0.5);
    };
    // All wait, or a few do; the program is the same.
    for every in [1, 7] {
        let found = changed(&base, &Options::default(), |number, row| {
            if number % every == 0 {
                waits(row)
            }
        });
        assert!(!found.is_regression(), "{:?}", found.findings);
        assert!(found.warnings.iter().any(|warning| warning.contains("CPU times are compared where runs waited")));
    }
    // One waits on either side, and the program is slower.
    let mut disturbed = base.clone();
    waits(&mut disturbed[0]);
    let found = changed(&disturbed, &Options::default(), |_, row| longer(row, 2.0));
    assert_eq!(failing(&found), [Aspect::Time].into(), "{:#?}", found.tests);
}

#[test]
fn a_busy_machine_slows_what_is_too_short_to_show_it() {
    // Each run waits for less than half a second, and all of them for a minute.
    let base = rows(10);
    let found = changed(&base, &Options::default(), |_, row| {
        row.solve_time_s = row.solve_time_s.map(|time| time + 0.4);
        row.wall_time_s = row.cpu_time_s.map(|time| time + 0.45);
    });
    assert!(!found.is_regression(), "{:?}", found.findings);
    assert!(found.tests.iter().all(|tested| tested.aspect == Aspect::Memory || tested.on_cpu == tested.runs));
    let warning = found.warnings.iter().find(|warning| warning.contains("NEW: runs of 0.1 s or more took 1."));
    assert!(warning.is_some_and(|warning| !warning.contains("BASE: runs")), "{:?}", found.warnings);
}

#[test]
fn large_effects_need_few_instances_and_short_runs_are_no_hiding_place() {
    // Eleven configurations over ten instances, of which one is a hundred times slower.
    let mut fixture = Fixture::new("one");
    for instance in 0..10 {
        for formulation in 0..11 {
            fixture.run(
                &format!("n{}", 5 + instance),
                (&format!("f{formulation}"), &format!("C{formulation}")),
                "highs",
                0,
            );
        }
    }
    for (number, row) in fixture.runs.iter_mut().enumerate() {
        // 1 to 11 ms.
        row.build_time_s = Some(0.0);
        row.solve_time_s = Some(0.001 * (1 + number % 11) as f64);
        (row.wall_time_s, row.cpu_time_s) = (Some(0.02), Some(0.02));
    }
    let base = fixture.runs;
    for factor in [2.0, 10.0, 100.0] {
        let slower = |_: usize, row: &mut RunRow| {
            if row.formulation == "f3" {
                longer(row, factor)
            }
        };
        let found = changed(&base, &Options::default(), slower);
        let slow: Vec<_> = found.regressions().map(|finding| finding.subject.formulation.as_str()).collect();
        assert_eq!(slow, ["f3"], "{factor}");
    }
}

#[test]
fn a_single_limit_is_no_evidence_and_many_are() {
    let strike = |row: &mut RunRow| {
        (row.status, row.category, row.objective_value) = (Status::Timeout, Category::Unknown, None);
        row.termination_reason = "hard-limit".to_owned();
        (row.solve_time_s, row.wall_time_s, row.cpu_time_s) = (Some(20.0), Some(20.0), Some(20.0));
    };
    let mut base = rows(12);
    for row in &mut base {
        (row.solve_time_s, row.wall_time_s, row.cpu_time_s) = (Some(7.0), Some(7.0), Some(7.0));
    }
    // A third of the limit, and one of many runs does not end within it.
    let one = changed(&base, &Options::default(), |number, row| {
        if number == 5 {
            strike(row)
        }
    });
    assert!(!one.is_regression(), "{:?}", one.findings);
    assert_eq!(one.others(Verdict::Borderline).count(), 1);
    // All of a configuration: at least three times as slow.
    let all = changed(&base, &Options::default(), |_, row| {
        if row.solver == "cbc" {
            strike(row)
        }
    });
    let regressions: Vec<_> = all.regressions().map(|f| (f.aspect, f.subject.solver.as_str())).collect();
    assert!(regressions.contains(&(Aspect::Time, "cbc")) && !regressions.contains(&(Aspect::Time, "highs")));
    let tested = all.tests.iter().find(|tested| tested.subject.solver == "cbc").expect("a test");
    assert!(tested.at_limit == tested.runs && (2.8..2.9).contains(&tested.ratio), "{tested:?}");
    // A run that was solved in no time, and now takes all of it; unless it only waited.
    let mut quick = base.clone();
    (quick[5].solve_time_s, quick[5].wall_time_s, quick[5].cpu_time_s) = (Some(0.1), Some(0.1), Some(0.1));
    assert_eq!(
        failing(&changed(&quick, &Options::default(), |n, row| if n == 5 {
            strike(row)
        })),
        [Aspect::Failure].into()
    );
    let stopped_with = |cpu_s: f64| {
        changed(&quick, &Options::default(), move |number, row| {
            if number == 5 {
                strike(row);
                row.cpu_time_s = Some(cpu_s);
            }
        })
    };
    let waited = stopped_with(4.0);
    assert!(!waited.is_regression(), "{:?}", waited.findings);
    // No machine is that busy: it hangs.
    assert_eq!(failing(&stopped_with(0.1)), [Aspect::Failure].into());
    let hang = |_: usize, row: &mut RunRow| {
        if row.solver == "cbc" {
            strike(row);
            row.cpu_time_s = Some(0.01);
        }
    };
    assert!(failing(&changed(&base, &Options::default(), hang)).contains(&Aspect::Time));
    // A few runs that were measured in another way are left out and hide nothing.
    let elsewhere = changed(&base, &Options::default(), |number, row| {
        longer(row, 2.0);
        if number % 8 == 0 {
            row.jobs = 2;
        }
    });
    assert_eq!(failing(&elsewhere), [Aspect::Time].into());
}

#[test]
fn runs_that_a_limit_stopped_have_no_part_in_times_and_counts() {
    let stop = |row: &mut RunRow| {
        (row.status, row.category) = (Status::Timeout, Category::Unknown);
        row.termination_reason = "soft-limit".to_owned();
        row.objective_value = None;
    };
    let mut base = rows(10);
    base.iter_mut().for_each(stop);
    let found = changed(&base, &Options::default(), |_, row| {
        longer(row, 9.0);
        row.nodes = Some(1);
    });
    assert!(found.findings.is_empty() && found.tests.is_empty(), "{:?}", found.findings);
    // What is left are the sizes of the models.
    assert_eq!((found.counts.compared, found.counts.equal), (2 * base.len(), 2 * base.len()));
}

/// Runs of which those under one formulation and solver all keep their limit by little, and what happens to the first `fell` instances
/// in NEW and to the next `rose` ones in BASE: both of their runs strike the limit there.
fn near_the_limit(fell: usize, rose: usize, host: &str) -> Comparison {
    near_the_limit_of(&|row| row.formulation == "basic" && row.solver == "highs", fell, rose, host)
}

fn near_the_limit_of(is_near: &dyn Fn(&RunRow) -> bool, fell: usize, rose: usize, host: &str) -> Comparison {
    let place = |row: &RunRow| row.instance[1..row.instance.len() - 6].parse::<usize>().expect("a number") - 5;
    let keep =
        |row: &mut RunRow| (row.solve_time_s, row.wall_time_s, row.cpu_time_s) = (Some(18.0), Some(18.0), Some(18.0));
    let strike = |row: &mut RunRow| {
        (row.status, row.category) = (Status::Timeout, Category::Unknown);
        (row.termination_reason, row.objective_value) = ("soft-limit".to_owned(), None);
        (row.solve_time_s, row.wall_time_s, row.cpu_time_s) = (Some(20.0), Some(20.0), Some(20.0));
    };
    let mut base = rows(12);
    let mut new = base.clone();
    for (before, after) in base.iter_mut().zip(&mut new).filter(|(row, _)| is_near(row)) {
        let struck = |places: std::ops::Range<usize>| places.contains(&place(before));
        let (in_new, in_base) = (struck(0..fell), struck(fell..fell + rose));
        keep(before);
        keep(after);
        if in_new {
            strike(after);
        }
        if in_base {
            strike(before);
        }
        after.host = host.to_owned();
    }
    compare(&[experiment("one", &base)], &[experiment("one", &new)], &Options::default()).expect("runs in common")
}

#[test]
fn many_that_fall_over_their_limit_together_are_no_chance() {
    let same = rows(1)[0].host.clone();
    let drifts = |found: &Comparison| -> Vec<_> {
        let together = found.findings.iter().filter(|finding| finding.text.contains("together that is no chance"));
        together.map(|finding| (finding.aspect, finding.verdict, finding.fails, finding.subject.name(false))).collect()
    };
    // Eight of eight: p = 2 / 2^8 < 0.01.
    let fallen = near_the_limit(8, 0, &same);
    assert_eq!(drifts(&fallen), [(Aspect::Time, Verdict::Worse, true, "basic / highs".to_owned())]);
    assert!(fallen.others(Verdict::Borderline).count() == 16, "one by one they are chance: {:#?}", fallen.findings);
    assert_eq!(
        drifts(&near_the_limit(0, 8, &same)),
        [(Aspect::Time, Verdict::Better, false, "basic / highs".to_owned())]
    );
    for (fell, rose) in [(7, 0), (0, 7), (6, 6), (10, 2)] {
        let found = near_the_limit(fell, rose, &same);
        assert!(!found.is_regression() && drifts(&found).is_empty(), "{fell} and {rose}: {:#?}", found.findings);
    }
    // Three instances are three, under however many formulations and solvers.
    let few = near_the_limit_of(&|_| true, 3, 0, &same);
    assert!(few.tests.len() > 8 && !few.is_regression() && drifts(&few).is_empty(), "{:#?}", few.findings);
    let elsewhere = near_the_limit(12, 0, "laptop");
    assert_eq!(drifts(&elsewhere), [(Aspect::Time, Verdict::Changed, false, "basic / highs".to_owned())]);
}

/// Each of their runs may have been chance by itself.
#[test]
fn a_group_that_loses_all_of_its_instances_fails_wherever_it_was_measured() {
    let of_wrong_and_failures =
        Options { fail_on: Some([Aspect::Wrong, Aspect::Failure].into()), ..Options::default() };
    let compared = |instances: u32, needed_s: f64, host: &str, keeps: usize| {
        let mut base = rows(instances);
        let is_own = |row: &RunRow| row.formulation == "basic" && row.solver == "cbc";
        for row in &mut base {
            // It waits for programs of its own, so that CPU times would be compared.
            (row.solve_time_s, row.wall_time_s, row.cpu_time_s) =
                (Some(needed_s), Some(needed_s), Some(0.3 * needed_s));
        }
        changed(&base, &of_wrong_and_failures, |number, row| {
            row.host = host.to_owned();
            if is_own(row) && number >= keeps {
                (row.status, row.category, row.objective_value) = (Status::Timeout, Category::Unknown, None);
                row.termination_reason = "soft-limit".to_owned();
                (row.solve_time_s, row.wall_time_s, row.cpu_time_s) = (Some(20.0), Some(20.0), Some(0.0));
            }
        })
    };
    let same = rows(1)[0].host.clone();
    // Seconds that are above what is a failure of each single run, and those that are too much for one of all.
    for (host, quick_s, slow_s) in [(same.as_str(), 4.0, 8.0), ("another", 1.5, 3.0)] {
        let found = compared(6, quick_s, host, 0);
        let regression = found.regressions().next().unwrap_or_else(|| panic!("none: {:#?}", found.findings));
        assert_eq!((regression.aspect, regression.subject.name(false).as_str()), (Aspect::Failure, "basic / cbc"));
        assert!(regression.text.starts_with("all 6 instances that BASE solved ran out of time"), "{}", regression.text);
        // Few instances, little time left, one that is solved.
        for (instances, needed_s, keeps) in [(2, quick_s, 0), (6, slow_s, 0), (6, quick_s, 8)] {
            let found = compared(instances, needed_s, host, keeps);
            assert!(!found.is_regression(), "{instances} {needed_s} {keeps}: {:#?}", found.findings);
        }
    }
    // What hung counts with its limit in the times of the group.
    let hung = compared(6, 4.0, &same, 0);
    let times = hung.findings.iter().find(|finding| finding.aspect == Aspect::Time).expect("it is slower");
    assert!(times.verdict == Verdict::Worse && times.text.contains("12 runs stopped by a limit"), "{}", times.text);
}

#[test]
fn counts_fail_by_group_and_only_under_one_version() {
    let base = rows(3);
    let more = |row: &mut RunRow| {
        if row.solver == "cbc" {
            row.conflicts = row.conflicts.map(|count| 2 * count + 10);
        }
    };
    let found = changed(&base, &Options::default(), |_, row| more(row));
    assert_eq!(failing(&found), [Aspect::Count].into());
    assert_eq!(found.regressions().count(), 2);
    let change = &found.changes[0];
    assert_eq!((change.quantity, change.changed, change.runs), ("conflicts", 6, 6));
    assert!((change.ratio - 2.0).abs() < 1e-9, "(2c + 10 + 10) / (c + 10): {change:?}");

    // One of six runs, by a little: said, and no regression.
    let little = |number: usize, row: &mut RunRow| {
        if number == 0 {
            row.nodes = row.nodes.map(|count| count + 5);
        }
    };
    let found = changed(&base, &Options::default(), little);
    assert!(!found.is_regression() && found.findings.len() == 1);
    let text = &found.findings[0].text;
    assert!(text.starts_with("nodes differ in 1 of 6 runs") && text.contains("n5-round: 20 → 25"), "{text}");
    let strict = Options { count_threshold: 1.01, ..Options::default() };
    assert!(changed(&base, &strict, little).is_regression());

    let other_version = |_: usize, row: &mut RunRow| {
        more(row);
        row.solver_version = "1.1".to_owned();
    };
    let found = changed(&base, &Options::default(), other_version);
    assert!(!found.is_regression());
    assert!(found.findings.iter().all(|f| f.verdict == Verdict::Changed && f.text.contains("another version")));
    let by_name = Options { fail_on: Some([Aspect::Count].into()), ..Options::default() };
    assert_eq!(failing(&changed(&base, &by_name, other_version)), [Aspect::Count].into());

    // Threads make counts differ from run to run.
    let mut parallel = base.clone();
    parallel.iter_mut().for_each(|row| row.threads = 2);
    assert!(changed(&parallel, &Options::default(), |_, row| more(row)).findings.is_empty());

    // A model is as large as it is, whatever solves it and whether it is solved.
    let larger = |_: usize, row: &mut RunRow| {
        row.constraints = row.constraints.map(|count| 2 * count);
        row.solver_version = "1.1".to_owned();
    };
    assert_eq!(failing(&changed(&parallel, &Options::default(), larger)), [Aspect::Count].into());
}

#[test]
fn memory_fails_by_name_and_only_where_it_was_measured_alike() {
    let base = rows(10);
    let more = |row: &mut RunRow| row.peak_memory_b = row.peak_memory_b.map(|bytes| 2 * bytes);
    let by_name = Options { fail_on: Some([Aspect::Memory].into()), ..Options::default() };
    let found = changed(&base, &Options::default(), |_, row| more(row));
    assert!(!found.is_regression());
    assert!(found.others(Verdict::Worse).all(|f| f.aspect == Aspect::Memory) && !found.findings.is_empty());
    assert!(changed(&base, &by_name, |_, row| more(row)).is_regression());
    let other_way = |_: usize, row: &mut RunRow| {
        more(row);
        row.memory_source = Some("cgroup v2 memory.peak".to_owned());
    };
    assert!(changed(&base, &by_name, other_way).findings.is_empty());
}

#[test]
fn noise_is_no_regression() {
    let base = rows(12);
    for (percent, seeds) in [(10, 0..20_u64), (30, 20..60)] {
        for seed in seeds {
            let mut random = Random(seed);
            let mut side = |name: &str| {
                let mut measured = base.clone();
                for row in &mut measured {
                    longer(row, (f64::from(percent) / 100.0 * random.normal()).exp());
                }
                experiment(name, &measured)
            };
            let found = compare(&[side("one")], &[side("one")], &Options::default()).expect("runs in common");
            assert!(!found.is_regression(), "{percent} %, seed {seed}: {:?}", found.findings);
        }
    }
}

/// What may become of a row.
fn mutate(row: &mut RunRow, kind: u8, random: &mut Random) {
    let statuses = [
        (Status::Optimal, Category::Correct, "solved"),
        (Status::Optimal, Category::Wrong, "solved"),
        (Status::Optimal, Category::Unknown, "subloops"),
        (Status::Feasible, Category::Correct, "solved"),
        (Status::Timeout, Category::Unknown, "hard-limit"),
        (Status::Memout, Category::Unknown, "memory-limit"),
        (Status::Crash, Category::Error, "signal"),
        (Status::Unsupported, Category::Error, "unavailable"),
        (Status::Interrupted, Category::Unknown, "interrupted"),
    ];
    match kind {
        0..9 => {
            let (status, category, reason) = statuses[usize::from(kind)];
            (row.status, row.category, row.termination_reason) = (status, category, reason.to_owned());
        }
        9 => row.nodes = Some(random.bits() % 1000),
        10 => longer(row, (2.0 * random.normal()).exp()),
        11 => row.peak_memory_b = Some(random.bits() % (1 << 34)),
        12 => row.variables = Some(random.bits() % 5000),
        13 => row.wall_time_s = Some(17.0),
        14 => row.host = "laptop".to_owned(),
        15 => {
            row.seed = 7 + (random.bits() >> 24);
            row.run_id += &row.seed.to_string();
        }
        16 => row.solver_version = "1.1".to_owned(),
        _ => {}
    }
}

fn mutated(base: &[RunRow], seed: u64, share: u64) -> Vec<RunRow> {
    let mut random = Random(seed);
    let mut rows = base.to_vec();
    for row in &mut rows {
        if random.bits() % 100 < share {
            let kind = (random.bits() % 18) as u8;
            mutate(row, kind, &mut random);
        }
    }
    rows
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn nothing_is_a_regression_against_itself(seed: u64, share in 0..100_u64) {
        let rows = mutated(&rows(7), seed, share);
        let every = [Aspect::Wrong, Aspect::Failure, Aspect::Status, Aspect::Objective, Aspect::Count, Aspect::Time,
            Aspect::Memory, Aspect::Missing];
        let options = Options { fail_on: Some(every.into()), ..Options::default() };
        let one = [experiment("one", &rows)];
        let found = compare(&one, &one, &options).expect("runs in common");
        prop_assert!(found.findings.iter().all(|f| !f.fails && f.verdict == Verdict::Changed && f.aspect == Aspect::Wrong));
    }

    #[test]
    fn what_is_worse_one_way_is_better_the_other(seeds: [u64; 2], share in 0..60_u64) {
        let [one, two] = seeds.map(|seed| [experiment("one", &mutated(&rows(7), seed, share))]);
        let options = Options::default();
        let (forth, back) = (compare(&one, &two, &options), compare(&two, &one, &options));
        let (forth, back) = (forth.expect("runs in common"), back.expect("runs in common"));
        prop_assert_eq!(forth.matched, back.matched);
        let found = |comparison: &Comparison, turned: bool| {
            let verdict = |verdict: Verdict| match verdict {
                Verdict::Missing => Verdict::Changed,
                Verdict::Worse if turned => Verdict::Better,
                Verdict::Better if turned => Verdict::Worse,
                other => other,
            };
            let key = |f: &report::compare::Finding| {
                let run = f.case.map(|case| comparison.cases[case].name());
                (f.aspect, verdict(f.verdict), f.subject.clone(), run)
            };
            let mut keys: Vec<_> = comparison.findings.iter().map(key).collect();
            keys.sort();
            keys
        };
        prop_assert_eq!(found(&forth, false), found(&back, true));
    }
}
