//! Formulations: which families, which objective, what to do about subloops.

use puzzle::{Instance, Puzzle, Rule};
use serde::{Deserialize, Serialize};

pub use crate::fixed::CutChoice;

use crate::{FamilyInfo, ModelError, Role, fixed};

/// What is minimised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Objective {
    /// x[1,1,1], as in the papers: any feasible point will do, but a solver has something to minimise.
    #[default]
    Virtual,
    /// Nothing.
    None,
}

/// What to do when a solution shows several designated loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Subloops {
    /// Say so and stop.
    Report,
    /// Cut them off and solve again, until one loop is left.
    Resolve,
}

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
}

/// A formulation in the words of result rows; equal texts mean equal models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NormalisedFormulation {
    /// Families in the order of the registry, separated by spaces.
    pub families: String,
    /// `virtual` or `none`.
    pub objective: String,
    /// `report`, or `resolve:` and the choice of cuts.
    pub subloops: String,
}

/// All constraint families, for listings.
#[must_use]
pub fn families() -> Vec<FamilyInfo> {
    fixed::FAMILIES.iter().map(|family| family.info()).collect()
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
            // A typographic prime is what people paste from the paper.
            let plain = name.replace(['\u{2032}', '\u{2019}'], "'");
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
        match &instance.puzzle {
            Puzzle::TantrixFixed(_) => self.check_roles(&list),
        }
    }

    fn check_roles(&self, list: &[FamilyInfo]) -> Result<(), ModelError> {
        let having = |role| list.iter().filter(|f| f.roles.contains(&role)).map(|f| f.id).collect::<Vec<_>>();
        for (role, families, why) in [
            (Role::Placing, "C1", "nothing puts one tile on each place"),
            (Role::Counting, "C2 or C2'", "nothing says how often each tile is used"),
            (Role::Boundary, "C3, C3x or C4c", "nothing keeps designated lines on the board"),
            (Role::Matching, "C4 or C4c", "nothing makes touching edges match"),
        ] {
            if having(role).is_empty() {
                return Err(self.refuse(format!("{why}; add {families}")));
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
            objective: match self.objective {
                Objective::Virtual => "virtual",
                Objective::None => "none",
            }
            .to_owned(),
            subloops: match self.treatment()? {
                Subloops::Report => "report".to_owned(),
                Subloops::Resolve => format!("resolve:{}", self.cuts.unwrap_or_default().name()),
            },
        })
    }

    /// Rules that its answers may break, because it only reports what breaks them.
    ///
    /// # Errors
    /// As [`Formulation::treatment`].
    pub fn waived(&self) -> Result<Vec<Rule>, ModelError> {
        Ok(match self.treatment()? {
            Subloops::Report => vec![Rule::SingleLoop],
            Subloops::Resolve => Vec::new(),
        })
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
        hint: alike.map(|f| format!(" (did you mean {}?)", f.id)).unwrap_or_default(),
        known: known.iter().map(|f| f.id).collect::<Vec<_>>().join(" "),
    }
}
