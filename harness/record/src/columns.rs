//! Columns: their names and what they mean, taken from the fields that hold them.

use std::path::{Component, Path};

use csv::StringRecord;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// One column of a file of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Its name in the header.
    pub name: &'static str,
    /// The doc comment of its field: what it means, then a last paragraph with its type or unit and when it is empty.
    doc: &'static str,
}

impl Column {
    /// For the macro `row!`: the name and the doc comment of a field.
    pub(crate) const fn new(name: &'static str, doc: &'static str) -> Self {
        Self { name, doc }
    }

    /// What it means, as one line.
    #[must_use]
    pub fn meaning(&self) -> String {
        self.split().0
    }

    /// Its type or unit.
    #[must_use]
    pub fn unit(&self) -> String {
        let (_, last) = self.split();
        last.split_once("; empty if ").map_or(last.clone(), |(unit, _)| unit.to_owned())
    }

    /// When it is empty; `None` for a column that is filled in every row, which a file must therefore have.
    #[must_use]
    pub fn empty(&self) -> Option<String> {
        self.split().1.split_once("; empty if ").map(|(_, when)| when.to_owned())
    }

    /// What its cells must be, beside fitting the type of the field.
    pub(crate) fn check(&self) -> Option<Check> {
        match (self.name, self.unit().as_str()) {
            ("run_id" | "instance", _) => Some(Check::FileName),
            (_, "seconds") => Some(Check::Amount),
            (_, "number") => Some(Check::Number),
            _ => None,
        }
    }

    /// Meaning, and the paragraph on type and emptiness; each as one line.
    fn split(&self) -> (String, String) {
        let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let doc = self.doc.trim();
        // A paragraph ends with a line that holds nothing.
        let parts = doc.rsplit_once("\n\n").unwrap_or((doc, ""));
        (line(parts.0), line(parts.1))
    }
}

/// What the cells of a column must be; an empty one may be anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Check {
    /// A finite number, 0 or more.
    Amount,
    /// A finite number.
    Number,
    /// The name of a file: it becomes part of a path, which must not lead out of the results directory.
    FileName,
}

impl Check {
    /// What is wrong with a cell.
    pub fn refuses(self, cell: &str) -> Option<String> {
        let number = |least: f64| {
            // Fewer than 300 digits and points are a finite number from 0 on, or none at all, which reading the cell refuses; so they need
            // no parsing here.
            let is_plain = cell.len() < 300 && cell.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            is_plain || !cell.parse().is_ok_and(|figure: f64| figure.is_infinite() || figure.is_nan() || figure < least)
        };
        let (fits, right) = match self {
            Self::Amount => (number(0.0), "a finite number, 0 or more"),
            Self::Number => (number(f64::NEG_INFINITY), "a finite number"),
            Self::FileName => {
                let mut parts = Path::new(cell).components();
                let is_name =
                    matches!((parts.next(), parts.next()), (Some(Component::Normal(part)), None) if part == cell);
                (is_name, "the name of a file in the results directory")
            }
        };
        (!fits).then(|| format!("`{cell}` is not {right}"))
    }
}

/// A type whose fields, in order, are the columns of a file.
pub trait Row: Serialize + DeserializeOwned {
    /// Its columns, in the order in which they are written.
    fn columns() -> Vec<Column>;

    /// The row that has these cells, in the order of its columns.
    ///
    /// # Errors
    /// A cell that does not fit its field.
    fn of_cells(cells: &StringRecord) -> csv::Result<Self>;
}

/// Names of the columns of a row type, in the order in which they are written.
#[must_use]
pub fn columns<T: Row>() -> Vec<&'static str> {
    T::columns().iter().map(|column| column.name).collect()
}

/// Defines a row type, or a part of one. The doc comment of a field is the description of its column: the meaning, then a
/// paragraph `<type or unit>` or `<type or unit>; empty if <when>`. A last field `.. name: Type` is a row type whose columns follow.
macro_rules! row {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $( $(#[doc = $doc:literal])+ $(#[serde($serde:meta)])? pub $field:ident: $type:ty, )+
            $( .. $(#[doc = $part_doc:literal])+ pub $part:ident: $part_type:ty )?
        }
    ) => {
        $(#[$meta])*
        pub struct $name {
            $( $(#[doc = $doc])+ $(#[serde($serde)])? pub $field: $type, )+
            $( $(#[doc = $part_doc])+ pub $part: $part_type, )?
        }

        impl $crate::Row for $name {
            fn columns() -> Vec<$crate::Column> {
                let own = [$( $crate::Column::new(stringify!($field), concat!($($doc, "\n"),+)) ),+];
                let columns = own.to_vec();
                $( let columns = [columns, <$part_type as $crate::Row>::columns()].concat(); )?
                columns
            }

            // Where rows are read it would be compiled at the level of that crate, which may be a low one.
            fn of_cells(cells: &csv::StringRecord) -> csv::Result<Self> {
                cells.deserialize(None)
            }
        }
    };
}
pub(crate) use row;
