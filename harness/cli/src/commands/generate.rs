//! `tilebench generate`: instance files that can be made again, byte for byte.

mod board;
mod game;
mod suite;

use std::collections::BTreeMap;
use std::process::ExitCode;

use puzzle::Known;
use record::{Category, Status};
use runner::{Interrupt, Limits, PlannedInstance, RunFiles, RunOutput, SingleRun, run_single};

use super::solve::write_solution_beside;
use crate::args::{Board, Generate, GenerateBounded, GenerateFixed, Model};
use crate::failure::{Failed, INTERRUPTED};
use crate::output::{note, say};
use crate::solvers;
use board::{BoardKind, BoardRecipe};

/// Makes instances.
pub fn generate(args: &Generate) -> anyhow::Result<ExitCode> {
    match args {
        Generate::Fixed(args) => fixed(args),
        Generate::Bounded(args) => bounded(args),
        Generate::Soku(args) => game::generate(args),
        Generate::Suite(args) => suite::generate(args),
    }
}

/// Writes a board, with `--solve` the first one that has a solution.
fn fixed(args: &GenerateFixed) -> anyhow::Result<ExitCode> {
    let kind = |seed| BoardKind::Fixed { shape: args.shape, seed };
    let Some(solver) = plain_or_solved(&args.board, kind(args.seed))? else { return Ok(ExitCode::SUCCESS) };
    for seed in args.seed..args.seed.saturating_add(args.tries) {
        match solver.try_board(kind(seed), &format!("seed {seed}"))? {
            None => return Ok(ExitCode::SUCCESS),
            Some(Status::Interrupted) => return Ok(ExitCode::from(INTERRUPTED)),
            Some(_) => {}
        }
    }
    let last = args.seed.saturating_add(args.tries - 1);
    Err(Failed(format!(
        "none of the seeds {} to {last} gave a board that was solved within {} s (see above: infeasible boards need other \
         seeds or another shape, timeouts more time)",
        args.seed, args.board.time_limit
    ))
    .into())
}

/// Writes a board, with `--solve` only if it has a solution.
fn bounded(args: &GenerateBounded) -> anyhow::Result<ExitCode> {
    let board = &args.board;
    let size = args.places.or(args.rings.map(|rings| args.kind.size(rings))).unwrap_or_default();
    let kind =
        BoardKind::bounded(args.kind, size, args.numbering).map_err(|reason| anyhow::anyhow!("places: {reason}"))?;
    let Some(solver) = plain_or_solved(board, kind.clone())? else { return Ok(ExitCode::SUCCESS) };
    let what = format!("challenge {} on {size} places", board.challenge);
    let not_written = format!("so {} is not written", board.output.display());
    match solver.try_board(kind, &what)? {
        None => Ok(ExitCode::SUCCESS),
        Some(Status::Interrupted) => Ok(ExitCode::from(INTERRUPTED)),
        Some(Status::Infeasible) => {
            Err(Failed(format!("{what} is infeasible: the solver proved that no solution exists, {not_written}"))
                .into())
        }
        Some(_) => Err(Failed(format!(
            "{what} was not solved within {} s, {not_written}; give it more time, or leave out --solve",
            board.time_limit
        ))
        .into()),
    }
}

/// What the options say of a board.
fn recipe(args: &Board, kind: BoardKind) -> BoardRecipe {
    let Board { challenge, colour, tiles, .. } = *args;
    BoardRecipe { kind, challenge, colour, tiles, known: Known::Unknown }
}

/// Writes the board as it is, or with `--solve` gives what solves it.
fn plain_or_solved(args: &Board, kind: BoardKind) -> anyhow::Result<Option<Solver<'_>>> {
    if args.solve {
        solvers::version(&args.solver, &BTreeMap::new())?;
        return Ok(Some(Solver { args, interrupt: Interrupt::on_signals()? }));
    }
    recipe(args, kind).write(&args.output)?;
    say!("{}", args.output.display());
    Ok(None)
}

/// Tries boards with the default formulation of their kind.
struct Solver<'a> {
    args: &'a Board,
    interrupt: Interrupt,
}

impl Solver<'_> {
    /// Solves a board and writes it with its solution, as known to be solvable; if that does not succeed, says how the solve
    /// ended. `what` names the board in messages.
    fn try_board(&self, kind: BoardKind, what: &str) -> anyhow::Result<Option<Status>> {
        let (name, path) = (self.args.solver.as_str(), &self.args.output);
        let unknown = recipe(self.args, kind);
        let instance = unknown.instance(path)?;
        if let Some(obstacle) = instance.obstacle() {
            return Err(Failed(format!("{what}: there is no solution on any board: {obstacle}")).into());
        }
        let options = BTreeMap::new();
        let usual = solvers::usual_kind(name, &options)?;
        let formulation = crate::commands::formulation(&Model::default(), instance.puzzle.kind(), Some(usual))?;
        let run = SingleRun {
            instance: PlannedInstance::new(instance, path, unknown.text()),
            formulation,
            root_bound: false,
            solver: name,
            options,
            threads: 1,
            proof: false,
            seed: 0,
            limits: Limits { time_s: Some(self.args.time_limit), ..Limits::default() },
        };
        let run = run.plan(&solvers::known())?;
        let output = run_single(&run, RunFiles::default(), true, &solvers::worker()?, &mut |_| {}, &self.interrupt)?;
        let RunOutput { row, solution, .. } = output;
        note!("{what}: {}, {:.2} s", row.status, row.wall_time_s.unwrap_or_default());
        match (row.category, solution) {
            (Category::Correct, Some(solution)) => {
                BoardRecipe { known: Known::Solvable, ..unknown }.write(path)?;
                let beside = write_solution_beside(path, &solution)?;
                say!("{} {}", path.display(), beside.display());
                Ok(None)
            }
            (Category::Wrong | Category::Error, _) => {
                Err(Failed(format!("{what}: {}", row.message.unwrap_or_default())).into())
            }
            _ => Ok(Some(row.status)),
        }
    }
}
