//! `tilebench solve`.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use puzzle::Solution;
use serde_json::Value;

use crate::bench::{Bench, TRIANGLE, words, workspace};

#[test]
fn text_says_what_was_found() {
    let ran = Bench::new().run(&words("solve tri.toml")).ok();
    assert!(ran.out.starts_with("solved and verified: one yellow loop through 3 tiles\n"), "{ran:?}");
    assert!(ran.out.contains("54 variables, ") && ran.out.contains(" in 1 solve, "), "{ran:?}");
    assert!(ran.err.contains("tri: ") && ran.err.contains("iteration 0: "), "{ran:?}");
}

/// CBC factorises such matrices with LAPACK.
#[test]
fn cbc_factorises_dense_matrices() {
    let board = workspace().join("instances/tantrix/fixed/n10-round.toml").display().to_string();
    let command = ["solve", &board, "--formulation", "basic", "--solver", "cbc", "--json", "--option"];
    let [dense, plain] = ["denseThreshold=1000", "denseThreshold=0"].map(|option| {
        let found = Bench::new().run(&[command.as_slice(), &[option]].concat()).ok().json();
        (found["status"].clone(), found["objective_value"].clone())
    });
    assert_eq!(dense, plain);
}

#[test]
fn json_is_one_object_with_everything_in_it() {
    for solver in ["highs", "cbc", "microlp"] {
        let bench = Bench::new();
        let ran = bench.run(&["solve", "tri.toml", "--families", "C1 C2' C3 C4 C5", "--solver", solver, "--json"]).ok();
        assert_eq!(ran.err, "");
        let found = ran.json();
        for (pointer, expected) in [
            ("/instance", Value::from("tri")),
            ("/challenge", 3.into()),
            ("/colour", "yellow".into()),
            ("/families", "C1 C2' C3 C4 C5".into()),
            ("/objective", "virtual".into()),
            ("/subloops", "resolve:each".into()),
            ("/solver", solver.into()),
            ("/status", "optimal".into()),
            ("/category", "correct".into()),
            ("/termination_reason", "solved".into()),
            ("/message", Value::Null),
            ("/loops", 1.into()),
            ("/holes", 0.into()),
            ("/objective_value", 0.0.into()),
            // x: 3 tiles, 3 places, 6 orientations; y: 3 places, 6 edges.
            ("/variables", 72.into()),
            // C1 3, C2' 3, y 18, C3 12, C4 3.
            ("/constraints", 39.into()),
            ("/solves/0/iteration", 0.into()),
            ("/solves/0/status", "optimal".into()),
            ("/solves/0/loop_lengths", "3".into()),
            ("/solves/0/cuts_added", 0.into()),
        ] {
            assert_eq!(found.pointer(pointer), Some(&expected), "{solver} {pointer}");
        }
        for pointer in ["/build_time_s", "/solve_time_s", "/wall_time_s", "/solves/0/time_s"] {
            let time = found.pointer(pointer).and_then(Value::as_f64);
            assert!(time.is_some_and(|t| (0.0..60.0).contains(&t)), "{solver} {pointer}: {time:?}");
        }
        assert!(found["solver_version"].as_str().is_some_and(|v| v.contains('.')), "{found}");
        assert!(found["peak_memory_b"].as_u64().is_some_and(|b| b > 1 << 20), "{found}");
        let solution: Solution = serde_json::from_value(found["solution"].clone()).expect("a solution");
        assert_eq!(solution.placements.len(), 3);
    }
}

#[test]
fn stages_of_a_large_board_are_told_with_their_loops() {
    let bench = Bench::new();
    bench.run(&words("generate fixed --shape round --challenge 400 --seed 1 -o large.toml")).ok();
    let line = "solve large.toml --kind search --strategy parts";
    let found = bench.run(&words(&format!("{line} --json"))).ok().json();
    let solves = found["solves"].as_array().expect("a list");
    assert!((2..=20).contains(&solves.len()), "{found}");
    assert_eq!(found["iterations"], solves.len());
    for column in ["parts", "loops_merged", "patches", "restarts", "nodes", "conflicts"] {
        let sum: u64 = solves.iter().map(|solve| solve[column].as_u64().expect("counted")).sum();
        assert_eq!(found[column], sum, "{column}");
    }
    assert!(found["parts"].as_u64() >= Some(10), "{found}");

    let ran = bench.run(&words(line)).ok();
    assert!(ran.out.contains(&format!(" in {} stages, ", solves.len())), "{ran:?}");
    let told: Vec<&str> = ran.err.lines().filter(|line| line.starts_with("  iteration ")).collect();
    assert_eq!(told.len(), solves.len());
    assert!(told[0].contains("; full board, tiles too many: ") && told[0].contains("; parts: 10"), "{told:?}");
    assert!(told.iter().all(|line| line.matches(" and ").count() <= 8), "{told:?}");
}

#[test]
fn the_portfolio_proves_what_its_search_cannot() {
    // No loop gets through a row. The search by parts proves nothing of the kind and would go on for ever.
    let bench = Bench::new();
    let places: Vec<String> = (0..50).map(|q| format!("[{q}, 0]")).collect();
    let board = TRIANGLE.replace("tantrix-fixed", "tantrix-bounded").replace("challenge = 3", "challenge = 40");
    let board = board.replace("\"yellow\"", "\"red\"").replace("\"solvable\"", "\"unsolvable\"");
    bench.write("long.toml", &board.replace("[0, 0], [1, 0], [0, 1]", &places.join(", ")));
    let solved = |solver: &str| {
        let line = format!("solve long.toml --kind search --strategy parts --json --solver {solver}");
        bench.run(&words(&line)).ok().json()
    };
    assert_eq!(solved("search --time-limit 1s")["status"], "timeout");
    let found = solved("portfolio --time-limit 5m");
    assert_eq!((&found["status"], &found["category"]), (&"infeasible".into(), &"correct".into()), "{found}");
    assert_eq!(found["native_status"], "cadical: UNSATISFIABLE");
}

#[test]
fn an_unsolvable_board_is_an_answer() {
    let bench = Bench::new();
    let ran = bench.run(&words("solve row.toml --solution none.json")).ok();
    assert!(ran.out.starts_with("infeasible, as is known: no solution exists\n"), "{ran:?}");
    assert!(ran.err.contains("none.json is not written"), "{ran:?}");
    assert_eq!(bench.names(), ["row.toml", "tri.toml"]);
    let found = bench.run(&words("solve row.toml --json")).ok().json();
    assert_eq!((&found["status"], &found["category"]), (&"infeasible".into(), &"correct".into()));
    assert_eq!(found["solution"], Value::Null);

    bench.write("unknown.toml", &bench.read("row.toml").replace("\"unsolvable\"", "\"unknown\""));
    let ran = bench.run(&words("solve unknown.toml")).ok();
    assert!(ran.out.starts_with("infeasible: the solver proved that no solution exists\n"), "{ran:?}");
}

#[test]
fn an_answer_that_contradicts_what_is_known_is_wrong() {
    let bench = Bench::new();
    bench.write("lie.toml", &TRIANGLE.replace("\"solvable\"", "\"unsolvable\""));
    bench.write("lie2.toml", &bench.read("row.toml").replace("\"unsolvable\"", "\"solvable\""));
    for (file, words) in [("lie.toml", "CONTRADICTION"), ("lie2.toml", "but lie2 is recorded as solvable")] {
        let ran = bench.run(&["solve", file]);
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(ran.out.starts_with("WRONG: ") && ran.out.contains(words), "{ran:?}");
        let found = bench.run(&["solve", file, "--json"]);
        assert_eq!((found.code, &found.json()["category"]), (1, &"wrong".into()));
    }
}

#[test]
fn subloops_are_reported_where_they_are_not_cut_off() {
    let bench = Bench::new();
    bench.run(&words("generate fixed --shape blob --challenge 9 --seed 0 -o two.toml")).ok();
    let ran = bench.run(&["solve", "two.toml", "--families", "C1 C2' C4c"]).ok();
    assert!(ran.out.starts_with("not solved: 2 blue loops") || ran.out.starts_with("not solved: 2 yellow"), "{ran:?}");
    let cut_off = bench.run(&["solve", "two.toml", "--families", "C1 C2' C4c C5x", "--json"]).ok().json();
    assert_eq!(cut_off["status"], "infeasible");
    let solves = cut_off["solves"].as_array().expect("a list");
    assert!(solves.len() > 1 && solves[0]["cuts_added"] == 1, "{cut_off}");
}

/// What is wrong with instances is told by the crate that reads them; each command passes it on.
#[test]
fn a_bad_instance_is_refused_and_nothing_is_written() {
    let bench = Bench::new();
    bench.run(&words("generate soku random -o ico.toml")).ok();
    bench.write("tri.toml", &TRIANGLE.replace("challenge = 3", "challenge = 4"));
    bench.write("ico.toml", &bench.read("ico.toml").replace("A = 4, ", "A = -4, "));
    let before = bench.names();
    for (name, message) in [
        ("tri", "tri.toml: places: 3 places for 4 tiles"),
        ("ico", "ico.toml: capacity.A: -4; a whole number from 0 to 1000000000"),
    ] {
        for line in [
            "solve NAME.toml --solution x.json --picture x.svg",
            "verify NAME.toml x.json",
            "count NAME.toml",
            "show NAME.toml -o x.svg",
            "export NAME.toml -o x.lp",
        ] {
            bench.run(&words(&line.replace("NAME", name))).refused(&["error: ", message]);
        }
    }
    assert_eq!(bench.names(), before);
}

#[test]
fn what_is_no_text_file_is_not_read_and_no_input_is_written_over() {
    let bench = Bench::new();
    bench.write("tri.toml", TRIANGLE);
    fs::write(bench.path("latin.toml"), b"kind = \"tantrix-fixed\"\nsource = \"\xe9\"\n").expect("written");
    bench.run(&words("show /dev/zero -o x.svg")).refused(&["/dev/zero: this is not a regular file"]);
    bench.run(&words("count /dev")).refused(&["/dev: this is a folder; name a file in it"]);
    bench.run(&words("verify tri.toml /dev/zero")).refused(&["/dev/zero: this is not a regular file"]);
    bench.run(&words("soku check /dev/zero")).refused(&["/dev/zero: this is not a regular file"]);
    bench.run(&words("run /dev/zero --out r")).refused(&["/dev/zero", "this is not a regular file"]);
    bench
        .run(&words("show latin.toml -o x.svg"))
        .refused(&["latin.toml: line 2, byte 34 of the file: this is not UTF-8 text"]);

    std::os::unix::fs::symlink("tri.toml", bench.path("tri.svg")).expect("a link");
    let read = ["tri.svg is the file that is read"];
    bench.run(&words("solve tri.toml --solution .")).refused(&["--solution .: this is a folder"]);
    bench.run(&words("solve tri.toml --solution tri.toml")).refused(&["tri.toml is the file that is read"]);
    bench.run(&words("solve tri.toml --picture tri.svg")).refused(&read);
    bench.run(&words("show tri.toml -o tri.svg")).refused(&read);
    bench.run(&words("solve tri.toml --formulation sat --solver cadical --proof /dev/null")).refused(&["/dev/null"]);
    assert_eq!(bench.read("tri.toml"), TRIANGLE);
    // What can only be written into stays what it is.
    bench.run(&words("solve tri.toml --solution /dev/null --json")).ok();
    let full = bench.run(&words("show tri.toml -o full.svg"));
    assert_eq!(full.code, 0, "{full:?}");
    std::os::unix::fs::symlink("/dev/full", bench.path("device.svg")).expect("a link");
    let full = bench.run(&words("show tri.toml -o device.svg"));
    assert!(full.code == 3 && full.err.contains("No space left on device"), "{full:?}");
    for device in ["/dev/null", "/dev/full"] {
        let there = fs::metadata(device).expect("a device").file_type();
        assert!(std::os::unix::fs::FileTypeExt::is_char_device(&there), "{device}");
    }
}

/// Where nobody can read what is said the work is done all the same, and what was asked for is not lost without an exit code.
#[test]
fn output_that_cannot_be_written() {
    let bench = Bench::new();
    bench.write("tri.toml", TRIANGLE);
    let call = |line: &str| {
        let script = format!("{} {line}", env!("CARGO_BIN_EXE_tilebench"));
        let run = std::process::Command::new("sh").args(["-c", &script]).current_dir(bench.path(".")).output();
        run.expect("a shell").status.code()
    };
    assert_eq!(call("solve tri.toml --solution s.json 2>/dev/full"), Some(0));
    assert_eq!(call("solve tri.toml 2>&-"), Some(0));
    assert_eq!(call("solve nowhere.toml 2>/dev/full"), Some(2));
    assert_eq!(call("solve tri.toml >/dev/full 2>/dev/null"), Some(3));
    assert_eq!(call("--help >/dev/full 2>/dev/null"), Some(3));
    assert_eq!(call("run --help >/dev/full 2>/dev/null"), Some(3));
}

#[test]
fn what_there_is_not_is_refused_with_what_there_is() {
    let bench = Bench::new();
    let mut known: Vec<String> = solve::BACKENDS.iter().map(|backend| format!("{:?}", backend.info().name)).collect();
    known.sort();
    bench.write("g.toml", "experiment = \"g\"\ntitle = \"G\"\ninstances = [\"tri.toml\"]\n[[formulation]]\nname = \"basic\"\nfamilies = \"C1 C2 C3 C4 C5\"\n[[solver]]\nname = \"gecode\"\n");
    bench.run(&words("run g.toml --dry-run")).refused(&["g.toml, line 8: unknown solver \"gecode\": minizinc runs it"]);
    let known = format!("unknown solver \"gurrobi\"; did you mean \"gurobi\"? there is {}", known.join(", "));
    for (line, told) in [
        ("--solver gurrobi", known.as_str()),
        ("--solver gecode", "unknown solver \"gecode\": minizinc runs it, with the option solver=gecode; there is"),
        ("--solver cbc --threads 2", "cbc cannot do this: 2 threads"),
        ("--option presolv=off", "highs refuses the option presolv = \"off\""),
        ("--option presolve=oof", "there is \"choose\", \"off\", \"on\""),
        ("--option presolve=off --option presolve=on", "--option presolve: given twice"),
        ("--option presolve", "NAME=VALUE"),
        ("--solver search --strategy walk --option restarts=off", "another strategy than \"propagate\""),
        ("--solver search --strategy walk --option sum-check=off", "than \"propagate\" or \"least-capacity\""),
        (
            "--formulation bst",
            "unknown formulation \"bst\"; did you mean \"best\"? there is \"asp\", \"basic\", \"best\", ",
        ),
        ("--families C1 --formulation best", "cannot be used with"),
        ("--families C55", "did you mean C5?"),
        ("--families C1,C3,C4", "add C2 or C2'"),
        ("--formulation bounded-basic", "B1 is for tantrix-bounded and tantrix-natural, but tri is tantrix-fixed"),
        ("--families C1,C2',C3,C4 --cuts each", "add C5 or C5x"),
        ("--formulation sorts --cuts widest", "each, smallest, region"),
        ("--kind searhc", "'search'"),
        ("--cardinality ader", "'adder'"),
        ("--time-limit=0s", "no time at all"),
        ("--threads=0", "a whole number from 1"),
    ] {
        let line = format!("solve tri.toml {line}");
        let args: Vec<String> = words(&line).into_iter().map(|word| word.replace(',', " ")).collect();
        bench.run(&args).refused(&[told]);
    }
    bench.run(&words("solve nowhere.toml")).refused(&["nowhere.toml", "there is no such file"]);
    assert_eq!(bench.names(), ["g.toml", "row.toml", "tri.toml"]);
    bench.run(&words("solve tri.toml --option presolve=off --option mip_rel_gap=0.5 --seed 7")).ok();
}

#[test]
fn the_log_gets_what_the_solver_prints() {
    let bench = Bench::new();
    for (solver, name) in [("highs", "HiGHS"), ("cbc", "CBC")] {
        let ran = bench.run(&words(&format!("solve tri.toml --solver {solver} --log {solver}.log --json"))).ok();
        assert_eq!(ran.json()["status"], "optimal", "nothing of the log is in the answer");
        assert!(bench.read(&format!("{solver}.log")).contains(name));
    }
}

#[test]
fn pictures_are_drawn_and_bad_endings_refused_before_the_work() {
    let bench = Bench::new();
    bench.run(&words("solve tri.toml --picture tri.svg")).ok();
    assert!(bench.read("tri.svg").starts_with("<svg"));
    let ran = bench.run(&words("solve tri.toml --picture tri.gif --solution tri.json"));
    ran.refused(&["tri.gif: a picture's name ends in .svg, .png or .pdf"]);
    assert_eq!(bench.names(), ["row.toml", "tri.svg", "tri.toml"]);
}

#[test]
fn an_answer_is_told_even_if_its_file_cannot_be_written() {
    let bench = Bench::new();
    bench.run(&words("solve tri.toml --solution nowhere/tri.json")).refused(&["there is no folder nowhere"]);
    // A name longer than a file system takes, which nothing notices before the work is done.
    let name = format!("{}.json", "x".repeat(300));
    let ran = bench.run(&["solve", "tri.toml", "--solution", &name]);
    assert!(ran.out.starts_with("solved and verified"), "{ran:?}");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("cannot write xxx"), "{ran:?}");
}

#[test]
fn the_root_bound_is_printed_where_it_is_asked_for() {
    let bench = Bench::new();
    // Two threads after a relaxation in one: HiGHS must not mind.
    for solver in ["highs --threads 2", "cbc"] {
        let ran = bench.run(&words(&format!("solve tri.toml --root-bound --solver {solver}"))).ok();
        assert!(ran.out.contains("\n  root bound (linear relaxation): 0\n"), "{ran:?}");
    }
    let found = bench.run(&words("solve tri.toml --root-bound --json")).ok().json();
    assert_eq!(found.pointer("/root_bound").and_then(Value::as_f64), Some(0.0), "{found}");
    let found = bench.run(&words("solve tri.toml --json")).ok().json();
    assert_eq!(found.pointer("/root_bound"), Some(&Value::Null), "{found}");
    let refused = bench.run(&words("solve tri.toml --root-bound --kind sat"));
    refused.refused(&["--root-bound", "kind sat"]);
}

#[test]
fn a_solve_without_an_answer_fails_where_that_is_asked_for() {
    let bench = Bench::new();
    bench.run(&words("generate fixed --shape blob --challenge 9 --seed 0 -o two.toml")).ok();
    // One that only reports subloops, and one that has no time.
    let reports = ["solve", "two.toml", "--families", "C1 C2' C4c"];
    let timeout = ["solve", "two.toml", "--time-limit", "1ms"];
    for line in [reports, timeout] {
        let ran = bench.run(&line).ok();
        assert!(ran.err.contains("--fail-on unsolved"), "{ran:?}");
        assert_eq!(bench.run(&[&line[..], &["--fail-on", "unsolved"]].concat()).code, 1);
        bench.run(&[&line[..], &["--fail-on", "unsupported"]].concat()).ok();
    }
    // Answers are none of that, whichever they are.
    for file in ["tri.toml", "row.toml"] {
        let ran = bench.run(&["solve", file, "--fail-on", "unsolved"]).ok();
        assert!(!ran.err.contains("--fail-on"), "{ran:?}");
    }
}

#[test]
fn who_runs_out_of_time_on_a_large_board_is_told_of_the_strategy_for_it() {
    let bench = Bench::new();
    let told = |board: &str, strategy: &str| {
        let path = workspace().join(format!("instances/tantrix/fixed/{board}.toml")).display().to_string();
        let ran = bench.run(&["solve", &path, "--strategy", strategy, "--time-limit", "1ms"]).ok();
        assert!(ran.out.contains("time limit"), "{ran:?}");
        ran.err.contains("note: --strategy parts is made for more than 30 tiles")
    };
    assert!(told("n100-round", "propagate"));
    assert!(!told("n100-round", "parts") && !told("n30-round", "propagate"));
}

#[test]
fn who_runs_out_of_places_is_told_that_this_proves_nothing() {
    let bench = Bench::new();
    bench.copy("tantrix/bounded/n10-m12.toml", "none.toml");
    let ran = bench.run(&words("solve none.toml --formulation places-first")).ok();
    assert!(
        ran.out.starts_with("timeout (solver-limit): no other places were found to choose, which proves nothing"),
        "{ran:?}"
    );
    assert!(bench.run(&words("solve none.toml")).ok().out.starts_with("infeasible"));
}

#[test]
fn an_option_of_one_kind_alone_chooses_the_kind() {
    let bench = Bench::new();
    let found = bench.run(&words("solve tri.toml --cardinality adder --json")).ok().json();
    assert_eq!(found["kind"], "sat");
    assert!(found["families"].as_str().is_some_and(|text| text.contains("cardinality=adder")), "{found}");
    let ran = bench.run(&words("solve tri.toml --cardinality adder --solver highs"));
    assert!(!ran.err.contains("C1"), "{ran:?}");
    ran.refused(&["--cardinality", "highs", "kind mip, not sat"]);
}

#[test]
fn a_solution_replaces_solutions_only() {
    let bench = Bench::new();
    bench.write("tri.svg", "<svg/>");
    bench
        .run(&words("solve tri.toml --solution tri.svg"))
        .refused(&["--solution tri.svg: this file is there and is no solution"]);
    assert_eq!(bench.read("tri.svg"), "<svg/>");
    for other in ["--picture ./z.svg", "--log z.svg"] {
        bench.run(&words(&format!("solve tri.toml --solution z.svg {other}"))).refused(&["z.svg", "two outputs"]);
        assert!(!bench.path("z.svg").exists());
    }
    for _ in 0..2 {
        bench.run(&words("solve tri.toml --solution tri.json")).ok();
    }
    bench.run(&words("verify tri.toml tri.json")).ok();
}

#[test]
fn numbers_of_options_have_the_bounds_of_configs() {
    let bench = Bench::new();
    for line in [
        "count tri.toml --threads 1000000",
        "count tri.toml --threads 0",
        "solve tri.toml --threads 1025",
        "solve tri.toml --seed 9223372036854775808",
        "run none.toml --jobs 1000000",
        "soku verify-all --threads 1000000",
    ] {
        bench.run(&words(line)).refused(&["a whole number from "]);
    }
    bench.run(&words("solve tri.toml --solver search --seed 9223372036854775807")).ok();
}

#[test]
fn messages_show_a_little_of_the_input_and_nothing_that_a_terminal_obeys() {
    let bench = Bench::new();
    bench.write("long.toml", &format!("{TRIANGLE}x = {}", "[".repeat(1 << 20)));
    bench.write("word.toml", &TRIANGLE.replace("yellow", &"y".repeat(1 << 20)));
    bench.write("odd.toml", &TRIANGLE.replace("yellow", "\u{202e}wolley\u{7f}\\u001b[31m"));
    bench.write("type.toml", &TRIANGLE.replace("challenge = 3", "challenge = \"three\""));
    bench.write("json.toml", "{\"instance\": \"tri\", \"placements\": []}");
    bench.write("type.json", "{\"instance\": \"tri\", \"placements\": [{\"place\": \"one\", \"tile\": 1}]}");
    for (line, told) in [
        ("show long.toml -o x.svg", "long.toml: line 8, column "),
        ("show word.toml -o x.svg", "word.toml: line 4, column "),
        ("show odd.toml -o x.svg", "\\u{202e}wolley"),
        (
            "show type.toml -o x.svg",
            "type.toml: line 2, column 13: invalid type: string \"three\", expected a whole number",
        ),
        ("show json.toml -o x.svg", "json.toml: this is JSON, as solutions are"),
        ("verify tri.toml type.json", "expected a whole number of at least 0 at line 1 column "),
        ("verify tri.toml row.toml", "row.toml: not a solution file, which is JSON"),
        ("solve \u{1b}[31m.toml", "\\u{1b}[31m.toml"),
        ("solve tri.toml --kind \u{202e}x", "\\u{202e}x"),
    ] {
        let ran = bench.run(&words(line));
        assert!(ran.err.len() < 4000, "{} bytes: {line}", ran.err.len());
        let obeyed = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!ran.err.contains(obeyed), "{ran:?}");
        ran.refused(&[told]);
    }
}

#[test]
fn minizinc_finds_solvers_in_folders_named_from_here() {
    let mut bench = Bench::new();
    // It calls its solver as it finds the variable.
    let program = r#"case $1 in
--version) echo MiniZinc to FlatZinc converter, version 9.8.7 ;;
--solvers-json) echo '[{"id": "x.other", "name": "'"$MZN_SOLVER_PATH"'", "version": "1.2", "executable": "/bin/true",
    "supportsFzn": true}]' ;;
--config-dirs) echo '{}' ;;
esac
"#;
    bench.write("minizinc", &format!("#!/bin/sh\n{program}"));
    fs::set_permissions(bench.path("minizinc"), fs::Permissions::from_mode(0o755)).expect("executable");
    bench.set("MZN_SOLVER_PATH", "mine:/of/all");
    let ran = bench.run(&words("solve tri.toml --solver minizinc --option program=./minizinc --option solver=other"));
    let here = fs::canonicalize(bench.path("")).expect("the folder");
    assert!(ran.err.contains(&format!("MiniZinc 9.8.7, {}/mine:/of/all 1.2", here.display())), "{ran:?}");
}
