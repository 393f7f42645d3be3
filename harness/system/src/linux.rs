//! Linux.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::os::fd::OwnedFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::io::Errno;
use rustix::process::{
    PidfdFlags, RawPid, Signal, getpid, getppid, pidfd_open, pidfd_send_signal, set_child_subreaper,
    set_parent_process_death_signal,
};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// Has the kernel kill a program when the thread that starts it ends, however it ends.
pub fn die_with_parent(command: &mut Command) {
    let parent = getpid();
    let begin = move || {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // The parent may have gone before the line above took effect.
        if getppid() == Some(parent) { Ok(()) } else { Err(Errno::SRCH.into()) }
    };
    // SAFETY: between fork and exec the closure only makes system calls; it allocates and locks nothing.
    unsafe { command.pre_exec(begin) };
}

/// Whether processes below this one that lose their parent become its children from now on. A kernel that does not know this gives
/// them to the first process of the machine, and false is returned.
pub fn adopt_orphans(adopt: bool) -> bool {
    set_child_subreaper(adopt.then(getpid)).is_ok()
}

/// Kills a process if it is the one that is meant, and says whether it was. That is asked once the number is held by a
/// descriptor: a process that is given the number later is never hit. One that is gone already is no error.
pub fn kill_process(pid: RawPid, is_meant: impl FnOnce() -> bool) -> bool {
    let Some(process) = super::process(pid) else { return false };
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

/// Waits for the end of a child that is not reaped meanwhile.
#[derive(Debug)]
pub struct Watch(Option<OwnedFd>);

impl Watch {
    /// Of a child of this process.
    #[must_use]
    pub fn on(child: RawPid) -> Self {
        Self(super::process(child).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok()))
    }

    /// Waits until it has ended, at most so long; it may be less. Where the kernel does not tell, that is `look` at most.
    pub fn wait(&self, most: Duration, look: Duration) {
        match &self.0 {
            // A wait that is interrupted is one more look; one that is too long for the kernel's clock has no limit.
            Some(held) => {
                let _ = poll(&mut [PollFd::new(held, PollFlags::IN)], Timespec::try_from(most).ok().as_ref());
            }
            None => std::thread::sleep(most.min(look)),
        }
    }
}

/// A set of CPUs.
#[derive(Debug, Clone)]
pub struct Cpus(CpuSet);

impl Cpus {
    /// CPUs by their numbers; numbers that are too large for a set are left out.
    #[must_use]
    pub fn of(cpus: &[u32]) -> Self {
        let mut set = CpuSet::new();
        cpus.iter().map(|cpu| *cpu as usize).filter(|cpu| *cpu < CpuSet::MAX_CPU).for_each(|cpu| set.set(cpu));
        Self(set)
    }

    /// Pins the calling process to them. Makes one system call only.
    ///
    /// # Errors
    /// If this process may use none of them.
    pub fn pin(&self) -> io::Result<()> {
        Ok(sched_setaffinity(None, &self.0)?)
    }
}

/// CPUs that this process may use.
#[must_use]
pub fn usable_cpus() -> Vec<u32> {
    let set = sched_getaffinity(None).unwrap_or_else(|_| CpuSet::new());
    (0u32..).zip(0..CpuSet::MAX_CPU).filter(|(_, cpu)| set.is_set(*cpu)).map(|(cpu, _)| cpu).collect()
}

/// A name that one process of a network namespace can have at a time, and which goes with the process, whatever ends it.
#[derive(Debug)]
pub struct Claim(#[expect(dead_code, reason = "held open")] UnixDatagram);

impl Claim {
    /// Claims a name; `None` if somebody has it.
    ///
    /// # Errors
    /// If the kernel refuses.
    pub fn of(name: &str) -> io::Result<Option<Self>> {
        match UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(name)?) {
            Ok(socket) => Ok(Some(Self(socket))),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// A file that lives in memory only, positioned at its beginning.
///
/// # Errors
/// If there is no memory for it.
pub fn memory_file(name: &str, content: &[u8]) -> io::Result<File> {
    let mut file = File::from(memfd_create(name, MemfdFlags::CLOEXEC)?);
    file.write_all(content)?;
    file.rewind()?;
    Ok(file)
}
