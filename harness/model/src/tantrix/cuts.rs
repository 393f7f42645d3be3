//! Cuts that separate subloops (Kino & Uno 2012, section 4.4).

use std::collections::{BTreeSet, HashSet};

use puzzle::Cut;
use puzzle::hex::{holes, opposite};
use puzzle::tantrix::{Arrangement, Board, Colour};

use crate::formulation::keys::CutChoice;

/// A cut against subloops: a part of the board and its border.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopCut {
    /// Places of the part: those of a subloop, perhaps with what it encloses. Fewer than the tiles of the challenge.
    pub part: Vec<usize>,
    /// The edges that lead out of the part.
    pub cut: Cut,
}

/// The cuts to draw when a solution of a challenge shows these loops; none when there is one loop only.
///
/// A cut is seen from inside: its edges (j, l) belong to places j of the part it borders. On a board that the tiles
/// fill, two parts that complement each other have one border, which is drawn once.
pub fn cuts_against(board: &Board, challenge: usize, loops: &[Vec<usize>], choice: CutChoice) -> Vec<LoopCut> {
    if loops.len() < 2 {
        return Vec::new();
    }
    let parts: Vec<BTreeSet<usize>> = match choice {
        CutChoice::Each | CutChoice::Loop => loops.iter().map(|l| l.iter().copied().collect()).collect(),
        CutChoice::Smallest => {
            loops.iter().min_by_key(|l| l.len()).map(|l| l.iter().copied().collect()).into_iter().collect()
        }
        CutChoice::Region => loops.iter().map(|l| with_inside(board, challenge, l)).collect(),
    };
    let mut seen = HashSet::new();
    parts
        .into_iter()
        .map(|part| LoopCut { cut: border(board, &part), part: part.into_iter().collect() })
        .filter(|cut| !cut.cut.is_empty())
        // Where places may be empty, what a border demands depends on the side.
        .filter(|cut| board.len() > challenge || seen.insert(undirected(board, &cut.cut)))
        .collect()
}

/// How many designated lines cross a cut in an arrangement.
pub fn crossings(arrangement: &Arrangement, colour: Colour, cut: &Cut) -> usize {
    cut.iter().filter(|&&(place, edge)| arrangement.colour(place, edge) == Some(colour)).count()
}

/// The edges of a loop through these places in order.
pub(super) fn edges_of(board: &Board, course: &[usize]) -> Cut {
    let next = course.iter().copied().cycle().skip(1);
    let edge = |(&here, there): (&usize, usize)| {
        let (l, _) = board.inner_edges(here).find(|&(_, next)| next == there)?;
        Some((here, l))
    };
    course.iter().zip(next).filter_map(edge).collect()
}

/// Edges (j, l) that lead from a place of the part to a place of the board outside of it.
fn border(board: &Board, part: &BTreeSet<usize>) -> Cut {
    part.iter()
        .flat_map(|&j| board.inner_edges(j).map(move |(l, next)| (j, l, next)))
        .filter(|(_, _, next)| !part.contains(next))
        .map(|(j, l, _)| (j, l))
        .collect()
}

/// A part with all places that it encloses; the part alone if that could hold all tiles.
fn with_inside(board: &Board, challenge: usize, part: &[usize]) -> BTreeSet<usize> {
    let own: BTreeSet<usize> = part.iter().copied().collect();
    let filled: HashSet<_> = part.iter().map(|&j| board.at(j)).collect();
    let inside: HashSet<_> = holes(&filled).into_iter().flatten().collect();
    let all: BTreeSet<usize> = board.numbers().filter(|&j| own.contains(&j) || inside.contains(&board.at(j))).collect();
    if all.len() >= challenge { own } else { all }
}

/// Some edges as a set of lattice edges, whichever side it is seen from.
pub(super) fn undirected(board: &Board, cut: &Cut) -> BTreeSet<(usize, usize)> {
    cut.iter()
        .map(|&(j, l)| match board.neighbour(j, l) {
            Some(next) if next < j => (next, opposite(l)),
            _ => (j, l),
        })
        .collect()
}
