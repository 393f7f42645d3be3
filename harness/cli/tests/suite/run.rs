//! `tilebench run`: real experiments with every solver on small boards.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::process::{Command, Stdio};

use record::{Category, IterationRow, ResultsDir, RunRow, Status};

use crate::bench::{Bench, COLOUR, Ran, TRIANGLE, words};

const CONFIG: &str = r#"
experiment = "small"
title = "Small boards"
instances = ["tri.toml", "row.toml", "five.toml", "ten.toml"]

[limits]
time = "30s"

[profile.quick]
instances = ["tri.toml"]

[[formulation]]
name = "resolve"
families = "C1 C2' C4c C5x C6x"

[[formulation]]
name = "report"
families = "C1 C2' C4c"

[[solver]]
name = "highs"

[[solver]]
name = "cbc"

[[solver]]
name = "microlp"
"#;

/// Runs of the config: 4 instances, 2 formulations, 3 solvers.
const RUNS: usize = 24;

/// A bench with boards of 3, 5 and 10 places and the config.
pub fn small() -> Bench {
    let bench = Bench::new();
    bench.run(&words("generate fixed --shape round --challenge 5 -o five.toml")).ok();
    bench.copy("tantrix/fixed/n10-round.toml", "ten.toml");
    bench.write("small.toml", CONFIG);
    bench
}

fn rows(bench: &Bench) -> (Vec<RunRow>, Vec<IterationRow>) {
    let results = ResultsDir::new(bench.path("out/small"));
    (results.read_runs().expect("rows"), results.read_iterations().expect("rows"))
}

#[test]
fn every_combination_becomes_a_verified_row_and_is_not_repeated() {
    let bench = small();
    let ran = bench.run(&words("run small.toml --out out --jobs 2")).ok();
    assert!(ran.out.starts_with(&format!("{RUNS} runs in ")), "{ran:?}");
    assert!(ran.out.contains("next: tilebench report out/small"), "{ran:?}");

    let (runs, iterations) = rows(&bench);
    let key = |r: &RunRow| (r.instance.clone(), r.formulation.clone(), r.solver.clone());
    assert_eq!(runs.iter().map(key).collect::<BTreeSet<_>>().len(), RUNS);
    assert_eq!(runs.iter().map(|r| &r.run_id).collect::<BTreeSet<_>>().len(), RUNS);
    for row in &runs {
        let expected = if row.instance == "row" { Status::Infeasible } else { Status::Optimal };
        assert_eq!(row.status, expected, "{row:?}");
        // Without C5 a solution may show subloops, which are reported and not wrong.
        let subloops = row.formulation == "report" && row.loops > Some(1);
        assert_eq!(row.category, if subloops { Category::Unknown } else { Category::Correct }, "{row:?}");
        assert!(!row.solver_version.is_empty() && row.native_status.is_some(), "{row:?}");
        assert!(row.wall_time_s.is_some() && row.peak_memory_b.is_some(), "{row:?}");
        let solves: Vec<_> = iterations.iter().filter(|i| i.run_id == row.run_id).collect();
        assert_eq!(row.iterations, Some(solves.len() as u64), "{row:?}");
        let added: u64 = solves.iter().map(|i| i.solve.cuts_added).sum();
        assert_eq!(row.cuts, Some(added), "{row:?}");
        assert!(row.formulation == "resolve" || added == 0);
    }
    let mut answers: BTreeMap<&str, BTreeSet<Status>> = BTreeMap::new();
    for row in runs.iter().filter(|r| r.formulation == "resolve") {
        answers.entry(&row.instance).or_default().insert(row.status);
    }
    assert!(answers.values().all(|statuses| statuses.len() == 1), "all solvers agree: {answers:?}");
    let solved = runs.iter().find(|r| r.instance == "ten" && r.formulation == "resolve").expect("a row");
    let last = solved.iterations.expect("counted") - 1;
    let solution = format!("out/small/solutions/{}.{last}.json", solved.run_id);
    bench.run(&words(&format!("verify ten.toml {solution}"))).ok();

    let before = bench.read("out/small/runs.csv");
    bench.run(&words("run small.toml --out out")).refused(&["out/small", "holds every run"]);
    let again = bench.run(&words("run small.toml --out out --resume")).ok();
    assert!(again.out.starts_with("0 runs in ") && again.out.contains("24 of earlier sessions kept"), "{again:?}");
    assert_eq!(bench.read("out/small/runs.csv"), before);
}

#[test]
fn results_of_another_experiment_are_no_place_for_results() {
    let bench = small();
    bench.run(&words("run small.toml --out out --filter solver=cbc --quiet")).ok();
    bench.write("other.toml", &bench.read("small.toml").replace("experiment = \"small\"", "experiment = \"other\""));
    for out in ["out/small", "out/small/logs/new"] {
        for dry in ["", " --dry-run"] {
            let ran = bench.run(&words(&format!("run other.toml --out {out}{dry}")));
            ran.refused(&["out/small: results of another experiment", "choose another --out, such as ", "/out"]);
        }
    }
    assert!(!bench.path("out/small/other").exists() && !bench.path("out/small/logs/new").exists());
    bench.run(&words("run other.toml --out out --filter solver=cbc --quiet")).ok();
}

#[test]
fn a_dry_run_lists_the_plan_and_starts_nothing() {
    let bench = small();
    let before = bench.names();
    let ran = bench.run(&words("run small.toml --dry-run --jobs 2")).ok();
    assert!(ran.out.starts_with("small: Small boards\nrun_id "), "{ran:?}");
    assert!(ran.out.contains("24 runs, 2 at a time: at most about 6 min"), "{ran:?}");
    for (options, count) in [
        ("--filter solver=highs", "8 runs"),
        ("--filter solver=highs --filter instance=t*", "4 runs"),
        ("--profile quick", "6 runs"),
    ] {
        let ran = bench.run(&words(&format!("run small.toml --dry-run {options}"))).ok();
        assert!(ran.out.contains(&format!("\n{count}, 1 at a time")), "{options}: {ran:?}");
    }
    let ids = |ran: &str| ran.lines().filter_map(|l| l.split(' ').next()).map(str::to_owned).collect::<BTreeSet<_>>();
    assert_eq!(ids(&ran.out), ids(&bench.run(&words("run small.toml --dry-run --jobs 2")).ok().out));
    assert_eq!(bench.names(), before);
}

#[test]
fn a_wrong_answer_is_shown_and_ends_with_one() {
    let bench = small();
    bench.write("tri.toml", &TRIANGLE.replace("\"solvable\"", "\"unsolvable\""));
    let ran = bench.run(&words("run small.toml --out out --profile quick --filter solver=highs"));
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("2 WRONG") && ran.out.contains("CONTRADICTION"), "{ran:?}");
    assert!(rows(&bench).0.iter().all(|row| row.category == Category::Wrong));
    // Wrong rows stay wrong, however often the experiment is resumed.
    assert_eq!(bench.run(&words("run small.toml --out out --profile quick --filter solver=highs --resume")).code, 1);
}

#[test]
fn what_the_config_does_not_have_is_refused() {
    let bench = small();
    let before = bench.names();
    bench.run(&words("run small.toml --out out --profile slow")).refused(&["no [profile.slow]", "quick"]);
    bench
        .run(&words("run small.toml --out out --filter solver=scip"))
        .refused(&["no run passes the filter solver=scip; "]);
    bench
        .run(&words("run small.toml --out out --filter planet=mars"))
        .refused(&["filter key \"planet\"", "\"solver\""]);
    bench.run(&words("run small.toml --out out --jobs 0")).refused(&["--jobs"]);
    bench.run(&words("run none.toml --out out")).refused(&["cannot read the config none.toml: there is no such file"]);
    bench.run(&words("run smal --out out")).refused(&["smal: there is no such file; did you mean \"small.toml\"?"]);
    bench.run(&words("run small.toml --set kind=mip --out out")).refused(&["unknown key `kind`"]);
    bench.run(&words("solve small.toml")).refused(&["kind", "the file is a config, for tilebench run"]);
    assert_eq!(bench.names(), before);
}

#[test]
fn a_seed_that_a_solver_does_not_take_is_refused_before_anything_runs() {
    let bench = small();
    bench.write("small.toml", &CONFIG.replace("title", "seeds = [1, 5000000000]\ntitle"));
    bench.run(&words("run small.toml --out out")).refused(&["small.toml, line 3", "seed 5000000000", "\"highs\""]);
    bench.run(&words("solve tri.toml --seed 5000000000")).refused(&["5000000000"]);
    assert!(!bench.path("out").exists());
}

#[test]
fn a_rebuild_in_the_middle_of_a_session_does_no_harm() {
    let bench = small();
    let program = bench.path("tilebench");
    fs::copy(env!("CARGO_BIN_EXE_tilebench"), &program).expect("a copy");
    bench.write("other", "#!/bin/sh\nexit 2\n");
    fs::set_permissions(bench.path("other"), fs::metadata(&program).expect("the copy").permissions()).expect("a mode");
    let mut session = loop {
        let mut command = Command::new(&program);
        command
            .current_dir(bench.path(""))
            .env("TILEBENCH_ANYWAY", "1")
            .args(words("run small.toml --out out --profile quick --quiet"));
        match command.stdout(Stdio::null()).spawn() {
            // Another test may be starting a process while the copy is open for writing.
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {}
            other => break other.expect("starts"),
        }
    };
    fs::rename(bench.path("other"), &program).expect("the file is replaced");
    assert!(session.wait().expect("our own child").success());
    assert!(rows(&bench).0.iter().all(|row| row.category != Category::Error));
    assert_eq!(rows(&bench).0.len(), 6);
}

#[test]
fn who_limits_memory_is_told_where_it_can_only_be_polled() {
    let bench = Bench::mock();
    let run = |out: &str, limit: &str| {
        bench.config(out, "tri.toml", &format!("{limit}\n{COLOUR}[[solver]]\nname = \"mock\"\n"));
        let ran = bench.run(&words(&format!("run {out}.toml --out out"))).ok();
        let isolation = ResultsDir::new(bench.path("out").join(out)).read_runs().expect("rows").remove(0).isolation;
        (ran.err.matches("without control groups: ").count(), isolation)
    };
    let (told, isolation) = run("limited", "memory = \"2GiB\"");
    assert_eq!(told, usize::from(isolation == "process-group"));
    assert_eq!(run("free", "").0, 0);
}

#[test]
fn options_that_a_solver_does_not_take_are_refused_before_anything_runs() {
    let bench = small();
    let refused = |kind: &str, solver: &str, options: &str, told: &[&str]| {
        let families = if kind == "mip" { "families = \"C1 C2' C4c\"\n" } else { "" };
        let formulation = format!("[[formulation]]\nname = \"f\"\nkind = \"{kind}\"\n{families}");
        let solvers = format!("[[solver]]\nname = \"{solver}\"\noptions = {{ {options} }}\n");
        bench.config("options", "tri.toml", &(formulation + &solvers));
        let told = [told, &["options.toml, line ", solver]].concat();
        bench.run(&words("run options.toml --out out")).refused(&told);
        assert!(!bench.path("out").exists(), "{solver}: {options}");
    };
    for (kind, solver, options, told) in [
        ("mip", "highs", "presolv = \"off\"", "no such option; did you mean \"presolve\"? there is "),
        ("mip", "highs", "presolve = \"oof\"", "presolve = \"oof\": there is \"choose\", \"off\", \"on\""),
        ("mip", "highs", "mip_detect_symmetry = \"flase\"", "did you mean \"false\"? there is \"false\", \"true\""),
        ("mip", "highs", "mip_max_nodes = -5", "a whole number from 0 to 2147483647"),
        ("mip", "cbc", "presolv = \"off\"", "no such option; did you mean \"presolve\"? there is "),
        ("mip", "cbc", "maxNods = 7", "did you mean \"maxNodes\"?"),
        ("mip", "cbc", "ratioGap = -5", "a number from 0 to "),
        ("mip", "cbc", "cuts = \"-exit\"", "cuts = \"-exit\": "),
        ("mip", "microlp", "foo = 1", "microlp has no options"),
        ("sat", "cadical", "elm = 1", "no such option; did you mean \"elim\"? there is "),
        ("sat", "cadical", "elimrounds = 0", "a whole number from 1 to "),
        ("sat", "cadical", "plan = true", "did you mean \"plain\"?"),
        ("sat", "batsat", "var_decy = 0.5", "did you mean \"var_decay\"? there is \"ccmin_mode\", \"clause_decay\", "),
        ("sat", "batsat", "var_decay = 2", "a number above 0 and below 1"),
        (
            "cp",
            "pumpkin",
            "restart = \"luby\"",
            "did you mean \"restarts\"? there is \"branching\", \"first-restart\", ",
        ),
        ("cp", "pumpkin", "restarts = \"lubi\"", "did you mean \"luby\"? there is \"constant\", \"geometric\", "),
        ("cp", "pumpkin", "branching = \"vsid\"", "did you mean \"vsids\"? there is \"first-fail\", "),
        ("cp", "pumpkin", "restart-interval = 0", "a whole number from 1 to "),
        ("search", "search", "restrts = \"off\"", "did you mean \"restarts\"? there is \"restarts\", \"sum-check\""),
        ("sat", "minisat", "format = \"dimac\"", "did you mean \"dimacs\"?"),
        ("minizinc", "minizinc", "solvr = \"gecode\"", "did you mean \"solver\"? there is \"arguments\", "),
        (
            "mip",
            "external",
            "command = \"s {model} {solution}\", format = \"lpp\", read = \"scip\"",
            "did you mean \"lp\"? there is \"dimacs\", \"lp\", \"mps\"",
        ),
    ] {
        refused(kind, solver, options, &[told]);
    }
    bench.run(&words("solve tri.toml --solver cbc --option cuts=off --option ratio=0.1")).ok();
}

#[test]
fn a_busy_machine_is_refused_before_anything_is_written() {
    let bench = small();
    let busy = || Command::new("sh").args(["-c", "while :; do :; done"]).spawn().expect("a process");
    let cores = std::thread::available_parallelism().expect("a number").get();
    let mut others: Vec<_> = (0..2 * cores).map(|_| busy()).collect();
    let run = |line: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilebench"));
        let command = command.current_dir(bench.path("")).args(words(line)).env_remove("TILEBENCH_ANYWAY");
        Ran::of(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts"))
    };
    let few = format!("run small.toml --out out --profile quick --filter solver=highs --jobs {cores} --no-pin");
    let refused = run(&few);
    let there = bench.path("out").exists();
    let program = env!("CARGO_BIN_EXE_tilebench");
    let compared = run(&format!("compare {program} {program} --run small.toml"));
    let dry = run(&format!("{few} --dry-run"));
    let anyway = run(&format!("{few} --anyway"));
    for other in &mut others {
        other.kill().expect("it can be killed");
        other.wait().expect("our own child");
    }
    for ran in [refused, compared] {
        assert!(ran.code == 3 && ran.err.contains("cores are busy with other work"), "{ran:?}");
        assert!(ran.err.contains("--anyway"), "{ran:?}");
    }
    assert!(!there, "nothing is written");
    dry.ok();
    assert!(anyway.ok().out.contains("cores are busy with other work"));
    let manifest = ResultsDir::new(bench.path("out/small")).read_manifest().expect("a manifest");
    assert!(manifest.sessions[0].busy.contains("cores are busy"), "{manifest:?}");
}

#[test]
fn keys_are_set_on_the_command_line() {
    let bench = small();
    let planned = |flags: &str| bench.run(&words(&format!("run small.toml --dry-run {flags}"))).ok().out;
    bench.write("small.toml", &CONFIG.replace("[profile.quick]", "[profile.quick]\ntime = \"10s\""));
    assert!(planned("--set limits.time=5s").contains("5.00 s") && !planned("--set limits.time=5s").contains("30.0 s"));
    assert_eq!(planned("--set instances=[\"tri.toml\"] --set seeds=1-3").matches("tri ").count(), 18);
    // As what ran is told by the results.
    bench
        .run(&words("run small.toml --out out --filter instance=tri --filter solver=highs --set limits.time=29s"))
        .ok();
    assert!(bench.read("out/small/config.toml").ends_with("\n# --set limits.time=29s\n"));
    assert!(rows(&bench).0.iter().all(|row| row.time_limit_s == Some(29.0)));
    for (flags, told) in [
        ("--set limits.tiem=5s", "--set limits.tiem=5s: unknown key `tiem` in [limits]; did you mean `time`?"),
        ("--set limits.time=5", "--set limits.time=5: limits.time is a text such as \"20s\""),
        ("--set limits.time=soon", "--set limits.time=soon: \"soon\" is not a duration"),
        ("--set limits.time=999999999999h", "\"999999999999h\" is too long"),
        ("--set limits.memory=0GiB", "\"0GiB\" is nothing"),
        ("--set limits.memory=9999999999GiB", "\"9999999999GiB\" is too much"),
        ("--set limits.time=9s --set seeds=1-2x", "--set seeds=1-2x: "),
        ("--set solver.threads=2", "`solver` is no table"),
        ("--set limits.time", "KEY=VALUE"),
        ("--set instances=[\"tri.toml\"] --profile quick", "set profile.quick.instances"),
        ("--set limits.time=5s --profile quick", "set profile.quick.time"),
        ("--set profile.quick.time=5s", "profile quick is not applied; --profile quick applies it"),
        ("--set profile.qiuck.time=5s --profile quick", "profile qiuck is not applied"),
        ("--set limits={cpu=\"9s\",time=\"5s\"} --profile quick", "set profile.quick.time"),
    ] {
        bench.run(&words(&format!("run small.toml --dry-run {flags}"))).refused(&[told]);
    }
    // Also where the fault shows only after the config is read.
    let elsewhere = bench.run(&words("run small.toml --out other --set limits.time=9s --set require.cpu_model=Abacus"));
    elsewhere.refused(&["small.toml, --set require.cpu_model=Abacus: [require] cpu_model asks for"]);
}

#[test]
fn what_is_said_while_runs_go_on_holds_nothing_that_a_terminal_obeys() {
    let bench = Bench::mock();
    let label = |name: &str| format!("label = \"{name}\\u202e[31m\"");
    bench.write(
        "odd.toml",
        &format!(
            "experiment = \"odd\"\ntitle = \"Odd\"\ninstances = [\"tri.toml\"]\nwarmup = 1\n[limits]\ntime = \"30s\"\n\
             [[formulation]]\nname = \"f\"\nfamilies = \"C1 C2' C4c C5x C6x\"\n\
             [[solver]]\nname = \"mock\"\n{}\n[[solver]]\nname = \"mock\"\n{}\noptions = {{ answer = \"error\" }}\n\
             [[solver]]\nname = \"gurobi\"\n{}\noptions = {{ program = \"/nowhere\" }}\n",
            label("well"),
            label("ill"),
            label("absent")
        ),
    );
    for line in ["run odd.toml --out lines", "run odd.toml --out alarms --quiet"] {
        let ran = bench.run(&words(line));
        assert!(ran.err.contains("ill\\u{202e}[31m"), "{ran:?}");
        assert!(!ran.err.contains('\u{202e}'), "{ran:?}");
        if !line.ends_with("--quiet") {
            for name in ["well", "absent"] {
                assert!(ran.err.contains(&format!("{name}\\u{{202e}}[31m")), "{ran:?}");
            }
        }
    }
}

#[test]
fn what_an_edited_config_leaves_behind_is_told_with_the_reason() {
    let bench = small();
    bench.run(&words("run small.toml --profile quick --out out")).ok();
    let whole = bench.read("small.toml");
    let told = |text: &str, parts: &[&str]| {
        for part in parts {
            assert!(text.contains(part), "{part:?} is missing: {text}");
        }
    };
    let edited = whole.replace("time = \"30s\"", "time = \"20s\"").replace("name = \"cbc\"", "name = \"cadical\"");
    let edited = edited.replace("families = \"C1 C2' C4c\"\n", "kind = \"sat\"\n");
    let edited = edited.replace("name = \"resolve\"", "name = \"resolve\"\nsolvers = [\"highs\", \"microlp\"]");
    let edited = edited.replace("name = \"report\"", "name = \"report\"\nsolvers = [\"cadical\"]");
    bench.write("small.toml", &edited);
    for flags in ["--dry-run", "--dry-run --resume", "--resume --filter solver=highs"] {
        let ran = bench.run(&words(&format!("run small.toml --out out {flags}"))).ok();
        let parts = [
            "6 runs in out/small are not of this plan (profile \"quick\" before, none now)",
            "2: time limit 30 s, now 20 s",
            "2: the plan has no solver \"cbc\"",
        ];
        told(&(ran.out + &ran.err), &parts);
    }
    // The plan of before has them all again.
    bench.write("small.toml", &whole);
    let ran = bench.run(&words("run small.toml --out out --dry-run --resume")).ok();
    told(&ran.out, &["6 of 24 runs done already"]);
}

#[test]
fn options_that_a_program_does_not_take_are_refused_in_the_plan() {
    let bench = small();
    // A solver of clauses, as far as it comes to that.
    bench.write(
        "fake.sh",
        "#!/bin/sh\ncase \"$*\" in *nonsense*) echo 'ERROR! Unknown flag: -nonsense=1'; exit 1;; esac\n",
    );
    let script = bench.path("fake.sh");
    let mut mode = fs::metadata(&script).expect("there").permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o755);
    fs::set_permissions(&script, mode).expect("executable");
    let program = format!("program={}", script.display());
    bench
        .run(&["solve", "tri.toml", "--solver", "minisat", "--option", &program, "--option", "nonsense=1"])
        .refused(&["minisat refuses the option nonsense"]);
}

#[test]
fn a_folder_for_temporary_files_that_is_not_there_ends_the_session_and_not_the_runs() {
    let mut bench = small();
    bench.set("TMPDIR", "/nowhere");
    let ran = bench.run(&words("run small.toml --quiet --out out"));
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(
        ran.err.contains("temporary files") && ran.err.contains("TMPDIR") && ran.err.contains("/nowhere"),
        "{ran:?}"
    );
    assert_eq!(ResultsDir::new(bench.path("out/small")).read_runs().expect("rows").len(), 0);
}
