//! The list of a suite, `suite.toml`: one entry an instance.

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context, bail};
use puzzle::Known;
use puzzle::tantrix::{BOUNDED, Colour, FIXED, NATURAL, TileSetKind};
use serde::Deserialize;

use super::recipe::{Recipe, Setting};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    board: Vec<Entry>,
}

/// One instance. Its setting is named by `shape` (a fixed board), `type` (a bounded board) or `kind`.
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
}

/// The recipes of a list, with their names. Errors name the entry and the key.
pub fn read(text: &str, path: &Path) -> anyhow::Result<Vec<(String, Recipe)>> {
    let list: List = toml::from_str(text).map_err(|e| anyhow::anyhow!("{}: {e}", path.display()))?;
    let mut names = HashSet::new();
    let mut recipes = Vec::new();
    for entry in list.board {
        let place = || format!("{}: {}", path.display(), entry.name);
        let setting = entry.setting().with_context(place)?;
        if !names.insert(entry.name.clone()) {
            bail!("{}: name: it is on the list already; each instance has a file of its own", place());
        }
        let Entry { name, challenge, colour, tiles, known, .. } = entry;
        let tiles = tiles.unwrap_or(TileSetKind::Repeated);
        recipes.push((name, Recipe { setting, challenge, colour, tiles, known }));
    }
    Ok(recipes)
}

impl Entry {
    fn setting(&self) -> anyhow::Result<Setting> {
        let kind = self.kind()?;
        self.refuse_keys_of_others(kind)?;
        Ok(match kind {
            FIXED => Setting::Fixed {
                shape: word("shape", needed("shape", kind, self.shape.as_deref())?)?,
                seed: needed("seed", kind, self.seed)?,
            },
            BOUNDED => {
                let board = word("type", needed("type", kind, self.board.as_deref())?)?;
                let size = needed("places", kind, self.places)?;
                let numbering = self.numbering.as_deref().map(|n| word("numbering", n)).transpose()?;
                Setting::bounded(board, size, numbering.unwrap_or_default())
                    .map_err(|reason| anyhow::anyhow!("places: {reason}"))?
            }
            NATURAL => Setting::Natural,
            other => bail!("kind: no recipe for {other}"),
        })
    }

    /// The kind as the entry says it, or as its keys do.
    fn kind(&self) -> anyhow::Result<&'static str> {
        match (self.kind.as_deref(), &self.shape, &self.board) {
            (Some(named), ..) => puzzle::Puzzle::KINDS.into_iter().find(|kind| *kind == named).with_context(|| {
                let known = puzzle::Puzzle::KINDS.map(|kind| format!("{kind:?}")).join(", ");
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
