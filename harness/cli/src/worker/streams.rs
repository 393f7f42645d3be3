//! Standard output belongs to the protocol, whatever a solver prints; memory as the kernel counted it.

use std::ffi::{c_int, c_void};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::ptr;

use rustix::stdio::dup2_stdout;

/// Takes standard output for the protocol and lets everything that is printed there later go to the log, or
/// to nowhere.
pub fn claim_stdout(log: Option<&Path>) -> io::Result<File> {
    let chatter = match log {
        Some(path) => OpenOptions::new().create(true).append(true).open(path)?,
        None => OpenOptions::new().write(true).open("/dev/null")?,
    };
    redirected(&chatter).map(File::from)
}

/// Does something and gives back what was printed to standard output meanwhile, by libraries too. What other threads print goes
/// there as well.
pub fn printed(act: &mut dyn FnMut()) -> io::Result<String> {
    let mut shown = system::memory_file("printed", b"")?;
    let own = redirected(&shown)?;
    act();
    redirected(&own)?;
    let mut bytes = Vec::new();
    shown.rewind()?;
    shown.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Makes something standard output; gives back what it was, to which everything goes that was printed so far.
fn redirected(to: impl AsFd) -> io::Result<OwnedFd> {
    unsafe extern "C" {
        /// Writes what is buffered of a stream of C, of all with a null pointer.
        fn fflush(stream: *mut c_void) -> c_int;
    }
    io::stdout().flush()?;
    // SAFETY: with a null pointer it takes nothing of ours.
    unsafe { fflush(ptr::null_mut()) };
    let before = io::stdout().as_fd().try_clone_to_owned()?;
    dup2_stdout(to)?;
    Ok(before)
}

/// Peak resident memory of this process and where the figure comes from.
pub fn peak_memory() -> (Option<u64>, Option<String>) {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|rest| rest.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    (kib.map(|kib| kib * 1024), kib.map(|_| "VmHWM (worker)".to_owned()))
}
