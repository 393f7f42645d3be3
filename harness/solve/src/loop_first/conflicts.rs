//! Designated lines that no tiles can have together, whatever else lies on the board.

use std::collections::{BTreeMap, BTreeSet};

use puzzle::hex::{EDGES, opposite};
use puzzle::tantrix::{BoardTantrix, Line, Tile};

/// Some places of a board and the designated line on each, by place.
pub(super) type Laid = Vec<(usize, Line)>;

/// What may lie on a place: tiles in orientations, and the places whose lines leave no others.
struct Choice<'a> {
    tiles: Vec<(&'a Tile, usize)>,
    because: BTreeSet<usize>,
}

/// Smallest conflicts among lines, if tiles and touching edges show some (arc consistency, Mackworth 1977): sets of which no line can
/// be left out. No place has a line in two ways.
pub(super) fn conflicts(puzzle: &BoardTantrix, lines: &Laid) -> Vec<Laid> {
    let among = |places: &BTreeSet<usize>| -> Laid {
        lines.iter().filter(|(place, _)| places.contains(place)).copied().collect()
    };
    let smallest = |mut conflict: BTreeSet<usize>| {
        for place in conflict.clone() {
            let mut fewer = conflict.clone();
            fewer.remove(&place);
            if let Some(smaller) = refuted(puzzle, &among(&fewer)).into_iter().next() {
                conflict = smaller;
            }
        }
        among(&conflict)
    };
    refuted(puzzle, lines).into_iter().map(smallest).collect()
}

/// The places of conflicts. A place on which nothing may lie any more is left out from there on, so that others are found too.
fn refuted(puzzle: &BoardTantrix, lines: &Laid) -> Vec<BTreeSet<usize>> {
    let with = |line: Line| {
        let turned = puzzle.tiles.sorts.iter().flat_map(|sort| EDGES.map(|orientation| (&sort.tile, orientation)));
        turned.filter(|(tile, k)| tile.line(*k, puzzle.colour) == Some(line)).collect()
    };
    let choice =
        |&(place, line): &(usize, Line)| (place, Choice { tiles: with(line), because: BTreeSet::from([place]) });
    let mut choices: BTreeMap<usize, Choice<'_>> = lines.iter().map(choice).collect();
    let mut changed: BTreeSet<usize> = choices.keys().copied().collect();
    // A line that no tile has.
    let mut found: Vec<BTreeSet<usize>> =
        choices.extract_if(.., |_, choice| choice.tiles.is_empty()).map(|(_, choice)| choice.because).collect();
    while let Some(place) = changed.pop_first() {
        let Some(here) = choices.remove(&place) else { continue };
        for (edge, next) in puzzle.board.inner_edges(place) {
            let Some(mut there) = choices.remove(&next) else { continue };
            let shows = |colour| here.tiles.iter().any(|(tile, k)| tile.colour(*k, edge) == colour);
            let before = there.tiles.len();
            there.tiles.retain(|(tile, k)| shows(tile.colour(*k, opposite(edge))));
            if there.tiles.len() < before {
                there.because.extend(&here.because);
                changed.insert(next);
            }
            if there.tiles.is_empty() {
                found.push(there.because);
            } else {
                choices.insert(next, there);
            }
        }
        choices.insert(place, here);
    }
    found
}

/// The same lines wherever they fit on the board, turned in all six ways.
pub(super) fn everywhere(puzzle: &BoardTantrix, lines: &Laid) -> Vec<Laid> {
    let board = &puzzle.board;
    let mut images = Vec::new();
    let Some(&(first, _)) = lines.first() else { return images };
    for steps in 0..6 {
        let origin = board.at(first).turned(steps);
        for to in board.places() {
            let by = (to.q - origin.q, to.r - origin.r);
            let moved = |&(place, line): &(usize, Line)| {
                let place = board.number(board.at(place).turned(steps).moved(by))?;
                let [a, b] = [line.edges.0, line.edges.1].map(|edge| (edge + steps - 1) % 6 + 1);
                Some((place, Line { edges: (a.min(b), a.max(b)) }))
            };
            if let Some(mut image) = lines.iter().map(moved).collect::<Option<Laid>>() {
                image.sort_unstable_by_key(|(place, _)| *place);
                images.push(image);
            }
        }
    }
    images
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use puzzle::{Instance, Puzzle, Solution};

    use super::*;

    /// A board with the lines of its stored solution.
    fn stored(name: &str) -> (BoardTantrix, Laid) {
        let file = format!("{}/../../instances/tantrix/fixed/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let instance = Instance::load(Path::new(&file)).expect("an instance");
        let solution = Solution::load(Path::new(&file.replace(".toml", ".solution.json"))).expect("a solution");
        let Puzzle::TantrixFixed(board) = instance.puzzle else { panic!("a fixed board") };
        let lines = board.lines_of(&solution.placements);
        (board, lines)
    }

    /// Whether tiles with these lines can lie together so that touching edges match.
    fn fit(puzzle: &BoardTantrix, lines: &[(usize, Line)], laid: &mut Vec<(usize, Tile, usize)>) -> bool {
        let Some((&(place, line), rest)) = lines.split_first() else { return true };
        for (tile, k) in puzzle.tiles.sorts.iter().flat_map(|sort| EDGES.map(|k| (sort.tile, k))) {
            let matches = puzzle.board.inner_edges(place).all(|(edge, next)| {
                let there = laid.iter().find(|(other, _, _)| *other == next);
                there.is_none_or(|(_, other, turned)| other.colour(*turned, opposite(edge)) == tile.colour(k, edge))
            });
            if matches && tile.line(k, puzzle.colour) == Some(line) {
                laid.push((place, tile, k));
                if fit(puzzle, rest, laid) {
                    return true;
                }
                laid.pop();
            }
        }
        false
    }

    #[test]
    fn lines_of_solutions_have_no_conflict() {
        for name in ["n10-spur", "n20-round", "n60-spur", "n100-round"] {
            let (board, lines) = stored(name);
            assert_eq!(conflicts(&board, &lines), Vec::<Laid>::new(), "{name}");
        }
    }

    /// Without some of the tiles there are many.
    #[test]
    fn conflicts_are_smallest_sets_of_lines_that_no_tiles_have_together_anywhere() {
        let (mut sizes, mut turned_in_six_ways) = (BTreeSet::new(), false);
        for (name, without) in [("n20-round", 1), ("n60-spur", 1), ("n60-spur", 4), ("n60-spur", 6), ("n60-spur", 9)] {
            let (mut board, lines) = stored(name);
            let left_out = [without, without % 10 + 1, (without + 6) % 10 + 1];
            board.tiles.sorts.retain(|sort| !left_out.contains(&sort.tile.number));
            for conflict in conflicts(&board, &lines) {
                assert!(!fit(&board, &conflict, &mut Vec::new()), "{name}: {conflict:?}");
                for without in 0..conflict.len() {
                    let mut fewer = conflict.clone();
                    fewer.remove(without);
                    assert_eq!(conflicts(&board, &fewer), Vec::<Laid>::new(), "{name}: {conflict:?}");
                }
                let images = everywhere(&board, &conflict);
                assert!(images.contains(&conflict));
                assert!(images.iter().all(|image| !fit(&board, image, &mut Vec::new())), "{name}");
                // Lines that go on from place to place do so in each image.
                let joins = |laid: &Laid| {
                    let line = |place| laid.iter().find(|(other, _)| *other == place).map(|(_, line)| line.edges);
                    let shows = |(a, b): (usize, usize), edge| a == edge || b == edge;
                    let pairs = laid.iter().flat_map(|&(place, line)| {
                        board.board.inner_edges(place).map(move |(edge, next)| (line.edges, edge, next))
                    });
                    let agree = |(own, edge, next)| {
                        line(next).is_none_or(|other| shows(own, edge) == shows(other, opposite(edge)))
                    };
                    pairs.map(agree).collect::<Vec<_>>().into_iter().all(|agree| agree)
                };
                assert!(images.iter().all(joins), "{name}: {conflict:?}");
                turned_in_six_ways |=
                    images.iter().filter(|image| image.iter().any(|l| conflict.contains(l))).count() > 5;
                sizes.insert(conflict.len());
            }
        }
        assert!(sizes.len() > 1 && turned_in_six_ways, "{sizes:?}");
    }
}
