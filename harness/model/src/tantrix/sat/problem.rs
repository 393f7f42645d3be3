//! A board as clauses, ready to be solved.

use puzzle::tantrix::BoardTantrix;
use puzzle::{Placement, Solution};

use super::clauses::{add_rules, hole_clause, loop_clause, single_loop};
use super::variables::Variables;
use crate::sat::{Cnf, Lit};
use crate::tantrix::builder::check_size;
use crate::tantrix::cut_off::CutOff;
use crate::tantrix::{LoopCut, OnBoard};
use crate::{Holes, ModelError, Problem, Sat, Separation, Subloops};

/// See [`Problem`].
pub(crate) struct SatProblem {
    instance: String,
    variables: Variables,
    cut_off: CutOff,
}

impl OnBoard for SatProblem {
    type Form = Cnf;
    type Choices = Sat;

    fn new(sat: &Sat, instance: &str, puzzle: &BoardTantrix, full: bool) -> Result<Self, ModelError> {
        check_size(puzzle.tiles.sorts.len(), puzzle.board.len())?;
        let mut variables = Variables::new(puzzle.clone(), full);
        add_rules(&mut variables, sat)?;
        if sat.subloops == Subloops::Propagate {
            let rule = single_loop(&variables);
            variables.cnf.set_single_loop(rule);
        }
        let cut_off = CutOff::new(sat.subloops.cuts(), sat.holes == Holes::Resolve, "clause");
        Ok(Self { instance: instance.to_owned(), variables, cut_off })
    }

    fn puzzle(&self) -> &BoardTantrix {
        &self.variables.puzzle
    }
}

impl SatProblem {
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
        Ok(Solution::on_places(&self.instance, placements))
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
        let found = self.cut_off.separate(&self.variables.puzzle, solution);
        let v = &mut self.variables;
        for edges in &found.loops {
            let clause = loop_clause(v, edges);
            v.cnf.add_clause("loops", clause);
        }
        found.parts.iter().for_each(|cut| self.cut_around(cut));
        for cut in &found.holes {
            let clause = hole_clause(&self.variables, cut);
            self.variables.cnf.add_clause("holes", clause);
        }
        found.separation
    }

    fn forbidden_by(&self, solution: &Solution) -> Option<String> {
        self.cut_off.forbids(self.puzzle(), solution)
    }
}
