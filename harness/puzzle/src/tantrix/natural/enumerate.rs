//! Visiting solutions one by one, on the plane or wherever they fit on a board.

use std::collections::HashMap;

use super::angles::walks;
use super::fill::Filler;
use super::options::Way;
use super::outline::{Numbers, Outline};
use crate::Placement;
use crate::hex::Axial;
use crate::tantrix::{Board, Colour, TileSet};

/// A tile on the open plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Laid {
    /// Where it lies.
    pub at: Axial,
    /// Tile number (the sort, where tiles are used repeatedly).
    pub tile: usize,
    /// Orientation, 1 to 6.
    pub orientation: usize,
}

/// Calls `found` with every solution on the open plane, one of each class under translation and rotation,
/// until it returns false.
///
/// Tiles come in the order of the line. The first tile of the first sort that has the fewest copies lies at
/// (0, 0) in orientation 1: tile 1, where all tiles are distinct.
///
/// # Errors
/// A tile of the set lacks the colour, or there are more than [`MOST_NATURAL`](super::MOST_NATURAL) tiles.
pub fn enumerate(tiles: &TileSet, colour: Colour, found: &mut dyn FnMut(&[Laid]) -> bool) -> Result<(), String> {
    let mut filler = Filler::new(tiles, colour)?;
    let used = || tiles.sorts.iter().enumerate().filter(|(_, sort)| sort.count > 0);
    let pivot = used().min_by_key(|(_, sort)| sort.count).map_or(0, |(index, _)| index);
    outlines(filler.kinds(), &mut || true, &mut |outline| {
        filler.each(outline, &mut |ways| {
            if !is_first_of_its_class(ways, outline.symmetry) {
                return true;
            }
            let Some(index) = ways.iter().position(|way| usize::from(way.sort) == pivot) else { return true };
            // A step of orientation turns clockwise: as many back bring the pivot tile to orientation 1.
            let turns = orientation(outline, index, ways[index]) - 1;
            let pivot = rotate(outline.places[index].at, turns);
            found(&lay(tiles, outline, ways, turns, (-pivot.q, -pivot.r)))
        })
    });
    Ok(())
}

/// Calls `found` with every solution that lies on places of a board, until it returns false. The board may
/// have more places than there are tiles. Solutions of one class count wherever and however turned they fit.
/// `go_on` is asked now and then, also where nothing is found for long; once it returns false the search ends soon.
///
/// # Errors
/// As [`enumerate`].
pub fn enumerate_on_board(
    board: &Board,
    tiles: &TileSet,
    colour: Colour,
    go_on: &mut dyn FnMut() -> bool,
    found: &mut dyn FnMut(&[Placement]) -> bool,
) -> Result<(), String> {
    let mut filler = Filler::new(tiles, colour)?;
    let numbers: HashMap<Axial, usize> = board.places().iter().zip(board.numbers()).map(|(&at, j)| (at, j)).collect();
    let room = extent(board.places());
    outlines(filler.kinds(), go_on, &mut |outline| {
        // All solutions of the line, turned by less than what carries it into itself: each once.
        let fitting: Vec<(usize, Vec<usize>)> = (0..6 / outline.symmetry)
            .flat_map(|turns| {
                let turned: Vec<Axial> = outline.places.iter().map(|place| rotate(place.at, turns)).collect();
                let small = extent(&turned).iter().zip(room).all(|(&length, room)| length <= room);
                let starts = if small { board.places() } else { &[] };
                let places = |start: &Axial| -> Option<Vec<usize>> {
                    let by = (start.q - turned[0].q, start.r - turned[0].r);
                    turned.iter().map(|&at| numbers.get(&shift(at, by)).copied()).collect()
                };
                starts.iter().filter_map(places).map(|places| (turns, places)).collect::<Vec<_>>()
            })
            .collect();
        fitting.is_empty()
            || filler.each(outline, &mut |ways| {
                fitting.iter().all(|(turns, places)| {
                    let laid = lay(tiles, outline, ways, *turns, (0, 0));
                    let placement = |(&place, laid): (&usize, &Laid)| Placement {
                        place,
                        tile: laid.tile,
                        orientation: laid.orientation,
                    };
                    found(&places.iter().zip(&laid).map(placement).collect::<Vec<_>>())
                })
            })
    });
    Ok(())
}

/// Calls `found` with every closed line that leaves no hole.
pub(super) fn outlines(kinds: [usize; 3], ours: &mut dyn FnMut() -> bool, found: &mut dyn FnMut(&Outline) -> bool) {
    let mut numbers = Numbers::new();
    walks(kinds, ours, &mut |walk| Outline::new(walk, &mut numbers).is_none_or(|outline| found(&outline)));
}

/// Whether no rotation of the line into itself makes a lesser sequence of tiles.
pub(super) fn is_first_of_its_class(ways: &[Way], symmetry: usize) -> bool {
    let period = ways.len() / symmetry;
    (1..symmetry).all(|times| {
        let (before, after) = ways.split_at(times * period);
        after.iter().chain(before).ge(ways)
    })
}

/// Orientation (1..=6) of a tile at a place of the line.
fn orientation(outline: &Outline, index: usize, way: Way) -> usize {
    (usize::from(way.turn) + 6 - outline.places[index].exit) % 6 + 1
}

/// The solution, turned counterclockwise by so many steps of 60 degrees and then moved.
fn lay(tiles: &TileSet, outline: &Outline, ways: &[Way], turns: usize, by: (i32, i32)) -> Vec<Laid> {
    let places = outline.places.iter().zip(ways).enumerate();
    places
        .map(|(index, (place, &way))| Laid {
            at: shift(rotate(place.at, turns), by),
            tile: tiles.sorts[usize::from(way.sort)].tile.number,
            orientation: (orientation(outline, index, way) + 5 - turns) % 6 + 1,
        })
        .collect()
}

/// Number of rows between the outermost places, along each axis.
fn extent(places: &[Axial]) -> [i32; 3] {
    std::array::from_fn(|axis| {
        let rows = || places.iter().map(|at| at.rows()[axis]);
        rows().max().unwrap_or(0) - rows().min().unwrap_or(0)
    })
}

/// Turned counterclockwise about the origin.
fn rotate(at: Axial, turns: usize) -> Axial {
    (0..turns).fold(at, |at, _| Axial { q: -at.r, r: at.q + at.r })
}

fn shift(at: Axial, (q, r): (i32, i32)) -> Axial {
    Axial { q: at.q + q, r: at.r + r }
}
