//! Nets: fields laid out flat, every face an equilateral triangle on the lattice of such triangles, none on top of another; and how that
//! of the icosahedron folds up.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use super::field::Field;

/// A point of the triangular lattice: steps to the right, and steps down to the right, 60 degrees from them.
pub type LatticePoint = (i32, i32);

/// Faces laid to find out where a net is best begun, for each of six ways to turn the first.
const EFFORT: usize = 12_000;

/// A field laid out flat, as seen from outside: for each face the points where its corners lie, clockwise.
pub type Net = Vec<[LatticePoint; 3]>;

/// Lays a field out flat.
///
/// A row of faces is laid until it closes, then faces above and below it, row by row: on the icosahedron and its geodesic
/// relatives this is their usual net. What does not fit becomes a piece of its own. Of several beginnings the one with the
/// fewest pieces, the shortest cuts and the least room is taken, among equals one with face 1 upright, on top and far to the right (faces
/// follow each other clockwise, hence from right to left). Bipyramids become strips of rhombi, one for each side of their base.
pub fn unfold(field: &Field) -> Net {
    if let Some(net) = bipyramid(field) {
        return net;
    }
    let beyond = beyond(field);
    let count = field.faces().len();
    let starts = (EFFORT / count).clamp(1, count);
    let nets = (0..starts).flat_map(|start| {
        let start = start * count / starts;
        (0..6).map(move |turn| (start, turn))
    });
    let nets = nets.map(|(start, turn)| {
        let pieces = pieces(field, &beyond, start, turn);
        let count = pieces.len();
        let net = arrange(field, &pieces);
        (merit(&net, count), net)
    });
    nets.min_by(|a, b| a.0.cmp(&b.0)).map_or_else(Net::new, |(_, net)| net)
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
fn merit(net: &[[LatticePoint; 3]], pieces: usize) -> (usize, usize, i32, bool, i32, bool, i32) {
    let span = Span::of(net.iter());
    let first = net.first().copied().unwrap_or_default();
    let top = first.iter().map(|at| at.1).min().unwrap_or(0);
    let upright = first.iter().filter(|at| at.1 == top).count() == 1;
    // Two rows of triangles are about as high as four half sides are wide.
    let room = (span.right - span.left + 2) * (2 * (span.bottom - span.top) + 2);
    (pieces, cut(net), room, !upright, top - span.top, first[0].1 != top, span.right - half_sides(first[0]))
}

/// The edges of faces that no other face lies at.
fn cut(net: &[[LatticePoint; 3]]) -> usize {
    let edges = || net.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
    let there: HashSet<_> = edges().collect();
    edges().filter(|&(from, to)| !there.contains(&(to, from))).count()
}

/// Lays pieces side by side, in lines that together are about twice as wide as high.
fn arrange(field: &Field, pieces: &[Piece]) -> Net {
    let spans: Vec<Span> = pieces.iter().map(|piece| Span::of(piece.values())).collect();
    let room: i32 = spans.iter().map(|span| (span.right - span.left + 2) * (span.bottom - span.top + 1) * 2).sum();
    let widest = spans.iter().map(|span| span.right - span.left).max().unwrap_or(0);
    let wide = widest.max((2 * room).isqrt());
    let mut net = vec![[(0, 0); 3]; field.faces().len()];
    let (mut left, mut top, mut next) = (0, 0, 0);
    for (piece, span) in pieces.iter().zip(&spans) {
        if left > 0 && left + span.right - span.left > wide {
            (left, top) = (0, next + 1);
        }
        let down = top - span.top;
        // Whole steps to the right only: what is odd is rounded up.
        let across = (left - span.left - down + 1).div_euclid(2);
        for (&face, laid) in piece {
            net[face] = laid.map(|at| (at.0 + across, at.1 + down));
        }
        left += span.right - span.left + 2;
        next = next.max(top + span.bottom - span.top);
    }
    net
}

/// Bipyramids over fewer sides have better nets.
const LEAST_SIDES: usize = 5;

/// Up to this number of rhombi there is one line.
const IN_LINE: usize = 12;

/// The net of a bipyramid; `None` of any other field.
fn bipyramid(field: &Field) -> Option<Net> {
    let (faces, sides) = (field.faces(), field.faces().len() / 2);
    if faces.len() % 2 == 1 || sides < LEAST_SIDES || field.vertices().len() != sides + 2 {
        return None;
    }
    let is_apex = |vertex: usize| field.around(vertex).len() == sides;
    let first = faces.first()?;
    let apex = first.iter().copied().find(|&vertex| is_apex(vertex))?;
    // The face at a vertex whose next corner clockwise is another one, and which of its corners the vertex is.
    let at = |vertex: usize, next: usize| {
        field.around(vertex).iter().copied().find(|&(face, corner)| faces[face][(corner + 1) % 3] == next)
    };
    let (lines, mut corners) = (lines(sides), vec![[(0, 0); 3]; faces.len()]);
    let mut laid = vec![false; faces.len()];
    let mut base = first[(first.iter().position(|&vertex| vertex == apex)? + 1) % 3];
    for side in 0..sides {
        let (above, corner) = at(apex, base)?;
        let next = faces[above][(corner + 2) % 3];
        let (below, of_below) = at(next, base)?;
        if !is_apex(faces[below][(of_below + 2) % 3]) || laid[above] || laid[below] {
            return None;
        }
        (laid[above], laid[below]) = (true, true);
        // Clockwise around the upper apex is from right to left along the base.
        let in_line = sides.div_ceil(lines);
        let line = i32::try_from(side / in_line).ok()?;
        let place = i32::try_from(in_line - 1 - side % in_line).ok()?;
        let (x, y) = (place - 2 * line + line / 2, 3 * line);
        let mut upper = [(x + 1, y), (x + 1, y + 1), (x, y + 1)];
        upper.rotate_right(corner);
        corners[above] = upper;
        let mut lower = [(x, y + 1), (x + 1, y + 1), (x, y + 2)];
        lower.rotate_right(of_below);
        corners[below] = lower;
        base = next;
    }
    laid.into_iter().all(|is_laid| is_laid).then_some(corners)
}

/// The number of lines of rhombi: one for a few rhombi, otherwise chosen so that the picture is about twice as wide as high.
fn lines(sides: usize) -> usize {
    // A line of rhombi with the room below it is 3 rows of triangles high, some 2.6 sides.
    let in_line = (5 * sides).isqrt().max(IN_LINE);
    sides.div_ceil(in_line)
}

/// Of each face and each of its edges (edge i runs from corner i to the next one): the faces beyond it, with the edge of theirs.
type Beyond = Vec<[Vec<(usize, usize)>; 3]>;

/// What lies beyond each edge. Faces on both sides of an edge run through it in opposite directions.
fn beyond(field: &Field) -> Beyond {
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
fn pieces(field: &Field, beyond: &Beyond, start: usize, turn: usize) -> Vec<Piece> {
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

/// By how much faces of the icosahedron that share an edge are bent out of one plane, in radians: the cosine of the angle within is
/// -√5/3.
pub fn bend() -> f64 {
    (5.0_f64.sqrt() / 3.0).acos()
}

/// The face, by its index, on which each face of a net hangs when it is folded up: a neighbour in the net, nearer to the one in
/// the middle, which hangs on none. `None` where the field is no icosahedron, whatever it is called.
pub fn hinges(field: &Field, net: &[[LatticePoint; 3]]) -> Option<Vec<Option<usize>>> {
    if !is_like_icosahedron(field) {
        return None;
    }
    let edges = net.iter().enumerate().flat_map(|(face, &[a, b, c])| [(a, b), (b, c), (c, a)].map(|edge| (edge, face)));
    let edges: HashMap<_, _> = edges.collect();
    let first = middle(net)?;
    let mut hangs_on = vec![None; field.faces().len()];
    let mut reached = vec![first];
    let mut next = 0;
    while let Some(&face) = reached.get(next) {
        next += 1;
        let [a, b, c] = net[face];
        for edge in [(b, a), (c, b), (a, c)] {
            if let Some(&beside) = edges.get(&edge)
                && beside != first
                && hangs_on[beside].is_none()
            {
                hangs_on[beside] = Some(face);
                reached.push(beside);
            }
        }
    }
    (reached.len() == hangs_on.len()).then_some(hangs_on)
}

/// Whether five faces meet at each of 12 vertices and two at each edge. In one piece, that is a closed surface with an Euler
/// characteristic of 12 - 30 + 20 = 2, hence a sphere, and the icosahedron is the only one with five triangles around each vertex.
fn is_like_icosahedron(field: &Field) -> bool {
    let vertices = 0..field.vertices().len();
    vertices.len() == 12
        && vertices.clone().all(|vertex| field.around(vertex).len() == 5)
        && beyond(field).iter().flatten().all(|faces| faces.len() == 1)
}

/// The face whose centre is nearest to that of the net.
fn middle(net: &[[LatticePoint; 3]]) -> Option<usize> {
    let centres: Vec<_> = net.iter().copied().map(cell).collect();
    let count = i32::try_from(centres.len()).ok()?;
    let all = centres.iter().fold((0, 0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
    let off = |&face: &usize| {
        let (across, down) = (count * centres[face].0 - all.0, count * centres[face].1 - all.1);
        across * across + across * down + down * down
    };
    (0..centres.len()).min_by_key(off)
}
