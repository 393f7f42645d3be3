//! All short cycles of a board.

use puzzle::tantrix::Board;

use crate::error::ModelError;

/// Most edges that the cycles forbidden in advance may have together, each a literal of a clause. Nothing interrupts a
/// worker while it builds a model: so many take a second or two, and in a solver up to two gigabytes.
const MOST_EDGES: usize = 20_000_000;

/// Cycles of 3, 4, 5, ... places for each place of the whole plane: self-avoiding polygons of the triangular lattice.
const FOR_EACH_PLACE: [usize; 10] = [2, 3, 6, 15, 42, 123, 380, 1_212, 3_966, 13_265];

/// How many edges all cycles of 3 to `longest` places of a board have together, at most; on large boards nearly as many.
pub(super) fn most_edges(board: &Board, longest: usize) -> usize {
    let for_each: usize = (3..=longest).zip(FOR_EACH_PLACE).map(|(length, cycles)| length * cycles).sum();
    board.len().saturating_mul(for_each)
}

/// Whether cycles of up to `longest` places are few enough to be forbidden in advance.
/// Errors: they are not; it says which are.
pub(crate) fn check_cycles(board: &Board, longest: usize) -> Result<(), ModelError> {
    if most_edges(board, longest) <= MOST_EDGES {
        return Ok(());
    }
    let shorter = match (3..longest).rev().find(|&shorter| most_edges(board, shorter) <= MOST_EDGES) {
        Some(shorter) => format!("short-loops = {shorter} or less"),
        None => "short-loops = 0".to_owned(),
    };
    Err(ModelError::Impossible(format!(
        "loops of up to {longest} places on a board of {} make more than {MOST_EDGES} literals, which is the most there may \
         be here; choose {shorter}",
        board.len()
    )))
}

/// Calls `found` with every cycle of 3 to `longest` places of a board, each once: as its places in order, the one with
/// the least number first and the lesser of its two neighbours next.
///
/// Places of a cycle may touch without being joined.
pub(crate) fn cycles(board: &Board, longest: usize, found: &mut dyn FnMut(&[usize])) {
    let mut search = Search { board, longest, course: Vec::new(), passed: vec![false; board.len() + 1], found };
    for start in board.numbers() {
        search.from(start);
    }
}

struct Search<'a> {
    board: &'a Board,
    longest: usize,
    course: Vec<usize>,
    passed: Vec<bool>,
    found: &'a mut dyn FnMut(&[usize]),
}

impl Search<'_> {
    /// Goes on to a place and from there.
    fn from(&mut self, place: usize) {
        self.course.push(place);
        self.passed[place] = true;
        self.close(place);
        let (board, start, left) = (self.board, self.course[0], self.longest.saturating_sub(self.course.len()));
        let home = board.at(start);
        for (_, next) in board.inner_edges(place) {
            // Each step comes nearer to the start by at most one place.
            if next > start && !self.passed[next] && home.distance(board.at(next)) as usize <= left {
                self.from(next);
            }
        }
        self.passed[place] = false;
        self.course.pop();
    }

    fn close(&mut self, place: usize) {
        let [start, second, .., last] = self.course[..] else { return };
        if second < last && self.board.inner_edges(place).any(|(_, next)| next == start) {
            (self.found)(&self.course);
        }
    }
}

#[cfg(test)]
mod tests {
    use puzzle::tantrix::{BoardType, Numbering};

    use super::*;

    /// On a hexagon large enough the cycles around each place more, of those that the rim does not reach, settle.
    #[test]
    fn boards_have_nearly_as_many_cycles_as_the_plane_and_never_more() {
        let board = |size| Board::new(&BoardType::A.places(size, Numbering::Rings).expect("a size")).expect("a board");
        // Cycles within hexagons of r rings are a polynomial of degree 2 in r once r is large enough, and its leading
        // coefficient is 3 for each cycle of the plane: second differences are 6.
        for (length, expected) in (3..=8).zip(FOR_EACH_PLACE) {
            let counts: Vec<isize> = [127, 169, 217]
                .map(|size| {
                    let mut count = 0;
                    cycles(&board(size), length, &mut |course| count += isize::from(course.len() == length));
                    count
                })
                .to_vec();
            assert_eq!(counts[2] - 2 * counts[1] + counts[0], 6 * expected as isize, "{length}");
            assert!(counts.iter().zip([127, 169, 217]).all(|(&count, size)| count <= size * expected as isize));
        }
        assert_eq!(most_edges(&board(19), 4), 19 * (3 * 2 + 4 * 3));
        assert_eq!(most_edges(&board(19), 0), 0);
    }
}
