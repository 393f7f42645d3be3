//! CSV files of typed rows: reading row by row.

use std::fs::File;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use csv::{DeserializeErrorKind, ErrorKind, Position, StringRecord};

use crate::scan::first_sound_row;
use crate::sound::WholeRows;
use crate::{RecordError, Row, columns};

/// Bytes that the reader of cells takes at a time.
const BUFFER: usize = 1 << 16;

/// More than any row has. What is longer is no beginning of a row, but one in which a quote was left open.
const LONGEST_ROW: usize = 1 << 20;

/// Reads a whole file of rows.
///
/// # Errors
/// A file that cannot be read, a header that is not the row type's, a cell that does not fit its column, a last row that was
/// not written to its end.
pub fn read_table<T: Row>(path: &Path) -> Result<Vec<T>, RecordError> {
    stream_table(path)?.map(|row| row.map(|(_, row)| row)).collect()
}

/// Reads a file of rows one by one, each with the line at which it begins.
///
/// # Errors
/// As [`read_table`], at the row that does not fit.
pub fn stream_table<T: Row>(
    path: &Path,
) -> Result<impl Iterator<Item = Result<(u64, T), RecordError>> + use<T>, RecordError> {
    let mut reader = TableReader::open(path)?;
    let mut ended = false;
    Ok(std::iter::from_fn(move || {
        let next = reader.next();
        if next.is_some() || std::mem::replace(&mut ended, true) {
            return next;
        }
        reader.torn().map(|line| {
            let reason =
                "the last row was not written to its end (`tilebench run CONFIG --resume` mends that)".to_owned();
            Err(RecordError::Row { path: reader.path.clone(), line, reason })
        })
    }))
}

/// Reads a file of rows one by one, each with the line at which it begins, also while it is written. The beginning of a
/// row at its end, which a session leaves that is going on or was killed, is no row; [`TableReader::torn`] tells.
#[derive(Debug)]
pub struct TableReader<T> {
    path: PathBuf,
    reader: csv::Reader<WholeRows<File>>,
    record: StringRecord,
    columns: Vec<&'static str>,
    ended: bool,
    rows: PhantomData<T>,
}

impl<T: Row> TableReader<T> {
    /// Opens a file and checks its header.
    ///
    /// # Errors
    /// A file that cannot be read, a header that is not the row type's.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let file = File::open(path).map_err(|source| RecordError::Io { path: path.to_owned(), source })?;
        // Rows of another length than the header are found here, where more can be said of them.
        let mut reader =
            csv::ReaderBuilder::new().flexible(true).buffer_capacity(BUFFER).from_reader(WholeRows::new(file));
        let columns = columns::<T>();
        check_header(path, reader.headers().map_err(|e| csv_error(path, e))?, &columns)?;
        let record = StringRecord::new();
        Ok(Self { path: path.to_owned(), reader, record, columns, ended: false, rows: PhantomData })
    }

    /// The line at which a row begins that was not written to its end; `None` before everything else was read.
    #[must_use]
    pub fn torn(&self) -> Option<u64> {
        (self.ended && !self.reader.get_ref().torn().is_empty()).then(|| self.reader.position().line())
    }

    fn wrong(&self, line: u64, reason: String) -> RecordError {
        RecordError::Row { path: self.path.clone(), line, reason }
    }

    /// The row that was read.
    fn row(&self, line: u64) -> Result<T, RecordError> {
        let columns = &self.columns;
        if self.record.len() != columns.len() {
            let (found, wanted) = (self.record.len(), columns.len());
            let reason =
                format!("{found} cells where the header has {wanted}: the file is damaged; restore it from a copy");
            return Err(self.wrong(line, reason));
        }
        if self.record.as_slice().contains('\0') {
            let reason = "a zero byte: the file is damaged; restore it from a copy".to_owned();
            return Err(self.wrong(line, reason));
        }
        // The header is in order, so cells need not be looked up by name.
        self.record.deserialize(None).map_err(|error| match error.into_kind() {
            ErrorKind::Deserialize { err, .. } => {
                let text = err.kind().to_string();
                let cells = || columns.iter().copied().zip(&self.record);
                let by_number = err.field().and_then(|field| cells().nth(usize::try_from(field).ok()?));
                // A word that there is not comes without its number, and is quoted.
                let by_word = || cells().find(|(_, cell)| text.contains(&format!("`{cell}`")));
                match by_number.or_else(by_word) {
                    Some((column, cell)) => self.wrong(line, format!("column {column}: {}", unfit(cell, err.kind()))),
                    None => self.wrong(line, text),
                }
            }
            other => self.wrong(line, format!("{other:?}")),
        })
    }
}

impl<T: Row> Iterator for TableReader<T> {
    type Item = Result<(u64, T), RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.reader.read_record(&mut self.record) {
            Ok(false) if !self.ended => {
                self.ended = true;
                let (line, torn) = (self.reader.position().line(), self.reader.get_ref().torn());
                let sound = first_sound_row::<T>(torn);
                // A loss of power may leave any number of zeros.
                let length = torn.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
                (length > LONGEST_ROW || sound.is_some()).then(|| {
                    let sound = sound.map_or_else(String::new, |at| format!("; line {} is a row again", line + at - 1));
                    let reason =
                        format!("the file is damaged from here on, or a quote is open{sound}; restore it from a copy");
                    Err(self.wrong(line, reason))
                })
            }
            Ok(false) => None,
            Ok(true) => {
                let line = self.record.position().map_or(0, Position::line);
                Some(self.row(line).map(|row| (line, row)))
            }
            Err(error) => Some(Err(match error.kind() {
                ErrorKind::Utf8 { pos, err } => {
                    let column = self.columns.get(err.field()).copied().unwrap_or("?");
                    let line = pos.as_ref().map_or(0, Position::line);
                    self.wrong(line, format!("column {column}: not UTF-8: the file is damaged; restore it from a copy"))
                }
                _ => csv_error(&self.path, error),
            })),
        }
    }
}

/// What is wrong with a cell.
fn unfit(cell: &str, error: &DeserializeErrorKind) -> String {
    match error {
        DeserializeErrorKind::ParseInt(_) => format!("`{cell}` is not a whole number in the range of the column"),
        DeserializeErrorKind::ParseFloat(_) => format!("`{cell}` is not a number"),
        DeserializeErrorKind::ParseBool(_) => format!("`{cell}` is neither `true` nor `false`"),
        other => other.to_string(),
    }
}

pub(crate) fn check_header(path: &Path, found: &StringRecord, expected: &[&str]) -> Result<(), RecordError> {
    if found.iter().eq(expected.iter().copied()) {
        return Ok(());
    }
    let missing: Vec<_> = expected.iter().copied().filter(|c| !found.iter().any(|f| f == *c)).collect();
    let extra: Vec<_> = found.iter().filter(|f| !expected.contains(f)).collect();
    let reason = if found.is_empty() {
        "the header is missing: a file of rows begins with the columns of results/COLUMNS.md".to_owned()
    } else if missing.is_empty() && extra.is_empty() {
        let at = found.iter().zip(expected).position(|(found, expected)| found != *expected).unwrap_or(expected.len());
        let name = |names: Option<&str>| names.map_or_else(|| "no more".to_owned(), |name| format!("`{name}`"));
        format!(
            "column {} is {} where {} belongs: the columns are not in the order of results/COLUMNS.md",
            at + 1,
            name(found.get(at)),
            name(expected.get(at).copied())
        )
    } else {
        format!("the header lacks {missing:?} and has unknown columns {extra:?} (see results/COLUMNS.md)")
    };
    Err(RecordError::Row { path: path.to_owned(), line: 1, reason })
}

pub(crate) fn csv_error(path: &Path, error: csv::Error) -> RecordError {
    match error.into_kind() {
        ErrorKind::Io(source) => RecordError::Io { path: path.to_owned(), source },
        other => RecordError::File { path: path.to_owned(), reason: format!("{other:?}") },
    }
}
