//! 3SoKu: our own search ([`propagate`]) and the one of De Biasi's solver in JavaScript ([`least`]).
//!
//! For every vertex it is known what it lacks and how many faces around it are open, and from that which weights may still
//! lie around it: those that leave a sum which the other faces can reach ([`states`]). The options of a face are the
//! triples that sorts of tiles with copies left can show and that its three vertices permit; they are bits of a few words
//! ([`table`]). The open face with the fewest options comes next ([`engine`]); of its options first the one that is nearest
//! to what the vertices lack on average, where extreme weights are preferred: they fit ever fewer vertices later. After so
//! many nodes the search begins anew, with more patience, other preferences and more noise ([`restarts`]), so that it ends
//! even where there is nothing to find.

mod all;
mod engine;
mod least;
mod restarts;
mod solver;
mod states;
mod table;

use model::Strategy;
use puzzle::Placement;
use puzzle::soku::{Soku, rotated};

use self::engine::{Engine, Go};
use self::restarts::Restarts;
use self::states::{Bounds, Rows, States};
use self::table::Table;
use super::control::{Control, Watch};
use super::{End, Explored, Settings};
use crate::error::SolveError;

pub use self::all::{AllSolved, solve_all};
pub use self::solver::SokuSolver;

/// Words of the largest sets of options.
const MOST_WORDS: usize = 160;

/// Something to be made for sets of options of so many words.
trait Room {
    type Made;
    fn with<const W: usize>(self) -> Self::Made;
}

/// Makes it for as many words as the options of a game need.
fn with_room<R: Room>(game: &Soku, room: R) -> Result<R::Made, SolveError> {
    let options = game.sorts().options().count();
    Ok(match options.div_ceil(64) {
        0 | 1 => room.with::<1>(),
        2..=4 => room.with::<4>(),
        5..=12 => room.with::<12>(),
        13..=36 => room.with::<36>(),
        37..=MOST_WORDS => room.with::<MOST_WORDS>(),
        _ => {
            let reason =
                format!("{options} triples of weights that tiles can show; there is room for {}", 64 * MOST_WORDS);
            return Err(SolveError::Unsupported { solver: super::NAME, reason });
        }
    })
}

/// Finds solutions until there are no more, or `found` returns false. Without restarts each comes once (tiles of one sort are
/// interchangeable, and so are the rotations of a uniform tile).
pub(super) fn search<L: Watch>(
    game: &Soku,
    strategy: Strategy,
    settings: Settings,
    control: Control<L>,
    found: &mut dyn FnMut(Vec<Placement>) -> bool,
) -> Result<Explored, SolveError> {
    if control.is_late() {
        return Ok(control.ended(End::OutOfTime));
    }
    if settings.sum_check && game.obstacle().is_some() {
        return Ok(control.ended(End::Exhausted));
    }
    match strategy {
        Strategy::LeastCapacity => Ok(least::search(game, control, found)),
        _ => with_room(game, Run { game, settings, control, found }),
    }
}

struct Run<'a, L> {
    game: &'a Soku,
    settings: Settings,
    control: Control<L>,
    found: &'a mut dyn FnMut(Vec<Placement>) -> bool,
}

impl<L: Watch> Room for Run<'_, L> {
    type Made = Explored;

    fn with<const W: usize>(self) -> Explored {
        let table = Table::<W>::new(self.game);
        match Rows::new(&table, self.game.capacity.iter().copied().max().unwrap_or(0)) {
            Some(rows) => self.search(table, rows),
            None => {
                let bounds = Bounds::new(&table);
                self.search(table, bounds)
            }
        }
    }
}

impl<L: Watch> Run<'_, L> {
    fn search<const W: usize, S: States<W>>(self, table: Table<W>, states: S) -> Explored {
        let Self { game, settings, mut control, found } = self;
        let mut engine = Engine::new(game, table, states);
        engine.seed(settings.seed);
        let show = |engine: &Engine<W, S>| {
            let laid =
                engine.laid().map(|(face, choice)| (face as usize, engine.table.choices[usize::from(choice)].weights));
            placements(game, laid)
        };
        control.look_at_clock();
        for (patience, taste) in Restarts::new(game.tiles.len(), settings.restarts) {
            if !engine.begin(&game.capacity) {
                return control.ended(End::Exhausted);
            }
            loop {
                match engine.go(&mut control, patience, taste, &show) {
                    Go::Solved if !found(show(&engine)) => return control.ended(End::Stopped),
                    Go::Solved if engine.take_back(&mut control, &show) => {}
                    Go::Solved | Go::Exhausted => return control.ended(End::Exhausted),
                    Go::Given if control.is_late() => return control.ended(End::OutOfTime),
                    Go::Given => break,
                }
            }
        }
        control.ended(End::Exhausted)
    }
}

/// Numbered tiles for weights on faces (by index), of tiles of one sort the least number first; a face of the game's placed
/// tiles has that tile.
fn placements(game: &Soku, laid: impl Iterator<Item = (usize, [u32; 3])>) -> Vec<Placement> {
    let mut used = vec![false; game.tiles.len()];
    for placed in &game.placed {
        used[placed.tile - 1] = true;
    }
    let mut of = |(face, weights): (usize, [u32; 3])| {
        if let Some(&placed) = game.placed.iter().find(|placed| placed.place == face + 1) {
            return Some(placed);
        }
        let shows = |tile: usize| (0..3).find(|&rotation| rotated(game.tiles[tile], rotation) == weights);
        let free = (0..game.tiles.len()).filter(|&tile| !used[tile]);
        let (tile, orientation) = { free }.find_map(|tile| Some((tile, shows(tile)?)))?;
        used[tile] = true;
        Some(Placement { place: face + 1, tile: tile + 1, orientation })
    };
    let mut laid: Vec<_> = laid.collect();
    laid.sort_unstable();
    laid.into_iter().filter_map(&mut of).collect()
}
