//! Which constraint families there are, in the order in which models have their rows and listings their lines.

use crate::error::ModelError;
use crate::family::Family;
use crate::soku::mip as soku;
use crate::tantrix::{loops, placing};

/// All constraint families. A new one joins the slice of its theme.
pub fn families() -> impl Iterator<Item = &'static Family> + Clone {
    placing::BOUNDED.iter().chain(&placing::FIXED).chain(&loops::FAMILIES).chain(&soku::FAMILIES)
}

/// The families of a list, their names separated by spaces, in the order of the registry.
/// Errors: a family that there is not, or that is listed twice.
pub fn listed_families(list: &str) -> Result<Vec<&'static Family>, ModelError> {
    let mut listed = Vec::new();
    for name in list.split_whitespace() {
        // Typographic primes are what people paste from the papers.
        let plain = name.replace(['\u{2032}', '\u{2019}'], "'").replace(['\u{2033}', '\u{201d}'], "''");
        let family = families().find(|f| f.id == plain).ok_or_else(|| unknown(name))?;
        if listed.contains(&family) {
            return Err(ModelError::families(list, format!("{} is listed twice", family.id)));
        }
        listed.push(family);
    }
    listed.sort_by_key(|family| families().position(|known| known == *family));
    Ok(listed)
}

/// An error that names the family most like the unknown one.
fn unknown(name: &str) -> ModelError {
    let folded = name.to_lowercase();
    let alike = families()
        .find(|f| f.id.to_lowercase() == folded)
        .or_else(|| families().find(|f| folded.starts_with(&f.id.to_lowercase())));
    let hint = match alike {
        _ if name.contains(',') => " (separate families by spaces)".to_owned(),
        Some(family) => format!(" (did you mean {}?)", family.id),
        None => String::new(),
    };
    let known = families().map(|f| f.id).collect::<Vec<_>>().join(" ");
    ModelError::Impossible(format!("unknown family {name:?}{hint}; families: {known}"))
}
