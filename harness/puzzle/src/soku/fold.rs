//! Nets that fold up: that of the icosahedron.

use std::collections::HashMap;

use super::field::Field;
use super::unfold::{Net, beyond};

/// By how much faces of the icosahedron that share an edge are bent out of one plane, in radians: the cosine of the angle within is
/// -√5/3.
pub fn bend() -> f64 {
    (5.0_f64.sqrt() / 3.0).acos()
}

/// The face, by its index, on which each face of a net hangs when it is folded up: a neighbour in the net, nearer to the one in
/// the middle, which hangs on none. `None` where the field is no icosahedron, whatever it is called.
pub fn hinges(field: &Field, net: &Net) -> Option<Vec<Option<usize>>> {
    if !is_like_icosahedron(field) {
        return None;
    }
    let edges = net.faces().enumerate().flat_map(|(face, [a, b, c])| [(a, b), (b, c), (c, a)].map(|edge| (edge, face)));
    let edges: HashMap<_, _> = edges.collect();
    let first = middle(net)?;
    let mut hangs_on = vec![None; field.faces().len()];
    let mut reached = vec![first];
    let mut next = 0;
    while let Some(&face) = reached.get(next) {
        next += 1;
        let [a, b, c] = net.corners(face);
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
fn middle(net: &Net) -> Option<usize> {
    // Three times the centre of each face.
    let centres: Vec<_> = net.faces().map(|[a, b, c]| (a.0 + b.0 + c.0, a.1 + b.1 + c.1)).collect();
    let count = i32::try_from(centres.len()).ok()?;
    let all = centres.iter().fold((0, 0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
    let off = |&face: &usize| {
        let (across, down) = (count * centres[face].0 - all.0, count * centres[face].1 - all.1);
        across * across + across * down + down * down
    };
    (0..centres.len()).min_by_key(off)
}
