//! Playing fields that have a name.

use super::Field;

/// The name of the field of IcoSoKu.
pub const ICOSAHEDRON: &str = "icosahedron";

/// The faces of the tetrahedron, named as by Rizzo (section 2.1).
const TETRAHEDRON: &str = "ABC ACD ADB BDC";

/// The faces of the octahedron: A above, F below, B to E around them.
const OCTAHEDRON: &str = "ABC ACD ADE AEB CBF DCF EDF BEF";

/// The faces of the icosahedron, named and ordered as by Rizzo (listing 1).
const ICOSAHEDRON_FACES: &str = "ABC ACD ADE AEF AFB BFK BKG BGC CGH CHD DIE DHI EIJ EJF FJK GKL GLH HLI ILJ JLK";

/// The names that [`named`] knows, as listings show them.
#[must_use]
pub fn names() -> Vec<&'static str> {
    vec!["tetrahedron", "octahedron", ICOSAHEDRON]
}

/// The field of a name.
#[must_use]
pub fn named(name: &str) -> Option<Field> {
    let faces = match name {
        "tetrahedron" => TETRAHEDRON,
        "octahedron" => OCTAHEDRON,
        ICOSAHEDRON => ICOSAHEDRON_FACES,
        _ => return None,
    };
    let corners = |face: &str| face.chars().map(String::from).collect();
    Field::new(&faces.split(' ').map(corners).collect::<Vec<_>>()).ok()
}
