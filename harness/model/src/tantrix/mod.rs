//! Tantrix: the constraint families of linear models by theme (`placing`, `loops`) on the variables of a `builder`, clauses (`sat`), the
//! constraint model (`cp`), programs (`program`), and what they have in common (`problem`).
//!
//! C families are those of fixed boards (Kino & Uno 2012, sections 4 and 5), B families those of bounded boards (the
//! same authors' slides, and the report of Bindhu and Varkey, 2024); some of the C families serve both.

pub(crate) mod builder;
pub(crate) mod cp;
pub(crate) mod cuts;
mod cycles;
pub(crate) mod loops;
pub(crate) mod mip;
pub(crate) mod placing;
pub(crate) mod problem;
pub(crate) mod program;
pub(crate) mod sat;

pub use cuts::{LoopCut, crossings, cuts_against};
