//! 3SoKu: the integer program, one file a constraint family, with its registry; the clauses (`sat`); the constraint model (`cp`); programs
//! (`program`).
//!
//! S1 to S5 are the formulation of N. Rizzo, CSP Modeling of IcoSoKu, University of Udine 2020, said linearly; S2' counts
//! tiles that can stand in for each other together; S6 and S7 are ours and strengthen the linear relaxation.

mod bounds;
mod builder;
mod cp;
mod mip;
mod options;
mod problem;
pub(crate) mod program;
mod s1;
mod s2;
mod s2_sorts;
mod s3;
mod s4;
mod s5;
mod s6;
mod s7;
mod sat;

use puzzle::soku::SOKU;

pub(crate) use builder::Builder;
use cp::CpBuilder;
pub(crate) use problem::{build_cp, build_mip, build_sat};

use crate::FamilyInfo;

/// The kinds of instances that the families are for.
const KINDS: [&str; 1] = [SOKU];

/// A constraint family.
pub(crate) trait Family: Sync {
    /// How listings show it.
    fn info(&self) -> FamilyInfo;

    /// Adds its rows.
    fn add(&self, builder: &mut Builder);
}

/// Every family, in the order in which they are added to a model.
pub(crate) static FAMILIES: [&dyn Family; 8] =
    [&s1::S1, &s2::S2, &s2_sorts::S2Sorts, &s3::S3, &s4::S4, &s5::S5, &s6::S6, &s7::S7];

/// Why a list of families makes no sense although every role is filled, if so: S4 and S5 speak of single tiles.
pub(crate) fn contradiction(listed: &[FamilyInfo]) -> Option<String> {
    let has = |id| listed.iter().any(|family| family.id == id);
    let stray = ["S4", "S5"].into_iter().find(|id| has(*id))?;
    (!has("S2")).then(|| format!("{stray} is about tiles that are told apart; list S2 with it, or leave it out"))
}
