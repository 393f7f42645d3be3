//! CSV files of typed rows: their columns, writing them whole, comparing.

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
