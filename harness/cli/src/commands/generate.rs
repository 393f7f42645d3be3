//! `tilebench generate`: instance files that can be made again, byte for byte.

mod board;
mod game;
mod list;
mod suite;

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use puzzle::{Instance, Known, Solution, verify};
use record::{Category, Status};
use runner::{Interrupt, Limits, PlannedInstance, RunFiles, RunOutput, SingleRun, SolverInfo, run_single};

use crate::args::{Board, Generate, GenerateBounded, GenerateFixed, GenerateList, Model};
use crate::failure::{Failed, INTERRUPTED};
use crate::output::{note, say};
use crate::solvers;
use board::{BoardKind, BoardRecipe};
pub use suite::instances as make_suite;

/// Makes instances.
pub fn generate(args: &Generate) -> anyhow::Result<ExitCode> {
    match args {
        Generate::Fixed(args) => fixed(args),
        Generate::Bounded(args) => bounded(args),
        Generate::Soku(args) => game::generate(args),
        Generate::List(GenerateList::Fixed(args)) => list::fixed(args),
        Generate::List(GenerateList::Bounded(args)) => list::bounded(args),
        Generate::Suite(args) => suite::generate(args),
    }
}

/// Refuses to write over a file that holds something else, unless that is forced.
fn check_free(path: &Path, content: &str, force: bool) -> anyhow::Result<()> {
    let is_other = path.is_file() && !fs::read(path).is_ok_and(|found| found == content.as_bytes());
    anyhow::ensure!(
        force || !is_other,
        "{}: there is such a file already, and it holds something else; choose another name, or replace it by --force",
        path.display()
    );
    Ok(())
}

/// Refuses a file that is there, whatever it holds, unless that is forced: before a solver takes its time.
fn check_unwritten(path: &Path, force: bool) -> anyhow::Result<()> {
    anyhow::ensure!(
        force || !path.is_file(),
        "{}: there is such a file already; choose another name, or replace it by --force",
        path.display()
    );
    Ok(())
}

/// Writes the solution of an instance file.
fn write_solution(path: &Path, solution: &Solution) -> anyhow::Result<PathBuf> {
    let beside = solution_beside(path);
    record::write_whole(&beside, solution.to_json().as_bytes())?;
    Ok(beside)
}

/// Where the solution of an instance file stands.
fn solution_beside(path: &Path) -> PathBuf {
    path.with_extension("solution.json")
}

/// The solution beside an instance file, if it is none of the instance that is to be written there. Unless that is forced, it is
/// an error.
fn stale_solution(instance: &Instance, path: &Path, force: bool) -> anyhow::Result<Option<PathBuf>> {
    let beside = solution_beside(path);
    let fits = || Solution::load(&beside).is_ok_and(|solution| verify(instance, &solution).is_valid());
    if !beside.is_file() || fits() {
        return Ok(None);
    }
    anyhow::ensure!(
        force,
        "{}: this is no solution of the instance to be written beside it; move it away, or remove it by --force",
        beside.display()
    );
    Ok(Some(beside))
}

/// Removes a solution that does not fit any more.
fn remove(stale: Option<PathBuf>) -> anyhow::Result<()> {
    if let Some(path) = stale {
        fs::remove_file(&path).with_context(|| path.display().to_string())?;
        note!("note: {} belonged to another instance and is removed", path.display());
    }
    Ok(())
}

/// Writes a board, with `--solve` the first one that has a solution.
fn fixed(args: &GenerateFixed) -> anyhow::Result<ExitCode> {
    let kind = |seed| BoardKind::Fixed { shape: args.shape, seed };
    let Some(solver) = plain_or_solved(&args.board, kind(args.seed), Some(args.total_time))? else {
        return Ok(ExitCode::SUCCESS);
    };
    let (mut tried, mut layouts) = (0, 0);
    for seed in args.seed..args.seed.saturating_add(args.tries) {
        if solver.time_left().is_some_and(|left| left <= 0.0) {
            note!("{} s are over", args.total_time);
            break;
        }
        tried += 1;
        let recipe = recipe(&args.board, kind(seed));
        match solver.try_board(&recipe, &args.board.output, &format!("seed {seed} ({tried} of {})", args.tries))? {
            Tried::Solved(solution) => return write_solved(recipe, &args.board.output, &solution),
            Tried::Ended(Status::Interrupted) => return Ok(ExitCode::from(INTERRUPTED)),
            Tried::Ended(_) => layouts += 1,
            Tried::Before => {}
        }
    }
    let last = args.seed.saturating_add(tried.max(1) - 1);
    Err(Failed(format!(
        "none of the seeds {} to {last} gave a board that was solved within {} s each and {} s in all ({layouts} different; see \
         above: infeasible boards need other seeds or another shape, timeouts more time, by --time-limit and --total-time)",
        args.seed, args.board.time_limit, args.total_time
    ))
    .into())
}

/// Writes a board, with `--solve` only if it has a solution.
fn bounded(args: &GenerateBounded) -> anyhow::Result<ExitCode> {
    let board = &args.board;
    let size = args.places.or(args.rings.map(|rings| args.kind.size(rings))).unwrap_or_default();
    let kind =
        BoardKind::bounded(args.kind, size, args.numbering).map_err(|reason| anyhow::anyhow!("places: {reason}"))?;
    let Some(solver) = plain_or_solved(board, kind.clone(), None)? else { return Ok(ExitCode::SUCCESS) };
    let what = format!("challenge {} on {size} places", board.challenge);
    let not_written = format!("so {} is not written", board.output.display());
    let recipe = recipe(board, kind);
    match solver.try_board(&recipe, &board.output, &what)? {
        Tried::Solved(solution) => write_solved(recipe, &board.output, &solution),
        Tried::Ended(Status::Interrupted) => Ok(ExitCode::from(INTERRUPTED)),
        Tried::Ended(Status::Infeasible) => {
            Err(Failed(format!("{what} is infeasible: the solver proved that no solution exists, {not_written}"))
                .into())
        }
        Tried::Ended(_) | Tried::Before => Err(Failed(format!(
            "{what} was not solved within {} s, {not_written}; give it more time, or leave out --solve",
            board.time_limit
        ))
        .into()),
    }
}

/// What the options say of a board.
fn recipe(args: &Board, kind: BoardKind) -> BoardRecipe {
    let Board { challenge, colour, tiles, .. } = *args;
    BoardRecipe { kind, challenge, colour, tiles, known: Known::Unknown, remark: None }
}

/// Writes the board as it is, or with `--solve` gives what solves it, in at most so many seconds for all boards.
fn plain_or_solved(args: &Board, kind: BoardKind, total: Option<f64>) -> anyhow::Result<Option<Solver<'_>>> {
    let path = &args.output;
    if args.solve {
        // Which board it will be, only the solver tells; so nothing may be there.
        for path in [path.clone(), solution_beside(path)] {
            check_unwritten(&path, args.force)?;
        }
        return Ok(Some(Solver::new(&args.solver, args.time_limit, total)?));
    }
    let recipe = recipe(args, kind);
    let instance = recipe.instance(path)?;
    check_free(path, &recipe.text(), args.force)?;
    remove(stale_solution(&instance, path, args.force)?)?;
    recipe.write(path)?;
    say!("{}", path.display());
    Ok(None)
}

/// Writes a board that was solved, and the solution beside it.
fn write_solved(recipe: BoardRecipe, path: &Path, solution: &Solution) -> anyhow::Result<ExitCode> {
    BoardRecipe { known: Known::Solvable, ..recipe }.write(path)?;
    let beside = write_solution(path, solution)?;
    say!("{} {}", path.display(), beside.display());
    Ok(ExitCode::SUCCESS)
}

/// Tries boards with the default formulation of their kind.
struct Solver<'a> {
    name: &'a str,
    /// As the solver itself says it.
    version: String,
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
enum Tried {
    /// It was solved, and the solution is verified.
    Solved(Solution),
    /// It was not solved, and this is how that ended.
    Ended(Status),
    /// It is one of those that were tried before.
    Before,
}

impl<'a> Solver<'a> {
    /// A solver that is on this machine, with seconds for each board and for all together.
    fn new(name: &'a str, time_s: f64, total: Option<f64>) -> anyhow::Result<Self> {
        SolverInfo::find(&solvers::known(), name).map_err(anyhow::Error::msg)?;
        let version = solvers::version(name, &BTreeMap::new())?;
        let interrupt = Interrupt::on_signals()?;
        Ok(Self { name, version, time_s, interrupt, start: Instant::now(), total, tried: RefCell::default() })
    }

    /// Seconds that are left of the total.
    fn time_left(&self) -> Option<f64> {
        self.total.map(|total| total - self.start.elapsed().as_secs_f64())
    }

    /// Solves a board whose file would be at a path; if that does not succeed, says how the solve ended. `what` names the board
    /// in messages.
    fn try_board(&self, unknown: &BoardRecipe, path: &Path, what: &str) -> anyhow::Result<Tried> {
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
            root_bound: false,
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
