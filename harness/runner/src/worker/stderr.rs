//! Where a worker's standard error goes: to the log of the run, with its end kept for messages.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Stdio;

use super::begin::doing;
use super::sys;

/// Bytes of the end that a message can quote.
const TAIL: u64 = 600;

/// The worker writes to the file itself: nothing is lost when the parent dies, and no pipe can fill up.
#[derive(Debug)]
pub(super) struct Stderr {
    file: File,
    start: u64,
}

impl Stderr {
    /// Appends to a log, or keeps the text in memory where there is none.
    pub fn open(log: Option<&Path>) -> io::Result<Self> {
        let file = match log {
            Some(path) => {
                let opened = OpenOptions::new().read(true).append(true).create(true).open(path);
                doing(format_args!("cannot open the log {}", path.display()), opened)?
            }
            None => doing("cannot make a file in memory", sys::memory_file(c"stderr", b""))?,
        };
        let start = file.metadata()?.len();
        Ok(Self { file, start })
    }

    /// The file for the worker.
    pub fn stdio(&self) -> io::Result<Stdio> {
        Ok(Stdio::from(self.file.try_clone()?))
    }

    /// Bytes written since the file was opened.
    pub fn written(&self) -> u64 {
        self.file.metadata().map_or(0, |file| file.len().saturating_sub(self.start))
    }

    /// The last lines written since the file was opened, on one line; `None` if there are none.
    pub fn tail(&self) -> Option<String> {
        let end = self.file.metadata().ok()?.len();
        let from = self.start.max(end.saturating_sub(TAIL));
        let mut bytes = vec![0; usize::try_from(end.saturating_sub(from)).ok()?];
        self.file.read_exact_at(&mut bytes, from).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        (!lines.is_empty()).then(|| lines.join(" | "))
    }
}
