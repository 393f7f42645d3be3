//! Nets of any field: a row of faces, and rows above and below it.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use super::{LatticePoint, Piece, half_sides};
use crate::soku::Field;

/// Of each face and each of its edges (edge i runs from corner i to the next one): the faces beyond it, with the edge of theirs.
pub type Beyond = Vec<[Vec<(usize, usize)>; 3]>;

/// What lies beyond each edge. Faces on both sides of an edge run through it in opposite directions.
pub fn beyond(field: &Field) -> Beyond {
    let mut edges = HashMap::<(usize, usize), Vec<(usize, usize)>>::new();
    for (face, corners) in field.faces().iter().enumerate() {
        for edge in 0..3 {
            edges.entry((corners[edge], corners[(edge + 1) % 3])).or_default().push((face, edge));
        }
    }
    let across = |corners: &[usize; 3], edge: usize| {
        edges.get(&(corners[(edge + 1) % 3], corners[edge])).cloned().unwrap_or_default()
    };
    field.faces().iter().map(|corners| [0, 1, 2].map(|edge| across(corners, edge))).collect()
}

/// All faces in pieces, the first of which begins with this face; `turn` (0 to 5) says which of its edges is level, and whether
/// it stands on it.
pub fn pieces(field: &Field, beyond: &Beyond, start: usize, turn: usize) -> Vec<Piece> {
    let count = field.faces().len();
    let mut laid = vec![false; count];
    let mut pieces = Vec::new();
    let mut begin = Some((start, turn));
    while let Some((face, turn)) = begin {
        let piece = Growing::from(field, beyond, &laid, face, turn).grown();
        piece.keys().for_each(|&face| laid[face] = true);
        pieces.push(piece);
        begin = laid.iter().position(|is_laid| !is_laid).map(|face| (face, 0));
    }
    pieces
}

/// A face that could be laid beside another: rows from the first row, whether beside a face of its row, how far from the
/// middle, the face and its edge, where that edge lies.
type Offer = Reverse<(u32, bool, u32, usize, usize, [LatticePoint; 2])>;

/// A piece that grows.
struct Growing<'a> {
    field: &'a Field,
    beyond: &'a Beyond,
    elsewhere: &'a [bool],
    piece: Piece,
    cells: HashSet<LatticePoint>,
    vertices: HashMap<LatticePoint, usize>,
}

impl<'a> Growing<'a> {
    /// Lays the first row: to the right until it closes or ends, then to the left.
    fn from(field: &'a Field, beyond: &'a Beyond, elsewhere: &'a [bool], face: usize, turn: usize) -> Self {
        let (piece, cells, vertices) = (HashMap::new(), HashSet::new(), HashMap::new());
        let mut growing = Self { field, beyond, elsewhere, piece, cells, vertices };
        // Level edges run to the right on top of a face, to the left below it.
        let (from, to) = if turn < 3 { ((0, 0), (1, 0)) } else { ((1, 0), (0, 0)) };
        growing.lay(face, turn % 3, [from, to]);
        for to_right in [true, false] {
            let mut last = face;
            while let Some(next) = growing.lay_beside(last, to_right) {
                last = next;
            }
        }
        growing
    }

    /// Lays a face beside another one, in the same row.
    fn lay_beside(&mut self, face: usize, to_right: bool) -> Option<usize> {
        let corners = self.piece[&face];
        let slanted = (0..3).filter(|&edge| corners[edge].1 != corners[(edge + 1) % 3].1);
        let reach = |&edge: &usize| half_sides(corners[edge]) + half_sides(corners[(edge + 1) % 3]);
        let edge = if to_right { slanted.max_by_key(reach) } else { slanted.min_by_key(reach) }?;
        let ends = [corners[(edge + 1) % 3], corners[edge]];
        let found = self.beyond[face][edge].iter().find(|(next, of_next)| self.fits(*next, *of_next, ends));
        let (next, of_next) = *found?;
        self.lay(next, of_next, ends);
        Some(next)
    }

    /// Lays all other faces that fit, those near the first row first; of a row, first those that hang on the row before.
    fn grown(mut self) -> Piece {
        let middle = self.piece.values().flatten().map(|at| half_sides(*at)).sum::<i32>();
        let middle = middle / i32::try_from(3 * self.piece.len()).unwrap_or(i32::MAX);
        let row = self.piece.values().flatten().map(|at| at.1).min().unwrap_or(0);
        let mut offers = BinaryHeap::new();
        let mut first: Vec<usize> = self.piece.keys().copied().collect();
        first.sort_unstable();
        for face in first {
            self.offer(face, (row, middle), &mut offers);
        }
        while let Some(Reverse((.., face, edge, ends))) = offers.pop() {
            if self.fits(face, edge, ends) {
                self.lay(face, edge, ends);
                self.offer(face, (row, middle), &mut offers);
            }
        }
        self.piece
    }

    /// Offers what lies beyond the edges of a face.
    fn offer(&self, face: usize, (row, middle): (i32, i32), offers: &mut BinaryHeap<Offer>) {
        let corners = self.piece[&face];
        for edge in 0..3 {
            let ends = [corners[(edge + 1) % 3], corners[edge]];
            let third = third(ends);
            let of_new = ends[0].1.min(ends[1].1).min(third.1);
            let aside = (half_sides(third) - middle).unsigned_abs();
            for &(next, of_next) in self.beyond[face][edge].iter().filter(|(next, _)| !self.is_laid(*next)) {
                let is_level = ends[0].1 == ends[1].1;
                offers.push(Reverse((of_new.abs_diff(row), !is_level, aside, next, of_next, ends)));
            }
        }
    }

    fn is_laid(&self, face: usize) -> bool {
        self.elsewhere[face] || self.piece.contains_key(&face)
    }

    /// Whether a face can be laid with an edge there: nothing lies there, and no other vertex where one of its own would be.
    fn fits(&self, face: usize, edge: usize, ends: [LatticePoint; 2]) -> bool {
        let corners = turned(edge, ends);
        let vertices = self.field.faces()[face];
        let agree = |(at, vertex): (&LatticePoint, &usize)| self.vertices.get(at).is_none_or(|there| there == vertex);
        !self.is_laid(face) && !self.cells.contains(&cell(corners)) && corners.iter().zip(&vertices).all(agree)
    }

    fn lay(&mut self, face: usize, edge: usize, ends: [LatticePoint; 2]) {
        let corners = turned(edge, ends);
        self.cells.insert(cell(corners));
        self.vertices.extend(corners.into_iter().zip(self.field.faces()[face]));
        self.piece.insert(face, corners);
    }
}

/// The corners of a face, by number, whose edge runs between these ends.
fn turned(edge: usize, [from, to]: [LatticePoint; 2]) -> [LatticePoint; 3] {
    let mut corners = [from, to, third([from, to])];
    corners.rotate_right(edge);
    corners
}

/// The third corner of a triangle that lies to the right of an edge, so that its corners are clockwise.
fn third([from, to]: [LatticePoint; 2]) -> LatticePoint {
    let (across, down) = (to.0 - from.0, to.1 - from.1);
    // A step, turned by 60 degrees clockwise: right becomes down to the right, and that down to the left.
    (from.0 - down, from.1 + across + down)
}

/// What tells triangles of the lattice apart: three times their centre.
fn cell(corners: [LatticePoint; 3]) -> LatticePoint {
    corners.into_iter().fold((0, 0), |sum, at| (sum.0 + at.0, sum.1 + at.1))
}
