//! Playing fields that have a name.

use super::{Field, geodesic};
use crate::FieldError;

/// The name of the field of IcoSoKu.
pub const ICOSAHEDRON: &str = "icosahedron";

/// Most faces of a field that is called by its name.
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

/// The names that [`named`] knows, as listings show them.
#[must_use]
pub fn names() -> Vec<&'static str> {
    vec!["tetrahedron", "octahedron", ICOSAHEDRON, "bipyramid-N (N from 3)", "geodesic-V (V from 1)"]
}

/// The field of a name.
///
/// - `tetrahedron`, `octahedron`, `icosahedron`: vertices A, B, C, ...
/// - `bipyramid-N`: two pyramids over a polygon of N corners, base to base (Rizzo, lemma 1): 2N faces. The apices are P above
///   (A' in the lemma) and Q below (A \ A'), Z1 to ZN lie around them.
/// - `geodesic-V`: every face of the icosahedron cut into V² triangles: 20 V² faces. The vertices of the icosahedron keep their
///   letters; AB1 lies one step from A on the edge to B, and ABC1-2 one step towards B and two towards C from corner A
///   of the face ABC.
///
/// # Errors
/// A name that nobody knows, a number that is too small, or one that makes more than [`MOST_FACES`] faces.
pub fn named(name: &str) -> Result<Field, FieldError> {
    let faces = match name {
        "tetrahedron" => lettered(TETRAHEDRON),
        "octahedron" => lettered(OCTAHEDRON),
        ICOSAHEDRON => lettered(ICOSAHEDRON_FACES),
        other => match other.rsplit_once('-') {
            Some(("bipyramid", n)) => bipyramid(number(name, n, 3, MOST_AROUND)?),
            Some(("geodesic", parts)) => {
                let parts = number(name, parts, 1, MOST_PARTS)?;
                geodesic::faces(&lettered(ICOSAHEDRON_FACES), parts)
            }
            _ => {
                let reason = format!("no field has the name {name:?}; there is {}", names().join(", "));
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
