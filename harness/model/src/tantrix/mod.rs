//! Tantrix: the constraint families of linear models by theme (`placing`, `matching`, `holes`, `loops`, `single`), clauses (`sat`), the
//! constraint model (`cp`), programs (`program`), and the open plane as boards that grow (`natural`).
//!
//! C families are those of fixed boards (Kino & Uno 2012, sections 4 and 5), B families those of bounded boards (the
//! same authors' slides, and the report of Bindhu and Varkey, 2024); some of the C families serve both.

pub(crate) mod builder;
mod clauses;
pub(crate) mod cp;
mod cut_off;
pub(crate) mod cuts;
mod cycles;
pub(crate) mod holes;
pub(crate) mod loops;
pub(crate) mod matching;
pub(crate) mod mip;
pub(crate) mod natural;
pub(crate) mod placing;
pub(crate) mod problem;
pub(crate) mod program;
pub(crate) mod sat;
pub(crate) mod single;

pub use cuts::{LoopCut, crossings, cuts_against};
