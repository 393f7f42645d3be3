//! What an experiment consists of, in the order in which it is shown.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use record::{Baseline, Manifest, formulation_options, natural_order};

use super::Run;
use crate::text::joined;

/// Formulations and solvers in the order of the config, instances by challenge number and name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Catalog {
    pub formulations: Vec<Formulation>,
    pub solvers: Vec<String>,
    pub instances: Vec<Instance>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formulation {
    pub name: String,
    pub kind: String,
    /// Its constraint families, as text; of other kinds than mip what it chooses instead.
    pub families: String,
    pub objective: String,
    pub subloops: String,
    pub holes: String,
    /// What else it asks for, as in the column `options`: a start, fix-and-optimise, loop-first, places-first.
    pub options: String,
}

impl Formulation {
    /// Name and families, or the one where they are the same.
    pub fn title(&self) -> String {
        if self.families.is_empty() || self.families == self.name {
            self.name.clone()
        } else {
            let kind = if self.kind == "mip" { String::new() } else { format!("{}: ", self.kind) };
            format!("{} ({kind}{})", self.name, self.families)
        }
    }

    /// Its title, its objective, what it cuts off and solves again, and what else it asks for.
    pub fn definition(&self) -> String {
        // Cut off, whether between solves or while the solver searches.
        let resolves = |text: &str| ["resolve", "lazy", "propagate"].iter().any(|word| text.starts_with(word));
        let resolves_holes = resolves(&self.holes) && !self.has_option("places-first");
        let cut_off = match (resolves(&self.subloops), resolves_holes) {
            (true, true) => "subloops and holes cut off",
            (true, false) => "subloops cut off",
            (false, true) => "holes cut off",
            (false, false) => "",
        };
        let objective = if self.kind == "mip" { format!("objective {}", self.objective) } else { String::new() };
        joined([self.title().as_str(), &objective, cut_off, &self.options.replace("; ", ", ")], ", ")
    }

    /// Whether it asks for something that is on or off, such as `loop-first`.
    pub fn has_option(&self, key: &str) -> bool {
        record::options(&self.options).contains(&(key, "true".to_owned()))
    }

    /// Whether it is solved as the papers did: without a start, and again after each cut.
    pub fn is_plain(&self) -> bool {
        self.options.is_empty() && !self.subloops.starts_with("lazy")
    }

    /// Whether figures that were published for these families, and for this objective where one is named, are
    /// figures of this formulation. None that were published are of one that asks for more, or draws cuts while the solver runs.
    pub fn is(&self, families: &str, objective: Option<&str>) -> bool {
        self.is_plain() && same_families(&self.families, families) && objective.is_none_or(|o| o == self.objective)
    }
}

/// Whether two texts list the same constraint families, in whatever order.
///
/// The match is exact: papers list a family only where they use it, so one more makes another formulation.
pub fn same_families(a: &str, b: &str) -> bool {
    families(a) == families(b)
}

/// Whether a text lists a constraint family.
pub fn has_family(text: &str, family: &str) -> bool {
    families(text).contains(family)
}

fn families(text: &str) -> BTreeSet<&str> {
    text.split([' ', ',', '+', '\t']).filter(|f| !f.is_empty()).collect()
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    pub name: String,
    /// Its challenge number, if it has one.
    pub challenge: Option<u64>,
    /// Places of its board, if it has one.
    pub places: Option<u64>,
    /// Whether its puzzle has loops; 3SoKu has none.
    pub has_loops: bool,
    /// Whether it was treated as a bounded board (families B, or holes cut off), as one with no more places than tiles may be.
    pub has_bounded_model: bool,
}

impl Instance {
    /// The board variant: the parts of the name between hyphens without that of the challenge number and a number at the end, so that
    /// `n20-round` and `n20-spur` are two boards for one challenge, and `n20-round-7` is of the variant of the first; empty where no part
    /// is that of the challenge number.
    pub fn variant(&self) -> String {
        let number = self.challenge.map(|challenge| format!("n{challenge}")).unwrap_or_default();
        let parts: Vec<_> = self.name.split('-').collect();
        let Some(place) = parts.iter().position(|part| *part == number) else { return String::new() };
        let mut rest = [&parts[..place], &parts[place + 1..]].concat();
        rest.pop_if(|last| last.bytes().all(|byte| byte.is_ascii_digit()));
        rest.join("-")
    }

    /// Whether solutions may have holes: loops do, unless they fill all places of the board.
    pub fn may_have_holes(&self) -> bool {
        self.has_loops && self.places != self.challenge
    }
}

impl Catalog {
    /// Whether boards with more places than tiles are among the instances: then an instance is told by its
    /// challenge and its places.
    pub fn is_bounded(&self) -> bool {
        self.instances.iter().any(|i| i.challenge.zip(i.places).is_some_and(|(challenge, places)| places > challenge))
    }

    /// Whether solutions of some instance may have holes.
    pub fn may_have_holes(&self) -> bool {
        self.instances.iter().any(Instance::may_have_holes)
    }

    pub fn has_kinds(&self) -> bool {
        self.formulations.windows(2).any(|pair| pair[0].kind != pair[1].kind)
    }

    /// The configuration that the others are compared with, if the config names it and there are rows of it.
    pub fn baseline<'a>(&self, manifest: &'a Manifest) -> Option<Baseline<'a>> {
        let formulations: Vec<_> = self.formulations.iter().map(|f| f.name.as_str()).collect();
        let solvers: Vec<_> = self.solvers.iter().map(String::as_str).collect();
        Baseline::find(manifest.report.baseline.as_deref()?, &formulations, &solvers)
    }

    pub fn of(manifest: &Manifest, runs: &[Run]) -> Self {
        let mut seen = HashSet::new();
        let settings: Vec<_> = runs.iter().map(|run| &run.setting).filter(|of| seen.insert(Arc::as_ptr(of))).collect();
        let (mut instances, mut formulations) = (BTreeMap::new(), BTreeMap::new());
        for setting in &settings {
            let instance = instances.entry(&setting.instance).or_insert_with(|| Instance {
                name: setting.instance.clone(),
                challenge: setting.challenge,
                places: setting.places,
                has_loops: setting.has_loops(),
                has_bounded_model: false,
            });
            instance.has_bounded_model |=
                setting.hole_treatment == "resolve" || setting.kind == "mip" && has_family(&setting.families, "B1");
            formulations.entry(&setting.formulation).or_insert_with(|| Formulation {
                name: setting.formulation.clone(),
                kind: setting.kind.clone(),
                families: setting.families.clone(),
                objective: setting.objective.clone(),
                subloops: setting.subloops.clone(),
                holes: setting.hole_treatment.clone(),
                options: formulation_options(&setting.options),
            });
        }
        let solvers: BTreeSet<_> = settings.iter().map(|setting| &setting.solver).collect();
        let mut instances: Vec<Instance> = instances.into_values().collect();
        let mut formulations: Vec<Formulation> = formulations.into_values().collect();
        let mut solvers: Vec<String> = solvers.into_iter().cloned().collect();
        let compare = by_place(manifest.formulations.iter().map(String::as_str));
        formulations.sort_by(|a, b| compare(&a.name, &b.name));
        let compare = by_place(manifest.solvers.iter().map(|s| s.name.as_str()));
        solvers.sort_by(|a, b| compare(a, b));
        instances.sort_by(|a, b| {
            let number = |i: &Instance| i.challenge.unwrap_or(u64::MAX);
            number(a).cmp(&number(b)).then_with(|| natural_order(&a.name, &b.name))
        });
        Self { formulations, solvers, instances }
    }
}

/// Compares names by their places in a config; those that it does not hold come last.
fn by_place<'a>(names: impl Iterator<Item = &'a str>) -> impl Fn(&str, &str) -> Ordering {
    let places: HashMap<_, _> = names.enumerate().map(|(place, name)| (name, place)).collect();
    move |a, b| {
        let place = |name: &str| places.get(name).copied().unwrap_or(usize::MAX);
        place(a).cmp(&place(b)).then_with(|| natural_order(a, b))
    }
}
