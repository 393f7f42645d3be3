//! Files of rows that are only ever appended to, and what a crash, a full disk or a loss of power may leave of them.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::table::{copy_rows, csv_error, refuse_newer};
use crate::whole::{sync_folder_of, write_whole_with};
use crate::{RecordError, Row, TableReader, columns};

/// Appends rows to a CSV file so that a crash at any moment leaves complete rows only.
///
/// Each batch of rows is one write, followed by a sync to disk. The beginning of a row that an unfinished batch leaves at the
/// end of the file is cut off when the file is opened again.
#[derive(Debug)]
pub struct Appender<T> {
    path: PathBuf,
    file: File,
    len: u64,
    /// Whether something behind `len` could not be cut off.
    truncated: bool,
    has_rows: bool,
    rows: PhantomData<T>,
}

impl<T: Row> Appender<T> {
    /// Opens the file for appending, creating it with its header where there is none. A file that lacks columns, or has them in
    /// another order, is written anew with all of them.
    ///
    /// # Errors
    /// A file that cannot be opened, is none of such rows or of a newer version; one in which rows follow upon the beginning of one.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let io = |source| RecordError::Io { path: path.to_owned(), source };
        let open = || OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(io);
        let mut file = open()?;
        let header = columns::<T>().join(",");
        // Also after a crash amid the header.
        let is_new = file.metadata().map_err(io)?.len() <= header.len() as u64
            && header.as_bytes().starts_with(&fs::read(path).map_err(io)?);
        let (mut len, mut has_rows) = (0, false);
        if !is_new {
            refuse_newer::<T>(path)?;
            let mut table = TableReader::<T>::open(path)?;
            file.set_len(table.whole().bytes).and_then(|()| file.sync_all()).map_err(io)?;
            if !table.is_ours() {
                write_whole_with(path, |out| copy_rows([Ok(table)], out, |_, _| true))?;
                (file, table) = (open()?, TableReader::open(path)?);
            }
            (len, has_rows) = (table.whole().bytes, table.whole().lines > 1);
        }
        file.seek(SeekFrom::Start(len)).map_err(io)?;
        let mut this = Self { path: path.to_owned(), file, len, truncated: is_new, has_rows, rows: PhantomData };
        if is_new {
            this.write(format!("{header}\n").as_bytes())?;
            sync_folder_of(path).map_err(io)?;
        }
        Ok(this)
    }

    /// Appends rows and waits until they are on disk. After a failure none of them counts: what was written of them is cut off,
    /// if not at once, then before anything else is appended or when the file is opened again. A NUL character is written as
    /// U+FFFD: in these files a zero byte means damage.
    ///
    /// # Errors
    /// A disk that is full, a file that cannot be written. A file that is no longer where it was opened, in which the rows may
    /// stand; one that somebody else has cut or written to.
    pub fn append<'a>(&mut self, rows: impl IntoIterator<Item = &'a T>) -> Result<(), RecordError>
    where
        T: 'a,
    {
        let mut bytes = Vec::new();
        for row in rows {
            let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(&mut bytes);
            writer.serialize(row).map_err(|e| csv_error(&self.path, e))?;
        }
        if bytes.is_empty() {
            return Ok(());
        }
        if bytes.contains(&0) {
            bytes = String::from_utf8_lossy(&bytes).replace('\0', "\u{fffd}").into_bytes();
        }
        // Before too: whoever tries again must not leave the same rows twice in a file that was moved. One that was cut would
        // get a hole of zero bytes.
        self.check()?;
        self.write(&bytes)?;
        self.has_rows = true;
        self.check()
    }

    /// Whether the file holds more than its header.
    #[must_use]
    pub fn has_rows(&self) -> bool {
        self.has_rows
    }

    /// Whether the file is still at its path, and as long as it was left.
    ///
    /// # Errors
    /// It was deleted, moved, cut or written to by somebody else.
    pub fn check(&self) -> Result<(), RecordError> {
        let found = |reason| Err(RecordError::File { path: self.path.clone(), reason });
        if !is_same_file(&self.file, &self.path) {
            return found("it was deleted or moved while in use".to_owned());
        }
        let len = self.file.metadata().map_err(|source| RecordError::Io { path: self.path.clone(), source })?.len();
        // What could not be cut off yet is behind the end.
        if len == self.len || (self.truncated && len > self.len) {
            return Ok(());
        }
        found(format!("somebody else changed it while in use: it has {len} bytes and had {}", self.len))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), RecordError> {
        let uncut = |error: io::Error| format!("a half-written row could not be cut off: {error}");
        if self.truncated {
            self.repair().map_err(|e| RecordError::File { path: self.path.clone(), reason: uncut(e) })?;
        }
        let Err(source) = self.file.write_all(bytes).and_then(|()| self.file.sync_data()) else {
            self.len += bytes.len() as u64;
            return Ok(());
        };
        // Half a row is worse than none.
        self.truncated = true;
        Err(match self.repair() {
            Ok(()) => RecordError::Io { path: self.path.clone(), source },
            Err(second) => {
                RecordError::File { path: self.path.clone(), reason: format!("{source}; and {}", uncut(second)) }
            }
        })
    }

    fn repair(&mut self) -> io::Result<()> {
        self.file.set_len(self.len)?;
        self.file.seek(SeekFrom::Start(self.len))?;
        self.truncated = false;
        Ok(())
    }
}

/// Whether an open file is the one that a path names now. Where the system does not say, it is taken for the same.
#[must_use]
pub fn is_same_file(file: &File, path: &Path) -> bool {
    match (file.metadata(), fs::metadata(path)) {
        (Ok(ours), Ok(there)) => (ours.dev(), ours.ino()) == (there.dev(), there.ino()),
        (_, Err(error)) => !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory),
        (Err(_), _) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlanRow;

    #[test]
    fn nothing_is_appended_to_half_a_row() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("rows.csv");
        let row = |seed| PlanRow {
            run_id: "a".to_owned(),
            instance: "n3".to_owned(),
            formulation: "all".to_owned(),
            solver: "highs".to_owned(),
            seed,
            repeat: 1,
        };
        let mut appender = Appender::open(&path).expect("a file of rows");
        appender.append(&[row(1)]).expect("a row can be appended");
        // A file that cannot be written cannot be cut either.
        let sound = std::mem::replace(&mut appender.file, File::open(&path).expect("a file"));
        let error = appender.append(&[row(2)]).expect_err("a file for reading only").to_string();
        assert!(error.contains("could not be cut off"), "{error}");
        OpenOptions::new().append(true).open(&path).and_then(|mut file| file.write_all(b"half")).expect("half a row");
        let error = appender.append(&[row(2)]).expect_err("still only for reading").to_string();
        assert!(error.contains("could not be cut off"), "{error}");
        appender.file = sound;
        appender.append(&[row(3)]).expect("a row can be appended again");
        assert_eq!(crate::read_table::<PlanRow>(&path).expect("sound rows"), [row(1), row(3)]);
    }
}
