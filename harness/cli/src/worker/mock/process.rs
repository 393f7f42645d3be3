//! Faults that need system calls. All unsafe code of the mock solver is here.

use std::hint::spin_loop;
use std::io;
use std::process;

/// Seconds after which what was left behind ends by itself, should nobody end it.
const LIFE_OF_CHILDREN: libc::c_uint = 60;

/// Dies of SIGSEGV.
pub(super) fn crash() -> ! {
    no_core_dump();
    // SAFETY: both calls take numbers only. The default action replaces std's handler, which would only look whether
    // a stack overflowed and return.
    unsafe {
        libc::signal(libc::SIGSEGV, libc::SIG_DFL);
        libc::raise(libc::SIGSEGV);
    }
    process::abort();
}

/// A crash on purpose shall not fill anybody's disk.
pub(super) fn no_core_dump() {
    // It takes as many words of this size, whatever the option.
    let nothing: libc::c_ulong = 0;
    // SAFETY: prctl with these arguments reads and writes no memory of ours.
    unsafe { libc::prctl(libc::PR_SET_DUMPABLE, nothing, nothing, nothing, nothing) };
}

/// Lets nothing but SIGKILL end this process.
pub(super) fn ignore_polite_signals() {
    for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP] {
        // SAFETY: the call takes two constants.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
}

/// Starts a child that computes and a child of that which sleeps. Both have this process's standard output open.
/// With `apart` they are in a session, and so in a process group, of their own.
pub(super) fn leave_children(apart: bool) -> io::Result<()> {
    // SAFETY: fork has no preconditions. This process has one thread, so the child may do what it likes; it only makes
    // system calls and never returns.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => live(apart),
        _ => Ok(()),
    }
}

fn live(apart: bool) -> ! {
    if apart {
        // SAFETY: setsid has no preconditions.
        unsafe { libc::setsid() };
    }
    // SAFETY: as in `leave_children`.
    let sleeps = unsafe { libc::fork() } == 0;
    // SAFETY: the call takes a number. A timer is not handed on by fork, so it is set after it.
    unsafe { libc::alarm(LIFE_OF_CHILDREN) };
    loop {
        if sleeps {
            // SAFETY: pause has no preconditions.
            unsafe { libc::pause() };
        } else {
            spin_loop();
        }
    }
}
