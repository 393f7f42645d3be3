//! Standard output belongs to the protocol, whatever a solver prints; memory as the kernel counted it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::{AsRawFd, FromRawFd, RawFd};
use std::path::Path;

/// Takes standard output for the protocol and lets everything that is printed there later go to the log, or
/// to nowhere.
pub fn claim_stdout(log: Option<&Path>) -> io::Result<File> {
    let chatter = match log {
        Some(path) => OpenOptions::new().create(true).append(true).open(path)?,
        None => OpenOptions::new().write(true).open("/dev/null")?,
    };
    io::stdout().flush()?;
    let protocol = duplicate(libc::STDOUT_FILENO)?;
    // SAFETY: both descriptors are open; standard output is replaced by a file that stays open in its place.
    if unsafe { libc::dup2(chatter.as_raw_fd(), libc::STDOUT_FILENO) } < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(protocol)
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
