//! What each slot is doing at the moment: slots write it, the progress display looks at it when it likes. Nobody waits.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::protocol::Event;

/// What a slot is doing.
#[derive(Debug, Clone)]
pub(super) struct Stage {
    pub label: String,
    pub limit_s: Option<f64>,
    pub since: Instant,
    /// The solve that goes on.
    pub iteration: Option<u64>,
    /// Loops of the solution before.
    pub loops: Option<u64>,
}

/// The stages of all slots.
#[derive(Debug)]
pub(super) struct Board(Vec<Mutex<Option<Stage>>>);

impl Board {
    /// A board of idle slots.
    pub fn new(slots: usize) -> Self {
        Self((0..slots).map(|_| Mutex::new(None)).collect())
    }

    /// A slot begins with something.
    pub fn begin(&self, slot: usize, label: String, limit_s: Option<f64>) {
        *self.of(slot) = Some(Stage { label, limit_s, since: Instant::now(), iteration: None, loops: None });
    }

    /// The worker of a slot said something.
    pub fn event(&self, slot: usize, event: &Event) {
        if let Some(stage) = self.of(slot).as_mut() {
            match event {
                Event::Solving(solving) => stage.iteration = Some(solving.iteration),
                Event::Iteration(iteration) => stage.loops = iteration.solve.loops,
                _ => {}
            }
        }
    }

    /// A slot is idle again.
    pub fn end(&self, slot: usize) {
        *self.of(slot) = None;
    }

    /// What every slot is doing.
    pub fn stages(&self) -> impl Iterator<Item = Option<Stage>> + '_ {
        (0..self.0.len()).map(|slot| self.of(slot).clone())
    }

    fn of(&self, slot: usize) -> MutexGuard<'_, Option<Stage>> {
        // A stage is sound at any moment, whoever gave up while holding it.
        self.0[slot].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
