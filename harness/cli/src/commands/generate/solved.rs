//! Boards that are made to be solvable: written only with a solution beside them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use puzzle::Known;
use record::{Category, Status};
use runner::{Interrupt, Limits, PlannedInstance, RunFiles, RunOutput, SingleRun, run_single};

use super::recipe::Recipe;
use crate::args::Model;
use crate::commands::solve::write_solution_beside;
use crate::failure::Failed;
use crate::solvers;

/// What became of a board.
pub enum Tried {
    /// Both files are written; the solution's name.
    Solved(PathBuf),
    /// Nothing is written: how the solve ended.
    Unsolved(Status),
}

/// Tries boards with the default formulation of their kind.
pub struct Solver {
    name: String,
    time_limit: f64,
    interrupt: Interrupt,
}

impl Solver {
    /// By a solver with so many seconds for each board.
    pub fn new(solver: &str, time_limit: f64) -> anyhow::Result<Self> {
        solvers::version(solver, &BTreeMap::new())?;
        Ok(Self { name: solver.to_owned(), time_limit, interrupt: Interrupt::on_signals()? })
    }

    /// Solves a board and writes it, as known to be solvable, if that succeeds. `what` names it in messages.
    pub fn try_board(&self, recipe: &Recipe, path: &Path, what: &str) -> anyhow::Result<Tried> {
        let unknown = Recipe { known: Known::Unknown, ..recipe.clone() };
        let instance = unknown.instance(path)?;
        if let Some(obstacle) = instance.obstacle() {
            return Err(Failed(format!("{what}: there is no solution on any board: {obstacle}")).into());
        }
        let options = BTreeMap::new();
        let usual = solvers::usual_kind(&self.name, &options)?;
        let formulation = crate::commands::formulation(&Model::default(), instance.puzzle.kind(), Some(usual))?;
        let run = SingleRun {
            instance: PlannedInstance::new(instance, path, unknown.text()),
            formulation,
            root_bound: false,
            solver: &self.name,
            options,
            threads: 1,
            proof: false,
            seed: 0,
            limits: Limits { time_s: Some(self.time_limit), ..Limits::default() },
        };
        let run = run.plan(&solvers::known())?;
        let output = run_single(&run, RunFiles::default(), true, &solvers::worker()?, &mut |_| {}, &self.interrupt)?;
        let RunOutput { row, solution, .. } = output;
        eprintln!("{what}: {}, {:.2} s", row.status, row.wall_time_s.unwrap_or_default());
        match (row.category, solution) {
            (Category::Correct, Some(solution)) => {
                Recipe { known: Known::Solvable, ..unknown }.write(path)?;
                Ok(Tried::Solved(write_solution_beside(path, &solution)?))
            }
            (Category::Wrong | Category::Error, _) => {
                Err(Failed(format!("{what}: {}", row.message.unwrap_or_default())).into())
            }
            _ => Ok(Tried::Unsolved(row.status)),
        }
    }
}
