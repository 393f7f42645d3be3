//! Checks solutions of all classes, each by itself.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;

use super::record::{RECORD, Records};
use super::{Capacities, Classes, Header, read};

/// Classes that a thread checks at a time.
const AT_A_TIME: usize = 1 << 13;

/// What is wrong with a file of solutions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// The file as a whole.
    File(String),
    /// The solution of a class; the first that is wrong.
    Class {
        /// Number of the class.
        class: u32,
        /// Its board.
        board: Capacities,
        /// What is wrong.
        reason: String,
    },
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(reason) => f.write_str(reason),
            Self::Class { class, board, reason } => {
                write!(f, "class {class} (capacities {board:?} at A to L): {reason}")
            }
        }
    }
}

impl std::error::Error for Flaw {}

/// Checks a file: its form, its hash, and every solution by the rules of the puzzle. `progress` is told how many more
/// solutions were checked, and whether to go on; if it ends the check, there is no answer.
///
/// # Errors
/// What is wrong with the file, or with the first class that has no valid solution.
pub fn check(
    file: &[u8],
    threads: usize,
    progress: &(dyn Fn(usize) -> ControlFlow<()> + Sync),
) -> Result<Option<Header>, Flaw> {
    let (header, records) = read(file)?;
    Ok(check_records(records, threads, progress)?.then_some(header))
}

/// Checks solutions of the classes from 0 on, as [`check`]; false if it was ended.
///
/// # Errors
/// What is wrong with the first class that has no valid solution.
pub fn check_records(
    records: &[[u8; RECORD]],
    threads: usize,
    progress: &(dyn Fn(usize) -> ControlFlow<()> + Sync),
) -> Result<bool, Flaw> {
    let (classes, rules) = (Classes::new(), Records::new());
    let (next, is_ended, first) = (AtomicUsize::new(0), AtomicBool::new(false), Mutex::new(None::<Flaw>));
    let check = || {
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
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // A machine that gives no more threads has fewer.
            if thread::Builder::new().spawn_scoped(scope, check).is_err() {
                break;
            }
        }
        check();
    });
    match first.into_inner() {
        Ok(Some(flaw)) => Err(flaw),
        _ => Ok(!is_ended.into_inner()),
    }
}
