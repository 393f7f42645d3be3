//! Limits and confinement, in every mode that this machine offers. What misbehaves is this test program itself, or a shell.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use record::Status;
use runner::{Ended, Interrupt, WorkplaceOptions, Workplaces, execute};

use crate::support::{Bench, STARTED, answer, gone, say, worker};

/// What the helper is to do.
const ACT: &str = "TILEBENCH_TEST_ACT";

/// Names the mode that must be there, so that a machine made for it cannot skip it.
pub const REQUIRED: &str = "TILEBENCH_TEST_ISOLATION";

pub const MB: u64 = 1 << 20;

/// The workers' helper: takes memory or time as it is told.
#[test]
#[ignore = "started by the other tests of this file"]
fn helper() {
    let Ok(act) = env::var(ACT) else { return };
    let (what, how_much) = act.split_once(':').expect("an act is WHAT:HOW-MUCH");
    let mut held = Vec::new();
    match what {
        // Step by step; the slow one can be watched.
        "take" | "take-slowly" => {
            for _ in 0..how_much.parse::<u64>().expect("a number") {
                held.push(vec![1u8; MB as usize]);
                thread::sleep(Duration::from_micros(if what == "take" { 0 } else { 1500 }));
            }
            thread::sleep(Duration::from_secs(60));
        }
        // Zeroed memory that nobody touches is mapped and not there.
        "reserve" => held.push(vec![0u8; how_much.parse::<usize>().expect("a number") * MB as usize]),
        // Takes it, is looked at, and dies without a word.
        "take-and-crash" => {
            held.push(vec![1u8; how_much.parse::<usize>().expect("a number") * MB as usize]);
            thread::sleep(Duration::from_secs(1));
            // The first may be caught and be found to be no overflow of the stack.
            for _ in 0..100 {
                let killed = Command::new("kill").args(["-SEGV", &std::process::id().to_string()]).status();
                assert!(killed.is_ok());
            }
        }
        // Uses CPU time of its own, says so by a file, and goes on to sleep.
        "burn" => {
            while own_cpu_s() < 0.3 {
                std::hint::black_box((0..100_000u64).sum::<u64>());
            }
            fs::write(how_much, "burnt").expect("a file can be written");
            thread::sleep(Duration::from_secs(60));
        }
        _ => panic!("what is {what}?"),
    }
}

fn own_cpu_s() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").expect("Linux");
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    (fields[11].parse::<f64>().expect("ticks") + fields[12].parse::<f64>().expect("ticks")) / 100.0
}

/// A command line that starts the helper.
pub fn act(what: &str) -> String {
    let program = env::current_exe().expect("this program");
    format!("env {ACT}='{what}' '{}' --ignored --exact confinement::helper > /dev/null", program.display())
}

/// A place for one worker in each mode of this machine: always the process group, control groups where they can be used.
pub fn places() -> Vec<Workplaces> {
    let place = |cgroups| Workplaces::prepare(1, 1, &WorkplaceOptions { pin: false, cgroups, ..Default::default() });
    let (plain, confined) = (place(false), place(true));
    let required = env::var(REQUIRED).unwrap_or_else(|_| confined.isolation.to_owned());
    assert_eq!(confined.isolation, required, "{:?}", confined.without_cgroups);
    match confined.without_cgroups.clone() {
        None => vec![plain, confined],
        Some(reason) => {
            eprintln!("SKIPPED with control groups: {reason}");
            vec![plain]
        }
    }
}

/// Limits of a run: time, CPU time, memory in MB.
#[derive(Clone, Copy, Default)]
pub struct Limits(pub Option<f64>, pub Option<f64>, pub Option<u64>);

pub fn run_at(places: &Workplaces, script: &str, limits: Limits) -> Ended {
    let mut job = Bench::new(1).job();
    (job.time_limit_s, job.cpu_limit_s) = (limits.0.or(Some(30.0)), limits.1);
    job.memory_limit_b = limits.2.map(|mb| mb * MB);
    execute(&worker(script), &job, places.slot(0), &mut |_| {}, &Interrupt::new())
}

fn end(ended: &Ended) -> (Status, &str) {
    (ended.status, ended.termination_reason.as_str())
}

#[test]
fn memory_that_is_reserved_and_never_used_counts_where_there_is_no_control_group() {
    for places in places() {
        let script =
            format!("{}{} || exit 1\n{}", say(&[STARTED]), act("reserve:900"), say(&[answer("infeasible", None)]));
        let ended = run_at(&places, &script, Limits(None, None, Some(300)));
        let expected = match places.isolation {
            "process-group" => (Status::Memout, "memory-limit"),
            _ => (Status::Infeasible, "infeasible"),
        };
        assert_eq!(end(&ended), expected, "{}: {:?}", places.isolation, ended.message);
    }
}

#[test]
fn a_busy_worker_ends_with_its_time() {
    for places in places() {
        let script = format!("{}while :; do :; done", say(&[STARTED]));
        let ended = run_at(&places, &script, Limits(Some(1.0), None, None));
        assert_eq!(end(&ended), (Status::Timeout, "hard-limit"));
        // 1.3 s, and much for a busy machine. The measurement prints what it is.
        let (wall, cpu) = (ended.wall_time_s.expect("measured"), ended.cpu_time_s.expect("measured"));
        assert!((1.25..10.0).contains(&wall) && cpu > 0.0, "{wall} {cpu}");
        let message = ended.message.expect("a message");
        assert!(message.contains("a grace of 0.30 s"), "{message}");
    }
}

#[test]
fn cpu_time_is_that_of_all_descendants() {
    for places in places() {
        let script = "(while :; do :; done) & (while :; do :; done) & wait";
        let ended = run_at(&places, script, Limits(None, Some(0.5), None));
        assert_eq!(end(&ended), (Status::Timeout, "cpu-limit"), "{:?}", ended.message);
        // Neither of the two alone had as much.
        assert!(ended.cpu_time_s.is_some_and(|cpu| (0.5..10.0).contains(&cpu)), "{:?}", ended.cpu_time_s);
    }
}

#[test]
fn sleeping_takes_no_cpu_time() {
    for places in places() {
        let script = format!("sleep 1.2; {}", say(&[STARTED, &answer("infeasible", None)]));
        assert_eq!(run_at(&places, &script, Limits(None, Some(1.0), None)).status, Status::Infeasible);
    }
}

#[test]
fn the_kernel_keeps_the_cpu_limit_of_a_worker_that_says_so_itself() {
    let script = "kill -XCPU $$";
    let places = &places()[0];
    assert_eq!(end(&run_at(places, script, Limits(None, Some(5.0), None))), (Status::Timeout, "cpu-limit"));
    assert_eq!(run_at(places, script, Limits::default()).status, Status::Crash);
}

/// The memory of a run that was stopped is within a tenth of 200 MB.
fn stopped_at_200_mb(ended: &Ended) {
    assert_eq!(end(ended), (Status::Memout, "memory-limit"), "{ended:?}");
    let peak = ended.peak_memory_b.expect("measured") as f64 / MB as f64;
    assert!((180.0..=220.0).contains(&peak), "{peak} MB by {:?}", ended.memory_source);
}

#[test]
fn memory_taken_step_by_step_is_stopped_at_its_limit() {
    for places in places() {
        let ended = run_at(&places, &format!("exec {}", act("take-slowly:400")), Limits(None, None, Some(200)));
        stopped_at_200_mb(&ended);
        let source = ended.memory_source.expect("a source");
        let expected = match places.isolation {
            "cgroup-v2" => "cgroup v2 memory.",
            "cgroup-v1" => "cgroup v1 max_usage",
            _ => "",
        };
        assert!(source.starts_with(expected), "{source}");
    }
}

#[test]
fn memory_taken_at_once_is_refused() {
    for places in places() {
        // The kernel stops it before anybody can look: by the control group, or as no more can be mapped.
        let ended = run_at(&places, &format!("exec {}", act("take:4000")), Limits(None, None, Some(200)));
        stopped_at_200_mb(&ended);
    }
}

#[test]
fn the_memory_of_grandchildren_counts() {
    for places in places() {
        let one = act("take-slowly:400");
        stopped_at_200_mb(&run_at(&places, &format!("{one} & wait"), Limits(None, None, Some(200))));
        // Each for itself would be within the limit.
        let two = act("take-slowly:150");
        let ended = run_at(&places, &format!("{two} & {two} & wait"), Limits(None, None, Some(200)));
        assert_eq!(end(&ended), (Status::Memout, "memory-limit"), "{ended:?}");
        // They are two to be found by looking, which a busy machine delays; the measurement tells how far they came.
        assert!(ended.peak_memory_b.is_some_and(|peak| (180 * MB..300 * MB).contains(&peak)), "{ended:?}");
    }
}

#[test]
fn the_kernel_knows_the_limits_that_the_parent_keeps() {
    for places in places() {
        // Kilobytes of data and seconds of CPU time that each process of the worker can have.
        let ended = run_at(&places, "ulimit -d >&2; ulimit -t >&2; exit 1", Limits(None, Some(5.0), Some(200)));
        let told = ended.message.expect("the worker's words");
        let data = if places.isolation == "process-group" { "215040" } else { "unlimited" };
        assert_eq!(told, format!("exit code 1; {data} | 8"));
    }
}

#[test]
fn memory_that_is_shared_counts_once() {
    for places in places() {
        // Subshells are copies of a shell that holds 40 MB in a variable.
        let hold = "x=$(head -c 40000000 /dev/zero | tr '\\0' x)";
        let copies = "for i in 1 2 3 4 5 6 7; do { sleep 0.5; :; } & done; wait";
        let script = format!("{hold}; {copies}\n{}", say(&[STARTED, &answer("infeasible", None)]));
        let ended = run_at(&places, &script, Limits(None, None, Some(200)));
        assert_eq!(ended.status, Status::Infeasible, "{ended:?}");
    }
}

#[test]
fn a_crash_under_a_memory_limit_stays_a_crash() {
    for places in places() {
        for signal in ["SEGV", "ABRT", "KILL"] {
            let script = format!("echo no words of that >&2; kill -{signal} $$");
            let ended = run_at(&places, &script, Limits(None, None, Some(200)));
            assert_eq!(end(&ended), (Status::Crash, "signal"), "{signal} {:?}", ended.message);
            let hint = ended.message.is_some_and(|message| message.contains("refused memory beyond its limit"));
            assert_eq!(hint, signal == "SEGV" && places.isolation == "process-group", "{signal}");
        }
        let ended = run_at(&places, "exit 3", Limits(None, None, Some(200)));
        assert_eq!(end(&ended), (Status::Error, "exit-code"));
    }
}

#[test]
fn a_crash_close_to_the_memory_limit_stays_a_crash() {
    for places in places() {
        let ended = run_at(&places, &format!("exec {}", act("take-and-crash:183")), Limits(None, None, Some(200)));
        assert_eq!(end(&ended), (Status::Crash, "signal"), "{ended:?}");
        assert!(ended.peak_memory_b.is_some_and(|peak| peak > 180 * MB), "{ended:?}");
    }
}

#[test]
fn a_kill_from_outside_is_no_lack_of_memory_where_there_is_no_limit() {
    for places in places() {
        let ended = run_at(&places, "kill -KILL $$", Limits::default());
        assert_eq!(end(&ended), (Status::Crash, "signal"), "{ended:?}");
    }
}

#[test]
fn whoever_leaves_the_control_group_is_killed_as_well() {
    for places in places() {
        let bench = Bench::new(1);
        let file = bench.folder.path().join("pid");
        let pid = file.display();
        // Only the mark is left of it, where the machine lets it go.
        let doors =
            "/sys/fs/cgroup/cgroup.procs /sys/fs/cgroup/memory/cgroup.procs /sys/fs/cgroup/cpuacct/cgroup.procs";
        let leave = format!("for door in {doors}; do [ -e $door ] && (echo $$ > $door) 2> /dev/null; done");
        let stray = format!("setsid sh -c '{leave}; echo $$ > {pid}.tmp; mv {pid}.tmp {pid}; exec sleep 60'");
        let script = format!("({stray} > /dev/null & exit) &\nwhile [ ! -e {pid} ]; do sleep 0.01; done");
        run_at(&places, &script, Limits(Some(20.0), None, None));
        let stray = fs::read_to_string(&file).expect("it wrote its pid");
        assert!(gone(stray.trim()), "it lives on");
    }
}

#[test]
fn words_of_memory_count_only_where_memory_was_refused() {
    let plain = &places()[0];
    let dies = "echo \"terminate called after throwing an instance of 'std::bad_alloc'\" >&2; kill -ABRT $$";
    let says =
        say(&[STARTED, &answer("error", None).replace("\"solution\"", "\"message\":\"std::bad_alloc\",\"solution\"")]);
    let prints = format!("echo 'MemoryError: no more' >&2; {}", say(&[STARTED, &answer("error", None)]));
    for (script, without) in [(dies, Status::Crash), (says.as_str(), Status::Error), (prints.as_str(), Status::Error)] {
        let ended = run_at(plain, script, Limits(None, None, Some(200)));
        assert_eq!(end(&ended), (Status::Memout, "memory-limit"), "{ended:?}");
        assert_eq!(run_at(plain, script, Limits::default()).status, without);
    }
}

#[test]
fn a_program_of_the_worker_that_dies_close_to_its_limit_was_refused_memory() {
    let plain = &places()[0];
    for (message, taken, limit, expected) in [
        ("it was killed by signal 11", 183, Some(200), Status::Memout),
        ("it was killed by signal 11", 20, Some(200), Status::Error),
        ("it was killed by signal 11", 183, None, Status::Error),
        ("it printed nothing", 183, Some(200), Status::Error),
    ] {
        let answer = answer("error", None).replace("\"solution\"", &format!("\"message\":\"{message}\",\"solution\""));
        let script = format!("{}{}\n{}", say(&[STARTED]), act(&format!("take-and-crash:{taken}")), say(&[answer]));
        let ended = run_at(plain, &script, Limits(None, None, limit));
        assert_eq!(ended.status, expected, "{ended:?}");
    }
}

#[test]
fn temporary_files_of_a_killed_worker_are_removed() {
    let bench = Bench::new(1);
    let told = bench.folder.path().join("where");
    let script = format!(
        "{}mkdir \"$TMPDIR/sub\"; echo x > \"$TMPDIR/sub/model\"; echo \"$TMPDIR\" > {}; sleep 60",
        say(&[STARTED]),
        told.display()
    );
    let ended = run_at(&places()[0], &script, Limits(Some(1.0), None, None));
    assert_eq!(ended.status, Status::Timeout);
    let folder = fs::read_to_string(&told).expect("it wrote where");
    assert!(!folder.trim().is_empty() && !Path::new(folder.trim()).exists(), "{folder}");
}

#[test]
fn whoever_leaves_the_group_is_killed_as_well() {
    for places in places() {
        let bench = Bench::new(1);
        let file = bench.folder.path().join("pid");
        let pid = file.display();
        let stray = format!("sh -c 'echo $$ > {pid}.tmp; mv {pid}.tmp {pid}; exec sleep 60'");
        // One with a new session, and one that also has no parent of ours any more.
        for start in [format!("setsid {stray} &"), format!("(setsid {stray} & exit) &")] {
            for rest in [String::new(), "kill -9 $$".to_owned(), "sleep 60".to_owned()] {
                let _ = fs::remove_file(&file);
                let script = format!("{start}\nwhile [ ! -e {pid} ]; do sleep 0.01; done; {rest}");
                run_at(&places, &script, Limits(Some(2.0), None, None));
                let stray = fs::read_to_string(&file).expect("it wrote its pid");
                assert!(gone(stray.trim()), "{start} {rest}: it lives on");
            }
        }
    }
}

#[test]
fn the_cpu_time_of_a_killed_grandchild_counts() {
    for places in places() {
        let bench = Bench::new(1);
        let file = bench.folder.path().join("burnt");
        let wait = format!("while [ ! -e {} ]; do sleep 0.01; done", file.display());
        let answer = say(&[STARTED, &answer("infeasible", None)]);
        let script = format!("{} &\n{wait}; {answer}", act(&format!("burn:{}", file.display())));
        let ended = run_at(&places, &script, Limits::default());
        assert_eq!(ended.status, Status::Infeasible);
        assert!(ended.cpu_time_s.is_some_and(|cpu| cpu >= 0.29), "{:?}", ended.cpu_time_s);
    }
}

#[test]
fn every_row_says_how_the_session_kept_workers_apart() {
    let bench = Bench::with(&crate::support::CONFIG.replace("\"fake\"", "\"fake\"\n[[solver]]\nname = \"gone\""));
    bench.run(&crate::support::solving()).expect("a session");
    let isolation = bench.results().read_manifest().expect("a manifest").sessions[0].isolation.clone();
    let rows = bench.rows();
    assert!(rows.iter().any(|row| row.status == Status::Unsupported) && rows.len() == 2, "{rows:?}");
    assert!(rows.iter().all(|row| row.isolation == isolation), "{isolation} {rows:?}");
}

/// A group that is delegated to whoever is in it, as systemd's `Delegate=yes` does it. Dropped, it is removed.
struct Delegated {
    dir: PathBuf,
    isolation: &'static str,
}

impl Delegated {
    /// A group below this process's own, in whichever version of control groups has a memory controller.
    fn new() -> Result<Self, String> {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let (groups, mounts) = (read("/proc/self/cgroup"), read("/proc/self/mountinfo"));
        let mut reasons = Vec::new();
        for (isolation, kind, controller) in [("cgroup-v2", "- cgroup2 ", ""), ("cgroup-v1", "- cgroup ", "memory")] {
            let own = groups.lines().find_map(|line| {
                let (_, rest) = line.split_once(':')?;
                rest.split_once(':').filter(|(names, _)| *names == controller).map(|(_, path)| path)
            });
            let mount = mounts.lines().filter(|line| line.contains(kind) && line.ends_with(controller));
            let mount = mount.filter_map(|line| line.split(' ').nth(4)).next();
            let Some((own, mount)) = own.zip(mount) else { continue };
            let parent = PathBuf::from(format!("{mount}{own}"));
            // Version 1 has no such file, and needs none.
            let _ = fs::write(parent.join("cgroup.subtree_control"), "+memory");
            let dir = parent.join(format!("test-of-tilebench-{}", std::process::id()));
            let made = fs::create_dir(&dir).map_err(|error| format!("{}: {error}", dir.display()));
            let group = match made {
                Ok(()) => Self { dir, isolation },
                Err(reason) => {
                    reasons.push(reason);
                    continue;
                }
            };
            if !["memory.max", "memory.limit_in_bytes"].iter().any(|file| group.dir.join(file).exists()) {
                reasons.push(format!("{isolation} has no memory controller"));
                continue;
            }
            match rustix::fs::setxattr(&group.dir, "trusted.delegate", b"1", rustix::fs::XattrFlags::empty()) {
                Ok(()) => return Ok(group),
                Err(error) => reasons.push(format!("{} cannot be delegated: {error}", group.dir.display())),
            }
        }
        Err(reasons.join("; "))
    }
}

impl Drop for Delegated {
    fn drop(&mut self) {
        for _ in 0..100 {
            if fs::remove_dir(&self.dir).is_ok() {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn limits_hold_in_a_control_group_that_is_delegated() {
    // In the process that this test starts, the group is there already.
    if env::var(REQUIRED).is_ok() {
        return;
    }
    let group = match Delegated::new() {
        Ok(group) => group,
        Err(reason) => return eprintln!("SKIPPED: no control group can be made here: {reason}"),
    };
    let program = env::current_exe().expect("this program");
    let join = format!("echo $$ > '{}/cgroup.procs' && exec \"$0\" \"$@\"", group.dir.display());
    let ran = Command::new("sh")
        .args(["-c", &join])
        .arg(program)
        .args(["confinement::", "--test-threads", "2"])
        .env(REQUIRED, group.isolation)
        .output()
        .expect("a process");
    let said = format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{said}");
    assert!(fs::read_dir(&group.dir).expect("it is there").flatten().all(|entry| !entry.path().is_dir()), "{said}");
    eprintln!("limits were kept by {}", group.isolation);
}
