//! Solution files: JSON, in puzzle terms.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::InputError;

/// One tile on one place. All numbers count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// Place number, as the instance file numbers them.
    pub place: usize,
    /// Tile number (the sort, where tiles are used repeatedly).
    pub tile: usize,
    /// Orientation, 1 to 6.
    pub orientation: usize,
}

/// A cut as the paper writes it: the edges (place, edge) that border one part of the board.
pub type Cut = Vec<(usize, usize)>;

/// A solution, or what a solver takes for one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Solution {
    /// Name of the instance it belongs to.
    pub instance: String,
    /// The tiles.
    pub placements: Vec<Placement>,
    /// Cuts that were added because of the subloops of this solution (empty for a final one).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cuts: Vec<Cut>,
}

impl Solution {
    /// Reads a solution file.
    ///
    /// # Errors
    /// A file that cannot be read, or is not a solution; whether it is a valid one is for
    /// [`crate::verify`] to say.
    pub fn load(path: &Path) -> Result<Self, InputError> {
        let text = fs::read_to_string(path).map_err(|source| InputError::Io { path: path.to_owned(), source })?;
        serde_json::from_str(&text)
            .map_err(|e| InputError::Syntax { path: path.to_owned(), reason: format!("not a solution file: {e}") })
    }

    /// The content of a solution file.
    #[must_use]
    pub fn to_json(&self) -> String {
        let body: Vec<String> = self
            .placements
            .iter()
            .map(|p| {
                format!("    {{\"place\": {}, \"tile\": {}, \"orientation\": {}}}", p.place, p.tile, p.orientation)
            })
            .collect();
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
