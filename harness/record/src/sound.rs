//! Reading a file of rows that may be written to at the same time, or whose end was lost: whole rows come through, the beginning
//! of a row at the end of the file does not.

use std::io::{self, Read};

/// Bytes read at a time.
const BLOCK: usize = 1 << 18;

/// Passes on what ends with a newline outside of quotes. What is left at the end is a row that was not written to its end.
#[derive(Debug)]
pub(crate) struct WholeRows<R> {
    inner: R,
    /// What was read and not passed on.
    bytes: Vec<u8>,
    /// How much of it was passed on.
    given: usize,
    /// How much of it may be.
    whole: usize,
    /// How much of it was looked at, and whether that ends within quotes.
    seen: usize,
    quoted: bool,
}

impl<R: Read> WholeRows<R> {
    pub fn new(inner: R) -> Self {
        Self { inner, bytes: Vec::new(), given: 0, whole: 0, seen: 0, quoted: false }
    }

    /// Bytes at the end of the file that are no whole row; once everything was read.
    pub fn torn(&self) -> &[u8] {
        &self.bytes[self.whole..]
    }

    /// Reads on until there is something to pass on; false at the end.
    fn fill(&mut self) -> io::Result<bool> {
        while self.given == self.whole {
            self.bytes.drain(..self.given);
            self.seen -= self.given;
            (self.given, self.whole) = (0, 0);
            let start = self.bytes.len();
            self.bytes.resize(start + BLOCK, 0);
            let read = self.inner.read(&mut self.bytes[start..]);
            self.bytes.truncate(start + read.as_ref().map_or(0, |length| *length));
            if read? == 0 {
                return Ok(false);
            }
            self.look();
        }
        Ok(true)
    }

    /// Finds the last newline outside of quotes in what is new.
    fn look(&mut self) {
        let new = &self.bytes[self.seen..];
        // Counted first and gone through from the end: nearly all of a file is looked at only once, many bytes at a time.
        let quotes = new.iter().filter(|byte| **byte == b'"').count();
        let mut quoted = self.quoted ^ (quotes % 2 == 1);
        self.quoted = quoted;
        for (index, byte) in new.iter().enumerate().rev() {
            match byte {
                b'"' => quoted = !quoted,
                b'\n' if !quoted => {
                    self.whole = self.seen + index + 1;
                    break;
                }
                _ => {}
            }
        }
        self.seen = self.bytes.len();
    }
}

impl<R: Read> Read for WholeRows<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() || !self.fill()? {
            return Ok(0);
        }
        let length = into.len().min(self.whole - self.given);
        into[..length].copy_from_slice(&self.bytes[self.given..][..length]);
        self.given += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives so many bytes at a time.
    struct Bits<'a>(&'a [u8], usize);

    impl Read for Bits<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let most = self.1.min(into.len());
            self.0.read(&mut into[..most])
        }
    }

    #[test]
    fn whole_rows_come_through_however_they_are_read() {
        for (text, whole) in [
            ("a,b\n1,2\n", 8),
            ("a,b\n1,\"2\n3\"\n4", 12),
            ("a,b\n1,\"2\n3", 4),
            ("a,b\n1,\"2\"\"\n\",\"\n", 4),
            ("a,b\n\0\0", 4),
            ("a,", 0),
            ("", 0),
        ] {
            for step in [1, 2, 3, 5, BLOCK] {
                let mut rows = WholeRows::new(Bits(text.as_bytes(), step));
                let mut read = String::new();
                rows.read_to_string(&mut read).expect("text");
                assert_eq!(
                    (read.as_str(), rows.torn()),
                    (&text[..whole], &text.as_bytes()[whole..]),
                    "{text:?} by {step}"
                );
            }
        }
    }

    #[test]
    fn rows_may_lie_across_blocks() {
        let row = format!("1,\"{}\"\n", "\n".repeat(2 * BLOCK));
        let mut rows = WholeRows::new(row.as_bytes());
        assert_eq!(io::copy(&mut rows, &mut io::sink()).expect("text"), row.len() as u64);
        assert_eq!(rows.torn(), b"");
    }
}
