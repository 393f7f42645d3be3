//! What the system is asked for beyond std: calls, and the files by which the kernel tells of itself.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rustix::fs::MemfdFlags;
use rustix::io::{Errno, retry_on_intr};
use rustix::process::{
    Pid, PidfdFlags, RawPid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, WaitOptions, getpid, getppid, getrlimit,
    kill_process_group, pidfd_open, pidfd_send_signal, set_child_subreaper, set_parent_process_death_signal, setrlimit,
    waitid, waitpid,
};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use wait4::Wait4;

/// What the system says about a process that ended.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Reaped {
    pub exit_code: Option<i32>,
    pub exit_signal: Option<i32>,
    /// User and system time of the process and those of its children that it waited for.
    pub cpu_time_s: f64,
    /// Highest resident memory in bytes of the largest of these; it begins with that of the parent, as a copy of which a
    /// process starts.
    pub max_rss_b: u64,
}

/// What a worker gets between fork and exec.
#[derive(Debug, Default)]
pub(super) struct Start {
    /// Files `cgroup.procs` of the groups that it joins, open for writing.
    pub join: Vec<File>,
    /// The CPUs that it is pinned to.
    pub cpus: Option<CpuSet>,
    /// Bytes of data that each of its processes can map.
    pub data_b: Option<u64>,
    /// CPU seconds after which the kernel ends each of its processes.
    pub cpu_s: Option<u64>,
}

/// Has the process join its groups and lower its limits before it runs its program, and has it killed when the thread that
/// starts it ends, so that none outlives a killed parent. Whoever loses its parent below it becomes its child, so that it is found
/// there, whatever session or environment it has.
pub(super) fn prepare(command: &mut Command, start: Start) {
    let parent = getpid();
    let begin = move || {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // The parent may have gone before the line above took effect.
        if getppid() != Some(parent) {
            return Err(Errno::SRCH.into());
        }
        adopt_orphans(true);
        for procs in &start.join {
            // 0 stands for the writer.
            rustix::io::write(procs, b"0")?;
        }
        if let Some(cpus) = &start.cpus {
            sched_setaffinity(None, cpus)?;
        }
        if let Some(bytes) = start.data_b {
            lower(Resource::Data, bytes, bytes)?;
        }
        if let Some(seconds) = start.cpu_s {
            lower(Resource::Cpu, seconds, seconds.saturating_add(2))?;
        }
        Ok(())
    };
    // SAFETY: between fork and exec the closure only makes system calls; it allocates and locks nothing.
    unsafe { command.pre_exec(begin) };
}

/// Lowers a limit of the calling process; one that is lower already stays.
fn lower(resource: Resource, soft: u64, hard: u64) -> io::Result<()> {
    let now = getrlimit(resource);
    let least = |new: u64, now: Option<u64>| Some(now.map_or(new, |now| now.min(new)));
    Ok(setrlimit(resource, Rlimit { current: least(soft, now.current), maximum: least(hard, now.maximum) })?)
}

/// CPUs as a set; numbers that are too large for one are left out.
pub(super) fn cpu_set(cpus: &[u32]) -> CpuSet {
    let mut set = CpuSet::new();
    cpus.iter().map(|cpu| *cpu as usize).filter(|cpu| *cpu < CpuSet::MAX_CPU).for_each(|cpu| set.set(cpu));
    set
}

/// CPUs that this process may use.
pub(crate) fn usable_cpus() -> Vec<u32> {
    let set = sched_getaffinity(None).unwrap_or_else(|_| CpuSet::new());
    (0u32..).zip(0..CpuSet::MAX_CPU).filter(|(_, cpu)| set.is_set(*cpu)).map(|(cpu, _)| cpu).collect()
}

/// Takes in whoever loses its parent below this process from now on, or no longer. A kernel that does not know this leaves them to
/// the first process of the machine.
pub(super) fn adopt_orphans(adopt: bool) {
    let _ = set_child_subreaper(adopt.then(getpid));
}

/// Children of a process, dead ones that nobody has waited for among them.
pub(super) fn children(pid: RawPid) -> Vec<RawPid> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let listed = tasks.map(|task| fs::read_to_string(task.path().join("children")).unwrap_or_default());
    listed.flat_map(|list| list.split(' ').filter_map(|pid| pid.trim().parse().ok()).collect::<Vec<_>>()).collect()
}

/// Takes note of the end of a child, if it has ended.
pub(super) fn forget_dead(pid: RawPid) {
    let _ = Pid::from_raw(pid).map(|pid| waitpid(Some(pid), WaitOptions::NOHANG));
}

/// Sends a signal to every process of a group whose leader is not reaped yet, so that the number is nobody else's. One that is
/// gone already is no error.
pub(super) fn signal_group(leader: RawPid, signal: Signal) {
    let _ = Pid::from_raw(leader).map(|leader| kill_process_group(leader, signal));
}

/// Kills a process if it is the one that is meant, and says whether it was. That is asked once the number is held by a
/// descriptor: a process that is given the number later is never hit. One that is gone already is no error.
pub(super) fn kill_process(pid: RawPid, is_meant: impl FnOnce() -> bool) -> bool {
    let Some(process) = Pid::from_raw(pid).filter(|_| pid > 1) else { return false };
    let held = pidfd_open(process, PidfdFlags::empty());
    if matches!(held, Err(Errno::SRCH)) || !is_meant() {
        return false;
    }
    let _ = match held {
        Ok(held) => pidfd_send_signal(held, Signal::KILL),
        // A kernel before 5.3 has no such descriptors.
        Err(_) => rustix::process::kill_process(process, Signal::KILL),
    };
    true
}

/// Waits until a child ends, and leaves it to be reaped.
pub(super) fn wait_for_end(pid: RawPid) {
    if let Some(pid) = Pid::from_raw(pid) {
        // An error says that there is nothing to wait for.
        let _ = retry_on_intr(|| waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT));
    }
}

/// Waits until a child ends and takes its exit status and resource usage.
pub(super) fn reap(child: Child) -> io::Result<Reaped> {
    let ended = child.wait4()?;
    Ok(Reaped {
        exit_code: ended.status.code(),
        exit_signal: ended.status.signal(),
        cpu_time_s: (ended.rusage.utime + ended.rusage.stime).as_secs_f64(),
        max_rss_b: ended.rusage.maxrss,
    })
}

/// A file that lives in memory only, positioned at its beginning.
pub(super) fn memory_file(name: &str, content: &[u8]) -> io::Result<File> {
    let mut file = File::from(rustix::fs::memfd_create(name, MemfdFlags::CLOEXEC)?);
    file.write_all(content)?;
    file.rewind()?;
    Ok(file)
}

/// Has ended children wait to be reaped, even if this process was started with that signal ignored.
pub(super) fn expect_children() {
    if is_ignored(signal_hook::consts::SIGCHLD) {
        // A handler, whatever it does, ends the ignoring. Without one a wait fails and says so.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGCHLD, Arc::new(AtomicBool::new(false)));
    }
}

/// Whether this process was started with a signal ignored.
pub(crate) fn is_ignored(signal: i32) -> bool {
    let mask = System::default().field("/proc/self/status", "SigIgn");
    let mask = mask.and_then(|mask| u64::from_str_radix(&mask, 16).ok()).unwrap_or(0);
    u32::try_from(signal - 1).is_ok_and(|bit| mask.checked_shr(bit).unwrap_or(0) & 1 == 1)
}

/// Has an error say what was being done.
pub(super) fn doing<T>(what: impl Display, result: io::Result<T>) -> io::Result<T> {
    result.map_err(|error| io::Error::new(error.kind(), format!("{what}: {error}")))
}

/// `/proc` and `/sys`, under a root that tests put elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct System {
    root: PathBuf,
}
impl Default for System {
    fn default() -> Self {
        Self { root: PathBuf::from("/") }
    }
}

impl System {
    /// The files under another root.
    #[cfg(test)]
    pub fn at(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    /// Where a file of an absolute path lies.
    pub fn path(&self, absolute: impl AsRef<Path>) -> PathBuf {
        let absolute = absolute.as_ref();
        self.root.join(absolute.strip_prefix("/").unwrap_or(absolute))
    }

    /// The trimmed text of a file; empty where it cannot be read.
    pub fn read(&self, absolute: impl AsRef<Path>) -> String {
        fs::read_to_string(self.path(absolute)).map(|text| text.trim().to_owned()).unwrap_or_default()
    }

    /// The value of the first line `name: value` of a file.
    pub fn field(&self, absolute: impl AsRef<Path>, name: &str) -> Option<String> {
        self.read(absolute).lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            (key.trim() == name).then(|| value.trim().to_owned())
        })
    }

    /// The same in bytes, where the value is written `123 kB`.
    pub fn field_b(&self, absolute: impl AsRef<Path>, name: &str) -> Option<u64> {
        let value = self.field(absolute, name)?;
        value.strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_cpus() {
        let set = cpu_set(&[0, 63, 64, 1023, 100_000]);
        assert_eq!((set.count(), set.is_set(64), set.is_set(1)), (4, true, false));
        assert!(!usable_cpus().is_empty());
    }

    #[test]
    fn only_who_is_meant_is_killed() {
        let mut child = Command::new("sleep").arg("60").spawn().expect("a process");
        let pid = RawPid::try_from(child.id()).expect("a pid");
        assert!(children(getpid().as_raw_pid()).contains(&pid));
        assert!(!kill_process(pid, || false));
        assert_eq!(child.try_wait().expect("our own child"), None);
        assert!(kill_process(pid, || true));
        assert_eq!(child.wait().expect("our own child").signal(), Some(9));
        assert!(!kill_process(pid, || panic!("nobody has the number, so nobody is asked for")));
        assert!(!kill_process(1, || true) && !kill_process(0, || true));
    }

    #[test]
    fn fields_of_files_are_understood() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("info"), "processor\t: 0\nmodel name\t: Fast: 9\nMemTotal:   16 kB\n")
            .expect("a file");
        let system = System::at(folder.path());
        assert_eq!(system.field("/info", "model name").as_deref(), Some("Fast: 9"));
        assert_eq!((system.field("/info", "model"), system.field("/none", "model")), (None, None));
        assert_eq!((system.field_b("/info", "MemTotal"), system.field_b("/info", "processor")), (Some(16384), None));
    }
}
