//! Counting, enumerating and making puzzles, beside the models and searches of other crates.
//!
//! Exact counts ([`soku::count`], [`tantrix::count_natural`]), plain exhaustive search ([`tantrix::exhaust`]), the classes
//! of boards of IcoSoKu ([`soku::classes`]), and instances from seeds ([`soku::generate`], [`tantrix::shapes`]). All of it
//! rests on the rules in `puzzle` alone.

pub mod soku;
pub mod tantrix;
pub mod threads;
