//! Lists of many boards for experiments: recipes with seeds. Which boards they hold, a solver decides that is not to be measured
//! on them.

use std::collections::BTreeMap;
use std::process::ExitCode;

use combinatorics::tantrix::shapes::Shape;
use puzzle::Known;
use puzzle::tantrix::{Board, BoardType, Numbering, TileSetKind};
use record::Status;

use super::board::{BoardKind, BoardRecipe};
use super::files::check_unwritten;
use super::solver::{Solver, Tried};
use super::suite;
use crate::args::{ListBounded, ListFixed, ListOf};
use crate::failure::{Failed, INTERRUPTED};
use crate::output::{note, say};

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
    let solver = list.solver()?;
    // Without places of two neighbours, and with some.
    let wanted = [args.count - corners, corners];
    let mut seeds: BTreeMap<String, (Shape, Vec<u64>)> = BTreeMap::new();
    let mut found = [0; 2];
    for seed in args.seed..args.seed.saturating_add(args.tries) {
        for shape in SHAPES {
            let recipe = list.recipe(BoardKind::Fixed { shape, seed }, n, Known::Unknown);
            recipe.instance(&list.output)?;
            let corners = has_corners(shape, n, seed);
            let place = usize::from(corners);
            if found[place] == wanted[place] {
                continue;
            }
            match solver.try_board(&recipe, &list.output, &format!("{shape}, seed {seed}"))? {
                Tried::Solved(_) => {
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
                    list.colour()
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
    let solver = list.solver()?;
    let mut boards = Vec::new();
    for n in args.challenges.clone() {
        let mut least = n.saturating_mul(6).div_ceil(5);
        for _ in 0..args.boards {
            let (kind, size) = BoardType::at_least(least);
            least = size + 1;
            let board = BoardKind::bounded(kind, size, Numbering::Rings)
                .map_err(|reason| anyhow::anyhow!("challenge {n}: {reason}"))?;
            let name = format!("n{n}-m{size}");
            let known = match solver.try_board(&list.recipe(board, n, Known::Unknown), &list.output, &name)? {
                Tried::Solved(_) => Known::Solvable,
                Tried::Ended(Status::Infeasible) => {
                    note!("{name} is left out");
                    continue;
                }
                Tried::Ended(Status::Interrupted) => return Ok(ExitCode::from(INTERRUPTED)),
                Tried::Ended(_) | Tried::Before => Known::Unknown,
            };
            boards.push(format!(
                "[[board]]\nname = \"{name}\"\ntype = \"{kind}\"\nplaces = {size}\nchallenge = {n}\n{}known = \"{}\"\n",
                list.colour(),
                known.name()
            ));
        }
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

/// Whether places of a board have just two neighbours.
fn has_corners(shape: Shape, challenge: usize, seed: u64) -> bool {
    let board = Board::new(&shape.places(challenge, seed));
    board.is_ok_and(|board| board.numbers().any(|place| board.inner_edges(place).count() == 2))
}

impl ListOf {
    /// What solves the boards, if the list may be written.
    fn solver(&self) -> anyhow::Result<Solver<'_>> {
        check_unwritten(&self.output, self.force)?;
        Solver::new(&self.solver, self.time_limit, None)
    }

    fn recipe(&self, kind: BoardKind, challenge: usize, known: Known) -> BoardRecipe {
        BoardRecipe { kind, challenge, colour: self.colour, tiles: TileSetKind::Repeated, known, remark: None }
    }

    /// The line of the colour, if one is chosen.
    fn colour(&self) -> String {
        self.colour.map(|colour| format!("colour = \"{colour}\"\n")).unwrap_or_default()
    }
}

/// Writes a list with the hash of what it makes.
fn write(list: &ListOf, solver: &Solver<'_>, about: &str, boards: &[String]) -> anyhow::Result<ExitCode> {
    let (boards, solved_by) = (boards.join("\n"), format!("{} {}", list.solver, solver.version));
    let made = suite::made_by(&boards, &list.output)?;
    let text = format!("{about}\n\nsolved-by = \"{solved_by}\"\nhash = \"{}\"\n\n{boards}", suite::hash(&made));
    record::write_whole(&list.output, text.as_bytes())?;
    say!("{} {}", list.output.display(), runner::count(made.len() as u64, "board"));
    Ok(ExitCode::SUCCESS)
}
