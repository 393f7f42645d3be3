//! A closed line with all that its tiles must agree on.

use super::angles::{SIDE, Walk, cell};
use puzzle::hex::Axial;

/// A closed line over n places of the plane that leaves no hole.
///
/// Edges of a place are counted here from the edge where the line leaves it, counterclockwise: the line
/// leaves at 0 and came in at the angle; the edges between lie inside the line, the others outside.
pub(super) struct Outline {
    pub places: Vec<Place>,
    /// Number of pairs of edges that touch and that the line does not cross.
    pub touching: usize,
    /// Number of rotations that carry the line into itself; they shift the places by `places.len() / symmetry`.
    pub symmetry: usize,
}

/// A place of the line.
pub(super) struct Place {
    pub at: Axial,
    pub angle: u8,
    /// Where the line leaves it: 0 for edge 1.
    pub exit: usize,
    /// For each edge the number of the touching pair that it belongs to.
    pub pairs: [Option<u8>; 6],
}

impl Outline {
    /// Looks at the neighbours of all places; nothing if the line encloses a hole between places that touch.
    pub fn new(walk: &Walk, numbers: &mut Numbers) -> Option<Self> {
        let n = walk.places.len();
        numbers.set(walk.places);
        let around = |at: Axial| -> [Option<usize>; 6] { std::array::from_fn(|i| numbers.get(at.neighbour(i + 1))) };
        let neighbours: Vec<[Option<usize>; 6]> = walk.places.iter().map(|&at| around(at)).collect();
        // Euler: places - pairs of neighbours + triangles = 1 - holes.
        let degrees: usize = neighbours.iter().map(|around| around.iter().flatten().count()).sum();
        let corners = |a: &[Option<usize>; 6]| (0..6).filter(|&i| a[i].is_some() && a[(i + 1) % 6].is_some()).count();
        let triangles = neighbours.iter().map(corners).sum::<usize>() / 3;
        if n + triangles != degrees / 2 + 1 {
            return None;
        }
        let mut touching = 0;
        let mut places: Vec<Place> = Vec::with_capacity(n);
        for (index, (&at, &angle)) in walk.places.iter().zip(walk.angles).enumerate() {
            let next = (index + 1) % n;
            let exit = neighbours[index].iter().position(|&other| other == Some(next))?;
            let mut pairs = [None; 6];
            for edge in (1..6).filter(|&edge| edge != usize::from(angle)) {
                let direction = (exit + edge) % 6;
                let Some(other) = neighbours[index][direction] else { continue };
                pairs[edge] = if other < index {
                    places[other].pairs[(direction + 9 - places[other].exit) % 6]
                } else {
                    touching += 1;
                    Some(touching as u8 - 1)
                };
            }
            places.push(Place { at, angle, exit, pairs });
        }
        Some(Self { places, touching, symmetry: walk.symmetry })
    }
}

/// The numbers of the places of one line, to be found by where they lie.
pub(super) struct Numbers {
    cells: Vec<Option<u8>>,
    set: Vec<usize>,
}

impl Numbers {
    pub fn new() -> Self {
        Self { cells: vec![None; SIDE * SIDE], set: Vec::new() }
    }

    fn set(&mut self, places: &[Axial]) {
        for cell in self.set.drain(..) {
            self.cells[cell] = None;
        }
        for (index, &at) in places.iter().enumerate() {
            self.cells[cell(at)] = Some(index as u8);
            self.set.push(cell(at));
        }
    }

    fn get(&self, at: Axial) -> Option<usize> {
        self.cells[cell(at)].map(usize::from)
    }
}
