//! Sessions that end early, and those that go on.

use std::collections::HashSet;
use std::fs;
use std::fs::OpenOptions;
use std::io::Write;
use std::thread;

use record::{Category, RunRow, Status, write_table};
use runner::Retry;

use crate::support::{
    Bench, COMMIT, CONFIG, STARTED, answer, instance_text, of_all_sorts, say, solution, solving, wait_for, worker,
};

/// Run ids of the plan; every one of them has just one row that is final.
fn assert_complete(bench: &Bench) {
    let planned: HashSet<String> =
        bench.plan().expect("a sound plan")[0].runs().map(|run| run.run_id.to_string()).collect();
    let rows = bench.rows();
    let final_ids: Vec<&String> = rows.iter().filter(|r| r.status.is_final()).map(|r| &r.run_id).collect();
    assert_eq!(final_ids.len(), planned.len());
    assert_eq!(final_ids.into_iter().cloned().collect::<HashSet<_>>(), planned);
}

#[test]
fn rows_are_never_overwritten_without_resume() {
    let bench = Bench::new(2);
    bench.run(&solving()).expect("a session");
    let error = bench.run(&solving()).expect_err("rows are there").to_string();
    assert!(error.contains("every run that is asked for"), "{error}");

    let more = Bench::new(3).plan().expect("a sound plan");
    let error =
        runner::run(more, &bench.out(), &bench.options, &worker(&solving())).expect_err("rows are there").to_string();
    assert!(error.contains("--resume"), "{error}");
}

#[test]
fn rows_of_which_a_file_is_missing_are_not_added_to() {
    for (lost, resume) in [("iterations.csv", true), ("runs.csv", true), ("runs.csv", false)] {
        let mut bench = Bench::new(2);
        bench.run(&solving()).expect("a session");
        bench.options.resume = resume;
        let lost = bench.results().root().join(lost);
        fs::remove_file(&lost).expect("a file");
        let error = bench.run(&solving()).expect_err("rows are missing").to_string();
        assert!(error.contains(&format!("{}: this file is missing", lost.display())), "{error}");
        assert!(!lost.exists());
    }
}

/// Before anything is changed, the mark of a merge among it.
#[test]
fn rows_of_a_newer_version_are_not_added_to() {
    let mut bench = Bench::new(2);
    bench.run(&solving()).expect("a session");
    let (runs, mark) = (bench.results().runs(), bench.results().merged());
    let text = fs::read_to_string(&runs).expect("rows").replace('\n', ",mood\n");
    fs::write(&runs, &text).expect("written");
    fs::write(&mark, "").expect("written");
    bench.options.resume = true;
    let plan = bench.only();
    let preview = runner::preview(&plan, &bench.out(), &bench.options).expect_err("a newer file").to_string();
    let error = bench.run(&solving()).expect_err("a newer file").to_string();
    assert_eq!(error, preview);
    assert!(error.contains("runs.csv, line 1: columns of a newer tilebench") && error.contains("mood"), "{error}");
    assert!(fs::read_to_string(&runs).expect("rows") == text && mark.exists());
}

#[test]
fn an_interrupted_session_can_be_resumed() {
    let mut bench = Bench::new(6);
    // Solves seeds below 4, hangs on the others.
    let hangs = bench.folder.path().join("hangs");
    let hanging = format!(
        "job=$(cat); case $job in *'\"seed\":'[456],*) : > '{}'; exec sleep 60;; esac\n{}",
        hangs.display(),
        solving()
    );
    bench.options.jobs = 2;
    let interrupt = bench.options.interrupt.clone();
    let summary = thread::scope(|scope| {
        scope.spawn(|| {
            wait_for(|| hangs.exists().then_some(()));
            interrupt.trigger();
        });
        bench.run(&hanging).expect("a session")
    });
    assert!(summary.interrupted && summary.remaining() >= 3, "{summary}");
    assert!(summary.to_string().contains("--resume"), "{summary}");
    let interrupted = bench.rows().iter().filter(|row| row.status == Status::Interrupted).count();
    assert!(interrupted <= 2, "{interrupted} rows");

    bench.options.interrupt = runner::Interrupt::new();
    bench.options.resume = true;
    let resumed = bench.run(&solving()).expect("a session");
    assert_eq!(resumed.skipped + resumed.rows(), 6);
    assert_complete(&bench);
    let again: Vec<u32> = bench.rows().iter().filter(|row| row.attempt == 2).map(|row| row.attempt).collect();
    assert_eq!(again.len(), interrupted);

    let nothing = bench.run(&solving()).expect("a session");
    assert_eq!((nothing.skipped, nothing.rows(), nothing.interrupted), (6, 0, false));
}

#[test]
fn torn_files_and_orphaned_iterations_are_repaired() {
    let mut bench = Bench::new(3);
    bench.run(&solving()).expect("a session");
    let results = bench.results();
    // A crash after the iterations and in the middle of the row of the last run.
    let runs = fs::read_to_string(results.runs()).expect("rows");
    let last = runs.trim_end().rfind('\n').expect("several lines") + 1;
    fs::write(results.runs(), &runs[..last + 30]).expect("a file can be written");
    let mut iterations = OpenOptions::new().append(true).open(results.iterations()).expect("iterations");
    iterations.write_all(b"0123,1,0,\"0.5").expect("a file can be written");
    // A loss of power leaves blocks that were never written, and a draft that has not found its place.
    iterations.write_all(&[0; 5000]).expect("a file can be written");
    fs::write(results.root().join("solutions/.draft-aB3xYz0.json"), "{").expect("a file can be written");

    let error = bench.run(&solving()).expect_err("rows are there").to_string();
    assert!(error.contains("--resume"), "{error}");
    bench.options.resume = true;
    let summary = bench.run(&solving()).expect("a session");
    assert_eq!((summary.skipped, summary.rows()), (2, 1));
    assert_complete(&bench);
    let solves = results.read_iterations().expect("sound rows");
    let distinct: HashSet<_> = solves.iter().map(|s| (&s.run_id, s.attempt, s.solve.iteration)).collect();
    assert_eq!((solves.len(), distinct.len()), (4, 4));
    assert_eq!(bench.rows().last().map(|row| row.attempt), Some(2));
    assert_eq!(fs::read_dir(results.root().join("solutions")).expect("a folder").count(), 3);
}

#[test]
fn failures_and_limits_are_results_and_lost_runs_are_not() {
    let mut bench = Bench::new(2);
    bench.run("exit 3").expect("a session");
    bench.options.resume = true;
    assert_eq!(bench.run(&solving()).expect("a session").skipped, 2);

    let mut lost = Bench::new(2);
    lost.run("true").expect("a session");
    lost.options.resume = true;
    assert_eq!(lost.run(&solving()).expect("a session").rows(), 2);
    assert_complete(&lost);
}

#[test]
fn damage_that_is_no_incomplete_last_row_is_refused_and_kept() {
    let mut bench = Bench::new(3);
    bench.run(&solving()).expect("a session");
    bench.options.resume = true;
    let runs = bench.results().runs();
    let sound = fs::read_to_string(&runs).expect("rows");
    let second = sound.match_indices('\n').nth(1).expect("several lines").0 + 1;
    fs::write(&runs, format!("{}\"{}", &sound[..second], &sound[second..])).expect("a file can be written");
    let error = bench.run(&solving()).expect_err("rows would be lost").to_string();
    assert!(error.contains("runs.csv, line 3"), "{error}");

    let damaged = format!("{sound}half a line\0\nand another\n");
    fs::write(&runs, &damaged).expect("a file can be written");
    let error = bench.run(&solving()).expect_err("no row is written like that").to_string();
    assert!(error.contains("runs.csv, line 5"), "{error}");
    assert_eq!(fs::read_to_string(&runs).expect("rows"), damaged);
}

#[test]
fn a_manifest_that_cannot_be_read_is_not_overwritten() {
    let mut bench = Bench::new(2);
    bench.filter(&["seed=1"]);
    bench.run(&solving()).expect("a session");
    bench.filter(&[]);
    bench.options.resume = true;
    let manifest = bench.results().manifest();
    let text = fs::read_to_string(&manifest).expect("a manifest");
    let half = &text[..text.len() / 2];
    fs::write(&manifest, half).expect("a file can be written");
    let error = bench.run(&solving()).expect_err("its sessions would be forgotten").to_string();
    assert!(error.contains("manifest.json") && error.contains("--out"), "{error}");
    assert_eq!(fs::read_to_string(&manifest).expect("a manifest"), half);
    assert_eq!(bench.rows().len(), 1);
    fs::remove_file(&manifest).expect("a manifest");
    assert_eq!(bench.run(&solving()).expect("a session").rows(), 1);
}

#[test]
fn where_one_config_is_refused_no_other_is_described() {
    let bench = Bench::new(2);
    let mut plans = bench.plan().expect("a sound plan");
    let config = bench.read("config.toml");
    bench.write("config.toml", &config.replace("\"test\"", "\"other\""));
    bench.run(&solving()).expect("a session");
    plans.extend(bench.plan().expect("a sound plan"));
    let error =
        runner::run(plans, &bench.out(), &bench.options, &worker(&solving())).expect_err("rows are there").to_string();
    assert!(error.contains("other") && error.contains("every run that is asked for"), "{error}");
    assert!(!bench.results().manifest().exists(), "a session that never was");
}

#[test]
fn rows_of_a_changed_config_stay() {
    let mut bench = Bench::new(2);
    bench.run(&solving()).expect("a session");
    bench.options.resume = true;
    let text = bench.read("config.toml");
    bench.write("config.toml", &text.replace("20s", "30s"));
    assert_eq!(bench.run(&solving()).expect("a session").rows(), 2);
    assert_eq!(bench.rows().len(), 4);
}

#[test]
fn another_instance_of_the_same_name_is_refused() {
    let mut bench = Bench::new(1);
    bench.run(&solving()).expect("a session");
    bench.options.resume = true;
    let text = bench.read("tri.toml");
    bench.write("tri.toml", &format!("# a remark\n{text}"));
    bench.run(&solving()).expect("a remark makes no other instance");
    bench.write("tri.toml", &text.replace("0, 1]", "1, -1]"));
    let error = bench.run(&solving()).expect_err("another board").to_string();
    assert!(error.contains("another instance named tri") && bench.preview().contains(&error), "{error}");
}

#[test]
fn kept_verdicts_follow_what_is_known_now() {
    let mut bench = Bench::new(2);
    bench.write("tri.toml", &instance_text("unknown"));
    bench.filter(&["seed=1"]);
    bench.run(&solving()).expect("a session");
    bench.filter(&[]);
    bench.options.resume = true;
    bench.run(&say(&[STARTED, &answer("infeasible", None)])).expect("a session");
    let judged = |bench: &Bench| {
        let mut rows = bench.rows();
        rows.sort_by_key(|row| row.seed);
        rows.into_iter().map(|row| (row.category, row.message.unwrap_or_default())).collect::<Vec<_>>()
    };
    let first = judged(&bench);
    assert_eq!(first.iter().map(|(category, _)| *category).collect::<Vec<_>>(), [Category::Correct, Category::Unknown]);

    // Under another name it is still the same puzzle.
    let config = bench.read("config.toml");
    bench.write("other.toml", &instance_text("unsolvable"));
    bench.write("config.toml", &config.replace("tri.toml", "other.toml"));
    let note = "2 verdicts of other judged again, as its file says known = \"unsolvable\" now";
    assert!(bench.preview().contains(&format!("note: {note}\n")), "{}", bench.preview());
    assert_eq!(judged(&bench), first, "nothing was written");
    let summary = bench.run(&solving()).expect("a session");
    assert_eq!((summary.rows(), summary.wrong.len()), (0, 1));
    assert!(summary.warnings.iter().any(|warning| warning == note), "{:?}", summary.warnings);
    let [(solved, message), (infeasible, _)] = &judged(&bench)[..] else { panic!("two rows") };
    assert_eq!((*solved, *infeasible), (Category::Wrong, Category::Correct));
    assert!(message.contains("CONTRADICTION: other is recorded as unsolvable"), "{message}");
    let copy = fs::read_to_string(bench.results().instance("other")).expect("the copy");
    assert_eq!(copy, instance_text("unsolvable"));

    bench.write("other.toml", &instance_text("unknown"));
    bench.run(&solving()).expect("a session");
    assert_eq!(judged(&bench), first, "also under the other name");
    bench.write("config.toml", &config);
    bench.write("tri.toml", &instance_text("solvable"));
    let summary = bench.run(&solving()).expect("a session");
    let [(solved, message), (infeasible, claim)] = &judged(&bench)[..] else { panic!("two rows") };
    assert_eq!((*solved, *infeasible, summary.wrong.len()), (Category::Correct, Category::Wrong, 1));
    assert!(message.is_empty() && claim.contains("tri is recorded as solvable"), "{message} {claim}");

    bench.write("tri.toml", &instance_text("unknown"));
    bench.run(&solving()).expect("a session");
    assert_eq!(judged(&bench), first, "as at first");
    let rows = fs::read(bench.results().runs()).expect("rows");
    let summary = bench.run(&solving()).expect("a session");
    assert!(summary.warnings.is_empty() && fs::read(bench.results().runs()).expect("rows") == rows);
    assert_eq!((summary.skipped, bench.results().read_plan().expect("a plan").len()), (2, 2));

    // A row says that its solution was valid: the file of the solution is not needed.
    bench.write("tri.toml", &instance_text("unsolvable"));
    bench.run(&solving()).expect("a session");
    fs::remove_dir_all(bench.results().root().join("solutions")).expect("removed");
    bench.write("tri.toml", &instance_text("unknown"));
    let warnings = bench.run(&solving()).expect("a session").warnings;
    assert_eq!(warnings, ["2 verdicts of tri judged again, as its file says known = \"unknown\" now"]);
    assert_eq!(judged(&bench), first);
}

#[test]
fn one_puzzle_under_two_names_is_judged_by_the_file_of_each() {
    let config = CONFIG.replace("families", "instances = [\"tri.toml\"]\nfamilies")
        + "\n[[formulation]]\nname = \"D\"\nfamilies = \"C1 C2' C3 C4\"\ninstances = [\"five.toml\"]\n";
    let mut bench = Bench::with(&config);
    bench.write("five.toml", &instance_text("unsolvable"));
    bench.run(&say(&[STARTED, &answer("infeasible", None)])).expect("a session");
    let rows = fs::read(bench.results().runs()).expect("rows");
    bench.options.resume = true;
    // Filters choose what to run, not by which file a row is judged.
    for filter in [&[][..], &["formulation=D"], &["formulation=C1-C4"]] {
        bench.filter(filter);
        bench.run(&solving()).expect("a session");
        assert_eq!(fs::read(bench.results().runs()).expect("rows"), rows, "{filter:?}");
    }
}

#[test]
fn other_remarks_stay_where_a_row_is_judged_again() {
    let mut bench = Bench::new(1);
    bench.run(&format!("{}; exit 7", say(&[STARTED, &answer("optimal", Some(solution()))]))).expect("a session");
    let message = |bench: &Bench| bench.rows().remove(0).message.unwrap_or_default();
    let remark = message(&bench);
    assert!(!remark.is_empty());
    bench.options.resume = true;
    bench.write("tri.toml", &instance_text("unsolvable"));
    bench.run(&solving()).expect("a session");
    assert!(message(&bench).starts_with("CONTRADICTION") && message(&bench).ends_with(&remark), "{}", message(&bench));
    bench.write("tri.toml", &instance_text("solvable"));
    bench.run(&solving()).expect("a session");
    assert_eq!(message(&bench), remark);
}

#[test]
fn a_solution_that_breaks_rules_stays_wrong_whatever_is_known() {
    let mut bench = Bench::new(3);
    bench.write("tri.toml", &instance_text("unsolvable"));
    bench.run(&of_all_sorts()).expect("a session");
    let wrong =
        |bench: &Bench| bench.rows().into_iter().filter(|row| row.category == Category::Wrong).collect::<Vec<_>>();
    assert_eq!(wrong(&bench).len(), 2);
    bench.options.resume = true;
    bench.write("tri.toml", &instance_text("unknown"));
    let summary = bench.run(&of_all_sorts()).expect("a session");
    assert!(summary.warnings.iter().any(|warning| warning.starts_with("1 verdict of tri")), "{:?}", summary.warnings);
    let [broken] = &wrong(&bench)[..] else { panic!("one wrong row") };
    assert!(broken.seed == 3 && broken.message.as_ref().is_some_and(|why| why.contains("breaks rules")), "{broken:?}");
    // Also beside a valid file of a solution, as a later attempt leaves it.
    let solutions = bench.results();
    let valid = bench.rows().into_iter().find(|row| row.is_solved()).expect("a solved row");
    fs::copy(solutions.solution(&valid.run_id, 0), solutions.solution(&broken.run_id, 0)).expect("copied");
    let rows = fs::read(solutions.runs()).expect("rows");
    bench.run(&of_all_sorts()).expect("a session");
    assert_eq!(fs::read(solutions.runs()).expect("rows"), rows);
}

#[test]
fn the_manifest_tells_of_the_machine_that_measured() {
    let mut bench = Bench::new(3);
    bench.filter(&["seed=[12]"]);
    bench.run(&solving()).expect("a session");
    let results = bench.results();
    let manifest = results.read_manifest().expect("a manifest");
    let ids = || results.read_plan().expect("a plan").into_iter().map(|row| row.run_id).collect::<Vec<_>>();
    assert_eq!((manifest.planned, ids().len()), (3, 3), "filters do not shorten the plan");
    let planned: Vec<String> =
        bench.plan().expect("a sound plan")[0].asked().iter().map(|run| run.run_id.to_string()).collect();
    assert_eq!(ids(), planned);
    assert_eq!(manifest.sessions.len(), 1);

    // Nothing is left to be done: no session of its own.
    let before = fs::read(results.manifest()).expect("a manifest");
    bench.options.resume = true;
    bench.options.jobs = 2;
    assert_eq!(bench.run(&solving()).expect("a session").rows(), 0);
    assert_eq!(fs::read(results.manifest()).expect("a manifest"), before, "nothing was done");

    let plan = || fs::metadata(results.plan()).and_then(|file| file.modified()).expect("a plan");
    let written = plan();

    // What the config says is told anew, even then.
    let config = bench.read("config.toml");
    bench.write("config.toml", &config.replace("A test", "Another title"));
    bench.run(&solving()).expect("a session");
    let retitled = results.read_manifest().expect("a manifest");
    assert_eq!(retitled, record::Manifest { title: "Another title".to_owned(), ..manifest });
    assert_eq!(plan(), written, "a plan that is the same is not written anew");

    bench.filter(&[]);
    assert_eq!(bench.run(&solving()).expect("a session").rows(), 1);
    let sessions = results.read_manifest().expect("a manifest").sessions;
    assert_eq!(sessions.iter().map(|s| (s.jobs, s.runs)).collect::<Vec<_>>(), [(1, 2), (1, 1)]);
    assert!(sessions.iter().all(|s| s.git_commit == COMMIT && s.host.cpus > 0 && !s.started_at.is_empty()));
    assert_eq!(ids(), planned);
}

#[test]
fn finished_runs_are_repeated_where_their_status_is_named() {
    let mut bench = Bench::new(3);
    let script = format!(
        "job=$(cat); case $job in *'\"seed\":1,'*) exit 3;; *'\"seed\":2,'*) kill -SEGV $$;; esac\n{}",
        solving()
    );
    bench.run(&script).expect("a session");
    bench.options.resume = true;
    bench.options.retry = vec![Retry::Status(Status::Error)];
    // It fails again, and can be repeated again.
    assert_eq!(bench.run("exit 4").expect("a session").rows(), 1);
    let shown = bench.preview();
    assert!(shown.contains("2 of 3 runs done already, 1 left"), "{shown}");
    let mended = bench.run(&solving()).expect("a session");
    assert_eq!((mended.skipped, mended.rows()), (2, 1));
    let of_seed = |seed| {
        let rows = bench.rows().into_iter().filter(|row| row.seed == seed);
        rows.map(|row| (row.attempt, row.status)).collect::<Vec<_>>()
    };
    assert_eq!(of_seed(1), [(1, Status::Error), (2, Status::Error), (3, Status::Optimal)]);
    assert_eq!((of_seed(2), of_seed(3)), (vec![(1, Status::Crash)], vec![(1, Status::Optimal)]));
    assert_eq!(bench.run("exit 5").expect("a session").rows(), 0, "what is mended stays");
    bench.options.retry = vec![Retry::Status(Status::Crash)];
    assert_eq!(bench.run(&solving()).expect("a session").rows(), 1);
}

#[test]
fn rows_that_stand_there_twice_are_refused_whatever_their_order() {
    let mut bench = Bench::new(1);
    bench.run(&solving()).expect("a session");
    let [row] = &bench.rows()[..] else { panic!("one row") };
    let rows = [1, 2, 1].map(|attempt| RunRow { attempt, ..row.clone() });
    write_table(&bench.results().runs(), rows).expect("written");
    bench.options.resume = true;
    let error = bench.run(&solving()).expect_err("a row twice").to_string();
    assert!(error.contains("line 4") && error.contains("attempt 1 stands here a second time"), "{error}");
}

/// Changes the rows of a bench as another session might have left them.
fn change_rows(bench: &Bench, change: impl FnMut(RunRow) -> RunRow) {
    write_table(&bench.results().runs(), bench.rows().into_iter().map(change)).expect("rows can be written");
}

/// What a solver calls a solution and is none is an error by its status, and an answer.
#[test]
fn wrong_answers_are_not_repeated_whatever_their_status() {
    let mut bench = Bench::new(2);
    bench.run("exit 3").expect("a session");
    change_rows(&bench, |row| match row.seed {
        1 => RunRow { category: Category::Wrong, ..row },
        _ => row,
    });
    (bench.options.resume, bench.options.retry) = (true, vec![Retry::Status(Status::Error)]);
    assert_eq!(bench.run(&solving()).expect("a session").rows(), 1);
    assert_eq!(bench.rows().last().map(|row| row.seed), Some(2));
}

#[test]
fn runs_of_another_version_of_the_solver_are_told_and_repeated_on_request() {
    let mut bench = Bench::new(4);
    bench.run(&solving()).expect("a session");
    let of_seed = ["0.8", "0.9", "", "1.0"];
    let version = |row: &RunRow| of_seed[usize::try_from(row.seed).expect("small") - 1].to_owned();
    change_rows(&bench, |row| RunRow { solver_version: version(&row), ..row });
    bench.options.resume = true;
    let note =
        "2 runs were measured with fake 0.8 and 0.9, and 1.0 is here; they are kept (--retry outdated repeats them)";
    let shown = bench.preview();
    assert!(shown.contains(&format!("note: {note}\n4 of 4 runs done already, 0 left")), "{shown}");
    let kept = bench.run(&solving()).expect("a session");
    assert_eq!((kept.rows(), kept.warnings.as_slice()), (0, [note.to_owned()].as_slice()));

    bench.options.retry = vec!["outdated".parse().expect("a word")];
    let shown = bench.preview();
    assert!(shown.contains("2 of 4 runs done already, 2 left") && !shown.contains("outdated"), "{shown}");
    let repeated = bench.run(&solving()).expect("a session");
    assert_eq!((repeated.skipped, repeated.rows(), repeated.warnings.len()), (2, 2, 0));
    let again: HashSet<u64> = bench.rows().iter().filter(|row| row.attempt == 2).map(|row| row.seed).collect();
    assert_eq!(again, HashSet::from([1, 2]));
    assert_eq!(bench.run(&solving()).expect("a session").rows(), 0, "the latest attempt counts");
}
