//! Holes: what a set of places encloses.
//!
//! The empty places of a row lie in gaps between filled ones or beyond the outermost of them. There are fewer gaps than
//! filled places however far apart these lie, so that the search spreads over gaps and not over a box of places.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::Axial;

/// Empty places of a row between two filled ones: the first and the last q.
struct Gap {
    r: i32,
    from: i32,
    to: i32,
}

/// A row with filled places.
struct Row {
    /// Outermost filled places.
    first: i32,
    last: i32,
    /// The gaps between them, by their indices.
    gaps: Range<usize>,
}

/// Holes: maximal sets of empty places, connected through edges, that cannot reach the outside. Each is sorted; they
/// are ordered by their least place.
///
/// Takes time and memory of the places that are filled or enclosed, wherever they lie.
#[must_use]
pub fn holes(filled: &HashSet<Axial>) -> Vec<Vec<Axial>> {
    let (rows, gaps) = gaps(filled);
    let mut seen = vec![false; gaps.len()];
    let mut holes = Vec::new();
    for start in 0..gaps.len() {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut joined = vec![start];
        let (mut next, mut enclosed) = (0, true);
        while let Some(&index) = joined.get(next) {
            next += 1;
            let Gap { r, from, to } = gaps[index];
            // What its places touch in the rows above and below.
            for (beside, from, to) in [(r + 1, from - 1, to), (r - 1, from, to + 1)] {
                let Some(row) = rows.get(&beside) else {
                    enclosed = false;
                    continue;
                };
                enclosed &= row.first <= from && to <= row.last;
                let skipped = gaps[row.gaps.clone()].partition_point(|gap| gap.to < from);
                for other in row.gaps.clone().skip(skipped).take_while(|&other| gaps[other].from <= to) {
                    if !seen[other] {
                        seen[other] = true;
                        joined.push(other);
                    }
                }
            }
        }
        if enclosed {
            let places = joined.iter().map(|&index| &gaps[index]);
            let mut hole: Vec<Axial> =
                places.flat_map(|gap| (gap.from..=gap.to).map(|q| Axial { q, r: gap.r })).collect();
            hole.sort_unstable();
            holes.push(hole);
        }
    }
    holes.sort_unstable();
    holes
}

/// The rows with filled places, and all gaps, from row to row and along each row.
fn gaps(filled: &HashSet<Axial>) -> (BTreeMap<i32, Row>, Vec<Gap>) {
    let mut sorted: Vec<(i32, i32)> = filled.iter().map(|at| (at.r, at.q)).collect();
    sorted.sort_unstable();
    let (mut rows, mut gaps) = (BTreeMap::new(), Vec::new());
    for row in sorted.chunk_by(|a, b| a.0 == b.0) {
        let (r, first) = row[0];
        let before = gaps.len();
        let apart = row.windows(2).filter(|pair| pair[1].1 - pair[0].1 > 1);
        gaps.extend(apart.map(|pair| Gap { r, from: pair[0].1 + 1, to: pair[1].1 - 1 }));
        rows.insert(r, Row { first, last: row[row.len() - 1].1, gaps: before..gaps.len() });
    }
    (rows, gaps)
}
