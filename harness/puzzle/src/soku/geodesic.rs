//! Faces cut into smaller triangles.

/// Cuts every face into `parts`² triangles, which are numbered face after face, row by row from corner 0 of the face.
///
/// A vertex keeps its name. A point on an edge is named by the ends of the edge, in the order of the alphabet, and its steps
/// from the first one; a point within a face by the corners of the face and its steps towards the second and the third one.
pub(super) fn faces(faces: &[Vec<String>], parts: usize) -> Vec<Vec<String>> {
    let mut cut = Vec::with_capacity(faces.len() * parts * parts);
    for face in faces {
        // The point `along` places further in a row than the edge from corner 0 to corner 1, the rows counted from corner 0.
        let point = |row: usize, along: usize| name(face, [parts - row, row - along, along]);
        for row in 0..parts {
            for along in 0..=row {
                cut.push(vec![point(row, along), point(row + 1, along), point(row + 1, along + 1)]);
                if along < row {
                    cut.push(vec![point(row, along), point(row + 1, along + 1), point(row, along + 1)]);
                }
            }
        }
    }
    cut
}

/// The name of a point of a face: its steps away from the sides opposite to the corners 0, 1, 2.
fn name(face: &[String], steps: [usize; 3]) -> String {
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
