//! Files of rows that are only ever appended to, and what a crash, a full disk or a loss of power may leave of them.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::scan::scan;
use crate::table::{check_header, columns_of, csv_error};
use crate::whole::sync_folder_of;
use crate::{RecordError, columns};

/// Appends rows to a CSV file so that a crash at any moment leaves complete rows only.
///
/// Each batch of rows is one write, followed by a sync to disk. What an unfinished batch leaves behind the last complete row (a
/// line without its newline, zero bytes) is cut off when the file is opened again.
#[derive(Debug)]
pub struct Appender<T> {
    path: PathBuf,
    file: File,
    len: u64,
    rows: PhantomData<T>,
}

impl<T: Serialize + DeserializeOwned> Appender<T> {
    /// Opens the file for appending, creating it with its header where there is none. The memory this takes does not grow with
    /// the file.
    ///
    /// # Errors
    /// A file that cannot be opened, one with another header, one that is damaged further from its end than a batch reaches.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let io = |source| RecordError::Io { path: path.to_owned(), source };
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        let found = scan(&mut file, path)?;
        let header = columns_of::<T>().join(",");
        // A file of something else is refused before anything of it is cut off.
        let may_be_torn = found.complete == 0 && found.len <= header.len() as u64 + 1;
        let torn_header = may_be_torn && {
            let written = found.first_line.iter().position(|byte| *byte == 0).unwrap_or(found.first_line.len());
            header.as_bytes().starts_with(&found.first_line[..written])
        };
        if !torn_header {
            let mut reader = csv::Reader::from_reader(found.first_line.as_slice());
            check_header(path, reader.headers().map_err(|e| csv_error(path, e))?, columns::<T>())?;
        }
        let mut this = Self { path: path.to_owned(), file, len: found.complete, rows: PhantomData };
        if found.complete < found.len {
            this.file.set_len(found.complete).and_then(|()| this.file.sync_all()).map_err(io)?;
        }
        this.file.seek(SeekFrom::End(0)).map_err(io)?;
        if found.complete == 0 {
            this.write(format!("{header}\n").as_bytes())?;
            sync_folder_of(path).map_err(io)?;
        }
        Ok(this)
    }

    /// Appends rows and waits until they are on disk. After a failure the file holds what it held before. A NUL character is
    /// written as U+FFFD: in these files a zero byte means damage.
    ///
    /// # Errors
    /// A disk that is full, a file that cannot be written, or that is no longer where it was opened.
    pub fn append<'a>(&mut self, rows: impl IntoIterator<Item = &'a T>) -> Result<(), RecordError>
    where
        T: 'a,
    {
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        for row in rows {
            writer.serialize(row).map_err(|e| csv_error(&self.path, e))?;
        }
        let mut bytes =
            writer.into_inner().map_err(|e| RecordError::File { path: self.path.clone(), reason: e.to_string() })?;
        if bytes.is_empty() {
            return Ok(());
        }
        if bytes.contains(&0) {
            bytes = String::from_utf8_lossy(&bytes).replace('\0', "\u{fffd}").into_bytes();
        }
        self.write(&bytes)?;
        if self.is_in_place() {
            return Ok(());
        }
        Err(RecordError::File { path: self.path.clone(), reason: "it was deleted or moved while in use".to_owned() })
    }

    /// Whether the file holds more than its header.
    #[must_use]
    pub fn has_rows(&self) -> bool {
        self.len > columns_of::<T>().join(",").len() as u64 + 1
    }

    /// Whether the file is still the one at its path.
    #[must_use]
    pub fn is_in_place(&self) -> bool {
        is_same_file(&self.file, &self.path)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), RecordError> {
        let Err(source) = self.file.write_all(bytes).and_then(|()| self.file.sync_data()) else {
            self.len += bytes.len() as u64;
            return Ok(());
        };
        // Half a row is worse than none; if even this fails, opening the file again repairs it.
        let repaired = self.file.set_len(self.len).and_then(|()| self.file.seek(SeekFrom::End(0)));
        Err(match repaired {
            Ok(_) => RecordError::Io { path: self.path.clone(), source },
            Err(second) => RecordError::File {
                path: self.path.clone(),
                reason: format!("{source}; and the half-written row could not be cut off: {second}"),
            },
        })
    }
}

/// Whether an open file is the one that a path names now. Where the system does not say, it is taken for the same.
#[must_use]
pub fn is_same_file(file: &File, path: &Path) -> bool {
    match (file.metadata(), std::fs::metadata(path)) {
        (Ok(ours), Ok(there)) => (ours.dev(), ours.ino()) == (there.dev(), there.ino()),
        (_, Err(error)) => !matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory),
        (Err(_), _) => true,
    }
}
