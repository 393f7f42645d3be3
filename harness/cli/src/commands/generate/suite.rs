//! A list of instances, `suite.toml`: those that the configs use, made again from their recipes. One entry a board, or a call of
//! `generate soku`.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Parser;
use combinatorics::soku::generate::Recipe;
use puzzle::tantrix::{BOUNDED, Colour, FIXED, NATURAL, TileSetKind};
use puzzle::{Known, Puzzle, Solution, place_and_reason, verify};
use serde::Deserialize;

use super::board::{BoardKind, BoardRecipe};
use super::{check_free, game};
use crate::args::{GenerateSoku, GenerateSuite};
use crate::failure::Failed;
use crate::output::say;

/// Writes every instance of the list and checks the solutions beside those known to be solvable.
pub fn generate(args: &GenerateSuite) -> anyhow::Result<ExitCode> {
    let text = puzzle::read_text(&args.list).with_context(|| format!("cannot read {}", args.list.display()))?;
    let suite = read(&text, &args.list)?;
    let beside = args.list.parent().map(Path::to_path_buf).unwrap_or_default();
    let out = args.out.clone().unwrap_or_else(|| beside.clone());
    fs::create_dir_all(&out).with_context(|| format!("cannot make {}", out.display()))?;
    let place = |name: &str| out.join(format!("{name}.toml"));
    // All of them before any is written.
    for (name, content) in &suite {
        match content {
            Content::Board(recipe) => {
                recipe.instance(&place(name))?;
                check_free(&place(name), &recipe.text(), args.force)?;
            }
            Content::Game(recipe) => game::check(recipe, &place(name), args.force)?,
        }
    }
    let mut unproven = Vec::new();
    for (name, content) in suite {
        let path = place(&name);
        let (instance, is_proven) = match content {
            Content::Board(recipe) => {
                let instance = recipe.write(&path)?;
                let solution = beside.join(format!("{name}.solution.json"));
                let is_proven = solution.exists() && verify(&instance, &Solution::load(&solution)?).is_valid();
                (instance, is_proven)
            }
            // Its solution was checked when it was written.
            Content::Game(recipe) => (game::write(&recipe, &path, args.force)?.instance, true),
        };
        let proof = match instance.known {
            Known::Solvable if is_proven => "solution verified",
            Known::Solvable => {
                unproven.push(name);
                "NOT PROVEN"
            }
            Known::Unsolvable => "known to be unsolvable",
            Known::Unknown => "unknown",
        };
        let facts = instance.facts();
        let colour = facts.colour.map(|colour| format!("{colour:<7} ")).unwrap_or_default();
        say!("{:<28} {:>3} {colour}{proof}", path.display(), facts.challenge.unwrap_or_default());
    }
    match unproven.as_slice() {
        [] => Ok(ExitCode::SUCCESS),
        some => Err(Failed(format!("no valid solution beside the list for {}", some.join(", "))).into()),
    }
}

/// What an instance file is made from.
enum Content {
    /// A board for Tantrix.
    Board(BoardRecipe),
    /// A game of 3SoKu.
    Game(Recipe),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    #[serde(default)]
    board: Vec<Entry>,
    #[serde(default)]
    game: Vec<Game>,
}

/// Games of 3SoKu: what stands after `tilebench generate soku`, without the output.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Game {
    name: String,
    call: String,
}

/// The call of a game, as the command line has it.
#[derive(Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Call {
    #[command(subcommand)]
    game: GenerateSoku,
}

/// One board. Where the tiles may lie is named by `shape` (a fixed board), `type` (a bounded board) or `kind`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    kind: Option<String>,
    challenge: usize,
    colour: Option<Colour>,
    /// Left out: repeated.
    tiles: Option<TileSetKind>,
    known: Known,
    /// Fixed boards.
    shape: Option<String>,
    /// Fixed boards.
    seed: Option<u64>,
    /// Bounded boards.
    #[serde(rename = "type")]
    board: Option<String>,
    /// Bounded boards.
    places: Option<usize>,
    /// Bounded boards.
    numbering: Option<String>,
    /// What the source of the instance says beside how to make it.
    remark: Option<String>,
}

/// The recipes of a list, with their names. Errors name the entry and the key.
fn read(text: &str, path: &Path) -> anyhow::Result<Vec<(String, Content)>> {
    let list: List = toml::from_str(text)
        .map_err(|e| anyhow::anyhow!("{}: {}", path.display(), place_and_reason(text, e.span(), e.message())))?;
    if list.board.is_empty() && list.game.is_empty() {
        bail!("{}: no entries; a list has [[board]] (Tantrix) or [[game]] (3SoKu)", path.display());
    }
    let place = |entry: &str| format!("{}: {entry}", path.display());
    let mut suite = Vec::new();
    for entry in list.board {
        let kind = entry.board_kind().with_context(|| place(&entry.name))?;
        let Entry { name, challenge, colour, tiles, known, remark, .. } = entry;
        let tiles = tiles.unwrap_or(TileSetKind::Repeated);
        suite.push((name, Content::Board(BoardRecipe { kind, challenge, colour, tiles, known, remark })));
    }
    for entry in list.game {
        let recipes = entry.recipes().with_context(|| place(&entry.name))?;
        suite.extend(recipes.into_iter().map(|(name, recipe)| (name, Content::Game(recipe))));
    }
    let mut names = HashSet::new();
    match suite.iter().find(|(name, _)| !names.insert(name.as_str())) {
        None => Ok(suite),
        Some((name, _)) => {
            bail!("{}: name: {name} is on the list already; each instance has a file of its own", place(name))
        }
    }
}

impl Game {
    /// The games of the call, with their names.
    fn recipes(&self) -> anyhow::Result<Vec<(String, Recipe)>> {
        let output = format!("{}.toml", self.name);
        let words = self.call.split_whitespace().chain(["-o", output.as_str()]);
        let call = Call::try_parse_from(words).map_err(|e| anyhow::anyhow!("call: {}", e.render()))?.game;
        let batch = game::recipes(&call.recipe(), call.batch().count, &call.batch().output)?;
        let name = |path: PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(batch.into_iter().map(|(path, recipe)| (name(path), recipe)).collect())
    }
}

impl Entry {
    fn board_kind(&self) -> anyhow::Result<BoardKind> {
        let kind = self.kind()?;
        self.refuse_keys_of_others(kind)?;
        Ok(match kind {
            FIXED => BoardKind::Fixed {
                shape: word("shape", needed("shape", kind, self.shape.as_deref())?)?,
                seed: needed("seed", kind, self.seed)?,
            },
            BOUNDED => {
                let board = word("type", needed("type", kind, self.board.as_deref())?)?;
                let size = needed("places", kind, self.places)?;
                let numbering = self.numbering.as_deref().map(|n| word("numbering", n)).transpose()?;
                BoardKind::bounded(board, size, numbering.unwrap_or_default())
                    .map_err(|reason| anyhow::anyhow!("places: {reason}"))?
            }
            NATURAL => BoardKind::Natural,
            other => bail!("kind: no recipe for {other}"),
        })
    }

    /// The kind as the entry says it, or as its keys do.
    fn kind(&self) -> anyhow::Result<&'static str> {
        match (self.kind.as_deref(), &self.shape, &self.board) {
            (Some(named), ..) => Puzzle::KINDS.into_iter().find(|kind| *kind == named).with_context(|| {
                let known = Puzzle::KINDS.map(|kind| format!("{kind:?}")).join(", ");
                format!("kind: unknown kind {named:?}; known kinds: {known}")
            }),
            (None, Some(_), Some(_)) => {
                bail!("type: shape makes this a fixed board, type a bounded one; leave one out")
            }
            (None, Some(_), None) => Ok(FIXED),
            (None, None, Some(_)) => Ok(BOUNDED),
            (None, None, None) => bail!(
                "kind: an entry has shape (a fixed board), type (a bounded board) or kind = \"{NATURAL}\" (no board)"
            ),
        }
    }

    fn refuse_keys_of_others(&self, kind: &str) -> anyhow::Result<()> {
        let keys = [
            ("shape", self.shape.is_some(), FIXED),
            ("seed", self.seed.is_some(), FIXED),
            ("type", self.board.is_some(), BOUNDED),
            ("places", self.places.is_some(), BOUNDED),
            ("numbering", self.numbering.is_some(), BOUNDED),
        ];
        match keys.into_iter().find(|&(_, given, of)| given && of != kind) {
            Some((key, _, of)) => bail!("{key}: it is for {of}, and this is {kind}; leave it out"),
            None => Ok(()),
        }
    }
}

fn needed<T>(key: &str, kind: &str, value: Option<T>) -> anyhow::Result<T> {
    value.with_context(|| format!("{key}: missing, and {kind} needs it"))
}

fn word<T: std::str::FromStr<Err = String>>(key: &str, text: &str) -> anyhow::Result<T> {
    text.parse().map_err(|e| anyhow::anyhow!("{key}: {e}"))
}
