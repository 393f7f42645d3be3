//! Published figures: what a row says, and which of our runs it stands beside.

use std::collections::{BTreeMap, BTreeSet};

use record::Published;

use super::Instance;

/// One published solve.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedRow {
    /// Where it was published; empty where the file does not say.
    pub source: String,
    /// Challenge number.
    pub challenge: u64,
    /// Places of the board, where the file gives them.
    pub places: Option<u64>,
    /// Constraint families, as the paper lists them; empty where it does not say.
    pub formulation: String,
    /// The objective, where the file gives it.
    pub objective: Option<String>,
    /// 0 for the first solve.
    pub iteration: u64,
    /// Time in seconds.
    pub time_s: f64,
    /// Whether its solution has a hole, where the paper says so.
    pub hole: Option<bool>,
    /// Loops in its solution, where the paper gives them.
    pub loops: Option<u64>,
    /// Whether the puzzle was solved by it; `false` only where the paper says so.
    pub solved: bool,
    /// Remark of the transcriber, may be empty.
    pub note: String,
}

impl PublishedRow {
    /// Whether it is a figure of that instance: the same challenge, and as many places where it names them.
    pub fn fits(&self, instance: &Instance) -> bool {
        instance.challenge == Some(self.challenge) && (self.places.is_none() || self.places == instance.places)
    }

    /// Its challenge, and its places where it names them: `20 on 37 places`.
    pub fn board(&self) -> String {
        board(self.challenge, self.places)
    }
}

/// A challenge, and the places where they are said: `20 on 37 places`.
pub fn board(challenge: u64, places: Option<u64>) -> String {
    places.map_or_else(|| challenge.to_string(), |places| format!("{challenge} on {places} places"))
}

/// How to name a published formulation that is none of ours.
pub fn foreign(families: &str, objective: Option<&str>) -> String {
    match objective {
        _ if families.is_empty() => "formulation not said".to_owned(),
        Some(objective) => format!("{families} ({objective})"),
        None => families.to_owned(),
    }
}

/// Whether two texts list the same constraint families, in whatever order.
///
/// The match is exact: papers list a family only where they use it, so one more makes another formulation.
pub fn same_families(a: &str, b: &str) -> bool {
    families(a) == families(b)
}

fn families(text: &str) -> BTreeSet<&str> {
    text.split([' ', ',', '+', '\t']).filter(|f| !f.is_empty()).collect()
}

/// Where the figures of each challenge were published, by source, where that is not the source that the label
/// of the figures names: `challenge 3: kino-uno-slides`.
pub fn other_sources<'a>(spec: &Published, rows: impl Iterator<Item = &'a PublishedRow>) -> Option<String> {
    let mut challenges: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
    for row in rows {
        challenges.entry(&row.source).or_default().insert(row.challenge);
    }
    if spec.sources.is_empty() && challenges.len() < 2 {
        return None;
    }
    challenges.retain(|source, _| is_other(spec, source));
    let text = |(source, challenges): (&&str, &BTreeSet<u64>)| {
        let numbers: Vec<_> = challenges.iter().map(ToString::to_string).collect();
        let source = if source.is_empty() { "source unknown" } else { source };
        format!("challenge {}: {source}", numbers.join(", "))
    };
    let texts: Vec<_> = challenges.iter().map(text).collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

/// Whether the label of the figures names another source than this one.
pub fn is_other(spec: &Published, source: &str) -> bool {
    spec.sources.first().is_none_or(|first| first != source)
}

/// The heading of figures from these sources: the label, or the sources where the label does not name them.
pub fn heading<'a>(spec: &Published, sources: impl Iterator<Item = &'a str>) -> String {
    let sources: BTreeSet<_> = sources.collect();
    if spec.sources.is_empty() || sources.iter().any(|s| !is_other(spec, s)) {
        return spec.label.clone();
    }
    sources.into_iter().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_match_as_sets_and_exactly() {
        assert!(same_families("C1 C2' C3 C4", "C4, C3, C2', C1"));
        assert!(same_families("B1 B2 B3 B4+B5 B6'", "B1 B2 B3 B4 B5 B6'"));
        assert!(!same_families("B1 B2 B3 B4+B5 B6'", "B1 B2 B3 B4 B5 B6''"));
        assert!(!same_families("C1 C2 C3 C4", "C1 C2' C3 C4"));
        assert!(!same_families("C1 C2 C3 C4", "C1 C2 C3 C4 C5"));
    }
}
