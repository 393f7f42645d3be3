//! The hexagonal lattice in axial coordinates: places, components, holes.
//!
//! Edges of a place are numbered 1..=6 counterclockwise (Kino & Uno 2012, Figure 7); edge l of a place
//! touches edge l + 3 (mod 6) of its neighbour there. Edge 1 looks in direction (1, 0).

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// Numbers of the six edges.
pub const EDGES: [usize; 6] = [1, 2, 3, 4, 5, 6];

/// Greatest coordinate of a place that is read from a file: far from where sums could overflow.
const FARTHEST: i32 = 1_000_000;

/// Step to the neighbour at edge 1, 2, ..., 6.
const STEPS: [(i32, i32); 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

/// A place of the lattice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "Vec<i32>", into = "(i32, i32)")]
pub struct Axial {
    /// First axial coordinate.
    pub q: i32,
    /// Second axial coordinate.
    pub r: i32,
}

impl From<(i32, i32)> for Axial {
    fn from((q, r): (i32, i32)) -> Self {
        Self { q, r }
    }
}

impl TryFrom<Vec<i32>> for Axial {
    type Error = String;

    fn try_from(pair: Vec<i32>) -> Result<Self, String> {
        match pair.as_slice() {
            &[q, r] if (-FARTHEST..=FARTHEST).contains(&q) && (-FARTHEST..=FARTHEST).contains(&r) => Ok(Self { q, r }),
            [_, _] => Err(format!("{pair:?} is too far out; coordinates lie between -{FARTHEST} and {FARTHEST}")),
            other => Err(format!("{other:?} is no place; a place is two whole numbers, [q, r]")),
        }
    }
}

impl From<Axial> for (i32, i32) {
    fn from(at: Axial) -> Self {
        (at.q, at.r)
    }
}

impl Axial {
    /// The place beyond an edge (1..=6).
    #[must_use]
    pub fn neighbour(self, edge: usize) -> Self {
        self.moved(STEPS[(edge - 1) % 6])
    }

    /// The six adjacent places, edge 1 first.
    pub fn neighbours(self) -> impl Iterator<Item = Self> {
        EDGES.map(|edge| self.neighbour(edge)).into_iter()
    }

    /// Centre in the plane, y upwards, with adjacent centres at distance 1.
    pub fn centre(self) -> (f64, f64) {
        (f64::from(self.q) + f64::from(self.r) / 2.0, f64::from(self.r) * 3f64.sqrt() / 2.0)
    }

    /// Distance in steps from place to place.
    #[must_use]
    pub fn distance(self, other: Self) -> u32 {
        let (q, r) = (self.q - other.q, self.r - other.r);
        q.unsigned_abs().max(r.unsigned_abs()).max((q + r).unsigned_abs())
    }

    /// The place moved by a step in q and r.
    #[must_use]
    pub fn moved(self, (q, r): (i32, i32)) -> Self {
        Self { q: self.q + q, r: self.r + r }
    }

    /// The place turned counterclockwise about (0, 0) by a number of steps of 60 degrees.
    #[must_use]
    pub fn turned(self, steps: usize) -> Self {
        (0..steps % 6).fold(self, |at, _| Self { q: -at.r, r: at.q + at.r })
    }

    /// Number of the place on the open plane: 1 at (0, 0), then ring by ring, each counterclockwise from the place
    /// in direction 1 of the centre. Hexagons around (0, 0) hold the places 1 to 7, 1 to 19, 1 to 37, ...
    pub fn ring_number(self) -> usize {
        let ring = self.distance(Self { q: 0, r: 0 }) as usize;
        if ring == 0 {
            return 1;
        }
        // Side c leads from the corner in direction c + 1 to the next one.
        let (q, r) = (self.q, self.r);
        let (side, along) = match () {
            () if q > 0 && r >= 0 => (0, r),
            () if q <= 0 && q + r > 0 => (1, -q),
            () if r > 0 => (2, -q - r),
            () if q < 0 => (3, -r),
            () if q + r < 0 => (4, q),
            () => (5, q + r),
        };
        3 * ring * (ring - 1) + 2 + side * ring + along.unsigned_abs() as usize
    }

    /// The place of a ring number; `None` for 0 and where coordinates would grow beyond a million.
    pub fn from_ring_number(number: usize) -> Option<Self> {
        const FARTHEST_RING: usize = FARTHEST as usize;
        let index = number.checked_sub(1).filter(|&i| i <= 3 * FARTHEST_RING * (FARTHEST_RING + 1))?;
        // Ring k ends with index 3 k (k + 1); start below it, whatever rounding does.
        let mut ring = ((index as f64 / 3.0).sqrt() as usize).saturating_sub(1);
        while 3 * ring * (ring + 1) < index {
            ring += 1;
        }
        let steps = i32::try_from(ring).ok()?;
        if ring == 0 {
            return Some(Self { q: 0, r: 0 });
        }
        let within = index - 3 * ring * (ring - 1) - 1;
        let (side, along) = (within / ring, (within % ring) as i32);
        // From the corner in direction side + 1, onwards in the direction two edges further on.
        let ((cq, cr), (sq, sr)) = (STEPS[side], STEPS[(side + 2) % 6]);
        Some(Self { q: cq * steps + sq * along, r: cr * steps + sr * along })
    }

    /// Number of the row that the place lies in, along each of the three axes.
    pub fn rows(self) -> [i32; 3] {
        [self.r, self.q, self.q + self.r]
    }
}

/// The edge of the neighbour that touches this edge.
pub fn opposite(edge: usize) -> usize {
    (edge + 2) % 6 + 1
}

/// Connected components under adjacency (six neighbours), each sorted; ordered by their least place.
pub fn components(places: &HashSet<Axial>) -> Vec<Vec<Axial>> {
    let mut left: BTreeSet<Axial> = places.iter().copied().collect();
    let mut found = Vec::new();
    while let Some(start) = left.pop_first() {
        let mut component = vec![start];
        let mut next = 0;
        while let Some(&at) = component.get(next) {
            next += 1;
            component.extend(at.neighbours().filter(|n| left.remove(n)));
        }
        component.sort_unstable();
        found.push(component);
    }
    found
}

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
