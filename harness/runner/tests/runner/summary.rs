//! What is said before and after a session: counts, failed runs, warnings, what to do next.

use std::fs;

use record::Category;

use crate::support::{Bench, CONFIG, STARTED, answer, broken_solution, of_all_sorts, say, solving};

fn last_line(text: &str) -> &str {
    text.lines().last().expect("a line")
}

#[test]
fn a_preview_says_what_is_left_and_its_limits() {
    let mut bench = Bench::new(6);
    assert_eq!(last_line(&bench.preview()), "6 runs, 1 at a time: at most about 2 min");
    assert!(!bench.results().root().exists(), "nothing is written");

    bench.filter(&["seed=1"]);
    bench.run(&solving()).expect("a session");
    bench.filter(&[]);
    bench.options.resume = true;
    bench.options.jobs = 2;
    assert_eq!(last_line(&bench.preview()), "1 of 6 runs done already, 5 left, 2 at a time: at most about 1 min");

    // A session that is writing just now, or was killed, leaves half a row.
    let rows = fs::read_to_string(bench.results().runs()).expect("rows");
    fs::write(bench.results().runs(), format!("{rows}3,012345")).expect("a file can be written");
    assert!(last_line(&bench.preview()).starts_with("1 of 6 runs done already"), "{}", bench.preview());
    bench.run(&solving()).expect("a session");
    assert_eq!(last_line(&bench.preview()), "6 of 6 runs done already, 0 left");
}

#[test]
fn a_summary_counts_names_and_says_what_to_do() {
    let two =
        CONFIG.replacen("\"fake\"", "\"fake\"\n[[solver]]\nname = \"fake\"\nlabel = \"other\"\noptions = { n = 1 }", 1);
    let mut bench = Bench::with(&two.replacen("title", "seeds = [1, 2, 3]\ntitle", 1));
    let summary = bench.run(&of_all_sorts()).expect("a session");
    let text = summary.to_string();
    assert!(text.starts_with("6 runs in ") && text.contains(", 2 WRONG, 2 failed\n"), "{text}");
    for line in [
        "solver  status   correct  WRONG  unknown  error",
        "all     optimal  2        2      -        -",
        "all     error    -        -      -        2",
        "fake    optimal  1        1      -        -",
        "other   error    -        -      -        1",
    ] {
        assert!(text.lines().any(|shown| shown == line), "{line}: {text}");
    }
    let failed = &summary.failed[0];
    assert!(text.contains(&format!("exit code 3; no licence; log: {}", failed.log.display())), "{text}");
    assert_eq!(fs::read_to_string(&failed.log).expect("a log"), "no licence\n");
    assert!(text.contains("  finished runs are not repeated; --resume --retry error does\n"), "{text}");
    let root = bench.results().root().display().to_string();
    assert_eq!(last_line(&text), format!("next: tilebench report {root} -o plots/out-test"));
    let wrong = &summary.wrong[0].run_id;
    let command = format!("    see: tilebench verify {root}/instances/tri.toml {root}/solutions/{wrong}.0.json\n");
    assert!(text.contains(&command), "{command}{text}");

    // With one solver there is no column for it.
    bench = Bench::new(2);
    let text = bench.run(&solving()).expect("a session").to_string();
    assert!(
        text.contains("\nstatus   correct  WRONG  unknown  error\noptimal  2        -      -        -\n"),
        "{text}"
    );
}

#[test]
fn a_summary_does_not_grow_with_the_rows() {
    let bench = Bench::new(60);
    let summary = bench.run(&say(&[STARTED, &answer("optimal", Some(&broken_solution()))])).expect("a session");
    assert_eq!((summary.wrong_rows, summary.wrong.len()), (60, 20));
    assert_eq!(summary.of_category(Category::Wrong), 60);
    assert!(
        summary.to_string().contains("WRONG ANSWERS: 60") && summary.to_string().contains("and 40 more"),
        "{summary}"
    );
}

#[test]
fn rows_of_another_machine_are_told_of() {
    let mut bench = Bench::new(3);
    // Whoever else has the cores is another matter.
    bench.options.places.pin = false;
    bench.filter(&["seed=1"]);
    assert_eq!(bench.run(&solving()).expect("a session").warnings, [] as [String; 0]);
    let mut manifest = bench.results().read_manifest().expect("a manifest");
    manifest.sessions[0].host.host = "elsewhere".to_owned();
    let text = serde_json::to_string(&manifest).expect("a manifest");
    fs::write(bench.results().manifest(), text).expect("a file can be written");
    bench.filter(&[]);
    bench.options.resume = true;
    bench.options.jobs = 2;
    let summary = bench.run(&solving()).expect("a session");
    assert_eq!(summary.warnings.len(), 2, "{summary}");
    assert!(summary.to_string().contains("warning: earlier rows come from another machine (elsewhere, "), "{summary}");
    assert!(summary.warnings[1].contains("1 run at a time, those of this session with 2 runs"), "{summary}");
}

#[test]
fn lost_runs_hinder_no_report() {
    let bench = Bench::new(2);
    let script =
        format!("job=$(cat); case $job in *'\"seed\":2,'*) exit;; esac\n{}", say(&[STARTED, &answer("timeout", None)]));
    let text = bench.run(&script).expect("a session").to_string();
    assert!(text.contains("1 of 2 runs are done, 1 was lost; the same command with --resume goes on\n"), "{text}");
    assert!(!text.contains("--retry") && last_line(&text).starts_with("next: tilebench report "), "{text}");

    let bench = Bench::with(&CONFIG.replacen("\"fake\"", "\"fake\"\n[[solver]]\nname = \"gone\"", 1));
    let text = bench.run("exit 3").expect("a session").to_string();
    assert!(text.lines().next().is_some_and(|line| line.ends_with(", 1 failed, 1 unsupported")), "{text}");
}

#[test]
fn what_is_unsupported_is_no_error_and_its_remedy_is_told_to_the_end() {
    let one = CONFIG.replacen("\"fake\"", "\"gone\"", 1);
    let two = format!("{one}\n[[formulation]]\nname = \"C1-C5\"\nfamilies = \"C1 C2 C3 C4 C5\"\n");
    for (config, runs, said) in [(one, "1", "(1 run)"), (two, "2", "(2 runs; reason of the first)")] {
        let bench = Bench::with(&config);
        let plans = bench.plan_where(|name, _| {
            let message = format!("{name} is not available: {}; install it", "no such program ".repeat(50));
            Err(runner::Unavailable { lack: runner::Lack::Solver, message })
        });
        let summary = runner::run(plans.expect("a plan"), &bench.out(), &bench.options, &crate::support::worker(""))
            .expect("a session");
        let text = summary.to_string();
        let row = text.lines().find(|line| line.starts_with("unsupported  ")).expect("a row of the status");
        assert_eq!(row.split_whitespace().collect::<Vec<_>>(), ["unsupported", "-", "-", "-", "-", runs], "{text}");
        let told = text.lines().find(|line| line.starts_with("  gone: ")).expect("why");
        assert!(told.ends_with(&format!("install it {said}")), "{told}");
    }
}

#[test]
fn rows_of_another_build_with_changed_files_are_told_of() {
    let mut bench = Bench::new(2);
    let dirty = format!("{}-dirty", crate::support::COMMIT);
    let script = solving();
    let programs = ["a", "b"].map(|name| bench.folder.path().join(name));
    let shell = fs::read("/bin/sh").expect("a shell");
    for (program, more) in programs.iter().zip([&b""[..], b"\n"]) {
        fs::write(program, [&shell[..], more].concat()).expect("written");
        fs::set_permissions(program, fs::metadata("/bin/sh").expect("a shell").permissions()).expect("a mode");
    }
    let session = |bench: &Bench, program: &std::path::Path| {
        let base = crate::support::worker(&script);
        let worker = runner::Worker { command: program.to_owned(), git_commit: dirty.clone(), ..base };
        runner::run(bench.plan().expect("a plan"), &bench.out(), &bench.options, &worker).expect("a session").warnings
    };
    bench.filter(&["seed=1"]);
    session(&bench, &programs[0]);
    bench.filter(&[]);
    bench.options.resume = true;
    let warnings = session(&bench, &programs[1]);
    assert!(warnings.iter().any(|warning| warning.contains("another build")), "{warnings:?}");
    let sessions = bench.results().read_manifest().expect("a manifest").sessions;
    assert_ne!(sessions[0].program, sessions[1].program);
}
