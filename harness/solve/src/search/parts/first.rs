//! The loop first: designated lines alone are mended to a single loop with as many lines of each bend as the tiles have, then the other
//! colours are filled in around it, and mended without touching it.
//!
//! About half of the loops have such colours on boards of 60 places, and hardly any on boards of 400: at each place there may be no tile.

use puzzle::Placement;

use super::fill::{Fill, Filled};
use super::mending::{self, Costs, Mending};
use crate::search::control::{Control, End, Random};
use crate::search::places::Places;
use crate::search::sets::members;
use crate::search::table::Table;

/// Chains of lines that are tried before another full board, for each place.
const ATTEMPTS_OF_LINES: usize = 1 << 13;

/// Chains of the other colours that are tried before another loop, for each place.
const ATTEMPTS_OF_COLOURS: usize = 1 << 9;

/// Dead ends after which a part is given up.
const PATIENCE: u64 = 100;

const COSTS: Costs = Costs { copy: 1.5, a_loop: 0.8 };

/// Begins with the lines of a full board, given as values of `tiles`; `None`: there were so many attempts.
pub(super) fn loop_first(
    tiles: &Table<1>,
    lines: &Table<1>,
    places: &Places,
    values: &[u16],
    random: Random,
    control: &mut Control<'_>,
    found: &mut dyn FnMut(Vec<Placement>) -> bool,
) -> Option<End> {
    let line = |&value: &u16| members(lines.joining(tiles.values[usize::from(value)].ends)).next().unwrap_or(0) as u16;
    let mut mending = Mending::new(lines, places, values.iter().map(line).collect(), COSTS, random, control);
    mending.look_at_loops();
    for _ in 0..ATTEMPTS_OF_LINES * values.len() {
        if mending.exchange() && mending.numbers.wrong == 0 && mending.is_single() {
            let ends: Vec<_> = mending.values.iter().map(|&value| lines.values[usize::from(value)].ends).collect();
            let random = Random(mending.random.bits());
            if let Some(end) = colours(tiles, places, &ends, random, mending.control, found) {
                return Some(end);
            }
        }
        if mending.control.is_late() {
            return Some(End::OutOfTime);
        }
    }
    None
}

/// Lays tiles whose designated lines join the given edges of each place; `None`: there are none, there were so many attempts, or what was
/// found is not enough.
fn colours(
    tiles: &Table<1>,
    places: &Places,
    ends: &[[usize; 2]],
    mut random: Random,
    control: &mut Control<'_>,
    found: &mut dyn FnMut(Vec<Placement>) -> bool,
) -> Option<End> {
    let mut fill = Fill::within(tiles, places, ends.iter().map(|&ends| tiles.joining(ends)).collect());
    match fill.attempt(PATIENCE, &mut random, control) {
        Filled::Yes => (),
        Filled::OutOfTime => return Some(End::OutOfTime),
        Filled::Never | Filled::GivenUp => return None,
    }
    let mut board = Mending::new(tiles, places, fill.values(), mending::COSTS, random, control);
    board.chains.keeps_lines = true;
    if board.numbers.wrong > 0 {
        board.stage();
    }
    for _ in 0..ATTEMPTS_OF_COLOURS * ends.len() {
        if board.numbers.wrong == 0 {
            let goes_on = found(board.placements());
            return (!goes_on).then_some(End::Stopped);
        }
        if board.exchange() {
            board.tell();
        }
        if board.control.is_late() {
            return Some(End::OutOfTime);
        }
    }
    None
}
