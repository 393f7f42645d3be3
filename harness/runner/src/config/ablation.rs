//! Ablations: one entry that stands for several lists of families.

use model::FormulationKeys;

use super::source::Source;
use super::values::{At, Families};
use crate::RunnerError;

/// How a shorthand made a formulation from the one that stands in the config.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ablation {
    /// The key.
    pub shorthand: &'static str,
    /// Families that were taken out.
    pub without: Vec<&'static str>,
    /// Families that were added.
    pub with: Vec<&'static str>,
}

impl Ablation {
    /// What to take out of the shorthand so that its formulations make sense; `check` says which do.
    #[must_use]
    pub fn remedy(&self, written: &FormulationKeys, check: impl Fn(FormulationKeys) -> bool) -> String {
        let families = |list: Vec<&str>| written.clone().with("families", list.join(" "));
        let own = || written.keys.get("families").map_or("", String::as_str).split_whitespace();
        let back = self.without.iter().find(|family| check(families(own().chain([**family]).collect())));
        let off = self.with.iter().find(|family| check(families(own().filter(|own| own != *family).collect())));
        match back.or(off) {
            Some(family) => format!("take {family} out of {}", self.shorthand),
            None => format!("take out of {} what every formulation needs", self.shorthand),
        }
    }
}

/// A list of families with what it adds to the name of its entry.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Variant {
    pub suffix: String,
    pub families: String,
    pub ablation: Option<Ablation>,
}

/// The shorthand of an entry.
pub(super) enum Shorthand {
    DropOne,
    AddOne,
}

impl Shorthand {
    /// The one that an entry uses, with its families; it has one of `drop-one` and `add-one` at most.
    ///
    /// # Errors
    /// An entry with both.
    pub fn of<'a>(
        source: &Source,
        [drop_one, add_one]: [&'a Option<At<Families>>; 2],
    ) -> Result<Option<(Self, &'a At<Families>)>, RunnerError> {
        let keys = [(Self::DropOne, drop_one), (Self::AddOne, add_one)];
        let mut used = keys.into_iter().filter_map(|(key, families)| families.as_ref().map(|f| (key, f)));
        let first = used.next();
        match (&first, used.next()) {
            (Some((one, _)), Some((other, families))) => {
                let reason = format!(
                    "{} and {} both name variants of this formulation; use two entries with names of their own",
                    one.key(),
                    other.key()
                );
                Err(source.error(families.span(), reason))
            }
            _ => Ok(first),
        }
    }

    /// Its key.
    pub fn key(&self) -> &'static str {
        match self {
            Self::DropOne => "drop-one",
            Self::AddOne => "add-one",
        }
    }

    /// The variants of a list of families.
    ///
    /// # Errors
    /// Families that must be in the list and are not.
    pub fn variants(&self, families: &str, named: &[&'static str]) -> Result<Vec<Variant>, String> {
        let listed = ids(families)?;
        if let Some(stray) = named.iter().find(|family| !matches!(self, Self::AddOne) && !listed.contains(family)) {
            return Err(format!("{stray} is not among the families of the formulation: {}", listed.join(" ")));
        }
        let overlap = named.iter().any(|family| listed.contains(family));
        let braces = |kept: &[&str]| format!(" {{{}}}", kept.join(" "));
        let variant = |suffix: String, kept: &[&'static str]| {
            let base = listed.iter().filter(|family| !named.contains(family));
            let all: Vec<&str> = base.chain(kept).copied().collect();
            let difference = |a: &[&'static str], b: &[&str]| a.iter().filter(|f| !b.contains(f)).copied().collect();
            let ablation = Ablation {
                shorthand: self.key(),
                without: difference(&listed, &all),
                with: kept.iter().filter(|family| !listed.contains(family)).copied().collect(),
            };
            let ablation = (!ablation.without.is_empty() || !ablation.with.is_empty()).then_some(ablation);
            Variant { suffix, families: all.join(" "), ablation }
        };
        let one = |family: &&'static str| match self {
            // The plus would promise the list as it stands and one family more.
            Self::AddOne if overlap => variant(braces(&[*family]), &[*family]),
            Self::AddOne => variant(format!(" +{family}"), &[*family]),
            Self::DropOne => variant(
                format!(" -{family}"),
                &named.iter().filter(|other| *other != family).copied().collect::<Vec<_>>(),
            ),
        };
        Ok(match self {
            Self::DropOne => [variant(String::new(), named)].into_iter().chain(named.iter().map(one)).collect(),
            Self::AddOne => {
                let base = if overlap { braces(&[]) } else { String::new() };
                [variant(base, &[])].into_iter().chain(named.iter().map(one)).collect()
            }
        })
    }
}

/// The families of a list by their own names, in the order of the model.
///
/// # Errors
/// A family that there is not, or one that is listed twice.
pub(super) fn ids(families: &str) -> Result<Vec<&'static str>, String> {
    let list = model::listed_families(families).map_err(|e| e.to_string())?;
    Ok(list.into_iter().map(|family| family.id).collect())
}
