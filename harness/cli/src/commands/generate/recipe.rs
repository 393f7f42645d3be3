//! What instance files are made from, and files that are written only where they replace nothing else.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use combinatorics::soku::generate;
use combinatorics::tantrix::shapes::Shape;
use puzzle::hex::Axial;
use puzzle::tantrix::{BOUNDED, BoardType, Colour, FIXED, NATURAL, Numbering, TileSet, TileSetKind};
use puzzle::{Instance, Known, Solution, verify};

use crate::output::{Failed, note};

/// What determines an instance file.
#[derive(Debug, Clone)]
pub enum Recipe {
    /// A board for Tantrix.
    Board(BoardRecipe),
    /// A game of 3SoKu.
    Game(generate::Recipe),
}

impl Recipe {
    /// Makes the instance; its file is sound, and its solution valid.
    pub fn make(&self, path: &Path) -> anyhow::Result<Made> {
        let recipe = match self {
            Self::Board(recipe) => {
                let (instance, text) = (recipe.instance(path)?, recipe.text());
                return Ok(Made { path: path.to_owned(), instance, text, solution: None });
            }
            Self::Game(recipe) => recipe,
        };
        let (made, text) = recipe.text().map_err(|e| anyhow::anyhow!("{}: {}", e.field, e.reason))?;
        let instance = Instance::parse(&text, path)?;
        let solution = made.solution.map(|placements| Solution::on_faces(&instance.name, placements));
        if (made.known == Known::Solvable) != solution.as_ref().is_some_and(|s| verify(&instance, s).is_valid()) {
            return Err(Failed(format!("{}: what is known of the answer is not so", path.display())).into());
        }
        Ok(Made { path: path.to_owned(), instance, text, solution })
    }

    /// Refuses an instance that is not sound, and files that would replace others, unless that is forced. `alone`: a solution beside it
    /// that is not made with it is left alone, as those of lists are, which prove what is known.
    pub fn check(&self, path: &Path, force: bool, alone: bool) -> anyhow::Result<()> {
        match self {
            // Making a game takes time.
            Self::Game(_) if !path.exists() && !solution_beside(path).exists() => Ok(()),
            _ => {
                let made = self.make(path)?;
                made.check(force)?;
                if alone { Ok(()) } else { made.stale(force).map(drop) }
            }
        }
    }
}

/// An instance with the text of its file.
pub struct Made {
    path: PathBuf,
    pub instance: Instance,
    pub text: String,
    /// A solution, if it is made with the instance.
    solution: Option<Solution>,
}

impl Made {
    /// Refuses to write over files that hold something else, unless that is forced.
    fn check(&self, force: bool) -> anyhow::Result<()> {
        let check_free = |path: &Path, content: &str| {
            let is_other = path.is_file() && !fs::read(path).is_ok_and(|found| found == content.as_bytes());
            anyhow::ensure!(
                force || !is_other,
                "{}: there is such a file already, and it holds something else; choose another name, or replace it by --force",
                path.display()
            );
            Ok(())
        };
        check_free(&self.path, &self.text)?;
        self.solution.iter().try_for_each(|solution| check_free(&solution_beside(&self.path), &solution.to_json()))
    }

    /// The solution beside the file if none is made and it is none of this instance: refused, or to be removed where that is forced.
    fn stale(&self, force: bool) -> anyhow::Result<Option<PathBuf>> {
        let beside = solution_beside(&self.path);
        let fits = || Solution::load(&beside).is_ok_and(|solution| verify(&self.instance, &solution).is_valid());
        if self.solution.is_some() || !beside.is_file() || fits() {
            return Ok(None);
        }
        anyhow::ensure!(
            force,
            "{}: this is no solution of the instance to be written beside it; move it away, or remove it by --force",
            beside.display()
        );
        Ok(Some(beside))
    }

    /// Writes the instance file, and the solution if there is one; returns where that is. `alone`: as in [`Recipe::check`].
    pub fn write(&self, force: bool, alone: bool) -> anyhow::Result<Option<PathBuf>> {
        self.check(force)?;
        if let Some(stale) = if alone { None } else { self.stale(force)? } {
            fs::remove_file(&stale).with_context(|| stale.display().to_string())?;
            note!("note: {} belonged to another instance and is removed", stale.display());
        }
        record::write_whole(&self.path, self.text.as_bytes())?;
        let Instance { name, known, puzzle, .. } = &self.instance;
        let obstacle = self.instance.obstacle().filter(|_| *known == Known::Unknown && puzzle.has_loops());
        if let Some(obstacle) = obstacle {
            note!("note: {name} has no solution on any board: {obstacle}");
        }
        let Some(solution) = &self.solution else { return Ok(None) };
        let beside = solution_beside(&self.path);
        record::write_whole(&beside, solution.to_json().as_bytes())?;
        Ok(Some(beside))
    }
}

/// Where the solution of an instance file is.
pub fn solution_beside(path: &Path) -> PathBuf {
    path.with_extension("solution.json")
}

/// A board for Tantrix.
#[derive(Debug, Clone)]
pub struct BoardRecipe {
    pub kind: BoardKind,
    pub challenge: usize,
    pub colour: Option<Colour>,
    pub tiles: TileSetKind,
    pub known: Known,
    /// What else its source says.
    pub remark: Option<String>,
}

/// Where the tiles may lie.
#[derive(Debug, Clone)]
pub enum BoardKind {
    /// On every place of a shape that a seed gives.
    Fixed { shape: Shape, seed: u64 },
    /// On some places of a regular board; see [`BoardKind::bounded`].
    Bounded { board: BoardType, numbering: Numbering, places: Vec<Axial> },
    /// Anywhere.
    Natural,
}

impl BoardKind {
    /// A regular board of so many places, if there is one.
    pub fn bounded(board: BoardType, size: usize, numbering: Numbering) -> anyhow::Result<Self> {
        let places = board.places(size, numbering).map_err(|reason| anyhow::anyhow!("places: {reason}"))?;
        Ok(Self::Bounded { board, numbering, places })
    }
}

impl BoardRecipe {
    /// The instance file: the same recipe gives the same text on every machine.
    pub fn text(&self) -> String {
        let (kind, source, places) = match &self.kind {
            BoardKind::Fixed { shape, seed } => {
                let call =
                    format!("fixed --shape {shape} --challenge {} --seed {seed}{}", self.challenge, self.flags());
                let remark = "the boards of Kino & Uno (2012) are only in their figures";
                (FIXED, format!("tilebench generate {call}; {remark}"), Some(shape.places(self.challenge, *seed)))
            }
            BoardKind::Bounded { board, numbering, places } => {
                let rows = if *numbering == Numbering::Rows { " --numbering rows" } else { "" };
                let (size, challenge, flags) = (places.len(), self.challenge, self.flags());
                let call = format!("bounded --type {board} --places {size} --challenge {challenge}{rows}{flags}");
                let remark = "a board of a size that Kino & Uno's slides describe";
                (BOUNDED, format!("tilebench generate {call}; {remark}"), Some(places.clone()))
            }
            BoardKind::Natural => {
                let source = "the natural setting: no board, which Kino & Uno (2012) leave to future work";
                (NATURAL, source.to_owned(), None)
            }
        };
        let source = [Some(source), self.remark.clone()].into_iter().flatten().collect::<Vec<_>>().join("; ");
        let colour = self.colour.map(|c| format!("colour = \"{c}\"\n")).unwrap_or_default();
        let places = places.map(|places| places.iter().map(|at| format!("    [{}, {}],\n", at.q, at.r)).collect());
        let places = places.map(|lines: String| format!("places = [\n{lines}]\n")).unwrap_or_default();
        format!(
            "kind = \"{kind}\"\nchallenge = {}\ntiles = \"{}\"\n{colour}known = \"{}\"\nsource = \"{source}\"\n{places}",
            self.challenge,
            self.tiles.name(),
            self.known.name(),
        )
    }

    /// The options of `generate` that are not left out.
    fn flags(&self) -> String {
        let flags = [
            self.colour.map(|c| format!(" --colour {c}")),
            (self.tiles == TileSetKind::Distinct).then(|| " --tiles distinct".to_owned()),
        ];
        flags.into_iter().flatten().collect()
    }

    /// The instance, checked as if it were read from that file.
    pub fn instance(&self, path: &Path) -> anyhow::Result<Instance> {
        // Before any place is laid out: a shape of a billion places would take all memory.
        TileSet::new(self.tiles, self.challenge).map_err(|reason| anyhow::anyhow!("challenge: {reason}"))?;
        Ok(Instance::parse(&self.text(), path)?)
    }
}

/// The games of a batch, each with its file: OUT.toml, or OUT-1.toml to OUT-3.toml, numbers of one width.
pub fn batch(first: &generate::Recipe, count: Option<u64>, output: &Path) -> anyhow::Result<Vec<(PathBuf, Recipe)>> {
    let Some(count) = count else { return Ok(vec![(output.to_owned(), Recipe::Game(first.clone()))]) };
    let (width, stem) = (count.to_string().len(), stem(output));
    let one = |index: u64| {
        let game = first.later(index).with_context(|| match first {
            generate::Recipe::Partition(_) => {
                "count: a list of numbers makes one game; leave --count out, or give --size".to_owned()
            }
            generate::Recipe::Given { .. } => "count: given capacities make one game; leave --count out".to_owned(),
            _ => format!("count: there are not {count} seeds from this one on"),
        })?;
        Ok((output.with_file_name(format!("{stem}-{:0width$}.toml", index + 1)), Recipe::Game(game)))
    };
    (0..count).map(one).collect()
}

/// The name of a file without its ending.
pub fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}
