//! Shards: parts of a plan that are run apart from each other.

use std::fmt;
use std::str::FromStr;

/// One of several parts of a plan: `3/8` is the third of eight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    pub(crate) number: usize,
    pub(crate) of: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        let shard = numbers.filter(|(number, of)| (1..=*of).contains(number));
        shard.map(|(number, of)| Self { number, of }).ok_or_else(|| "a shard is written I/N, I from 1 to N".to_owned())
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}
