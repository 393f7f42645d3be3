//! Lists of many boards for experiments: recipes with seeds. Which boards they hold, a solver decides that is not to be measured
//! on them.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::process::ExitCode;

use anyhow::Context;
use combinatorics::tantrix::shapes::Shape;
use puzzle::Known;
use puzzle::tantrix::{Board, BoardType, Numbering, TileSet, TileSetKind};
use record::{Category, Status};
use runner::{Interrupt, Limits, PlannedInstance, RunFiles, RunOutput, SingleRun, SolverInfo, is_suite, run_single};

use super::recipe::{BoardKind, BoardRecipe};
use super::suite;
use crate::args::{ListBounded, ListFixed, ListOf, Model};
use crate::output::{Failed, INTERRUPTED, check_outputs, note, say};
use crate::solvers;

/// Shapes of fixed boards, each tried with every seed.
const SHAPES: [Shape; 3] = [Shape::Round, Shape::Spur, Shape::Blob];

/// Fixed boards of one size, half of them, or as many as asked for, with places of just two neighbours (where C6 applies; `c6` is in
/// their names).
pub fn fixed(args: &ListFixed) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(
        args.corners.is_some() || args.count.is_multiple_of(2),
        "count: {}; half of the boards have places with two neighbours, so it is even, or --corners says how many have them",
        args.count
    );
    let corners = args.corners.unwrap_or(args.count / 2);
    anyhow::ensure!(corners <= args.count, "corners: {corners}, and there are {} boards in all", args.count);
    let (list, n) = (&args.list, args.challenge);
    let solver = Solver::of(list)?;
    // Before any place is laid out: a shape of a billion places would take all memory.
    TileSet::new(TileSetKind::Repeated, n).map_err(|reason| anyhow::anyhow!("challenge: {reason}"))?;
    // Without places of two neighbours, and with some.
    let wanted = [args.count - corners, corners];
    let mut seeds: BTreeMap<String, (Shape, Vec<u64>)> = BTreeMap::new();
    let mut found = [0; 2];
    for seed in args.seed..args.seed.saturating_add(args.tries) {
        for shape in SHAPES {
            let corners = has_corners(shape, n, seed);
            let place = usize::from(corners);
            if found[place] == wanted[place] {
                continue;
            }
            match solver.try_board(BoardKind::Fixed { shape, seed }, n, &format!("{shape}, seed {seed}"))? {
                Tried::Solved => {
                    found[place] += 1;
                    let name = format!("n{n}-{}{shape}", if corners { "c6-" } else { "" });
                    seeds.entry(name).or_insert((shape, Vec::new())).1.push(seed);
                }
                Tried::Ended(Status::Interrupted) => return Ok(ExitCode::from(INTERRUPTED)),
                Tried::Ended(_) | Tried::Before => {}
            }
        }
        if found == wanted {
            let boards = seeds.into_iter().map(|(name, (shape, seeds))| {
                format!(
                    "[[board]]\nname = \"{name}\"\nshape = \"{shape}\"\nchallenge = {n}\n{}seeds = {seeds:?}\n\
                     known = \"solvable\"\n",
                    colour(list)
                )
            });
            let share = match wanted {
                [plain, corners] if plain == corners => "half".to_owned(),
                [0, _] => "all".to_owned(),
                [_, corners] => corners.to_string(),
            };
            let about = format!(
                "# {} fixed boards of {n} tiles, {share} of them with places of just two neighbours (c6): the first ones, from seed\n\
                 # {} on, of the shapes round, spur and blob that {} {} solved in at most {} s each.",
                args.count, args.seed, list.solver, solver.version, list.time_limit
            );
            return write(list, &solver, &about, &boards.collect::<Vec<_>>());
        }
    }
    Err(Failed(format!(
        "{} seeds from {} on gave {} of {} boards with places of two neighbours and {} of {} without; take more --tries or time, \
         or other numbers of them by --corners",
        args.tries, args.seed, found[1], wanted[1], found[0], wanted[0]
    ))
    .into())
}

/// Every challenge on the least regular boards with at least 1.2 times as many places. What is infeasible is left out.
pub fn bounded(args: &ListBounded) -> anyhow::Result<ExitCode> {
    let list = &args.list;
    let solver = Solver::of(list)?;
    let mut boards = Vec::new();
    for n in args.challenges.clone() {
        let mut least = n.saturating_mul(6).div_ceil(5);
        for _ in 0..args.boards {
            let (kind, size) = BoardType::at_least(least);
            least = size + 1;
            let board = BoardKind::bounded(kind, size, Numbering::Rings).with_context(|| format!("challenge {n}"))?;
            let name = format!("n{n}-m{size}");
            let known = match solver.try_board(board, n, &name)? {
                Tried::Solved => Known::Solvable,
                Tried::Ended(Status::Infeasible) => {
                    note!("{name} is left out");
                    continue;
                }
                Tried::Ended(Status::Interrupted) => return Ok(ExitCode::from(INTERRUPTED)),
                Tried::Ended(_) | Tried::Before => Known::Unknown,
            };
            boards.push(format!(
                "[[board]]\nname = \"{name}\"\ntype = \"{kind}\"\nplaces = {size}\nchallenge = {n}\n{}known = \"{}\"\n",
                colour(list),
                known.name()
            ));
        }
    }
    if boards.is_empty() {
        return Err(Failed("none of these boards has a solution".to_owned()).into());
    }
    let about = format!(
        "# {} to {} tiles on the {} least regular boards each with at least 1.2 times as many places, without those that {} {}\n\
         # proved infeasible; known to be solvable are those that it solved in at most {} s each.",
        args.challenges.start(),
        args.challenges.end(),
        args.boards,
        list.solver,
        solver.version,
        list.time_limit
    );
    write(list, &solver, &about, &boards)
}

fn has_corners(shape: Shape, challenge: usize, seed: u64) -> bool {
    let board = Board::new(&shape.places(challenge, seed));
    board.is_ok_and(|board| board.numbers().any(|place| board.inner_edges(place).count() == 2))
}

fn colour(list: &ListOf) -> String {
    list.colour.map(|colour| format!("colour = \"{colour}\"\n")).unwrap_or_default()
}

fn write(list: &ListOf, solver: &Solver<'_>, about: &str, boards: &[String]) -> anyhow::Result<ExitCode> {
    let (boards, solved_by) = (boards.join("\n"), format!("{} {}", list.solver, solver.version));
    let made = suite::made_by(&boards, &list.output)?;
    let text = format!("{about}\n\nsolved-by = \"{solved_by}\"\nhash = \"{}\"\n\n{boards}", suite::hash(&made));
    record::write_whole(&list.output, text.as_bytes())?;
    say!("{} {}", list.output.display(), runner::count(made.len(), "board"));
    Ok(ExitCode::SUCCESS)
}

/// Tries boards with the default formulation of their kind.
struct Solver<'a> {
    list: &'a ListOf,
    /// As the solver itself says it.
    version: String,
    interrupt: Interrupt,
    /// The boards that were tried: seeds may give one and the same.
    tried: RefCell<HashSet<String>>,
}

/// What became of a board.
enum Tried {
    /// It was solved, and the solution is verified.
    Solved,
    /// It was not solved, and this is how that ended.
    Ended(Status),
    /// It is one of those that were tried before.
    Before,
}

impl<'a> Solver<'a> {
    /// The solver of a list that may be written.
    fn of(list: &'a ListOf) -> anyhow::Result<Self> {
        let (name, output) = (list.solver.as_str(), &list.output);
        anyhow::ensure!(
            is_suite(output),
            "--output {}: a list of recipes is called suite.toml or NAME.suite.toml, by which configs and commands know it",
            output.display()
        );
        anyhow::ensure!(!output.is_dir(), "--output {}: is a folder; name a file", output.display());
        anyhow::ensure!(
            list.force || !output.exists(),
            "{}: there is such a file already; choose another name, or replace it by --force",
            output.display()
        );
        check_outputs(&[], &[output])?;
        SolverInfo::find(&solvers::known(), name).map_err(anyhow::Error::msg)?;
        let version = solvers::version(name, &BTreeMap::new())?;
        Ok(Self { list, version, interrupt: Interrupt::on_signals()?, tried: RefCell::default() })
    }

    /// Solves a board; `what` names it in messages.
    fn try_board(&self, kind: BoardKind, challenge: usize, what: &str) -> anyhow::Result<Tried> {
        let ListOf { solver: name, colour, time_limit, output, .. } = self.list;
        let tiles = TileSetKind::Repeated;
        let recipe = BoardRecipe { kind, challenge, colour: *colour, tiles, known: Known::Unknown, remark: None };
        let instance = recipe.instance(output)?;
        if !self.tried.borrow_mut().insert(instance.canonical()) {
            note!("{what}: a board that was tried already");
            return Ok(Tried::Before);
        }
        if let Some(obstacle) = instance.obstacle() {
            return Err(Failed(format!("{what}: there is no solution on any board: {obstacle}")).into());
        }
        let options = BTreeMap::new();
        let usual = solvers::usual_kind(name, &options)?;
        let formulation = Model::default().formulation(instance.puzzle.kind(), Some(usual))?;
        let run = SingleRun {
            instance: PlannedInstance::new(instance, output, recipe.text()),
            formulation,
            solver: name,
            options,
            threads: 1,
            proof: false,
            seed: 0,
            limits: Limits { time_s: Some(*time_limit), ..Limits::default() },
        };
        let run = run.plan(&solvers::known())?;
        let output = run_single(&run, RunFiles::default(), true, &solvers::worker()?, &mut |_| {}, &self.interrupt)?;
        let RunOutput { row, solution, .. } = output;
        note!("{what}: {}, {:.2} s", row.status, row.wall_time_s.unwrap_or_default());
        match (row.category, solution) {
            (Category::Correct, Some(_)) => Ok(Tried::Solved),
            (Category::Wrong | Category::Error, _) => {
                Err(Failed(format!("{what}: {}", row.message.unwrap_or_default())).into())
            }
            _ => Ok(Tried::Ended(row.status)),
        }
    }
}
