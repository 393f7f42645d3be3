//! Programs as processes: they end with their time, with the solve and with whoever started them.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use solve::{Deadline, SolveStatus, backend};

use super::support::{Fake, small};
use crate::common::{mip, with};
use crate::formulas::{pigeons, sat};

const TICK: Duration = Duration::from_millis(20);
const LONG: Duration = Duration::from_secs(20);
const SCRIPT: &str = "TILEBENCH_TEST_SCRIPT";

/// The process ids that a script has written, once it has.
fn started(fake: &Fake) -> Vec<u32> {
    let until = Instant::now() + LONG;
    loop {
        let text = fs::read_to_string(fake.path().join("pids")).unwrap_or_default();
        let pids: Vec<u32> = text.split_whitespace().filter_map(|pid| pid.parse().ok()).collect();
        if pids.len() == 2 && text.ends_with('\n') {
            return pids;
        }
        assert!(Instant::now() < until, "it never began");
        sleep(TICK);
    }
}

/// Whether a process runs; one that is dead and not yet reaped does not.
fn runs(pid: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    status.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with(['Z', 'X']))
}

fn ends(pids: &[u32]) -> bool {
    let until = Instant::now() + LONG;
    while Instant::now() < until {
        if !pids.iter().any(|&pid| runs(pid)) {
            return true;
        }
        sleep(TICK);
    }
    false
}

#[test]
fn who_goes_on_after_its_time_is_killed_with_what_it_started() {
    let fake = Fake::script("sleep 1000 & echo $! $$ > $here/pids; wait");
    let mut session = mip(backend("scip").expect("there"), &fake.options()).expect("opened");
    let solved = session.solve(&small(), &Deadline::of(Some(Duration::from_millis(500)))).expect("an outcome");
    assert_eq!((solved.outcome.status, solved.values), (SolveStatus::Timeout, None));
    assert!(solved.outcome.native_status.is_some_and(|word| word.contains("killed")));
    let pids = started(&fake);
    assert!(ends(&pids), "{pids:?} live on");
}

#[test]
fn a_program_with_a_clock_of_its_own_is_interrupted_at_the_limit_and_tells_what_it_has() {
    let fake = Fake::script(
        "echo \"$@\" > $here/args; trap 'echo INDET > solution.sol; echo \"conflicts : 5\"; exit 0' INT; \
         while :; do sleep 0.02; done",
    );
    let mut session = sat(backend("minisat").expect("there"), &fake.options()).expect("opened");
    // On a busy machine it may be killed before it has told: 0.22 s after the limit.
    let mut tells = || {
        let solved =
            session.solve(&pigeons(2, 2), &Deadline::of(Some(Duration::from_millis(1100)))).expect("an outcome");
        assert_eq!(solved.outcome.status, SolveStatus::Timeout);
        solved.outcome.conflicts == Some(5)
    };
    assert!((0..20).any(|_| tells()), "it never told what it had");
    // Its own limit is not the earlier one.
    let args = fs::read_to_string(fake.path().join("args")).expect("it ran");
    assert!(args.contains("-cpu-lim=2"), "{args}");
    // One that has nothing to tell is out of time as well.
    let fake = Fake::script("trap 'exit 1' INT; while :; do sleep 0.02; done");
    let mut session = sat(backend("minisat").expect("there"), &fake.options()).expect("opened");
    let solved = session.solve(&pigeons(2, 2), &Deadline::of(Some(Duration::from_millis(500)))).expect("an outcome");
    assert_eq!(solved.outcome.status, SolveStatus::Timeout);
}

#[test]
fn a_program_that_gives_up_before_its_limit_is_given_a_little_more() {
    let fake = Fake::script("echo \"$@\" > $here/args; exit 3");
    let mut session = mip(backend("cbc-exe").expect("there"), &fake.options()).expect("opened");
    assert!(session.solve(&small(), &Deadline::of(Some(Duration::from_secs(20)))).is_err());
    let args = fs::read_to_string(fake.path().join("args")).expect("it ran");
    let seconds = args.split_whitespace().skip_while(|word| *word != "-seconds").nth(1).expect("a limit");
    // Less than the grace of 0.2 s and 2 %.
    assert!((20.0..20.6).contains(&seconds.parse::<f64>().expect("a number")), "{args}");
}

#[test]
fn what_a_program_leaves_running_ends_with_it() {
    // The first is an orphan at once, the second has left its group and session.
    let leaves = "(sleep 1000 & echo $! >> $here/pids); (setsid sh -c 'echo $$ >> '$here'/pids; exec sleep 1000' &); \
                  while [ $(wc -l < $here/pids) -lt 2 ]; do sleep 0.02; done";
    let fake = Fake::script(&format!("{leaves}; exit 3"));
    let solved =
        mip(backend("scip").expect("there"), &fake.options()).expect("opened").solve(&small(), &Deadline::default());
    assert!(solved.is_err(), "{solved:?}");
    let pids = started(&fake);
    assert!(ends(&pids), "{pids:?} live on after a solve");

    let fake = Fake::script(&format!("{leaves}; echo 4.0.1"));
    let options = [("program".to_owned(), fake.program())].into();
    assert_eq!(backend("kissat").expect("there").version(&options).expect("a version"), "4.0.1");
    let pids = started(&fake);
    assert!(ends(&pids), "{pids:?} live on after a version");
}

/// What the test below runs in a process of its own.
#[test]
#[ignore = "solves for ever; another test runs it"]
fn solves_until_it_is_killed() {
    let Ok(script) = env::var(SCRIPT) else { return };
    let options = with(&[("program", "/bin/sh"), ("arguments", &format!("'{script}'"))]);
    let solved = mip(backend("scip").expect("there"), &options).expect("opened").solve(&small(), &Deadline::default());
    panic!("it was not killed: {solved:?}");
}

#[test]
fn a_program_does_not_outlive_who_started_it() {
    let fake = Fake::script("echo $$ $$ > $here/pids; exec sleep 1000");
    let mut parent = Command::new(env::current_exe().expect("this test"))
        .args(["--ignored", "--exact", "external::processes::solves_until_it_is_killed"])
        .env(SCRIPT, fake.file())
        .env("TMPDIR", fake.path())
        .spawn()
        .expect("started");
    let pids = started(&fake);
    assert!(runs(pids[0]));
    parent.kill().expect("killed");
    parent.wait().expect("reaped");
    assert!(ends(&pids), "{pids:?} live on");
}

#[test]
fn it_stays_in_the_process_group() {
    let group = |pid: &str| {
        let text = fs::read_to_string(format!("/proc/{pid}/stat")).expect("it runs");
        text.rsplit_once(") ").expect("a name").1.split_whitespace().nth(2).expect("a group").to_owned()
    };
    let fake = Fake::script("cp /proc/$$/stat $here/stat");
    let _ =
        mip(backend("scip").expect("there"), &fake.options()).expect("opened").solve(&small(), &Deadline::default());
    let text = fs::read_to_string(fake.path().join("stat")).expect("it ran");
    let theirs = text.rsplit_once(") ").expect("a name").1.split_whitespace().nth(2).expect("a group");
    assert_eq!(theirs, group("self"));
}

#[test]
fn a_log_without_end_does_not_stop_it() {
    let fake = Fake::script("while :; do echo a line of a long log; done");
    let mut session = mip(backend("scip").expect("there"), &fake.options()).expect("opened");
    let solved = session.solve(&small(), &Deadline::of(Some(Duration::from_millis(300)))).expect("an outcome");
    assert_eq!(solved.outcome.status, SolveStatus::Timeout);
    assert!(Path::new("/bin/sh").exists());
}
