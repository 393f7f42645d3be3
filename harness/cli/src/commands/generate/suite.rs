//! A list of instances, `suite.toml` or `NAME.suite.toml`: those that the configs use, made again from their recipes. One entry a
//! board, or one for many seeds of a shape, or a call of `generate soku`. Configs that name a list get all its instances.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Parser;
use puzzle::tantrix::{BOUNDED, Colour, FIXED, NATURAL, TileSetKind};
use puzzle::{InputError, Known, Puzzle, Solution, place_and_reason, verify};
use serde::Deserialize;

use super::recipe::{BoardKind, BoardRecipe, Recipe, batch, stem};
use crate::args::{GenerateSoku, GenerateSuite};
use crate::output::{Failed, check_folder, say};

/// Writes every instance of the list and checks the solutions beside those known to be solvable.
pub fn generate(args: &GenerateSuite) -> anyhow::Result<ExitCode> {
    let Suite { entries: suite, solved_by, .. } = load(&args.list)?;
    let beside = args.list.parent().map(Path::to_path_buf).unwrap_or_default();
    let out = args.out.clone().unwrap_or_else(|| beside.clone());
    check_folder(&out)?;
    fs::create_dir_all(&out).with_context(|| format!("cannot make {}", out.display()))?;
    let place = |name: &str| out.join(format!("{name}.toml"));
    // All of them are checked before any is written.
    suite.iter().try_for_each(|(name, recipe)| recipe.check(&place(name), args.force, true))?;
    let mut unproven = Vec::new();
    for (name, recipe) in suite {
        let path = place(&name);
        let made = recipe.make(&path)?;
        let instance = &made.instance;
        let is_proven = match made.write(args.force, true)? {
            // It was checked when it was made.
            Some(_) => true,
            None => {
                let solution = beside.join(format!("{name}.solution.json"));
                solution.exists() && verify(instance, &Solution::load(&solution)?).is_valid()
            }
        };
        let proof = match instance.known {
            Known::Solvable if is_proven => "solution verified".to_owned(),
            Known::Solvable => match &solved_by {
                Some(solver) => format!("solved by {solver} when the list was made"),
                None => {
                    unproven.push(name);
                    "NOT PROVEN".to_owned()
                }
            },
            Known::Unsolvable => "known to be unsolvable".to_owned(),
            Known::Unknown => "unknown".to_owned(),
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

/// The instances of a list: their names, and the texts of their files.
pub fn instances(list: &Path) -> anyhow::Result<Vec<(String, String)>> {
    texts(&load(list)?.entries)
}

/// The hash by which a list knows what it made when it was written: of names and texts.
pub fn hash(texts: &[(String, String)]) -> String {
    let all: String = texts.iter().map(|(name, text)| format!("{name}\n{text}")).collect();
    record::short_hash(&all)
}

/// The same of a list that is not written yet.
pub fn made_by(list: &str, path: &Path) -> anyhow::Result<Vec<(String, String)>> {
    texts(&read(list, path)?.entries)
}

fn texts(entries: &[(String, Recipe)]) -> anyhow::Result<Vec<(String, String)>> {
    let text = |(name, recipe): &(String, Recipe)| {
        Ok((name.clone(), recipe.make(&PathBuf::from(format!("{name}.toml")))?.text))
    };
    entries.iter().map(text).collect()
}

struct Suite {
    entries: Vec<(String, Recipe)>,
    solved_by: Option<String>,
    hash: Option<String>,
}

/// Reads a list. If it has a hash, what it makes must have that too.
fn load(path: &Path) -> anyhow::Result<Suite> {
    let text = puzzle::read_text(path).map_err(InputError::io(path))?;
    let suite = read(&text, path)?;
    if let Some(wanted) = &suite.hash {
        let found = hash(&texts(&suite.entries)?);
        anyhow::ensure!(
            found == *wanted,
            "{}: hash: the list makes other files than when it was written, as where `known` was changed: {found}, not {wanted}; if that is meant, \
             write {found}",
            path.display()
        );
    }
    Ok(suite)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct List {
    /// The solver whose verified solutions say that boards are solvable, where no solution stands beside the list.
    solved_by: Option<String>,
    /// See [`hash`].
    hash: Option<String>,
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
    /// Fixed boards: one for each seed, which follows the name.
    seeds: Option<Vec<u64>>,
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

/// Reads a list whose hash is not looked at. Errors name the entry and the key.
fn read(text: &str, path: &Path) -> anyhow::Result<Suite> {
    let list: List = toml::from_str(text)
        .map_err(|e| anyhow::anyhow!("{}: {}", path.display(), place_and_reason(text, e.span(), e.message())))?;
    if list.board.is_empty() && list.game.is_empty() {
        bail!("{}: no entries; a list has [[board]] (Tantrix) or [[game]] (3SoKu)", path.display());
    }
    let place = |entry: &str| format!("{}: {entry}", path.display());
    let mut suite = Vec::new();
    for entry in list.board {
        let kinds = entry.board_kinds().with_context(|| place(&entry.name))?;
        let Entry { challenge, colour, tiles, known, remark, .. } = entry;
        let tiles = tiles.unwrap_or(TileSetKind::Repeated);
        let board = |kind| BoardRecipe { kind, challenge, colour, tiles, known, remark: remark.clone() };
        suite.extend(kinds.into_iter().map(|(name, kind)| (name, Recipe::Board(board(kind)))));
    }
    for entry in list.game {
        suite.extend(entry.recipes().with_context(|| place(&entry.name))?);
    }
    let mut names = HashSet::new();
    match suite.iter().find(|(name, _)| !names.insert(name.as_str())) {
        None => Ok(Suite { entries: suite, solved_by: list.solved_by, hash: list.hash }),
        Some((name, _)) => {
            bail!("{}: name: {name} is on the list already; each instance has a file of its own", place(name))
        }
    }
}

impl Game {
    fn recipes(&self) -> anyhow::Result<Vec<(String, Recipe)>> {
        let output = format!("{}.toml", self.name);
        let words = self.call.split_whitespace().chain(["-o", output.as_str()]);
        let call = Call::try_parse_from(words).map_err(|e| anyhow::anyhow!("call: {}", e.render()))?.game;
        let batch = batch(&call.recipe(), call.batch().count, &call.batch().output)?;
        Ok(batch.into_iter().map(|(path, recipe)| (stem(&path), recipe)).collect())
    }
}

impl Entry {
    /// Where the tiles of its boards may lie, with their names: one board, or one for each of its seeds.
    fn board_kinds(&self) -> anyhow::Result<Vec<(String, BoardKind)>> {
        let Some(seeds) = &self.seeds else { return Ok(vec![(self.name.clone(), self.board_kind(self.seed)?)]) };
        anyhow::ensure!(self.seed.is_none(), "seeds: there is seed too; leave one out");
        anyhow::ensure!(!seeds.is_empty(), "seeds: an empty list makes no board");
        seeds.iter().map(|&seed| Ok((format!("{}-{seed}", self.name), self.board_kind(Some(seed))?))).collect()
    }

    fn board_kind(&self, seed: Option<u64>) -> anyhow::Result<BoardKind> {
        let kind = self.kind()?;
        self.refuse_keys_of_others(kind)?;
        Ok(match kind {
            FIXED => BoardKind::Fixed {
                shape: word("shape", needed("shape", kind, self.shape.as_deref())?)?,
                seed: needed("seed", kind, seed)?,
            },
            BOUNDED => {
                let board = word("type", needed("type", kind, self.board.as_deref())?)?;
                let size = needed("places", kind, self.places)?;
                let numbering = self.numbering.as_deref().map(|n| word("numbering", n)).transpose()?;
                BoardKind::bounded(board, size, numbering.unwrap_or_default())?
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
            ("seeds", self.seeds.is_some(), FIXED),
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
