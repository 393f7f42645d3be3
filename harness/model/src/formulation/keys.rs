//! Which keys a formulation of a kind may have, and which values.

use super::MOST_SHORT_LOOPS;
use crate::{Formulation, FormulationKind, ModelError, Objective, Strategy, Subloops};

impl Formulation {
    /// Keys that only some kinds have: whether each is given, and those kinds.
    fn keys(&self) -> [(&'static str, bool, &'static [FormulationKind]); 10] {
        [
            ("families", !self.families.trim().is_empty()),
            ("objective = \"weighted\"", self.objective == Objective::Weighted),
            ("holes", self.holes.is_some()),
            ("subloops", self.subloops.is_some()),
            ("cuts", self.cuts.is_some()),
            ("cardinality", self.cardinality.is_some()),
            ("short-loops", self.short_loops.is_some()),
            ("around-empty", self.around_empty.is_some()),
            ("strategy", self.strategy.is_some()),
            ("symmetry-breaking", self.symmetry_breaking.is_some()),
        ]
        .map(|(key, given)| (key, given, Self::kinds_with(key.split(' ').next().unwrap_or(key))))
    }

    /// The kinds that have a key, by its name in configs.
    #[must_use]
    pub fn kinds_with(key: &str) -> &'static [FormulationKind] {
        use FormulationKind::{Asp, Cp, Minizinc, Mip, Sat, Search};
        match key {
            "families" | "objective" | "drop-one" | "add-one" | "powerset" | "root-bound" => &[Mip],
            "subloops" | "cuts" => &[Mip, Sat, Cp],
            "cardinality" => &[Sat],
            "short-loops" | "around-empty" => &[Sat, Cp],
            "holes" => &[Mip, Sat, Cp, Search],
            "strategy" => &[Search, Minizinc],
            "symmetry-breaking" => &[Minizinc, Asp],
            _ => &FormulationKind::ALL,
        }
    }

    /// Refuses keys that have no meaning for the kind, and values out of range.
    pub(super) fn check_keys(&self) -> Result<(), ModelError> {
        if let Some((key, _, kinds)) =
            self.keys().iter().find(|(_, given, kinds)| *given && !kinds.contains(&self.kind))
        {
            let kinds: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
            return Err(self.refuse(format!("{key} is for kind {}; leave it out", kinds.join(" and "))));
        }
        if let Some(length) = self.short_loops.filter(|length| !(3..=MOST_SHORT_LOOPS).contains(length) && *length != 0)
        {
            return Err(self.refuse(format!(
                "short-loops = {length}, but loops have 3 places and more, and at most {MOST_SHORT_LOOPS} are forbidden \
                 in advance; 0 for none"
            )));
        }
        if let Some(most) = self.around_empty.filter(|most| !(3..=5).contains(most)) {
            return Err(self.refuse(format!("around-empty = {most}; there is 5, 4 or 3, or no such rule")));
        }
        let is_annotation = self.strategy == Some(Strategy::RandomRestarts);
        if let Some(strategy) = self.strategy
            && is_annotation != (self.kind == FormulationKind::Minizinc)
        {
            let right = Strategy::ALL.into_iter().filter(|&other| (other == Strategy::RandomRestarts) != is_annotation);
            let right: Vec<&str> = right.map(Strategy::name).collect();
            return Err(self.refuse(format!("strategy = \"{strategy}\"; this kind has {}", right.join(", "))));
        }
        if self.kind != FormulationKind::Mip && self.cuts.is_some() && self.treatment()? != Subloops::Resolve {
            return Err(self.refuse("a choice of cuts without subloops = \"resolve\", which draws them".to_owned()));
        }
        Ok(())
    }
}
