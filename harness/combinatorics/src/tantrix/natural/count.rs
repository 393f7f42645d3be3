//! Counting solutions, with several threads.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;

use super::enumerate::{is_first_of_its_class, outlines};
use super::fill::Filler;
use super::on_board::Room;
use super::outline::Outline;
use puzzle::tantrix::{Board, Colour, TileSet};

/// What was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// Solutions.
    pub solutions: u64,
    /// Closed lines without a hole that tiles of these angles could make, up to translation and rotation, whether a
    /// board has room for them or not.
    pub lines: u64,
    /// Whether these are all.
    pub complete: bool,
}

/// Counts the solutions on the open plane, one of each class under translation and rotation.
///
/// `progress` is called with the count so far, by any thread and often, and returns whether to go on. If the system
/// refuses some of the threads, the others do the work.
///
/// # Errors
/// A tile of the set lacks the colour, there are fewer than 3 or more than [`MOST_COUNTED`](super::MOST_COUNTED)
/// tiles, or more solutions than a `u64` can count.
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
///
/// # Errors
/// As [`count_natural`].
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
    let work = |mut filler: Filler| {
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
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            let another = filler.clone();
            if thread::Builder::new().spawn_scoped(scope, || work(another)).is_err() {
                break;
            }
        }
        work(filler);
    });
    tally.result()
}

/// The count so far, for all threads.
#[derive(Default)]
struct Tally {
    solutions: AtomicU64,
    lines: AtomicU64,
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
        self.lines.fetch_add(1, Relaxed);
    }

    fn result(self) -> Result<Count, String> {
        if self.too_many.into_inner() {
            return Err(format!("more than {} solutions, which is as far as counts go here", u64::MAX));
        }
        let (solutions, lines) = (self.solutions.into_inner(), self.lines.into_inner());
        Ok(Count { solutions, lines, complete: !self.stop.into_inner() })
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
        let all = Count { solutions: u64::MAX, lines: 3, complete: true };
        assert_eq!(tally(&[Some(u64::MAX - 7), Some(0), Some(7)]), Ok(all));
        for too_many in [&[Some(u64::MAX), Some(1)][..], &[None], &[Some(3), None, Some(3)]] {
            let error = tally(too_many).expect_err("too many");
            assert!(error.contains("more than 18446744073709551615 solutions"), "{error}");
        }
    }
}
