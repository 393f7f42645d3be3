//! Bipyramids: a line of rhombi, each made of the two faces at a side of the base.

use super::Net;
use crate::soku::Field;

/// Bipyramids over fewer sides have better nets.
const LEAST_SIDES: usize = 5;

/// Rhombi that always stand in one line.
const IN_LINE: usize = 12;

/// The net of a bipyramid; `None` of any other field.
pub fn of(field: &Field) -> Option<Net> {
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
    laid.into_iter().all(|is_laid| is_laid).then_some(Net { corners })
}

/// In how many lines the rhombi stand: one if they are few, else so many that the picture is about twice as wide as high.
fn lines(sides: usize) -> usize {
    // A line of rhombi with the room below it is 3 rows of triangles high, some 2.6 sides.
    let in_line = (5 * sides).isqrt().max(IN_LINE);
    sides.div_ceil(in_line)
}
