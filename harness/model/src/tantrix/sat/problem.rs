//! A board as clauses, ready to be solved.

use std::collections::HashSet;

use puzzle::hex::{Axial, holes};
use puzzle::tantrix::{Arrangement, Board, BoardTantrix, trace};
use puzzle::{Cut, Placement, Solution};

use super::clauses::{add_rules, loop_clause, single_loop};
use super::variables::Variables;
use crate::sat::{Cnf, Lit};
use crate::tantrix::builder::check_size;
use crate::tantrix::holes::{HoleCut, cuts_everywhere, symmetries};
use crate::tantrix::{LoopCut, OnBoard, cuts_against};
use crate::{CutChoice, Formulation, Holes, ModelError, Problem, Separation, Subloops};

/// See [`Problem`].
pub(crate) struct SatProblem {
    instance: String,
    variables: Variables,
    /// Which cuts to add against subloops, if they are cut off between solves.
    cuts: Option<CutChoice>,
    resolves_holes: bool,
    /// Number of clauses that stand from the start.
    built: usize,
    /// What was added since, in words, each with the number of clauses that there were after it.
    added: Vec<(usize, String)>,
}

impl OnBoard for SatProblem {
    type Form = Cnf;

    fn new(formulation: &Formulation, instance: &str, puzzle: &BoardTantrix, full: bool) -> Result<Self, ModelError> {
        check_size(puzzle.tiles.sorts.len(), puzzle.board.len())?;
        let mut variables = Variables::new(puzzle.clone(), full);
        add_rules(&mut variables, formulation)?;
        let treatment = formulation.treatment()?;
        if treatment == Subloops::Propagate {
            let rule = single_loop(&variables);
            variables.cnf.set_single_loop(rule);
        }
        Ok(Self {
            instance: instance.to_owned(),
            built: variables.cnf.len(),
            variables,
            cuts: (treatment == Subloops::Resolve).then(|| formulation.loop_cuts()),
            resolves_holes: formulation.holes.unwrap_or_default() == Holes::Resolve,
            added: Vec::new(),
        })
    }

    fn puzzle(&self) -> &BoardTantrix {
        &self.variables.puzzle
    }
}

impl SatProblem {
    fn arrangement(&self, solution: &Solution) -> Arrangement {
        let puzzle = self.puzzle();
        Arrangement::new(&puzzle.board, &puzzle.tiles, &solution.placements)
    }

    /// Notes down what the clauses since the last note are for.
    fn note(&mut self, what: String) {
        self.added.push((self.variables.cnf.len(), what));
    }

    /// Against a loop itself, wherever it can lie on the board, turned and mirrored in every way: its edges may not all
    /// be designated. `seen`: the clauses that were added so.
    fn cut_loop(&mut self, course: &[usize], seen: &mut HashSet<Vec<Lit>>) {
        let v = &mut self.variables;
        for image in everywhere(v.board(), course) {
            let mut clause = loop_clause(v, &image);
            clause.sort_unstable();
            if seen.insert(clause.clone()) {
                v.cnf.add_clause("loops", clause);
            }
        }
        let places: Vec<usize> = course.iter().map(|&j| v.board().label(j)).collect();
        self.note(format!("the clauses against the loop through places {places:?}"));
    }

    /// Around a part that the loop cannot stay within: if a tile lies in it, an edge that leads out is designated.
    fn cut_around(&mut self, LoopCut { part, cut }: &LoopCut) {
        let v = &mut self.variables;
        let border: Vec<Lit> = cut.iter().filter_map(|&(j, l)| v.designated(j, l)).collect();
        if v.full {
            v.cnf.add_clause("loops", border);
        } else {
            for &j in part {
                v.cnf.add_clause("loops", border.iter().copied().chain(v.if_filled(j)));
            }
        }
        let labels: Cut = cut.iter().map(|&(j, l)| (v.board().label(j), l)).collect();
        self.note(format!("the cut {labels:?}"));
    }

    /// Against a hole: some place of the ring around it is empty, or some place of it is not.
    fn cut_hole(&mut self, HoleCut { hole, ring }: &HoleCut) {
        let v = &mut self.variables;
        let ring: Vec<Lit> = ring.iter().filter_map(|&j| v.if_filled(j)).collect();
        let hole_literals: Vec<Lit> = hole.iter().filter_map(|&j| v.filled(j)).collect();
        v.cnf.add_clause("holes", ring.into_iter().chain(hole_literals));
        let places: Vec<usize> = hole.iter().map(|&j| v.board().label(j)).collect();
        self.note(format!("the clause against the hole at places {places:?}"));
    }
}

impl Problem<Cnf> for SatProblem {
    fn model(&self) -> &Cnf {
        &self.variables.cnf
    }

    fn decode(&self, values: &[bool]) -> Result<Solution, ModelError> {
        let v = &self.variables;
        let expected = v.cnf.variables();
        if values.len() != expected {
            return Err(ModelError::Length { found: values.len(), expected });
        }
        let mut placements = Vec::new();
        for j in v.board().numbers() {
            for i in v.sorts() {
                let lying = (1..).zip(v.x(i, j)).filter(|(_, x)| x.holds(values));
                let tile = v.tile(i).number;
                placements.extend(lying.map(|(orientation, _)| Placement { place: j, tile, orientation }));
            }
        }
        Ok(Solution { instance: self.instance.clone(), placements, cuts: Vec::new() })
    }

    fn encode(&self, solution: &Solution) -> Vec<bool> {
        let v = &self.variables;
        let mut x = vec![false; v.number_of_x()];
        let there_is = |p: &&Placement| v.board().numbers().contains(&p.place) && (1..=6).contains(&p.orientation);
        for p in solution.placements.iter().filter(there_is) {
            if let Some(i) = v.sorts().find(|&i| v.tile(i).number == p.tile) {
                x[v.x(i, p.place)[p.orientation - 1].var().number() - 1] = true;
            }
        }
        v.cnf.complete(&x)
    }

    fn separate(&mut self, solution: &Solution) -> Separation {
        let arrangement = self.arrangement(solution);
        let BoardTantrix { board, colour, challenge, .. } = self.puzzle();
        let loops = trace(board, &arrangement, *colour).loops;
        let filled: HashSet<_> = board.numbers().filter(|&j| arrangement.is_filled(j)).map(|j| board.at(j)).collect();
        let holes = holes(&filled);
        let cuts = self.cuts.map_or_else(Vec::new, |choice| cuts_against(board, *challenge, &loops, choice));
        let hole_cuts = if self.resolves_holes { cuts_everywhere(board, &holes) } else { Vec::new() };
        match self.cuts {
            Some(CutChoice::Loop) if loops.len() > 1 => {
                let mut seen = HashSet::new();
                loops.iter().for_each(|course| self.cut_loop(course, &mut seen));
            }
            Some(CutChoice::Loop) | None => {}
            Some(CutChoice::Each | CutChoice::Smallest | CutChoice::Region) => {
                cuts.iter().for_each(|cut| self.cut_around(cut));
            }
        }
        hole_cuts.iter().for_each(|cut| self.cut_hole(cut));
        Separation {
            loop_lengths: loops.iter().map(Vec::len).collect(),
            holes: holes.len(),
            cuts: cuts.into_iter().map(|cut| cut.cut).collect(),
            holes_cut_off: if self.resolves_holes { holes.len() } else { 0 },
        }
    }

    fn forbidden_by(&self, solution: &Solution) -> Option<String> {
        if self.added.is_empty() {
            return None;
        }
        let values = self.encode(solution);
        let broken = |literals: &[Lit]| !literals.iter().any(|lit| lit.holds(&values));
        let index = self.model().clauses_from(self.built).position(|clause| broken(clause.literals))? + self.built;
        self.added.iter().find(|(end, _)| index < *end).map(|(_, what)| what.clone())
    }
}

/// The images of a loop that lie on the board: turned, mirrored and moved, each as its places in order.
fn everywhere(board: &Board, course: &[usize]) -> Vec<Vec<usize>> {
    let course: Vec<Axial> = course.iter().map(|&j| board.at(j)).collect();
    let on_board = |image: &[Axial], to: Axial| {
        let from = image.first()?;
        let moved = image.iter().map(|at| at.moved((to.q - from.q, to.r - from.r)));
        // Ends with the first place that is not on the board.
        moved.map(|at| board.number(at)).collect::<Option<Vec<usize>>>()
    };
    let images = symmetries(&course);
    images.iter().flat_map(|image| board.places().iter().filter_map(move |&to| on_board(image, to))).collect()
}
