//! A board as a constraint model, ready to be solved.

use std::collections::HashSet;

use puzzle::tantrix::{Arrangement, BoardTantrix, trace};
use puzzle::{Placement, Solution};

use super::builder::check_size;
use super::cp::CpBuilder;
use super::cuts::cuts_against;
use super::holes::{HoleCut, cuts_everywhere};
use super::{LoopCut, OnBoard, crossings};
use crate::cp::Model;
use crate::{CutChoice, Formulation, Holes, ModelError, Problem, SHORT_LOOPS, Separation, Subloops};

/// See [`Problem`].
pub(crate) struct CpProblem {
    instance: String,
    builder: CpBuilder,
    full: bool,
    cutting: Option<CutChoice>,
    resolves_holes: bool,
    loop_cuts: Vec<LoopCut>,
    /// Loops that may not come again, each by its edges.
    loops: Vec<Vec<(usize, usize)>>,
    hole_cuts: Vec<HoleCut>,
}

impl CpProblem {
    fn arrangement(&self, solution: &Solution) -> Arrangement {
        let puzzle = &self.builder.puzzle;
        Arrangement::new(&puzzle.board, &puzzle.tiles, &solution.placements)
    }

    /// The touching edges that show the designated colour on both sides, each once.
    fn designated<'a>(&'a self, arrangement: &'a Arrangement) -> impl Iterator<Item = ((usize, usize), usize)> + 'a {
        let shows = |(j, l)| arrangement.colour(j, l) == Some(self.builder.puzzle.colour);
        let touching = self.builder.board().touching();
        touching.filter(move |(here, there)| shows(*here) && shows(*there)).map(|(here, there)| (here, there.0))
    }

    /// Against each loop itself: its edges may not all be designated again.
    fn cut_loops(&mut self, arrangement: &Arrangement, loops: &[Vec<usize>]) {
        for passed in loops {
            let passed: HashSet<usize> = passed.iter().copied().collect();
            let edges: Vec<_> = self
                .designated(arrangement)
                .filter(|(here, there)| passed.contains(&here.0) && passed.contains(there))
                .map(|(here, _)| here)
                .collect();
            let clause = edges.iter().map(|&edge| !self.builder.designated(edge)).collect();
            self.builder.model.add_clause("loops", clause);
            self.loops.push(edges);
        }
    }

    /// At least two crossings of the border of a part: always where every place has a tile, else if any of them has.
    fn cut_part(&mut self, LoopCut { part, cut }: &LoopCut) {
        let b = &mut self.builder;
        let crossing: Vec<_> = cut.iter().map(|&edge| (1, b.designated(edge))).collect();
        if self.full {
            b.model.add_sum("crossings", crossing, 2, i32::MAX);
            return;
        }
        for &place in part {
            let terms = crossing.iter().copied().chain([(2, b.empty(place))]).collect();
            b.model.add_sum("crossings", terms, 2, i32::MAX);
        }
    }

    /// Some place of the ring around a hole is empty, or some place of it has a tile.
    fn cut_hole(&mut self, cut: &HoleCut) {
        let b = &mut self.builder;
        let ring = cut.ring.iter().map(|&j| b.empty(j));
        let clause = ring.chain(cut.hole.iter().map(|&j| !b.empty(j))).collect();
        b.model.add_clause("holes", clause);
    }
}

impl OnBoard for CpProblem {
    type Form = Model;

    fn new(formulation: &Formulation, instance: &str, puzzle: &BoardTantrix, full: bool) -> Result<Self, ModelError> {
        check_size(puzzle.tiles.sorts.len(), puzzle.board.len())?;
        let mut builder = CpBuilder::new(puzzle.clone(), full);
        builder.forbid_short_loops(formulation.short_loops.unwrap_or(SHORT_LOOPS));
        if let Some(most) = formulation.around_empty {
            builder.limit_around_empty(most);
        }
        let treatment = formulation.treatment()?;
        if treatment == Subloops::Propagate {
            builder.leave_single_loop();
        }
        Ok(Self {
            instance: instance.to_owned(),
            builder,
            full,
            cutting: (treatment == Subloops::Resolve).then(|| formulation.loop_cuts()),
            resolves_holes: formulation.holes.unwrap_or_default() == Holes::Resolve,
            loop_cuts: Vec::new(),
            loops: Vec::new(),
            hole_cuts: Vec::new(),
        })
    }

    fn puzzle(&self) -> &BoardTantrix {
        &self.builder.puzzle
    }
}

impl Problem<Model> for CpProblem {
    fn model(&self) -> &Model {
        &self.builder.model
    }

    fn decode(&self, values: &[i32]) -> Result<Solution, ModelError> {
        let expected = self.builder.model.variables().len();
        if values.len() != expected {
            return Err(ModelError::Length { found: values.len(), expected });
        }
        let b = &self.builder;
        let lying = |j: usize| Some((j, b.state_of(values[b.state(j).0])?));
        let placements = b.board().numbers().filter_map(lying).map(|(place, state)| Placement {
            place,
            tile: b.puzzle.tiles.sorts[state.sort].tile.number,
            orientation: state.orientation,
        });
        Ok(Solution { instance: self.instance.clone(), placements: placements.collect(), cuts: Vec::new() })
    }

    fn encode(&self, solution: &Solution) -> Vec<i32> {
        let b = &self.builder;
        // An edge beside no tile may have any colour but the designated.
        let mut values: Vec<i32> = b.model.variables().iter().map(|variable| variable.lower).collect();
        let there_is = |p: &&Placement| b.board().numbers().contains(&p.place) && (1..=6).contains(&p.orientation);
        for p in solution.placements.iter().filter(there_is) {
            let sort = b.puzzle.tiles.sorts.iter().position(|sort| sort.tile.number == p.tile);
            if let Some((sort, state)) = sort.and_then(|sort| Some((sort, b.state_number(sort, p.orientation)?))) {
                values[b.state(p.place).0] = state;
                values[b.sort(p.place).0] = i32::try_from(sort + 1).unwrap_or(i32::MAX);
            }
        }
        let arrangement = self.arrangement(solution);
        for ((j, l), var) in b.edges() {
            let beyond = b.board().neighbour(j, l).and_then(|next| arrangement.colour(next, puzzle::hex::opposite(l)));
            if let Some(colour) = arrangement.colour(j, l).or(beyond) {
                values[var.0] = b.colour_number(colour);
            }
        }
        values
    }

    fn separate(&mut self, solution: &Solution) -> Separation {
        let arrangement = self.arrangement(solution);
        let puzzle = &self.builder.puzzle;
        let board = &puzzle.board;
        let loops = trace(board, &arrangement, puzzle.colour).loops;
        let filled = board.numbers().filter(|&j| arrangement.is_filled(j)).map(|j| board.at(j)).collect();
        let holes = puzzle::hex::holes(&filled);
        let loop_cuts = self.cutting.map(|choice| cuts_against(board, puzzle.challenge, &loops, choice));
        let loop_cuts = loop_cuts.unwrap_or_default();
        let hole_cuts = if self.resolves_holes { cuts_everywhere(board, &holes) } else { Vec::new() };
        for cut in &hole_cuts {
            self.cut_hole(cut);
        }
        let separation = Separation {
            loop_lengths: loops.iter().map(Vec::len).collect(),
            holes: holes.len(),
            cuts: loop_cuts.iter().map(|cut| cut.cut.clone()).collect(),
            holes_cut_off: if self.resolves_holes { holes.len() } else { 0 },
        };
        if self.cutting == Some(CutChoice::Loop) {
            if !loop_cuts.is_empty() {
                self.cut_loops(&arrangement, &loops);
            }
        } else {
            for cut in &loop_cuts {
                self.cut_part(cut);
            }
            self.loop_cuts.extend(loop_cuts);
        }
        self.hole_cuts.extend(hole_cuts);
        separation
    }

    fn forbidden_by(&self, solution: &Solution) -> Option<String> {
        let arrangement = self.arrangement(solution);
        let (board, colour) = (self.builder.board(), self.builder.puzzle.colour);
        let shown = |edges: &[(usize, usize)]| -> Vec<_> { edges.iter().map(|&(j, l)| (board.label(j), l)).collect() };
        let designated: HashSet<_> = self.designated(&arrangement).map(|(here, _)| here).collect();
        if let Some(edges) = self.loops.iter().find(|edges| edges.iter().all(|edge| designated.contains(edge))) {
            return Some(format!("the clause against the loop {:?}", shown(edges)));
        }
        let filled: HashSet<usize> = board.numbers().filter(|&j| arrangement.is_filled(j)).collect();
        let uncrossed = self.loop_cuts.iter().find(|LoopCut { part, cut }| {
            crossings(&arrangement, colour, cut) < 2 && part.iter().any(|j| filled.contains(j))
        });
        if let Some(LoopCut { cut, .. }) = uncrossed {
            return Some(format!("the cut {:?}", shown(cut)));
        }
        let hole = &self.hole_cuts.iter().find(|cut| cut.forbids(&filled))?.hole;
        let places: Vec<usize> = hole.iter().map(|&j| board.label(j)).collect();
        Some(format!("the clause against the hole at places {places:?}"))
    }
}
