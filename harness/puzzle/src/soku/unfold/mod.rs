//! Fields laid out flat: every face an equilateral triangle on the lattice of such triangles, none on top of another.

mod grow;
mod strip;

use std::collections::{HashMap, HashSet};

use super::Field;

/// A point of the triangular lattice: steps to the right, and steps down to the right, 60 degrees from them.
pub type LatticePoint = (i32, i32);

/// Faces laid to find out where a net is best begun, for each of six ways to turn the first.
const EFFORT: usize = 12_000;

/// A field laid out flat, as seen from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Net {
    corners: Vec<[LatticePoint; 3]>,
}

impl Net {
    /// The points where the corners of a face lie, clockwise; faces are counted from 0.
    ///
    /// # Panics
    /// On a face of another field.
    #[must_use]
    pub fn corners(&self, face: usize) -> [LatticePoint; 3] {
        self.corners[face]
    }

    /// The faces in the order of the field.
    pub fn faces(&self) -> impl Iterator<Item = [LatticePoint; 3]> + '_ {
        self.corners.iter().copied()
    }
}

/// Lays a field out flat.
///
/// A row of faces is laid until it closes, then faces above and below it, row by row: on the icosahedron and its geodesic
/// relatives this is their usual net. What does not fit becomes a piece of its own. Of several beginnings the one with the
/// fewest pieces, the shortest cuts and the least room is taken, among equals one with face 1 upright, on top and far to the right (faces
/// follow each other clockwise, hence from right to left). Bipyramids become strips of rhombi, one for each side of their base.
#[must_use]
pub fn unfold(field: &Field) -> Net {
    if let Some(net) = strip::of(field) {
        return net;
    }
    let beyond = grow::beyond(field);
    let count = field.faces().len();
    let starts = (EFFORT / count).clamp(1, count);
    let nets = (0..starts).flat_map(|start| {
        let start = start * count / starts;
        (0..6).map(move |turn| (start, turn))
    });
    let nets = nets.map(|(start, turn)| {
        let pieces = grow::pieces(field, &beyond, start, turn);
        let count = pieces.len();
        let net = arrange(field, &pieces);
        (merit(&net, count), net)
    });
    nets.min_by(|a, b| a.0.cmp(&b.0)).map_or(Net { corners: Vec::new() }, |(_, net)| net)
}

/// Where the faces of a piece lie.
type Piece = HashMap<usize, [LatticePoint; 3]>;

/// What the faces of a net span: half sides from left to right, rows of triangles from top to bottom.
#[derive(Debug, Clone, Copy)]
struct Span {
    left: i32,
    right: i32,
    top: i32,
    bottom: i32,
}

impl Span {
    fn of<'a>(faces: impl Iterator<Item = &'a [LatticePoint; 3]>) -> Self {
        let start = Self { left: i32::MAX, right: i32::MIN, top: i32::MAX, bottom: i32::MIN };
        faces.flatten().fold(start, |span, &at| Self {
            left: span.left.min(half_sides(at)),
            right: span.right.max(half_sides(at)),
            top: span.top.min(at.1),
            bottom: span.bottom.max(at.1),
        })
    }
}

/// How far a point lies to the right, in half sides.
fn half_sides((across, down): LatticePoint) -> i32 {
    2 * across + down
}

/// Less is better: pieces, edges that are cut, room, where the first face lies.
fn merit(net: &Net, pieces: usize) -> (usize, usize, i32, bool, i32, bool, i32) {
    let span = Span::of(net.corners.iter());
    let first = net.corners.first().copied().unwrap_or_default();
    let top = first.iter().map(|at| at.1).min().unwrap_or(0);
    let upright = first.iter().filter(|at| at.1 == top).count() == 1;
    // Two rows of triangles are about as high as four half sides are wide.
    let room = (span.right - span.left + 2) * (2 * (span.bottom - span.top) + 2);
    (pieces, cut(net), room, !upright, top - span.top, first[0].1 != top, span.right - half_sides(first[0]))
}

/// The edges of faces that no other face lies at.
fn cut(net: &Net) -> usize {
    let edges = || net.corners.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
    let there: HashSet<_> = edges().collect();
    edges().filter(|&(from, to)| !there.contains(&(to, from))).count()
}

/// Lays pieces side by side, in lines that together are about twice as wide as high.
fn arrange(field: &Field, pieces: &[Piece]) -> Net {
    let spans: Vec<Span> = pieces.iter().map(|piece| Span::of(piece.values())).collect();
    let room: i32 = spans.iter().map(|span| (span.right - span.left + 2) * (span.bottom - span.top + 1) * 2).sum();
    let widest = spans.iter().map(|span| span.right - span.left).max().unwrap_or(0);
    let wide = widest.max((2 * room).isqrt());
    let mut corners = vec![[(0, 0); 3]; field.faces().len()];
    let (mut left, mut top, mut next) = (0, 0, 0);
    for (piece, span) in pieces.iter().zip(&spans) {
        if left > 0 && left + span.right - span.left > wide {
            (left, top) = (0, next + 1);
        }
        let down = top - span.top;
        // Whole steps to the right only: what is odd is rounded up.
        let across = (left - span.left - down + 1).div_euclid(2);
        for (&face, laid) in piece {
            corners[face] = laid.map(|at| (at.0 + across, at.1 + down));
        }
        left += span.right - span.left + 2;
        next = next.max(top + span.bottom - span.top);
    }
    Net { corners }
}
