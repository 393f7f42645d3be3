//! CSV files of typed rows: reading whole, appending row by row.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{RecordError, write_whole_with};

/// The header a row type has in its file, in order.
#[must_use]
pub fn columns<T: DeserializeOwned>() -> &'static [&'static str] {
    columns_of::<T>()
}

/// Reads a whole file of rows.
///
/// # Errors
/// A file that cannot be read, a header that is not the row type's, a cell that does not fit its column.
pub fn read_table<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, RecordError> {
    stream_table(path)?.map(|row| row.map(|(_, row)| row)).collect()
}

/// Reads a file of rows one by one, each with the line at which it begins.
///
/// # Errors
/// As [`read_table`], at the row that does not fit.
pub fn stream_table<T: DeserializeOwned>(
    path: &Path,
) -> Result<impl Iterator<Item = Result<(u64, T), RecordError>> + use<T>, RecordError> {
    let mut reader = csv::Reader::from_path(path).map_err(|e| csv_error(path, e))?;
    let header = reader.headers().map_err(|e| csv_error(path, e))?.clone();
    check_header(path, &header, columns_of::<T>())?;
    let path = path.to_owned();
    Ok(reader.into_records().map(move |record| {
        let record = record.map_err(|e| csv_error(&path, e))?;
        let line = record.position().map_or(0, csv::Position::line);
        let row = record.deserialize(Some(&header)).map_err(|e| csv_error(&path, e))?;
        Ok((line, row))
    }))
}

/// Writes a file of rows whole, or not at all; rows are taken one by one.
///
/// # Errors
/// As [`crate::write_whole`].
pub fn write_table<T: Serialize + DeserializeOwned>(
    path: &Path,
    rows: impl IntoIterator<Item = T>,
) -> Result<(), RecordError> {
    write_whole_with(path, |file| {
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(file);
        writer.write_record(columns_of::<T>()).map_err(std::io::Error::other)?;
        for row in rows {
            writer.serialize(row).map_err(std::io::Error::other)?;
        }
        writer.flush()
    })
}

fn check_header(path: &Path, found: &csv::StringRecord, expected: &[&str]) -> Result<(), RecordError> {
    if found.iter().eq(expected.iter().copied()) {
        return Ok(());
    }
    let missing: Vec<_> = expected.iter().copied().filter(|c| !found.iter().any(|f| f == *c)).collect();
    let extra: Vec<_> = found.iter().filter(|f| !expected.contains(f)).collect();
    let reason = if missing.is_empty() && extra.is_empty() {
        "the columns are not in the order of results/COLUMNS.md".to_owned()
    } else {
        format!("the header lacks {missing:?} and has unknown columns {extra:?} (see results/COLUMNS.md)")
    };
    Err(RecordError::Row { path: path.to_owned(), line: 1, reason })
}

fn csv_error(path: &Path, error: csv::Error) -> RecordError {
    let line = error.position().map_or(0, csv::Position::line);
    match error.into_kind() {
        csv::ErrorKind::Io(source) => RecordError::Io { path: path.to_owned(), source },
        csv::ErrorKind::Deserialize { err, .. } => {
            let column = err.field().map(|f| format!("column {}: ", f + 1)).unwrap_or_default();
            RecordError::Row { path: path.to_owned(), line, reason: format!("{column}{}", err.kind()) }
        }
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => RecordError::Row {
            path: path.to_owned(),
            line,
            reason: format!("{len} cells where the header has {expected_len}: the file seems cut off"),
        },
        other => RecordError::File { path: path.to_owned(), reason: format!("{other:?}") },
    }
}

/// Appends rows to a CSV file so that a crash at any moment leaves complete rows only.
///
/// Each batch of rows is one write, followed by a sync to disk. A last line that lacks its newline (a
/// crash in the middle of a write) is cut off when the file is opened again.
#[derive(Debug)]
pub struct Appender<T> {
    path: PathBuf,
    file: File,
    rows: PhantomData<T>,
}

impl<T: Serialize + DeserializeOwned> Appender<T> {
    /// Opens the file for appending, creating it with its header where there is none.
    ///
    /// # Errors
    /// A file that cannot be opened, or one with another header.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let io = |source| RecordError::Io { path: path.to_owned(), source };
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        let mut content = Vec::new();
        file.read_to_end(&mut content).map_err(io)?;
        let end = complete_length(&content);
        // A file of something else is refused before anything of it is cut off.
        let torn_header = end == 0 && columns_of::<T>().join(",").as_bytes().starts_with(&content);
        if !torn_header {
            let mut reader = csv::Reader::from_reader(content.as_slice());
            check_header(path, reader.headers().map_err(|e| csv_error(path, e))?, columns_of::<T>())?;
        }
        let end = end as u64;
        file.set_len(end).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        if end == 0 {
            let mut header = columns_of::<T>().join(",").into_bytes();
            header.push(b'\n');
            file.write_all(&header).map_err(io)?;
            file.sync_data().map_err(io)?;
        }
        Ok(Self { path: path.to_owned(), file, rows: PhantomData })
    }

    /// Appends rows and waits until they are on disk. After a failure the file holds what it held before.
    ///
    /// # Errors
    /// A disk that is full or a file that cannot be written.
    pub fn append(&mut self, rows: &[T]) -> Result<(), RecordError> {
        if rows.is_empty() {
            return Ok(());
        }
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        for row in rows {
            writer.serialize(row).map_err(|e| csv_error(&self.path, e))?;
        }
        let bytes =
            writer.into_inner().map_err(|e| RecordError::File { path: self.path.clone(), reason: e.to_string() })?;
        let before = self.file.metadata().map_err(|e| self.io(e))?.len();
        if let Err(source) = self.file.write_all(&bytes).and_then(|()| self.file.sync_data()) {
            // Half a row is worse than none; if even this fails, opening the file again repairs it.
            let repaired = self.file.set_len(before).and_then(|()| self.file.seek(SeekFrom::End(0)));
            return Err(match repaired {
                Ok(_) => self.io(source),
                Err(second) => RecordError::File {
                    path: self.path.clone(),
                    reason: format!("{source}; and the half-written row could not be cut off: {second}"),
                },
            });
        }
        Ok(())
    }

    fn io(&self, source: std::io::Error) -> RecordError {
        RecordError::Io { path: self.path.clone(), source }
    }
}

/// Length of the file up to and including its last newline outside quotes.
fn complete_length(content: &[u8]) -> usize {
    let (mut quoted, mut end) = (false, 0);
    for (index, byte) in content.iter().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' if !quoted => end = index + 1,
            _ => {}
        }
    }
    end
}

/// The field names of a row struct, as serde sees them.
fn columns_of<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut fields: &'static [&'static str] = &[];
    // The probe never yields a value; its error is the expected way out.
    let probe = T::deserialize(FieldProbe { fields: &mut fields });
    debug_assert!(probe.is_err());
    fields
}

/// A deserializer that learns the field names a struct asks for.
struct FieldProbe<'a> {
    fields: &'a mut &'static [&'static str],
}

impl<'de> serde::Deserializer<'de> for FieldProbe<'_> {
    type Error = serde::de::value::Error;

    fn deserialize_any<V: serde::de::Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(serde::de::Error::custom("a row is a struct"))
    }

    fn deserialize_struct<V: serde::de::Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Self::Error> {
        *self.fields = fields;
        Err(serde::de::Error::custom("only the names were wanted"))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
