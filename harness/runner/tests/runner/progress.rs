//! What a session says while it goes on. It says it on standard error, so each is a process of its own.

use std::process::Stdio;
use std::time::Duration;

use crate::support::{
    BUILT, Bench, STARTED, answer, instance_text, iteration, of_all_sorts, say, solving, this_program,
};

/// A session that shows progress as the folder says. Its worker is the script there.
#[test]
#[ignore = "started by the other tests of this file"]
fn session() {
    let Some(mut bench) = Bench::of_parent() else { return };
    bench.options.quiet = bench.says("quiet");
    // Whoever else has the cores is another matter.
    bench.options.places.pin = false;
    bench.options.heartbeat = Some(Duration::from_millis(300));
    bench.options.resume = bench.says("resume");
    let script = bench.read("script");
    bench.run(&script).expect("a session");
}

/// What a session prints.
fn printed(bench: &Bench, script: &str) -> String {
    bench.write("script", script);
    let ran =
        this_program("progress::session", bench.folder.path()).stderr(Stdio::piped()).output().expect("a process");
    assert!(ran.status.success());
    String::from_utf8(ran.stderr).expect("text")
}

#[test]
fn each_run_is_a_line() {
    let lines = printed(&Bench::new(3), &solving());
    assert_eq!(lines.lines().count(), 3, "{lines}");
    let first = lines.lines().next().expect("a line");
    assert!(first.starts_with("[1/3] test tri C1-C4 fake seed ") && first.contains(": optimal, correct, "), "{lines}");
}

#[test]
fn runs_that_go_on_do_not_use_up_the_time_of_those_to_come() {
    // The first is quick, the second is not.
    let bench = Bench::new(3);
    let quick = bench.folder.path().join("quick");
    let script = format!("if [ -e '{0}' ]; then sleep 1; fi; : > '{0}'\n{1}", quick.display(), solving());
    let lines = printed(&bench, &script);
    let alive = lines.lines().find(|line| line.starts_with("still running, 1 of 3 done")).expect("a sign of life");
    assert!(alive.contains(" a minute, about ") && !alive.contains("about 0.00 s"), "{lines}");
}

#[test]
fn a_long_run_gives_signs_of_life() {
    let begin = say(&[STARTED, BUILT, &iteration(2, None), r#"{"event":"solving","iteration":3}"#]);
    let script = format!("{begin}sleep 1.5\n{}", say(&[answer("timeout", None)]));
    let lines = printed(&Bench::new(1), &script);
    let alive: Vec<&str> = lines.lines().filter(|line| line.starts_with("still running, 0 of 1 done")).collect();
    assert!((1..=20).contains(&alive.len()), "{lines}");
    assert!(alive[0].contains("test tri C1-C4 fake seed 1, iteration 3, "), "{lines}");
    assert!(alive[0].contains(" s of 20.0 s"), "{lines}");
}

#[test]
fn wrong_answers_failures_and_contradictions_are_said_even_quietly() {
    let bench = Bench::new(3);
    bench.write("quiet", "yes");
    let lines = printed(&bench, &of_all_sorts());
    assert_eq!(lines.lines().count(), 2, "{lines}");
    assert!(lines.contains("seed 3: optimal, WRONG") && lines.contains("breaks rules"), "{lines}");
    assert!(lines.contains("seed 2: error") && lines.contains("no licence"), "{lines}");

    let bench = Bench::new(2);
    bench.write("quiet", "yes");
    bench.write("tri.toml", &instance_text("unknown"));
    let infeasible = say(&[STARTED, &answer("infeasible", None)]);
    let script = format!("job=$(cat); case $job in *'\"seed\":2,'*) {infeasible}exit;; esac\n{}", solving());
    let lines = printed(&bench, &script);
    assert!(lines.starts_with("CONTRADICTION: tri: solved by test tri C1-C4 fake seed 1"), "{lines}");
    assert_eq!(lines.lines().count(), 1, "{lines}");
}

#[test]
fn a_resumed_session_says_what_is_left() {
    let mut bench = Bench::new(3);
    bench.filter(&["seed=[12]"]);
    bench.run(&solving()).expect("a session");
    bench.write("resume", "yes");
    let lines = printed(&bench, &solving());
    let first = lines.lines().next().expect("a line");
    assert!(first.starts_with("2 runs of earlier sessions kept, 1 to do"), "{lines}");
}
