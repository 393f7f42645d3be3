//! Lists of which the first entries are kept.

/// Entries that a list keeps at most.
pub(super) const KEPT: usize = 20;

/// The first entries of a list, and how many there were.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capped<T> {
    /// The first of them.
    pub first: Vec<T>,
    len: usize,
}

impl<T> Default for Capped<T> {
    fn default() -> Self {
        Self { first: Vec::new(), len: 0 }
    }
}

impl<T> Capped<T> {
    /// Counts an entry, which is made only if it is among the first.
    pub(super) fn push(&mut self, entry: impl FnOnce() -> T) {
        self.len += 1;
        if self.first.len() < KEPT {
            self.first.push(entry());
        }
    }

    /// How many there were.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there were none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many are not among the first.
    #[must_use]
    pub fn more(&self) -> usize {
        self.len - self.first.len()
    }
}
