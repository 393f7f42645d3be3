//! What lies around each vertex.

use super::{Soku, arranged};
use crate::Placement;

/// Vertices with a wrong sum that are named; the others are counted.
const NAMED: usize = 6;

/// How a vertex fares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// The weights around it add up to its capacity, and all its faces have a tile.
    Met,
    /// Some of its faces have no tile, and the weights are not too many yet.
    Open,
    /// The weights are too many, or too few with a tile on each of its faces.
    Missed,
}

/// The weights around the vertices of a game.
pub(super) struct Sums<'a> {
    game: &'a Soku,
    sums: Vec<u64>,
    open: Vec<bool>,
}

impl<'a> Sums<'a> {
    /// The sums of these placements.
    pub fn of(game: &'a Soku, placements: &[Placement]) -> Self {
        let shown = arranged(game, placements);
        let vertices = 0..game.field.vertices().len();
        let around = |vertex| game.field.around(vertex).iter().map(|&(face, corner)| Some(shown[face]?[corner]));
        let sum = |vertex| around(vertex).flatten().map(u64::from).sum();
        let open = |vertex| around(vertex).any(|weight| weight.is_none());
        Self { game, sums: vertices.clone().map(sum).collect(), open: vertices.map(open).collect() }
    }

    /// The sum around a vertex.
    pub fn around(&self, vertex: usize) -> u64 {
        self.sums[vertex]
    }

    /// How a vertex fares.
    pub fn state(&self, vertex: usize) -> State {
        let (sum, capacity) = (self.sums[vertex], u64::from(self.game.capacity[vertex]));
        if self.open[vertex] && sum <= capacity {
            State::Open
        } else if sum == capacity {
            State::Met
        } else {
            State::Missed
        }
    }

    /// How many capacities are met, and which cannot be.
    pub fn words(&self) -> String {
        let count = self.sums.len();
        let of = |wanted| (0..count).filter(move |&vertex| self.state(vertex) == wanted);
        let met = of(State::Met).count();
        if met == count {
            return "all capacities met".to_owned();
        }
        let missed: Vec<usize> = of(State::Missed).collect();
        let name = |&vertex: &usize| {
            let vertices = self.game.field.vertices();
            format!("{} has {} instead of {}", vertices[vertex], self.sums[vertex], self.game.capacity[vertex])
        };
        let mut parts = vec![format!("{met} of {count} capacities met")];
        parts.extend(missed.iter().take(NAMED).map(name));
        if missed.len() > NAMED {
            parts.push(format!("{} more are missed", missed.len() - NAMED));
        }
        parts.join(", ")
    }
}
