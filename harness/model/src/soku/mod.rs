//! 3SoKu: the integer program (`mip`), the clauses (`sat`), the constraint model (`cp`), programs (`program`).

pub(crate) mod cp;
pub(crate) mod mip;
mod options;
pub(crate) mod problem;
pub(crate) mod program;
pub(crate) mod sat;

use puzzle::soku::Soku;

use self::options::Options;
use self::problem::Game;
use crate::error::{ModelError, check_order};
use crate::family::Rows;
use crate::formulation::{Formulation, Objective};
use crate::ir::{Model, VarId};

/// Greatest weight and capacity. Solvers take a binary value for 0 or 1 that is off by up to 1e-5 (GLPK; others 1e-6): weights of
/// 50,000 make that half a dot. Above, some were seen to find solutions that are none, and solvable games infeasible.
const GREATEST: u32 = 40_000;

/// Builds the model with all its families and the objective.
pub(crate) fn build_mip(formulation: &Formulation, name: &str, game: &Soku) -> Result<Game<Model>, ModelError> {
    let greatest = game.tiles.iter().flatten().chain(&game.capacity).max().copied().unwrap_or(0);
    if greatest > GREATEST {
        return Err(ModelError::Impossible(format!(
            "a weight or capacity of {greatest}; solvers of linear models round, and tell sums apart up to {GREATEST}; kind sat takes \
             more"
        )));
    }
    let has = |id| formulation.families().iter().any(|family| family.id == id);
    let mut b = Game::with_x(name, game, if has("S2") { Options::of_tiles(game) } else { Options::of_sorts(game) })?;
    if formulation.objective() == Objective::Random {
        // While there are no variables but the x.
        b.model.set_random_objective(formulation.seed());
    }
    if has("S5") {
        check_order("S5", "S2'", mip::pairs(game).len(), game.tiles.len(), 3)?;
    }
    for family in formulation.families() {
        if let Rows::Soku(add) = family.rows {
            add(&mut b);
        }
    }
    if formulation.objective() == Objective::Virtual {
        b.model.set_objective(vec![(VarId(0), 1.0)]);
    }
    Ok(b)
}
