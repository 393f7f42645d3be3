//! Tiles lying on a board or on the open plane, and the lines that they make.

use std::collections::HashSet;

use super::board::Board;
use super::puzzles::{BoardTantrix, NaturalTantrix};
use super::tiles::{Colour, TileSet};
use crate::hex::{Axial, EDGES, holes, opposite};
use crate::solution::{Placement, Solution};

/// For each place the colours of its six edges, or nothing where no tile lies.
///
/// Built from puzzle data only, so that verification shares nothing with any model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrangement {
    edges: Vec<Option<[Colour; 6]>>,
}

impl Arrangement {
    /// Lays tiles on a board. Placements out of range are left out; of two on one place the last one lies.
    pub fn new(board: &Board, tiles: &TileSet, placements: &[Placement]) -> Self {
        let shown = |p: &Placement| {
            let tile = tiles.sort(p.tile)?.tile;
            Some(std::array::from_fn(|i| tile.colour(p.orientation, i + 1)))
        };
        let lying = lying(board, tiles, placements).into_iter();
        Self { edges: lying.map(|index| shown(&placements[index?])).collect() }
    }

    /// Colour on an edge of a place, if a tile lies there.
    pub fn colour(&self, place: usize, edge: usize) -> Option<Colour> {
        self.edges[place - 1].map(|edges| edges[edge - 1])
    }

    /// Whether a tile lies on the place.
    pub fn is_filled(&self, place: usize) -> bool {
        self.edges[place - 1].is_some()
    }
}

/// For each place the placement (its index) whose tile lies there.
pub(super) fn lying(board: &Board, tiles: &TileSet, placements: &[Placement]) -> Vec<Option<usize>> {
    let mut lying = vec![None; board.len()];
    for (index, p) in placements.iter().enumerate() {
        let slot = p.place.checked_sub(1).and_then(|place| lying.get_mut(place));
        if let (Some(slot), Some(_), 1..=6) = (slot, tiles.sort(p.tile), p.orientation) {
            *slot = Some(index);
        }
    }
    lying
}

/// The lines of one colour, each as the places it passes in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lines {
    /// Closed lines; longest first, then by least place.
    pub loops: Vec<Vec<usize>>,
    /// Lines with two loose ends: the edges (place, edge) where they end.
    pub open: Vec<[(usize, usize); 2]>,
}

/// Follows every line of a colour.
///
/// A line goes on over an edge only where the tile beyond shows the same colour there.
pub fn trace(board: &Board, arrangement: &Arrangement, colour: Colour) -> Lines {
    let has = |place, edge| arrangement.colour(place, edge) == Some(colour);
    let ends = |place: usize| EDGES.into_iter().filter(move |&edge| has(place, edge));
    let beyond = |place, edge| {
        let next = board.neighbour(place, edge)?;
        has(next, opposite(edge)).then_some((next, opposite(edge)))
    };
    let mut seen = vec![false; board.len() + 1];
    let mut lines = Lines::default();
    for start in board.numbers().filter(|&j| arrangement.is_filled(j)) {
        let mut edges = ends(start);
        let (Some(first), Some(second)) = (edges.next(), edges.next()) else { continue };
        if seen[start] {
            continue;
        }
        let mut passed = Vec::new();
        let walk = |mut place: usize, mut exit: usize, passed: &mut Vec<usize>| loop {
            let Some((next, entry)) = beyond(place, exit) else { return Some((place, exit)) };
            if next == start {
                return None;
            }
            passed.push(next);
            place = next;
            match ends(place).find(|&edge| edge != entry) {
                Some(edge) => exit = edge,
                None => return Some((place, entry)),
            }
        };
        let forward_end = walk(start, first, &mut passed);
        if let Some(end) = forward_end {
            if let Some(other) = walk(start, second, &mut passed) {
                lines.open.push([end, other]);
            }
        } else {
            passed.insert(0, start);
            lines.loops.push(passed.clone());
        }
        for place in passed.iter().chain([&start]) {
            seen[*place] = true;
        }
    }
    lines.loops.sort_by_key(|places| (std::cmp::Reverse(places.len()), places.iter().min().copied()));
    lines
}

/// The places of the plane on which a solution lays tiles, as a board, and the solution on it.
///
/// Placements on no place of the plane within reach ([`NaturalTantrix::last_place`]) go to place 0, which no board
/// has, and so do the places of cuts that have no tile.
pub(super) fn patch(puzzle: &NaturalTantrix, solution: &Solution) -> (BoardTantrix, Solution) {
    renumbered(puzzle, solution, Board::of_plane(laid(puzzle, solution)))
}

/// Several solutions, or parts of them, on the places that any of them fills, encloses or cuts: all that a picture shows.
pub(super) fn staged(puzzle: &NaturalTantrix, stages: &[Solution]) -> Vec<(BoardTantrix, Solution)> {
    let used = Board::of_plane(stages.iter().flat_map(|stage| {
        let filled: HashSet<Axial> = laid(puzzle, stage).collect();
        let enclosed = holes(&filled).into_iter().flatten();
        let cut = stage.cuts.iter().flatten().filter_map(|&(place, _)| within_reach(puzzle, place));
        enclosed.chain(cut).chain(filled).collect::<Vec<_>>()
    }));
    stages.iter().map(|stage| renumbered(puzzle, stage, used.clone())).collect()
}

fn laid(puzzle: &NaturalTantrix, solution: &Solution) -> impl Iterator<Item = Axial> {
    solution.placements.iter().filter_map(|p| within_reach(puzzle, p.place))
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
