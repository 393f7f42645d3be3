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

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPlacement {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    place: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    face: Option<usize>,
    tile: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    orientation: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rotation: Option<usize>,
}

impl TryFrom<Raw> for Solution {
    type Error = String;

    fn try_from(raw: Raw) -> Result<Self, String> {
        let terms = match raw.placements.first() {
            Some(RawPlacement { face: Some(_), .. } | RawPlacement { rotation: Some(_), .. }) => Terms::Faces,
            _ => Terms::Places,
        };
        let (where_to, how) = terms.words();
        let placement = |(index, raw): (usize, &RawPlacement)| {
            let (found, stray) = match terms {
                Terms::Places => ((raw.place, raw.orientation), raw.face.or(raw.rotation)),
                Terms::Faces => ((raw.face, raw.rotation), raw.place.or(raw.orientation)),
            };
            match (found, stray) {
                ((Some(place), Some(orientation)), None) => Ok(Placement { place, tile: raw.tile, orientation }),
                _ => Err(format!("placements[{index}]: each has `{where_to}`, `tile` and `{how}`, and nothing else")),
            }
        };
        let placements = raw.placements.iter().enumerate().map(placement).collect::<Result<_, _>>()?;
        Ok(Self { instance: raw.instance, terms, placements, cuts: raw.cuts })
    }
}

impl From<Solution> for Raw {
    fn from(solution: Solution) -> Self {
        let placement = |p: &Placement| match solution.terms {
            Terms::Places => RawPlacement {
                place: Some(p.place),
                tile: p.tile,
                orientation: Some(p.orientation),
                ..RawPlacement::default()
            },
            Terms::Faces => RawPlacement {
                face: Some(p.place),
                tile: p.tile,
                rotation: Some(p.orientation),
                ..RawPlacement::default()
            },
        };
        let placements = solution.placements.iter().map(placement).collect();
        Self { instance: solution.instance, placements, cuts: solution.cuts }
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
        let text = read_text(path).map_err(InputError::io(path))?;
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
