//! Symmetries of a playing field.

use puzzle::soku::Field;

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

/// All symmetries of a field that is a closed surface: 60 rotations and 60 reflections for the icosahedron. The first is the
/// one that changes nothing. None for other fields.
pub(super) fn symmetries(field: &Field) -> Vec<Symmetry> {
    let Some(found) = crate::soku::symmetries(field) else { return Vec::new() };
    let rotations = found.rotations.into_iter().filter_map(|vertices| Symmetry::of(field, vertices, false));
    rotations.chain(found.reflections.into_iter().filter_map(|vertices| Symmetry::of(field, vertices, true))).collect()
}

impl Symmetry {
    /// What a permutation of the vertices does to the faces.
    fn of(field: &Field, vertices: Vec<usize>, is_mirrored: bool) -> Option<Self> {
        let faces = field.faces();
        let image = |corners: &[usize; 3]| {
            let wanted = corners.map(|vertex| vertices[vertex]);
            let index = faces.iter().position(|face| wanted.iter().all(|vertex| face.contains(vertex)))?;
            let at = |vertex| faces[index].iter().position(|&other| other == vertex);
            Some((index, [at(wanted[0])?, at(wanted[1])?, at(wanted[2])?]))
        };
        let (faces, corners) = faces.iter().map(image).collect::<Option<Vec<_>>>()?.into_iter().unzip();
        Some(Self { vertices, faces, corners, is_mirrored })
    }
}
