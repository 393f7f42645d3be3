//! Claims: the figure, its interval and the verdict, and how often a verdict is wrong.

use std::fs;
use std::path::Path;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use record::{Category, Claim, Lays, Measure, RunTest, Selection, Status, Test};
use report::stats::wilson;
use report::{Format, splice};

use crate::error_rates::normal;
use crate::fixture::{BASIC, Fixture, PRIMED, grid, row};

/// Limit of the runs, in seconds.
const LIMIT_S: f64 = 20.0;

fn selection(formulation: (&str, &str)) -> Selection {
    Selection { formulation: formulation.0.to_owned(), solver: None }
}

/// That a figure of the basic formulation over that of the other, if one is compared, is more than `above` and less than `below`.
fn claim(measure: Measure, against: bool, [above, below]: [Option<f64>; 2]) -> Claim {
    Claim {
        id: "X-1".to_owned(),
        source: "A paper".to_owned(),
        place: "Table 1".to_owned(),
        text: "The other is better.".to_owned(),
        published: Some(8.0),
        test: Test::Runs(RunTest {
            measure,
            of: selection(BASIC),
            against: against.then(|| selection(PRIMED)),
            above,
            below,
            boards: 10,
            tiles: Vec::new(),
        }),
    }
}

/// So many boards of 20 tiles, each of which both formulations solve in these times; a time beyond the limit is not solved.
fn experiment(claim: Claim, times: impl IntoIterator<Item = [f64; 2]>) -> Fixture {
    let mut fixture = Fixture::new("claims");
    fixture.manifest.report.claims = vec![claim];
    for (number, times) in times.into_iter().enumerate() {
        for (formulation, time) in [BASIC, PRIMED].into_iter().zip(times) {
            let run = fixture.run(&format!("n20-{number}"), formulation, "highs", 1);
            if time < LIMIT_S {
                run.solves(&[(time, 1)])
            } else {
                run.limited("soft-limit")
            };
        }
    }
    fixture
}

/// The measured figure with its interval, who alone solved boards, the verdict and its reason.
fn found(fixture: &mut Fixture) -> (String, String, String) {
    let table = grid(&fixture.load(), "claims");
    let cells = row(&table, "X-1 / A paper, Table 1 / The other is better.");
    let verdict = format!("{} {}", cells[0], cells[13]);
    (cells[3..6].join(" "), cells[10..12].join(" "), verdict.trim().to_owned())
}

#[test]
fn reports_begin_with_the_verdicts_of_all_experiments() {
    let of = |times: [f64; 2]| experiment(claim(Measure::Time, true, [Some(1.0), None]), (0..10).map(move |_| times));
    let mut without = Fixture::new("without");
    without.run("n20", BASIC, "highs", 0).solves(&[(0.25, 1)]);
    let mut fixtures = [of([2.0, 1.0]), of([1.0, 2.0]), without];
    let pages = fixtures.each_mut().map(|fixture| fixture.load());
    let mark = "<!-- tilebench: table verdicts -->\n<!-- /tilebench -->\n";
    let spliced = splice(Path::new("README.md"), mark, &pages).expect("a document").text;
    for line in [
        "2 claims: 1 confirmed, 1 contradicted",
        "| claims | confirmed | contradicted | no verdict |",
        "| 1 | 1 | 0 | 0 |",
        "| 1 | 0 | 1 | 0 |",
        "| all | 2 | 1 | 1 | 0 |",
    ] {
        assert!(spliced.contains(line), "{line}: {spliced}");
    }
    assert_eq!(spliced.matches("\n| ").count(), 4, "a head and three lines: {spliced}");
}

fn texts(figure: &str, solved: &str, verdict: &str) -> (String, String, String) {
    (figure.to_owned(), solved.to_owned(), verdict.to_owned())
}

#[test]
fn a_quotient_counts_what_was_not_solved() {
    let above = claim(Measure::Time, true, [Some(1.0), None]);
    let twice = experiment(above.clone(), (0..10).map(|_| [2.0, 1.0]));
    assert_eq!(found(&mut { twice }), texts("2.00 2.00 2.00", "0 0", "confirmed"));
    let half = experiment(above.clone(), (0..10).map(|_| [1.0, 2.0]));
    assert_eq!(found(&mut { half }), texts("0.50 0.50 0.50", "0 0", "contradicted"));
    let few = experiment(above.clone(), (0..9).map(|_| [2.0, 1.0]));
    assert_eq!(found(&mut { few }), texts("— — —", "0 0", "no verdict 9 boards measured; 10 are needed"));
    // Ten boards, of which neither side solved two, say nothing of these two.
    let times = (0..10).map(|n| if n < 2 { [30.0, 30.0] } else { [2.0, 1.0] });
    let ended = experiment(above.clone(), times);
    assert_eq!(found(&mut { ended }), texts("— — —", "0 0", "no verdict 10 boards measured, 8 usable; 10 are needed"));
    // Ten times as fast where it ends, and three boards fewer: over those solved both ways it would be a factor of 10.
    let mut lossy = experiment(above, (0..13).map(|n| if n < 3 { [19.0, 30.0] } else { [10.0, 1.0] }));
    let (figure, solved, verdict) = found(&mut lossy);
    let mean = ((3.0 * (19.0_f64 / 40.0).ln() + 10.0 * 10.0_f64.ln()) / 13.0).exp();
    assert!(figure.starts_with(&format!("{mean:.2} ")), "{figure}");
    assert_eq!((solved.as_str(), verdict.as_str()), ("3 0", "partly the faster side solves fewer boards"));
}

#[test]
fn an_absent_effect_needs_an_interval_within_the_range() {
    let same = claim(Measure::Time, true, [Some(0.8), Some(1.25)]);
    let equal = experiment(same.clone(), (0..10).map(|n| [1.0, 1.0 + 0.02 * f64::from(n % 3)]));
    assert_eq!(found(&mut { equal }).2, "confirmed");
    let spread = experiment(same.clone(), (0..10).map(|n| [1.0, if n % 2 == 0 { 3.0 } else { 0.33 }]));
    assert_eq!(found(&mut { spread }).2, "no verdict the interval is on both sides of what is claimed");
    let other = experiment(same, (0..10).map(|_| [2.0, 1.0]));
    assert_eq!(found(&mut { other }).2, "contradicted");
}

#[test]
fn an_effect_that_is_claimed_and_too_small_to_speak_of_is_none() {
    let nearly = |n: i32| 1.0 + 0.05 * f64::from(n % 3 - 1);
    let ways = [[Some(1.0), None], [None, Some(1.0)]];
    for range in ways {
        let verdict = |times: Vec<[f64; 2]>| found(&mut experiment(claim(Measure::Time, true, range), times)).2;
        assert_eq!(verdict((0..12).map(|n| [1.0, nearly(n)]).collect()), "no effect");
        // Boards that neither side solved say nothing.
        assert_eq!(
            verdict((0..24).map(|n| if n < 12 { [1.0, nearly(n)] } else { [30.0, 30.0] }).collect()),
            "no effect"
        );
        let of_few = (0..12).map(|n| if n < 9 { [1.0, nearly(n)] } else { [30.0, 30.0] }).collect();
        assert_eq!(verdict(of_few), "no verdict 12 boards measured, 9 usable; 10 are needed");
        let spread = (0..12).map(|n| [1.0, if n % 2 == 0 { 3.0 } else { 0.33 }]).collect();
        assert_eq!(verdict(spread), "no verdict the interval is on both sides of what is claimed");
    }
    // All of the interval is on one side of 1, though near it: no absence.
    let above = (0..12).map(|n| [[1.05, 1.17, 1.30][n % 3], 1.0]).collect::<Vec<_>>();
    let more = claim(Measure::Time, true, [Some(1.0), Some(1.2)]);
    assert_eq!(found(&mut experiment(more, above)).2, "no verdict the interval is on both sides of what is claimed");
    // A small effect on boards of 25 tiles.
    let times = (0..40).map(|n| [1.0, nearly(n)]);
    let mut fixture = experiment(claim(Measure::Time, true, [Some(1.0), None]), times);
    for number in 0..10 {
        for (formulation, time) in [(BASIC, 1.02), (PRIMED, 1.0)] {
            fixture.run(&format!("n25-{number}"), formulation, "highs", 1).solves(&[(time, 1)]);
        }
    }
    assert_eq!(found(&mut fixture).2, "no verdict the interval is on both sides of what is claimed");
}

/// Ten boards on which the first side takes half as long again, and thirty that neither solved.
#[test]
fn what_neither_side_solved_does_not_say_that_there_is_no_effect() {
    let times = || (0..40).map(|n| if n < 10 { [1.5, 1.0] } else { [30.0, 30.0] });
    for measure in [Measure::Time, Measure::FirstSolve] {
        let mut same = experiment(claim(measure, true, [Some(0.8), Some(1.25)]), times());
        assert_eq!(found(&mut same), texts("1.50 1.50 1.50", "0 0", "contradicted"), "{measure:?}");
        let mut slower = experiment(claim(measure, true, [Some(1.0), None]), times());
        let (figure, ..) = found(&mut slower);
        assert!(figure.starts_with(&format!("{:.2} ", 1.5_f64.powf(0.25))), "{measure:?}: {figure}");
    }
}

#[test]
fn what_was_not_solved_and_had_no_limit_leaves_no_figure() {
    for (measure, against) in [(Measure::Time, true), (Measure::Time, false), (Measure::FirstSolve, false)] {
        let times = (0..12).map(|n| if n < 2 { [30.0, 30.0] } else { [2.0, 1.0] });
        let mut fixture = experiment(claim(measure, against, [Some(1.0), None]), times);
        for run in &mut fixture.runs {
            run.time_limit_s = None;
        }
        let (figure, _, verdict) = found(&mut fixture);
        let expected = ("— — —", "no verdict what was not solved had no time limit");
        assert_eq!((figure.as_str(), verdict.as_str()), expected, "{measure:?}");
    }
}

#[test]
fn runs_are_not_compared_with_themselves() {
    let mut itself = claim(Measure::Time, true, [Some(1.0), None]);
    if let Test::Runs(test) = &mut itself.test {
        test.against = Some(Selection { solver: Some("highs".to_owned()), ..selection(BASIC) });
    }
    let mut fixture = experiment(itself, (0..10).map(|_| [1.0, 1.0]));
    for number in 0..10 {
        fixture.run(&format!("n20-{number}"), BASIC, "cbc", 1).solves(&[(2.0, 1)]);
    }
    assert_eq!(found(&mut fixture), texts("2.00 2.00 2.00", "0 0", "confirmed"));
}

#[test]
fn every_number_of_tiles_with_enough_boards_must_agree() {
    for (tiles, expected) in [
        (vec![], "partly by itself not so for 25 tiles"),
        (vec![20], "confirmed"),
        (vec![25], "contradicted"),
        (vec![30], "no verdict 0 boards measured; 10 are needed"),
    ] {
        let mut claim = claim(Measure::Time, true, [Some(1.0), None]);
        if let Test::Runs(test) = &mut claim.test {
            test.tiles = tiles;
        }
        let mut fixture = experiment(claim, (0..20).map(|_| [8.0, 1.0]));
        // Ten larger boards on which the claim fails.
        for number in 0..10 {
            for (formulation, time) in [(BASIC, 1.0), (PRIMED, 2.0)] {
                fixture.run(&format!("n25-{number}"), formulation, "highs", 1).solves(&[(time, 1)]);
            }
        }
        assert_eq!(found(&mut fixture).2, expected);
    }
}

#[test]
fn a_solver_with_too_few_boards_confirms_nothing() {
    for (boards, expected) in [(10, "confirmed"), (8, "partly by itself no figure for cbc")] {
        let mut fixture = experiment(claim(Measure::Time, true, [Some(1.0), None]), (0..12).map(|_| [2.0, 1.0]));
        for number in 0..boards {
            for (formulation, time) in [(BASIC, 2.0), (PRIMED, 1.0)] {
                fixture.run(&format!("n20-{number}"), formulation, "cbc", 1).solves(&[(time, 1)]);
            }
        }
        assert_eq!(found(&mut fixture).2, expected);
    }
}

#[test]
fn solves_of_what_was_cut_short_are_at_least_the_others() {
    let mut fixture = experiment(claim(Measure::Solves, true, [Some(1.0), None]), []);
    for number in 0..10 {
        let instance = format!("n20-{number}");
        fixture.run(&instance, BASIC, "highs", 1).solves(&[(1.0, 2), (1.0, 2), (1.0, 2), (1.0, 1)]);
        match number {
            0 => fixture.run(&instance, PRIMED, "highs", 1).solves(&[(1.0, 2)]).limited("hard-limit"),
            _ => fixture.run(&instance, PRIMED, "highs", 1).solves(&[(1.0, 2), (1.0, 1)]),
        };
    }
    let mean = 2.0_f64.powf(0.9);
    assert!(found(&mut fixture).0.starts_with(&format!("{mean:.2} ")));
}

#[test]
fn shares_of_first_solutions_and_their_differences() {
    let runs = |fixture: &mut Fixture, formulation, loops: u64| {
        for number in 0..20 {
            let run = fixture.run(&format!("n20-{number}"), formulation, "highs", 1);
            match number {
                // Nobody knows what the first solution of these two would have been.
                0 | 1 => run.limited("hard-limit"),
                _ => run.solves(&[(1.0, loops), (1.0, 1)]),
            };
        }
    };
    // 18 of 18, of 20 at least; Wilson's interval of 18 of 20 begins at 0.70.
    let mut alone = experiment(claim(Measure::Subloops, false, [Some(0.6), None]), []);
    runs(&mut alone, BASIC, 3);
    assert_eq!(found(&mut alone), texts("1.00 0.70 1.00", "— —", "confirmed"));
    let mut both = experiment(claim(Measure::Subloops, true, [Some(0.0), None]), []);
    runs(&mut both, BASIC, 3);
    runs(&mut both, PRIMED, 1);
    let (figure, _, verdict) = found(&mut both);
    assert!(figure.starts_with("1.00 0."), "{figure}");
    assert_eq!(verdict, "confirmed");
    let mut solved =
        experiment(claim(Measure::Solved, true, [Some(0.5), None]), (0..12).map(|n| [1.0, f64::from(10 + n)]));
    let (_, alone, verdict) = found(&mut solved);
    assert_eq!((alone.as_str(), verdict.as_str()), ("2 0", "contradicted"));
}

#[test]
fn boards_without_any_solution_have_no_share_of_subloops() {
    let boards = |claim: Claim| {
        let mut fixture = experiment(claim, []);
        for number in 0..20 {
            let instance = format!("n20-{number}");
            fixture.run(&instance, PRIMED, "highs", 1).solves(&[(1.0, 1)]);
            let run = fixture.run(&instance, BASIC, "highs", 1);
            match number {
                0..5 => run.infeasible(1.0).ends(Status::Infeasible, Category::Correct),
                5 => run.limited("hard-limit"),
                _ => run.solves(&[(1.0, 3), (1.0, 1)]),
            };
        }
        fixture
    };
    let mut subloops = boards(claim(Measure::Subloops, false, [Some(0.6), None]));
    // One run of several is not all: of this board a solution is known.
    subloops.run("n20-6", BASIC, "highs", 2).infeasible(1.0).ends(Status::Infeasible, Category::Unknown);
    let (low, _) = wilson(14, 15);
    assert_eq!(found(&mut subloops), texts(&format!("1.00 {low:.2} 1.00"), "— —", "confirmed"));
    // Whether they are solved is known.
    let table = grid(&boards(claim(Measure::Solved, true, [Some(-0.5), None])).load(), "claims");
    assert_eq!(row(&table, "X-1 / A paper, Table 1 / The other is better.")[6], "20");
}

#[test]
fn limits_that_differ_are_a_warning() {
    let caveats = |differ: bool| {
        let mut fixture = experiment(claim(Measure::Time, true, [Some(1.0), None]), (0..10).map(|_| [2.0, 1.0]));
        if differ {
            fixture.runs[0].time_limit_s = Some(40.0);
        }
        grid(&fixture.load(), "claims").caveats
    };
    assert_eq!(caveats(false), [""; 0]);
    let expected = "time limits that are not the same for all, on 1 instance: the least of them counts for all";
    assert!(caveats(true).contains(&expected.to_owned()), "{:?}", caveats(true));
}

/// One solver knows the first solution of the one formulation only, and another that of the other.
#[test]
fn what_different_solvers_say_of_two_sides_is_not_compared() {
    let mut fixture = experiment(claim(Measure::Subloops, true, [Some(0.0), None]), []);
    for number in 0..20 {
        let instance = format!("n20-{number}");
        fixture.run(&instance, BASIC, "highs", 1).solves(&[(1.0, 3), (1.0, 1)]);
        fixture.run(&instance, PRIMED, "highs", 1).limited("hard-limit");
        fixture.run(&instance, BASIC, "cbc", 1).limited("hard-limit");
        fixture.run(&instance, PRIMED, "cbc", 1).solves(&[(1.0, 1)]);
    }
    let (figure, _, verdict) = found(&mut fixture);
    let expected = ("— — —", "no verdict no board is known of both sides");
    assert_eq!((figure.as_str(), verdict.as_str()), expected);
}

#[test]
fn a_board_has_what_half_of_its_runs_have() {
    let mut fixture = experiment(claim(Measure::SmallLoops, false, [Some(0.5), None]), []);
    for number in 0..10 {
        for (seed, loops) in [(1, "18 2"), (2, "12 8")] {
            fixture.run(&format!("n20-{number}"), BASIC, "highs", seed).solves(&[(1.0, 2)]);
            let solve = &mut fixture.iterations.last_mut().expect("a solve").solve;
            solve.loop_lengths = Some(loops.to_owned());
        }
    }
    let (low, _) = wilson(10, 10);
    assert_eq!(found(&mut fixture), texts(&format!("1.00 {low:.2} 1.00"), "— —", "confirmed"));
}

/// Loops of designated lines that were laid without tiles are none of the puzzle's.
#[test]
fn a_first_solve_that_lays_lines_alone_says_nothing() {
    for (lays, expected) in
        [(Lays::Tiles, "confirmed"), (Lays::Lines, "no verdict 10 boards measured, 0 usable; 10 are needed")]
    {
        let mut fixture = experiment(claim(Measure::Subloops, false, [Some(0.5), None]), []);
        for number in 0..10 {
            fixture.run(&format!("n20-{number}"), BASIC, "highs", 1).solves(&[(1.0, 2)]);
            fixture.iterations.last_mut().expect("a solve").solve.lays = Some(lays);
        }
        assert_eq!(found(&mut fixture).2, expected);
    }
}

#[test]
fn small_loops_are_those_beside_the_longest_on_boards_that_have_any() {
    let mut fixture = experiment(claim(Measure::SmallLoops, false, [Some(0.5), None]), []);
    for number in 0..20 {
        let loops = ["20", "12 4 4", "13 4 3", "10 10"][number % 4];
        let count = loops.split(' ').count() as u64;
        fixture.run(&format!("n20-{number}"), BASIC, "highs", 1).solves(&[(1.0, count)]);
        let solve = &mut fixture.iterations.last_mut().expect("a solve").solve;
        solve.loop_lengths = Some(loops.to_owned());
    }
    let (low, high) = wilson(10, 15);
    assert_eq!(
        found(&mut fixture),
        texts(
            &format!("0.67 {low:.2} {high:.2}"),
            "— —",
            "no verdict the interval is on both sides of what is claimed"
        )
    );
}

#[test]
fn a_first_solution_that_is_not_proven_to_be_the_best_counts_for_neither() {
    let mut fixture = experiment(claim(Measure::Subloops, false, [Some(0.5), None]), []);
    for number in 0..20 {
        let run = fixture.run(&format!("n20-{number}"), BASIC, "highs", 1).objective("weighted");
        if number < 12 {
            run.solves(&[(1.0, 2)])
        } else {
            run.feasible(1.0, 2)
        };
    }
    let (low, _) = wilson(12, 20);
    assert_eq!(
        found(&mut fixture),
        texts(&format!("1.00 {low:.2} 1.00"), "— —", "no verdict the interval is on both sides of what is claimed")
    );
}

#[test]
fn growth_is_of_the_time_to_whatever_answer() {
    let mut fixture = experiment(claim(Measure::Growth, false, [Some(1.4), Some(1.6)]), []);
    for tiles in 5_i32..25 {
        let loops = 1 + u64::from(tiles % 3 == 0);
        fixture.run(&format!("n{tiles}"), BASIC, "highs", 1).solves(&[(1e-3 * 1.5_f64.powi(tiles - 5), loops)]);
    }
    assert_eq!(found(&mut fixture), texts("1.50 1.50 1.50", "— —", "confirmed"));
}

/// Boards of 20 to 39 tiles that take 1, 1, 2, 2, 4, 4 ... solves, of which those for which `is_solved` is false are stopped after
/// half of these.
fn re_solving(range: [Option<f64>; 2], is_solved: impl Fn(i32) -> bool) -> Fixture {
    let mut fixture = experiment(claim(Measure::SolvesGrowth, false, range), []);
    for tiles in 20..40 {
        let solves = 1 << ((tiles - 20) / 2);
        let run = fixture.run(&format!("n{tiles}"), BASIC, "highs", 1);
        match is_solved(tiles) {
            true => run.solves(&vec![(0.01, 1); solves]),
            false => run.solves(&vec![(0.01, 2); solves / 2]).limited("soft-limit"),
        };
    }
    fixture
}

#[test]
fn solves_grow_by_a_factor_for_each_tile() {
    let (figure, _, verdict) = found(&mut re_solving([Some(1.0), None], |_| true));
    // Twice as many with every two tiles: least squares through a staircase.
    let slope = {
        let points: Vec<_> = (20..40).map(|n| (f64::from(n) - 29.5, 2.0_f64.ln() * f64::from((n - 20) / 2))).collect();
        let sum = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>();
        (sum(|p| p.0 * p.1) / sum(|p| p.0 * p.0)).exp()
    };
    assert!(figure.starts_with(&format!("{slope:.2} ")), "{figure}");
    assert_eq!(verdict, "confirmed");
    let (_, _, verdict) = found(&mut re_solving([None, Some(1.1)], |_| true));
    assert_eq!(verdict, "contradicted");
}

#[test]
fn a_growth_of_solves_that_limits_cut_short_is_a_lower_bound() {
    let is_solved = |tiles| tiles < 36;
    let (figure, _, verdict) = found(&mut re_solving([Some(1.0), None], is_solved));
    assert!(figure.ends_with(" —") && verdict == "confirmed", "{figure} {verdict}");
    let open = "no verdict 4 boards not solved: the growth is at least this";
    assert_eq!(found(&mut re_solving([Some(1.5), None], is_solved)).2, open);
    assert_eq!(found(&mut re_solving([None, Some(1.5)], is_solved)).2, open);
}

#[test]
fn later_solves_have_a_share_of_the_time() {
    let later = |range, runs: &dyn Fn(&mut Fixture, &str, usize)| {
        let mut fixture = experiment(claim(Measure::LaterSolves, false, range), []);
        (0..12).for_each(|number| runs(&mut fixture, &format!("n20-{number}"), number));
        found(&mut fixture)
    };
    // Three quarters of the time on each board, and of a single solve nothing.
    let plain = |fixture: &mut Fixture, board: &str, _| {
        fixture.run(board, BASIC, "highs", 1).solves(&[(1.0, 2), (1.0, 2), (2.0, 1)]);
    };
    assert_eq!(later([Some(0.5), None], &plain), texts("0.75 0.75 0.75", "— —", "confirmed"));
    let single = |fixture: &mut Fixture, board: &str, _| {
        fixture.run(board, BASIC, "highs", 1).solves(&[(1.0, 1)]);
    };
    assert_eq!(later([Some(0.5), None], &single), texts("0.00 0.00 0.00", "— —", "contradicted"));
    // Building the model is no solve, and comes first.
    let built = |fixture: &mut Fixture, board: &str, _| {
        fixture.run(board, BASIC, "highs", 1).solves(&[(1.0, 2), (2.0, 1)]);
        fixture.runs.last_mut().expect("a run").build_time_s = Some(1.0);
    };
    assert_eq!(later([Some(0.4), None], &built), texts("0.50 0.50 0.50", "— —", "confirmed"));
    // Means over the runs of a board, not over all runs.
    let seeds = |fixture: &mut Fixture, board: &str, number: usize| {
        for seed in 0..if number < 8 { 11 } else { 1 } {
            fixture.run(board, BASIC, "highs", seed).solves(&[(1.0, 2), (3.0, 1)][..if number < 8 { 2 } else { 1 }]);
        }
    };
    let (figure, ..) = later([Some(0.5), None], &seeds);
    assert!(figure.starts_with("0.50 "), "{figure}");
}

/// Two boards of twelve: one whose first solve did not end, and one that was stopped in its second after half of its limit of 20 s.
#[test]
fn the_share_of_later_solves_of_what_was_not_solved_has_two_ends() {
    for (range, expected) in [
        ([Some(0.3), None], "no verdict the interval is on both sides of what is claimed"),
        ([None, Some(0.9)], "confirmed"),
        ([Some(0.9), None], "contradicted"),
    ] {
        let mut fixture = experiment(claim(Measure::LaterSolves, false, range), []);
        for number in 0..12 {
            let run = fixture.run(&format!("n20-{number}"), BASIC, "highs", 1);
            match number {
                0 => run.stops(20.0).limited("soft-limit"),
                1 => run.solves(&[(10.0, 2)]).stops(10.0).limited("soft-limit"),
                _ => run.solves(&[(2.0, 2), (1.0, 1)]),
            };
        }
        let (figure, _, verdict) = found(&mut fixture);
        assert_eq!(verdict, expected, "{range:?}");
        // (0 + 1/2 + 10/3) / 12, and 1 for both at the upper end.
        assert!(figure.starts_with("0.32 "), "{figure}");
        let upper: f64 = figure.split(' ').next_back().expect("an end").parse().expect("a number");
        assert!(upper > 0.44, "{figure}");
    }
}

/// Boards of 5 to 24 tiles, each of which takes half as long again as the one before; some are not solved.
fn growing(range: [Option<f64>; 2], is_solved: impl Fn(i32) -> bool) -> Fixture {
    let mut fixture = experiment(claim(Measure::Growth, false, range), []);
    for tiles in 5..25 {
        let run = fixture.run(&format!("n{tiles}"), BASIC, "highs", 1);
        match is_solved(tiles) {
            true => run.solves(&[(0.05 * 1.5_f64.powi(tiles - 5), 1)]),
            false => run.limited("soft-limit"),
        };
    }
    fixture
}

#[test]
fn a_growth_to_the_limit_is_a_lower_bound() {
    let open = "no verdict 5 boards not solved: the growth is at least this";
    for (range, expected) in [
        ([Some(1.1), None], "confirmed"),
        ([Some(1.6), None], open),
        ([None, Some(1.6)], open),
        ([None, Some(1.1)], "contradicted"),
    ] {
        let (figure, _, verdict) = found(&mut growing(range, |tiles| tiles < 20));
        assert_eq!(verdict, expected, "{range:?}");
        assert!(figure.starts_with("1.4") && figure.ends_with(" —"), "{figure}");
    }
    // Drawn as such, with an arrow and without an upper end.
    let mut fixture = growing([Some(1.1), None], |tiles| tiles < 20);
    let out = fixture.report(&[Format::Md]);
    let read = |file: &str| fs::read_to_string(out.path().join(file)).expect("a file");
    let points = read("claims-claims-factors-curves.csv");
    assert!(points.lines().any(|line| line.starts_with("measured,limit,")), "{points}");
    assert!(read("index.md").contains("The interval of a lower bound has no upper end"));
    let (figure, _, verdict) = found(&mut growing([Some(1.6), None], |tiles| (7..20).contains(&tiles)));
    assert_eq!(figure, "— — —");
    assert!(verdict.starts_with("no verdict 7 boards not solved, of which some have few tiles"), "{verdict}");
}

#[test]
fn boards_of_one_number_of_tiles_have_no_growth() {
    let mut fixture = experiment(claim(Measure::Growth, false, [Some(1.0), None]), (0..10).map(|_| [2.0, 1.0]));
    let expected = texts("— — —", "— —", "no verdict boards of several numbers of tiles are needed");
    assert_eq!(found(&mut fixture), expected);
}

/// A crash at once is no fast run.
#[test]
fn runs_that_did_not_end_count_at_their_limit_in_a_spread() {
    let mut fixture = experiment(claim(Measure::Spread, false, [None, Some(2.0)]), []);
    for number in 0..10 {
        let instance = format!("n20-{number}");
        fixture.run(&instance, BASIC, "highs", 1).solves(&[(2.0, 1)]);
        fixture.run(&instance, BASIC, "highs", 2).stops(0.1).ends(Status::Crash, Category::Error);
    }
    assert_eq!(found(&mut fixture), texts("10.00 10.00 10.00", "— —", "contradicted"));
}

#[test]
fn the_spread_of_a_board_is_its_slowest_run_over_its_fastest() {
    let mut fixture = experiment(claim(Measure::Spread, false, [None, Some(2.0)]), []);
    for number in 0..10 {
        for (seed, time) in [(1, 1.0), (2, 4.0), (3, 2.0)] {
            fixture.run(&format!("n20-{number}"), BASIC, "highs", seed).solves(&[(time, 1)]);
        }
    }
    assert_eq!(found(&mut fixture), texts("4.00 4.00 4.00", "— —", "contradicted"));
}

/// How often a third formulation was run is no matter of a claim about others.
#[test]
fn only_the_sides_of_a_claim_decide_how_many_runs_count() {
    for (measure, against, figure, verdict) in [
        (Measure::Spread, false, "4.00 4.00 4.00", "contradicted"),
        (Measure::Time, true, "0.50 0.50 0.50", "confirmed"),
    ] {
        let mut fixture = experiment(claim(measure, against, [None, Some(2.0)]), []);
        for number in 0..10 {
            let instance = format!("n20-{number}");
            for (seed, time) in [(1, 1.0), (2, 4.0), (3, 2.0)] {
                fixture.run(&instance, BASIC, "highs", seed).solves(&[(time, 1)]);
                fixture.run(&instance, PRIMED, "highs", seed).solves(&[(4.0, 1)]);
            }
            fixture.run(&instance, ("other", "C1 C2"), "highs", 1).solves(&[(9.0, 1)]);
        }
        let (shown, _, judged) = found(&mut fixture);
        assert_eq!((shown.as_str(), judged.as_str()), (figure, verdict), "{measure:?}");
    }
}

#[test]
fn measured_and_published_figures_are_drawn() {
    let mut fixture = experiment(claim(Measure::Time, true, [Some(1.0), None]), (0..10).map(|_| [2.0, 1.0]));
    let out = fixture.report(&[Format::Md]);
    let points = fs::read_to_string(out.path().join("claims-claims-factors-curves.csv")).expect("points");
    let of = |curve: &str| points.lines().find(|line| line.starts_with(curve)).expect("a point");
    assert!(of("measured,").contains(",2"), "{points}");
    assert!(of("published,").contains(",8"), "{points}");
}

#[test]
fn what_cannot_be_tested_says_why() {
    let mut claim = claim(Measure::Time, true, [Some(1.0), None]);
    claim.test = Test::Untestable("nobody has the program".to_owned());
    let mut fixture = experiment(claim, [[1.0, 1.0]]);
    let table = grid(&fixture.load(), "claims");
    let cells = row(&table, "X-1 / A paper, Table 1 / The other is better.");
    assert_eq!([&cells[0], &cells[13]], ["not testable here", "nobody has the program"]);
}

#[test]
fn a_solver_that_is_missing_leaves_a_claim_untested() {
    let mut fixture = experiment(claim(Measure::Time, true, [Some(1.0), None]), (0..10).map(|_| [2.0, 1.0]));
    fixture.iterations.clear();
    for run in &mut fixture.runs {
        (run.status, run.category) = (Status::Unsupported, Category::Error);
    }
    assert_eq!(
        found(&mut fixture),
        texts("— — —", "— —", "not testable here highs is missing or cannot do what was asked")
    );
}

#[test]
fn lost_runs_are_no_boards() {
    let mut fixture = experiment(claim(Measure::Time, true, [Some(1.0), None]), (0..10).map(|_| [2.0, 1.0]));
    let run = fixture.runs.first_mut().expect("a run");
    (run.status, run.category) = (Status::Lost, Category::Unknown);
    assert_eq!(found(&mut fixture).2, "no verdict 9 boards measured; 10 are needed");
}

/// Verdicts on simulated experiments with so many boards, of which the first side takes `factor` times as long, in percent: confirmed or
/// partly, contradicted, none.
fn verdicts(simulations: u32, boards: u32, factor: f64, measure: Measure, range: [Option<f64>; 2]) -> [f64; 3] {
    let mut rng = ChaCha8Rng::seed_from_u64(u64::from(boards));
    shares(simulations, || {
        // Times between 0.1 s and far beyond the limit, which a fifth of the runs reach.
        let times = (0..boards).map(|_| {
            let typical = 1.5 + 1.5 * normal(&mut rng);
            [factor, 1.0].map(|factor| factor * (typical + 0.7 * normal(&mut rng)).exp())
        });
        let times: Vec<_> = times.collect();
        let mut claim = claim(measure, true, range);
        if let Test::Runs(test) = &mut claim.test {
            test.boards = 6;
        }
        found(&mut experiment(claim, times)).2
    })
}

/// How many of the verdicts of so many simulations are as claimed (confirmed, partly), contradicted and none, in percent.
fn shares(simulations: u32, mut verdict: impl FnMut() -> String) -> [f64; 3] {
    let mut counts = [0_u32; 3];
    for _ in 0..simulations {
        let place = match verdict().split(' ').next() {
            Some("confirmed" | "partly") => 0,
            Some("contradicted") => 1,
            _ => 2,
        };
        counts[place] += 1;
    }
    counts.map(|count| 100.0 * f64::from(count) / f64::from(simulations))
}

/// Three standard errors of a share of 5 % of 200 are 4.6 %.
#[test]
fn identical_sides_differ_in_one_of_twenty_simulations_and_a_planted_effect_is_found() {
    for measure in [Measure::Time, Measure::Solved] {
        let bound = if measure == Measure::Time { 1.0 } else { 0.0 };
        let [confirmed, contradicted, none] = verdicts(200, 20, 1.0, measure, [Some(bound), None]);
        assert!(none >= 90.4, "{measure:?}: {confirmed} {contradicted} {none}");
    }
    let [confirmed, contradicted, _] = verdicts(100, 20, 4.0, Measure::Time, [Some(1.0), None]);
    assert!(confirmed >= 95.0 && contradicted < 1.0, "{confirmed} {contradicted}");
    let [confirmed, contradicted, _] = verdicts(100, 20, 0.25, Measure::Time, [Some(1.0), None]);
    assert!(contradicted >= 95.0 && confirmed < 1.0, "{confirmed} {contradicted}");
    // As different as they are by chance, two sides are not called the same.
    let [confirmed, ..] = verdicts(100, 20, 1.5, Measure::Time, [Some(0.8), Some(1.25)]);
    assert!(confirmed <= 5.0, "{confirmed}");
}

/// Verdicts on simulated experiments with one side, in percent: as claimed, contradicted, none. `board` adds the runs of one of 40 boards
/// of 20 to 39 tiles.
fn one_sided(
    simulations: u32,
    claim: &Claim,
    mut board: impl FnMut(&mut Fixture, &str, f64, &mut ChaCha8Rng),
) -> [f64; 3] {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    shares(simulations, || {
        let mut fixture = experiment(claim.clone(), []);
        for number in 0..40 {
            let tiles = 20 + number / 2;
            board(&mut fixture, &format!("n{tiles}-{number}"), f64::from(tiles), &mut rng);
        }
        found(&mut fixture).2
    })
}

/// The number of solves scatters by a factor of 1.6, and some boards take just one. Three standard errors of a share of 5 % of 200 are 4.6 %.
#[test]
fn solves_that_do_not_grow_seldom_seem_to_and_a_planted_growth_is_found() {
    let grows = claim(Measure::SolvesGrowth, false, [Some(1.0), None]);
    let by = |factor: f64| {
        move |fixture: &mut Fixture, board: &str, tiles: f64, rng: &mut ChaCha8Rng| {
            let solves = (4.0 * factor.powf(tiles - 29.5) * (0.5 * normal(rng)).exp()).round().max(1.0);
            fixture.run(board, BASIC, "highs", 1).solves(&vec![(0.001, 1); solves as usize]);
        }
    };
    let [confirmed, contradicted, none] = one_sided(200, &grows, by(1.0));
    assert!(none >= 90.4, "{confirmed} {contradicted} {none}");
    let [confirmed, contradicted, _] = one_sided(60, &grows, by(1.1));
    assert!(confirmed >= 95.0 && contradicted < 1.0, "{confirmed} {contradicted}");
    let [confirmed, contradicted, _] = one_sided(60, &grows, by(0.9));
    assert!(contradicted >= 95.0 && confirmed < 1.0, "{confirmed} {contradicted}");
}

/// Shares between 0 and 1, with a mean of a half, of more and of less.
#[test]
fn half_of_the_time_is_seldom_said_to_be_more_or_less_and_a_planted_share_is_found() {
    let most = claim(Measure::LaterSolves, false, [Some(0.5), None]);
    let around = |power: f64| {
        move |fixture: &mut Fixture, board: &str, _: f64, rng: &mut ChaCha8Rng| {
            let share = (normal(rng) / (1.0 + normal(rng).powi(2)).sqrt() / 2.0 + 0.5).clamp(0.0, 0.999).powf(power);
            fixture.run(board, BASIC, "highs", 1).solves(&[(1.0 - share, 2), (share, 1)]);
        }
    };
    let [confirmed, contradicted, none] = one_sided(200, &most, around(1.0));
    assert!(none >= 90.4, "{confirmed} {contradicted} {none}");
    let [confirmed, contradicted, _] = one_sided(60, &most, around(0.2));
    assert!(confirmed >= 95.0 && contradicted < 1.0, "{confirmed} {contradicted}");
    let [confirmed, contradicted, _] = one_sided(60, &most, around(3.0));
    assert!(contradicted >= 95.0 && confirmed < 1.0, "{confirmed} {contradicted}");
}

/// `cargo test --release --workspace --test report -- --ignored --nocapture false_verdicts` prints the rates that docs/statistics.md shows some of.
#[test]
#[ignore = "minutes: prints a table"]
#[expect(clippy::print_stdout, reason = "a table to be read")]
fn false_verdicts() {
    let numbers = [10, 20, 40];
    println!("| true factor | {} |", numbers.map(|boards| format!("{boards} boards")).join(" | "));
    for factor in [1.0, 1.5, 2.0, 4.0, 0.5] {
        let shares = numbers.map(|boards| {
            let [claimed, contradicted, _] = verdicts(1000, boards, factor, Measure::Time, [Some(1.0), None]);
            format!("{claimed:.1} / {contradicted:.1}")
        });
        println!("| {factor} | {} |", shares.join(" | "));
    }
}
