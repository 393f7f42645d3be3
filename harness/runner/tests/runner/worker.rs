//! How workers end, and what becomes of the run.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use record::Status;
use runner::protocol::Event;
use runner::{Interrupt, WorkplaceOptions, Workplaces, execute};

use crate::support::{
    BUILT, Bench, COMMIT, STARTED, answer, anywhere, gone, iteration, say, solution, solving, worker,
};

fn ended(script: &str) -> (Status, String, String) {
    let ended = Bench::new(1).execute(script, Some(20.0), None);
    (ended.status, ended.termination_reason, ended.message.unwrap_or_default())
}

#[test]
fn a_clean_run_tells_everything() {
    let ended = Bench::new(1).execute(&solving(), Some(20.0), None);
    assert_eq!((ended.status, ended.termination_reason.as_str()), (Status::Optimal, "optimal"));
    assert_eq!((ended.exit_code, ended.exit_signal, ended.message), (Some(0), None, None));
    assert_eq!(ended.built.map(|b| b.size.variables), Some(9));
    assert_eq!(ended.iterations.len(), 1);
    assert_eq!(ended.answer.and_then(|a| a.solution).as_ref(), Some(solution()));
    assert!(ended.wall_time_s.is_some_and(|s| s > 0.0) && ended.cpu_time_s.is_some());
}

#[test]
fn the_job_arrives_on_standard_input() {
    let script = "job=$(cat); case $job in *'\"instance_name\":\"tri\"'*) exit 7;; esac";
    assert_eq!(ended(script).2, "exit code 7");
}

#[test]
fn events_reach_the_observer_in_order() {
    let bench = Bench::new(1);
    let job = bench.job();
    let mut seen = 0;
    execute(&worker(&solving()), &job, anywhere().slot(0), &mut |_| seen += 1, &Interrupt::new());
    assert_eq!(seen, 4);
}

#[test]
fn exit_codes_signals_and_silence_are_told_apart() {
    let (status, reason, message) = ended(&format!("{}echo oh no >&2; echo twice >&2; exit 3", say(&[STARTED])));
    assert_eq!((status, reason.as_str()), (Status::Error, "exit-code"));
    assert_eq!(message, "exit code 3; oh no | twice");

    let (status, _, message) = ended("kill -9 $$");
    assert_eq!(status, Status::Crash);
    assert!(message.contains("SIGKILL"), "{message}");
    let (status, _, message) = ended("kill -SEGV $$");
    assert_eq!((status, message.as_str()), (Status::Crash, "signal SIGSEGV"));

    assert_eq!(ended("true").0, Status::Lost);
    assert_eq!(ended(&say(&[STARTED, BUILT])).0, Status::Lost);
}

#[test]
fn what_breaks_the_protocol_is_an_error() {
    let unknown = say(&[STARTED, r#"{"event":"dance"}"#]);
    for (script, part) in
        [(unknown.as_str(), "dance"), ("echo hello; sleep 60", "hello"), ("printf '{\"event\":'", "{")]
    {
        let (status, reason, message) = ended(script);
        assert_eq!((status, reason.as_str()), (Status::Error, "protocol"), "{script}");
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn a_worker_of_another_build_says_nothing_of_the_run() {
    let (status, reason, message) = ended("echo the job comes from another build >&2; exit 2");
    assert_eq!((status, reason.as_str()), (Status::Lost, "not-started"));
    assert!(message.contains("refused the job; the job comes from another build"), "{message}");
    // Once it has begun, the code is no refusal.
    assert_eq!(ended(&format!("{}exit 2", say(&[STARTED]))).0, Status::Error);
}

#[test]
fn the_clock_stops_when_the_worker_ends_not_when_its_words_are_read() {
    let bench = Bench::new(1);
    let job = bench.job();
    let mut slow = |_: &Event| thread::sleep(Duration::from_millis(500));
    let ended = execute(&worker(&solving()), &job, anywhere().slot(0), &mut slow, &Interrupt::new());
    // Four events took two seconds to be taken note of.
    assert!(ended.wall_time_s.is_some_and(|seconds| seconds < 1.5), "{:?}", ended.wall_time_s);
}

#[test]
fn an_answer_counts_even_if_the_worker_dies_after_it() {
    let (status, _, message) = ended(&format!("{}kill -SEGV $$", solving()));
    assert_eq!((status, message.as_str()), (Status::Optimal, "signal SIGSEGV after the answer"));
}

#[test]
fn a_worker_that_ignores_its_limit_is_killed() {
    let start = Instant::now();
    let script = format!("{}trap '' TERM INT; sleep 60", say(&[STARTED, BUILT, &iteration(0, Some(solution()))]));
    let ended = Bench::new(1).execute(&script, Some(0.5), None);
    assert_eq!((ended.status, ended.termination_reason.as_str()), (Status::Timeout, "hard-limit"));
    assert_eq!((ended.exit_signal, ended.iterations.len()), (Some(9), 1));
    // 0.5 s and a grace of 0.275 s; the rest is for a busy machine.
    let took = start.elapsed();
    assert!(took >= Duration::from_millis(775) && took < Duration::from_secs(10), "{took:?}");
}

#[test]
fn a_limit_that_the_worker_keeps_is_soft() {
    // Not before nine tenths of the limit, and well before the grace is over.
    let script = format!("sleep 2.75; {}", say(&[STARTED, &answer("timeout", None)]));
    let ended = Bench::new(1).execute(&script, Some(3.0), None);
    assert_eq!((ended.status, ended.termination_reason.as_str()), (Status::Timeout, "soft-limit"));
}

#[test]
fn a_timeout_long_before_the_limit_is_none_of_the_time() {
    let early = say(&[STARTED, &answer("timeout", None)]);
    for (limit, part) in [(Some(60.0), " s of 60 s"), (None, " s, without a time limit")] {
        let ended = Bench::new(1).execute(&early, limit, None);
        assert_eq!((ended.status, ended.termination_reason.as_str()), (Status::Timeout, "solver-limit"));
        let message = ended.message.expect("a remark");
        assert!(message.starts_with("claims a timeout after ") && message.ends_with(part), "{message}");
    }
}

#[test]
fn an_answer_beyond_a_limit_says_so() {
    let bench = Bench::new(1);
    let mut job = bench.job();
    // No process begins with so little CPU time, and the answer comes before anybody looks, or it does not.
    job.cpu_limit_s = Some(1e-9);
    let ended = execute(&worker(&solving()), &job, anywhere().slot(0), &mut |_| {}, &Interrupt::new());
    let message = ended.message.expect("a remark");
    assert!(message.contains(" s of CPU time of at most 0.000000001 s"), "{message}");

    let large = answer("optimal", Some(solution())).replace("\"event\"", "\"peak_memory_b\":18245222,\"event\"");
    let ended = bench.execute(&say(&[STARTED, &large]), Some(20.0), Some(10 << 20));
    assert_eq!(ended.status, Status::Optimal);
    let message = ended.message.expect("a remark");
    assert!(message.contains("took 17.4 MiB of at most 10 MiB"), "{message}");
}

#[test]
fn the_larger_of_two_known_peaks_counts() {
    // The worker knows more of itself than was seen of it and its child together.
    let large = answer("optimal", Some(solution())).replace("\"event\"", "\"peak_memory_b\":999000111,\"event\"");
    let script = format!("sleep 60 & sleep 0.3; {}", say(&[STARTED, &large]));
    let ended = Bench::new(1).execute(&script, Some(20.0), None);
    assert_eq!((ended.peak_memory_b, ended.memory_source), (Some(999_000_111), Some("VmHWM (worker)")));
}

#[test]
fn a_limit_of_the_solvers_own_is_no_limit_of_time() {
    for status in ["timeout", "memout"] {
        let answer = answer(status, None).replace(&format!(r#""reason":"{status}""#), r#""reason":"solver-limit""#);
        let (found, reason, _) = ended(&say(&[STARTED, &answer]));
        assert_eq!((found.name(), reason.as_str()), (status, "solver-limit"));
    }
}

#[test]
fn a_worker_above_its_memory_limit_is_killed() {
    // A shell holds a megabyte or so from the start.
    let ended = Bench::new(1).execute("sleep 60 & wait", Some(20.0), Some(64 << 10));
    assert_eq!((ended.status, ended.termination_reason.as_str()), (Status::Memout, "memory-limit"));
    assert!(ended.peak_memory_b.is_some_and(|peak| peak > 64 << 10));
    let source = ended.memory_source.expect("a peak has a source");
    assert!(source.ends_with("(parent poll)"), "{source}");
}

#[test]
fn no_grandchild_survives() {
    let bench = Bench::new(1);
    for tail in ["", "sleep 60", "kill -9 $$"] {
        let file = bench.folder.path().join("grandchild");
        let script = format!("sleep 60 & echo $! > '{}'\n{}{tail}", file.display(), say(&[STARTED]));
        bench.execute(&script, Some(0.2), None);
        let pid = fs::read_to_string(&file).expect("the script wrote it");
        assert!(gone(pid.trim()), "{tail}: the grandchild is alive");
    }
}

#[test]
fn who_leaves_group_session_and_environment_is_found_below_its_worker() {
    let bench = Bench::new(1);
    let file = bench.folder.path().join("stray");
    let stray = format!("(env -i setsid sh -c 'echo $$ > {}; exec sleep 60' &)", file.display());
    bench.execute(&format!("{}{stray}; sleep 60", say(&[STARTED])), Some(1.0), None);
    let pid = fs::read_to_string(&file).expect("the script wrote it");
    assert!(gone(pid.trim()), "the stray is alive");
}

#[test]
fn files_that_fill_the_disk_end_a_run() {
    let bench = Bench::new(1);
    let job = bench.job();
    let options = WorkplaceOptions { pin: false, cgroups: false, disk_b: 10 << 20, ..WorkplaceOptions::default() };
    let places = Workplaces::prepare(1, 1, &options);
    let execute = |script: &str| {
        let ended = execute(&worker(script), &job, places.slot(0), &mut |_| {}, &Interrupt::new());
        (ended.status, ended.termination_reason, ended.message.unwrap_or_default())
    };
    let much = "mkdir $TMPDIR/in; head -c 20000000 /dev/zero > $TMPDIR/in/much; sleep 60";
    let (status, reason, message) = execute(&format!("{}{much}", say(&[STARTED])));
    assert_eq!((status, reason.as_str()), (Status::Memout, "disk-limit"));
    assert!(message.contains("of at most 10 MiB"), "{message}");
    // A file that only says that it is long takes up nothing.
    let hole = "truncate -s 20M $TMPDIR/hole; sleep 1.2";
    assert_eq!(execute(&format!("{hole}; {}", solving())).0, Status::Optimal);
}

#[test]
fn a_stray_process_that_holds_the_pipe_does_not_hold_the_run() {
    let start = Instant::now();
    let (status, ..) = ended(&format!("setsid sleep 15 2>/dev/null &\n{}", solving()));
    assert_eq!(status, Status::Optimal);
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn an_interruption_ends_the_worker_soon() {
    let bench = Bench::new(1);
    let job = bench.job();
    let interrupt = Interrupt::new();
    let start = Instant::now();
    let ended = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(100));
            interrupt.trigger();
        });
        execute(&worker("sleep 60"), &job, anywhere().slot(0), &mut |_| {}, &interrupt)
    });
    assert_eq!(ended.status, Status::Interrupted);
    assert!(start.elapsed() < Duration::from_secs(10));
}

/// As where a cluster ends a job: a signal to each of its processes, of which the worker may be the first to hear.
#[test]
fn a_signal_to_all_processes_is_an_interruption_and_no_crash() {
    let bench = Bench::new(1);
    let job = bench.job();
    for (is_asked, expected) in [(true, Status::Interrupted), (false, Status::Crash)] {
        let interrupt = Interrupt::new();
        let ended = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(50));
                if is_asked {
                    interrupt.trigger();
                }
            });
            execute(&worker("kill -TERM $$"), &job, anywhere().slot(0), &mut |_| {}, &interrupt)
        });
        assert_eq!(ended.status, expected, "{is_asked}");
    }
    // The program that a worker runs may have ended of it, which the worker tells.
    for (is_asked, expected) in [(true, Status::Interrupted), (false, Status::Error)] {
        let interrupt = Interrupt::new();
        let mut asks = |event: &Event| {
            if is_asked && matches!(event, Event::Answer(_)) {
                interrupt.trigger();
            }
        };
        let script = say(&[STARTED, &answer("error", None)]);
        assert_eq!(execute(&worker(&script), &job, anywhere().slot(0), &mut asks, &interrupt).status, expected);
    }
}

#[test]
fn a_flood_of_words_is_no_problem() {
    let script = format!(
        "{}i=0; while [ $i -lt 20000 ]; do echo '{{\"event\":\"solving\",\"iteration\":1}}'; i=$((i+1)); done\n\
         head -c 3000000 /dev/zero >&2\n{}",
        say(&[STARTED]),
        say(&[&answer("infeasible", None)])
    );
    assert_eq!(ended(&script).0, Status::Infeasible);
}

#[test]
fn standard_error_goes_to_the_log() {
    let bench = Bench::new(1);
    let log = bench.folder.path().join("run.log");
    fs::write(&log, "earlier\n").expect("a file can be written");
    let job = bench.plan().expect("a sound plan")[0].run(0).job(COMMIT, Some(log.clone()));
    let ended = execute(&worker("echo chatter >&2; exit 1"), &job, anywhere().slot(0), &mut |_| {}, &Interrupt::new());
    assert_eq!(fs::read_to_string(log).expect("the log is there"), "earlier\nchatter\n");
    assert_eq!(ended.message.as_deref(), Some("exit code 1; chatter"));
}
