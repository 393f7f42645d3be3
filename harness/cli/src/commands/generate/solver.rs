//! Boards that are tried until a solver solves one.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::time::Instant;

use puzzle::Solution;
use record::{Category, Status};
use runner::{Interrupt, Limits, PlannedInstance, RunFiles, RunOutput, SingleRun, SolverInfo, run_single};

use super::board::BoardRecipe;
use crate::args::Model;
use crate::failure::Failed;
use crate::output::note;
use crate::solvers;

/// Tries boards with the default formulation of their kind.
pub struct Solver<'a> {
    name: &'a str,
    /// As the solver itself says it.
    pub version: String,
    /// Seconds for each board.
    time_s: f64,
    interrupt: Interrupt,
    start: Instant,
    /// Seconds for all boards together.
    total: Option<f64>,
    /// The boards that were tried: seeds may give one and the same.
    tried: RefCell<HashSet<String>>,
}

/// What became of a board.
pub enum Tried {
    /// It was solved, and the solution is verified.
    Solved(Solution),
    /// It was not solved, and this is how that ended.
    Ended(Status),
    /// It is one of those that were tried before.
    Before,
}

impl<'a> Solver<'a> {
    /// A solver that is on this machine, with seconds for each board and for all together.
    pub fn new(name: &'a str, time_s: f64, total: Option<f64>) -> anyhow::Result<Self> {
        SolverInfo::find(&solvers::known(), name).map_err(anyhow::Error::msg)?;
        let version = solvers::version(name, &BTreeMap::new())?;
        let interrupt = Interrupt::on_signals()?;
        Ok(Self { name, version, time_s, interrupt, start: Instant::now(), total, tried: RefCell::default() })
    }

    /// Seconds that are left of the total.
    pub fn time_left(&self) -> Option<f64> {
        self.total.map(|total| total - self.start.elapsed().as_secs_f64())
    }

    /// Solves a board whose file would be at a path; if that does not succeed, says how the solve ended. `what` names the board
    /// in messages.
    pub fn try_board(&self, unknown: &BoardRecipe, path: &Path, what: &str) -> anyhow::Result<Tried> {
        let name = self.name;
        let instance = unknown.instance(path)?;
        if !self.tried.borrow_mut().insert(instance.canonical()) {
            note!("{what}: a board that was tried already");
            return Ok(Tried::Before);
        }
        if let Some(obstacle) = instance.obstacle() {
            return Err(Failed(format!("{what}: there is no solution on any board: {obstacle}")).into());
        }
        let options = BTreeMap::new();
        let usual = solvers::usual_kind(name, &options)?;
        let formulation = crate::commands::formulation(&Model::default(), instance.puzzle.kind(), Some(usual))?;
        let run = SingleRun {
            instance: PlannedInstance::new(instance, path, unknown.text()),
            formulation,
            solver: name,
            options,
            threads: 1,
            proof: false,
            seed: 0,
            limits: Limits {
                // At least a moment: no time at all is no limit that a run can have.
                time_s: Some(self.time_left().map_or(self.time_s, |left| left.clamp(0.1, self.time_s))),
                ..Limits::default()
            },
        };
        let run = run.plan(&solvers::known())?;
        let output = run_single(&run, RunFiles::default(), true, &solvers::worker()?, &mut |_| {}, &self.interrupt)?;
        let RunOutput { row, solution, .. } = output;
        note!("{what}: {}, {:.2} s", row.status, row.wall_time_s.unwrap_or_default());
        match (row.category, solution) {
            (Category::Correct, Some(solution)) => Ok(Tried::Solved(solution)),
            (Category::Wrong | Category::Error, _) => {
                Err(Failed(format!("{what}: {}", row.message.unwrap_or_default())).into())
            }
            _ => Ok(Tried::Ended(row.status)),
        }
    }
}
