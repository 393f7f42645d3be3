//! Standard output belongs to the protocol, whatever a solver prints; memory as the kernel counted it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::{AsRawFd, FromRawFd, RawFd};
use std::os::unix::fs::FileExt;
use std::path::Path;

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
        None => memory_file()?,
    };
    let start = chatter.metadata()?.len();
    io::stdout().flush()?;
    let protocol = duplicate(libc::STDOUT_FILENO)?;
    // SAFETY: both descriptors are open; standard output is replaced by a file that stays open in its place.
    if unsafe { libc::dup2(chatter.as_raw_fd(), libc::STDOUT_FILENO) } < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok((protocol, Chatter { file: chatter, start }))
}

fn memory_file() -> io::Result<File> {
    // SAFETY: the name is a valid C string; the descriptor is new, closed on exec, and belongs to the File alone.
    unsafe {
        match libc::memfd_create(c"chatter".as_ptr(), libc::MFD_CLOEXEC) {
            -1 => Err(io::Error::last_os_error()),
            new => Ok(File::from_raw_fd(new)),
        }
    }
}

fn duplicate(descriptor: RawFd) -> io::Result<File> {
    // SAFETY: fcntl makes a new descriptor or fails; the new one, closed on exec, belongs to the File alone.
    unsafe {
        match libc::fcntl(descriptor, libc::F_DUPFD_CLOEXEC, 3) {
            -1 => Err(io::Error::last_os_error()),
            new => Ok(File::from_raw_fd(new)),
        }
    }
}

/// Peak resident memory of this process and where the figure comes from.
pub fn peak_memory() -> (Option<u64>, Option<String>) {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|rest| rest.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    (kib.map(|kib| kib * 1024), kib.map(|_| "VmHWM (worker)".to_owned()))
}
