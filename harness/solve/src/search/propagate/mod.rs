//! Backtracking with propagation, for boards and for the open plane.
//!
//! Every place has a domain: the tiles and orientations that may lie there, and nothing where places are to spare
//! ([`table`]). Touching edges are kept consistent, sorts that are used up leave all domains, and a tile joins the lines
//! beside it, which may close with the last tile only ([`state`], [`line`]). After each choice it is looked whether the
//! rest can still be one line ([`reach`]). The place with the fewest values comes next, its values in a random order that
//! prefers sorts of which many are left. After so many dead ends the search begins anew, each time with more patience, so
//! that it ends even where there is nothing to find.
//!
//! On the open plane one tile of the rarest sort lies in the middle of a hexagon in orientation 1; a loop of n tiles
//! cannot get farther away than n / 2, so that nothing is lost. As solutions that lie close together are found much faster,
//! the search also begins on regular boards, in turn.

mod arena;
mod line;
mod reach;
mod state;
mod table;

use std::collections::HashMap;
use std::iter;

use puzzle::hex::Axial;
use puzzle::tantrix::{Board, BoardType, Colour, Numbering, TileSet};
use puzzle::{Placement, Puzzle};

use self::arena::{Arena, Tried};
use self::state::{NOWHERE, Places, State};
use self::table::{Table, members};
use super::control::{Control, Watch};
use super::field::parts;
use super::{End, Explored, Settings};

/// Dead ends before the first new beginning.
const PATIENCE: u64 = 500;

/// So many boards are tried beside the open plane, the first that is large enough and those after it.
const BOARDS: usize = 2;

/// Finds solutions until there are no more, or `found` returns false.
pub(super) fn propagate<W: Watch>(
    puzzle: &Puzzle,
    no_holes: bool,
    settings: Settings,
    control: Control<W>,
    found: &mut dyn FnMut(Vec<Placement>) -> bool,
) -> Explored {
    let (tiles, colour, board) = parts(puzzle);
    let run = Run { tiles, board, random: Random(settings.seed), control, found };
    // Six orientations of each sort, and nothing.
    match 6 * tiles.sorts.len() + 1 {
        ..=64 => run.search::<1>(colour, no_holes, settings.restarts),
        _ => run.search::<3>(colour, no_holes, settings.restarts),
    }
}

/// What goes on through all new beginnings.
struct Run<'a, O> {
    tiles: &'a TileSet,
    board: Option<&'a Board>,
    random: Random,
    control: Control<O>,
    found: &'a mut dyn FnMut(Vec<Placement>) -> bool,
}

impl<O: Watch> Run<'_, O> {
    fn search<const W: usize>(mut self, colour: Colour, no_holes: bool, restarts: bool) -> Explored {
        let table = Table::<W>::new(self.tiles, colour);
        let count: usize = self.tiles.sorts.iter().map(|sort| sort.count).sum();
        let all = match self.board {
            Some(board) => vec![neighbourhood(board.places().to_vec())],
            None if restarts => {
                let boards = regular(count).take(BOARDS).chain([hexagon(count / 2)]);
                boards.map(neighbourhood).collect()
            }
            None => vec![neighbourhood(hexagon(count / 2))],
        };
        let mut arenas: Vec<Arena<W>> = all.iter().map(|places| Arena::new(&table, places, no_holes)).collect();
        if let (None, Some(plane)) = (self.board, arenas.last_mut()) {
            let rarest = (0..self.tiles.sorts.len()).min_by_key(|&sort| self.tiles.sorts[sort].count);
            plane.first = rarest.map(|sort| (0, 6 * sort));
        }
        let end = self.take_turns(arenas, restarts);
        self.control.ended(end)
    }

    /// Begins anew until one beginning comes to an end. The last arena has all solutions, the others some.
    fn take_turns<const W: usize>(&mut self, mut arenas: Vec<Arena<W>>, restarts: bool) -> End {
        if self.control.is_late() {
            return End::OutOfTime;
        }
        if arenas.last_mut().is_none_or(|whole| whole.begin().is_err()) {
            return End::Exhausted;
        }
        let whole = arenas.len() - 1;
        let mut open: Vec<usize> = (0..whole).filter(|&index| arenas[index].begin().is_ok()).chain([whole]).collect();
        for round in 0.. {
            let patience = if restarts { PATIENCE.saturating_mul(luby(round)) } else { u64::MAX };
            let most = self.control.backtracks.saturating_add(patience);
            for turn in 0..open.len() {
                match arenas[open[turn]].attempt(self, most) {
                    Tried::Ended(End::Exhausted) if open[turn] != whole => {
                        open.remove(turn);
                        break;
                    }
                    Tried::Ended(end) => return end,
                    Tried::Impatient => {}
                }
            }
        }
        End::Exhausted
    }

    fn show<const W: usize>(&mut self, state: &State<'_, W>) {
        let (board, tiles) = (self.board, self.tiles);
        self.control.watch.step(|| placements(state, board, tiles));
    }

    /// Reports a solution; false if that was enough.
    fn report<const W: usize>(&mut self, state: &State<'_, W>) -> bool {
        (self.found)(placements(state, self.board, self.tiles))
    }
}

fn placements<const W: usize>(state: &State<'_, W>, board: Option<&Board>, tiles: &TileSet) -> Vec<Placement> {
    let lying = state.settled.iter().filter_map(|&place| {
        let value = members(state.domains[place as usize]).next()?;
        Some((state.places.at[place as usize], state.table.values.get(value)?))
    });
    lying
        .map(|(at, value)| Placement {
            place: board.map_or_else(|| at.ring_number(), |board| board.number(at).unwrap_or(0)),
            tile: tiles.sorts[value.sort].tile.number,
            orientation: value.orientation,
        })
        .collect()
}

/// Regular boards that hold so many tiles, smaller ones first.
fn regular(tiles: usize) -> impl Iterator<Item = Vec<Axial>> {
    let sizes = iter::successors(Some(BoardType::at_least(tiles)), |&(_, size)| Some(BoardType::at_least(size + 1)));
    sizes.filter_map(|(kind, size)| kind.places(size, Numbering::Rings).ok())
}

/// The places of so many rings around (0, 0), from the centre outwards.
fn hexagon(rings: usize) -> Vec<Axial> {
    (1..=3 * rings * (rings + 1) + 1).filter_map(Axial::from_ring_number).collect()
}

fn neighbourhood(at: Vec<Axial>) -> Places {
    let numbers: HashMap<Axial, u32> = at.iter().zip(0..).map(|(&at, number)| (at, number)).collect();
    let beyond = |at: &Axial| std::array::from_fn(|i| numbers.get(&at.neighbour(i + 1)).copied().unwrap_or(NOWHERE));
    Places { beyond: at.iter().map(beyond).collect(), at }
}

/// 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ... (Luby, Sinclair & Zuckerman 1993).
fn luby(index: u64) -> u64 {
    let mut index = index;
    loop {
        let next = (index + 2).next_power_of_two();
        // The last of a block of 2^k - 1.
        if index + 2 == next {
            return next / 2;
        }
        index -= next / 2 - 1;
    }
}

/// Numbers from a seed (splitmix64; Steele, Lea & Flood 2014).
struct Random(u64);

impl Random {
    /// Between 0 and 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ bits >> 31) >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_grows_as_published() {
        let first: Vec<u64> = (0..15).map(luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
