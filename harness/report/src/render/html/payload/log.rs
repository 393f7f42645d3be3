//! The end of what a solver printed.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// Most lines.
const LINES: usize = 40;

/// The last lines of a log, at most so many bytes, with whatever is no text replaced; `None` if there is no such file.
pub fn tail(path: &Path, bytes: usize) -> Option<String> {
    // Opening a pipe would wait for somebody to write into it; a link may lead out of the results directory.
    let facts = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    let mut file = File::open(path).ok()?;
    let length = facts.len();
    let start = length.saturating_sub(bytes as u64);
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut end = Vec::with_capacity(bytes);
    file.take(bytes as u64).read_to_end(&mut end).ok()?;
    let text = String::from_utf8_lossy(&end);
    let text = text.trim_end();
    // The first line is cut off, unless it is the only one.
    let whole = if start > 0 { text.split_once('\n').map_or(text, |(_, rest)| rest) } else { text };
    let lines: Vec<_> = whole.lines().collect();
    Some(lines[lines.len().saturating_sub(LINES)..].join("\n"))
}
