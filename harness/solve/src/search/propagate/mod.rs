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
//! cannot get farther away than n / 2, so that nothing is lost.

mod line;
mod reach;
mod state;
mod table;

use std::collections::HashMap;

use puzzle::hex::Axial;
use puzzle::tantrix::{Board, Colour, TileSet};
use puzzle::{Placement, Puzzle};

use self::reach::Reach;
use self::state::{DeadEnd, Mark, NOWHERE, Places, State};
use self::table::{Table, insert, meets, members, size};
use super::control::{Control, Watch};
use super::field::parts;
use super::{End, Explored, Settings};

/// Dead ends before the first new beginning.
const PATIENCE: u64 = 500;

/// Finds solutions until there are no more, or `found` returns false.
pub(super) fn propagate<W: Watch>(
    puzzle: &Puzzle,
    no_holes: bool,
    settings: Settings,
    control: Control<W>,
    found: &mut dyn FnMut(Vec<Placement>) -> bool,
) -> Explored {
    let (tiles, colour, board) = parts(puzzle);
    // Six orientations of each sort, and nothing.
    match 6 * tiles.sorts.len() + 1 {
        ..=64 => Run::<1, W>::all(tiles, colour, board, no_holes, settings, control, found),
        _ => Run::<3, W>::all(tiles, colour, board, no_holes, settings, control, found),
    }
}

/// A choice that was made.
struct Choice {
    place: usize,
    /// The values that are still to be tried, the last one first.
    values: Vec<usize>,
    mark: Mark,
}

/// How one beginning ended.
enum Tried {
    Ended(End),
    Impatient,
}

struct Run<'a, 'f, const W: usize, O> {
    state: State<'a, W>,
    reach: Reach,
    board: Option<&'a Board>,
    /// The place and value that lie from the beginning, on the open plane.
    fixed: Option<(usize, usize)>,
    tiles: &'a TileSet,
    random: Random,
    control: Control<O>,
    found: &'f mut dyn FnMut(Vec<Placement>) -> bool,
}

impl<'a, 'f, const W: usize, O: Watch> Run<'a, 'f, W, O> {
    fn all(
        tiles: &'a TileSet,
        colour: Colour,
        board: Option<&'a Board>,
        no_holes: bool,
        settings: Settings,
        control: Control<O>,
        found: &'f mut dyn FnMut(Vec<Placement>) -> bool,
    ) -> Explored {
        let table = Table::<W>::new(tiles, colour);
        let count: usize = tiles.sorts.iter().map(|sort| sort.count).sum();
        let (places, fixed) = match board {
            Some(board) => (board.places().to_vec(), None),
            None => {
                let rarest = (0..tiles.sorts.len()).min_by_key(|&sort| tiles.sorts[sort].count).unwrap_or(0);
                (hexagon(count / 2), Some((0, 6 * rarest)))
            }
        };
        let places = neighbourhood(places);
        let mut run = Run {
            reach: Reach::new(&places, no_holes),
            state: State::new(&table, &places),
            board,
            fixed,
            tiles,
            random: Random(settings.seed),
            control,
            found,
        };
        let end = run.search(settings.restarts);
        run.control.ended(end)
    }

    fn search(&mut self, restarts: bool) -> End {
        if self.control.is_late() {
            return End::OutOfTime;
        }
        let mut begin = || {
            self.state.begin()?;
            if let Some((place, value)) = self.fixed {
                let mut set = [0; W];
                insert(&mut set, value);
                self.state.keep(place, set)?;
            }
            self.state.propagate()
        };
        if begin().is_err() {
            return End::Exhausted;
        }
        let start = self.state.mark();
        for round in 0.. {
            let patience = if restarts { PATIENCE.saturating_mul(luby(round)) } else { u64::MAX };
            let tried = self.attempt(self.control.backtracks.saturating_add(patience));
            if let Tried::Ended(end) = tried {
                return end;
            }
            self.state.undo(start);
        }
        End::Exhausted
    }

    /// Goes on until the dead ends are so many.
    fn attempt(&mut self, most: u64) -> Tried {
        let mut choices: Vec<Choice> = Vec::new();
        let mut alive = self.look_ahead().is_ok();
        loop {
            if alive {
                if self.state.tiles_left == 0 {
                    if !(self.found)(placements(&self.state, self.board, self.tiles)) {
                        return Tried::Ended(End::Stopped);
                    }
                } else if let Some(choice) = self.choose() {
                    choices.push(choice);
                }
            }
            // The next value of the last choice that has one.
            loop {
                if self.control.is_late() {
                    return Tried::Ended(End::OutOfTime);
                }
                let Some(choice) = choices.last_mut() else { return Tried::Ended(End::Exhausted) };
                let (place, mark) = (choice.place, choice.mark);
                let lay = self.state.settled.len();
                self.state.undo(mark);
                if self.state.settled.len() < lay {
                    self.show();
                }
                let Some(value) = choice.values.pop() else {
                    choices.pop();
                    continue;
                };
                self.control.count();
                let mut set = [0; W];
                insert(&mut set, value);
                alive =
                    self.state.keep(place, set).is_ok() && self.state.propagate().is_ok() && self.look_ahead().is_ok();
                if alive {
                    self.show();
                    break;
                }
                self.control.backtracks += 1;
                if self.control.backtracks >= most {
                    self.state.undo(mark);
                    return Tried::Impatient;
                }
            }
        }
    }

    /// What cannot be seen from one place to the next.
    fn look_ahead(&mut self) -> Result<(), DeadEnd> {
        self.reach.check(&mut self.state)
    }

    /// The place to go on with, and its values in the order in which they are tried.
    fn choose(&mut self) -> Option<Choice> {
        let state = &self.state;
        let nothing = state.table.nothing();
        let open = |place: usize| !state.is_settled[place] && !meets(&state.domains[place], &nothing);
        let touched = state.touched.iter().map(|&place| place as usize).filter(|&place| open(place));
        let settled_beside = |place: usize| {
            let beyond = state.places.beyond[place].iter();
            beyond.filter(|&&next| next == NOWHERE || state.is_settled[next as usize]).count()
        };
        let rank = |&place: &usize| (size(&state.domains[place]), 6 - settled_beside(place));
        let place = touched
            .min_by_key(rank)
            .or_else(|| (0..state.domains.len()).find(|&place| open(place)))
            .or_else(|| (0..state.domains.len()).find(|&place| !state.is_settled[place]))?;
        let mut values: Vec<(f64, usize)> = members(state.domains[place])
            .map(|value| {
                let weight = state.table.values.get(value).map_or(0.0, |v| f64::from(state.left[v.sort]));
                // The greatest of numbers drawn so has a chance proportional to the weight; nothing comes last.
                (if weight > 0.0 { self.random.next().powf(1.0 / weight) } else { -1.0 }, value)
            })
            .filter(|&(_, value)| state.table.values.get(value).is_none_or(|v| state.left[v.sort] > 0))
            .collect();
        values.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let values = values.into_iter().map(|(_, value)| value).collect();
        Some(Choice { place, values, mark: state.mark() })
    }

    fn show(&mut self) {
        let Self { control, state, board, tiles, .. } = self;
        control.watch.step(|| placements(state, *board, tiles));
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
