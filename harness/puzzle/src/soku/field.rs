//! Playing fields (Rizzo, definition 1).

use super::MOST_FACES;
use crate::FieldError;

/// A playing field: vertices, and triangular faces between them.
///
/// Not every field is a polyhedron: nothing in the puzzle depends on that (Rizzo, section 2.2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    vertices: Vec<String>,
    faces: Vec<[usize; 3]>,
    around: Vec<Vec<(usize, usize)>>,
}

impl Field {
    /// Makes a field of faces that name their corners clockwise, seen from outside. The vertices are those that are
    /// named, shorter names first, those of one length in the order of the alphabet.
    ///
    /// # Errors
    /// No faces, or more than [`MOST_FACES`]; a face that is no triangle of three different vertices; a face that is there already.
    pub fn new(faces: &[Vec<String>]) -> Result<Self, FieldError> {
        if faces.is_empty() {
            return Err(FieldError::new("faces", "there are none; a playing field has at least one"));
        }
        if faces.len() > MOST_FACES {
            let reason = format!("{} faces; there are {MOST_FACES} at most here", faces.len());
            return Err(FieldError::new("faces", reason));
        }
        for (index, face) in faces.iter().enumerate() {
            let fault = |reason| Err(FieldError::new(format!("faces[{index}]"), reason));
            match face.as_slice() {
                [a, b, c] if a == b || b == c || a == c => {
                    return fault(format!("{a} {b} {c} names a vertex twice; a face has three different ones"));
                }
                [_, _, _] => {}
                other => {
                    return fault(format!(
                        "{} vertices, so this is no triangle; a face has three, in clockwise order",
                        other.len()
                    ));
                }
            }
            if face.iter().any(|name| name.trim().is_empty()) {
                return fault("a vertex without a name; letters and digits make names".to_owned());
            }
        }
        let mut vertices: Vec<String> = faces.iter().flatten().cloned().collect();
        vertices.sort_unstable_by(|a, b| by_length(a).cmp(&by_length(b)));
        vertices.dedup();
        let number: std::collections::HashMap<&str, usize> =
            vertices.iter().enumerate().map(|(index, name)| (name.as_str(), index)).collect();
        let faces: Vec<[usize; 3]> =
            faces.iter().map(|face| std::array::from_fn(|corner| number[face[corner].as_str()])).collect();
        let mut seen = std::collections::HashMap::new();
        for (index, &face) in faces.iter().enumerate() {
            if let Some(earlier) = seen.insert(from_least(face), index) {
                let reason = format!("this is faces[{earlier}] again; a field has each of its faces once");
                return Err(FieldError::new(format!("faces[{index}]"), reason));
            }
        }
        let mut around = vec![Vec::new(); vertices.len()];
        for (face, corners) in faces.iter().enumerate() {
            for (corner, &vertex) in corners.iter().enumerate() {
                around[vertex].push((face, corner));
            }
        }
        Ok(Self { vertices, faces, around })
    }

    /// Names of the vertices. Others speak of a vertex by its index here.
    #[must_use]
    pub fn vertices(&self) -> &[String] {
        &self.vertices
    }

    /// The faces in the order of their numbers (number 1 at index 0): indices of their vertices, clockwise.
    #[must_use]
    pub fn faces(&self) -> &[[usize; 3]] {
        &self.faces
    }

    /// The corners that meet at a vertex: index of the face, corner.
    ///
    /// # Panics
    /// On a vertex of another field.
    #[must_use]
    pub fn around(&self, vertex: usize) -> &[(usize, usize)] {
        &self.around[vertex]
    }

    /// The vertex of a name.
    #[must_use]
    pub fn vertex(&self, name: &str) -> Option<usize> {
        self.vertices.binary_search_by_key(&by_length(name), |vertex| by_length(vertex)).ok()
    }

    /// The names of a face's corners, clockwise.
    ///
    /// # Panics
    /// On a face of another field.
    #[must_use]
    pub fn corners(&self, face: usize) -> [&str; 3] {
        self.faces[face].map(|vertex| self.vertices[vertex].as_str())
    }
}

/// The same cycle, beginning with its least vertex.
fn from_least(face: [usize; 3]) -> [usize; 3] {
    let [a, b, c] = face;
    [[a, b, c], [b, c, a], [c, a, b]].into_iter().min().unwrap_or(face)
}

/// The order of names: shorter ones first, those of one length by the alphabet.
fn by_length(name: &str) -> (usize, &str) {
    (name.chars().count(), name)
}
