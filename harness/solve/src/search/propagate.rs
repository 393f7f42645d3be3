//! To come.

use puzzle::{Placement, Puzzle};

use super::control::{Control, Watch};
use super::walk::walk;
use super::{Explored, Settings};

pub(super) fn propagate<W: Watch>(
    puzzle: &Puzzle,
    no_holes: bool,
    _settings: Settings,
    control: Control<W>,
    found: &mut dyn FnMut(Vec<Placement>) -> bool,
) -> Explored {
    walk(puzzle, no_holes, control, found)
}
