//! The hidden worker: it takes a job of its own build and no other.

use std::collections::BTreeMap;

use model::Formulation;
use record::{SCHEMA_VERSION, Status};
use runner::protocol::{Event, Job};

use crate::bench::{Bench, TRIANGLE};

fn job(git_commit: &str, solver: &str) -> String {
    let job = Job {
        schema_version: SCHEMA_VERSION,
        git_commit: git_commit.to_owned(),
        instance_name: "tri".to_owned(),
        instance_text: TRIANGLE.to_owned(),
        formulation: Formulation::of("f", "C1 C2' C4c C5x").expect("good"),
        solver: solver.to_owned(),
        options: BTreeMap::new(),
        seed: 1,
        threads: 1,
        time_limit_s: Some(30.0),
        cpu_limit_s: None,
        memory_limit_b: None,
        log: None,
        proof: None,
        root_bound: false,
    };
    serde_json::to_string(&job).expect("a job is JSON")
}

/// The build of the binary under test, as it says itself when it refuses a job.
fn commit(bench: &Bench) -> String {
    let ran = bench.feed(&["worker"], &job("another", "highs"));
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{ran:?}");
    let (before, own) = ran.err.trim_end().rsplit_once(", ").expect("schema, revision");
    assert!(before.contains("another") && before.contains("comes from another build"), "{ran:?}");
    own.trim_end_matches(')').to_owned()
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
                Event::Started(started),
                Event::Built(built),
                Event::Solving(_),
                Event::Iteration(iteration),
                Event::Answer(answer),
            ] => {
                assert_eq!((started.schema_version, &started.git_commit), (SCHEMA_VERSION, &commit));
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
    match ran.out.lines().last().map(serde_json::from_str) {
        Some(Ok(Event::Answer(answer))) => {
            assert_eq!(answer.status, Status::Error);
            assert!(answer.message.is_some_and(|m| m.contains("nobody")));
        }
        other => panic!("{other:?}"),
    }
}
