//! Solutions in the natural setting, seen as solutions on the part of the plane that they use.

use std::collections::BTreeSet;

use super::{Board, BoardTantrix, NaturalTantrix};
use crate::hex::{Axial, holes};
use crate::{Placement, Solution};

/// The places of the plane that a solution speaks of, as a board, and the solution on it.
///
/// The board holds the filled places, the holes among them, and the places of cuts. Placements on no place of the
/// plane within reach ([`NaturalTantrix::last_place`]) go to place 0, which no board has.
#[must_use]
pub fn patch(puzzle: &NaturalTantrix, solution: &Solution) -> (BoardTantrix, Solution) {
    let reach = puzzle.last_place();
    let at = |label: usize| if label <= reach { Axial::from_ring_number(label) } else { None };
    let filled: BTreeSet<Axial> = solution.placements.iter().filter_map(|p| at(p.place)).collect();
    let enclosed = holes(&filled.iter().copied().collect()).into_iter().flatten();
    let cut = solution.cuts.iter().flatten().filter_map(|&(place, _)| at(place));
    let board = Board::of_plane(filled.iter().copied().chain(enclosed).chain(cut));
    let number = |label| board.labelled(label).unwrap_or(0);
    let placements = solution.placements.iter().map(|p| Placement { place: number(p.place), ..*p }).collect();
    let cuts = solution.cuts.iter().map(|cut| cut.iter().map(|&(place, edge)| (number(place), edge)).collect());
    let solution = Solution { instance: solution.instance.clone(), placements, cuts: cuts.collect() };
    (puzzle.on(board), solution)
}
