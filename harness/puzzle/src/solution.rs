//! Solution files: JSON, in puzzle terms.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::input::{InputError, plain_words, read_text};

/// One tile on one place. What the numbers are called in files, [`Terms`] say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// Place number, as the instance file numbers them; number of the face. From 1.
    pub place: usize,
    /// Tile number (the sort, where tiles are used repeatedly). From 1.
    pub tile: usize,
    /// Orientation, 1 to 6; rotation, 0 to 2.
    pub orientation: usize,
}

/// The words in which a solution says where its tiles lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Terms {
    /// `place`, `tile`, `orientation`: Tantrix.
    #[default]
    Places,
    /// `face`, `tile`, `rotation`: 3SoKu.
    Faces,
}

/// A cut as the paper writes it: the edges (place, edge) that border one part of the board.
pub type Cut = Vec<(usize, usize)>;

/// A solution, or what a solver takes for one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub struct Solution {
    /// Name of the instance it belongs to.
    pub instance: String,
    /// The words of its placements.
    pub terms: Terms,
    /// The tiles.
    pub placements: Vec<Placement>,
    /// Cuts that were added because of the subloops of this solution (empty for a final one).
    pub cuts: Vec<Cut>,
}

/// A solution as files and messages have it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    instance: String,
    placements: Vec<RawPlacement>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    cuts: Vec<Cut>,
}

#[derive(Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "a placement has whole numbers as `place`, `tile` and `orientation`, or `face`, `tile` and `rotation` (3SoKu), and nothing else"
)]
enum RawPlacement {
    Place(Placement),
    Face(OnFace),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OnFace {
    face: usize,
    tile: usize,
    rotation: usize,
}

impl TryFrom<Raw> for Solution {
    type Error = String;

    fn try_from(raw: Raw) -> Result<Self, String> {
        let terms = match raw.placements.first() {
            Some(RawPlacement::Face(_)) => Terms::Faces,
            _ => Terms::Places,
        };
        let placement = |(index, raw)| match (terms, raw) {
            (Terms::Places, RawPlacement::Place(placement)) => Ok(placement),
            (Terms::Faces, RawPlacement::Face(OnFace { face, tile, rotation })) => {
                Ok(Placement { place: face, tile, orientation: rotation })
            }
            _ => Err(format!("placements[{index}]: `{}` is expected, as in the first placement", terms.words().0)),
        };
        let placements = raw.placements.into_iter().enumerate().map(placement).collect::<Result<_, _>>()?;
        Ok(Self { instance: raw.instance, terms, placements, cuts: raw.cuts })
    }
}

impl From<Solution> for Raw {
    fn from(Solution { instance, terms, placements, cuts }: Solution) -> Self {
        let placement = |p: Placement| match terms {
            Terms::Places => RawPlacement::Place(p),
            Terms::Faces => RawPlacement::Face(OnFace { face: p.place, tile: p.tile, rotation: p.orientation }),
        };
        Self { instance, placements: placements.into_iter().map(placement).collect(), cuts }
    }
}

impl Terms {
    /// The words for where a tile lies and how it is turned.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Places => ("place", "orientation"),
            Self::Faces => ("face", "rotation"),
        }
    }
}

impl Solution {
    /// A solution of 3SoKu.
    pub fn on_faces(instance: &str, placements: Vec<Placement>) -> Self {
        Self { instance: instance.to_owned(), terms: Terms::Faces, placements, cuts: Vec::new() }
    }

    /// A solution of Tantrix, with nothing cut off.
    pub fn on_places(instance: &str, placements: Vec<Placement>) -> Self {
        Self { instance: instance.to_owned(), terms: Terms::Places, placements, cuts: Vec::new() }
    }

    /// Reads a solution file.
    /// Errors: a file that cannot be read, or is not a solution; whether it is a valid one is for [`crate::verify`] to
    /// say.
    pub fn load(path: &Path) -> Result<Self, InputError> {
        let text = read_text(path).map_err(|source| InputError::Io { path: path.to_owned(), source })?;
        let syntax = |e: serde_json::Error| {
            let reason = match text.trim_start().starts_with('{') {
                true => format!("not a solution file: {}", plain_words(&e.to_string())),
                false => "not a solution file, which is JSON and begins with {".to_owned(),
            };
            InputError::Syntax { path: path.to_owned(), reason }
        };
        serde_json::from_str(&text).map_err(syntax)
    }

    /// The content of a solution file.
    pub fn to_json(&self) -> String {
        let (where_to, how) = self.terms.words();
        let line = |p: &Placement| {
            format!("    {{\"{where_to}\": {}, \"tile\": {}, \"{how}\": {}}}", p.place, p.tile, p.orientation)
        };
        let body: Vec<String> = self.placements.iter().map(line).collect();
        let cuts: Vec<String> = self
            .cuts
            .iter()
            .map(|cut| {
                let pairs: Vec<String> = cut.iter().map(|(place, edge)| format!("[{place}, {edge}]")).collect();
                format!("    [{}]", pairs.join(", "))
            })
            .collect();
        let cuts = if cuts.is_empty() { String::new() } else { format!(",\n  \"cuts\": [\n{}\n  ]", cuts.join(",\n")) };
        format!(
            "{{\n  \"instance\": {},\n  \"placements\": [\n{}\n  ]{cuts}\n}}\n",
            serde_json::Value::from(self.instance.as_str()),
            body.join(",\n")
        )
    }
}
