//! One fixed board, from a shape and a seed.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use model::default_preset;
use puzzle::tantrix::shapes::Shape;
use puzzle::tantrix::{Colour, TileSet, TileSetKind};
use puzzle::{Instance, Known};
use record::{Category, Status};
use runner::Interrupt;

use crate::args::GenerateFixed;
use crate::commands::solve::{Options, solve_once, write_solution_beside};
use crate::failure::{Failed, INTERRUPTED};
use crate::output::say;

/// What determines the text of an instance file.
pub struct Recipe {
    pub shape: Shape,
    pub challenge: usize,
    pub seed: u64,
    pub colour: Option<Colour>,
    pub tiles: TileSetKind,
    pub known: Known,
}

impl Recipe {
    /// The instance file: the same recipe gives the same text on every machine.
    pub fn text(&self) -> String {
        let known = match self.known {
            Known::Solvable => "solvable",
            Known::Unsolvable => "unsolvable",
            Known::Unknown => "unknown",
        };
        let places: Vec<String> = self
            .shape
            .places(self.challenge, self.seed)
            .iter()
            .map(|at| format!("    [{}, {}],\n", at.q, at.r))
            .collect();
        let colour = self.colour.map(|c| format!("colour = \"{c}\"\n")).unwrap_or_default();
        let flags = [
            self.colour.map(|c| format!(" --colour {c}")),
            (self.tiles == TileSetKind::Distinct).then(|| " --tiles distinct".to_owned()),
        ];
        let flags = flags.into_iter().flatten().collect::<String>();
        format!(
            "kind = \"{}\"\nchallenge = {}\ntiles = \"{}\"\n{colour}known = \"{known}\"\n\
             source = \"tilebench generate fixed --shape {} --challenge {} --seed {}{flags}; \
             the boards of Kino & Uno (2012) are only in their figures\"\nplaces = [\n{}]\n",
            puzzle::tantrix::FIXED,
            self.challenge,
            self.tiles.name(),
            self.shape,
            self.challenge,
            self.seed,
            places.concat()
        )
    }

    /// The instance, checked as if it were read from that file.
    pub fn instance(&self, path: &Path) -> anyhow::Result<Instance> {
        // Before any place is laid out: a shape of a billion places would take all memory.
        TileSet::new(self.tiles, self.challenge).map_err(|reason| anyhow::anyhow!("challenge: {reason}"))?;
        Ok(Instance::parse(&self.text(), path)?)
    }
}

/// Writes an instance file, with `--solve` only one that has a solution, and the solution beside it.
pub fn generate(args: &GenerateFixed) -> anyhow::Result<ExitCode> {
    let recipe = |seed, known| Recipe {
        shape: args.shape,
        challenge: args.challenge,
        seed,
        colour: args.colour,
        tiles: args.tiles.into(),
        known,
    };
    if !args.solve {
        let recipe = recipe(args.seed, Known::Unknown);
        recipe.instance(&args.output)?;
        record::write_whole(&args.output, recipe.text().as_bytes())?;
        say!("{}", args.output.display());
        return Ok(ExitCode::SUCCESS);
    }
    let formulation = default_preset(puzzle::tantrix::FIXED).context("the default formulation is missing")?;
    let options = Options {
        solver: "highs".to_owned(),
        options: Vec::new(),
        time_limit: args.time_limit,
        memory_limit: None,
        seed: 0,
        threads: 1,
        log: None,
        interrupt: Interrupt::on_signals()?,
        talk: false,
    };
    for seed in args.seed..args.seed.saturating_add(args.tries) {
        let unknown = recipe(seed, Known::Unknown);
        let instance = unknown.instance(&args.output)?;
        let (ended, judgement) = solve_once(&instance, unknown.text(), &formulation, &options)?;
        eprintln!("seed {seed}: {}, {:.2} s", ended.status, ended.wall_time_s.unwrap_or_default());
        let solution = ended.answer.as_ref().and_then(|a| a.solution.as_ref());
        match (ended.status, judgement.category, solution) {
            (_, Category::Correct, Some(solution)) => {
                record::write_whole(&args.output, recipe(seed, Known::Solvable).text().as_bytes())?;
                let beside = write_solution_beside(&args.output, solution)?;
                say!("{} {}", args.output.display(), beside.display());
                return Ok(ExitCode::SUCCESS);
            }
            (Status::Interrupted, ..) => return Ok(ExitCode::from(INTERRUPTED)),
            (_, Category::Wrong | Category::Error, _) => {
                let why = [ended.message, judgement.message].into_iter().flatten().collect::<Vec<_>>().join("; ");
                return Err(Failed(format!("seed {seed}: {why}")).into());
            }
            _ => {}
        }
    }
    let last = args.seed.saturating_add(args.tries - 1);
    Err(Failed(format!("none of the seeds {} to {last} gave a board that was solved within {} s (see above: infeasible boards need other seeds or another shape, timeouts more time)", args.seed, args.time_limit)).into())
}
