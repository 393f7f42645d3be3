//! Which runs of a plan pass a filter.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::PlannedRun;
use crate::filter::{Filter, Property};

impl PlannedRun {
    /// A property, if the run has it.
    fn property(&self, property: Property) -> Option<Cow<'_, str>> {
        let facts = &self.instance.facts;
        Some(match property {
            Property::Instance => self.instance.instance.name.as_str().into(),
            Property::Challenge => facts.challenge?.to_string().into(),
            Property::Colour => facts.colour.as_deref()?.into(),
            Property::Formulation => self.formulation.formulation.name().into(),
            Property::Kind => self.formulation.kind().into(),
            Property::Solver => self.solver.label.as_str().into(),
            Property::Seed => self.seed.to_string().into(),
        })
    }
}

impl Filter {
    /// Whether a run has the property. A solver is given by its label, which is its backend where the config names none.
    #[must_use]
    pub fn matches(&self, run: &PlannedRun) -> bool {
        run.property(self.property()).is_some_and(|value| self.fits(&value))
    }

    /// Why no run passes: what there is in place of what it wants, nearest first. `None` if it is not this filter's fault alone.
    pub(super) fn idle<'a>(&self, mut runs: impl Iterator<Item = &'a PlannedRun>) -> Option<String> {
        let mut known = BTreeSet::new();
        let passes = runs.any(|run| {
            known.extend(run.property(self.property()));
            self.matches(run)
        });
        (!passes).then(|| self.in_place(known.iter().map(Cow::as_ref)))
    }
}
