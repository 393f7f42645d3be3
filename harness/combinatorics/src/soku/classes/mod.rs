//! All boards of IcoSoKu: every way to put the capacities 1 to 12 on the vertices of the icosahedron, up to its symmetries;
//! and files with a solution of each.
//!
//! The icosahedron has 120 symmetries, half of them reflections. A reflection makes a solution one of the reflected board
//! with reflected tiles, and the tiles of IcoSoKu are their own mirror images as a set, so that 12! / 120 = 3,991,680
//! boards stand for all (Rizzo, section 5.2). Here the one that stands for its class has capacity 1 at vertex A, at B the
//! least capacity of A's neighbours B to F, and a lesser one at C than at F; classes are numbered from 0.
//!
//! A file has five lines of text, an empty one, and then the records of the classes in the order of their numbers, from 0:
//!
//! ```text
//! tilebench solutions of IcoSoKu, by class
//! version 1
//! classes 3991680
//! bytes 12
//! blake3 f5c1...
//! ```
//!
//! `classes` is the number of classes in the file, from class 0 on; `bytes` is the size of one; `blake3` is the hash of all records.
//! [`check`] knows the field, the tiles and the numbering of the classes, and nothing of how solutions are found.

mod rank;
mod record;

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use crate::in_threads;

pub use rank::{CLASSES, Capacities, Classes, game};
pub use record::{Images, RECORD, Records};

const TITLE: &str = "tilebench solutions of IcoSoKu, by class";
const VERSION: &str = "1";

/// No header is longer.
const MOST_HEADER: usize = 256;

/// Classes that a thread checks at a time.
const AT_A_TIME: usize = 1 << 13;

/// What is wrong with a file of solutions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// The file as a whole.
    #[error("{0}")]
    File(String),
    /// The solution of a class; the first that is wrong.
    #[error("class {class} (capacities {board:?} at A to L): {reason}")]
    Class {
        /// Number of the class.
        class: u32,
        /// Its board.
        board: Capacities,
        /// What is wrong.
        reason: String,
    },
}

/// Writes a file of these records.
pub fn write(file: &mut dyn Write, records: &[[u8; RECORD]]) -> io::Result<()> {
    let bytes = records.as_flattened();
    let (classes, hash) = (records.len(), blake3::hash(bytes).to_hex());
    file.write_all(header(classes, &hash).as_bytes())?;
    file.write_all(bytes)
}

fn header(classes: usize, hash: &str) -> String {
    format!("{TITLE}\nversion {VERSION}\nclasses {classes}\nbytes {RECORD}\nblake3 {hash}\n\n")
}

/// The records of a file: solutions of the classes from 0 on.
/// Errors: something else than such a file, one of another version, one that was cut off, has too much or was changed.
pub fn read(file: &[u8]) -> Result<&[[u8; RECORD]], Flaw> {
    let head = &file[..file.len().min(MOST_HEADER)];
    let end = head.windows(2).position(|pair| pair == b"\n\n");
    let text = std::str::from_utf8(&head[..end.unwrap_or(head.len())]).unwrap_or_default();
    let wrong = |what: String| Err(Flaw::File(what));
    if text.lines().next() != Some(TITLE) {
        return wrong(format!("this is not a file of solutions of IcoSoKu; its first line should be {TITLE:?}"));
    }
    let Some(end) = end else { return wrong("the empty line after the header is missing".to_owned()) };
    let value = |name: &str| {
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.ok_or_else(|| Flaw::File(format!("the header lacks the line \"{name} ...\"")))
    };
    let (version, bytes, hash) = (value("version")?, value("bytes")?, value("blake3")?.to_owned());
    if version != VERSION {
        return wrong(format!("version {version} of the format; this program reads version {VERSION}"));
    }
    if bytes != RECORD.to_string() {
        return wrong(format!("bytes {bytes}; in version {VERSION} a solution has {RECORD}"));
    }
    let classes = value("classes")?;
    let Some(classes) = classes.parse().ok().filter(|number| (1..=CLASSES).contains(number)) else {
        return wrong(format!("classes {classes}; a number from 1 to {CLASSES}"));
    };
    if file[..end + 2] != *header(classes as usize, &hash).as_bytes() {
        return wrong("the header is not as this program writes it".to_owned());
    }
    let content = &file[end + 2..];
    let due = classes as usize * RECORD;
    if content.len() != due {
        let what = if content.len() < due { "it was cut off" } else { "it has too much" };
        let (found, due) = (content.len(), due);
        return wrong(format!("{found} bytes of solutions instead of {due} for {classes} classes: {what}"));
    }
    let found = blake3::hash(content).to_hex();
    if *found != *hash {
        return wrong(format!("the hash of the solutions is {found} instead of {hash}: the file was changed"));
    }
    Ok(content.as_chunks().0)
}

/// Checks a file: its form, its hash, and every solution by the rules of the puzzle. `progress` is told how many more
/// solutions were checked, and whether to go on; if it ends the check, there is no answer. Returns how many classes have a solution.
/// Errors: what is wrong with the file, or with the first class that has no valid solution.
pub fn check(
    file: &[u8],
    threads: usize,
    progress: &(dyn Fn(usize) -> ControlFlow<()> + Sync),
) -> Result<Option<usize>, Flaw> {
    let records = read(file)?;
    Ok(check_records(records, threads, progress)?.then_some(records.len()))
}

/// Checks solutions of the classes from 0 on, as [`check`]; false if it was ended.
/// Errors: what is wrong with the first class that has no valid solution.
pub fn check_records(
    records: &[[u8; RECORD]],
    threads: usize,
    progress: &(dyn Fn(usize) -> ControlFlow<()> + Sync),
) -> Result<bool, Flaw> {
    let (classes, rules) = (Classes::new(), Records::new());
    let (next, is_ended, first) = (AtomicUsize::new(0), AtomicBool::new(false), Mutex::new(None::<Flaw>));
    in_threads(threads, || {
        while !is_ended.load(Relaxed) {
            let start = next.fetch_add(AT_A_TIME, Relaxed);
            let Some(part) = records.get(start..).filter(|part| !part.is_empty()) else { return };
            let part = &part[..part.len().min(AT_A_TIME)];
            for (record, class) in part.iter().zip(start as u32..) {
                let board = classes.capacities(class);
                let checked = rules.options(&board, record).and_then(|shown| rules.verify(&board, &shown));
                if let Err(reason) = checked {
                    // Parts are taken in order, and each is looked at to its first flaw: the least of all is among them.
                    is_ended.store(true, Relaxed);
                    if let Ok(mut first) = first.lock() {
                        let is_first = !matches!(&*first, Some(Flaw::Class { class: other, .. }) if *other < class);
                        if is_first {
                            *first = Some(Flaw::Class { class, board, reason });
                        }
                    }
                    return;
                }
            }
            if progress(part.len()).is_break() {
                is_ended.store(true, Relaxed);
            }
        }
    });
    match first.into_inner() {
        Ok(Some(flaw)) => Err(flaw),
        _ => Ok(!is_ended.into_inner()),
    }
}
