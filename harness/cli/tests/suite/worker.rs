//! The hidden worker: it takes a job of its own build and no other.

use std::collections::BTreeMap;
use std::process::Command;
use std::time::Duration;

use model::{Formulation, FormulationKind};
use record::{ResultsDir, SCHEMA_VERSION, Status};
use runner::protocol::{Answer, Event, Job, clock};

use crate::bench::{Bench, TRIANGLE, words};

fn job(git_commit: &str, solver: &str) -> String {
    serde_json::to_string(&planned(git_commit, solver)).expect("a job is JSON")
}

fn planned(git_commit: &str, solver: &str) -> Job {
    Job {
        schema_version: SCHEMA_VERSION,
        git_commit: git_commit.to_owned(),
        instance_name: "tri".to_owned(),
        instance_text: TRIANGLE.to_owned(),
        formulation: Formulation::of("f", "C1 C2' C4c C5x").expect("good"),
        solver: solver.to_owned(),
        options: BTreeMap::new(),
        seed: 1,
        threads: 1,
        begun: None,
        time_limit_s: Some(30.0),
        cpu_limit_s: None,
        memory_limit_b: None,
        log: None,
        proof: None,
        heard: BTreeMap::new(),
    }
}

/// The build of the binary under test, as it says itself when it refuses a job.
fn commit(bench: &Bench) -> String {
    let ran = bench.feed(&["worker"], &job("another", "highs"));
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{ran:?}");
    let (before, own) = ran.err.trim_end().rsplit_once(", ").expect("schema, revision");
    assert!(before.contains("another") && before.contains("comes from another build"), "{ran:?}");
    own.trim_end_matches(')').to_owned()
}

fn answer(events: &str) -> Answer {
    match events.lines().last().map(serde_json::from_str) {
        Some(Ok(Event::Answer(answer))) => answer,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_limit_of_time_runs_from_the_start_of_the_worker() {
    let bench = Bench::new();
    let job = planned(&commit(&bench), "search");
    // By the clock that the processes of this machine share, however long ago it was and whatever the time of day is.
    let ago = |seconds| clock().saturating_sub(Duration::from_secs(seconds));
    for (begun, status) in [(ago(0), Status::Optimal), (ago(31), Status::Timeout), (ago(100), Status::Timeout)] {
        let formulation = Formulation::plain("search", FormulationKind::Search);
        let job = Job { formulation, begun: Some(begun), ..job.clone() };
        let ran = bench.feed(&["worker"], &serde_json::to_string(&job).expect("a job is JSON")).ok();
        assert_eq!(answer(&ran.out).status, status, "{ran:?}");
    }
}

/// Clauses for a program that is called as Kissat is.
fn with_kissat(program: &str) -> String {
    format!(
        "[[formulation]]\nname = \"sat\"\nkind = \"sat\"\n[[solver]]\nname = \"kissat\"\noptions.program = \"{program}\"\n"
    )
}

#[test]
fn what_programs_have_said_is_not_asked_again() {
    let bench = Bench::new();
    // It writes down what it is asked. Another process writes it, for nothing can be run that one which forks has open.
    let script =
        "#!/bin/sh\necho \"$*\" >> ${0%/*}/asked\ncase $1 in --version) echo 4.0.1;; *) echo s UNKNOWN;; esac\n";
    let write = format!("printf '%s' '{script}' > kissat; chmod +x kissat; pwd");
    let ran = Command::new("sh").args(["-c", &write]).current_dir(bench.path("")).output().expect("a shell");
    let folder = String::from_utf8(ran.stdout).expect("a path");
    let program = format!("{}/kissat", folder.trim());
    bench.config("asks", "tri.toml", &with_kissat(&program));
    bench.run(&words("run asks.toml --set seeds=1-3 --out out --quiet")).ok();
    let row = &ResultsDir::new(bench.path("out/asks")).read_runs().expect("rows")[0];
    assert_eq!(row.solver_version, "4.0.1");
    // Where it is called on a model it runs in another folder.
    assert_eq!(bench.read("asked").matches("--version").count(), 1, "{}", bench.read("asked"));
}

#[test]
fn the_cpu_time_of_whoever_a_solver_leaves_behind_counts() {
    let bench = Bench::new();
    // A solver that ends as soon as a process that it has left has used up half a second.
    let left = "while read -r stat < /proc/self/stat; do set -- $stat; [ $((${14} + ${15})) -lt 50 ] || break; done; \
                : > burnt; exec sleep 60";
    let script = format!(
        "#!/bin/sh\ncase $1 in --version) echo 4.0.1; exit;; esac\n\
         (setsid sh -c '{left}' > /dev/null 2>&1 &)\n\
         while [ ! -e burnt ]; do sleep 0.1; done\necho s UNKNOWN\n"
    );
    bench.write("leaves.sh", &script);
    // Another process writes the program, for nothing can be run that one which forks has open.
    let program = bench.path("leaves");
    let copied = Command::new("install").arg(bench.path("leaves.sh")).arg(&program).status().expect("install");
    assert!(copied.success());
    bench.config("leaves", "tri.toml", &with_kissat(&program.display().to_string()));
    bench.run(&words("run leaves.toml --set seeds=1-2 --out out --quiet --no-cgroup")).ok();
    let rows = ResultsDir::new(bench.path("out/leaves")).read_runs().expect("rows");
    assert_eq!(rows.len(), 2);
    assert!(rows.iter().all(|row| row.cpu_time_s.is_some_and(|cpu| cpu >= 0.5)), "{rows:?}");
}

#[test]
fn a_job_of_the_same_build_is_done_event_by_event() {
    let bench = Bench::new();
    let commit = commit(&bench);
    for solver in ["highs", "cbc", "microlp"] {
        let ran = bench.feed(&["worker"], &job(&commit, solver)).ok();
        let events: Vec<Event> = ran.out.lines().map(|l| serde_json::from_str(l).expect("an event a line")).collect();
        match events.as_slice() {
            [
                Event::Started(_),
                Event::Built(built),
                Event::Solving { .. },
                Event::Iteration(iteration),
                Event::Answer(answer),
            ] => {
                assert_eq!(built.size.variables, 54);
                assert_eq!(iteration.solve.loop_lengths.as_deref(), Some("3"));
                assert_eq!(answer.status, Status::Optimal);
                assert_eq!(answer.solution, iteration.solution);
                assert!(answer.peak_memory_b.is_some_and(|b| b > 1 << 20));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn what_is_no_job_is_refused() {
    let bench = Bench::new();
    bench.feed(&["worker"], "").refused(&["standard input holds no job"]);
    bench.feed(&["worker"], "{\"solver\": \"highs\"}").refused(&["missing field"]);
    let text = job("x", "highs");
    bench.feed(&["worker"], &text.replace("\"seed\"", "\"sead\"")).refused(&["sead"]);
}

#[test]
fn an_unknown_solver_is_an_answer_too() {
    let bench = Bench::new();
    let ran = bench.feed(&["worker"], &job(&commit(&bench), "nobody")).ok();
    let answer = answer(&ran.out);
    assert_eq!(answer.status, Status::Error);
    assert!(answer.message.is_some_and(|message| message.contains("nobody")));
}
