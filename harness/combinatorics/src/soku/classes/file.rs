//! Files with a solution of every class.
//!
//! Five lines of text, an empty one, and then the records of the classes in the order of their numbers, from 0:
//!
//! ```text
//! tilebench solutions of IcoSoKu, by class
//! version 1
//! classes 3991680
//! bytes 12
//! blake3 f5c1...
//! ```
//!
//! `classes` is how many there are, all or the first so many; `bytes` is the size of one; `blake3` is the hash of all records.

use std::io::{self, Write};

use super::record::RECORD;
use super::{CLASSES, Flaw};

const TITLE: &str = "tilebench solutions of IcoSoKu, by class";
const VERSION: &str = "1";

/// No header is longer.
const MOST_HEADER: usize = 256;

/// What a file says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// How many classes the file has a solution of: those from 0 on.
    pub classes: u32,
    /// Hash of the records.
    pub hash: String,
}

/// Writes a file of these records.
///
/// # Errors
/// What the writer returns.
pub fn write(file: &mut dyn Write, records: &[[u8; RECORD]]) -> io::Result<()> {
    let bytes = records.as_flattened();
    let (classes, hash) = (records.len(), blake3::hash(bytes).to_hex());
    file.write_all(header(classes, &hash).as_bytes())?;
    file.write_all(bytes)
}

fn header(classes: usize, hash: &str) -> String {
    format!("{TITLE}\nversion {VERSION}\nclasses {classes}\nbytes {RECORD}\nblake3 {hash}\n\n")
}

/// Takes a file apart: what it says of itself, and its records.
///
/// # Errors
/// Something else than such a file, one of another version, one that was cut off, has too much or was changed.
pub fn read(file: &[u8]) -> Result<(Header, &[[u8; RECORD]]), Flaw> {
    let head = &file[..file.len().min(MOST_HEADER)];
    let end = head.windows(2).position(|pair| pair == b"\n\n");
    let text = std::str::from_utf8(&head[..end.unwrap_or(head.len())]).unwrap_or_default();
    let mut lines = text.lines();
    if lines.next() != Some(TITLE) {
        return Err(Flaw::File(format!("this is no file of solutions of IcoSoKu; its first line would be {TITLE:?}")));
    }
    let mut value = |name: &str| {
        let line = lines.next().unwrap_or_default();
        line.strip_prefix(name)
            .and_then(|rest| rest.strip_prefix(' '))
            .map(str::to_owned)
            .ok_or_else(|| Flaw::File(format!("the header has {line:?} where the line \"{name} ...\" should be")))
    };
    let version = value("version")?;
    if version != VERSION {
        return Err(Flaw::File(format!("version {version} of the format; this program reads version {VERSION}")));
    }
    let number = |name: &str, value: String, most: u32| {
        let number = value.parse().ok().filter(|number| (1..=most).contains(number));
        number.ok_or_else(|| Flaw::File(format!("{name} {value}; a number from 1 to {most}")))
    };
    let classes = number("classes", value("classes")?, CLASSES)?;
    let bytes = value("bytes")?;
    if bytes != RECORD.to_string() {
        return Err(Flaw::File(format!("bytes {bytes}; in version {VERSION} a solution has {RECORD}")));
    }
    let hash = value("blake3")?;
    let Some(end) = end else {
        return Err(Flaw::File("the empty line behind the header is missing".to_owned()));
    };
    if file[..end + 2] != *header(classes as usize, &hash).as_bytes() {
        return Err(Flaw::File("the header is not as this program writes it".to_owned()));
    }
    let content = &file[end + 2..];
    let due = classes as usize * RECORD;
    if content.len() != due {
        let what = if content.len() < due { "it was cut off" } else { "it has too much" };
        let (found, due) = (content.len(), due);
        return Err(Flaw::File(format!("{found} bytes of solutions instead of {due} for {classes} classes: {what}")));
    }
    let found = blake3::hash(content).to_hex();
    if *found != *hash {
        return Err(Flaw::File(format!(
            "the hash of the solutions is {found} instead of {hash}: the file was changed"
        )));
    }
    let (records, _) = content.as_chunks();
    Ok((Header { classes, hash }, records))
}
