//! Symmetries of a playing field.

use crate::soku::Field;

/// A way to lay a field onto itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symmetry {
    /// For each vertex the one that comes to lie there.
    pub vertices: Vec<usize>,
    /// For each face the one that comes to lie there.
    pub faces: Vec<usize>,
    /// For each face and corner of it: which corner of the other face comes to lie there.
    pub corners: Vec<[usize; 3]>,
    /// Whether it is a reflection, so that tiles turn into their mirror images.
    pub is_mirrored: bool,
}

impl Symmetry {
    /// What lies on each face afterwards, for weights near the corners of each face before.
    ///
    /// # Panics
    /// Another number of faces.
    #[must_use]
    pub fn image(&self, shown: &[[u32; 3]]) -> Vec<[u32; 3]> {
        let of = |(&face, corners): (&usize, &[usize; 3])| corners.map(|corner| shown[face][corner]);
        self.faces.iter().zip(&self.corners).map(of).collect()
    }
}

/// All symmetries of a field whose faces hang together by edges that two faces share: 60 rotations and 60 reflections for the
/// icosahedron. The first is the one that changes nothing.
#[must_use]
pub fn symmetries(field: &Field) -> Vec<Symmetry> {
    const TURNS: [[usize; 3]; 3] = [[0, 1, 2], [1, 2, 0], [2, 0, 1]];
    const MIRRORED: [[usize; 3]; 3] = [[0, 2, 1], [2, 1, 0], [1, 0, 2]];
    let all = |corners: [[usize; 3]; 3], is_mirrored| {
        (0..field.faces().len())
            .flat_map(move |face| corners.map(|corners| (face, corners)))
            .filter_map(move |(face, corners)| from_first(field, face, corners, is_mirrored))
    };
    all(TURNS, false).chain(all(MIRRORED, true)).collect()
}

/// The symmetry that lays the corners of a face in this order onto the first face.
fn from_first(field: &Field, face: usize, corners: [usize; 3], is_mirrored: bool) -> Option<Symmetry> {
    let faces = field.faces();
    let mut vertices: Vec<Option<usize>> = vec![None; field.vertices().len()];
    for (vertex, corner) in faces[0].into_iter().zip(corners) {
        vertices[vertex] = Some(faces[face][corner]);
    }
    // Across an edge lies one face on either side: its third vertex follows from those of the edge.
    let third = |a: usize, b: usize, not: usize| {
        let mut thirds = faces.iter().filter(|face| face.contains(&a) && face.contains(&b));
        thirds.find_map(|face| face.iter().copied().find(|&vertex| vertex != a && vertex != b && vertex != not))
    };
    let mut reached = vec![faces[0]];
    while let Some(from) = reached.pop() {
        for [a, b, c] in [[from[0], from[1], from[2]], [from[1], from[2], from[0]], [from[2], from[0], from[1]]] {
            let next = third(a, b, c)?;
            if vertices[next].is_none() {
                vertices[next] = Some(third(vertices[a]?, vertices[b]?, vertices[c]?)?);
                reached.push([a, b, next]);
            }
        }
    }
    let vertices: Vec<usize> = vertices.into_iter().collect::<Option<_>>()?;
    let image = |corners: &[usize; 3]| {
        let wanted = corners.map(|vertex| vertices[vertex]);
        let index = faces.iter().position(|face| wanted.iter().all(|vertex| face.contains(vertex)))?;
        let at = |vertex| faces[index].iter().position(|&other| other == vertex);
        let corners = [at(wanted[0])?, at(wanted[1])?, at(wanted[2])?];
        ((3 + corners[1] - corners[0]) % 3 == if is_mirrored { 2 } else { 1 }).then_some((index, corners))
    };
    let (faces, corners) = faces.iter().map(image).collect::<Option<Vec<_>>>()?.into_iter().unzip();
    Some(Symmetry { vertices, faces, corners, is_mirrored })
}
