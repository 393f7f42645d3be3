//! Models of 3SoKu.

pub(crate) mod program;
