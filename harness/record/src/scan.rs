//! How far a file of rows is sound. Files of any length are read block by block.

use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

use crate::{RecordError, Row};

/// Bytes read at a time.
const BLOCK: usize = 1 << 18;

/// Longest header that is kept.
const HEADER: usize = 1 << 16;

/// What one unfinished batch of rows can leave behind the last complete one at most. Damage that begins further from the end is
/// not of our making, and nothing is cut off then.
const BATCH: u64 = 16 << 20;

/// What was found in a file of rows.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Scan {
    /// Its length.
    pub len: u64,
    /// Its length up to and including the newline of the last complete row. A row with a zero byte is none, nor is anything after
    /// it.
    pub complete: u64,
    /// Lines up to there.
    pub complete_lines: u64,
    /// Its first line, complete or not.
    pub first_line: Vec<u8>,
}

/// Reads a file from its beginning.
///
/// # Errors
/// A file that cannot be read; damage that is not at its end.
pub(crate) fn scan(file: &mut File, path: &Path) -> Result<Scan, RecordError> {
    let io = |source| RecordError::Io { path: path.to_owned(), source };
    file.rewind().map_err(io)?;
    let mut found = Scan::default();
    let (mut quoted, mut damaged, mut in_first, mut lines) = (false, false, true, 0);
    let mut block = vec![0; BLOCK];
    loop {
        let length = match file.read(&mut block) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(io(error)),
        };
        for (index, byte) in block[..length].iter().enumerate() {
            if in_first && found.first_line.len() < HEADER {
                found.first_line.push(*byte);
            }
            match byte {
                0 => {
                    damaged = true;
                    break;
                }
                b'"' => quoted = !quoted,
                b'\n' => {
                    lines += 1;
                    in_first = false;
                    if !quoted {
                        found.complete = found.len + index as u64 + 1;
                        found.complete_lines = lines;
                    }
                }
                _ => {}
            }
        }
        found.len += length as u64;
        if damaged {
            found.len = file.metadata().map_err(io)?.len();
            break;
        }
    }
    if found.len - found.complete > BATCH {
        let reason = "from here on the file is damaged; restore it from a copy, or choose another directory".to_owned();
        return Err(RecordError::Row { path: path.to_owned(), line: found.complete_lines + 1, reason });
    }
    Ok(found)
}

/// The first line of some text, from 1, that by itself is a row.
pub(crate) fn first_sound_row<T: Row>(text: &[u8]) -> Option<u64> {
    // csv takes an open quote at the end for closed: the beginning of a row of several lines is no row.
    let is_open = |line: &[u8]| line.iter().filter(|byte| **byte == b'"').count() % 2 == 1;
    let is_row = |line: &[u8]| {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line);
        !line.contains(&0) && !is_open(line) && reader.deserialize::<T>().next().is_some_and(|row| row.is_ok())
    };
    let mut lines = (1..).zip(text.split_inclusive(|byte| *byte == b'\n'));
    lines.find(|(_, line)| line.ends_with(b"\n") && is_row(line)).map(|(number, _)| number)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn scanned(parts: &[&[u8]]) -> Result<Scan, RecordError> {
        let mut file = tempfile::tempfile().expect("a file");
        for part in parts {
            file.write_all(part).expect("a file can be written");
        }
        scan(&mut file, Path::new("rows.csv"))
    }

    #[test]
    fn rows_end_at_a_newline_outside_of_quotes_and_hold_no_zeros() {
        for (text, complete) in [
            ("a,b\n1,2\n", 8),
            ("a,b\n1,\"2\n3\"\n", 12),
            ("a,b\n1,\"2\n3", 4),
            ("a,b\n1,2\n3", 8),
            ("a,b\n1,2\n\0\0\0", 8),
            ("a,b\n1,\0\n3,4\n", 4),
            ("a,", 0),
            ("", 0),
        ] {
            let found = scanned(&[text.as_bytes()]).expect("sound but for its end");
            assert_eq!((found.complete, found.len), (complete, text.len() as u64), "{text:?}");
        }
    }

    #[test]
    fn rows_may_lie_across_blocks() {
        let row = [b"1,\"".as_slice(), &vec![b'\n'; 2 * BLOCK], b"\"\n"].concat();
        let found = scanned(&[b"a,b\n", &row, b"3,"]).expect("sound but for its end");
        assert_eq!(found.complete, 4 + row.len() as u64);
        assert_eq!(found.first_line, b"a,b\n");
    }

    #[test]
    fn damage_in_the_middle_is_refused() {
        let rest = vec![b'\n'; usize::try_from(BATCH).expect("a length") + 1];
        let error = scanned(&[b"a\n1\n\0\n", &rest]).expect_err("rows behind the damage").to_string();
        assert!(error.contains("rows.csv, line 3") && error.contains("damaged"), "{error}");
    }
}
