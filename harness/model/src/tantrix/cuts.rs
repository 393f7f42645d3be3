//! What a solution shows that is to be cut off, subloops (Kino & Uno 2012, section 4.4) and holes, and what was cut off before it: the
//! same for models of every form.

use std::collections::{BTreeSet, HashSet};

use puzzle::hex::{Axial, holes, opposite};
use puzzle::tantrix::{Arrangement, Board, BoardTantrix, Colour, trace};
use puzzle::{Cut, Placement};

use crate::formulation::keys::{CutChoice, Holes};
use crate::problem::Separation;

/// What is cut off, and what was.
pub(super) struct CutOff {
    /// Which cuts to add against subloops, if they are cut off between solves.
    choice: Option<CutChoice>,
    resolves_holes: bool,
    /// The shapes of loops that are forbidden wherever they lie.
    loops: HashSet<Vec<Axial>>,
    parts: Vec<LoopCut>,
    holes: Vec<HoleCut>,
}

/// What a model has to forbid next.
pub(crate) struct Found {
    /// Edges not all of which may be designated.
    pub loops: Vec<Vec<(usize, usize)>>,
    /// Parts whose borders have to be crossed if a tile lies in them.
    pub parts: Vec<LoopCut>,
    pub holes: Vec<HoleCut>,
    /// The same as the caller gets it.
    pub separation: Separation,
}

impl CutOff {
    pub fn new(choice: Option<CutChoice>, holes: Holes) -> Self {
        let resolves_holes = holes == Holes::Resolve;
        Self { choice, resolves_holes, loops: HashSet::new(), parts: Vec::new(), holes: Vec::new() }
    }

    pub fn separate(&mut self, puzzle: &BoardTantrix, placements: &[Placement]) -> Found {
        let board = &puzzle.board;
        let arrangement = Arrangement::new(board, &puzzle.tiles, placements);
        let courses = trace(board, &arrangement, puzzle.colour).loops;
        let filled = board.numbers().filter(|&j| arrangement.is_filled(j)).map(|j| board.at(j)).collect();
        let enclosed = holes(&filled);
        let cuts = self.choice.map_or_else(Vec::new, |choice| cuts_against(board, puzzle.challenge, &courses, choice));
        let holes = if self.resolves_holes { cuts_everywhere(board, &enclosed) } else { Vec::new() };
        let separation = Separation {
            loop_lengths: courses.iter().map(Vec::len).collect(),
            holes: enclosed.len(),
            cuts: cuts.iter().map(|cut| cut.cut.clone()).collect(),
            holes_cut_off: if self.resolves_holes { enclosed.len() } else { 0 },
        };
        let (loops, parts) = match self.choice {
            Some(CutChoice::Loop) if courses.len() > 1 => {
                let new = courses.iter().filter(|course| self.loops.insert(shape(board, course)));
                (new.flat_map(|course| everywhere(board, course)).collect(), Vec::new())
            }
            Some(CutChoice::Loop) => Default::default(),
            _ => (Vec::new(), cuts),
        };
        self.parts.extend_from_slice(&parts);
        self.holes.extend_from_slice(&holes);
        Found { loops, parts, holes, separation }
    }

    /// What forbids a solution, in words.
    pub fn forbids(&self, puzzle: &BoardTantrix, placements: &[Placement]) -> Option<String> {
        let (board, colour) = (&puzzle.board, puzzle.colour);
        let arrangement = Arrangement::new(board, &puzzle.tiles, placements);
        let labels = |places: &[usize]| -> Vec<usize> { places.iter().map(|&j| board.label(j)).collect() };
        if !self.loops.is_empty() {
            let courses = trace(board, &arrangement, colour).loops;
            if let Some(course) = courses.iter().find(|course| self.loops.contains(&shape(board, course))) {
                return Some(format!("the clauses against the loop through places {:?}", labels(course)));
            }
        }
        let filled: HashSet<usize> = board.numbers().filter(|&j| arrangement.is_filled(j)).collect();
        let uncrossed = |LoopCut { part, cut }: &&LoopCut| {
            crossings(&arrangement, colour, cut) < 2 && part.iter().any(|j| filled.contains(j))
        };
        if let Some(LoopCut { cut, .. }) = self.parts.iter().find(uncrossed) {
            let cut: Vec<_> = cut.iter().map(|&(j, l)| (board.label(j), l)).collect();
            return Some(format!("the cut {cut:?}"));
        }
        let hole = &self.holes.iter().find(|cut| cut.forbids(&filled))?.hole;
        Some(format!("the constraint against the hole at places {:?}", labels(hole)))
    }
}

/// The images of a loop that lie on the board, turned, mirrored and moved: each once, as its edges.
fn everywhere(board: &Board, course: &[usize]) -> Vec<Vec<(usize, usize)>> {
    let course: Vec<Axial> = course.iter().map(|&j| board.at(j)).collect();
    let images = symmetries(&course);
    let images =
        images.iter().flat_map(|image| board.places().iter().filter_map(move |&to| moved(board, image, image[0], to)));
    let mut seen = HashSet::new();
    images.map(|image| edges_of(board, &image)).filter(|edges| seen.insert(undirected(board, edges))).collect()
}

/// What the images of a loop have in common and no other loop has: of the middles of its edges, doubled and moved so that the
/// least lies at the origin, the first of the twelve images.
fn shape(board: &Board, course: &[usize]) -> Vec<Axial> {
    let course: Vec<Axial> = course.iter().map(|&j| board.at(j)).collect();
    let middles = |image: Vec<Axial>| {
        let next = image.iter().cycle().skip(1);
        to_origin(&image.iter().zip(next).map(|(a, b)| a.moved((b.q, b.r))).collect::<Vec<_>>())
    };
    symmetries(&course).into_iter().map(middles).min().unwrap_or_default()
}

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
fn undirected(board: &Board, cut: &Cut) -> BTreeSet<(usize, usize)> {
    cut.iter()
        .map(|&(j, l)| match board.neighbour(j, l) {
            Some(next) if next < j => (next, opposite(l)),
            _ => (j, l),
        })
        .collect()
}

/// A hole at one position of the board, by place numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HoleCut {
    /// The empty places.
    pub hole: Vec<usize>,
    /// All places beside them.
    pub ring: Vec<usize>,
}

impl HoleCut {
    /// Whether a solution that fills these places has this hole.
    pub fn forbids(&self, filled: &HashSet<usize>) -> bool {
        self.ring.iter().all(|j| filled.contains(j)) && !self.hole.iter().any(|j| filled.contains(j))
    }
}

/// The cuts against some holes wherever they can lie on the board, turned and mirrored in every way: no solution has
/// any of these, and a solver that is shown one only would come back with the next. Holes of one shape have the same
/// cuts.
fn cuts_everywhere(board: &Board, holes: &[Vec<Axial>]) -> Vec<HoleCut> {
    let mut seen = HashSet::new();
    let images = holes.iter().flat_map(|hole| symmetries(hole)).filter(|image| seen.insert(to_origin(image)));
    images.flat_map(|image| cuts_moved(board, &image)).collect()
}

/// The cuts against all holes of up to `most` places.
pub(super) fn small_holes(board: &Board, most: usize) -> Vec<HoleCut> {
    let mut cuts = Vec::new();
    // Only places with six neighbours on the board can be part of a hole; larger ones grow from smaller ones.
    let inner = |j: usize| board.inner_edges(j).count() == 6;
    let mut holes: BTreeSet<Vec<usize>> = board.numbers().filter(|&j| inner(j)).map(|j| vec![j]).collect();
    for size in 1..=most {
        let mut larger = BTreeSet::new();
        for hole in holes {
            let beside = hole.iter().flat_map(|&j| board.inner_edges(j).map(|(_, next)| next));
            let ring: BTreeSet<usize> = beside.filter(|next| !hole.contains(next)).collect();
            for &more in ring.iter().filter(|&&next| size < most && inner(next)) {
                let mut grown = hole.clone();
                grown.push(more);
                grown.sort_unstable();
                larger.insert(grown);
            }
            cuts.push(HoleCut { hole, ring: ring.into_iter().collect() });
        }
        holes = larger;
    }
    cuts
}

/// The cuts against a hole moved by every step that keeps it and the places beside it on the board.
fn cuts_moved(board: &Board, hole: &[Axial]) -> Vec<HoleCut> {
    let Some(&from) = hole.first() else { return Vec::new() };
    let hole: BTreeSet<Axial> = hole.iter().copied().collect();
    let ring: BTreeSet<Axial> = hole.iter().flat_map(|at| at.neighbours()).filter(|at| !hole.contains(at)).collect();
    let cut = |to| Some(HoleCut { hole: moved(board, &hole, from, to)?, ring: moved(board, &ring, from, to)? });
    board.places().iter().filter_map(|&to| cut(to)).collect()
}

/// The numbers of places that are moved as one place is to another; `None` where one of them leaves the board.
fn moved<'a>(board: &Board, places: impl IntoIterator<Item = &'a Axial>, from: Axial, to: Axial) -> Option<Vec<usize>> {
    places.into_iter().map(|at| board.number(at.moved((to.q - from.q, to.r - from.r)))).collect()
}

/// A set of places moved so that the least lies at the origin: equal for sets that differ by a move.
fn to_origin(places: &[Axial]) -> Vec<Axial> {
    let mut places = places.to_vec();
    places.sort_unstable();
    let Some(&least) = places.first() else { return places };
    places.into_iter().map(|at| at.moved((-least.q, -least.r))).collect()
}

/// The twelve images of some places, in their order, under turns and reflections.
fn symmetries(places: &[Axial]) -> Vec<Vec<Axial>> {
    let mirrored = places.iter().map(|at| Axial { q: at.r, r: at.q }).collect();
    let turned = |image: &[Axial], steps| image.iter().map(|at| at.turned(steps)).collect();
    [places.to_vec(), mirrored].iter().flat_map(|image| (0..6).map(|steps| turned(image, steps))).collect()
}
