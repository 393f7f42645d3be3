//! What a solution shows that is to be cut off, and what was cut off before it: the same for models of every form.

use std::collections::HashSet;

use puzzle::Solution;
use puzzle::hex::{Axial, holes};
use puzzle::tantrix::{Arrangement, Board, BoardTantrix, trace};

use super::cuts::{LoopCut, crossings, cuts_against, edges_of, undirected};
use super::holes::{HoleCut, cuts_everywhere, moved, symmetries, to_origin};
use crate::formulation::CutChoice;
use crate::problem::Separation;

/// What is cut off, and what was.
pub(super) struct CutOff {
    /// Which cuts to add against subloops, if they are cut off between solves.
    choice: Option<CutChoice>,
    resolves_holes: bool,
    /// What the model has against a hole: a row, a clause.
    unit: &'static str,
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
    /// The same for who asked.
    pub separation: Separation,
}

impl CutOff {
    pub fn new(choice: Option<CutChoice>, resolves_holes: bool, unit: &'static str) -> Self {
        Self { choice, resolves_holes, unit, loops: HashSet::new(), parts: Vec::new(), holes: Vec::new() }
    }

    pub fn separate(&mut self, puzzle: &BoardTantrix, solution: &Solution) -> Found {
        let board = &puzzle.board;
        let arrangement = Arrangement::new(board, &puzzle.tiles, &solution.placements);
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
    pub fn forbids(&self, puzzle: &BoardTantrix, solution: &Solution) -> Option<String> {
        let (board, colour) = (&puzzle.board, puzzle.colour);
        let arrangement = Arrangement::new(board, &puzzle.tiles, &solution.placements);
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
        Some(format!("the {} against the hole at places {:?}", self.unit, labels(hole)))
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
