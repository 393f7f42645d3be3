//! What a constraint family is.

use crate::{ModelError, soku, tantrix};

/// What a family contributes to a formulation. A list of families makes sense when each needed part is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// One tile on each place (C1), or at most one (B1).
    Placing,
    /// Each tile as often as the challenge says.
    Counting,
    /// Designated lines do not end: neither at the rim of the board nor beside an empty place.
    Boundary,
    /// Touching edges match.
    Matching,
    /// The weights around each vertex add up to its capacity.
    Capacity,
    /// Subloops are cut off and the model solved again.
    Cutting,
    /// Implied by the rules, or by the other families, or keeps one of any solutions that are the same but for a symmetry; speeds the
    /// search up, and where nothing is found under it, there is nothing.
    Strengthening,
    /// Forbids some solutions too: where nothing is found under it, nothing is proven.
    Restricting,
}

/// A constraint family as the command line and configs show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FamilyInfo {
    /// The name used in configs.
    pub id: &'static str,
    /// One line of what it demands.
    pub summary: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The kinds of instances it is for, as instance files name them.
    pub kinds: &'static [&'static str],
    /// What it contributes.
    pub roles: &'static [Role],
}

/// All constraint families, for listings.
#[must_use]
pub fn families() -> Vec<FamilyInfo> {
    let tantrix = tantrix::FAMILIES.iter().map(|family| family.info());
    tantrix.chain(soku::FAMILIES.iter().map(|family| family.info())).collect()
}

/// The families of a list, their names separated by spaces, in the order of the registry.
///
/// # Errors
/// A family that there is not, or that is listed twice.
pub fn listed_families(list: &str) -> Result<Vec<FamilyInfo>, ModelError> {
    let known = families();
    let mut listed = Vec::new();
    for name in list.split_whitespace() {
        // Typographic primes are what people paste from the papers.
        let plain = name.replace(['\u{2032}', '\u{2019}'], "'").replace(['\u{2033}', '\u{201d}'], "''");
        let Some(family) = known.iter().find(|f| f.id == plain) else {
            return Err(unknown(name, &known));
        };
        if listed.contains(family) {
            let reason = format!("{} is listed twice", family.id);
            return Err(ModelError::Families { families: list.to_owned(), reason });
        }
        listed.push(*family);
    }
    listed.sort_by_key(|family| known.iter().position(|k| k == family));
    Ok(listed)
}

/// An error that names the family most like the unknown one.
fn unknown(name: &str, known: &[FamilyInfo]) -> ModelError {
    let folded = name.to_lowercase();
    let alike = known
        .iter()
        .find(|f| f.id.to_lowercase() == folded)
        .or_else(|| known.iter().find(|f| folded.starts_with(&f.id.to_lowercase())));
    ModelError::UnknownFamily {
        name: name.to_owned(),
        hint: match alike {
            _ if name.contains(',') => " (separate families by spaces)".to_owned(),
            Some(family) => format!(" (did you mean {}?)", family.id),
            None => String::new(),
        },
        known: known.iter().map(|f| f.id).collect::<Vec<_>>().join(" "),
    }
}
