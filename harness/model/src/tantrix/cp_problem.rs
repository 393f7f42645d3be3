//! A board as a constraint model, ready to be solved.

use puzzle::tantrix::{Arrangement, BoardTantrix};
use puzzle::{Placement, Solution};

use super::builder::check_size;
use super::cp::CpBuilder;
use super::cut_off::CutOff;
use super::holes::HoleCut;
use super::{LoopCut, OnBoard};
use crate::cp::Model;
use crate::{Cp, Holes, ModelError, Problem, Separation, Subloops};

/// See [`Problem`].
pub(crate) struct CpProblem {
    instance: String,
    builder: CpBuilder,
    full: bool,
    cut_off: CutOff,
}

impl CpProblem {
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
    type Choices = Cp;

    fn new(cp: &Cp, instance: &str, puzzle: &BoardTantrix, full: bool) -> Result<Self, ModelError> {
        check_size(puzzle.tiles.sorts.len(), puzzle.board.len())?;
        let mut builder = CpBuilder::new(puzzle.clone(), full);
        builder.forbid_short_loops(cp.short_loops)?;
        if let Some(most) = cp.around_empty {
            builder.limit_around_empty(most);
        }
        if cp.subloops == Subloops::Propagate {
            builder.leave_single_loop();
        }
        let cut_off = CutOff::new(cp.subloops.cuts(), cp.holes == Holes::Resolve, "clause");
        Ok(Self { instance: instance.to_owned(), builder, full, cut_off })
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
        Ok(Solution::on_places(&self.instance, placements.collect()))
    }

    fn encode(&self, solution: &Solution) -> Vec<i32> {
        let b = &self.builder;
        // States and sorts of empty places are 0; an edge beside no tile may have any colour but the designated.
        let mut values = vec![0; b.model.variables().len()];
        b.edges().for_each(|(_, var)| values[var.0] = 1);
        let there_is = |p: &&Placement| b.board().numbers().contains(&p.place) && (1..=6).contains(&p.orientation);
        for p in solution.placements.iter().filter(there_is) {
            let sort = b.puzzle.tiles.sorts.iter().position(|sort| sort.tile.number == p.tile);
            if let Some(sort) = sort {
                values[b.state(p.place).0] = b.state_number(sort, p.orientation);
                values[b.sort(p.place).0] = i32::try_from(sort + 1).unwrap_or(i32::MAX);
            }
        }
        let arrangement = Arrangement::new(b.board(), &b.puzzle.tiles, &solution.placements);
        for ((j, l), var) in b.edges() {
            let beyond = b.board().neighbour(j, l).and_then(|next| arrangement.colour(next, puzzle::hex::opposite(l)));
            if let Some(colour) = arrangement.colour(j, l).or(beyond) {
                values[var.0] = b.colour_number(colour);
            }
        }
        values
    }

    fn separate(&mut self, solution: &Solution) -> Separation {
        let found = self.cut_off.separate(&self.builder.puzzle, solution);
        for edges in &found.loops {
            let clause = self.builder.against(edges);
            self.builder.model.add_clause("loops", clause);
        }
        found.parts.iter().for_each(|cut| self.cut_part(cut));
        found.holes.iter().for_each(|cut| self.cut_hole(cut));
        found.separation
    }

    fn forbidden_by(&self, solution: &Solution) -> Option<String> {
        self.cut_off.forbids(self.puzzle(), solution)
    }
}
