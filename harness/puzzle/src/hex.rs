//! The hexagonal lattice in axial coordinates: places, components, holes.
//!
//! Edges of a place are numbered 1..=6 counterclockwise (Kino & Uno 2012, Figure 7); edge l of a place
//! touches edge l + 3 (mod 6) of its neighbour there. Edge 1 looks in direction (1, 0).

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde::{Deserialize, Serialize};

/// Numbers of the six edges.
pub const EDGES: [usize; 6] = [1, 2, 3, 4, 5, 6];

/// Greatest coordinate of a place that is read from a file: far from where sums could overflow.
const FARTHEST: i32 = 1_000_000;

/// Step to the neighbour at edge 1, 2, ..., 6.
const STEPS: [(i32, i32); 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

/// A place of the lattice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "Vec<i64>", into = "(i32, i32)")]
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

impl TryFrom<Vec<i64>> for Axial {
    type Error = String;

    fn try_from(pair: Vec<i64>) -> Result<Self, String> {
        let [q, r] = pair[..] else {
            return Err(format!("{pair:?} is not a place; a place is two whole numbers, [q, r]"));
        };
        let near = |number: i64| i32::try_from(number).ok().filter(|number| (-FARTHEST..=FARTHEST).contains(number));
        near(q)
            .zip(near(r))
            .map(Self::from)
            .ok_or_else(|| format!("{pair:?} is too far out; coordinates lie between -{FARTHEST} and {FARTHEST}"))
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

/// Holes: maximal sets of empty places, connected through edges, that cannot reach the outside. Each is sorted; they
/// are ordered by their least place.
///
/// Takes time and memory of the places that are filled or enclosed, wherever they lie.
pub fn holes(filled: &HashSet<Axial>) -> Vec<Vec<Axial>> {
    let mut rows: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
    filled.iter().for_each(|at| rows.entry(at.r).or_default().push(at.q));
    // Empty places of a row between two filled ones: the row and the last q, the first q.
    let mut gaps: BTreeMap<(i32, i32), i32> = BTreeMap::new();
    for (&r, row) in &mut rows {
        row.sort_unstable();
        let apart = row.windows(2).filter(|pair| pair[1] - pair[0] > 1);
        gaps.extend(apart.map(|pair| ((r, pair[1] - 1), pair[0] + 1)));
    }
    let mut holes = Vec::new();
    while let Some(first) = gaps.pop_first() {
        let (mut joined, mut next, mut enclosed) = (vec![first], 0, true);
        while let Some(&((r, to), from)) = joined.get(next) {
            next += 1;
            // What its places touch in the rows above and below.
            for (r, from, to) in [(r + 1, from - 1, to), (r - 1, from, to + 1)] {
                enclosed &= rows.get(&r).is_some_and(|row| row[0] <= from && to <= row[row.len() - 1]);
                while let Some((&gap, &start)) = gaps.range((r, from)..=(r, i32::MAX)).next()
                    && start <= to
                {
                    gaps.remove(&gap);
                    joined.push((gap, start));
                }
            }
        }
        if enclosed {
            let places = joined.iter().flat_map(|&((r, to), from)| (from..=to).map(move |q| Axial { q, r }));
            let mut hole: Vec<Axial> = places.collect();
            hole.sort_unstable();
            holes.push(hole);
        }
    }
    holes.sort_unstable();
    holes
}
