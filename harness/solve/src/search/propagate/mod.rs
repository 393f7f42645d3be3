//! Backtracking with propagation, for boards and for the open plane.
//!
//! Every place has a domain: the tiles and orientations that may lie there, and nothing where places are to spare
//! ([`super::table`]). Touching edges are kept consistent, sorts that are used up leave all domains, and a tile joins the lines
//! beside it, which may close with the last tile only ([`state`]). After each choice it is looked whether the
//! rest can still be one line ([`reach`]). The place with the fewest values comes next, its values in a random order that
//! prefers sorts of which many are left. After so many dead ends the search begins anew, each time with more patience, so
//! that it ends even where there is nothing to find.
//!
//! On the open plane one tile of the rarest sort lies in the middle of a hexagon in orientation 1; a loop of n tiles
//! cannot get farther away than n / 2, so that nothing is lost. As solutions that lie close together are found much faster,
//! the search takes turns on a regular board with some room and the hexagon ([`turns`]).

mod reach;
mod state;

use puzzle::hex::Axial;
use puzzle::tantrix::{BoardType, Numbering};
use puzzle::{Placement, Puzzle};

use self::reach::Reach;
use self::state::{DeadEnd, Mark, State};
use super::control::{Control, End, Explored, Random, Settings};
use super::places::{NOWHERE, Places, hexagon, tantrix};
use super::sets::{meets, members, only, size};
use super::table::{MOST_WORDS, Table, fit_one_word};

/// The board that is tried beside the open plane has a place to spare for so many tiles, or more: with fewer, few beginnings have a
/// solution, with as many places to spare as tiles, few end in one.
const TILES_OF_SPARE_PLACE: usize = 2;

/// Dead ends before the first new beginning on a board.
const PATIENCE: u64 = 500;

/// The same on the open plane, where there are far more solutions.
const PATIENCE_ON_PLANE: u64 = 150;

/// Beside other boards the last one, which is the largest, gets one part in so many of the patience that they get.
const PART_OF_LAST: u64 = 64;

/// Finds solutions until there are no more, or `found` returns false.
pub(super) fn propagate(
    puzzle: &Puzzle,
    no_holes: bool,
    settings: Settings,
    control: Control<'_>,
    found: &mut dyn FnMut(Vec<Placement>) -> bool,
) -> Explored {
    let mut run = Run { random: Random(settings.seed), control, found };
    let end = match fit_one_word(tantrix(puzzle).0) {
        true => run.search::<1>(puzzle, no_holes, settings.restarts),
        false => run.search::<MOST_WORDS>(puzzle, no_holes, settings.restarts),
    };
    run.control.ended(end)
}

/// What goes on through all new beginnings.
struct Run<'a, 'w> {
    random: Random,
    control: Control<'w>,
    found: &'a mut dyn FnMut(Vec<Placement>) -> bool,
}

impl Run<'_, '_> {
    /// Searches until the last board, which has all solutions, is exhausted, or `found` has enough of what the others have.
    fn search<const W: usize>(&mut self, puzzle: &Puzzle, no_holes: bool, restarts: bool) -> End {
        let (tiles, colour, board) = tantrix(puzzle);
        let table = Table::<W>::new(tiles, colour);
        let count: usize = tiles.sorts.iter().map(|sort| sort.count).sum();
        let whole = board.map_or_else(|| hexagon(count / 2), |board| board.places().to_vec());
        let part = (board.is_none() && restarts).then(|| regular(count + count / TILES_OF_SPARE_PLACE));
        let places: Vec<Places> = part.into_iter().chain([whole]).map(|places| Places::new(places, board)).collect();
        let mut boards: Vec<BoardSearch<W>> =
            places.iter().map(|places| BoardSearch::new(&table, places, no_holes)).collect();
        let Some((whole, parts)) = boards.split_last_mut().filter(|_| !self.control.is_late()) else {
            return End::OutOfTime;
        };
        if board.is_none() {
            let rarest = (0..tiles.sorts.len()).min_by_key(|&sort| tiles.sorts[sort].count);
            let upright = |sort| table.values.iter().position(|value| value.sort == sort && value.orientation == 1);
            whole.first = rarest.and_then(upright).map(|value| (0, value));
        }
        if whole.begin().is_err() {
            return End::Exhausted;
        }
        let whole = parts.len();
        let mut open: Vec<usize> = (0..whole).filter(|&index| parts[index].begin().is_ok()).collect();
        open.push(whole);
        let patience = if board.is_some() { PATIENCE } else { PATIENCE_ON_PLANE };
        turns(open, restarts.then_some(patience), |index, patience| boards[index].attempt(self, patience))
    }

    fn show<const W: usize>(&mut self, state: &State<'_, W>) {
        self.control.step(|| state.placements());
    }
}

enum Attempt {
    Ended(End),
    /// There were as many dead ends as it was granted.
    RestartDue,
}

struct Choice {
    place: usize,
    /// The values that are still to be tried, the last one first.
    values: Vec<usize>,
    mark: Mark,
}

/// A board with the state of the search on it.
struct BoardSearch<'a, const W: usize> {
    state: State<'a, W>,
    reach: Reach,
    /// The place and value that lie from the beginning, if any do.
    first: Option<(usize, usize)>,
}

impl<'a, const W: usize> BoardSearch<'a, W> {
    fn new(table: &'a Table<W>, places: &'a Places, no_holes: bool) -> Self {
        Self { state: State::new(table, places), reach: Reach::new(places, no_holes), first: None }
    }

    /// What holds before any choice.
    fn begin(&mut self) -> Result<(), DeadEnd> {
        self.state.begin()?;
        if let Some((place, value)) = self.first {
            self.state.keep(place, only(value))?;
        }
        self.state.propagate()?;
        self.reach.check(&mut self.state)
    }

    /// Goes on until there were so many dead ends more; then everything is as at the beginning.
    fn attempt(&mut self, run: &mut Run<'_, '_>, patience: u64) -> Attempt {
        let most = run.control.backtracks.saturating_add(patience);
        let start = self.state.mark();
        let mut choices: Vec<Choice> = Vec::new();
        loop {
            if self.state.tiles_left == 0 {
                if !(run.found)(self.state.placements()) {
                    return Attempt::Ended(End::Stopped);
                }
            } else if let Some(choice) = self.choose(run) {
                choices.push(choice);
            }
            // The next value of the last choice that has one.
            loop {
                if run.control.is_late() {
                    return Attempt::Ended(End::OutOfTime);
                }
                let Some(choice) = choices.last_mut() else { return Attempt::Ended(End::Exhausted) };
                let (place, before) = (choice.place, self.state.settled.len());
                self.state.undo(choice.mark);
                if self.state.settled.len() < before {
                    run.show(&self.state);
                }
                let Some(value) = choice.values.pop() else {
                    choices.pop();
                    continue;
                };
                run.control.count();
                let is_laid = self.lay(place, value).is_ok();
                run.control.worked(self.state.take_work());
                if is_laid {
                    run.show(&self.state);
                    break;
                }
                run.control.backtracks += 1;
                if run.control.backtracks >= most {
                    self.state.undo(start);
                    run.show(&self.state);
                    return Attempt::RestartDue;
                }
            }
        }
    }

    fn lay(&mut self, place: usize, value: usize) -> Result<(), DeadEnd> {
        self.state.keep(place, only(value))?;
        self.state.propagate()?;
        self.reach.check(&mut self.state)
    }

    /// The place to go on with, and its values in the order in which they are tried.
    fn choose(&self, run: &mut Run<'_, '_>) -> Option<Choice> {
        let state = &self.state;
        run.control.worked(state.touched.len() as u64);
        let nothing = state.table.nothing();
        let open = |place: usize| !state.is_settled[place] && !meets(&state.domains[place], &nothing);
        let touched = state.touched.iter().map(|&place| place as usize).filter(|&place| open(place));
        let settled_beside = |place: usize| {
            let beyond = state.places.beyond[place].iter();
            beyond.filter(|&&next| next == NOWHERE || state.is_settled[next as usize]).count()
        };
        let place = touched
            .min_by_key(|&place| (size(&state.domains[place]), 6 - settled_beside(place)))
            .or_else(|| (0..state.domains.len()).find(|&place| open(place)))
            .or_else(|| (0..state.domains.len()).find(|&place| !state.is_settled[place]))?;
        let left = |value: usize| state.table.values.get(value).map(|value| state.left[value.sort]);
        let values = members(state.domains[place]).filter(|&value| left(value) != Some(0));
        let values = run.random.order(values.map(|value| (value, left(value).map(f64::from))));
        Some(Choice { place, values, mark: state.mark() })
    }
}

/// Boards are searched one after the other, round by round, each with a patience of its own. Begins anew until one beginning comes to an
/// end, with ever more patience than the `first`; if there is none, the first beginning goes on to its end. Of the open boards the last
/// one has all solutions and the others some: these drop out when they are exhausted.
fn turns(mut open: Vec<usize>, first: Option<u64>, mut attempt: impl FnMut(usize, u64) -> Attempt) -> End {
    for round in 0.. {
        let patience = first.map_or(u64::MAX, |first| first.saturating_mul(luby(round)));
        let mut turn = 0;
        while let Some(&board) = open.get(turn) {
            let is_last = turn + 1 == open.len();
            let granted = if is_last && turn > 0 { patience / PART_OF_LAST } else { patience };
            match attempt(board, granted) {
                Attempt::Ended(End::Exhausted) if !is_last => {
                    open.remove(turn);
                }
                Attempt::Ended(end) => return end,
                Attempt::RestartDue => turn += 1,
            }
        }
    }
    End::Exhausted
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

/// The smallest regular board of so many places, or more.
fn regular(places: usize) -> Vec<Axial> {
    let (kind, size) = BoardType::at_least(places);
    kind.places(size, Numbering::Rings).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use puzzle::tantrix::{Colour, TileSet, TileSetKind};

    use crate::backend::Deadline;

    use super::*;

    #[test]
    fn every_board_spends_its_own_patience() {
        let tiles = TileSet::new(TileSetKind::Distinct, 24).expect("known tiles");
        let table = Table::<3>::new(&tiles, Colour::Red);
        let places: Vec<Places> =
            [regular(24), regular(25), hexagon(12)].into_iter().map(|at| Places::new(at, None)).collect();
        let (random, control) = (Random(1), Control::new(Deadline::default(), None));
        let mut run = Run { random, control, found: &mut |_| true };
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

    #[test]
    fn patience_grows_as_published() {
        let first: Vec<u64> = (0..15).map(luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }

    #[test]
    fn an_exhausted_board_costs_no_other_its_turn() {
        let mut calls = Vec::new();
        let end = turns(vec![4, 5, 9], Some(PATIENCE), |board, patience| {
            calls.push((board, patience));
            match (board, calls.len()) {
                (4, 4) => Attempt::Ended(End::Exhausted),
                (_, 8) => Attempt::Ended(End::Stopped),
                _ => Attempt::RestartDue,
            }
        });
        assert_eq!(end, End::Stopped);
        let [all, part, twice] = [PATIENCE, PATIENCE / PART_OF_LAST, 2 * PATIENCE];
        let expected =
            [(4, all), (5, all), (9, part), (4, all), (5, all), (9, part), (5, twice), (9, twice / PART_OF_LAST)];
        assert_eq!(calls, expected);
    }

    #[test]
    fn the_last_board_speaks_for_all() {
        let end = turns(vec![0, 1], Some(PATIENCE), |board, _| match board {
            1 => Attempt::Ended(End::Exhausted),
            _ => Attempt::RestartDue,
        });
        assert_eq!(end, End::Exhausted);
    }

    #[test]
    fn a_board_alone_has_all_patience() {
        let mut granted = Vec::new();
        turns(vec![3], Some(PATIENCE), |_, patience| {
            granted.push(patience);
            if granted.len() < 3 { Attempt::RestartDue } else { Attempt::Ended(End::Exhausted) }
        });
        assert_eq!(granted, [PATIENCE, PATIENCE, 2 * PATIENCE]);
    }
}
