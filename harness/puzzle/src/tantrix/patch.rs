//! Solutions in the natural setting, seen as solutions on the part of the plane that they use.

use std::collections::HashSet;

use super::{Board, BoardTantrix, NaturalTantrix};
use crate::hex::{Axial, holes};
use crate::{Placement, Solution};

/// The places of the plane on which a solution lays tiles, as a board, and the solution on it.
///
/// Placements on no place of the plane within reach ([`NaturalTantrix::last_place`]) go to place 0, which no board
/// has, and so do the places of cuts that have no tile.
#[must_use]
pub fn patch(puzzle: &NaturalTantrix, solution: &Solution) -> (BoardTantrix, Solution) {
    renumbered(puzzle, solution, Board::of_plane(laid(puzzle, solution)))
}

/// The same with all that a picture shows: also the holes among the filled places, and the places of cuts.
pub(super) fn pictured(puzzle: &NaturalTantrix, solution: &Solution) -> (BoardTantrix, Solution) {
    let filled: HashSet<Axial> = laid(puzzle, solution).collect();
    let enclosed = holes(&filled).into_iter().flatten();
    renumbered(puzzle, solution, Board::of_plane(filled.iter().copied().chain(enclosed).chain(cut(puzzle, solution))))
}

/// Several solutions, or parts of them, on the places that any of them fills, encloses or cuts.
pub(super) fn staged(puzzle: &NaturalTantrix, stages: &[Solution]) -> Vec<(BoardTantrix, Solution)> {
    let used = stages.iter().flat_map(|stage| {
        let filled: HashSet<Axial> = laid(puzzle, stage).collect();
        let enclosed: Vec<Axial> = holes(&filled).into_iter().flatten().collect();
        let cut: Vec<Axial> = cut(puzzle, stage).collect();
        filled.into_iter().chain(enclosed).chain(cut)
    });
    let used = Board::of_plane(used);
    stages.iter().map(|stage| renumbered(puzzle, stage, used.clone())).collect()
}

fn laid(puzzle: &NaturalTantrix, solution: &Solution) -> impl Iterator<Item = Axial> {
    solution.placements.iter().filter_map(|p| within_reach(puzzle, p.place))
}

/// The places of cuts.
fn cut(puzzle: &NaturalTantrix, solution: &Solution) -> impl Iterator<Item = Axial> {
    solution.cuts.iter().flatten().filter_map(|&(place, _)| within_reach(puzzle, place))
}

fn within_reach(puzzle: &NaturalTantrix, label: usize) -> Option<Axial> {
    if label <= puzzle.last_place() { Axial::from_ring_number(label) } else { None }
}

fn renumbered(puzzle: &NaturalTantrix, solution: &Solution, board: Board) -> (BoardTantrix, Solution) {
    let number = |label| board.labelled(label).unwrap_or(0);
    let placements = solution.placements.iter().map(|p| Placement { place: number(p.place), ..*p }).collect();
    let cuts = solution.cuts.iter().map(|cut| cut.iter().map(|&(place, edge)| (number(place), edge)).collect());
    let solution = Solution { cuts: cuts.collect(), ..Solution::on_places(&solution.instance, placements) };
    (puzzle.on(board), solution)
}
