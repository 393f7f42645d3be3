//! All solutions on the open plane, where no board says which places the tiles take, or those that fit on a board.
//!
//! A solution is a closed line over n places that leaves no hole (`lines`) and tiles for them (`fill`). On the plane solutions
//! that translation and rotation carry into each other are one; on a board each way in which the line fits gives another.
//! Copies of a sort are interchangeable.

mod fill;
mod lines;
mod supply;

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

use puzzle::Placement;
use puzzle::hex::Axial;
use puzzle::tantrix::{Board, Colour, TileSet};

use crate::in_threads;
use fill::{Filler, Way};
pub use lines::MOST_COUNTED;
use lines::{Outline, outlines};

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
/// Errors: a tile of the set lacks the colour, or there are fewer than 3 or more than [`MOST_COUNTED`] tiles.
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

/// What was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// Solutions.
    pub solutions: u64,
    /// Whether these are all.
    pub complete: bool,
}

/// Counts the solutions on the open plane, one of each class under translation and rotation.
///
/// `progress` is called with the count so far, by any thread and often, and returns whether to go on. If the system
/// refuses some of the threads, the others do the work.
/// Errors: a tile of the set lacks the colour, there are fewer than 3 or more than [`MOST_COUNTED`] tiles, or more
/// solutions than a `u64` can count.
pub fn count_natural(
    tiles: &TileSet,
    colour: Colour,
    threads: usize,
    progress: &(dyn Fn(u64) -> bool + Sync),
) -> Result<Count, String> {
    let some_tile_is_single = tiles.sorts.iter().any(|sort| sort.count == 1);
    count(tiles, colour, threads, progress, &|filler, outline| classes(filler, outline, some_tile_is_single))
}

/// Counts the solutions that lie on places of a board, which may have more places than there are tiles. Solutions of
/// one class count wherever and however turned they fit.
///
/// For `progress` and `threads` see [`count_natural`].
pub fn count_on_board(
    board: &Board,
    tiles: &TileSet,
    colour: Colour,
    threads: usize,
    progress: &(dyn Fn(u64) -> bool + Sync),
) -> Result<Count, String> {
    let room = Room::on(board);
    count(tiles, colour, threads, progress, &|filler, outline| match room.fits(outline).count() as u64 {
        0 => Some(0),
        fits => filler.count(outline)?.checked_mul(fits),
    })
}

/// Counts with several threads. `of_line` says how many solutions a line has, nothing if they are too many to count.
fn count(
    tiles: &TileSet,
    colour: Colour,
    threads: usize,
    progress: &(dyn Fn(u64) -> bool + Sync),
    of_line: &(dyn Fn(&mut Filler, &Outline) -> Option<u64> + Sync),
) -> Result<Count, String> {
    let filler = Filler::new(tiles, colour)?;
    let tally = Tally::default();
    let go_on = || {
        if !progress(tally.solutions.load(Relaxed)) {
            tally.stop.store(true, Relaxed);
        }
        !tally.stop.load(Relaxed)
    };
    // Beginnings of lines are numbered as they come up, the same in every thread; each takes the next that is free.
    let next = AtomicUsize::new(0);
    in_threads(threads, || {
        let mut filler = filler.clone();
        let (mut beginning, mut mine) = (0, next.fetch_add(1, Relaxed));
        let mut ours = || {
            let is_mine = beginning == mine;
            if is_mine {
                mine = next.fetch_add(1, Relaxed);
            }
            beginning += 1;
            // Also where no line is found for long.
            is_mine && go_on()
        };
        outlines(filler.kinds(), &mut ours, &mut |outline| {
            tally.add(of_line(&mut filler, outline));
            go_on()
        });
    });
    tally.result()
}

/// The count so far, for all threads.
#[derive(Default)]
struct Tally {
    solutions: AtomicU64,
    too_many: AtomicBool,
    stop: AtomicBool,
}

impl Tally {
    /// Adds the solutions of a line; nothing stands for too many.
    fn add(&self, of_line: Option<u64>) {
        let add = |so_far: u64| so_far.checked_add(of_line?);
        if self.solutions.fetch_update(Relaxed, Relaxed, add).is_err() {
            self.too_many.store(true, Relaxed);
            self.stop.store(true, Relaxed);
        }
    }

    fn result(self) -> Result<Count, String> {
        if self.too_many.into_inner() {
            return Err(format!("more than {} solutions, which is as far as counts go here", u64::MAX));
        }
        Ok(Count { solutions: self.solutions.into_inner(), complete: !self.stop.into_inner() })
    }
}

/// Solutions of one line, those that a rotation carries into each other counted once; nothing if they are too many.
fn classes(filler: &mut Filler, outline: &Outline, some_tile_is_single: bool) -> Option<u64> {
    if some_tile_is_single || outline.symmetry == 1 {
        // The single tile comes to another place in every rotation.
        return Some(filler.count(outline)? / outline.symmetry as u64);
    }
    let mut count = 0;
    filler.each(outline, &mut |ways| {
        count += u64::from(is_first_of_its_class(ways, outline.symmetry));
        true
    });
    Some(count)
}

/// Whether no rotation of the line into itself makes a lesser sequence of tiles.
fn is_first_of_its_class(ways: &[Way], symmetry: usize) -> bool {
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

/// The solution, turned counterclockwise by `turns` steps of 60 degrees and then moved.
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

/// A way in which a line lies on a board: turned counterclockwise by `turns` steps of 60 degrees and then moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fit {
    turns: usize,
    by: (i32, i32),
}

#[derive(Clone, Copy)]
struct Room<'a> {
    board: &'a Board,
    extent: [i32; 3],
}

impl<'a> Room<'a> {
    fn on(board: &'a Board) -> Self {
        Self { board, extent: extent(board.places()) }
    }

    /// Every way in which a line lies on the board, turned by less than what carries it into itself: so each solution
    /// of the line comes up once.
    fn fits(self, outline: &Outline) -> impl Iterator<Item = Fit> {
        (0..6 / outline.symmetry).flat_map(move |turns| {
            let turned: Vec<Axial> = outline.places.iter().map(|place| place.at.turned(turns)).collect();
            let small = extent(&turned).iter().zip(self.extent).all(|(&length, room)| length <= room);
            let starts: &[Axial] = if small { self.board.places() } else { &[] };
            starts.iter().filter_map(move |start| {
                let by = (start.q - turned[0].q, start.r - turned[0].r);
                let lies = turned.iter().all(|at| self.board.number(at.moved(by)).is_some());
                lies.then_some(Fit { turns, by })
            })
        })
    }
}

/// Number of rows between the outermost places, along each axis.
fn extent(places: &[Axial]) -> [i32; 3] {
    std::array::from_fn(|axis| {
        let rows = || places.iter().map(|at| at.rows()[axis]);
        rows().max().unwrap_or(0) - rows().min().unwrap_or(0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_that_is_too_great_is_an_error_and_no_count() {
        let tally = |of_lines: &[Option<u64>]| {
            let tally = Tally::default();
            of_lines.iter().for_each(|&of_line| tally.add(of_line));
            tally.result()
        };
        let all = Count { solutions: u64::MAX, complete: true };
        assert_eq!(tally(&[Some(u64::MAX - 7), Some(0), Some(7)]), Ok(all));
        for too_many in [&[Some(u64::MAX), Some(1)][..], &[None], &[Some(3), None, Some(3)]] {
            let error = tally(too_many).expect_err("too many");
            assert!(error.contains("more than 18446744073709551615 solutions"), "{error}");
        }
    }
}
