//! Counting solutions, with several threads.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;

use super::enumerate::{is_first_of_its_class, outlines};
use super::fill::Filler;
use super::outline::Outline;
use crate::tantrix::{Colour, TileSet};

/// What was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// Solutions, one for each class under translation and rotation.
    pub solutions: u64,
    /// Closed lines without a hole that tiles of these angles could make, up to translation and rotation.
    pub lines: u64,
    /// Whether these are all.
    pub complete: bool,
}

/// Counts the solutions on the open plane, one of each class under translation and rotation.
///
/// `progress` is called with the count so far, by any thread and often, and returns whether to go on.
///
/// # Errors
/// A tile of the set lacks the colour, or there are more than [`MOST_NATURAL`](super::MOST_NATURAL) tiles.
pub fn count_natural(
    tiles: &TileSet,
    colour: Colour,
    threads: usize,
    progress: &(dyn Fn(u64) -> bool + Sync),
) -> Result<Count, String> {
    let filler = Filler::new(tiles, colour)?;
    let some_tile_is_single = tiles.sorts.iter().any(|sort| sort.count == 1);
    let (solutions, lines, stop) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
    // Beginnings of lines are numbered as they come up, the same in every thread; each takes the next that is free.
    let next = AtomicUsize::new(0);
    let go_on = |so_far| {
        if !progress(so_far) {
            stop.store(true, Relaxed);
        }
        !stop.load(Relaxed)
    };
    let work = |mut filler: Filler| {
        let (mut beginning, mut mine) = (0, next.fetch_add(1, Relaxed));
        let mut ours = || {
            let is_mine = beginning == mine;
            if is_mine {
                mine = next.fetch_add(1, Relaxed);
            }
            beginning += 1;
            // Also where no line is found for long.
            is_mine && go_on(solutions.load(Relaxed))
        };
        outlines(filler.kinds(), &mut ours, &mut |outline| {
            let here = classes(&mut filler, outline, some_tile_is_single);
            lines.fetch_add(1, Relaxed);
            go_on(solutions.fetch_add(here, Relaxed) + here)
        });
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            if let Ok(filler) = Filler::new(tiles, colour) {
                scope.spawn(|| work(filler));
            }
        }
        work(filler);
    });
    Ok(Count { solutions: solutions.into_inner(), lines: lines.into_inner(), complete: !stop.into_inner() })
}

/// Solutions of one line, those that a rotation carries into each other counted once.
fn classes(filler: &mut Filler, outline: &Outline, some_tile_is_single: bool) -> u64 {
    if some_tile_is_single || outline.symmetry == 1 {
        // The single tile comes to another place in every rotation.
        return filler.count(outline) / outline.symmetry as u64;
    }
    let mut count = 0;
    filler.each(outline, &mut |ways| {
        count += u64::from(is_first_of_its_class(ways, outline.symmetry));
        true
    });
    count
}
