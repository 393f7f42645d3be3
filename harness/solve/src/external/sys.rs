//! What is asked of the kernel for programs that this process starts. All unsafe code of external solvers.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;

/// Lets a program be killed when the thread that starts it ends, however it ends.
pub(super) fn die_with_parent(command: &mut Command) {
    let parent = std::process::id();
    // SAFETY: between fork and exec the closure only makes system calls, which are async-signal-safe, and allocates nothing.
    unsafe {
        command.pre_exec(move || {
            if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) == -1 {
                return Err(io::Error::last_os_error());
            }
            // The parent may have ended before it took effect.
            if u32::try_from(libc::getppid()).is_ok_and(|now| now == parent) {
                Ok(())
            } else {
                Err(io::Error::from_raw_os_error(libc::ESRCH))
            }
        });
    }
}

/// A descriptor that becomes readable when a process ends; `None` where the kernel has none.
pub(super) fn pidfd(process: u32) -> Option<OwnedFd> {
    // SAFETY: the call takes two integers and touches no memory of ours.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, libc::c_long::from(process), 0) };
    let fd = RawFd::try_from(fd).ok().filter(|fd| *fd >= 0)?;
    // SAFETY: the kernel has just made this descriptor for us, and nobody else has it.
    Some(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Waits until a descriptor is readable, or for some time.
pub(super) fn wait_readable(fd: &OwnedFd, most: Duration) {
    let mut poll = libc::pollfd { fd: fd.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // Rounded up, so that the end of the time is not polled for.
    let millis = libc::c_int::try_from(most.as_micros().div_ceil(1000)).unwrap_or(libc::c_int::MAX);
    // SAFETY: the pointer is to one pollfd that lives through the call.
    unsafe { libc::poll(&raw mut poll, 1, millis) };
}

/// Makes this process the parent of what its programs leave behind, so that it can be found. Where the kernel refuses, it is
/// not found.
pub(super) fn adopt_orphans() {
    // SAFETY: the call takes integers alone, changes who becomes the parent of orphans below this process and touches no
    // memory of ours.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) };
}

/// Reaps a process, if it is a child of ours and dead.
pub(super) fn reap(process: u32) {
    if let Ok(pid) = libc::pid_t::try_from(process)
        && pid > 1
    {
        // SAFETY: a null status is allowed and says that it is not wanted; the rest are integers.
        unsafe { libc::waitpid(pid, std::ptr::null_mut(), libc::WNOHANG) };
    }
}

/// Kills a process. One that is gone already is no error.
pub(super) fn kill(process: u32) {
    if let Ok(pid) = libc::pid_t::try_from(process)
        && pid > 1
    {
        // SAFETY: the call takes two integers and touches no memory of ours.
        unsafe { libc::kill(pid, libc::SIGKILL) };
    }
}
