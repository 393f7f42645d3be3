//! Behaviour of the calls of the system through their public interface.

#![cfg(target_os = "linux")]

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use system::{Claim, Cpus, RawPid, Watch};

fn this() -> RawPid {
    RawPid::try_from(std::process::id()).expect("a pid")
}

#[test]
fn a_process_is_pinned_to_what_it_may_use() {
    let usable = system::usable_cpus();
    assert!(!usable.is_empty());
    // Of what this thread may use the rest stays for others, so this is done by a thread of its own.
    let pinned = thread::spawn(move || {
        Cpus::of(&[usable[0], 100_000]).pin().expect("a CPU that may be used");
        (usable[0], system::usable_cpus())
    });
    let (cpu, pinned) = pinned.join().expect("a thread");
    assert_eq!(pinned, [cpu]);
    assert!(Cpus::of(&[]).pin().is_err());
}

#[test]
fn only_who_is_meant_is_killed() {
    let mut child = Command::new("sleep").arg("60").spawn().expect("a process");
    let pid = RawPid::try_from(child.id()).expect("a pid");
    assert!(system::children(this()).contains(&pid));
    assert!(!system::kill_process(pid, || false));
    assert_eq!(child.try_wait().expect("our own child"), None);
    assert!(system::kill_process(pid, || true));
    assert_eq!(child.wait().expect("our own child").signal(), Some(9));
    assert!(!system::kill_process(pid, || panic!("nobody has the number, so nobody is asked for")));
    for nobody in [1, 0, -1] {
        assert!(!system::kill_process(nobody, || true), "{nobody}");
    }
}

#[test]
fn children_of_children_are_descendants() {
    let mut child = Command::new("sh").args(["-c", "sleep 60 & wait"]).spawn().expect("a process");
    let pid = RawPid::try_from(child.id()).expect("a pid");
    // The limit is for a machine on which nothing works.
    let start = Instant::now();
    let mut below = Vec::new();
    while below.is_empty() && start.elapsed() < Duration::from_secs(60) {
        below = system::descendants(pid);
    }
    let all = system::descendants(this());
    below.iter().for_each(|pid| assert!(system::kill_process(*pid, || true)));
    let _ = child.wait().expect("our own child");
    assert_eq!(below.len(), 1);
    assert!(all.contains(&pid) && all.contains(&below[0]) && !all.contains(&this()), "{all:?}");
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
    // A child that another test is just starting has it open too, until it runs its program.
    let start = Instant::now();
    while Claim::of(&name).expect("claims").is_none() {
        assert!(start.elapsed() < Duration::from_secs(60), "nobody has it");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn files_in_memory_begin_at_their_beginning() {
    let mut text = String::new();
    system::memory_file("note", b"all of it").expect("memory").read_to_string(&mut text).expect("text");
    assert_eq!(text, "all of it");
}
