//! Behaviour of the calls of the system through their public interface.

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::time::{Duration, Instant};

use system::{Claim, Cpus, RawPid, Watch};

fn this() -> RawPid {
    RawPid::try_from(std::process::id()).expect("a pid")
}

#[test]
fn sets_hold_cpus() {
    assert_eq!(Cpus::of(&[0, 63, 64, 1023, 100_000]).numbers(), [0, 63, 64, 1023]);
    assert!(!system::usable_cpus().is_empty());
}

#[test]
fn only_who_is_meant_is_killed() {
    let mut child = Command::new("sh").args(["-c", "sleep 60 & wait"]).spawn().expect("a process");
    let pid = RawPid::try_from(child.id()).expect("a pid");
    assert!(system::children(this()).contains(&pid));
    let grandchild = loop {
        if let [one] = system::children(pid)[..] {
            break one;
        }
        std::thread::yield_now();
    };
    let below = system::descendants(this());
    assert!(below.contains(&pid) && below.contains(&grandchild) && !below.contains(&this()), "{below:?}");
    assert!(system::kill_process(grandchild, || true));
    assert!(!system::kill_process(pid, || false));
    assert!(system::kill_process(pid, || true));
    let status = child.wait().expect("our own child");
    // The shell may have ended by itself once its child was gone.
    assert!(status.signal() == Some(9) || status.code().is_some(), "{status}");
    assert!(!system::kill_process(pid, || panic!("nobody has the number, so nobody is asked for")));
    assert!(!system::kill_process(1, || true) && !system::kill_process(0, || true));
}

#[test]
fn the_end_of_a_child_is_noticed_and_it_stays_to_be_reaped() {
    let mut child = Command::new("true").spawn().expect("a process");
    let watch = Watch::on(RawPid::try_from(child.id()).expect("a pid"));
    let start = Instant::now();
    // A wait may end early, so that it is looked again; the limit is for a machine on which nothing works.
    while start.elapsed() < Duration::from_secs(60) && child.try_wait().expect("our own child").is_none() {
        watch.wait(Duration::from_secs(60), Duration::from_millis(1));
    }
    assert_eq!(child.wait().expect("our own child").code(), Some(0));
}

#[test]
fn a_name_is_claimed_once() {
    let name = format!("tilebench-test-{}", std::process::id());
    let first = Claim::of(&name).expect("claims");
    assert!(first.is_some());
    assert!(Claim::of(&name).expect("claims").is_none());
    drop(first);
    assert!(Claim::of(&name).expect("claims").is_some());
}

#[test]
fn files_in_memory_begin_at_their_beginning() {
    let mut text = String::new();
    system::memory_file("note", b"all of it").expect("memory").read_to_string(&mut text).expect("text");
    assert_eq!(text, "all of it");
}
