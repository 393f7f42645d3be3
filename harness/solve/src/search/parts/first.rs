//! The loop first: designated lines alone are mended to a single loop with as many lines of each bend as the tiles have, then the other
//! colours are filled in around it, and mended without touching it.
//!
//! About half of the loops have such colours on boards of 60 places, and hardly any on boards of 400: at each place there may be no tile.

use puzzle::Placement;

use super::chains::Chains;
use super::fill::{Fill, Filled};
use super::mending::{COSTS_OF_TILES, Costs, Mending};
use crate::search::control::{Control, End, Random};
use crate::search::places::Places;
use crate::search::sets::{Set, members};
use crate::search::table::Table;

/// Chains of lines that are tried before another full board, for each place.
const CHAINS_OF_LINES: usize = 1 << 13;

/// Chains of the other colours that are tried before another loop, for each place.
const CHAINS_OF_COLOURS: usize = 1 << 8;

/// Dead ends after which an attempt to fill a part ends.
const DEAD_ENDS: u64 = 100;

const COSTS_OF_LINES: Costs = Costs { copy: 1.5, a_loop: 0.8 };

/// Begins with the designated lines of a full board, given as values of `tiles`; `None`: there were so many attempts.
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
    let (chains, values) = (Chains::new(lines, places, false), values.iter().map(line).collect());
    let mut mending = Mending::new(lines, places, chains, values, COSTS_OF_LINES, random, control);
    mending.look_at_loops();
    for _ in 0..CHAINS_OF_LINES * places.at.len() {
        if mending.exchange() && mending.numbers.wrong == 0 && mending.is_single() {
            let with_line = |&value: &u16| tiles.joining(lines.values[usize::from(value)].ends);
            let domains = mending.values.iter().map(with_line).collect();
            let random = Random(mending.random.bits());
            if let Some(end) = colours(tiles, places, domains, random, mending.control, found) {
                return Some(end);
            }
        }
        if mending.control.is_late() {
            return Some(End::OutOfTime);
        }
    }
    None
}

/// Lays tiles around a loop, of those that have its line on each place; `None`: there are none, there were so many attempts, or what was
/// found is not enough.
fn colours(
    tiles: &Table<1>,
    places: &Places,
    domains: Vec<Set<1>>,
    mut random: Random,
    control: &mut Control<'_>,
    found: &mut dyn FnMut(Vec<Placement>) -> bool,
) -> Option<End> {
    let mut fill = Fill::among(tiles, places, domains);
    match fill.attempt(DEAD_ENDS, &mut random, control) {
        Filled::Yes => (),
        Filled::OutOfTime => return Some(End::OutOfTime),
        Filled::Never | Filled::GivenUp => return None,
    }
    let chains = Chains::new(tiles, places, true);
    let mut board = Mending::new(tiles, places, chains, fill.values(), COSTS_OF_TILES, random, control);
    if board.numbers.wrong > 0 {
        board.stage();
    }
    for _ in 0..CHAINS_OF_COLOURS * places.at.len() {
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
