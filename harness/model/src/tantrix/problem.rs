//! A board under a formulation, ready to be solved.

use std::collections::HashSet;

use puzzle::tantrix::{Arrangement, BoardTantrix, trace};
use puzzle::{Placement, Solution};

use super::builder::{Derived, check_size};
use super::holes::{HoleCut, cuts_everywhere};
use super::natural::OnBoard;
use super::{Builder, FAMILIES, Family, LoopCut, crossings, cuts_against, weights};
use crate::ir::Model;
use crate::{CutChoice, Formulation, Holes, ModelError, Objective, Problem, Separation, Subloops};

/// How far a binary value may be from 0 or 1.
const INTEGRALITY: f64 = 1e-4;

/// See [`Problem`].
pub(crate) struct BoardProblem {
    instance: String,
    builder: Builder,
    distinguished: bool,
    cutting: Option<(&'static dyn Family, CutChoice)>,
    resolves_holes: bool,
    loop_cuts: Vec<LoopCut>,
    hole_cuts: Vec<HoleCut>,
}

impl OnBoard for BoardProblem {
    type Form = Model;

    /// Builds the model with all its families and the objective. `full`: every place has a tile.
    ///
    /// # Errors
    /// Families that do not exist, a treatment of subloops that they contradict, or too many variables.
    fn new(formulation: &Formulation, instance: &str, puzzle: &BoardTantrix, full: bool) -> Result<Self, ModelError> {
        let listed = formulation.family_list()?;
        let families: Vec<_> = FAMILIES.into_iter().filter(|f| listed.contains(&f.info())).collect();
        let distinguished = listed.iter().any(|f| f.id == "C2");
        check_size(if distinguished { puzzle.challenge } else { puzzle.tiles.sorts.len() }, puzzle.board.len())?;
        let mut builder = Builder::new(puzzle.clone(), full, distinguished);
        for family in &families {
            family.add(&mut builder);
        }
        match formulation.objective {
            Objective::Virtual => builder.model.set_objective(vec![(builder.x(1, 1, 1), 1.0)]),
            Objective::Weighted => builder.model.set_objective(weights::objective(&builder)),
            Objective::None => {}
        }
        let cutting = match formulation.treatment()? {
            Subloops::Report | Subloops::Propagate => None,
            Subloops::Resolve => {
                let cutter = families.into_iter().find(|f| f.info().roles.contains(&crate::Role::Cutting));
                cutter.map(|family| (family, formulation.cuts.unwrap_or_default()))
            }
        };
        Ok(Self {
            instance: instance.to_owned(),
            builder,
            distinguished,
            cutting,
            resolves_holes: formulation.holes.unwrap_or_default() == Holes::Resolve,
            loop_cuts: Vec::new(),
            hole_cuts: Vec::new(),
        })
    }

    fn puzzle(&self) -> &BoardTantrix {
        &self.builder.puzzle
    }
}

impl BoardProblem {
    fn arrangement(&self, solution: &Solution) -> Arrangement {
        let puzzle = &self.builder.puzzle;
        Arrangement::new(&puzzle.board, &puzzle.tiles, &solution.placements)
    }

    fn filled(&self, solution: &Solution) -> HashSet<usize> {
        let arrangement = self.arrangement(solution);
        self.builder.board().numbers().filter(|&j| arrangement.is_filled(j)).collect()
    }
}

impl Problem for BoardProblem {
    fn model(&self) -> &Model {
        &self.builder.model
    }

    fn decode(&self, values: &[f64]) -> Result<Solution, ModelError> {
        let b = &self.builder;
        let expected = b.model.variables().len();
        if values.len() != expected {
            return Err(ModelError::Length { found: values.len(), expected });
        }
        let mut placements = Vec::new();
        for j in b.board().numbers() {
            for (i, k) in b.turned(|_, _| true) {
                let var = b.x(i, j, k);
                let value = values[var.0];
                // Negated, so that NaN counts as fractional.
                let integral = (value - value.round()).abs() <= INTEGRALITY;
                if !integral {
                    return Err(ModelError::Fractional { variable: b.model.variables()[var.0].name.clone(), value });
                }
                if value > 0.5 {
                    placements.push(Placement { place: j, tile: b.tile(i).number, orientation: k });
                }
            }
        }
        Ok(Solution { instance: self.instance.clone(), placements, cuts: Vec::new() })
    }

    fn encode(&self, solution: &Solution) -> Vec<f64> {
        let b = &self.builder;
        let mut values = vec![0.0; b.model.variables().len()];
        let mut used = vec![false; b.tiles() + 1];
        let there_is = |p: &&Placement| b.board().numbers().contains(&p.place) && (1..=6).contains(&p.orientation);
        for p in solution.placements.iter().filter(there_is) {
            let mut copies = (1..=b.tiles()).filter(|&i| b.tile(i).number == p.tile);
            if let Some(i) = copies.clone().find(|&i| !used[i]).or(copies.next_back()) {
                // A copy that is told apart from the others is used up; a sort is not.
                used[i] = self.distinguished;
                values[b.x(i, p.place, p.orientation).0] = 1.0;
            }
        }
        let arrangement = self.arrangement(solution);
        let indicator = |holds: bool| f64::from(u8::from(holds));
        for (derived, var) in b.derived() {
            values[var.0] = match derived {
                Derived::Y(j, l) => arrangement.colour(j, l).map_or(0.0, |colour| b.colour_number(colour) as f64),
                Derived::Z(j, l) => indicator(arrangement.colour(j, l) == Some(b.puzzle.colour)),
                Derived::O(j) => indicator(arrangement.is_filled(j)),
                Derived::U(j, next) => indicator(arrangement.is_filled(j) != arrangement.is_filled(next)),
            };
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
        let loop_cuts =
            self.cutting.map_or_else(Vec::new, |(_, choice)| cuts_against(board, puzzle.challenge, &loops, choice));
        let hole_cuts = if self.resolves_holes { cuts_everywhere(board, &holes) } else { Vec::new() };
        if let Some((family, _)) = self.cutting {
            for cut in &loop_cuts {
                family.add_cut(&mut self.builder, cut);
            }
        }
        for cut in &hole_cuts {
            cut.add(&mut self.builder);
        }
        let separation = Separation {
            loop_lengths: loops.iter().map(Vec::len).collect(),
            holes: holes.len(),
            cuts: loop_cuts.iter().map(|cut| cut.cut.clone()).collect(),
            holes_cut_off: if self.resolves_holes { holes.len() } else { 0 },
        };
        self.loop_cuts.extend(loop_cuts);
        self.hole_cuts.extend(hole_cuts);
        separation
    }

    fn forbidden_by(&self, solution: &Solution) -> Option<String> {
        let (arrangement, filled) = (self.arrangement(solution), self.filled(solution));
        let (board, colour) = (self.builder.board(), self.builder.puzzle.colour);
        let uncrossed = self.loop_cuts.iter().find(|LoopCut { part, cut }| {
            crossings(&arrangement, colour, cut) < 2 && part.iter().any(|j| filled.contains(j))
        });
        if let Some(LoopCut { cut, .. }) = uncrossed {
            let cut: Vec<_> = cut.iter().map(|&(j, l)| (board.label(j), l)).collect();
            return Some(format!("the cut {cut:?}"));
        }
        let hole = &self.hole_cuts.iter().find(|cut| cut.forbids(&filled))?.hole;
        let places: Vec<usize> = hole.iter().map(|&j| board.label(j)).collect();
        Some(format!("the row against the hole at places {places:?}"))
    }
}
