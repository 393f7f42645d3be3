//! Solutions in words and small tables, for puzzles whose pieces are put by hand.

/// What to do, or what is given, step by step.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Directions {
    /// What they are for.
    pub title: String,
    /// The steps as sentences.
    pub sentences: Vec<String>,
    /// The same as tables of two lines each.
    pub tables: Vec<SmallTable>,
}

/// A table with one line of figures under their headings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SmallTable {
    /// What the table is of; may be empty.
    pub heading: String,
    /// Each figure under its heading.
    pub columns: Vec<(String, String)>,
}

impl Directions {
    /// The sentences, a line each.
    #[must_use]
    pub fn to_text(&self) -> String {
        self.sentences.iter().map(|sentence| format!("{sentence}\n")).collect()
    }
}
