//! Short cycles of places, each of which touches the next.

use puzzle::tantrix::Board;

/// Every cycle of 3 to `longest` places of a board, once: from its place of least number, in the direction of the lesser of
/// its two neighbours. Places of a cycle may touch without following each other.
pub(crate) fn cycles(board: &Board, longest: usize) -> impl Iterator<Item = Vec<usize>> + '_ {
    board.numbers().flat_map(move |start| {
        let mut found = Vec::new();
        if longest >= 3 {
            extend(board, longest, &mut vec![start], &mut found);
        }
        found
    })
}

/// Extends a path by every place that comes later than its first, and keeps it where it can be closed.
fn extend(board: &Board, longest: usize, path: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    let (start, end) = (path[0], path[path.len() - 1]);
    for (_, next) in board.inner_edges(end) {
        if next == start && path.len() >= 3 && path[1] < end {
            found.push(path.clone());
        }
        // A path of as many places as there may be can only be closed; one that is too far from its start cannot.
        let steps_left = longest - path.len();
        if next > start && within(board, next, start, steps_left) && !path.contains(&next) {
            path.push(next);
            extend(board, longest, path, found);
            path.pop();
        }
    }
}

fn within(board: &Board, a: usize, b: usize, steps: usize) -> bool {
    usize::try_from(board.at(a).distance(board.at(b))).is_ok_and(|distance| distance <= steps)
}

#[cfg(test)]
mod tests {
    use puzzle::tantrix::{BoardType, Numbering};

    use super::*;

    fn hexagon(size: usize) -> Board {
        Board::new(&BoardType::A.places(size, Numbering::Rings).expect("a size that there is")).expect("a board")
    }

    #[test]
    fn the_cycles_of_seven_places_are_counted() {
        // A wheel: the rim of 6, and for each stretch of 1 to 5 spokes' gaps one cycle through the middle.
        let lengths: Vec<usize> = (3..=7).map(|k| cycles(&hexagon(7), 7).filter(|c| c.len() == k).count()).collect();
        assert_eq!(lengths, [6, 6, 6, 7, 6]);
    }

    #[test]
    fn cycles_are_of_touching_places_each_once_and_of_no_other_length() {
        let board = hexagon(19);
        let mut seen = std::collections::HashSet::new();
        for cycle in cycles(&board, 6) {
            assert!((3..=6).contains(&cycle.len()));
            let mut edges: Vec<(usize, usize)> = (0..cycle.len())
                .map(|i| (cycle[i], cycle[(i + 1) % cycle.len()]))
                .map(|(a, b)| (a.min(b), a.max(b)))
                .collect();
            assert!(edges.iter().all(|&(a, b)| board.inner_edges(a).any(|(_, next)| next == b)));
            edges.sort_unstable();
            assert!(seen.insert(edges));
        }
        assert_eq!(cycles(&board, 2).count(), 0);
    }
}
