//! Following lines of one colour over the tiles.

use super::{Arrangement, Board, Colour};
use crate::hex::{EDGES, opposite};

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
#[must_use]
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
