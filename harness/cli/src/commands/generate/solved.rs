//! Boards that are made to be solvable: written only with a solution beside them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use puzzle::Known;
use record::{Category, Status};
use runner::Interrupt;

use super::recipe::Recipe;
use crate::args::Model;
use crate::commands::solve::{Options, solve_once, write_solution_beside};
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
    options: Options,
}

impl Solver {
    /// By a solver with so many seconds for each board.
    pub fn new(solver: &str, time_limit: f64) -> anyhow::Result<Self> {
        solvers::version(solver, &BTreeMap::new())?;
        let options = Options {
            solver: solver.to_owned(),
            options: Vec::new(),
            time_limit: Some(time_limit),
            cpu_limit: None,
            memory_limit: None,
            cgroups: true,
            seed: 0,
            threads: 1,
            log: None,
            proof: None,
            root_bound: false,
            interrupt: Interrupt::on_signals()?,
            talk: false,
        };
        Ok(Self { options })
    }

    /// Solves a board and writes it, as known to be solvable, if that succeeds. `what` names it in messages.
    pub fn try_board(&self, recipe: &Recipe, path: &Path, what: &str) -> anyhow::Result<Tried> {
        let unknown = Recipe { known: Known::Unknown, ..recipe.clone() };
        let instance = unknown.instance(path)?;
        if let Some(obstacle) = instance.obstacle() {
            return Err(Failed(format!("{what}: there is no solution on any board: {obstacle}")).into());
        }
        let kind = instance.puzzle.kind();
        let options = self.options.options.iter().cloned().collect();
        let usual = solvers::usual_kind(&self.options.solver, &options)?;
        let formulation = crate::commands::formulation(&Model::default(), kind, Some(usual))?;
        let (ended, judgement) = solve_once(&instance, unknown.text(), &formulation, &self.options)?;
        eprintln!("{what}: {}, {:.2} s", ended.status, ended.wall_time_s.unwrap_or_default());
        let solution = ended.answer.as_ref().and_then(|a| a.solution.as_ref());
        match (judgement.category, solution) {
            (Category::Correct, Some(solution)) => {
                Recipe { known: Known::Solvable, ..unknown }.write(path)?;
                Ok(Tried::Solved(write_solution_beside(path, solution)?))
            }
            (Category::Wrong | Category::Error, _) => {
                let why = [ended.message, judgement.message].into_iter().flatten().collect::<Vec<_>>().join("; ");
                Err(Failed(format!("{what}: {why}")).into())
            }
            _ => Ok(Tried::Unsolved(ended.status)),
        }
    }
}
