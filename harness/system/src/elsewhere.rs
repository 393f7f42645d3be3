//! Systems other than Linux: the same functions, as far as they go.

use std::convert::Infallible;
use std::fs::File;
use std::io::{self, Seek, Write};
use std::process::Command;
use std::time::Duration;

use rustix::process::{RawPid, Signal};

/// Nothing: a program outlives the process that started it.
pub fn die_with_parent(_command: &mut Command) {}

/// Does nothing: processes that lose their parent become children of the first process of the machine.
pub fn adopt_orphans(_adopt: bool) -> bool {
    false
}

/// Kills a process if it is the one that is meant, and says whether it was. One that is gone already is no error.
pub fn kill_process(pid: RawPid, is_meant: impl FnOnce() -> bool) -> bool {
    let Some(process) = super::process(pid).filter(|_| is_meant()) else { return false };
    let _ = rustix::process::kill_process(process, Signal::KILL);
    true
}

/// Waits for the end of a child that is not reaped meanwhile.
#[derive(Debug)]
pub struct Watch(());

impl Watch {
    /// Of a child of this process.
    #[must_use]
    pub fn on(_child: RawPid) -> Self {
        Self(())
    }

    /// Waits `look`, or `most` where that is less: the child has to be looked at.
    pub fn wait(&self, most: Duration, look: Duration) {
        std::thread::sleep(most.min(look));
    }
}

/// A set of CPUs, to which nothing can be pinned.
#[derive(Debug, Clone)]
pub struct Cpus(());

impl Cpus {
    /// CPUs by their numbers.
    #[must_use]
    pub fn of(_cpus: &[u32]) -> Self {
        Self(())
    }

    /// Does nothing.
    ///
    /// # Errors
    /// Always: there are no such calls here.
    pub fn pin(&self) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// CPUs that this process may use.
#[must_use]
pub fn usable_cpus() -> Vec<u32> {
    let number = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    (0u32..).take(number).collect()
}

/// A name that one process can have at a time: there are none here.
#[derive(Debug)]
pub struct Claim(Infallible);

impl Claim {
    /// Claims a name.
    ///
    /// # Errors
    /// Always: so nothing is pinned.
    pub fn of(_name: &str) -> io::Result<Option<Self>> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// A file without a name, positioned at its beginning.
///
/// # Errors
/// If the temporary directory cannot be written to.
pub fn memory_file(_name: &str, content: &[u8]) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    file.write_all(content)?;
    file.rewind()?;
    Ok(file)
}
