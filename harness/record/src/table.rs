//! CSV files of typed rows: reading row by row, writing whole.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

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
    let mut record = csv::StringRecord::new();
    Ok(std::iter::from_fn(move || match reader.read_record(&mut record) {
        Ok(false) => None,
        Ok(true) => {
            let line = record.position().map_or(0, csv::Position::line);
            // The header is in order, so cells need not be looked up by name.
            let row = record.deserialize(None).map_err(|e| csv_error(&path, e));
            Some(row.map(|row| (line, row)))
        }
        Err(error) => Some(Err(csv_error(&path, error))),
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
    write_whole_with(path, |file| write_rows(file, rows))
}

/// Whether a file holds these rows and nothing else; reads no further than to the first difference.
#[must_use]
pub fn table_is<T: Serialize + DeserializeOwned>(path: &Path, rows: impl IntoIterator<Item = T>) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let mut same = Same { file: BufReader::with_capacity(1 << 16, file), seen: Vec::new() };
    // An error is the difference.
    write_rows(&mut same, rows).is_ok() && same.file.read(&mut [0]).is_ok_and(|more| more == 0)
}

/// Whether a file of rows is longer than its header; one that is not there is not.
///
/// # Errors
/// A file of which the system does not say it.
pub fn table_has_rows<T: DeserializeOwned>(path: &Path) -> Result<bool, RecordError> {
    match std::fs::metadata(path) {
        Ok(facts) => Ok(facts.len() > header_len::<T>()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(source) => Err(RecordError::Io { path: path.to_owned(), source }),
    }
}

/// Bytes of the header line.
pub(crate) fn header_len<T: DeserializeOwned>() -> u64 {
    columns_of::<T>().join(",").len() as u64 + 1
}

fn write_rows<T: Serialize + DeserializeOwned>(
    file: &mut dyn Write,
    rows: impl IntoIterator<Item = T>,
) -> io::Result<()> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(file);
    writer.write_record(columns_of::<T>()).map_err(io::Error::other)?;
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

pub(crate) fn check_header(path: &Path, found: &csv::StringRecord, expected: &[&str]) -> Result<(), RecordError> {
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

pub(crate) fn csv_error(path: &Path, error: csv::Error) -> RecordError {
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
            reason: format!(
                "{len} cells where the header has {expected_len}: the file seems cut off \
                 (`tilebench run CONFIG --resume` mends a last line that was not written to its end)"
            ),
        },
        other => RecordError::File { path: path.to_owned(), reason: format!("{other:?}") },
    }
}

/// The field names of a row struct, as serde sees them.
pub(crate) fn columns_of<T: DeserializeOwned>() -> &'static [&'static str] {
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
