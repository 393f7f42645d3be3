//! Workers that fail in every way, through the real binary: every failure is a row that says what it was, and nothing
//! is left behind.

use std::collections::{BTreeMap, BTreeSet};

use record::{Category, ResultsDir, RunRow, Status};

use crate::bench::{Bench, COLOUR, TRIANGLE, words, workspace};

/// The table of what has to become of each run.
const EXPECTED: &str = include_str!("faults.md");

/// A line of the table.
struct Expected {
    solver: &'static str,
    status: &'static str,
    category: &'static str,
    reason: &'static str,
    iterations: &'static str,
    message: Vec<&'static str>,
}

fn expected() -> Vec<Expected> {
    let lines = EXPECTED.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    lines
        .map(|line| match line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>().as_slice() {
            &[solver, status, category, reason, iterations, message] => Expected {
                solver,
                status,
                category,
                reason,
                iterations,
                message: message.split('/').map(str::trim).collect(),
            },
            other => panic!("a line of six cells, not {other:?}"),
        })
        .collect()
}

#[test]
fn every_fault_becomes_the_row_that_the_table_says() {
    let bench = Bench::mock();
    let config = workspace().join("configs/harness/faults.toml");
    let ran = bench.run(&["run", &config.to_string_lossy(), "--out", "out", "--jobs", "2"]);
    assert_eq!(ran.code, 1, "wrong and failed runs end with 1: {ran:?}");
    assert_eq!(bench.survivors(), [""; 0]);

    let results = ResultsDir::new(bench.path("out/faults"));
    let rows = results.read_runs().expect("rows");
    let by_solver: BTreeMap<&str, &RunRow> = rows.iter().map(|row| (row.solver.as_str(), row)).collect();
    let table = expected();
    assert_eq!(rows.len(), table.len(), "a row for each line of the table, and no other");
    for line in &table {
        let row = by_solver.get(line.solver).unwrap_or_else(|| panic!("no row of {}", line.solver));
        let found = (row.status.name(), row.category.name(), row.termination_reason.as_str());
        assert_eq!(found, (line.status, line.category, line.reason), "{row:?}");
        assert_eq!(row.iterations.map(|n| n.to_string()).as_deref(), Some(line.iterations), "{row:?}");
        let message = row.message.as_deref().unwrap_or_default();
        assert!(line.message.iter().all(|part| message.contains(part)), "{}: {message}", line.solver);
        assert_eq!(message.is_empty(), line.message == [""], "{}: {message}", line.solver);
    }
    // Runs that ended in the middle keep the solves that had ended.
    let solves = results.read_iterations().expect("rows");
    assert_eq!(solves.len() as u64, rows.iter().filter_map(|row| row.iterations).sum::<u64>());

    // Wrong is loud: at once on standard error, and in the summary.
    let wrong: BTreeSet<&str> = table.iter().filter(|l| l.category == "wrong").map(|l| l.solver).collect();
    let shouted: Vec<&str> = ran.err.lines().filter(|line| line.contains("WRONG")).collect();
    assert_eq!(shouted.len(), wrong.len(), "{shouted:?}");
    assert!(ran.out.contains(&format!("{} WRONG", wrong.len())), "{ran:?}");
    let listed = ran.out.split("WRONG ANSWERS").nth(1).expect("a list");
    for solver in wrong {
        assert!(listed.contains(&format!(" {solver} seed 1")) && shouted.iter().any(|line| line.contains(solver)));
    }
    assert!(ran.out.contains("FAILED: "), "{ran:?}");
}

#[test]
fn every_answer_and_fault_of_the_mock_is_in_the_config() {
    let bench = Bench::mock();
    let config = std::fs::read_to_string(workspace().join("configs/harness/faults.toml")).expect("the config");
    for option in ["answer", "fault"] {
        let ran = bench.run(&["solve", "tri.toml", "--solver", "mock", "--option", &format!("{option}=?")]);
        let known = ran.err.split("there is ").nth(1).expect("a list").trim();
        assert!(known.split(", ").count() > 8, "{known}");
        for word in known.split(", ") {
            let is_default = matches!(word, "\"none\"" | "\"correct\"");
            assert!(is_default || config.contains(&format!("{option} = {word}")), "{option} = {word}");
        }
    }
}

#[test]
fn the_command_itself_knows_no_mock() {
    Bench::new().run(&words("solve tri.toml --solver mock")).refused(&["unknown solver", "mock"]);
}

/// An instance of which nobody knows the answer, and solvers that say what is in the lists.
fn claims(answers: &[&str]) -> Bench {
    let bench = Bench::mock();
    bench.write("open.toml", &TRIANGLE.replace("\"solvable\"", "\"unknown\""));
    let solvers: String = answers
        .iter()
        .map(|answer| {
            format!("[[solver]]\nname = \"mock\"\nlabel = \"{answer}\"\noptions = {{ answer = \"{answer}\" }}\n")
        })
        .collect();
    bench.config("claims", "open.toml", &format!("{COLOUR}{solvers}"));
    bench
}

#[test]
fn claims_that_contradict_each_other_are_reported_where_nobody_knows_the_answer() {
    let bench = claims(&["correct", "infeasible", "timeout"]);
    let ran = bench.run(&words("run claims.toml --out out"));
    assert_eq!(ran.code, 1, "{ran:?}");
    let (_, told) = ran.out.split_once("CONTRADICTIONS: 1 instance").expect("told");
    assert!(told.contains("solved by claims open colour correct"), "{ran:?}");
    assert!(told.contains("infeasible by claims open colour infeasible"), "{ran:?}");
    assert!(!told.contains("colour timeout"), "a limit claims nothing: {ran:?}");
    // Neither row is wrong by itself.
    let rows = ResultsDir::new(bench.path("out/claims")).read_runs().expect("rows");
    assert!(rows.iter().all(|row| row.category != Category::Wrong));

    let bench = claims(&["correct", "timeout"]);
    let ran = bench.run(&words("run claims.toml --out out")).ok();
    assert!(!ran.out.contains("CONTRADICTION"), "{ran:?}");
}

#[test]
fn a_lost_run_is_repeated_and_other_failures_are_not() {
    let bench = Bench::mock();
    let failing = |fault: &str| {
        format!("[[solver]]\nname = \"mock\"\nlabel = \"{fault}\"\noptions = {{ fault = \"{fault}\" }}\n")
    };
    bench.config("lost", "tri.toml", &format!("{COLOUR}{}{}", failing("lost"), failing("exit")));
    assert_eq!(bench.run(&words("run lost.toml --out out")).code, 1);
    let again = bench.run(&words("run lost.toml --out out --resume"));
    assert_eq!(again.code, 1, "{again:?}");
    let rows = ResultsDir::new(bench.path("out/lost")).read_runs().expect("rows");
    let attempts = |status| rows.iter().filter(|row| row.status == status).map(|row| row.attempt).collect::<Vec<_>>();
    assert_eq!((attempts(Status::Lost), attempts(Status::Error)), (vec![1, 2], vec![1]));
}

#[test]
fn what_left_the_process_group_of_its_worker_is_ended_too() {
    let bench = Bench::mock();
    let ran = bench.run(&words("solve tri.toml --solver mock --option fault=runaway")).ok();
    assert!(ran.out.starts_with("solved and verified"), "{ran:?}");
    assert_eq!(bench.survivors(), [""; 0]);
}

#[test]
fn solve_tells_a_fault_and_its_options_in_words() {
    let bench = Bench::mock();
    for (option, code, told) in [
        ("answer=wrong", 1, "WRONG: the answer does not stand"),
        ("answer=infeasible", 1, "the solver claims that there is no solution, but tri is recorded as solvable"),
        ("fault=crash", 1, "signal SIGSEGV"),
        ("fault=exit", 1, "exit code 3; mock: something went wrong on purpose"),
        ("iterations=3", 0, "in 3 solves"),
    ] {
        let ran = bench.run(&["solve", "tri.toml", "--solver", "mock", "--option", option]);
        assert!(ran.code == code && ran.out.contains(told), "{option}: {ran:?}");
    }
    for (option, refusal) in [
        ("fault=crush", "mock has no fault \"crush\"; did you mean \"crash\"?"),
        ("answer=wrang", "mock has no answer \"wrang\"; did you mean \"wrong\"?"),
        ("falt=crash", "mock has no option \"falt\"; did you mean \"fault\"?"),
        ("sleep=long", "sleep is a number of seconds"),
        ("amount=much", "much"),
        ("after=2", "after = 2 never comes in a run of 1 iterations"),
        ("iterations=0", "at least 1"),
    ] {
        bench.run(&["solve", "tri.toml", "--solver", "mock", "--option", option]).refused(&[refusal]);
    }
}

#[test]
fn mock_finds_what_there_is_on_boards_of_every_kind() {
    let bench = Bench::mock();
    let instances = workspace().join("instances/tantrix");
    for (instance, told) in [
        ("fixed/n10-round.toml", "solved and verified"),
        ("fixed/n15-unsolvable.toml", "infeasible, as is known"),
        ("natural/n10.toml", "solved and verified"),
    ] {
        let ran = bench.run(&["solve", &instances.join(instance).to_string_lossy(), "--solver", "mock"]).ok();
        assert!(ran.out.starts_with(told), "{instance}: {ran:?}");
    }
    let ran = bench.run(&words("generate bounded --type A --rings 1 --challenge 5 -o seven.toml"));
    assert_eq!(ran.code, 0, "{ran:?}");
    bench.run(&words("solve seven.toml --solver mock")).ok();
}

#[test]
fn failures_are_repeated_where_that_is_asked_for() {
    let bench = Bench::mock();
    bench.config(
        "exit",
        "tri.toml",
        &format!("{COLOUR}[[solver]]\nname = \"mock\"\noptions = {{ fault = \"exit\" }}\n"),
    );
    let ran = bench.run(&words("run exit.toml --out out"));
    assert!(ran.out.contains("--resume --retry error does"), "{ran:?}");
    bench.run(&words("run exit.toml --out out --resume --retry crash,error"));
    let rows = ResultsDir::new(bench.path("out/exit")).read_runs().expect("rows");
    assert_eq!(rows.iter().map(|row| row.attempt).collect::<Vec<_>>(), [1, 2]);
    for (options, part) in [
        ("--retry error", "--resume"),
        ("--resume --retry eror", "did you mean \"error\"? there is \"crash\", \"error\", "),
        ("--resume --retry optimal", "optimal is an answer"),
        ("--resume --retry error,lost", "lost runs are repeated by --resume alone"),
    ] {
        bench.run(&words(&format!("run exit.toml --out out {options}"))).refused(&[part]);
    }
}

#[test]
fn a_machine_that_refuses_is_exit_code_3() {
    let bench = Bench::mock();
    bench.run(&words("solve tri.toml --solver mock --solution nowhere/tri.json")).refused(&["no folder nowhere"]);
    let full = std::fs::File::options().write(true).open("/dev/full").expect("it is there on Linux");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tilebench"));
    let ran = command.arg("solvers").stdout(full).output().expect("it starts");
    assert_eq!(ran.status.code(), Some(3), "{ran:?}");
}

#[test]
fn solve_says_which_limit_struck() {
    let bench = Bench::mock();
    for (options, told) in [
        ("--option answer=timeout", "timeout (solver-limit): the solver gave up by a limit of its own\n"),
        (
            "--option fault=silence --time-limit 300ms",
            "timeout (hard-limit): no answer within the time limit and its grace\n",
        ),
        ("--option fault=spin --cpu-limit 200ms", "timeout (cpu-limit): no answer within the limit of CPU time\n"),
    ] {
        let ran = bench.run(&words(&format!("solve tri.toml --solver mock {options}"))).ok();
        assert!(ran.out.starts_with(told), "{ran:?}");
    }
    let ran = bench.run(&words("solve tri.toml --cpu-limit 1ms"));
    assert!(ran.out.contains(" s of CPU time of at most 0.001 s"), "{ran:?}");
}
