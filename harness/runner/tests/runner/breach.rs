//! Workers that break the protocol, and words that come late.

use std::thread;
use std::time::{Duration, Instant};

use record::Status;
use runner::protocol::Event;
use runner::{Ended, Interrupt, execute};

use crate::support::{BUILT, Bench, COMMIT, STARTED, answer, anywhere, iteration, say, solution, solving, worker};

fn ended(script: &str) -> Ended {
    Bench::new(1).execute(script, Some(20.0), None)
}

/// A worker whose first word takes so long to be taken note of that all is over by then.
fn heard_late(script: &str) -> Ended {
    let mut job = Bench::new(1).job();
    job.time_limit_s = Some(0.2);
    let mut slow = |event: &Event| {
        if matches!(event, Event::Started(_)) {
            thread::sleep(Duration::from_millis(1500));
        }
    };
    execute(&worker(script), &job, anywhere().slot(0), &mut slow, &Interrupt::new())
}

fn end(ended: &Ended) -> (Status, &str) {
    (ended.status, ended.termination_reason.as_str())
}

#[test]
fn words_that_steer_a_session_are_not_for_a_worker_to_say() {
    for (answer, part) in
        [(answer("interrupted", None), "answered \"interrupted\""), (answer("lost", None), "answered \"lost\"")]
    {
        let ended = ended(&say(&[STARTED, BUILT, &answer]));
        assert_eq!(end(&ended), (Status::Error, "protocol"), "{answer}");
        assert!(!ended.is_not_started() && ended.answer.is_none(), "{ended:?}");
        assert!(ended.message.as_deref().is_some_and(|message| message.contains(part)), "{ended:?}");
    }
    // It ends no session: the other run is done as well.
    let bench = Bench::new(2);
    let answer = answer("infeasible", None).replacen("\"reason\":\"infeasible\"", "\"reason\":\"not-started\"", 1);
    let summary = bench.run(&say(&[STARTED, &answer])).expect("a session");
    assert_eq!((summary.rows(), summary.remaining()), (2, 0));
}

#[test]
fn events_out_of_order_are_a_breach() {
    let (first, second, beyond) = (iteration(4, None), iteration(5, None), iteration(1_000_000, None));
    let done = answer("infeasible", None);
    for (lines, part) in [
        (vec![BUILT, &done], "did not say first who it is"),
        (vec![STARTED, &done, &done], "went on after its answer"),
        (vec![STARTED, &first, &first, &done], "solve 4 came after solve 4"),
        (vec![STARTED, &second, &first, &done], "solve 4 came after solve 5"),
        (vec![STARTED, &beyond, &done], "at most 1000000"),
    ] {
        let ended = ended(&say(&lines));
        assert_eq!(end(&ended), (Status::Error, "protocol"), "{lines:?}");
        assert!(ended.message.as_deref().is_some_and(|message| message.contains(part)), "{ended:?}");
    }
    assert_eq!(ended(&say(&[STARTED, BUILT, &first, &second, &done])).status, Status::Infeasible);
}

#[test]
fn nothing_of_an_answer_that_is_not_believed_is_kept() {
    let bench = Bench::new(1);
    let full = answer("optimal", Some(solution())).replacen(
        "\"solution\"",
        "\"last\":{\"iteration\":0,\"time_s\":0.0,\"status\":\"optimal\",\"native_status\":\"best\",\"cuts_added\":0,\
         \"objective_value\":3},\"peak_memory_b\":77,\"solution\"",
        1,
    );
    bench.run(&say(&[STARTED, BUILT, &full, &full])).expect("a session");
    let row = bench.rows().remove(0);
    assert_eq!((row.status, row.termination_reason.as_str()), (Status::Error, "protocol"));
    assert_eq!((row.native_status, row.objective_value), (None, None));
    assert_ne!(row.peak_memory_b, Some(77));
    assert!(!bench.results().solution(&row.run_id, 0).exists());
}

#[test]
fn a_breach_counts_though_the_worker_was_killed_for_something_else() {
    let late = heard_late(&format!("{}echo hello; sleep 60", say(&[STARTED])));
    assert_eq!(end(&late), (Status::Error, "protocol"), "{late:?}");
    let late = heard_late(&format!("{}sleep 60", say(&[STARTED])));
    assert_eq!(end(&late), (Status::Timeout, "hard-limit"), "{late:?}");
}

#[test]
fn an_answer_that_is_heard_late_counts_and_says_what_it_was_killed_for() {
    let late = heard_late(&format!("{}sleep 60", solving()));
    assert_eq!(end(&late), (Status::Optimal, "optimal"), "{late:?}");
    let message = late.message.expect("a message");
    assert!(message.contains("killed: the time limit and its grace were over"), "{message}");
}

#[test]
fn a_stray_that_talks_and_cannot_be_found_does_not_hold_the_run() {
    // Neither parent, group nor environment are left of the worker's.
    let talk = "i=0; while [ $i -lt 300 ]; do echo stray; sleep 0.1; i=$((i+1)); done";
    let stray = format!("(env -i setsid sh -c '{talk}' 2> /dev/null & exit)");
    let start = Instant::now();
    for words in [solving(), String::new()] {
        ended(&format!("{stray}\n{words}"));
    }
    // It talks for half a minute.
    assert!(start.elapsed() < Duration::from_secs(25), "{:?}", start.elapsed());
}

#[test]
fn a_log_without_end_is_a_breach() {
    let bench = Bench::new(1);
    let log = bench.folder.path().join("run.log");
    let job = bench.plan().expect("a sound plan")[0].run(0).job(COMMIT, Some(log.clone()));
    // A hole of 5 GiB takes no room.
    let script = format!("{}truncate -s 5G '{}'; sleep 60", say(&[STARTED]), log.display());
    let ended = execute(&worker(&script), &job, anywhere().slot(0), &mut |_| {}, &Interrupt::new());
    assert_eq!(end(&ended), (Status::Error, "protocol"), "{ended:?}");
    assert!(ended.message.is_some_and(|message| message.contains("to standard error")));
}
