//! Colours of lines.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Colour of a line, or in which a tile's number is printed on its back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    /// R
    Red,
    /// B
    Blue,
    /// Y
    Yellow,
    /// G (tiles from 15 on)
    Green,
}

impl Colour {
    /// All colours.
    pub const ALL: [Self; 4] = [Self::Red, Self::Blue, Self::Yellow, Self::Green];

    /// The word used in instance files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::Blue => "blue",
            Self::Yellow => "yellow",
            Self::Green => "green",
        }
    }

    /// The letter used in tile lists.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Self::Red => 'R',
            Self::Blue => 'B',
            Self::Yellow => 'Y',
            Self::Green => 'G',
        }
    }

    pub(super) const fn from_letter(letter: u8) -> Option<Self> {
        match letter {
            b'R' => Some(Self::Red),
            b'B' => Some(Self::Blue),
            b'Y' => Some(Self::Yellow),
            b'G' => Some(Self::Green),
            _ => None,
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Colour {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|c| c.name() == word)
            .ok_or_else(|| format!("unknown colour {word:?}; colours: red, blue, yellow, green"))
    }
}
