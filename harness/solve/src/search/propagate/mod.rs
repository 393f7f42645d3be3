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
//! the search takes turns on two regular boards and the hexagon ([`turns`]).

mod board_search;
mod line;
mod places;
mod reach;
mod state;
mod table;
mod turns;

use std::iter;

use puzzle::hex::Axial;
use puzzle::tantrix::{Board, BoardType, Colour, Numbering, TileSet};
use puzzle::{Placement, Puzzle};

use self::board_search::BoardSearch;
use self::places::Places;
use self::state::State;
use self::table::{Table, members};
use self::turns::turns;
use super::control::{Control, Watch};
use super::field::parts;
use super::{End, Explored, Settings};

/// So many boards are tried beside the open plane, the first that is large enough and those after it.
const BOARDS: usize = 2;

/// Words of the largest sets of values.
const MOST_WORDS: usize = 6;

/// More sorts of tiles have no place in them.
pub(super) const MOST_SORTS: usize = (64 * MOST_WORDS - 1) / 6;

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
        65..=192 => run.search::<3>(colour, no_holes, settings.restarts),
        _ => run.search::<MOST_WORDS>(colour, no_holes, settings.restarts),
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
            Some(board) => vec![Places::new(board.places().to_vec())],
            None if restarts => {
                let boards = regular(count).take(BOARDS).chain([hexagon(count / 2)]);
                boards.map(Places::new).collect()
            }
            None => vec![Places::new(hexagon(count / 2))],
        };
        let mut boards: Vec<BoardSearch<W>> =
            all.iter().map(|places| BoardSearch::new(&table, places, no_holes)).collect();
        if let (None, Some(plane)) = (self.board, boards.last_mut()) {
            let rarest = (0..self.tiles.sorts.len()).min_by_key(|&sort| self.tiles.sorts[sort].count);
            let upright = |sort| table.values.iter().position(|value| value.sort == sort && value.orientation == 1);
            plane.first = rarest.and_then(upright).map(|value| (0, value));
        }
        let end = self.search_all(&mut boards, restarts);
        self.control.ended(end)
    }

    /// Searches until the last board, which has all solutions, is exhausted, or `found` has enough of what the others have.
    fn search_all<const W: usize>(&mut self, boards: &mut [BoardSearch<W>], restarts: bool) -> End {
        if self.control.is_late() {
            return End::OutOfTime;
        }
        let Some((whole, parts)) = boards.split_last_mut() else { return End::Exhausted };
        if whole.begin().is_err() {
            return End::Exhausted;
        }
        let whole = parts.len();
        let mut open: Vec<usize> = (0..whole).filter(|&index| parts[index].begin().is_ok()).collect();
        open.push(whole);
        turns(open, restarts, |index, patience| boards[index].attempt(self, patience))
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
    use puzzle::tantrix::TileSetKind;

    use super::board_search::Attempt;
    use super::*;
    use crate::search::control::Unwatched;

    #[test]
    fn every_board_spends_its_own_patience() {
        let tiles = TileSet::new(TileSetKind::Distinct, 24).expect("known tiles");
        let table = Table::<3>::new(&tiles, Colour::Red);
        let places: Vec<Places> = regular(24).take(BOARDS).chain([hexagon(12)]).map(Places::new).collect();
        let (random, control) = (Random(1), Control::new(None, Unwatched));
        let mut run = Run { tiles: &tiles, board: None, random, control, found: &mut |_| true };
        let mut boards: Vec<BoardSearch<3>> = places.iter().map(|at| BoardSearch::new(&table, at, false)).collect();
        for board in &mut boards {
            board.begin().expect("room for all tiles");
        }
        for patience in [20, 40] {
            for board in &mut boards {
                let before = run.control.backtracks;
                assert!(matches!(board.attempt(&mut run, patience), Attempt::RestartDue));
                assert_eq!(run.control.backtracks - before, patience);
            }
        }
    }
}
