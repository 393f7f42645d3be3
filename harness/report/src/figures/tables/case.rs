//! What a table of challenges has a row or a column for: an instance, or a board that was only published.

use std::collections::BTreeSet;

use record::natural_order;

use crate::results::{Instance, PublishedRow, board};

/// A challenge, and if it was measured the instance that poses it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Case<'a> {
    /// The challenge number.
    pub challenge: u64,
    /// Places of the board, where they are known.
    pub places: Option<u64>,
    /// The instance; none for what was only published.
    pub instance: Option<&'a Instance>,
}

impl<'a> Case<'a> {
    /// The case of an instance; none without a challenge number.
    pub fn of(instance: &'a Instance) -> Option<Self> {
        Some(Self { challenge: instance.challenge?, places: instance.places, instance: Some(instance) })
    }

    /// The boards of published rows that none of these cases shows.
    pub fn missing(cases: &[Self], published: &[&PublishedRow]) -> Vec<Self> {
        let lost = published.iter().filter(|p| !cases.iter().any(|c| c.shows(p)));
        let boards: BTreeSet<_> = lost.map(|p| (p.challenge, p.places)).collect();
        boards.into_iter().map(|(challenge, places)| Self { challenge, places, instance: None }).collect()
    }

    /// Sorts by challenge, places and name.
    pub fn sort(cases: &mut [Self]) {
        let name = |c: &Self| c.instance.map_or("", |i| i.name.as_str());
        cases.sort_by(|a, b| {
            let numbers = (a.challenge, a.places).cmp(&(b.challenge, b.places));
            numbers.then_with(|| natural_order(name(a), name(b)))
        });
    }

    /// Whether a published figure belongs to it.
    pub fn shows(&self, row: &PublishedRow) -> bool {
        match self.instance {
            Some(instance) => row.fits(instance),
            None => (row.challenge, row.places) == (self.challenge, self.places),
        }
    }

    /// The published rows that belong to it.
    pub fn of_published<'p>(&self, rows: &[&'p PublishedRow]) -> Vec<&'p PublishedRow> {
        rows.iter().filter(|row| self.shows(row)).copied().collect()
    }

    /// Which of them were not measured, as a sentence.
    pub fn not_measured(cases: &[Self]) -> Option<String> {
        let missing = cases.iter().filter(|c| c.instance.is_none());
        let boards: Vec<_> = missing.map(|c| board(c.challenge, c.places)).collect();
        (!boards.is_empty()).then(|| format!("Not measured here: challenge {}", boards.join(", ")))
    }
}
