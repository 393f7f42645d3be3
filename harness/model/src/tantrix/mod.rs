//! Tantrix: one file a constraint family, and the registry.
//!
//! C families are those of fixed boards (Kino & Uno 2012, sections 4 and 5), B families those of bounded boards (the
//! same authors' slides, and the report of Bindhu and Varkey, 2024); some of the C families serve both. The same puzzles
//! as clauses are in `sat`.

mod b1;
mod b2;
mod b3;
mod b4;
mod b45;
mod b45_colour;
mod b5;
mod b6;
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
mod cp;
mod cp_problem;
mod cut_off;
mod cuts;
mod cycles;
mod holes;
mod natural;
mod problem;
mod rows;
mod sat;
mod weights;

use puzzle::tantrix::{BOUNDED, FIXED, NATURAL};

pub use cuts::{LoopCut, crossings, cuts_against};

pub(crate) use builder::Builder;
pub(crate) use cp_problem::CpProblem;
pub(crate) use natural::{NaturalProblem, OnBoard};
pub(crate) use problem::BoardProblem;
pub(crate) use sat::SatProblem;

use crate::FamilyInfo;

/// Kinds of instances in which every place has a tile.
const FULL: [&str; 1] = [FIXED];
/// Kinds of instances in which places may be empty. The natural setting is solved on bounded boards.
const SPARSE: [&str; 2] = [BOUNDED, NATURAL];
/// All kinds.
const ANY: [&str; 3] = [FIXED, BOUNDED, NATURAL];

/// A constraint family.
pub(crate) trait Family: Sync {
    /// How listings show it.
    fn info(&self) -> FamilyInfo;

    /// Adds the rows that stand from the start.
    fn add(&self, builder: &mut Builder);

    /// Adds the rows that demand what a cut lacks; only families that cut do anything.
    fn add_cut(&self, _builder: &mut Builder, _cut: &LoopCut) {}
}

/// Every family, in the order in which they are added to a model.
pub(crate) static FAMILIES: [&dyn Family; 24] = [
    &b1::B1,
    &b2::B2,
    &b3::B3,
    &b4::B4,
    &b5::B5,
    &b45::B45,
    &b45_colour::B45Colour,
    &b6::B6::FIVE,
    &b6::B6::FOUR,
    &b6::B6::THREE,
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
