//! Files of rows that are only ever appended to, and what a crash, a full disk or a loss of power may leave of them.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::read::{check_header, csv_error};
use crate::scan::{Scan, first_sound_row, scan};
use crate::table::header_len;
use crate::whole::{sync_folder_of, write_whole};
use crate::{RecordError, Row, columns};

/// Appends rows to a CSV file so that a crash at any moment leaves complete rows only.
///
/// Each batch of rows is one write, followed by a sync to disk. What an unfinished batch leaves behind the last complete row (a
/// line without its newline, zero bytes) is cut off when the file is opened again, and kept beside it if it is more than a
/// line.
#[derive(Debug)]
pub struct Appender<T> {
    path: PathBuf,
    file: File,
    len: u64,
    /// Whether something behind `len` could not be cut off.
    torn: bool,
    cut: Option<PathBuf>,
    rows: PhantomData<T>,
}

impl<T: Row> Appender<T> {
    /// Opens the file for appending, creating it with its header where there is none. The memory this takes does not grow with
    /// the file.
    ///
    /// # Errors
    /// A file that cannot be opened, one with another header, one in which sound rows follow upon damage, one that is damaged
    /// further from its end than a batch reaches.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let io = |source| RecordError::Io { path: path.to_owned(), source };
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        let found = scan(&mut file, path)?;
        let header = columns::<T>().join(",");
        // A file of something else is refused before anything of it is cut off.
        let may_be_torn = found.complete == 0 && found.len <= header.len() as u64 + 1;
        let torn_header = may_be_torn && {
            let written = found.first_line.iter().position(|byte| *byte == 0).unwrap_or(found.first_line.len());
            header.as_bytes().starts_with(&found.first_line[..written])
        };
        if !torn_header {
            let mut reader = csv::Reader::from_reader(found.first_line.as_slice());
            check_header(path, reader.headers().map_err(|e| csv_error(path, e))?, &columns::<T>())?;
        }
        let cut = if found.complete < found.len { cut_off::<T>(&mut file, path, &found)? } else { None };
        file.seek(SeekFrom::Start(found.complete)).map_err(io)?;
        let mut this = Self { path: path.to_owned(), file, len: found.complete, torn: false, cut, rows: PhantomData };
        if found.complete == 0 {
            this.write(format!("{header}\n").as_bytes())?;
            sync_folder_of(path).map_err(io)?;
        }
        Ok(this)
    }

    /// The file that keeps what was cut off when this one was opened, if that was more than a line.
    #[must_use]
    pub fn cut(&self) -> Option<&Path> {
        self.cut.as_deref()
    }

    /// Appends rows and waits until they are on disk. After a failure none of them counts: what was written of them is cut off,
    /// if not at once, then before anything else is appended or when the file is opened again. A NUL character is written as
    /// U+FFFD: in these files a zero byte means damage.
    ///
    /// # Errors
    /// A disk that is full, a file that cannot be written. A file that is no longer where it was opened: in the one that was
    /// moved the rows may stand.
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
        // Before too: whoever tries again must not leave the same rows twice in a file that was moved.
        self.check_place()?;
        self.write(&bytes)?;
        self.check_place()
    }

    /// Whether the file holds more than its header.
    #[must_use]
    pub fn has_rows(&self) -> bool {
        self.len > header_len::<T>()
    }

    /// Whether the file is still the one at its path.
    #[must_use]
    pub fn is_in_place(&self) -> bool {
        is_same_file(&self.file, &self.path)
    }

    fn check_place(&self) -> Result<(), RecordError> {
        if self.is_in_place() {
            return Ok(());
        }
        Err(RecordError::File { path: self.path.clone(), reason: "it was deleted or moved while in use".to_owned() })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), RecordError> {
        let uncut = |error: io::Error| format!("a half-written row could not be cut off: {error}");
        if self.torn {
            self.repair().map_err(|e| RecordError::File { path: self.path.clone(), reason: uncut(e) })?;
        }
        let Err(source) = self.file.write_all(bytes).and_then(|()| self.file.sync_data()) else {
            self.len += bytes.len() as u64;
            return Ok(());
        };
        // Half a row is worse than none.
        self.torn = true;
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
        self.torn = false;
        Ok(())
    }
}

/// Cuts off what stands behind the last complete row. More than a line of it is kept beside the file.
fn cut_off<T: Row>(file: &mut File, path: &Path, found: &Scan) -> Result<Option<PathBuf>, RecordError> {
    let io = |source| RecordError::Io { path: path.to_owned(), source };
    // The scan saw to it that this is not much.
    let mut rest = Vec::new();
    file.seek(SeekFrom::Start(found.complete)).and_then(|_| file.read_to_end(&mut rest)).map_err(io)?;
    if let Some(line) = first_sound_row::<T>(&rest) {
        let (damaged, sound) = (found.complete_lines + 1, found.complete_lines + line);
        let reason = format!(
            "the file is damaged here, and sound rows follow (the first is line {sound}); none of them is thrown away: take \
             out what is damaged, or restore the file from a copy"
        );
        return Err(RecordError::Row { path: path.to_owned(), line: damaged, reason });
    }
    let kept = match rest.iter().position(|byte| *byte == b'\n') {
        Some(end) if end + 1 < rest.len() => Some(keep(path, &rest)?),
        _ => None,
    };
    file.set_len(found.complete).and_then(|()| file.sync_all()).map_err(io)?;
    Ok(kept)
}

/// Keeps bytes beside a file, under the first name that is free.
fn keep(path: &Path, bytes: &[u8]) -> Result<PathBuf, RecordError> {
    let name = |n: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".cut-{n}"));
        PathBuf::from(name)
    };
    let beside = (1..=u32::MAX).map(name).find(|beside| !beside.exists());
    let beside = beside.unwrap_or_else(|| name(0));
    write_whole(&beside, bytes)?;
    Ok(beside)
}

/// Whether an open file is the one that a path names now. Where the system does not say, it is taken for the same.
#[must_use]
pub fn is_same_file(file: &File, path: &Path) -> bool {
    match (file.metadata(), std::fs::metadata(path)) {
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
            run_id: String::new(),
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
