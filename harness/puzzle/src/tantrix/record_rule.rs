//! The rule for official records (Kino & Uno 2012, section 2), which keeps out long thin strips.

use std::collections::BTreeMap;

use crate::hex::Axial;

/// What the rule says of a shape. It makes no solution invalid.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordRule {
    /// Tiles in the longest row of all.
    pub longest_row: usize,
    /// Share of rows with more than 30 % of that, along the two other axes; both must exceed 0.75.
    pub shares: [f64; 2],
}

impl RecordRule {
    /// Whether the shape could be an official record.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.shares.iter().all(|&share| share > 0.75)
    }
}

/// Applies the rule: let x be the tile count of the longest row and A its axis; along each of the other two
/// axes more than 75 % of the rows hold more than 30 % of x tiles.
///
/// Where several axes have a longest row, the one that serves the shape best counts. Nothing for no tiles.
#[must_use]
pub fn record_rule(filled: &[Axial]) -> Option<RecordRule> {
    let mut rows: [BTreeMap<i32, usize>; 3] = Default::default();
    for at in filled {
        for (axis, row) in rows.iter_mut().zip(at.rows()) {
            *axis.entry(row).or_default() += 1;
        }
    }
    let longest = |axis: &BTreeMap<i32, usize>| axis.values().max().copied();
    let longest_row = rows.iter().filter_map(longest).max()?;
    let share = |axis: &BTreeMap<i32, usize>| {
        // More than 30 % of x, in whole numbers.
        let long = axis.values().filter(|&&count| 10 * count > 3 * longest_row).count();
        long as f64 / axis.len() as f64
    };
    (0..3)
        .filter(|&axis| longest(&rows[axis]) == Some(longest_row))
        .map(|axis| RecordRule { longest_row, shares: [share(&rows[(axis + 1) % 3]), share(&rows[(axis + 2) % 3])] })
        .max_by(|a, b| a.shares[0].min(a.shares[1]).total_cmp(&b.shares[0].min(b.shares[1])))
}
