//! A board as a linear model, ready to be solved.

use puzzle::tantrix::{Arrangement, BoardTantrix};
use puzzle::{Placement, Solution};

use super::builder::{Builder, Derived, check_size};
use super::cut_off::CutOff;
use super::cuts::LoopCut;
use super::natural::OnBoard;
use super::objective::weighted;
use crate::error::ModelError;
use crate::family::Rows;
use crate::formulation::{Holes, Mip, Objective};
use crate::ir::Model;
use crate::problem::{Problem, Separation};

/// How far a binary value may be from 0 or 1.
const INTEGRALITY: f64 = 1e-4;

/// See [`Problem`].
pub(crate) struct MipProblem {
    instance: String,
    builder: Builder,
    distinguished: bool,
    /// The rows against a subloop of the family that cuts them off, if one does.
    cutting: Option<fn(&mut Builder, &LoopCut)>,
    cut_off: CutOff,
}

impl OnBoard for MipProblem {
    type Form = Model;
    type Choices = Mip;

    /// Builds the model with all its families and the objective. `full`: every place has a tile.
    ///
    /// # Errors
    /// Too many variables.
    fn new(mip: &Mip, instance: &str, puzzle: &BoardTantrix, full: bool) -> Result<Self, ModelError> {
        let distinguished = mip.families.iter().any(|f| f.id == "C2");
        check_size(if distinguished { puzzle.challenge } else { puzzle.tiles.sorts.len() }, puzzle.board.len())?;
        let mut builder = Builder::new(puzzle.clone(), full, distinguished);
        let mut cutting = None;
        for family in &mip.families {
            match family.rows {
                Rows::Tantrix(add) => add(&mut builder),
                Rows::Cuts(add) => cutting = Some(add),
                Rows::Soku(_) => {}
            }
        }
        match mip.objective {
            Objective::Virtual => builder.model.set_objective(vec![(builder.x(1, 1, 1), 1.0)]),
            Objective::Weighted => builder.model.set_objective(weighted(&builder)),
            Objective::None => {}
        }
        let cut_off = CutOff::new(mip.cuts, mip.holes == Holes::Resolve, "row");
        Ok(Self { instance: instance.to_owned(), builder, distinguished, cutting, cut_off })
    }

    fn puzzle(&self) -> &BoardTantrix {
        &self.builder.puzzle
    }
}

impl Problem for MipProblem {
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
        Ok(Solution::on_places(&self.instance, placements))
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
        let arrangement = Arrangement::new(b.board(), &b.puzzle.tiles, &solution.placements);
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
        let found = self.cut_off.separate(&self.builder.puzzle, solution);
        if let Some(demand) = self.cutting {
            found.parts.iter().for_each(|cut| demand(&mut self.builder, cut));
        }
        found.holes.iter().for_each(|cut| cut.add(&mut self.builder));
        found.separation
    }

    fn forbidden_by(&self, solution: &Solution) -> Option<String> {
        self.cut_off.forbids(self.puzzle(), solution)
    }
}
