//! When a search begins anew, and how it then orders its values.

use super::engine::Taste;

/// Bonuses for extreme weights, which go round: which one is best depends on the weights and on the field.
const BONUSES: [i32; 4] = [45, 30, 60, 0];

/// Noise of the first beginning, and what each further one has more.
const NOISE: u32 = 16;
const MOST_NOISE: u32 = 400;

/// Nodes of the first beginning beyond one for each face.
const FIRST_PATIENCE: u64 = 100;

/// The beginnings of a search, one after the other. Patience grows without end, so that sooner or later one of them sees
/// everything.
#[derive(Debug, Clone)]
pub(super) struct Restarts {
    patience: u64,
    number: usize,
    is_on: bool,
}

impl Restarts {
    pub fn new(faces: usize, is_on: bool) -> Self {
        Self { patience: faces as u64 + FIRST_PATIENCE, number: 0, is_on }
    }
}

impl Iterator for Restarts {
    type Item = (u64, Taste);

    /// How many nodes the next beginning has, and how it orders values.
    fn next(&mut self) -> Option<(u64, Taste)> {
        let noise = (NOISE * (self.number as u32 + 1).min(MOST_NOISE)).min(MOST_NOISE);
        let taste = Taste { bonus: BONUSES[self.number % BONUSES.len()], noise };
        let patience = if self.is_on { self.patience } else { u64::MAX };
        self.patience += self.patience / 8;
        self.number += 1;
        Some((patience, taste))
    }
}
