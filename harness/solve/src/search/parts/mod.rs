//! Many tiles: as many places are filled part by part, then mended in small steps until the numbers of tiles are right and one
//! loop is left.
//!
//! Where there are more places than tiles, a [`region`] of them is chosen first, at each new beginning another.
//!
//! Touching edges match from the first full board on ([`fill`]). The steps are exchanges along chains ([`chains`]); each
//! is accepted or refused by what it does to the numbers of tiles and of loops ([`mending`], [`loops`]) (Metropolis et al.
//! 1953). On boards of up to [`MOST_LOOP_FIRST`] tiles the designated lines are mended alone at first ([`first`]); on larger ones all
//! colours together, first by the numbers of tiles alone, and where loops stay apart, a patch around one of them is filled anew.
//!
//! Time and memory of a step do not depend on the board, but for loops that change, which are followed anew. It proves nothing but
//! that the colours close no loop and, on fixed boards, that touching edges cannot match.

mod chains;
mod fill;
mod first;
mod loops;
mod mending;

use std::collections::BTreeSet;

use puzzle::hex::Axial;
use puzzle::tantrix::Board;
use puzzle::{Placement, Puzzle};

use self::chains::Chains;
use self::fill::Fill;
use self::first::loop_first;
use self::mending::{COSTS_OF_TILES, Mending};
use crate::backend::Deadline;

use super::control::{Control, End, Explored, Filling, Random};
use super::places::{NOWHERE, Places, hexagon, tantrix};
use super::table::{MOST_WORDS, Table, fit_one_word};

/// The strategy `parts` leaves boards of up to so many tiles to `propagate`, which is as fast there and can prove that there is no
/// solution.
pub const MOST_PROPAGATED: usize = 30;

/// Boards of up to so many tiles get their loop first.
const MOST_LOOP_FIRST: usize = 200;

/// On larger boards: chains that are tried before all begins anew, and as many more for each place; a quarter more each time.
const FIRST_ATTEMPTS: u64 = 1 << 20;
const ATTEMPTS_OF_PLACE: u64 = 1 << 15;

/// Finds solutions until `found` returns false or the time is over.
pub(super) fn parts(
    puzzle: &Puzzle,
    seed: u64,
    mut control: Control<'_>,
    found: &mut dyn FnMut(Vec<Placement>) -> bool,
) -> Explored {
    control.filling = Some(Filling::default());
    if control.is_late() {
        return control.ended(End::OutOfTime);
    }
    let (tiles, colour, board) = tantrix(puzzle);
    if tiles.obstacle(colour).is_some() {
        return control.ended(End::Exhausted);
    }
    let table = Table::new(tiles, colour);
    let count = table.supply.iter().sum::<u32>() as usize;
    let lines = (count <= MOST_LOOP_FIRST).then(|| Table::new(&tiles.lines(colour), colour));
    let room = room(board, count);
    let is_fixed = room.at.len() == count;
    let mut attempts = FIRST_ATTEMPTS + ATTEMPTS_OF_PLACE * count as u64;
    for round in 0.. {
        // Rounds of one seed differ, and so do the first ones of two.
        let mut random = Random(Random(seed).bits().wrapping_add(round));
        control.worked(room.at.len() as u64);
        let region = if is_fixed { None } else { Some(Places::new(region(&room, count, 0.0, &mut random), board)) };
        let places = region.as_ref().unwrap_or(&room);
        let filled = if places.at.len() < count {
            Err(End::Exhausted)
        } else {
            Fill::new(&table, places).board(&mut random, &mut control)
        };
        match filled {
            Ok(values) => {
                let end = if let Some(lines) = &lines {
                    loop_first(&table, lines, places, &values, random, &mut control, found)
                } else {
                    let chains = Chains::new(&table, places, false);
                    let board = Mending::new(&table, places, chains, values, COSTS_OF_TILES, random, &mut control);
                    board.mend(attempts, found)
                };
                if let Some(end) = end {
                    return control.ended(end);
                }
                attempts = attempts.saturating_add(attempts / 4);
            }
            // There are other regions.
            Err(End::Exhausted) if !is_fixed => {
                if control.is_late() {
                    return control.ended(End::OutOfTime);
                }
            }
            Err(end) => return control.ended(end),
        }
        control.filling().restarts += 1;
    }
    control.ended(End::OutOfTime)
}

/// Full boards on which touching edges match, whatever tiles lie and whatever loops; none more when the time is over. A seed always
/// leads to the same.
pub(crate) fn matching_boards<'a>(
    puzzle: &'a Puzzle,
    seed: u64,
    deadline: &Deadline,
) -> Box<dyn Iterator<Item = Vec<Placement>> + 'a> {
    match fit_one_word(tantrix(puzzle).0) {
        true => Box::new(boards::<1>(puzzle, seed, deadline)),
        false => Box::new(boards::<MOST_WORDS>(puzzle, seed, deadline)),
    }
}

fn boards<'a, const W: usize>(
    puzzle: &'a Puzzle,
    seed: u64,
    deadline: &Deadline,
) -> impl Iterator<Item = Vec<Placement>> + use<'a, W> {
    let (tiles, colour, board) = tantrix(puzzle);
    let table = Table::<W>::new(tiles, colour);
    let places = Places::new(board.map_or_else(Vec::new, |board| board.places().to_vec()), board);
    let (mut random, mut control) = (Random(seed), Control::new(deadline.clone(), None));
    std::iter::from_fn(move || {
        let values = Fill::new(&table, &places).board(&mut random, &mut control).ok()?;
        Some(table.placements(&places, &values))
    })
}

/// Choices of as many places as there are tiles, where these lie in one part and without holes; without end, and fewer places where the
/// board is too narrow. The first one is round, and each further one less so. Each place comes with the number by which users know it.
pub(crate) fn choices(puzzle: &Puzzle, seed: u64) -> impl Iterator<Item = Vec<(Axial, usize)>> + use<> {
    let (tiles, _, board) = tantrix(puzzle);
    let count = tiles.sorts.iter().map(|sort| sort.count).sum();
    let (room, mut random) = (room(board, count), Random(seed));
    (0_u32..).map(move |number| {
        let is_full = room.at.len() == count;
        let noise = NOISE_OF_CHOICE * f64::from(number);
        let at = if is_full { room.at.clone() } else { region(&room, count, noise, &mut random) };
        at.into_iter().map(|at| (at, room.labels[room.number(at) as usize])).collect()
    })
}

/// The places on which tiles may lie.
fn room(board: Option<&Board>, count: usize) -> Places {
    Places::new(board.map_or_else(|| plane(count), |board| board.places().to_vec()), board)
}

/// As much of the open plane as is looked at: a hexagon with half as many places more than tiles.
fn plane(count: usize) -> Vec<Axial> {
    hexagon((count / 2).isqrt() + 1)
}

/// By how many steps each further choice of places may be less round.
const NOISE_OF_CHOICE: f64 = 0.1;

/// A unit of distances that are compared, in places.
const UNIT: f64 = 1.0 / 1024.0;

/// So many of the places as lie nearest to a random point, in one part and without holes; fewer where the board is too narrow.
///
/// It grows place by place: the next one has two neighbours at least in it, and these lie side by side, so that no hole
/// closes. No loop passes all places of a region with a place whose neighbours do not. Each place is held for up to `noise` steps farther
/// than it is.
fn region(room: &Places, count: usize, noise: f64, random: &mut Random) -> Vec<Axial> {
    let middle = random.below(room.at.len());
    let (x, y) = room.at[middle].centre();
    let (x, y) = (x + random.next() - 0.5, y + random.next() - 0.5);
    let mut farther = vec![0.0; room.at.len()];
    if noise > 0.0 {
        farther.iter_mut().for_each(|farther| *farther = noise * random.next());
    }
    let far = |place: usize| {
        let centre = room.at[place].centre();
        (((centre.0 - x).hypot(centre.1 - y) + farther[place]) / UNIT) as u64
    };
    let mut is_in = vec![false; room.at.len()];
    let mut region = Vec::with_capacity(count);
    let mut next = BTreeSet::from([(0, middle)]);
    while region.len() < count
        && let Some((_, place)) = next.pop_first()
    {
        let beyond = room.beyond[place];
        let beside = beyond.map(|beyond| beyond != NOWHERE && is_in[beyond as usize]);
        let neighbours = beside.iter().filter(|&&is_in| is_in).count();
        let sides = (0..6).filter(|&edge| beside[edge] && !beside[(edge + 1) % 6]).count();
        if neighbours < region.len().min(2) || sides > 1 {
            continue;
        }
        is_in[place] = true;
        region.push(room.at[place]);
        let open = beyond.iter().filter(|&&beyond| beyond != NOWHERE).map(|&beyond| beyond as usize);
        next.extend(open.filter(|&beyond| !is_in[beyond]).map(|beyond| (far(beyond), beyond)));
    }
    region
}
