//! The system calls that std does not wrap. All unsafe code of the crate is here.

use std::ffi::CStr;
use std::fs::File;
use std::io;
use std::io::{Seek, Write};
use std::os::fd::FromRawFd;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// What the system says about a process that ended.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Reaped {
    pub exit_code: Option<i32>,
    pub exit_signal: Option<i32>,
    pub cpu_time_s: f64,
}

/// Has the process killed when the thread that starts it ends, so that none outlives a killed parent.
pub(super) fn end_with_parent(command: &mut Command) {
    let parent = std::process::id();
    let prepare = move || {
        // SAFETY: prctl with these arguments reads and writes no memory of ours.
        if unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) } != 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: getppid has no preconditions.
        let now = unsafe { libc::getppid() };
        // The parent may have gone before the line above took effect.
        if u32::try_from(now) == Ok(parent) { Ok(()) } else { Err(io::Error::from_raw_os_error(libc::ESRCH)) }
    };
    // SAFETY: between fork and exec the closure only makes two system calls; it allocates and locks nothing.
    unsafe { command.pre_exec(prepare) };
}

/// Kills every process of a group. One that is gone already is no error.
pub(super) fn kill_group(leader: libc::pid_t) {
    // SAFETY: killpg takes two numbers. The leader is not reaped yet, so the number is still the group's.
    unsafe { libc::killpg(leader, libc::SIGKILL) };
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
