//! Playing fields (Rizzo, definition 1), and those that have a name.

use std::collections::HashMap;

use crate::input::FieldError;

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
    /// Errors: no faces, or more than [`MOST_FACES`]; a face that is no triangle of three different vertices; a face
    /// that is there already.
    pub fn new(faces: &[Vec<String>]) -> Result<Self, FieldError> {
        if faces.is_empty() {
            return Err(FieldError::new("faces", "there are none; a playing field has at least one"));
        }
        if faces.len() > MOST_FACES {
            let reason = format!("{} faces; there are {MOST_FACES} at most here", faces.len());
            return Err(FieldError::new("faces", reason));
        }
        for (index, face) in faces.iter().enumerate() {
            let fault = |reason| Err(FieldError::new(format!("face {}", index + 1), reason));
            match face.as_slice() {
                [a, b, c] if a == b || b == c || a == c => {
                    return fault(format!("{a} {b} {c} names a vertex twice; a face has three different ones"));
                }
                [_, _, _] => {}
                other => {
                    return fault(format!(
                        "{} vertices, so this is not a triangle; a face has three, in clockwise order",
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
        let number: HashMap<&str, usize> =
            vertices.iter().enumerate().map(|(index, name)| (name.as_str(), index)).collect();
        let faces: Vec<[usize; 3]> =
            faces.iter().map(|face| std::array::from_fn(|corner| number[face[corner].as_str()])).collect();
        let mut seen = HashMap::new();
        for (index, &face) in faces.iter().enumerate() {
            if let Some(earlier) = seen.insert(least_rotation(face), index) {
                let reason = format!("this is face {} again; a field has each of its faces once", earlier + 1);
                return Err(FieldError::new(format!("face {}", index + 1), reason));
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
    pub fn vertices(&self) -> &[String] {
        &self.vertices
    }

    /// The faces in the order of their numbers (number 1 at index 0): indices of their vertices, clockwise.
    pub fn faces(&self) -> &[[usize; 3]] {
        &self.faces
    }

    /// The corners that meet at a vertex: index of the face, corner.
    pub fn around(&self, vertex: usize) -> &[(usize, usize)] {
        &self.around[vertex]
    }

    /// Two faces that go along an edge in the same direction, in words, if there are any: not both name their corners clockwise, or
    /// more than two faces meet there.
    pub fn turned(&self) -> Option<String> {
        let mut seen = HashMap::new();
        for (index, &[a, b, c]) in self.faces.iter().enumerate() {
            for edge in [[a, b], [b, c], [c, a]] {
                if let Some(earlier) = seen.insert(edge, index) {
                    let [from, to] = edge.map(|vertex| &self.vertices[vertex]);
                    return Some(format!("faces {} and {} both go from {from} to {to}", earlier + 1, index + 1));
                }
            }
        }
        None
    }

    /// The vertex of a name.
    pub fn vertex(&self, name: &str) -> Option<usize> {
        self.vertices.binary_search_by_key(&by_length(name), |vertex| by_length(vertex)).ok()
    }

    /// The names of a face's corners, clockwise.
    pub fn corners(&self, face: usize) -> [&str; 3] {
        self.faces[face].map(|vertex| self.vertices[vertex].as_str())
    }
}

/// The least of the three rotations of a tile, or of the corners of a face: the same for two that differ by a rotation only.
pub fn least_rotation<T: Copy + Ord>([a, b, c]: [T; 3]) -> [T; 3] {
    [a, b, c].min([b, c, a]).min([c, a, b])
}

/// The order of names: shorter ones first, those of one length by the alphabet.
fn by_length(name: &str) -> (usize, &str) {
    (name.chars().count(), name)
}

/// The name of the field of IcoSoKu.
pub const ICOSAHEDRON: &str = "icosahedron";

/// Most faces of a field.
pub const MOST_FACES: usize = 20_000;

/// The faces of the tetrahedron, named as by Rizzo (section 2.1).
const TETRAHEDRON: &str = "ABC ACD ADB BDC";

/// The faces of the octahedron: A above, F below, B to E around them.
const OCTAHEDRON: &str = "ABC ACD ADE AEB CBF DCF EDF BEF";

/// The faces of the icosahedron, named and ordered as by Rizzo (listing 1).
const ICOSAHEDRON_FACES: &str = "ABC ACD ADE AEF AFB BFK BKG BGC CGH CHD DIE DHI EIJ EJF FJK GKL GLH HLI ILJ JLK";

/// Most vertices around the apices of a bipyramid: it has two faces for each.
const MOST_AROUND: usize = MOST_FACES / 2;

/// Most parts of an edge of the icosahedron: 20 V² faces.
const MOST_PARTS: usize = 31;

/// The names that [`named`] knows.
const NAMES: &str = "tetrahedron, octahedron, icosahedron, bipyramid-N (N from 3), geodesic-V (V from 1)";

/// The field of a name.
///
/// - `tetrahedron`, `octahedron`, `icosahedron`: vertices A, B, C, ...
/// - `bipyramid-N`: two pyramids over a polygon of N corners, base to base (Rizzo, lemma 1): 2N faces. The apices are P above
///   (A' in the lemma) and Q below (A \ A'), Z1 to ZN lie around them.
/// - `geodesic-V`: every face of the icosahedron cut into V² triangles: 20 V² faces. The vertices of the icosahedron keep their
///   letters; AB1 lies one step from A on the edge to B, and ABC1-2 one step towards B and two towards C from corner A
///   of the face ABC.
///
/// Errors: an unknown name, a number that is too small, or one that makes more than [`MOST_FACES`] faces.
pub fn named(name: &str) -> Result<Field, FieldError> {
    let faces = match name {
        "tetrahedron" => lettered(TETRAHEDRON),
        "octahedron" => lettered(OCTAHEDRON),
        ICOSAHEDRON => lettered(ICOSAHEDRON_FACES),
        other => match other.rsplit_once('-') {
            Some(("bipyramid", n)) => bipyramid(number(name, n, 3, MOST_AROUND)?),
            Some(("geodesic", parts)) => {
                let parts = number(name, parts, 1, MOST_PARTS)?;
                cut(&lettered(ICOSAHEDRON_FACES), parts)
            }
            _ => {
                let reason = format!("no field has the name {name:?}; there is {NAMES}");
                return Err(FieldError::new("field", reason));
            }
        },
    };
    Field::new(&faces)
}

/// The number in a name, from `least` to `most`.
fn number(name: &str, text: &str, least: usize, most: usize) -> Result<usize, FieldError> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    text.parse().ok().filter(|number| plain && (least..=most).contains(number)).ok_or_else(|| {
        let family = name.rsplit_once('-').map_or(name, |(family, _)| family);
        let reason = format!(
            "{name:?}; {family}-N has a whole number from {least} to {most}, which makes at most {MOST_FACES} faces"
        );
        FieldError::new("field", reason)
    })
}

/// Faces whose vertices are single letters.
fn lettered(faces: &str) -> Vec<Vec<String>> {
    faces.split(' ').map(|face| face.chars().map(String::from).collect()).collect()
}

/// The faces of a bipyramid in the order of the lemma: those around P, then those around Q.
fn bipyramid(n: usize) -> Vec<Vec<String>> {
    let around = |i: usize| format!("Z{}", i % n + 1);
    let above = (0..n).map(|i| vec!["P".to_owned(), around(i), around(i + 1)]);
    let below = (0..n).map(|i| vec!["Q".to_owned(), around(i + 1), around(i)]);
    above.chain(below).collect()
}

/// Cuts every face into `parts`² triangles, which are numbered face after face, row by row from corner 0 of the face.
///
/// A vertex keeps its name. A point on an edge is named by the ends of the edge, in the order of the alphabet, and its steps
/// from the first one; a point within a face by the corners of the face and its steps towards the second and the third one.
fn cut(faces: &[Vec<String>], parts: usize) -> Vec<Vec<String>> {
    let mut small = Vec::with_capacity(faces.len() * parts * parts);
    for face in faces {
        // The point `along` places further in a row than the edge from corner 0 to corner 1, the rows counted from corner 0.
        let point = |row: usize, along: usize| point_name(face, [parts - row, row - along, along]);
        for row in 0..parts {
            for along in 0..=row {
                small.push(vec![point(row, along), point(row + 1, along), point(row + 1, along + 1)]);
                if along < row {
                    small.push(vec![point(row, along), point(row + 1, along + 1), point(row, along + 1)]);
                }
            }
        }
    }
    small
}

/// The name of a point of a face: its steps away from the sides opposite to the corners 0, 1, 2.
fn point_name(face: &[String], steps: [usize; 3]) -> String {
    let corners: Vec<usize> = (0..3).filter(|&corner| steps[corner] > 0).collect();
    match *corners.as_slice() {
        [corner] => face[corner].clone(),
        [a, b] => {
            let (first, second) = if face[a] < face[b] { (a, b) } else { (b, a) };
            format!("{}{}{}", face[first], face[second], steps[second])
        }
        _ => format!("{}{}-{}", face.concat(), steps[1], steps[2]),
    }
}
