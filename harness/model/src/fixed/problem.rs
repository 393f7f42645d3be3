//! A fixed board under a formulation, ready to be solved.

use puzzle::tantrix::{Arrangement, FixedTantrix, trace};
use puzzle::{Cut, Placement, Solution};

use super::{Builder, CutChoice, FAMILIES, Family, crossings, cuts_against};
use crate::ir::Model;
use crate::{Formulation, ModelError, Objective, Problem, Separation, Subloops};

/// How far a binary value may be from 0 or 1.
const INTEGRALITY: f64 = 1e-4;

/// See [`Problem`].
pub struct FixedProblem {
    instance: String,
    builder: Builder,
    distinguished: bool,
    cutting: Option<(&'static dyn Family, CutChoice)>,
    cuts: Vec<Cut>,
}

impl FixedProblem {
    /// Builds the model with all its families and the objective.
    ///
    /// # Errors
    /// Families that do not exist or a treatment of subloops that they contradict.
    pub fn new(formulation: &Formulation, instance: &str, puzzle: &FixedTantrix) -> Result<Self, ModelError> {
        let listed = formulation.family_list()?;
        let families: Vec<_> = FAMILIES.into_iter().filter(|f| listed.contains(&f.info())).collect();
        let distinguished = listed.iter().any(|f| f.id == "C2");
        let mut builder = Builder::new(puzzle.clone(), distinguished);
        for family in &families {
            family.add(&mut builder);
        }
        if formulation.objective == Objective::Virtual {
            builder.model.set_objective(vec![(builder.x(1, 1, 1), 1.0)]);
        }
        let cutting = match formulation.treatment()? {
            Subloops::Report => None,
            Subloops::Resolve => {
                let cutter = families.into_iter().find(|f| f.info().roles.contains(&crate::Role::Cutting));
                cutter.map(|family| (family, formulation.cuts.unwrap_or_default()))
            }
        };
        Ok(Self { instance: instance.to_owned(), builder, distinguished, cutting, cuts: Vec::new() })
    }

    fn arrangement(&self, solution: &Solution) -> Arrangement {
        let puzzle = &self.builder.puzzle;
        Arrangement::new(&puzzle.board, &puzzle.tiles, &solution.placements)
    }
}

impl Problem for FixedProblem {
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
        for p in &solution.placements {
            let mut copies = (1..=b.tiles()).filter(|&i| b.tile(i).number == p.tile);
            if let Some(i) = copies.clone().find(|&i| !used[i]).or(copies.next_back()) {
                // A copy that is told apart from the others is used up; a sort is not.
                used[i] = self.distinguished;
                values[b.x(i, p.place, p.orientation).0] = 1.0;
            }
        }
        let arrangement = self.arrangement(solution);
        for (is_z, (j, l), var) in b.derived() {
            let Some(colour) = arrangement.colour(j, l) else { continue };
            values[var.0] = match is_z {
                true => f64::from(u8::from(colour == b.puzzle.colour)),
                false => b.colour_number(colour) as f64,
            };
        }
        values
    }

    fn separate(&mut self, solution: &Solution) -> Separation {
        let arrangement = self.arrangement(solution);
        let puzzle = &self.builder.puzzle;
        let loops = trace(&puzzle.board, &arrangement, puzzle.colour).loops;
        let filled = puzzle.board.numbers().filter(|&j| arrangement.is_filled(j)).map(|j| puzzle.board.at(j)).collect();
        let holes = puzzle::hex::holes(&filled).len();
        let cuts = self.cutting.map_or_else(Vec::new, |(_, choice)| cuts_against(&puzzle.board, &loops, choice));
        if let Some((family, _)) = self.cutting {
            for cut in &cuts {
                family.add_cut(&mut self.builder, cut);
            }
        }
        self.cuts.extend(cuts.iter().cloned());
        Separation { loop_lengths: loops.iter().map(Vec::len).collect(), holes, cuts }
    }

    fn forbidden_by(&self, solution: &Solution) -> Option<&Cut> {
        let arrangement = self.arrangement(solution);
        self.cuts.iter().find(|cut| crossings(&arrangement, self.builder.puzzle.colour, cut) < 2)
    }
}
