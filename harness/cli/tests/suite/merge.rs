//! Shards on their own, killed, begun again and copied; and what `merge` makes of them: what one session would have left.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use record::{Category, IterationRow, ResultsDir, RunRow, Status, write_table};
use serde_json::Value;

use crate::bench::{Bench, Ran, TRIANGLE, send, wait_for, words};

/// Five boards, a search and an integer program, two seeds: 20 runs.
const CONFIG: &str = r#"
experiment = "parts"
title = "Parts"
instances = ["tri.toml", "row.toml", "blue.toml", "red.toml", "five.toml"]
seeds = [1, 2]

[limits]
time = "60s"

[[formulation]]
name = "search"
kind = "search"
solvers = ["search"]

[[formulation]]
name = "program"
families = "C1 C2' C4c C5x C6x"
solvers = ["highs"]

[[solver]]
name = "search"

[[solver]]
name = "highs"
"#;

const RUNS: usize = 20;

/// Mocks that take half a second for a run: 8 runs on 4 boards.
const SLOW: &str = r#"
experiment = "parts"
title = "Parts"
instances = ["tri.toml", "row.toml", "blue.toml", "red.toml"]
seeds = [1, 2]

[limits]
time = "60s"

[[formulation]]
name = "colour"
families = "C1 C2' C4c C5x C6x"

[[solver]]
name = "mock"
options = { sleep = 0.25, iterations = 2 }
"#;

const SLOW_RUNS: usize = 8;

fn bench_with(config: &str) -> Bench {
    let bench = Bench::mock();
    for colour in ["blue", "red"] {
        let text = TRIANGLE.replace("\"yellow\"", &format!("\"{colour}\"")).replace("\"solvable\"", "\"unknown\"");
        bench.write(&format!("{colour}.toml"), &text);
    }
    bench.run(&words("generate fixed --shape round --challenge 5 -o five.toml")).ok();
    bench.write("parts.toml", config);
    bench
}

/// The rows of results by their runs.
fn rows(bench: &Bench, dir: &str) -> BTreeMap<String, RunRow> {
    let rows = ResultsDir::new(bench.path(dir)).read_runs().expect("sound rows");
    let number = rows.len();
    let rows: BTreeMap<_, _> = rows.into_iter().map(|row| (row.run_id.clone(), row)).collect();
    assert_eq!(rows.len(), number, "{dir}: a run has two rows");
    rows
}

/// A row without figures of this machine and moment.
fn masked(row: Value) -> Value {
    const OF_MACHINE: [&str; 6] = ["peak_memory_b", "memory_source", "host", "cpus", "started_at", "session"];
    let is_figure =
        |column: &str| !OF_MACHINE.contains(&column) && !column.ends_with("time_s") && column != "cumulative_s";
    match row {
        Value::Object(columns) => columns
            .into_iter()
            .filter(|(column, _)| is_figure(column))
            .map(|(column, cell)| (column, masked(cell)))
            .collect(),
        cell => cell,
    }
}

/// What a run comes to wherever and whenever it is done: its row, its solves and their solutions.
fn findings(bench: &Bench, dir: &str) -> BTreeMap<String, (Value, Vec<Value>, Vec<String>)> {
    let results = ResultsDir::new(bench.path(dir));
    let solves = results.read_iterations().expect("sound rows");
    let found = rows(bench, dir).into_iter().map(|(run_id, row)| {
        let own = solves.iter().filter(|solve| (&solve.run_id, solve.attempt) == (&row.run_id, row.attempt));
        let own: Vec<Value> = own.map(|solve| masked(serde_json::to_value(solve).expect("json"))).collect();
        let solutions = (0..row.iterations.unwrap_or(0)).map(|at| fs::read_to_string(results.solution(&run_id, at)));
        let solutions = solutions.map(|text| text.unwrap_or_default()).collect();
        (run_id, (masked(serde_json::to_value(&row).expect("json")), own, solutions))
    });
    found.collect()
}

/// Every file below a folder but locks, with its bytes.
fn bytes(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut found, mut waiting) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(path) = waiting.pop() {
        for entry in fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry")) {
            match entry.file_type().expect("a type").is_dir() {
                true => waiting.push(entry.path()),
                false if entry.file_name() == ".lock" => {}
                false => {
                    let name = entry.path().strip_prefix(folder).expect("below it").display().to_string();
                    assert!(found.insert(name, fs::read(entry.path()).expect("a file")).is_none());
                }
            }
        }
    }
    found
}

/// Runs shards, each to a folder of its own: `parts/1` and so on.
fn run_shards(bench: &Bench, of: usize) {
    for number in 1..=of {
        bench.run(&words(&format!("run parts.toml --quiet --shard {number}/{of} --out parts/{number}"))).ok();
    }
}

#[test]
fn merged_shards_are_what_one_session_leaves() {
    let bench = bench_with(CONFIG);
    bench.run(&words("run parts.toml --quiet --out whole")).ok();
    let whole = findings(&bench, "whole/parts");
    assert_eq!(whole.len(), RUNS);
    for of in [1, 2, 3, 7] {
        run_shards(&bench, of);
        let ran = bench.run(&words("merge parts -o merged")).ok();
        assert!(ran.out.starts_with("merged/parts: 20 of 20 planned runs are done\n"), "{ran:?}");
        assert!(!ran.out.contains("not kept") && !ran.out.contains("MISSING"), "{ran:?}");
        assert_eq!(findings(&bench, "merged/parts"), whole, "{of} shards");
        for file in ["plan.csv", "config.toml"] {
            assert_eq!(bench.read(&format!("merged/parts/{file}")), bench.read(&format!("whole/parts/{file}")));
        }
        let manifest = ResultsDir::new(bench.path("merged/parts")).read_manifest().expect("a manifest");
        let shards: Vec<_> = manifest.sessions.iter().map(|session| session.shard.clone()).collect();
        let with_runs = of.min(5);
        assert_eq!(shards, (1..=with_runs).map(|number| format!("{number}/{of}")).collect::<Vec<_>>());
        assert_eq!(manifest.sessions.iter().map(|session| session.runs).sum::<u64>(), RUNS as u64);
        bench.run(&words("report merged -o plots --format md")).ok();
        assert!(bench.read("plots/parts.md").contains("Runs: 20 of 20"));
        fs::remove_dir_all(bench.path("parts")).expect("a folder");
    }
}

/// The rows of one session, dealt out to folders as sessions of shards leave them.
#[test]
fn a_report_of_merged_rows_is_the_report_of_one_session() {
    let bench = bench_with(CONFIG);
    bench.run(&words("run parts.toml --quiet --out one")).ok();
    let whole = ResultsDir::new(bench.path("one/parts"));
    let (runs, solves) = (whole.read_runs().expect("rows"), whole.read_iterations().expect("rows"));
    let part_of = |run_id: &str| usize::from_str_radix(run_id, 16).expect("an id") % 3;
    for part in 0..3 {
        let dir = ResultsDir::new(bench.path(&format!("parts/{part}")));
        for folder in ["instances", "solutions", "logs"] {
            fs::create_dir_all(dir.root().join(folder)).expect("a folder");
            for entry in fs::read_dir(whole.root().join(folder)).expect("a folder").map(|entry| entry.expect("a file"))
            {
                fs::copy(entry.path(), dir.root().join(folder).join(entry.file_name())).expect("a copy");
            }
        }
        for file in ["plan.csv", "manifest.json", "config.toml"] {
            fs::copy(whole.root().join(file), dir.root().join(file)).expect("a copy");
        }
        let own = |run_id: &str| part_of(run_id) == part;
        write_table(&dir.runs(), runs.iter().filter(|row| own(&row.run_id)).cloned()).expect("rows");
        write_table(&dir.iterations(), solves.iter().filter(|row: &&IterationRow| own(&row.run_id)).cloned())
            .expect("rows");
    }
    let report = "report one -o plots --format html,md,csv,latex";
    bench.run(&words(report)).ok();
    let expected = bytes(&bench.path("plots"));
    fs::rename(bench.path("one"), bench.path("before")).expect("renamed");
    fs::remove_dir_all(bench.path("plots")).expect("a folder");
    bench.run(&words("merge parts -o one")).ok();
    bench.run(&words(report)).ok();
    let found = bytes(&bench.path("plots"));
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (name, bytes) in &expected {
        assert!(found[name] == *bytes, "{name} differs");
    }
}

#[test]
fn a_shard_that_was_killed_and_begun_again_beside_a_copy_counts_once() {
    let bench = bench_with(SLOW);
    // Killed after its first rows, as a lost node is.
    let mut killed = bench.start(&words("run parts.toml --quiet --shard 1/2 --out parts/1/a"));
    let results = ResultsDir::new(bench.path("parts/1/a/parts"));
    wait_for(60, || !results.read_runs().unwrap_or_default().is_empty());
    killed.kill().expect("it can be killed");
    killed.wait().expect("our own child");
    assert_eq!(bench.survivors(), [""; 0]);
    let before = rows(&bench, "parts/1/a/parts").len();
    assert!((1..SLOW_RUNS / 2).contains(&before), "{before} rows");
    let ran = bench.run(&words("merge parts -o merged")).ok();
    let missing = format!(
        "MISSING: {} runs: 4 of instances that no session has begun with, {} of shard 1/2\n",
        8 - before,
        4 - before
    );
    assert!(ran.out.contains(&missing), "{missing}{ran:?}");
    // It is begun again while the copy that was taken for dead goes on.
    let copy = bench.start(&words("run parts.toml --quiet --shard 1/2 --out parts/1/b"));
    let dry = bench.run(&words("run parts.toml --dry-run --shard 1/2 --done parts/1/a")).ok();
    assert!(dry.out.contains(&format!("\n{before} of 4 runs done already, {} left, ", 4 - before)), "{dry:?}");
    let again = bench.run(&words("run parts.toml --quiet --shard 1/2 --done parts/1/a --out parts/1/c")).ok();
    assert!(again.out.starts_with(&format!("{} runs in ", 4 - before)), "{again:?}");
    assert!(again.out.contains(&format!("{before} of earlier sessions kept")), "{again:?}");
    assert_eq!(copy.wait_with_output().expect("it ends").status.code(), Some(0));

    // What is there of a plan can be merged at any time. Half a row is of a session that is writing it.
    let sound = bench.read("parts/1/c/parts/runs.csv");
    bench.write("parts/1/c/parts/runs.csv", &format!("{sound}6,0123"));
    let some = bench.run(&words("merge parts -o merged")).ok();
    assert!(some.out.starts_with("merged/parts: 4 of 8 planned runs are done\n"), "{some:?}");
    assert!(some.out.contains("rows not kept: 4 of runs that another row is kept of\n"), "{some:?}");
    assert!(some.out.contains("MISSING: 4 runs: 4 of instances that no session has begun with\n"), "{some:?}");
    let planned = ResultsDir::new(bench.path("merged/parts")).read_plan().expect("a plan");
    let merged = rows(&bench, "merged/parts");
    let named = planned.iter().filter(|row| !merged.contains_key(&row.run_id));
    assert!(named.clone().count() == 4 && named.clone().all(|row| some.out.contains(&row.run_id)), "{some:?}");

    bench.write("parts/1/c/parts/runs.csv", &sound);
    bench.run(&words("run parts.toml --quiet --shard 2/2 --out parts/2/a")).ok();
    let all = bench.run(&words("merge parts -o merged")).ok();
    assert!(all.out.starts_with("merged/parts: 8 of 8 planned runs are done\n"), "{all:?}");
    assert_eq!(rows(&bench, "merged/parts").len(), SLOW_RUNS);
    bench.run(&words("run parts.toml --quiet --out whole")).ok();
    assert_eq!(findings(&bench, "merged/parts"), findings(&bench, "whole/parts"));
    // Of two copies the one that began first counts.
    let others = ["parts/1/a/parts", "parts/1/c/parts"].map(|dir| rows(&bench, dir));
    for (run_id, copy) in rows(&bench, "parts/1/b/parts") {
        let other = others.iter().find_map(|rows| rows.get(&run_id)).expect("a row");
        let first = if other.started_at <= copy.started_at { other } else { &copy };
        assert_eq!(rows(&bench, "merged/parts")[&run_id], *first);
    }
}

#[test]
fn an_attempt_that_was_interrupted_counts_where_there_is_no_other() {
    let bench = bench_with(SLOW);
    let interrupted = bench.start(&words("run parts.toml --quiet --out a"));
    let results = ResultsDir::new(bench.path("a/parts"));
    wait_for(60, || !results.read_runs().unwrap_or_default().is_empty());
    send("TERM", interrupted.id());
    assert_eq!(interrupted.wait_with_output().expect("it ends").status.code(), Some(130));
    let of_status = |dir: &str, status| rows(&bench, dir).values().filter(|row| row.status == status).count();
    assert_eq!(of_status("a/parts", Status::Interrupted), 1);
    let ended = of_status("a/parts", Status::Optimal) + of_status("a/parts", Status::Infeasible);
    let ran = bench.run(&words("merge a -o merged")).ok();
    assert!(ran.out.contains(&format!("MISSING: {} runs: ", SLOW_RUNS - ended)), "{ran:?}");
    assert_eq!(of_status("merged/parts", Status::Interrupted), 1);

    bench.run(&words("run parts.toml --quiet --done a --out b")).ok();
    let ran = bench.run(&words("merge a b -o merged")).ok();
    assert!(ran.out.starts_with("merged/parts: 8 of 8 planned runs are done\n"), "{ran:?}");
    assert!(ran.out.contains("rows not kept: 1 of attempts that did not come to their end\n"), "{ran:?}");
    assert_eq!(of_status("merged/parts", Status::Interrupted), 0);
    assert_eq!(rows(&bench, "merged/parts").values().filter(|row| row.attempt == 2).count(), 1);
}

#[test]
fn what_was_repeated_on_purpose_counts() {
    let bench = bench_with(&SLOW.replace("sleep = 0.25, iterations = 2", "answer = \"timeout\""));
    bench.run(&words("run parts.toml --quiet --out a")).ok();
    let ran = bench.run(&words("run parts.toml --quiet --done a --retry timeout --filter instance=tri --out b")).ok();
    assert!(ran.out.starts_with("2 runs in "), "{ran:?}");
    bench.run(&words("run parts.toml --retry timeout --out c")).refused(&["--resume", "--done"]);
    bench.run(&words("merge b a -o merged")).ok();
    let repeated = |dir: &str| rows(&bench, dir).values().filter(|row| row.attempt == 2).count();
    assert_eq!((rows(&bench, "merged/parts").len(), repeated("merged/parts")), (SLOW_RUNS, 2));
    // Also where an earlier merge knows nothing of it.
    bench.run(&words("merge a -o first")).ok();
    bench.run(&words("merge first merged -o both")).ok();
    assert_eq!((rows(&bench, "both/parts").len(), repeated("both/parts")), (SLOW_RUNS, 2));
}

#[test]
fn a_merge_done_twice_leaves_the_same_bytes() {
    let bench = bench_with(CONFIG);
    run_shards(&bench, 3);
    bench.run(&words("merge parts/1 parts/2 parts/3 -o merged")).ok();
    let once = bytes(&bench.path("merged"));
    assert!(once.keys().any(|name| name.starts_with("parts/solutions/")), "{:?}", once.keys());
    for again in ["merge parts/1 parts/2 parts/3 -o merged", "merge parts/3 parts/1 parts -o merged"] {
        bench.run(&words(again)).ok();
        assert!(bytes(&bench.path("merged")) == once, "{again}");
    }
    // What it made is no source of it, and may be one of another.
    fs::rename(bench.path("merged"), bench.path("parts/merged")).expect("renamed");
    bench.run(&words("merge parts -o parts/merged")).ok();
    assert!(bytes(&bench.path("parts/merged")) == once);
    let ran = bench.run(&words("merge parts -o other")).ok();
    assert!(ran.out.contains("rows not kept: 20 of runs that another row is kept of\n"), "{ran:?}");
    assert_eq!(findings(&bench, "other/parts"), findings(&bench, "parts/merged/parts"));

    // What no folder has any more is not thrown away.
    let loss = ["parts/merged/parts", "12 ended runs that none of these folders has"];
    for call in ["merge parts/1 -o parts/merged", "merge parts/1 parts/merged -o parts/merged"] {
        bench.run(&words(call)).refused(&loss);
    }
    assert!(bytes(&bench.path("parts/merged")) == once);
    bench.run(&words("merge parts/1 parts/merged -o fresh")).ok();
    assert_eq!(findings(&bench, "fresh/parts"), findings(&bench, "parts/merged/parts"));
    // Attempts that are not kept, and runs that are no longer of the plan, are there all the same.
    let dir = ResultsDir::new(bench.path("parts/1/parts"));
    let mut rows = dir.read_runs().expect("rows");
    rows.push(RunRow { attempt: 2, status: Status::Interrupted, category: Category::Unknown, ..rows[0].clone() });
    write_table(&dir.runs(), rows).expect("rows");
    bench.run(&words("merge parts/1 parts/2 parts/3 -o parts/merged")).ok();
}

#[test]
fn no_measured_folder_is_replaced() {
    let bench = bench_with(CONFIG);
    run_shards(&bench, 2);
    let before = bytes(&bench.path("parts"));
    let refuse = |line: &str, parts: &[&str]| bench.run(&words(line)).refused(parts);
    refuse("merge parts/2 -o parts/1", &["parts/1/parts", "choose another --out"]);
    refuse("merge parts/1 -o parts/1", &["nothing to merge"]);
    refuse("merge parts/1 -o parts.toml", &["parts.toml", "no directory"]);
    refuse("merge parts/1 parts/3 -o merged", &["parts/3", "no such folder"]);
    fs::create_dir(bench.path("empty")).expect("a folder");
    refuse("merge parts/1 empty -o merged", &["empty", "manifest.json"]);
    assert!(bytes(&bench.path("parts")) == before && !bench.path("merged").exists());

    // A merge in which somebody measures on is measured, too, and a source like any other.
    bench.run(&words("merge parts/1 -o merged")).ok();
    let ran = bench.run(&words("run parts.toml --quiet --resume --out merged")).ok();
    assert!(!ran.out.starts_with("0 runs") && !ran.out.starts_with("20 runs"), "{ran:?}");
    let measured = bytes(&bench.path("merged"));
    refuse("merge parts -o merged", &["merged/parts", "measured", "choose another --out"]);
    assert!(bytes(&bench.path("merged")) == measured);
    let ran = bench.run(&words("merge merged -o all")).ok();
    assert!(ran.out.starts_with("all/parts: 20 of 20 planned runs are done\n"), "{ran:?}");

    // Where nothing was left to measure, it is still a merge.
    let ran = bench.run(&words("run parts.toml --quiet --resume --out all")).ok();
    assert!(ran.out.starts_with("0 runs"), "{ran:?}");
    bench.run(&words("merge merged -o all")).ok();

    // Of several experiments none is written if one is refused.
    bench.write("zoo.toml", &CONFIG.replacen("experiment = \"parts\"", "experiment = \"zoo\"", 1));
    bench.run(&words("run zoo.toml --quiet --out merged")).ok();
    bench.run(&words("run zoo.toml --quiet --out both")).ok();
    refuse("merge merged -o both", &["both/zoo", "measured"]);
    assert!(!bench.path("both/parts").exists());
}

#[test]
fn results_of_different_plans_or_boards_are_not_merged() {
    let bench = bench_with(CONFIG);
    run_shards(&bench, 2);
    bench.write("parts.toml", &CONFIG.replace("seeds = [1, 2]", "seeds = [1, 2, 3]"));
    bench.run(&words("run parts.toml --quiet --shard 1/2 --out more")).ok();
    bench.run(&words("merge parts more -o merged")).refused(&["more/parts", "parts/1/parts", "one plan"]);
    bench.write("parts.toml", &CONFIG.replace("seeds = [1, 2]", "seeds = [1]"));
    bench.run(&words("run parts.toml --quiet --resume --out more")).ok();
    let ran = bench.run(&words("merge more -o fewer")).ok();
    assert!(ran.out.starts_with("fewer/parts: 10 of 10 planned runs are done\n"), "{ran:?}");
    assert!(ran.out.contains(" of runs that are not of the plan\n"), "{ran:?}");
    let file = fs::read_dir(bench.path("parts/1/parts/instances")).expect("a folder").next().expect("an instance");
    let path = file.expect("an entry").path();
    let text = fs::read_to_string(&path).expect("an instance");
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    bench.write(&format!("parts/2/parts/instances/{name}"), &format!("{text}# another\n"));
    bench.run(&words("merge parts -o merged")).refused(&["parts/2/parts/instances", &name, "parts/1/parts"]);
    assert!(!bench.path("merged").exists());
    // Rows that do not fit are met while they are copied.
    bench.write(&format!("parts/2/parts/instances/{name}"), &text);
    let solves = bench.read("parts/2/parts/iterations.csv");
    bench.write("parts/2/parts/iterations.csv", &format!("{solves}no row\n"));
    bench.run(&words("merge parts -o merged")).refused(&["parts/2/parts/iterations.csv, line "]);
    assert!(!bench.path("merged").exists());
}

#[test]
fn contradictions_and_wrong_answers_across_folders_end_with_one() {
    let solvers = "[[solver]]\nname = \"mock\"\n\n[[solver]]\nname = \"mock\"\nlabel = \"liar\"\noptions = { answer = \"infeasible\" }\n";
    let (head, _) = SLOW.split_once("[[solver]]").expect("a solver");
    let bench = bench_with(&format!("{head}{solvers}"));
    bench.write("tri.toml", &TRIANGLE.replace("\"solvable\"", "\"unknown\""));
    for solver in ["mock", "liar"] {
        let line = format!("run parts.toml --quiet --filter solver={solver} --filter instance=tri --out {solver}");
        bench.run(&words(&line)).ok();
    }
    let ran = bench.run(&words("merge mock liar -o merged"));
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("CONTRADICTIONS: 1 instance\n  tri ["), "{ran:?}");
    assert!(
        ran.out.contains("solved by parts tri colour mock") && ran.out.contains("infeasible by parts tri"),
        "{ran:?}"
    );

    bench.write("tri.toml", TRIANGLE);
    let wrong = bench.run(&words("run parts.toml --quiet --filter solver=liar --filter instance=tri --out wrong"));
    assert_eq!(wrong.code, 1, "{wrong:?}");
    let ran = bench.run(&words("merge wrong -o wrongs"));
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("WRONG ANSWERS: 2"), "{ran:?}");
    assert!(rows(&bench, "wrongs/parts").values().all(|row| row.category == Category::Wrong));

    // Also where another row of the run is kept.
    bench.run(&words("run parts.toml --quiet --filter solver=mock --filter instance=tri --out right")).ok();
    bench.run(&words("run parts.toml --quiet --filter solver=mock --filter instance=tri --out later")).ok();
    let dir = ResultsDir::new(bench.path("later/parts"));
    let doctored = dir.read_runs().expect("rows").into_iter().map(|row| RunRow { category: Category::Wrong, ..row });
    write_table(&dir.runs(), doctored).expect("rows");
    for folders in ["right later", "later right"] {
        let ran = bench.run(&words(&format!("merge {folders} -o both")));
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(ran.out.contains("WRONG ANSWERS: 2, see"), "{ran:?}");
        assert!(rows(&bench, "both/parts").values().all(|row| row.category == Category::Correct));
    }
}

#[test]
fn a_merge_of_merges_does_not_blame_a_shard() {
    let bench = bench_with(CONFIG);
    run_shards(&bench, 3);
    fs::remove_dir_all(bench.path("parts/3")).expect("the third");
    bench.run(&words("merge parts -o once")).ok();
    let ran = bench.run(&words("merge once -o twice")).ok();
    let missing = ran.out.lines().find(|line| line.starts_with("MISSING: ")).expect("some are missing");
    assert!(
        !missing.contains("shard") && missing.ends_with(" of instances that no session has begun with"),
        "{missing}"
    );
    // Runs of an instance that was measured, in the place of one that was merged.
    fs::write(bench.path("once/parts/runs.csv"), bench.read("once/parts/runs.csv").lines().next().expect("a header"))
        .expect("no rows");
    let ran = bench.run(&words("merge once -o thrice")).ok();
    assert!(ran.out.contains(" of results that were merged before"), "{ran:?}");
    let ran = bench.run(&words("merge once parts/1 -o fourth")).ok();
    assert!(!ran.out.contains(" of shard 2/3"), "{ran:?}");
}

#[test]
fn links_to_results_are_followed_and_a_merge_that_was_killed_is_no_measurement() {
    let bench = bench_with(CONFIG);
    run_shards(&bench, 1);
    fs::create_dir(bench.path("links")).expect("a folder");
    symlink("../parts/1/parts", bench.path("links/parts")).expect("a link");
    symlink("..", bench.path("links/up")).expect("a link in a circle");
    fs::create_dir_all(bench.path("all/parts")).expect("a folder");
    bench.write("all/parts/.lock", "");
    bench.write("all/parts/.draft-Ab3dEf", "half");
    let ran = bench.run(&words("merge links -o all")).ok();
    assert!(ran.out.starts_with("all/parts: 20 of 20 planned runs are done\n"), "{ran:?}");
    assert!(!bench.path("all/parts/.draft-Ab3dEf").exists());
    let ran = bench.run(&words("run parts.toml --quiet --done links --out rest")).ok();
    assert!(ran.out.starts_with("0 runs"), "{ran:?}");
}

#[test]
fn a_merge_that_is_killed_leaves_no_rows_beside_files_of_others() {
    const ROUNDS: u32 = 40;
    let bench = bench_with(CONFIG);
    run_shards(&bench, 2);
    // All once more, with other solutions.
    let again = ResultsDir::new(bench.path("again/parts"));
    bench.run(&words("merge parts -o again")).ok();
    let rows = again.read_runs().expect("rows").into_iter().map(|row| RunRow { attempt: 2, ..row });
    write_table(&again.runs(), rows).expect("rows");
    let solves = again.read_iterations().expect("rows").into_iter().map(|row| IterationRow { attempt: 2, ..row });
    write_table(&again.iterations(), solves).expect("rows");
    for (path, text) in bytes(&again.root().join("solutions")) {
        let path = again.root().join("solutions").join(path);
        fs::remove_file(&path).expect("a link");
        fs::write(path, [b"\n".as_slice(), &text].concat()).expect("a file");
    }

    let out = ResultsDir::new(bench.path("all/parts"));
    let start = Instant::now();
    bench.run(&words("merge parts -o all")).ok();
    let whole = start.elapsed();
    let mut left = BTreeSet::new();
    for round in 0..ROUNDS {
        let from = if round % 2 == 0 { "again" } else { "parts" };
        let mut merge = bench.start(&words(&format!("merge {from} -o all")));
        thread::sleep(whole * 2 * round / ROUNDS);
        merge.kill().expect("our own child");
        merge.wait().expect("our own child");
        if !out.runs().is_file() {
            continue;
        }
        let rows = out.read_runs().expect("sound rows");
        left.insert(rows[0].attempt);
        let solutions = bytes(&out.root().join("solutions"));
        for row in rows.iter().filter(|row| row.status.has_solution()) {
            let mut own = solutions.iter().filter(|(name, _)| name.starts_with(&row.run_id)).peekable();
            assert!(own.peek().is_some(), "round {round}: {} has no solution", row.run_id);
            assert!(own.all(|(_, text)| text.starts_with(b"\n") == (row.attempt == 2)), "round {round}");
        }
        let of = |row: &IterationRow| (row.run_id.clone(), row.attempt);
        let of_solves: BTreeSet<_> = out.read_iterations().expect("rows").iter().map(of).collect();
        let of_rows: BTreeSet<_> = rows.into_iter().map(|row| (row.run_id, row.attempt)).collect();
        assert_eq!(of_solves, of_rows, "round {round}");
    }
    assert_eq!(left.len(), 2, "none was killed before the rows went, or none after they came back");
    let ran = bench.run(&words("merge parts -o all")).ok();
    assert!(ran.out.starts_with("all/parts: 20 of 20 planned runs are done\n"), "{ran:?}");
}

#[test]
fn nobody_takes_a_merge_that_was_interrupted_for_empty() {
    let bench = bench_with(CONFIG);
    run_shards(&bench, 2);
    bench.run(&words("merge parts -o parts/all")).ok();
    let whole = bytes(&bench.path("parts/all"));
    fs::remove_file(bench.path("parts/all/parts/runs.csv")).expect("rows");
    for call in [
        "run parts.toml --resume --out parts/all",
        "run parts.toml --out parts/all",
        "report parts/all -o page",
        "merge parts -o all",
    ] {
        bench.run(&words(call)).refused(&["parts/all/parts", "a merge was interrupted here"]);
    }
    // Where others stand beside it, they count.
    let listed = bench.run(&words("list results parts")).ok();
    assert!(listed.out.contains("parts/1") && listed.err.contains("a merge was interrupted here"), "{listed:?}");
    let planned = bench.run(&words("run parts.toml --dry-run --done parts --out rest")).ok();
    let said =
        ["note: passed over", "parts/all/parts: a merge was interrupted here", "\n20 of 20 runs done already, 0 left"];
    assert!(said.iter().all(|words| planned.out.contains(words)), "{planned:?}");
    let planned = bench.run(&words("run parts.toml --dry-run --done parts/all --out rest")).ok();
    assert!(planned.out.contains("\n0 of 20 runs done already, 20 left"), "{planned:?}");
    bench.run(&words("merge parts/all parts/1 parts/2 -o parts/all")).ok();
    assert!(bytes(&bench.path("parts/all")) == whole);
}

#[test]
fn links_to_files_of_a_merge_stay_and_folders_in_it_too() {
    let bench = bench_with(CONFIG);
    run_shards(&bench, 2);
    bench.run(&words("merge parts/1 -o all")).ok();
    fs::rename(bench.path("all/parts/runs.csv"), bench.path("elsewhere.csv")).expect("renamed");
    symlink("../../elsewhere.csv", bench.path("all/parts/runs.csv")).expect("a link");
    fs::create_dir(bench.path("all/parts/logs/own")).expect("a folder");
    bench.run(&words("merge parts -o all")).ok();
    assert!(bench.path("all/parts/runs.csv").is_symlink() && bench.path("all/parts/logs/own").is_dir());
    let rows = ResultsDir::new(bench.path("all/parts")).read_runs().expect("rows");
    assert_eq!(rows.len(), 20);
}

#[test]
fn a_limit_on_the_size_of_files_is_like_a_full_disk() {
    let bench = bench_with(CONFIG);
    run_shards(&bench, 1);
    // Blocks of 512 bytes.
    let merge = Command::new("sh")
        .args(["-c", "ulimit -f 8; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_tilebench")])
        .args(words("merge parts -o all"))
        .current_dir(bench.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let ran = Ran::of(merge.expect("a shell"));
    assert!(ran.code == 3 && ran.err.contains("File too large"), "{ran:?}");
    bench.run(&words("merge parts -o all")).ok();
}

#[test]
fn rows_without_a_manifest_stop_a_merge_only() {
    let bench = bench_with(CONFIG);
    run_shards(&bench, 2);
    fs::remove_file(bench.path("parts/2/parts/manifest.json")).expect("a manifest");
    bench.run(&words("merge parts -o all")).refused(&["parts/2/parts/runs.csv", "manifest.json"]);
    assert!(!bench.path("all").exists());
    bench.run(&words("run parts.toml --dry-run --done parts --out rest")).ok();
    bench.run(&words("list results parts")).ok();
}

#[test]
fn a_refused_merge_leaves_nothing() {
    let bench = bench_with(CONFIG);
    run_shards(&bench, 2);
    bench
        .run(&words("merge parts -o parts/1/parts/all"))
        .refused(&["results of another experiment cannot be in these"]);
    let runs = bench.path("parts/2/parts/runs.csv");
    let damaged = bench.read("parts/2/parts/runs.csv").replacen(",optimal,", ",great,", 1);
    fs::write(&runs, damaged).expect("a file");
    bench.run(&words("merge parts -o all")).refused(&["parts/2/parts/runs.csv, line"]);
    assert!(!bench.path("all").exists());
    fs::remove_file(&runs).expect("a file");
    bench.run(&words("merge parts -o all")).refused(&["parts/2/parts/runs.csv: this file is missing"]);
    let listed = bench.run(&words("list results parts")).ok();
    assert!(listed.out.contains("parts/1") && listed.err.contains("runs.csv: this file is missing"), "{listed:?}");
}

#[test]
fn results_with_another_file_of_an_instance_are_not_taken_over() {
    let bench = bench_with(CONFIG);
    run_shards(&bench, 1);
    let dry_run = words("run parts.toml --dry-run --done parts --out rest");
    assert!(bench.run(&dry_run).ok().out.contains("\n20 of 20 runs done already, 0 left"));
    let text = fs::read_to_string(bench.path("tri.toml")).expect("a file").replace("\"solvable\"", "\"unknown\"");
    bench.write("tri.toml", &text);
    let ran = bench.run(&dry_run).ok();
    assert!(
        ran.out.contains("\n0 of 20 runs done already")
            && ran.out.contains("its file of instance tri is another one than"),
        "{ran:?}"
    );
}

#[test]
fn failed_runs_of_shards_end_with_one() {
    let bench = bench_with(&SLOW.replace("sleep = 0.25, iterations = 2", "fault = \"crash\""));
    let ran = bench.run(&words("run parts.toml --quiet --out part"));
    assert_eq!(ran.code, 1, "{ran:?}");
    let ran = bench.run(&words("merge part -o all"));
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.starts_with("all/parts: 8 of 8 planned runs are done, 8 failed\n"), "{ran:?}");
    assert!(ran.out.contains("\nFAILED: 8 runs, "), "{ran:?}");
}

#[test]
fn a_shard_can_be_empty_and_must_make_sense() {
    let bench = bench_with(CONFIG);
    for wrong in ["0/2", "3/2", "2", "x/y"] {
        bench.run(&words(&format!("run parts.toml --out out --shard {wrong}"))).refused(&["--shard", "I/N"]);
    }
    bench.run(&words("run parts.toml --out out --done nowhere")).refused(&["--done nowhere", "no such folder"]);
    bench.run(&words("run parts.toml --out out --shard 1/2 --filter seed=7")).refused(&["no run passes"]);
    assert!(!bench.path("out").exists());
    let dry = bench.run(&words("run parts.toml --dry-run --shard 2/5")).ok();
    assert!(dry.out.starts_with("parts: Parts, shard 2/5\n") && dry.out.contains("\n4 runs, 1 at a time"), "{dry:?}");
    let dry = bench.run(&words("run parts.toml --dry-run --shard 6/6")).ok();
    assert!(dry.out.contains("shard 6/6 of parts has no runs to do") && dry.out.contains("5 instances"), "{dry:?}");
    let ran = bench.run(&words("run parts.toml --quiet --shard 6/6 --out out")).ok();
    assert!(ran.out.contains("shard 6/6 of parts has no runs to do"), "{ran:?}");
    let ran = bench.run(&words("merge out -o merged")).ok();
    assert!(ran.out.starts_with("merged/parts: 0 of 20 planned runs are done\n"), "{ran:?}");
}
