//! A solve of next to nothing, by which a program says whether it takes its options before a large model is built for it.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use model::{Representation, Size};

use super::formats::{Counts, Format, Written};
use super::reader::Values;
use super::session::{Caller, ProgramSession};
use super::values::External;
use crate::backend::Session;
use crate::error::SolveError;

/// More than a program needs for this. One that takes longer is not waited for: it says what it has to say when it solves.
const MOST: Duration = Duration::from_secs(1);

/// Solves a model of one variable.
///
/// # Errors
/// An option that is refused, a program that is not there or has no licence. Whatever else goes wrong is left to the solve that
/// counts.
pub(super) fn rehearse(mut session: ProgramSession<impl Caller>) -> Result<(), SolveError> {
    match session.solve(&OneVariable, Some(MOST)) {
        Ok(_) | Err(SolveError::Call { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

/// A variable between 0 and 1 that must be 1.
#[derive(Debug)]
struct OneVariable;

impl Written for OneVariable {
    fn write(&self, format: Format, path: &Path) -> io::Result<()> {
        let text = match format {
            Format::Lp => "Minimize\n obj: x\nSubject To\n c: x >= 1\nBinary\n x\nEnd\n",
            Format::Mps => {
                "NAME model\nROWS\n N obj\n G row\nCOLUMNS\n MARKER 'MARKER' 'INTORG'\n x_1_1 obj 1\n x_1_1 row 1\n \
                 MARKER 'MARKER' 'INTEND'\nRHS\n RHS row 1\nBOUNDS\n BV BND x_1_1\nENDATA\n"
            }
            Format::Dimacs => "p cnf 1 1\n1 0\n",
        };
        fs::write(path, text)
    }

    fn counts(&self, _format: Format) -> Counts {
        Counts::default()
    }
}

impl Representation for OneVariable {
    type Value = f64;

    fn size(&self) -> Size {
        Size { variables: 1, constraints: 1, nonzeros: 1 }
    }

    fn broken_by(&self, _values: &[f64]) -> Vec<String> {
        Vec::new()
    }
}

impl External for OneVariable {
    fn values(&self, _values: Values, _format: Format) -> Result<Option<Vec<f64>>, String> {
        Ok(Some(vec![1.0]))
    }

    fn plausible(&self, _values: &[f64]) -> bool {
        true
    }

    fn objective(&self, _values: &[f64]) -> Option<f64> {
        None
    }
}
