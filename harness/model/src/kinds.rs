//! What formulations have to do with the kinds of instances: the one place that knows all of them.

use puzzle::soku::SOKU;
use puzzle::tantrix::{BOUNDED, FIXED, NATURAL};

use crate::Role;

/// A kind of instance, as formulations see it.
pub(crate) struct Kind {
    /// Whether every place has a tile.
    pub full: bool,
    /// Whether solutions have loops.
    pub loops: bool,
    /// What the names of default formulations of other kinds than mip begin with.
    pub prefix: &'static str,
    /// Name of the preset that is used when nothing is asked for.
    pub default: &'static str,
    /// The roles that a list of families must have, what they do, and the families that have them.
    pub needed: &'static [(Role, &'static str, &'static str)],
}

/// Fixed boards.
static FULL: Kind = Kind {
    full: true,
    loops: true,
    prefix: "",
    default: "colour",
    needed: &[
        (Role::Placing, "puts one tile on each place", "C1"),
        (Role::Counting, "says how often each tile is used", "C2 or C2'"),
        (Role::Boundary, "keeps designated lines on the board", "C3, C3x or C4c"),
        (Role::Matching, "makes touching edges match", "C4 or C4c"),
    ],
};

/// Bounded boards and the open plane, which is solved on them.
static SPARSE: Kind = Kind {
    full: false,
    loops: true,
    prefix: "bounded-",
    default: "bounded-colour",
    needed: &[
        (Role::Placing, "puts at most one tile on each place", "B1"),
        (Role::Counting, "says how often each tile is used", "B3"),
        (Role::Boundary, "keeps designated lines on the tiles", "B4, B4+B5 or B45c"),
        (Role::Matching, "makes touching edges match", "B5, B4+B5 or B45c"),
    ],
};

/// 3SoKu.
static SOKU_KIND: Kind = Kind {
    full: true,
    loops: false,
    prefix: "soku-",
    default: "soku",
    needed: &[
        (Role::Placing, "puts one tile on each face", "S1"),
        (Role::Counting, "says how often each tile is used", "S2 or S2'"),
        (Role::Capacity, "makes weights meet the capacities", "S3"),
    ],
};

/// The kind that instance files name so, if formulations can do anything with it.
pub(crate) fn kind(name: &str) -> Option<&'static Kind> {
    match name {
        FIXED => Some(&FULL),
        BOUNDED | NATURAL => Some(&SPARSE),
        SOKU => Some(&SOKU_KIND),
        _ => None,
    }
}
