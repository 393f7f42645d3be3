//! Formulations: checks, normal form, and what their answers may lack.

use puzzle::{Instance, Rule};
use serde::{Deserialize, Serialize};

use crate::kinds::{self, Kind};
use crate::{CutChoice, FamilyInfo, Holes, ModelError, Objective, Role, Subloops, tantrix};

/// A formulation, as configs write it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Formulation {
    /// How tables and plots name it.
    pub name: String,
    /// Families, separated by spaces: `C1 C2' C3 C4 C5`.
    pub families: String,
    /// What is minimised.
    #[serde(default)]
    pub objective: Objective,
    /// What to do about subloops; left out: `resolve` if a cutting family (C5, C5x) is listed, else `report`.
    #[serde(default)]
    pub subloops: Option<Subloops>,
    /// Which cuts to add; left out: one for each subloop.
    #[serde(default)]
    pub cuts: Option<CutChoice>,
    /// What to do about holes on bounded boards and the open plane; left out: `report`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holes: Option<Holes>,
}

/// What answers under a formulation may lack, and what they do not prove.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Caveats {
    /// Rules that its answers may break, because it only reports what breaks them.
    pub waived: Vec<Rule>,
    /// Families that forbid some solutions too: where the formulation has no solution, the puzzle may have one.
    pub restricting: Vec<&'static str>,
}

/// A formulation in the words of result rows; equal texts mean equal models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NormalisedFormulation {
    /// Families in the order of the registry, separated by spaces.
    pub families: String,
    /// `virtual`, `none` or `weighted`.
    pub objective: String,
    /// `report`, or `resolve:` and the choice of cuts.
    pub subloops: String,
    /// `report` or `resolve`.
    pub holes: String,
}

/// All constraint families, for listings.
#[must_use]
pub fn families() -> Vec<FamilyInfo> {
    tantrix::FAMILIES.iter().map(|family| family.info()).collect()
}

impl Formulation {
    /// A formulation from a list of families, everything else as configs leave it out.
    #[must_use]
    pub fn of(name: &str, families: &str) -> Self {
        Self {
            name: name.to_owned(),
            families: families.to_owned(),
            objective: Objective::default(),
            subloops: None,
            cuts: None,
            holes: None,
        }
    }

    /// The families, in the order of the registry.
    ///
    /// # Errors
    /// A family that does not exist or is listed twice.
    pub fn family_list(&self) -> Result<Vec<FamilyInfo>, ModelError> {
        let known = families();
        let mut listed = Vec::new();
        for name in self.families.split_whitespace() {
            // Typographic primes are what people paste from the papers.
            let plain = name.replace(['\u{2032}', '\u{2019}'], "'").replace(['\u{2033}', '\u{201d}'], "''");
            let Some(family) = known.iter().find(|f| f.id == plain) else {
                return Err(unknown(name, &known));
            };
            if listed.contains(family) {
                return Err(self.refuse(format!("{} is listed twice", family.id)));
            }
            listed.push(*family);
        }
        listed.sort_by_key(|family| known.iter().position(|k| k == family));
        Ok(listed)
    }

    /// What happens to subloops under this formulation.
    ///
    /// # Errors
    /// A family that does not exist, or a treatment that the families contradict.
    pub fn treatment(&self) -> Result<Subloops, ModelError> {
        let cutting: Vec<_> = self.family_list()?.into_iter().filter(|f| f.roles.contains(&Role::Cutting)).collect();
        match (self.subloops, cutting.as_slice()) {
            (_, [first, second, ..]) => {
                Err(self.refuse(format!("{} and {} cut off the same subloops; list one of them", first.id, second.id)))
            }
            (Some(Subloops::Resolve), []) => {
                Err(self.refuse("subloops = \"resolve\" needs the family that cuts them off: C5, or C5x".to_owned()))
            }
            (Some(Subloops::Report), [family]) => Err(self.refuse(format!(
                "{} is there to cut subloops off, but subloops = \"report\" never does; leave one of them out",
                family.id
            ))),
            (Some(Subloops::Report) | None, []) => {
                if self.cuts.is_some() {
                    return Err(self.refuse("a choice of cuts without a family that cuts: add C5 or C5x".to_owned()));
                }
                Ok(Subloops::Report)
            }
            (Some(Subloops::Resolve) | None, [_]) => Ok(Subloops::Resolve),
        }
    }

    /// Whether the formulation makes sense for an instance.
    ///
    /// # Errors
    /// The reason why it does not.
    pub fn check(&self, instance: &Instance) -> Result<(), ModelError> {
        let list = self.family_list()?;
        self.treatment()?;
        let kind = instance.puzzle.kind();
        if let Some(stray) = list.iter().find(|f| !f.kinds.contains(&kind)) {
            return Err(self.refuse(format!(
                "{} is for {}, but {} is {kind}; its families: {}",
                stray.id,
                stray.kinds.join(" and "),
                instance.name,
                families().iter().filter(|f| f.kinds.contains(&kind)).map(|f| f.id).collect::<Vec<_>>().join(" ")
            )));
        }
        let Some(kind) = kinds::kind(kind) else {
            return Err(self.refuse(format!("there are no formulations for {kind}")));
        };
        self.check_roles(&list, kind)?;
        if kind.full && self.objective == Objective::Weighted {
            return Err(self.refuse(
                "every solution of a fixed board has the same weight; \
                objective = \"weighted\" is for bounded boards and the open plane"
                    .to_owned(),
            ));
        }
        if kind.full && self.holes == Some(Holes::Resolve) {
            return Err(self.refuse(
                "a fixed board leaves no room for holes; \
                holes = \"resolve\" is for bounded boards and the open plane"
                    .to_owned(),
            ));
        }
        Ok(())
    }

    fn check_roles(&self, list: &[FamilyInfo], kind: &Kind) -> Result<(), ModelError> {
        let having = |role| list.iter().filter(|f| f.roles.contains(&role)).map(|f| f.id).collect::<Vec<_>>();
        for (role, what, families) in kind.needed {
            if having(role).is_empty() {
                return Err(self.refuse(format!("nothing {what}; add {families}")));
            }
        }
        if let [first, second, ..] = having(Role::Counting).as_slice() {
            let why = "they define the tile variables in two ways";
            return Err(self.refuse(format!("{first} and {second} exclude each other: {why}")));
        }
        Ok(())
    }

    /// The formulation in normal form.
    ///
    /// # Errors
    /// As [`Formulation::treatment`].
    pub fn normalised(&self) -> Result<NormalisedFormulation, ModelError> {
        let families: Vec<&str> = self.family_list()?.iter().map(|f| f.id).collect();
        Ok(NormalisedFormulation {
            families: families.join(" "),
            objective: self.objective.name().to_owned(),
            subloops: match self.treatment()? {
                Subloops::Report => "report".to_owned(),
                Subloops::Resolve => format!("resolve:{}", self.cuts.unwrap_or_default().name()),
            },
            holes: self.holes.unwrap_or_default().name().to_owned(),
        })
    }

    /// What its answers may lack, and what they do not prove.
    ///
    /// # Errors
    /// As [`Formulation::treatment`].
    pub fn caveats(&self) -> Result<Caveats, ModelError> {
        let subloops = (self.treatment()? == Subloops::Report).then_some(Rule::SingleLoop);
        let holes = (self.holes.unwrap_or_default() == Holes::Report).then_some(Rule::NoHole);
        let list = self.family_list()?;
        let restricting = list.iter().filter(|f| f.roles.contains(&Role::Restricting)).map(|f| f.id);
        Ok(Caveats { waived: subloops.into_iter().chain(holes).collect(), restricting: restricting.collect() })
    }

    fn refuse(&self, reason: String) -> ModelError {
        ModelError::Families { families: self.families.clone(), reason }
    }
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
