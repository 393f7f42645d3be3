//! Standard output belongs to the protocol, whatever a solver prints; memory as the kernel counted it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::mem::ManuallyDrop;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::path::Path;

use rustix::fs::MemfdFlags;

/// What a solver prints: the log, or a file in memory where there is none.
#[derive(Debug)]
pub struct Chatter {
    file: File,
    start: u64,
}

impl Chatter {
    /// Everything that was printed since standard output was taken.
    pub fn text(&self) -> io::Result<String> {
        let mut bytes = vec![0; usize::try_from(self.file.metadata()?.len() - self.start).unwrap_or(usize::MAX)];
        self.file.read_exact_at(&mut bytes, self.start)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Takes standard output for the protocol and lets everything that is printed there later go to the log, or
/// to nowhere.
pub fn claim_stdout(log: Option<&Path>) -> io::Result<(File, Chatter)> {
    let chatter = match log {
        Some(path) => OpenOptions::new().create(true).read(true).append(true).open(path)?,
        None => File::from(rustix::fs::memfd_create("chatter", MemfdFlags::CLOEXEC)?),
    };
    let start = chatter.metadata()?.len();
    io::stdout().flush()?;
    let protocol = io::stdout().as_fd().try_clone_to_owned()?;
    // SAFETY: standard output is open, and stays so: this owner never closes it.
    let mut stdout = ManuallyDrop::new(unsafe { OwnedFd::from_raw_fd(io::stdout().as_raw_fd()) });
    rustix::io::dup2(&chatter, &mut stdout)?;
    Ok((File::from(protocol), Chatter { file: chatter, start }))
}

/// Peak resident memory of this process and where the figure comes from.
pub fn peak_memory() -> (Option<u64>, Option<String>) {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|rest| rest.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    (kib.map(|kib| kib * 1024), kib.map(|_| "VmHWM (worker)".to_owned()))
}
