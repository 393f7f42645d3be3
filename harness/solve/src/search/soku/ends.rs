//! Games with large weights by their sums: where few arrangements meet the capacities, most of a search is spent on the last faces. Here these are
//! left to lists of sums ([`combinatorics::soku::first`]), which decide them in one go; backtracking fills the other faces, if there are any,
//! each time in another way.

use combinatorics::soku::first;
use puzzle::Placement;
use puzzle::soku::{Soku, placements};

use super::engine::{Engine, Go, Restarts};
use super::states::States;
use crate::backend::*;
use crate::search::control::{Control, End, Explored, NAME};

/// Bytes for tables and lists of sums.
pub(super) const MEMORY: u64 = 1 << 30;

/// Finds a solution of a game of which all faces without a tile are decided in one go, or that there is none.
/// Errors: sums that are too large, or too many fillings.
pub(super) fn whole(
    game: &Soku,
    control: &Control<'_>,
    found: &mut dyn FnMut(Vec<Placement>) -> bool,
) -> Result<Explored, SolveError> {
    let end = match decided(game, control)? {
        Decided::Solved(solution) => shown(solution, found),
        Decided::Unsolvable => End::Exhausted,
        Decided::Late => End::OutOfTime,
    };
    Ok(control.ended(end))
}

/// One solution is all there is to find.
fn shown(solution: Vec<Placement>, found: &mut dyn FnMut(Vec<Placement>) -> bool) -> End {
    if found(solution) { End::Exhausted } else { End::Stopped }
}

/// Fills all faces but the last ones (from 0) again and again, until these have a solution.
/// Errors: as [`whole`].
pub(super) fn search<const W: usize, S: States<W>>(
    mut engine: Engine<W, S>,
    game: &Soku,
    last: &[usize],
    seed: u64,
    mut control: Control<'_>,
    found: &mut dyn FnMut(Vec<Placement>) -> bool,
) -> Result<Explored, SolveError> {
    engine.seed(seed);
    for (patience, taste) in Restarts::new(game.tiles.len(), true) {
        control.look_at_clock();
        if control.is_late() {
            break;
        }
        if !engine.begin(&game.capacity) {
            return Ok(control.ended(End::Exhausted));
        }
        engine.leave(last);
        match engine.go(&mut control, patience, taste, &|engine: &Engine<W, S>| engine.lying(game)) {
            Go::Exhausted => return Ok(control.ended(End::Exhausted)),
            Go::Given => {}
            Go::Solved => match decided(&Soku { placed: engine.lying(game), ..game.clone() }, &control)? {
                Decided::Solved(solution) => return Ok(control.ended(shown(solution, found))),
                Decided::Unsolvable => {}
                Decided::Late => break,
            },
        }
    }
    Ok(control.ended(End::OutOfTime))
}

/// What becomes of the faces without a tile.
enum Decided {
    Solved(Vec<Placement>),
    Unsolvable,
    Late,
}

fn decided(game: &Soku, control: &Control<'_>) -> Result<Decided, SolveError> {
    let deadline = control.deadline();
    let counted = first(game, MEMORY, &|| !deadline.is_over());
    let counted = counted.map_err(|error| unsupported(NAME, format!("strategy sums: {error}")))?;
    let solution = counted.example.and_then(|shown| placements(game, &shown));
    Ok(match solution {
        Some(solution) => Decided::Solved(solution),
        None if counted.complete => Decided::Unsolvable,
        None => Decided::Late,
    })
}
