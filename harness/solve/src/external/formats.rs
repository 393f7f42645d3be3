//! Files that models are written to, and what a program that reads them all must find there.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use model::ir::{Domain, Model};
use model::sat::Cnf;
use model::{FormulationKind, dimacs, lp, mps};

/// A file format of models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Lp,
    Mps,
    Dimacs,
}

/// Rows and columns, or clauses and variables, as a program says that it has read them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counts {
    pub rows: Option<u64>,
    pub columns: Option<u64>,
}

impl Format {
    pub const ALL: [Self; 3] = [Self::Lp, Self::Mps, Self::Dimacs];

    pub fn name(self) -> &'static str {
        match self {
            Self::Lp => "lp",
            Self::Mps => "mps",
            Self::Dimacs => "dimacs",
        }
    }

    /// Name of the model file: programs go by its ending.
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Lp => "model.lp",
            Self::Mps => "model.mps",
            Self::Dimacs => "model.cnf",
        }
    }

    /// The kind of the models that it is for.
    pub fn kind(self) -> FormulationKind {
        match self {
            Self::Lp | Self::Mps => FormulationKind::Mip,
            Self::Dimacs => FormulationKind::Sat,
        }
    }
}

/// Models that can be written to files.
pub(super) trait Written {
    /// Writes the model.
    fn write(&self, format: Format, path: &Path) -> io::Result<()>;

    /// What a reader of that file finds.
    fn counts(&self, format: Format) -> Counts;
}

impl Written for Model {
    fn write(&self, format: Format, path: &Path) -> io::Result<()> {
        let mut out = BufWriter::new(File::create(path)?);
        match format {
            Format::Lp => lp::write(self, &mut out)?,
            Format::Mps => mps::write(self, "model", &mut out)?,
            Format::Dimacs => return Err(unfit(format)),
        }
        out.flush()
    }

    fn counts(&self, format: Format) -> Counts {
        let rows = self.rows().iter();
        let rows: usize = match format {
            // A row between two different bounds is two rows there.
            Format::Lp => rows
                .map(|row| match row.lower == row.upper {
                    true => 1,
                    false => usize::from(row.lower.is_finite()) + usize::from(row.upper.is_finite()),
                })
                .sum(),
            // A row without bounds is one more objective there.
            Format::Mps => rows.filter(|row| row.lower.is_finite() || row.upper.is_finite()).count(),
            Format::Dimacs => return Counts::default(),
        };
        Counts { rows: Some(rows as u64), columns: Some(self.variables().len() as u64) }
    }
}

impl Written for Cnf {
    fn write(&self, format: Format, path: &Path) -> io::Result<()> {
        if format != Format::Dimacs {
            return Err(unfit(format));
        }
        let mut out = BufWriter::new(File::create(path)?);
        dimacs::write(self, &[], &mut out)?;
        out.flush()
    }

    fn counts(&self, _format: Format) -> Counts {
        Counts { rows: Some(self.len() as u64), columns: Some(self.variables() as u64) }
    }
}

fn unfit(format: Format) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("no model of this kind in the format {}", format.name()))
}

/// The variables in the order in which a reader of the file first meets them.
pub(super) fn order(model: &Model, format: Format) -> Vec<usize> {
    let count = model.variables().len();
    if format != Format::Lp {
        return (0..count).collect();
    }
    let fixed = |index: &usize| model.variables()[*index].lower == model.variables()[*index].upper;
    let integer = |index: &usize| model.variables()[*index].domain == Domain::Integer;
    // An empty objective is written with the first variable.
    let first = (model.objective().is_empty() && count > 0).then_some(0);
    let objective = model.objective().iter().map(|(var, _)| var.0);
    let rows = model.rows().iter().filter(|row| row.lower.is_finite() || row.upper.is_finite());
    let rows = rows.flat_map(|row| row.terms.iter().map(|(var, _)| var.0));
    let bounds = (0..count).filter(|index| fixed(index) || integer(index));
    let mut seen = vec![false; count];
    let met = first.into_iter().chain(objective).chain(rows).chain(bounds).chain(0..count);
    met.filter(|&index| !std::mem::replace(&mut seen[index], true)).collect()
}
