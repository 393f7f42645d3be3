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

/// Fills all faces but the last ones (from 0) in one way after the other, until these have a solution. Each beginning decides more
/// fillings than the one before, so that sooner or later one of them decides all.
/// Errors: as [`whole`], of the first filling; of a later one only its own answer is missing.
pub(super) fn search<const W: usize, S: States<W>>(
    mut engine: Engine<W, S>,
    game: &Soku,
    last: &[usize],
    seed: u64,
    mut control: Control<'_>,
    found: &mut dyn FnMut(Vec<Placement>) -> bool,
) -> Result<Explored, SolveError> {
    engine.seed(seed);
    let show = |engine: &Engine<W, S>| engine.lying(game);
    let (mut most, mut is_first, mut is_missing) = (1, true, false);
    let mut restarts = Restarts::new(game.tiles.len(), true);
    while let Some((patience, taste)) = restarts.next() {
        control.look_at_clock();
        if control.is_late() {
            break;
        }
        if !engine.begin(&game.capacity) {
            return Ok(control.ended(End::Exhausted));
        }
        engine.leave(last);
        let until = control.nodes.saturating_add(patience);
        let mut fillings = 0;
        let goes_on = loop {
            let patience = until.saturating_sub(control.nodes);
            match engine.go(&mut control, patience, taste, &show) {
                Go::Solved => {}
                Go::Given => break true,
                Go::Exhausted => break is_missing,
            }
            match decided(&Soku { placed: engine.lying(game), ..game.clone() }, &control) {
                Ok(Decided::Solved(solution)) => return Ok(control.ended(shown(solution, found))),
                Ok(Decided::Unsolvable) => {}
                Ok(Decided::Late) => return Ok(control.ended(End::OutOfTime)),
                Err(error) if is_first => return Err(error),
                Err(_) => is_missing = true,
            }
            is_first = false;
            fillings += 1;
            if fillings == most {
                most += 1 + most / 8;
                restarts.keep();
                break true;
            }
            if !engine.take_back(&mut control, &show) {
                break is_missing;
            }
        };
        if !goes_on {
            return Ok(control.ended(End::Exhausted));
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
