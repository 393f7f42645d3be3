//! Many boards on one field with the same tiles, one after the other.

use puzzle::soku::Soku;

use super::Room;
use super::engine::{Engine, Go};
use super::restarts::Restarts;
use super::states::{Bounds, Rows, States};
use super::table::Table;
use crate::error::SolveError;
use crate::search::control::{Control, Unwatched};

/// Solves boards that differ in nothing but their capacities by the strategy `propagate`, without asking for memory for each.
pub struct SokuSolver {
    boards: Box<dyn Boards>,
    seed: u64,
}

impl SokuSolver {
    /// For the field and the tiles of a game, and those of its tiles that lie already; its capacities do not matter. Equal
    /// seeds give equal solutions of a board, whatever was solved before.
    ///
    /// # Errors
    /// More different options (weights that tiles can show) than the search has room for.
    pub fn new(game: &Soku, seed: u64) -> Result<Self, SolveError> {
        let largest = game.tiles.iter().flatten().copied().max().unwrap_or(0);
        let degree = (0..game.field.vertices().len()).map(|vertex| game.field.around(vertex).len()).max();
        let most = largest.saturating_mul(degree.unwrap_or(0) as u32);
        struct Make<'a>(&'a Soku, u32);
        impl Room for Make<'_> {
            type Made = Box<dyn Boards>;
            fn with<const W: usize>(self) -> Box<dyn Boards> {
                let Self(game, most) = self;
                let table = Table::<W>::new(game);
                match Rows::new(&table, most) {
                    Some(rows) => Box::new(Several::new(game, table, rows)),
                    None => {
                        let bounds = Bounds::new(&table);
                        Box::new(Several::new(game, table, bounds))
                    }
                }
            }
        }
        Ok(Self { boards: super::with_room(game, Make(game, most))?, seed })
    }

    /// A solution for the capacities of the vertices: for each face the index of what it shows among
    /// [`puzzle::soku::Sorts::options`]. `None` if there is none, which may take long to find out.
    ///
    /// # Panics
    /// Another number of capacities than vertices.
    pub fn solve(&mut self, capacity: &[u32]) -> Option<&[u16]> {
        self.boards.solve(capacity, self.seed)
    }

    /// Options tried since the solver was made.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.boards.nodes()
    }
}

trait Boards: Send + Sync {
    fn copy(&self) -> Box<dyn Boards>;
    fn solve(&mut self, capacity: &[u32], seed: u64) -> Option<&[u16]>;
    fn nodes(&self) -> u64;
}

struct Several<const W: usize, S: States<W>> {
    engine: Engine<W, S>,
    control: Control<Unwatched>,
    shown: Vec<u16>,
    total: u64,
}

impl<const W: usize, S: States<W>> Several<W, S> {
    fn new(game: &Soku, table: Table<W>, states: S) -> Self {
        Self::of(Engine::new(game, table, states), game.total_weight())
    }

    fn of(engine: Engine<W, S>, total: u64) -> Self {
        Self { shown: vec![0; engine.table.faces.len()], engine, control: Control::new(None, Unwatched), total }
    }
}

impl Clone for SokuSolver {
    fn clone(&self) -> Self {
        Self { boards: self.boards.copy(), seed: self.seed }
    }
}

impl<const W: usize, S: States<W>> Boards for Several<W, S> {
    fn copy(&self) -> Box<dyn Boards> {
        Box::new(Self::of(self.engine.clone(), self.total))
    }

    fn solve(&mut self, capacity: &[u32], seed: u64) -> Option<&[u16]> {
        assert_eq!(capacity.len(), self.engine.table.degrees.len(), "a capacity for each vertex");
        if capacity.iter().map(|&capacity| u64::from(capacity)).sum::<u64>() != self.total {
            return None;
        }
        self.engine.seed(seed);
        for (patience, taste) in Restarts::new(self.shown.len(), true) {
            if !self.engine.begin(capacity) {
                return None;
            }
            match self.engine.go(&mut self.control, patience, taste, &|_| Vec::new()) {
                Go::Solved => break,
                Go::Exhausted => return None,
                Go::Given => {}
            }
        }
        for (face, choice) in self.engine.laid() {
            self.shown[face as usize] = choice;
        }
        Some(&self.shown)
    }

    fn nodes(&self) -> u64 {
        self.control.nodes
    }
}
