//! What formulations have to do with the kinds of instances: the one place that knows all of them.

use puzzle::tantrix::{BOUNDED, FIXED, NATURAL};

use crate::Role;

/// A kind of instance, as formulations see it.
pub(crate) struct Kind {
    /// Whether every place has a tile.
    pub full: bool,
    /// Name of the preset that is used when nothing is asked for.
    pub default: &'static str,
    /// The roles that a list of families must have, what they do, and the families that have them.
    pub needed: [(Role, &'static str, &'static str); 4],
}

/// Fixed boards.
static FULL: Kind = Kind {
    full: true,
    default: "colour",
    needed: [
        (Role::Placing, "puts one tile on each place", "C1"),
        (Role::Counting, "says how often each tile is used", "C2 or C2'"),
        (Role::Boundary, "keeps designated lines on the board", "C3, C3x or C4c"),
        (Role::Matching, "makes touching edges match", "C4 or C4c"),
    ],
};

/// Bounded boards and the open plane, which is solved on them.
static SPARSE: Kind = Kind {
    full: false,
    default: "bounded-colour",
    needed: [
        (Role::Placing, "puts at most one tile on each place", "B1"),
        (Role::Counting, "says how often each tile is used", "B3"),
        (Role::Boundary, "keeps designated lines on the tiles", "B4, B4+B5 or B45c"),
        (Role::Matching, "makes touching edges match", "B5, B4+B5 or B45c"),
    ],
};

/// The kind that instance files name so, if formulations can do anything with it.
pub(crate) fn kind(name: &str) -> Option<&'static Kind> {
    match name {
        FIXED => Some(&FULL),
        BOUNDED | NATURAL => Some(&SPARSE),
        _ => None,
    }
}
