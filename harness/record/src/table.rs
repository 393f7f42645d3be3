//! CSV files of typed rows: written whole, read row by row. Columns are found by their names, so that files of older and of newer
//! versions can be read too.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Take, Write};
use std::marker::PhantomData;
use std::mem::swap;
use std::path::{Path, PathBuf};

use csv::{DeserializeErrorKind, ErrorKind, Position, StringRecord};
use memchr::{memchr_iter, memchr2_iter};

use crate::columns::Check;
use crate::{Column, RecordError, Row, columns, write_whole_with};

const BLOCK: usize = 1 << 18;

/// More than any row has. What is longer is no beginning of a row, but one in which a quote was left open.
const LONGEST_ROW: u64 = 1 << 20;

/// Reads a whole file of rows.
///
/// # Errors
/// A file that cannot be read, a header that lacks a column, a cell that does not fit its column, a last row that was not
/// written to its end.
pub fn read_table<T: Row>(path: &Path) -> Result<Vec<T>, RecordError> {
    stream_table(path)?.map(|row| row.map(|(_, row)| row)).collect()
}

/// Reads a file of rows one by one, each with the line at which it begins.
///
/// # Errors
/// As [`read_table`]; a cell that does not fit at its row.
pub fn stream_table<T: Row>(
    path: &Path,
) -> Result<impl Iterator<Item = Result<(u64, T), RecordError>> + use<T>, RecordError> {
    let reader = TableReader::open(path)?;
    let truncated = reader.truncated().map(|line| {
        let reason = "the last row was not written to its end (`tilebench run CONFIG --resume` mends that)".to_owned();
        Err(RecordError::Row { path: path.to_owned(), line, reason })
    });
    Ok(reader.chain(truncated))
}

/// Reads a file of rows one by one, each with the line at which it begins, also while it is written. The beginning of a
/// row at its end, which a session leaves that is going on or was killed, is no row; [`TableReader::truncated`] tells.
#[derive(Debug)]
pub struct TableReader<T> {
    path: PathBuf,
    reader: csv::Reader<Take<File>>,
    layout: Layout,
    /// The row that was read last, as it is in the file and with its cells in the order of the columns.
    found: StringRecord,
    cells: StringRecord,
    whole: Whole,
    rows: PhantomData<T>,
}

impl<T: Row> TableReader<T> {
    /// Opens a file and checks its header and its end.
    ///
    /// # Errors
    /// A file that cannot be read, a header that lacks a column that no row is without, rows behind the beginning of one.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let io = |source| RecordError::Io { path: path.to_owned(), source };
        let mut file = File::open(path).map_err(io)?;
        let whole = Whole::of(&mut file).map_err(io)?;
        let rest = whole.rest(&mut file, path)?;
        file.rewind().map_err(io)?;
        // A file that ends within its header has none of the columns.
        let readable = if whole.bytes == 0 { whole.len } else { whole.bytes };
        // Rows of another length than the header are found here, where more can be said of them.
        let mut reader =
            csv::ReaderBuilder::new().flexible(true).buffer_capacity(BLOCK).from_reader(file.take(readable));
        let layout = Layout::of::<T>(path, reader.headers().map_err(|e| csv_error(path, e))?)?;
        layout.refuse_rows_in::<T>(path, &rest, &whole)?;
        let (found, cells) = (StringRecord::new(), StringRecord::new());
        Ok(Self { path: path.to_owned(), reader, layout, found, cells, whole, rows: PhantomData })
    }

    /// The line at which a row begins that was not written to its end when the file was opened.
    #[must_use]
    pub fn truncated(&self) -> Option<u64> {
        (self.whole.bytes < self.whole.len).then_some(self.whole.lines + 1)
    }

    /// Columns that this version does not know; they are passed over.
    #[must_use]
    pub fn unknown(&self) -> &[String] {
        &self.layout.unknown
    }

    /// Whether the file has all columns in their order.
    pub(crate) fn is_ours(&self) -> bool {
        self.layout.is_ours()
    }

    /// How much of the file was whole when it was opened.
    pub(crate) fn whole(&self) -> Whole {
        self.whole
    }

    /// The cells of the next row in the order of [`columns`], unchecked; empty where the file has no such column.
    pub fn next_cells(&mut self) -> Option<Result<&StringRecord, RecordError>> {
        match self.read() {
            Ok(line) => line.map(|_| Ok(&self.cells)),
            Err(error) => Some(Err(error)),
        }
    }

    fn read(&mut self) -> Result<Option<u64>, RecordError> {
        match self.reader.read_record(&mut self.found) {
            Ok(false) => Ok(None),
            Ok(true) => {
                let line = self.found.position().map_or(0, Position::line);
                self.layout.arrange(&mut self.found, &mut self.cells).map_err(|reason| self.wrong(line, reason))?;
                Ok(Some(line))
            }
            Err(error) => Err(match error.kind() {
                ErrorKind::Utf8 { pos, err } => {
                    let line = pos.as_ref().map_or(0, Position::line);
                    let column = self.layout.places.iter().position(|place| *place == Some(err.field()));
                    let column = column.and_then(|at| self.layout.columns.get(at)).map_or("?", |column| column.name);
                    self.wrong(line, format!("column {column}: not UTF-8: the file is damaged; restore it from a copy"))
                }
                _ => csv_error(&self.path, error),
            }),
        }
    }

    fn wrong(&self, line: u64, reason: String) -> RecordError {
        RecordError::Row { path: self.path.clone(), line, reason }
    }
}

impl<T: Row> Iterator for TableReader<T> {
    type Item = Result<(u64, T), RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = match self.read() {
            Ok(line) => line?,
            Err(error) => return Some(Err(error)),
        };
        let row = self.layout.row(&self.cells).map(|row| (line, row));
        Some(row.map_err(|reason| self.wrong(line, reason)))
    }
}

const ZERO_BYTE: &str = "a zero byte: the file is damaged; restore it from a copy";

/// Where the columns of a row type are in a file.
#[derive(Debug)]
struct Layout {
    columns: Vec<Column>,
    /// For each column its place in the file, if that has it.
    places: Vec<Option<usize>>,
    /// What cells must be, by column.
    checks: Vec<(usize, Check)>,
    /// Number of cells of a row in the file.
    width: usize,
    /// Columns of the file that the row type does not have.
    unknown: Vec<String>,
}

impl Layout {
    /// Finds the columns in a header. Refuses one that is there twice, or missing although no row is without it.
    fn of<T: Row>(path: &Path, header: &StringRecord) -> Result<Self, RecordError> {
        let columns = T::columns();
        let place = |of: &str| header.iter().position(|name| name == of);
        let places: Vec<_> = columns.iter().map(|column| place(column.name)).collect();
        let absent = columns.iter().zip(&places).filter(|(column, place)| place.is_none() && column.empty().is_none());
        let absent: Vec<_> = absent.map(|(column, _)| column.name).collect();
        let unknown = header.iter().filter(|name| columns.iter().all(|column| column.name != *name));
        let unknown: Vec<_> = unknown.map(str::to_owned).collect();
        let checks = columns.iter().enumerate().filter_map(|(at, column)| Some((at, column.check()?))).collect();
        let twice = (1..header.len()).find(|at| header.iter().take(*at).any(|name| name == &header[*at]));
        let reason = if header.as_slice().contains('\0') {
            ZERO_BYTE.to_owned()
        } else if header.is_empty() {
            "the header is missing: a file of rows begins with the names of its columns".to_owned()
        } else if let Some(at) = twice {
            format!("the header has the column `{}` twice", &header[at])
        } else if !absent.is_empty() {
            format!("the header lacks {absent:?}, and has unknown columns {unknown:?}")
        } else {
            return Ok(Self { columns, places, checks, width: header.len(), unknown });
        };
        Err(RecordError::Row { path: path.to_owned(), line: 1, reason })
    }

    /// Whether the columns of the file begin with these in their order.
    fn is_ours(&self) -> bool {
        self.places.iter().enumerate().all(|(at, place)| *place == Some(at))
    }

    /// Puts the cells of a row of the file in the order of the columns.
    fn arrange(&self, found: &mut StringRecord, cells: &mut StringRecord) -> Result<(), String> {
        let (found_width, width) = (found.len(), self.width);
        if found_width != width {
            return Err(format!(
                "{found_width} cells where the header has {width}: the file is damaged; restore it from a copy"
            ));
        }
        if found.as_slice().contains('\0') {
            return Err(ZERO_BYTE.to_owned());
        }
        if width == self.places.len() && self.is_ours() {
            swap(found, cells);
            return Ok(());
        }
        cells.clear();
        for place in &self.places {
            cells.push_field(place.map_or("", |place| &found[place]));
        }
        Ok(())
    }

    /// Checks cells as far as that takes no reading of them as a row.
    fn check(&self, cells: &StringRecord) -> Result<(), String> {
        let wrong = |(at, check): &(usize, Check)| Some((*at, check.refuses(&cells[*at])?));
        match self.checks.iter().find_map(wrong) {
            Some((at, reason)) => Err(format!("column {}: {reason}", self.columns[at].name)),
            None => Ok(()),
        }
    }

    fn row<T: Row>(&self, cells: &StringRecord) -> Result<T, String> {
        self.check(cells)?;
        T::of_cells(cells).map_err(|error| {
            let ErrorKind::Deserialize { err, .. } = error.kind() else { return error.to_string() };
            let text = err.kind().to_string();
            let each = || self.columns.iter().zip(cells);
            let by_number = err.field().and_then(|field| each().nth(usize::try_from(field).ok()?));
            // A word that there is not comes without its number, and is quoted.
            let is_word = |column: &Column| column.unit() == "word";
            let by_word = || {
                each().find(|(column, cell)| is_word(column) && text.starts_with(&format!("unknown variant `{cell}`")))
            };
            match by_number.or_else(by_word) {
                Some((column, cell)) => format!("column {}: {}", column.name, unfit(cell, err.kind())),
                None => text,
            }
        })
    }

    /// Refuses rows in what follows upon the last whole row: a quote is open before them, and none of them is thrown away.
    fn refuse_rows_in<T: Row>(&self, path: &Path, rest: &[u8], whole: &Whole) -> Result<(), RecordError> {
        let is_row = |line: &[u8]| {
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line);
            let (mut found, mut cells) = (StringRecord::new(), StringRecord::new());
            // csv takes an open quote at the end for closed: the beginning of a row of several lines is no row.
            line.ends_with(b"\n")
                && count(line, b'"').is_multiple_of(2)
                && reader.read_record(&mut found).is_ok()
                && self.arrange(&mut found, &mut cells).is_ok()
                && self.row::<T>(&cells).is_ok()
        };
        let mut lines = (whole.lines + 1..).zip(rest.split_inclusive(|byte| *byte == b'\n'));
        match lines.find(|(_, line)| is_row(line)) {
            None => Ok(()),
            Some((sound, _)) => Err(damaged(path, whole.lines + 1, &format!("; line {sound} is a row again"))),
        }
    }
}

/// How much of a file of rows is whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Whole {
    /// Length of the file up to the end of its last whole row: the last newline outside of quotes.
    pub bytes: u64,
    /// Lines up to there.
    pub lines: u64,
    /// Length of the file.
    len: u64,
}

impl Whole {
    fn of(file: &mut File) -> io::Result<Self> {
        file.rewind()?;
        let (mut found, mut quoted, mut lines) = (Self::default(), false, 0);
        let mut block = vec![0; BLOCK];
        loop {
            let length = match file.read(&mut block) {
                Ok(0) => return Ok(found),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read?,
            };
            for at in memchr2_iter(b'"', b'\n', &block[..length]) {
                if block[at] == b'"' {
                    quoted = !quoted;
                } else {
                    lines += 1;
                    if !quoted {
                        (found.bytes, found.lines) = (found.len + at as u64 + 1, lines);
                    }
                }
            }
            found.len += length as u64;
        }
    }

    /// What follows upon the last whole row: the beginning of one. Refuses what is too long for that.
    fn rest(&self, file: &mut File, path: &Path) -> Result<Vec<u8>, RecordError> {
        let length = self.len - self.bytes;
        if length > LONGEST_ROW {
            return Err(damaged(path, self.lines + 1, ""));
        }
        let mut rest = Vec::new();
        file.seek(SeekFrom::Start(self.bytes))
            .and_then(|_| file.take(length).read_to_end(&mut rest))
            .map_err(|source| RecordError::Io { path: path.to_owned(), source })?;
        Ok(rest)
    }
}

fn count(text: &[u8], wanted: u8) -> usize {
    memchr_iter(wanted, text).count()
}

fn damaged(path: &Path, line: u64, more: &str) -> RecordError {
    let reason = format!("the file is damaged from here on, or a quote is open{more}; restore it from a copy");
    RecordError::Row { path: path.to_owned(), line, reason }
}

fn unfit(cell: &str, error: &DeserializeErrorKind) -> String {
    match error {
        DeserializeErrorKind::ParseInt(_) => format!("`{cell}` is not a whole number in the range of the column"),
        DeserializeErrorKind::ParseFloat(_) => format!("`{cell}` is not a number"),
        DeserializeErrorKind::ParseBool(_) => format!("`{cell}` is neither `true` nor `false`"),
        other => other.to_string(),
    }
}

pub(crate) fn csv_error(path: &Path, error: csv::Error) -> RecordError {
    match error.into_kind() {
        ErrorKind::Io(source) => RecordError::Io { path: path.to_owned(), source },
        other => RecordError::File { path: path.to_owned(), reason: format!("{other:?}") },
    }
}

/// Writes a file of rows whole, or not at all; rows are taken one by one.
///
/// # Errors
/// As [`crate::write_whole`].
pub fn write_table<T: Row>(path: &Path, rows: impl IntoIterator<Item = T>) -> Result<(), RecordError> {
    write_whole_with(path, |file| write_rows(file, rows.into_iter().map(Ok)))
}

/// Writes a file of rows anew, whole or not at all, with each row changed; rows are read and written one by one.
///
/// # Errors
/// As [`read_table`] and [`crate::write_whole`].
pub fn rewrite_table<T: Row>(path: &Path, mut change: impl FnMut(&mut T)) -> Result<(), RecordError> {
    let rows = stream_table(path)?.map(|row| {
        let (_, mut row) = row?;
        change(&mut row);
        Ok(row)
    });
    write_whole_with(path, |file| write_rows(file, rows))
}

fn write_rows<T: Row>(file: &mut dyn Write, rows: impl Iterator<Item = Result<T, RecordError>>) -> io::Result<()> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(file);
    writer.write_record(columns::<T>())?;
    for row in rows {
        writer.serialize(row.map_err(io::Error::other)?)?;
    }
    writer.flush()
}

/// Writes those rows of tables that are kept, cell by cell. `keep` is told from which table a row is.
pub(crate) fn copy_rows<T: Row>(
    tables: impl IntoIterator<Item = Result<TableReader<T>, RecordError>>,
    out: &mut dyn Write,
    keep: impl Fn(usize, &StringRecord) -> bool,
) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(columns::<T>())?;
    for (at, table) in tables.into_iter().enumerate() {
        let mut table = table.map_err(io::Error::other)?;
        refuse_newer::<T>(&table.path).map_err(io::Error::other)?;
        while let Some(line) = table.read().map_err(io::Error::other)? {
            if keep(at, &table.cells) {
                table.layout.check(&table.cells).map_err(|reason| io::Error::other(table.wrong(line, reason)))?;
                writer.write_record(&table.cells)?;
            }
        }
    }
    writer.flush()
}

/// Refuses a file with columns that this version does not know, for whoever adds rows or copies them: what stands in these columns
/// would be lost, or missing in new rows. A file that is not there, or ends within its header, has none.
///
/// # Errors
/// Such a file; one that cannot be read, or whose header is none of such rows.
pub(crate) fn refuse_newer<T: Row>(path: &Path) -> Result<(), RecordError> {
    let mut line = Vec::new();
    match File::open(path).and_then(|file| BufReader::new(file).read_until(b'\n', &mut line)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        read => read.map_err(|source| RecordError::Io { path: path.to_owned(), source })?,
    };
    if !line.ends_with(b"\n") {
        return Ok(());
    }
    let mut reader = csv::Reader::from_reader(line.as_slice());
    let unknown = Layout::of::<T>(path, reader.headers().map_err(|error| csv_error(path, error))?)?.unknown;
    if unknown.is_empty() {
        return Ok(());
    }
    let reason = format!("columns of a newer tilebench, which this one does not know: {unknown:?}; use that one");
    Err(RecordError::Row { path: path.to_owned(), line: 1, reason })
}

/// Whether a file holds these rows and nothing else; reads no further than to the first difference.
#[must_use]
pub fn table_is<T: Row + PartialEq>(path: &Path, rows: impl IntoIterator<Item = T>) -> bool {
    // An error is a difference.
    let found = |row: Result<(u64, T), RecordError>| row.ok().map(|(_, row)| row);
    stream_table::<T>(path).is_ok_and(|table| table.map(found).eq(rows.into_iter().map(Some)))
}

/// Whether a file of rows is longer than its header; one that is not there is not.
///
/// # Errors
/// A file that cannot be read.
pub fn table_has_rows(path: &Path) -> Result<bool, RecordError> {
    let longer = |file| {
        let mut file = BufReader::new(file);
        file.skip_until(b'\n')?;
        Ok(!file.fill_buf()?.is_empty())
    };
    match File::open(path).and_then(longer) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        other => other.map_err(|source| RecordError::Io { path: path.to_owned(), source }),
    }
}
