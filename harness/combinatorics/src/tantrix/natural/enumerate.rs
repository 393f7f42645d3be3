//! Visiting solutions one by one, on the plane or wherever they fit on a board.

use super::angles::walks;
use super::fill::Filler;
use super::on_board::{Fit, Room};
use super::options::Way;
use super::outline::{Numbers, Outline};
use puzzle::Placement;
use puzzle::hex::Axial;
use puzzle::tantrix::{Board, Colour, TileSet};

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
/// A tile of the set lacks the colour, or there are fewer than 3 or more than
/// [`MOST_COUNTED`](super::MOST_COUNTED) tiles.
pub fn enumerate_natural(
    tiles: &TileSet,
    colour: Colour,
    found: &mut dyn FnMut(&[Laid]) -> bool,
) -> Result<(), String> {
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
            let pivot = outline.places[index].at.turned(turns);
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
/// As [`enumerate_natural`].
pub fn enumerate_on_board(
    board: &Board,
    tiles: &TileSet,
    colour: Colour,
    go_on: &mut dyn FnMut() -> bool,
    found: &mut dyn FnMut(&[Placement]) -> bool,
) -> Result<(), String> {
    let mut filler = Filler::new(tiles, colour)?;
    let room = Room::on(board);
    outlines(filler.kinds(), go_on, &mut |outline| {
        let fits: Vec<Fit> = room.fits(outline).collect();
        fits.is_empty()
            || filler.each(outline, &mut |ways| {
                fits.iter().all(|&Fit { turns, by }| {
                    let laid = lay(tiles, outline, ways, turns, by).into_iter();
                    let placement = |Laid { at, tile, orientation }| {
                        board.number(at).map(|place| Placement { place, tile, orientation })
                    };
                    found(&laid.filter_map(placement).collect::<Vec<_>>())
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
            at: place.at.turned(turns).moved(by),
            tile: tiles.sorts[usize::from(way.sort)].tile.number,
            orientation: (orientation(outline, index, way) + 5 - turns) % 6 + 1,
        })
        .collect()
}
