//! Control groups: a group of its own for each run, so that the kernel counts and limits what the worker and all of
//! its descendants use, wherever they go.
//!
//! Groups are only made where they are ours to make: below a group that was delegated to us (by systemd with
//! `Delegate=yes`, or by giving the directory to the user), or where ours is the topmost group that can be seen.

mod parent;

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::RawPid;

use crate::worker::sys::doing;

pub(super) use self::parent::ParentGroup;

/// How long killed processes may take to be gone; freeing much memory takes a while.
const DYING: Duration = Duration::from_secs(5);

/// A peak so close to the limit, in bytes, has reached it: memory is charged in pages and in batches of them.
const NEAR_LIMIT: u64 = 1 << 20;

/// Which of the two interfaces of the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    /// Controllers in hierarchies of their own: `memory` and, perhaps, `cpuacct`.
    V1,
    V2,
}

/// The group of one run. Dropped, it is emptied and removed.
#[derive(Debug)]
pub(super) struct RunGroup {
    version: Version,
    memory: PathBuf,
    /// Where CPU time is counted; the same directory in version 2.
    cpu: Option<PathBuf>,
    polled_peak: u64,
}

impl RunGroup {
    fn new(version: Version, memory: PathBuf, cpu: Option<PathBuf>, limit_b: Option<u64>) -> io::Result<Self> {
        doing(memory.display(), create(&memory))?;
        let mut group = Self { version, memory, cpu: None, polled_peak: 0 };
        match version {
            Version::V2 => group.cpu = Some(group.memory.clone()),
            Version::V1 => {
                if let Some(dir) = cpu {
                    doing(dir.display(), create(&dir))?;
                    group.cpu = Some(dir);
                }
            }
        }
        group.limit(limit_b)?;
        Ok(group)
    }

    fn limit(&self, limit_b: Option<u64>) -> io::Result<()> {
        let set = |name: &str, value: &str| {
            let path = self.memory.join(name);
            doing(path.display(), write(&path, value))
        };
        // What a kernel does not have (swap accounting, say) cannot be set.
        let perhaps = |name: &str, value: &str| if self.memory.join(name).exists() { set(name, value) } else { Ok(()) };
        let limit = limit_b.map(|bytes| bytes.to_string());
        match (self.version, limit) {
            (Version::V2, limit) => {
                perhaps("memory.oom.group", "1")?;
                if let Some(limit) = limit {
                    set("memory.max", &limit)?;
                    perhaps("memory.swap.max", "0")?;
                }
                Ok(())
            }
            (Version::V1, None) => Ok(()),
            (Version::V1, Some(limit)) => {
                set("memory.limit_in_bytes", &limit)?;
                perhaps("memory.memsw.limit_in_bytes", &limit)
            }
        }
    }

    /// The files by which a process joins.
    pub fn procs_files(&self) -> io::Result<Vec<File>> {
        let mut dirs = vec![&self.memory];
        dirs.extend(self.cpu.iter().filter(|cpu| **cpu != self.memory));
        let open = |dir: &PathBuf| {
            let path = dir.join("cgroup.procs");
            doing(path.display(), OpenOptions::new().write(true).open(&path))
        };
        dirs.into_iter().map(open).collect()
    }

    /// Whether the kernel keeps the peak; else it is only known as often as [`RunGroup::poll`] is called.
    pub fn keeps_peak(&self) -> bool {
        self.memory.join(self.peak_file()).exists()
    }

    pub fn poll(&mut self) {
        if self.version == Version::V2 {
            self.polled_peak = self.polled_peak.max(number(&self.memory.join("memory.current")).unwrap_or(0));
        }
    }

    /// Highest use of memory so far, and where the figure comes from. Cached files count.
    pub fn peak(&self) -> Option<(u64, &'static str)> {
        match (number(&self.memory.join(self.peak_file())), self.version) {
            (Some(peak), Version::V2) => Some((peak, "cgroup v2 memory.peak")),
            (Some(peak), Version::V1) => Some((peak, "cgroup v1 max_usage")),
            (None, _) if self.polled_peak > 0 => Some((self.polled_peak, "cgroup v2 memory.current (parent poll)")),
            (None, _) => None,
        }
    }

    fn peak_file(&self) -> &'static str {
        match self.version {
            Version::V1 => "memory.max_usage_in_bytes",
            Version::V2 => "memory.peak",
        }
    }

    /// CPU time of all processes that ever were in the group; `None` where it is not counted.
    pub fn cpu_s(&self) -> Option<f64> {
        let dir = self.cpu.as_deref()?;
        match self.version {
            Version::V1 => number(&dir.join("cpuacct.usage")).map(|nanoseconds| nanoseconds as f64 / 1e9),
            Version::V2 => keyed(&dir.join("cpu.stat"), "usage_usec").map(|microseconds| microseconds as f64 / 1e6),
        }
    }

    /// Whether the kernel killed a process of the group because of the group's limit. Kills because the whole machine was out
    /// of memory are counted as well, so the group must have been at its limit.
    pub fn out_of_memory(&self) -> bool {
        let file = |name: &str| self.memory.join(name);
        let (kills, at_limit) = match self.version {
            // Where swap is accounted for, some kernels count no failure at either limit: the peak tells then.
            Version::V1 => {
                let failures = ["memory.failcnt", "memory.memsw.failcnt"].iter().filter_map(|name| number(&file(name)));
                let peak = number(&file("memory.max_usage_in_bytes")).zip(number(&file("memory.limit_in_bytes")));
                let was_reached = peak.is_some_and(|(peak, limit)| peak + NEAR_LIMIT >= limit);
                let kills = keyed(&file("memory.oom_control"), "oom_kill");
                (kills, failures.chain([u64::from(was_reached)]).max())
            }
            Version::V2 => (keyed(&file("memory.events"), "oom_kill"), keyed(&file("memory.events"), "oom")),
        };
        [kills, at_limit].iter().all(|count| count.is_some_and(|count| count > 0))
    }

    /// Kills every process of the group.
    pub fn kill(&self) {
        let at_once = self.memory.join("cgroup.kill");
        if !at_once.exists() || write(&at_once, "1").is_err() {
            kill_members(&self.memory);
        }
    }

    /// Kills every process of the group until none is left, or for as long as one may take to die.
    pub fn clear(&self) {
        let start = Instant::now();
        while !members(&self.memory).is_empty() && start.elapsed() < DYING {
            self.kill();
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for RunGroup {
    fn drop(&mut self) {
        self.clear();
        // What cannot be removed now is removed by a later session.
        remove(&self.memory);
        if let Some(cpu) = self.cpu.as_deref().filter(|cpu| *cpu != self.memory) {
            remove(cpu);
        }
    }
}

fn members(dir: &Path) -> Vec<RawPid> {
    let text = fs::read_to_string(dir.join("cgroup.procs")).unwrap_or_default();
    text.lines().filter_map(|line| line.trim().parse().ok()).collect()
}

fn kill_members(dir: &Path) {
    for pid in members(dir) {
        system::kill_process(pid, || members(dir).contains(&pid));
    }
}

/// Makes a group. One of that name was left by a runner that had our pid.
fn create(dir: &Path) -> io::Result<()> {
    match fs::create_dir(dir) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            fs::remove_dir(dir)?;
            fs::create_dir(dir)
        }
        other => other,
    }
}

/// Removes an empty group. The kernel may take a moment to see that it is empty.
fn remove(dir: &Path) {
    for _ in 0..100 {
        match fs::remove_dir(dir) {
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy => thread::sleep(Duration::from_millis(1)),
            _ => return,
        }
    }
}

/// Writes in one call, to a file that is there: the kernel's files take nothing else.
fn write(path: &Path, text: &str) -> io::Result<()> {
    use std::io::Write;
    OpenOptions::new().write(true).open(path)?.write_all(text.as_bytes())
}

fn number(path: &Path) -> Option<u64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

fn keyed(path: &Path, key: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A group in plain files, with what the kernel would have put there.
    fn group(version: Version, files: &[(&str, &str)]) -> (tempfile::TempDir, RunGroup) {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            fs::write(folder.path().join(name), text).expect("a file");
        }
        let memory = folder.path().to_owned();
        let group = RunGroup { version, cpu: Some(memory.clone()), memory, polled_peak: 0 };
        (folder, group)
    }

    #[test]
    fn figures_of_version_2() {
        let (folder, mut group) = group(
            Version::V2,
            &[
                ("memory.current", "5000\n"),
                ("memory.events", "low 0\nhigh 0\nmax 12\noom 1\noom_kill 2\noom_group_kill 1\n"),
                ("cpu.stat", "usage_usec 1500000\nuser_usec 1400000\nsystem_usec 100000\n"),
            ],
        );
        assert_eq!((group.cpu_s(), group.out_of_memory(), group.peak()), (Some(1.5), true, None));
        // Kernels before 5.19 have no peak.
        assert!(!group.keeps_peak());
        group.poll();
        assert_eq!(group.peak(), Some((5000, "cgroup v2 memory.current (parent poll)")));
        fs::write(folder.path().join("memory.peak"), "7000\n").expect("a file");
        assert_eq!((group.keeps_peak(), group.peak()), (true, Some((7000, "cgroup v2 memory.peak"))));
    }

    #[test]
    fn a_kill_is_of_the_limit_only_if_the_group_was_at_it() {
        let v2 = |oom: u64| format!("max {oom}\noom {oom}\noom_kill 1\noom_group_kill 1\n");
        let v1 = "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n";
        for (at_limit, expected) in [(0, false), (3, true)] {
            let (_folder, two) = group(Version::V2, &[("memory.events", &v2(at_limit))]);
            let (_other, one) =
                group(Version::V1, &[("memory.oom_control", v1), ("memory.failcnt", &at_limit.to_string())]);
            assert_eq!((two.out_of_memory(), one.out_of_memory()), (expected, expected));
            let swap = [("memory.oom_control", v1), ("memory.failcnt", "0"), ("memory.memsw.failcnt", "3")];
            assert!(group(Version::V1, &swap).1.out_of_memory(), "the limit of memory and swap was met");
            for (peak, expected) in [("209715200", true), ("109715200", false)] {
                let limit = ("memory.limit_in_bytes", "209715200");
                let files =
                    [("memory.oom_control", v1), limit, ("memory.failcnt", "0"), ("memory.max_usage_in_bytes", peak)];
                assert_eq!(group(Version::V1, &files).1.out_of_memory(), expected, "a peak of {peak}");
            }
        }
    }

    #[test]
    fn figures_of_version_1() {
        let (_folder, group) = group(
            Version::V1,
            &[
                ("memory.max_usage_in_bytes", "8192\n"),
                ("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n"),
                ("cpuacct.usage", "2500000000\n"),
            ],
        );
        assert_eq!((group.cpu_s(), group.out_of_memory()), (Some(2.5), false));
        assert_eq!(group.peak(), Some((8192, "cgroup v1 max_usage")));
    }

    #[test]
    fn limits_are_written_where_the_kernel_has_them() {
        let read = |folder: &tempfile::TempDir, name: &str| fs::read_to_string(folder.path().join(name)).ok();
        let (folder, two) =
            group(Version::V2, &[("memory.max", "max"), ("memory.swap.max", "max"), ("memory.oom.group", "0")]);
        two.limit(Some(209_715_200)).expect("written");
        assert_eq!(read(&folder, "memory.max").as_deref(), Some("209715200"));
        assert_eq!(
            (read(&folder, "memory.swap.max").as_deref(), read(&folder, "memory.oom.group").as_deref()),
            (Some("0ax"), Some("1"))
        );
        let (folder, one) = group(Version::V1, &[("memory.limit_in_bytes", "9223372036854771712")]);
        one.limit(None).expect("nothing to do");
        one.limit(Some(1 << 40)).expect("written");
        assert!(read(&folder, "memory.limit_in_bytes").is_some_and(|text| text.starts_with("1099511627776")));
        // Without swap accounting there is nothing to write to.
        assert_eq!(read(&folder, "memory.memsw.limit_in_bytes"), None);
        let (_folder, none) = group(Version::V2, &[]);
        assert!(none.limit(Some(1)).is_err_and(|error| error.to_string().contains("memory.max")));
    }
}
