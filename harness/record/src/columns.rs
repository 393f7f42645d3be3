//! Columns: their names and what they mean, taken from the fields that hold them.

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
    /// For the macro `columns!`: the name and the doc comment of a field.
    pub(crate) const fn new(name: &'static str, doc: &'static str) -> Self {
        Self { name, doc }
    }

    /// What it means, as one line.
    #[must_use]
    pub fn meaning(&self) -> String {
        let (meaning, _) = self.parts();
        meaning.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Its type or unit.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        let (_, last) = self.parts();
        last.split_once("; empty if ").map_or(last, |(unit, _)| unit).trim()
    }

    /// When it is empty; `None` for a column that is filled in every row, which a file must therefore have.
    #[must_use]
    pub fn empty(&self) -> Option<String> {
        let (_, last) = self.parts();
        let (_, empty) = last.split_once("; empty if ")?;
        Some(empty.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Meaning, and the paragraph on type and emptiness.
    fn parts(&self) -> (&'static str, &'static str) {
        self.doc.trim().rsplit_once("\n\n").unwrap_or((self.doc.trim(), ""))
    }
}

/// A type whose fields, in order, are the columns of a file.
pub trait Row: Serialize + DeserializeOwned {
    /// Its columns, in the order in which they are written.
    fn columns() -> Vec<Column>;
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
                let mut columns = own.to_vec();
                $( columns.extend(<$part_type as $crate::Row>::columns()); )?
                columns
            }
        }
    };
}
pub(crate) use row;
