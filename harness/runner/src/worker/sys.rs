//! The system calls that std does not wrap. All unsafe code of the crate is here.

use std::ffi::{CStr, CString};
use std::fs::File;
use std::io;
use std::io::{Seek, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

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

/// CPUs that a process may run on, as the kernel writes them: a bit each, far more than any machine has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CpuMask([u64; CpuMask::WORDS]);

impl CpuMask {
    const WORDS: usize = 128;

    /// The mask of some CPUs.
    pub fn of(cpus: &[u32]) -> Self {
        let mut words = [0; Self::WORDS];
        for &cpu in cpus {
            if let Some(word) = words.get_mut(cpu as usize / 64) {
                *word |= 1 << (cpu % 64);
            }
        }
        Self(words)
    }

    /// What the calling thread may run on.
    pub fn own() -> io::Result<Self> {
        let mut words = [0; Self::WORDS];
        // SAFETY: words is a valid place for as many bytes as are named.
        let result = unsafe { libc::sched_getaffinity(0, size_of_val(&words), words.as_mut_ptr().cast()) };
        if result == 0 { Ok(Self(words)) } else { Err(io::Error::last_os_error()) }
    }

    /// The CPUs in order.
    pub fn cpus(&self) -> Vec<u32> {
        let bits = (0..).zip(self.0.iter().flat_map(|word| (0..64).map(move |bit| word >> bit & 1 == 1)));
        bits.filter_map(|(cpu, set)| set.then_some(cpu)).collect()
    }
}

/// What becomes of a worker between fork and exec, prepared so that nothing is left to allocate there.
#[derive(Debug, Default)]
pub(super) struct Birth {
    /// Files `cgroup.procs` of the groups that it joins, open for writing.
    pub join: Vec<File>,
    /// The CPUs that it is pinned to.
    pub cpus: Option<CpuMask>,
    /// Bytes of data that each of its processes can map.
    pub data_b: Option<u64>,
    /// CPU seconds after which the kernel ends each of its processes.
    pub cpu_s: Option<u64>,
}

/// Has the process take its place before it runs its program, and has it killed when the thread that starts it ends,
/// so that none outlives a killed parent.
pub(super) fn prepare(command: &mut Command, birth: Birth) {
    let parent = std::process::id();
    let begin = move || {
        // SAFETY: prctl with these arguments reads and writes no memory of ours.
        if unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) } != 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: getppid has no preconditions.
        let now = unsafe { libc::getppid() };
        // The parent may have gone before the line above took effect.
        if u32::try_from(now) != Ok(parent) {
            return Err(io::Error::from_raw_os_error(libc::ESRCH));
        }
        for procs in &birth.join {
            // SAFETY: the descriptor is open and one byte of a static text is written; 0 stands for the writer.
            if unsafe { libc::write(procs.as_raw_fd(), c"0".as_ptr().cast(), 1) } != 1 {
                return Err(io::Error::last_os_error());
            }
        }
        if let Some(CpuMask(words)) = &birth.cpus {
            // SAFETY: words holds as many bytes as are named, and is only read.
            if unsafe { libc::sched_setaffinity(0, size_of_val(words), words.as_ptr().cast()) } != 0 {
                return Err(io::Error::last_os_error());
            }
        }
        if let Some(bytes) = birth.data_b {
            lower(libc::RLIMIT_DATA, bytes, bytes)?;
        }
        if let Some(seconds) = birth.cpu_s {
            lower(libc::RLIMIT_CPU, seconds, seconds.saturating_add(2))?;
        }
        Ok(())
    };
    // SAFETY: between fork and exec the closure only makes system calls; it allocates and locks nothing.
    unsafe { command.pre_exec(begin) };
}

/// Lowers a limit of the calling process; one that is lower already stays.
fn lower(resource: libc::__rlimit_resource_t, soft: u64, hard: u64) -> io::Result<()> {
    let mut now = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: now is a valid place to write to for the duration of the call.
    if unsafe { libc::getrlimit(resource, &raw mut now) } != 0 {
        return Err(io::Error::last_os_error());
    }
    let new = libc::rlimit { rlim_cur: soft.min(now.rlim_cur), rlim_max: hard.min(now.rlim_max) };
    // SAFETY: new is only read.
    if unsafe { libc::setrlimit(resource, &raw const new) } == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Kills every process of a group. One that is gone already is no error.
pub(super) fn kill_group(leader: libc::pid_t) {
    // SAFETY: killpg takes two numbers. The leader is not reaped yet, so the number is still the group's.
    unsafe { libc::killpg(leader, libc::SIGKILL) };
}

/// Kills one process. One that is gone already is no error.
pub(super) fn kill_process(pid: libc::pid_t) {
    if pid > 1 {
        // SAFETY: kill takes two numbers; the callers have just seen that the process is a worker's.
        unsafe { libc::kill(pid, libc::SIGKILL) };
    }
}

/// Waits until a child ends, and leaves it to be reaped.
pub(super) fn wait_for_end(pid: libc::pid_t) {
    let Ok(id) = libc::id_t::try_from(pid) else { return };
    loop {
        // SAFETY: siginfo_t is plain data, for which zeros are a valid value.
        let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
        // SAFETY: info is a valid place to write to for the duration of the call.
        let result = unsafe { libc::waitid(libc::P_PID, id, &raw mut info, libc::WEXITED | libc::WNOWAIT) };
        if result == 0 || io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            return;
        }
    }
}

/// Waits until a child ends and takes its exit status and resource usage.
pub(super) fn reap(pid: libc::pid_t) -> io::Result<Reaped> {
    let mut status = 0;
    // SAFETY: rusage is plain data, for which zeros are a valid value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: status and usage are valid places to write to for the duration of the call; the child is
        // ours, and nobody else waits for it (std's Child is dropped without waiting).
        if unsafe { libc::wait4(pid, &raw mut status, 0, &raw mut usage) } == pid {
            break;
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    Ok(Reaped {
        exit_code: libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)),
        exit_signal: libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status)),
        cpu_time_s: seconds(usage.ru_utime) + seconds(usage.ru_stime),
        max_rss_b: u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024,
    })
}

/// A file that lives in memory only, positioned at its beginning.
pub(super) fn memory_file(name: &CStr, content: &[u8]) -> io::Result<File> {
    // SAFETY: name is a valid C string; the call has no other preconditions.
    let fd = unsafe { libc::memfd_create(name.as_ptr(), libc::MFD_CLOEXEC) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: fd was opened just now and belongs to nobody else.
    let mut file = unsafe { File::from_raw_fd(fd) };
    file.write_all(content)?;
    file.rewind()?;
    Ok(file)
}

/// Has ended children wait to be taken note of, even if this process was started with that signal ignored.
pub(super) fn expect_children() {
    // SAFETY: sigaction is plain data, for which zeros are a valid value.
    let mut now: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: now is a valid place to write to for the duration of the call.
    let known = unsafe { libc::sigaction(libc::SIGCHLD, std::ptr::null(), &raw mut now) } == 0;
    if known && now.sa_sigaction == libc::SIG_IGN {
        // SAFETY: the call takes two constants, and takes no handler away.
        unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
    }
}

/// The user whose rights the calling process has.
pub(super) fn user() -> libc::uid_t {
    // SAFETY: geteuid has no preconditions.
    unsafe { libc::geteuid() }
}

/// Whether the calling process has the rights of root.
pub(super) fn is_root() -> bool {
    user() == 0
}

/// Opens a file of a directory that is open, whatever its path leads to by now.
pub(super) fn open_at(dir: &File, name: &CStr, flags: libc::c_int) -> io::Result<File> {
    // SAFETY: the descriptor is open, the name is a valid C string, and the mode is given in case a file is made.
    let fd = unsafe { libc::openat(dir.as_raw_fd(), name.as_ptr(), flags | libc::O_CLOEXEC, 0o666 as libc::c_uint) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: fd was opened just now and belongs to nobody else.
    Ok(unsafe { File::from_raw_fd(fd) })
}

/// Bytes of a page of memory, and clock ticks of a second, as `/proc` counts in them.
pub(super) fn units() -> (u64, f64) {
    // SAFETY: sysconf takes a number.
    let ask = |name| unsafe { libc::sysconf(name) };
    let (page, ticks) = (ask(libc::_SC_PAGESIZE), ask(libc::_SC_CLK_TCK));
    (u64::try_from(page).unwrap_or(4096), if ticks > 0 { ticks as f64 } else { 100.0 })
}

/// The first byte of an extended attribute of a file; `None` where there is no such attribute.
pub(super) fn attribute(path: &Path, name: &CStr) -> Option<u8> {
    let path = CString::new(path.as_os_str().as_bytes()).ok()?;
    let mut value = [0u8; 64];
    // SAFETY: both texts end in a zero, and value is a valid place for as many bytes as are named.
    let length = unsafe { libc::getxattr(path.as_ptr(), name.as_ptr(), value.as_mut_ptr().cast(), value.len()) };
    (length > 0).then_some(value[0])
}
