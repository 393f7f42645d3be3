//! All short cycles of a board.

use puzzle::tantrix::Board;

/// Calls `found` with every cycle of 3 to `longest` places of a board, each once: as its places in order, the one with
/// the least number first and the lesser of its two neighbours next. Ends early once `found` returns false.
///
/// Places of a cycle may touch without being joined.
pub(crate) fn cycles(board: &Board, longest: usize, found: &mut dyn FnMut(&[usize]) -> bool) {
    let mut search = Search { board, longest, course: Vec::new(), passed: vec![false; board.len() + 1], found };
    for start in board.numbers() {
        if !search.from(start) {
            return;
        }
    }
}

struct Search<'a> {
    board: &'a Board,
    longest: usize,
    course: Vec<usize>,
    passed: Vec<bool>,
    found: &'a mut dyn FnMut(&[usize]) -> bool,
}

impl Search<'_> {
    /// Goes on to a place and from there; false to end the search.
    fn from(&mut self, place: usize) -> bool {
        self.course.push(place);
        self.passed[place] = true;
        let go_on = self.close(place) && self.onwards(place);
        self.passed[place] = false;
        self.course.pop();
        go_on
    }

    fn close(&mut self, place: usize) -> bool {
        let [start, second, .., last] = self.course[..] else { return true };
        let closed = second < last && self.board.inner_edges(place).any(|(_, next)| next == start);
        !closed || (self.found)(&self.course)
    }

    fn onwards(&mut self, place: usize) -> bool {
        let (board, start, left) = (self.board, self.course[0], self.longest.saturating_sub(self.course.len()));
        let home = board.at(start);
        board
            .inner_edges(place)
            // Each step comes nearer to the start by at most one place.
            .filter(|&(_, next)| next > start && home.distance(board.at(next)) as usize <= left)
            .all(|(_, next)| self.passed[next] || self.from(next))
    }
}
