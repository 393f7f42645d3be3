//! Symmetries of fields.

use std::collections::HashMap;

use puzzle::soku::Field;

/// The symmetries of a field: permutations of its vertices (vertex v goes to `[v]`), in lexicographic order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symmetries {
    /// Those that turn faces into faces, corners clockwise; the identity is one.
    pub rotations: Vec<Vec<usize>>,
    /// Those that turn faces into faces seen in a mirror.
    pub reflections: Vec<Vec<usize>>,
}

/// The symmetries of a field that is a closed surface in one piece: every edge has exactly two faces, which run
/// along it in opposite directions, and from every face there is a way to every other across edges. `None` for other fields.
///
/// A symmetry of such a field is known by where it takes one face, so there are at most three rotations and three reflections
/// for each face. Takes time with the square of the number of faces, where the field has many symmetries.
#[must_use]
pub fn symmetries(field: &Field) -> Option<Symmetries> {
    let surface = Surface::new(field)?;
    let all = |mirrored: bool| {
        let images = field.faces().iter().flat_map(|&[a, b, c]| [[a, b, c], [b, c, a], [c, a, b]]);
        let images = images.map(|[a, b, c]| if mirrored { [a, c, b] } else { [a, b, c] });
        let mut maps: Vec<_> = images.filter_map(|image| surface.symmetry(image, mirrored)).collect();
        maps.sort_unstable();
        maps
    };
    Some(Symmetries { rotations: all(false), reflections: all(true) })
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
        let first = *field.faces().first()?;
        let mut order = vec![first];
        let mut seen = std::collections::HashSet::from([from_least(first)]);
        let mut next = 0;
        while let Some(&[a, b, c]) = order.get(next) {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let other = [to, from, *beside.get(&(to, from))?];
                if seen.insert(from_least(other)) {
                    order.push(other);
                }
            }
            next += 1;
        }
        (order.len() == field.faces().len()).then_some(Self { field, beside, order })
    }

    /// The symmetry that takes the corners of the first face there, if there is one.
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

/// The same cycle of corners, beginning with its least vertex.
fn from_least([a, b, c]: [usize; 3]) -> [usize; 3] {
    [[a, b, c], [b, c, a], [c, a, b]].into_iter().min().unwrap_or([a, b, c])
}
