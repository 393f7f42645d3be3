//! CSV files of typed rows: their columns, writing them whole, comparing.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use crate::{RecordError, Row, columns, write_whole_with};

/// Writes a file of rows whole, or not at all; rows are taken one by one.
///
/// # Errors
/// As [`crate::write_whole`].
pub fn write_table<T: Row>(
    path: &Path,
    rows: impl IntoIterator<Item = T>,
) -> Result<(), RecordError> {
    write_whole_with(path, |file| write_rows(file, rows))
}

/// Whether a file holds these rows and nothing else; reads no further than to the first difference.
#[must_use]
pub fn table_is<T: Row>(path: &Path, rows: impl IntoIterator<Item = T>) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let mut same = Same { file: BufReader::with_capacity(1 << 16, file), seen: Vec::new() };
    // An error is the difference.
    write_rows(&mut same, rows).is_ok() && same.file.read(&mut [0]).is_ok_and(|more| more == 0)
}

/// Whether a file of rows is longer than its header; one that is not there is not.
///
/// # Errors
/// A file of which the system does not say it.
pub fn table_has_rows<T: Row>(path: &Path) -> Result<bool, RecordError> {
    match std::fs::metadata(path) {
        Ok(facts) => Ok(facts.len() > header_len::<T>()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(source) => Err(RecordError::Io { path: path.to_owned(), source }),
    }
}

/// Bytes of the header line.
pub(crate) fn header_len<T: Row>() -> u64 {
    columns::<T>().join(",").len() as u64 + 1
}

fn write_rows<T: Row>(
    file: &mut dyn Write,
    rows: impl IntoIterator<Item = T>,
) -> io::Result<()> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(file);
    writer.write_record(columns::<T>()).map_err(io::Error::other)?;
    for row in rows {
        writer.serialize(row).map_err(io::Error::other)?;
    }
    writer.flush()
}

/// Takes what would be written and compares it with a file.
struct Same {
    file: BufReader<File>,
    seen: Vec<u8>,
}

impl Write for Same {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.seen.resize(bytes.len(), 0);
        self.file.read_exact(&mut self.seen)?;
        if self.seen == bytes { Ok(bytes.len()) } else { Err(io::Error::other("the file differs")) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
