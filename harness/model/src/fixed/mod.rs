//! Fixed boards (Kino & Uno 2012, sections 4 and 5): one file a family, and the registry.

mod builder;
mod c1;
mod c2;
mod c2_sorts;
mod c3;
mod c3_x;
mod c4;
mod c4_colour;
mod c5;
mod c5_x;
mod c6;
mod c6_x;
mod c7;
mod c8;
mod c9;
mod cuts;
mod problem;

use puzzle::Cut;

pub use builder::Builder;
pub use cuts::{CutChoice, crossings, cuts_against};
pub use problem::FixedProblem;

use crate::FamilyInfo;

/// A constraint family of fixed boards.
pub trait Family: Sync {
    /// How listings show it.
    fn info(&self) -> FamilyInfo;

    /// Adds the rows that stand from the start.
    fn add(&self, builder: &mut Builder);

    /// Adds the row that demands what a cut lacks; only families that cut do anything.
    fn add_cut(&self, _builder: &mut Builder, _cut: &Cut) {}
}

/// Every family, in the order in which they are added to a model.
pub static FAMILIES: [&dyn Family; 14] = [
    &c1::C1,
    &c2::C2,
    &c2_sorts::C2Sorts,
    &c3::C3,
    &c3_x::C3x,
    &c4::C4,
    &c4_colour::C4Colour,
    &c5::C5,
    &c5_x::C5x,
    &c6::C6,
    &c6_x::C6x,
    &c7::C7,
    &c8::C8,
    &c9::C9,
];
