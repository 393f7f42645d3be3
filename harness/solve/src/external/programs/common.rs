//! What the descriptions of programs have in common. Their files import all of this.

pub(super) use crate::backend::*;
pub(super) use crate::external::call::{Call, Part, SETTINGS};
pub(super) use crate::external::models::Format;
pub(super) use crate::external::output::{
    Counts, Left, Reader, Report, Values, after, count, count_before, line_with, named, number, solution, value,
};
pub(super) use crate::external::program::Program;

/// What most solvers of linear models have in common. Their exit codes and time limits are as one would expect.
pub(super) const MIP_READER: Reader = Reader {
    name: "",
    kind: FormulationKind::Mip,
    wants_file: true,
    codes: &[0],
    licence: &[],
    refusals: &[],
    read: |_| Err("nothing reads it".to_owned()),
};

/// What most programs have in common.
pub(super) const COMMON: Program = Program {
    name: "",
    executable: "",
    interface: "",
    reports: Reports::MIP,
    install: "",
    formats: &[Format::Lp, Format::Mps],
    version: &["--version"],
    version_after: None,
    own: "",
    abbreviations: false,
    most_seed: i32::MAX as u64,
    heeds_interrupt: false,
    arguments: &[],
    settings: &[],
    reader: &MIP_READER,
};
