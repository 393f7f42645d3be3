//! The strategy `sums`.
//!
//! Where two sums are all that counts, as in the games that Partition becomes (Rizzo, lemma 1), which tiles go around the first of the
//! two vertices is decided over the sums of their weights, in pseudo-polynomial time or, for up to 40 tiles, from two sorted lists.
//!
//! In other games with large weights few arrangements meet the capacities, and most of a search is spent on the last faces. Lists of sums
//! ([`combinatorics::soku::first`]) decide these in one go; backtracking fills the other faces, if there are any, each time in another way.

use combinatorics::soku::generate::{is_searched, part};
use combinatorics::soku::{CountError, ending, first};
use puzzle::Placement;
use puzzle::soku::{Soku, placements};

use super::engine::{Engine, Go, Restarts, engine};
use crate::backend::*;
use crate::search::control::{Control, End, Explored, NAME};

/// Why a game is refused.
const NO_TABLE: &str = "strategy sums: no room for the sums or fillings of this game (capacities of 2^26 together, 65,536 different \
                        sums at a vertex, 3e10 fillings, which have numbers of 128 bits); strategy = \"propagate\" and kind sat have \
                        no such bounds";

/// Bytes for tables and lists of sums.
pub(super) const MEMORY: u64 = 1 << 30;

/// Finds one solution, or that there is none.
/// Errors: weights or sums that are too large, too many fillings or options.
pub(super) fn search(
    game: &Soku,
    most: u32,
    seed: u64,
    mut control: Control<'_>,
    found: &mut dyn FnMut(Vec<Placement>) -> bool,
) -> Result<Explored, SolveError> {
    let decided = match game.parted() {
        Some(vertices) => parted(game, vertices)?,
        None => match ending(game) {
            last if last.len() + game.placed.len() == game.tiles.len() => decided(game, &control)?,
            last if last.is_empty() => Decided::Unsolvable,
            last => filled(engine(game, most)?.as_mut(), game, &last, seed, &mut control)?,
        },
    };
    let end = match decided {
        // One solution is all there is to find.
        Decided::Solved(solution) => {
            if found(solution) {
                End::Exhausted
            } else {
                End::Stopped
            }
        }
        Decided::Unsolvable => End::Exhausted,
        Decided::Late => End::OutOfTime,
    };
    Ok(control.ended(end))
}

enum Decided {
    Solved(Vec<Placement>),
    Unsolvable,
    Late,
}

/// Decides a game that parts its tiles between these vertices ([`Soku::parted`]).
fn parted(game: &Soku, mut vertices: [usize; 2]) -> Result<Decided, SolveError> {
    let weights: Vec<u32> = game.tiles.iter().flatten().copied().filter(|&weight| weight > 0).collect();
    if !is_searched(&weights) {
        return Err(unsupported(NAME, "strategy sums: more than 40 weights with sums too large for a table"));
    }
    vertices.sort_by_key(|&vertex| game.capacity[vertex]);
    // Where there is one, the capacities need not fit the weights.
    let parted = match game.obstacle() {
        Some(_) => None,
        None => part(&weights, u64::from(game.capacity[vertices[0]])),
    };
    let Some(parted) = parted else { return Ok(Decided::Unsolvable) };
    let mut around = vertices.map(|vertex| game.field.around(vertex).iter());
    let mut shown = vec![[0; 3]; game.tiles.len()];
    for (&weight, is_first) in weights.iter().zip(&parted) {
        if let Some(&(face, corner)) = around[usize::from(!is_first)].next() {
            shown[face][corner] = weight;
        }
    }
    let solution = placements(game, &shown);
    let solution = solution.ok_or_else(|| SolveError::call(NAME, "sums", "no tiles with the weights of the parts"))?;
    Ok(Decided::Solved(solution))
}

/// Fills all faces but the last ones (from 0) in one way after the other, until these have a solution. Each beginning decides more
/// fillings than the one before, so that sooner or later one of them decides all.
/// Errors: as [`decided`], of the first filling; of a later one only its own answer is missing.
fn filled(
    engine: &mut dyn Engine,
    game: &Soku,
    last: &[usize],
    seed: u64,
    control: &mut Control<'_>,
) -> Result<Decided, SolveError> {
    engine.seed(seed);
    let (mut most, mut is_first, mut is_missing) = (1, true, false);
    let mut restarts = Restarts::new(game.tiles.len(), true);
    while let Some((patience, taste)) = restarts.next() {
        control.look_at_clock();
        if control.is_late() {
            break;
        }
        if !engine.begin(&game.capacity) {
            return Ok(Decided::Unsolvable);
        }
        engine.leave(last);
        let until = control.nodes.saturating_add(patience);
        let mut fillings = 0;
        let goes_on = loop {
            let patience = until.saturating_sub(control.nodes);
            match engine.go(control, patience, taste) {
                Go::Solved => {}
                Go::Given => break true,
                Go::Exhausted => break is_missing,
            }
            match decided(&Soku { placed: engine.lying(), ..game.clone() }, control) {
                Ok(Decided::Unsolvable) => {}
                Ok(decided) => return Ok(decided),
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
            if !engine.take_back(control) {
                break is_missing;
            }
        };
        if !goes_on {
            return Ok(Decided::Unsolvable);
        }
    }
    Ok(Decided::Late)
}

/// Decides all faces without a tile in one go.
/// Errors: sums that are too large, or too many fillings.
fn decided(game: &Soku, control: &Control<'_>) -> Result<Decided, SolveError> {
    let deadline = control.deadline();
    let counted = first(game, MEMORY, &|| !deadline.is_over());
    let counted = counted.map_err(|error| match error {
        CountError::TooLarge(_) => unsupported(NAME, NO_TABLE),
        error => unsupported(NAME, format!("strategy sums: {error}")),
    })?;
    let solution = counted.example.and_then(|shown| placements(game, &shown));
    Ok(match solution {
        Some(solution) => Decided::Solved(solution),
        None if counted.complete => Decided::Unsolvable,
        None => Decided::Late,
    })
}
