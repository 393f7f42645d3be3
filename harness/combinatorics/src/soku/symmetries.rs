//! Symmetries of fields: rotations and reflections that lay a field onto itself.

use std::collections::{HashMap, HashSet};

use puzzle::soku::{Field, least_rotation};

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
    /// Panics: another number of faces.
    pub fn image(&self, shown: &[[u32; 3]]) -> Vec<[u32; 3]> {
        let of = |(&face, corners): (&usize, &[usize; 3])| corners.map(|corner| shown[face][corner]);
        self.faces.iter().zip(&self.corners).map(of).collect()
    }

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

/// The symmetries of a field that is a closed surface in one piece: every edge has exactly two faces, which run
/// along it in opposite directions, and from every face there is a way to every other across edges. `None` for other fields, and for those of
/// less than four faces.
///
/// Rotations come first, the one that changes nothing among them, then reflections, both in lexicographic order of
/// [`Symmetry::vertices`]: 60 and 60 for the icosahedron. A symmetry of such a field is known by where it takes one face, so there
/// are at most three of each for a face. Takes time with the square of the number of faces, where the field has many symmetries.
pub fn symmetries(field: &Field) -> Option<Vec<Symmetry>> {
    let surface = Surface::new(field)?;
    let all = |is_mirrored: bool| {
        let images = field.faces().iter().flat_map(|&[a, b, c]| [[a, b, c], [b, c, a], [c, a, b]]);
        let images = images.map(|[a, b, c]| if is_mirrored { [a, c, b] } else { [a, b, c] });
        let mut maps: Vec<_> = images.filter_map(|image| surface.symmetry(image, is_mirrored)).collect();
        maps.sort_unstable();
        maps.into_iter().map(move |vertices| Symmetry::of(field, vertices, is_mirrored))
    };
    all(false).chain(all(true)).collect()
}

/// A closed surface: its faces, and what lies beside each edge.
struct Surface<'a> {
    field: &'a Field,
    /// Of each edge, in the direction of its face: the third corner of that face.
    beside: HashMap<(usize, usize), usize>,
    /// Faces (their corners) in an order in which each shares its first edge, reversed, with an earlier one.
    order: Vec<[usize; 3]>,
}

impl<'a> Surface<'a> {
    fn new(field: &'a Field) -> Option<Self> {
        let mut beside = HashMap::new();
        for &[a, b, c] in field.faces() {
            for (edge, third) in [((a, b), c), ((b, c), a), ((c, a), b)] {
                if beside.insert(edge, third).is_some() {
                    return None;
                }
            }
        }
        if !beside.keys().all(|&(a, b)| beside.contains_key(&(b, a))) {
            return None;
        }
        // Faces are told by their vertices, which two alone may share.
        if field.faces().len() < 4 {
            return None;
        }
        let first = *field.faces().first()?;
        let mut order = vec![first];
        let mut seen = HashSet::from([least_rotation(first)]);
        let mut next = 0;
        while let Some(&[a, b, c]) = order.get(next) {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let other = [to, from, *beside.get(&(to, from))?];
                if seen.insert(least_rotation(other)) {
                    order.push(other);
                }
            }
            next += 1;
        }
        (order.len() == field.faces().len()).then_some(Self { field, beside, order })
    }

    fn symmetry(&self, image: [usize; 3], mirrored: bool) -> Option<Vec<usize>> {
        const NOWHERE: usize = usize::MAX;
        let mut map = vec![NOWHERE; self.field.vertices().len()];
        for (&corner, to) in self.order[0].iter().zip(image) {
            map[corner] = to;
        }
        for &[a, b, c] in &self.order[1..] {
            let (from, to) = (map[a], map[b]);
            let edge = if mirrored { (to, from) } else { (from, to) };
            let third = *self.beside.get(&edge)?;
            if map[c] == NOWHERE {
                map[c] = third;
            } else if map[c] != third {
                return None;
            }
        }
        let mut reached = vec![false; map.len()];
        let one_to_one = map.iter().all(|&to| to != NOWHERE && !std::mem::replace(&mut reached[to], true));
        one_to_one.then_some(map)
    }
}
