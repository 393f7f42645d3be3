//! `tilebench generate`: instance files that can be made again, byte for byte.

mod board;
mod game;
mod suite;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use puzzle::Known;
use record::{Category, Status};
use runner::{Interrupt, Limits, PlannedInstance, RunFiles, RunOutput, SingleRun, run_single};

use super::solve::write_solution_beside;
use crate::args::{Generate, GenerateBounded, GenerateFixed, Model};
use crate::failure::{Failed, INTERRUPTED};
use crate::output::say;
use crate::solvers;
use board::{BoardRecipe, Setting};

/// Makes instances.
pub fn generate(args: &Generate) -> anyhow::Result<ExitCode> {
    match args {
        Generate::Fixed(args) => fixed(args),
        Generate::Bounded(args) => bounded(args),
        Generate::Soku(args) => game::generate(args),
        Generate::Suite(args) => suite::generate(args),
    }
}

/// Writes an instance file, with `--solve` only one that has a solution, and the solution beside it.
fn fixed(args: &GenerateFixed) -> anyhow::Result<ExitCode> {
    let recipe = |seed| BoardRecipe {
        setting: Setting::Fixed { shape: args.shape, seed },
        challenge: args.challenge,
        colour: args.colour,
        tiles: args.tiles.into(),
        known: Known::Unknown,
    };
    if !args.solve {
        recipe(args.seed).write(&args.output)?;
        say!("{}", args.output.display());
        return Ok(ExitCode::SUCCESS);
    }
    let solver = Solver::new(&args.solver, args.time_limit)?;
    for seed in args.seed..args.seed.saturating_add(args.tries) {
        match solver.try_board(&recipe(seed), &args.output, &format!("seed {seed}"))? {
            Tried::Solved(beside) => {
                say!("{} {}", args.output.display(), beside.display());
                return Ok(ExitCode::SUCCESS);
            }
            Tried::Unsolved(Status::Interrupted) => return Ok(ExitCode::from(INTERRUPTED)),
            Tried::Unsolved(_) => {}
        }
    }
    let last = args.seed.saturating_add(args.tries - 1);
    Err(Failed(format!("none of the seeds {} to {last} gave a board that was solved within {} s (see above: infeasible boards need other seeds or another shape, timeouts more time)", args.seed, args.time_limit)).into())
}

/// Writes an instance file, with `--solve` only if it has a solution, and the solution beside it.
fn bounded(args: &GenerateBounded) -> anyhow::Result<ExitCode> {
    let size = args.places.or(args.rings.map(|rings| args.board.size(rings))).unwrap_or_default();
    let recipe = BoardRecipe {
        setting: Setting::bounded(args.board, size, args.numbering)
            .map_err(|reason| anyhow::anyhow!("places: {reason}"))?,
        challenge: args.challenge,
        colour: args.colour,
        tiles: args.tiles.into(),
        known: Known::Unknown,
    };
    if !args.solve {
        recipe.write(&args.output)?;
        say!("{}", args.output.display());
        return Ok(ExitCode::SUCCESS);
    }
    let what = format!("challenge {} on {size} places", args.challenge);
    match Solver::new(&args.solver, args.time_limit)?.try_board(&recipe, &args.output, &what)? {
        Tried::Solved(beside) => {
            say!("{} {}", args.output.display(), beside.display());
            Ok(ExitCode::SUCCESS)
        }
        Tried::Unsolved(Status::Interrupted) => Ok(ExitCode::from(INTERRUPTED)),
        Tried::Unsolved(Status::Infeasible) => Err(Failed(format!(
            "{what} is infeasible: the solver proved that no solution exists, so {} is not written",
            args.output.display()
        ))
        .into()),
        Tried::Unsolved(_) => Err(Failed(format!(
            "{what} was not solved within {} s, so {} is not written; give it more time, or leave out --solve",
            args.time_limit,
            args.output.display()
        ))
        .into()),
    }
}

/// What became of a board.
enum Tried {
    /// Both files are written; the solution's name.
    Solved(PathBuf),
    /// Nothing is written: how the solve ended.
    Unsolved(Status),
}

/// Tries boards with the default formulation of their kind.
struct Solver {
    name: String,
    time_limit: f64,
    interrupt: Interrupt,
}

impl Solver {
    /// Uses a solver, with a time limit in seconds for each board.
    fn new(solver: &str, time_limit: f64) -> anyhow::Result<Self> {
        solvers::version(solver, &BTreeMap::new())?;
        Ok(Self { name: solver.to_owned(), time_limit, interrupt: Interrupt::on_signals()? })
    }

    /// Solves a board and writes it, as known to be solvable, if that succeeds. `what` names it in messages.
    fn try_board(&self, recipe: &BoardRecipe, path: &Path, what: &str) -> anyhow::Result<Tried> {
        let unknown = BoardRecipe { known: Known::Unknown, ..recipe.clone() };
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
                BoardRecipe { known: Known::Solvable, ..unknown }.write(path)?;
                Ok(Tried::Solved(write_solution_beside(path, &solution)?))
            }
            (Category::Wrong | Category::Error, _) => {
                Err(Failed(format!("{what}: {}", row.message.unwrap_or_default())).into())
            }
            _ => Ok(Tried::Unsolved(row.status)),
        }
    }
}
