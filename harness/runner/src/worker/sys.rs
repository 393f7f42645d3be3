//! What the runner asks the system for: calls, and the files by which the kernel tells of itself.

use std::fmt::Display;
use std::fs::{self, File};
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::io::retry_on_intr;
use rustix::process::{
    Pid, RawPid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, getrlimit, kill_process_group, setrlimit, waitid,
};
use system::Cpus;
use wait4::Wait4;

/// What the marks of this process begin with; no other process ever has the same.
pub(crate) fn runner() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        format!("{}.{}", std::process::id(), now.as_nanos())
    })
}

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
    pub cpus: Option<Cpus>,
    /// Bytes of data that each of its processes can map.
    pub data_b: Option<u64>,
    /// CPU seconds after which the kernel ends each of its processes.
    pub cpu_s: Option<u64>,
}

/// Has the process join its groups and lower its limits before it runs its program, and has it killed when the thread that
/// starts it ends, so that none outlives a killed parent. Whoever loses its parent below it becomes its child, so that it is found
/// there, whatever session or environment it has.
pub(super) fn prepare(command: &mut Command, start: Start) {
    system::die_with_parent(command);
    let begin = move || {
        system::adopt_orphans(true);
        for procs in &start.join {
            // 0 stands for the writer.
            rustix::io::write(procs, b"0")?;
        }
        if let Some(cpus) = &start.cpus {
            cpus.pin()?;
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

fn lower(resource: Resource, soft: u64, hard: u64) -> io::Result<()> {
    let now = getrlimit(resource);
    let least = |new: u64, now: Option<u64>| Some(now.map_or(new, |now| now.min(new)));
    Ok(setrlimit(resource, Rlimit { current: least(soft, now.current), maximum: least(hard, now.maximum) })?)
}

/// Sends a signal to every process of a group whose leader is not reaped yet, so that the number is nobody else's. One that is
/// gone already is no error.
pub(super) fn signal_group(leader: RawPid, signal: Signal) {
    let _ = Pid::from_raw(leader).map(|leader| kill_process_group(leader, signal));
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

/// What a mutex holds: sound at any moment, whoever panicked while holding it.
pub(crate) fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a text is the number of a process that is not there, or not to be seen from here.
pub(crate) fn is_gone(pid: &str) -> bool {
    pid.parse::<u32>().is_ok() && !Path::new("/proc").join(pid).exists()
}

/// What was done, with what it was done to in front of an error.
pub(crate) fn doing<T>(what: impl Display, result: io::Result<T>) -> io::Result<T> {
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

    /// A machine of plain files, by their paths.
    #[cfg(test)]
    pub fn of<P: AsRef<Path>>(files: &[(P, &str)]) -> (tempfile::TempDir, Self) {
        let folder = tempfile::tempdir().expect("a folder");
        let system = Self::at(folder.path());
        for (path, text) in files {
            let path = system.path(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        (folder, system)
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

    /// The numbers of all processes.
    /// Errors: `/proc` cannot be read, as without free descriptors.
    pub fn processes(&self) -> io::Result<impl Iterator<Item = RawPid>> {
        let entries = fs::read_dir(self.path("/proc"))?.flatten();
        Ok(entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()))
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
    fn fields_of_files_are_understood() {
        let info = "processor\t: 0\nmodel name\t: Fast: 9\nMemTotal:   16 kB\n";
        let (_folder, system) = System::of(&[("/info", info)]);
        assert_eq!(system.field("/info", "model name").as_deref(), Some("Fast: 9"));
        assert_eq!((system.field("/info", "model"), system.field("/none", "model")), (None, None));
        assert_eq!((system.field_b("/info", "MemTotal"), system.field_b("/info", "processor")), (Some(16384), None));
    }
}
