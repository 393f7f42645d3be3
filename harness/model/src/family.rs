//! What a constraint family is.

use puzzle::soku::SOKU;
use puzzle::tantrix::{BOUNDED, FIXED, NATURAL};

use crate::ir::Model;
use crate::soku::problem::Game;
use crate::tantrix::builder::Builder;
use crate::tantrix::cuts::LoopCut;

/// Kinds of instances in which every place has a tile.
pub(crate) const FULL: [&str; 1] = [FIXED];
/// Kinds of instances in which places may be empty. The natural setting is solved on bounded boards.
pub(crate) const SPARSE: [&str; 2] = [BOUNDED, NATURAL];
/// 3SoKu.
pub(crate) const SOKU_ONLY: [&str; 1] = [SOKU];

/// A constraint family of formulations of kind mip.
#[derive(Debug)]
pub struct Family {
    /// The name used in configs.
    pub id: &'static str,
    /// One line of what it demands.
    pub summary: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The kinds of instances it is for, as instance files name them.
    pub kinds: &'static [&'static str],
    /// What it contributes.
    pub roles: &'static [Role],
    /// The family that tells tiles apart, without which this one has no meaning.
    pub(crate) needs: Option<&'static str>,
    pub(crate) rows: Rows,
}

/// What a family adds to a model; the formulas are in the comments of the functions.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rows {
    /// Rows of Tantrix that stand from the start.
    Tantrix(fn(&mut Builder)),
    /// Rows that demand what a cut lacks, after a solve that shows subloops.
    Cuts(fn(&mut Builder, &LoopCut)),
    /// Rows of 3SoKu.
    Soku(fn(&mut Game<Model>)),
}

/// What a family contributes to a formulation. A list of families makes sense when each needed part is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// One tile on each place (C1), or at most one (B1).
    Placing,
    /// Each tile as often as the challenge says.
    Counting,
    /// Designated lines do not end: neither at the rim of the board nor beside an empty place.
    Boundary,
    /// Touching edges match.
    Matching,
    /// The weights around each vertex add up to its capacity.
    Capacity,
    /// Subloops are cut off and the model solved again.
    Cutting,
    /// Implied by the rules, or by the other families, or keeps one of any solutions that are the same but for a symmetry; speeds the
    /// search up, and where nothing is found under it, there is nothing.
    Strengthening,
    /// The designated loop is single: there are no subloops to cut off.
    SingleLoop,
    /// Forbids some solutions too: where nothing is found under it, nothing is proven.
    Restricting,
}

impl Family {
    pub(crate) const fn new(
        id: &'static str,
        kinds: &'static [&'static str],
        roles: &'static [Role],
        rows: Rows,
    ) -> Self {
        Self { id, summary: "", source: "", kinds, roles, needs: None, rows }
    }

    pub(crate) const fn demanding(self, summary: &'static str) -> Self {
        Self { summary, ..self }
    }

    pub(crate) const fn from(self, source: &'static str) -> Self {
        Self { source, ..self }
    }

    pub(crate) const fn beside(self, family: &'static str) -> Self {
        Self { needs: Some(family), ..self }
    }

    /// Whether it keeps one of the solutions that are the same but for equal tiles, or for turned ones whose edges or weights are equal.
    pub fn breaks_symmetry(&self) -> bool {
        self.needs.is_some()
    }

    /// Whether it contributes this.
    pub fn has(&self, role: Role) -> bool {
        self.roles.contains(&role)
    }
}

/// A name stands for one family.
impl PartialEq for Family {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Family {}
