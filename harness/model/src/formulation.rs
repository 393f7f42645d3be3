//! Formulations, and whether they make sense for an instance.

mod keys;
mod normal;

use puzzle::{Instance, Puzzle};
use serde::{Deserialize, Serialize};

pub use normal::{Caveats, NormalisedFormulation};

use crate::kinds::{self, Kind};
use crate::{
    Cardinality, CutChoice, FamilyInfo, FormulationKind, Holes, ModelError, Objective, Role, Strategy, Subloops, soku,
    tantrix,
};

/// Length up to which loops are forbidden in advance where a formulation leaves that open (kinds sat and cp).
pub const SHORT_LOOPS: usize = 7;

/// Greatest length up to which loops can be forbidden in advance: there are about 3 times as many for each place more.
pub const MOST_SHORT_LOOPS: usize = 12;

/// Most tiles that a search takes on the open plane: it holds all of the plane that a loop can reach.
pub const MOST_SEARCHED: usize = 500;

/// A formulation, as configs write it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Formulation {
    /// How tables and plots name it.
    pub name: String,
    /// What a solver is given.
    #[serde(default)]
    pub kind: FormulationKind,
    /// Kind mip: families, separated by spaces: `C1 C2' C3 C4 C5`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub families: String,
    /// Kind mip: what is minimised. Other kinds minimise nothing, and refuse `weighted`.
    #[serde(default)]
    pub objective: Objective,
    /// What to do about subloops; left out: kind mip: `resolve` if a cutting family (C5, C5x) is listed, else `report`;
    /// kinds sat and cp: `resolve`.
    #[serde(default)]
    pub subloops: Option<Subloops>,
    /// Which cuts to add; left out: one for each subloop.
    #[serde(default)]
    pub cuts: Option<CutChoice>,
    /// What to do about holes on bounded boards and the open plane; left out: `report`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holes: Option<Holes>,
    /// Kind sat: how clauses count tiles; left out: `totalizer`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cardinality: Option<Cardinality>,
    /// Kinds sat and cp: designated loops of up to so many places are forbidden in advance; left out: [`SHORT_LOOPS`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub short_loops: Option<usize>,
    /// Kinds sat and cp on boards with room: at most so many tiles around an empty place (5, 4, 3: B6, B6', B6'');
    /// left out: no such rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub around_empty: Option<usize>,
    /// Kind search: the algorithm; left out: `propagate`. Kind minizinc: how the program says to search; left out: it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Strategy>,
    /// Kinds minizinc and asp: whether the program demands that uniform tiles are not rotated and equal tiles lie in order
    /// (Rizzo, listings 5 and 12); left out: it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symmetry_breaking: Option<bool>,
}

/// All constraint families, for listings.
#[must_use]
pub fn families() -> Vec<FamilyInfo> {
    let tantrix = tantrix::FAMILIES.iter().map(|family| family.info());
    tantrix.chain(soku::FAMILIES.iter().map(|family| family.info())).collect()
}

impl Formulation {
    /// A formulation of kind mip from a list of families, everything else as configs leave it out.
    #[must_use]
    pub fn of(name: &str, families: &str) -> Self {
        Self { families: families.to_owned(), ..Self::plain(name, FormulationKind::Mip) }
    }

    /// A formulation of some kind, everything as configs leave it out; kind mip needs families beside that.
    #[must_use]
    pub fn plain(name: &str, kind: FormulationKind) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            families: String::new(),
            objective: Objective::default(),
            subloops: None,
            cuts: None,
            holes: None,
            cardinality: None,
            short_loops: None,
            around_empty: None,
            strategy: None,
            symmetry_breaking: None,
        }
    }

    /// The formulation, if it is of this kind.
    ///
    /// # Errors
    /// It is of another one.
    pub fn of_kind(&self, kind: FormulationKind) -> Result<&Self, ModelError> {
        if self.kind == kind { Ok(self) } else { Err(self.refuse(format!("kind {kind} is wanted here"))) }
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
    /// A family that does not exist, or a treatment that the families or the kind contradict.
    pub fn treatment(&self) -> Result<Subloops, ModelError> {
        match self.kind {
            FormulationKind::Mip => self.treatment_by_families(),
            FormulationKind::Sat | FormulationKind::Cp => Ok(self.subloops.unwrap_or(Subloops::Resolve)),
            FormulationKind::Search => Ok(Subloops::Propagate),
            // Programs are of puzzles without loops.
            FormulationKind::Minizinc | FormulationKind::Asp => Ok(Subloops::Report),
        }
    }

    fn treatment_by_families(&self) -> Result<Subloops, ModelError> {
        if self.subloops == Some(Subloops::Propagate) {
            return Err(self.refuse("subloops = \"propagate\" is for kinds sat and cp".to_owned()));
        }
        if self.cuts == Some(CutChoice::Loop) {
            return Err(self.refuse("cuts = \"loop\" is for kinds sat and cp".to_owned()));
        }
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
            (_, []) => {
                if self.cuts.is_some() {
                    return Err(self.refuse("a choice of cuts without a family that cuts: add C5 or C5x".to_owned()));
                }
                Ok(Subloops::Report)
            }
            (_, [_]) => Ok(Subloops::Resolve),
        }
    }

    /// Whether the formulation makes sense for an instance.
    ///
    /// # Errors
    /// The reason why it does not.
    pub fn check(&self, instance: &Instance) -> Result<(), ModelError> {
        let kind = instance.puzzle.kind();
        self.check_keys()?;
        if kinds::kind(kind).is_some_and(|kind| !kind.loops) {
            self.check_without_loops()?;
        }
        self.treatment()?;
        if self.kind == FormulationKind::Mip {
            self.check_families(instance)?;
        }
        let Some(kind) = kinds::kind(kind) else {
            return Err(self.refuse(format!("there are no formulations for {kind}")));
        };
        match (kind.loops, self.strategy) {
            (true, Some(strategy @ (Strategy::LeastCapacity | Strategy::Count))) => {
                return Err(self.refuse(format!("strategy = \"{strategy}\" is for 3SoKu")));
            }
            (false, Some(Strategy::Walk)) => {
                return Err(self.refuse("strategy = \"walk\" follows a line, and 3SoKu has none".to_owned()));
            }
            _ => {}
        }
        if kind.loops && matches!(self.kind, FormulationKind::Minizinc | FormulationKind::Asp) {
            return Err(self.refuse("there are programs of this kind for 3SoKu only".to_owned()));
        }
        if !kind.loops {
            return Ok(());
        }
        if let (FormulationKind::Search, Puzzle::TantrixNatural(puzzle)) = (self.kind, &instance.puzzle)
            && puzzle.challenge > MOST_SEARCHED
        {
            return Err(self.refuse(format!(
                "{} tiles on the open plane, of which a search takes {MOST_SEARCHED} at most",
                puzzle.challenge
            )));
        }
        if kind.full && self.holes == Some(Holes::Resolve) {
            return Err(self.refuse(
                "a fixed board leaves no room for holes; \
                holes = \"resolve\" is for bounded boards and the open plane"
                    .to_owned(),
            ));
        }
        if kind.full && self.around_empty.is_some() {
            return Err(self.refuse(
                "a fixed board has no empty places; around-empty is for bounded boards and the open plane".to_owned(),
            ));
        }
        if kind.full && self.objective == Objective::Weighted {
            return Err(self.refuse(
                "every solution of a fixed board has the same weight; \
                objective = \"weighted\" is for bounded boards and the open plane"
                    .to_owned(),
            ));
        }
        Ok(())
    }

    /// Refuses what has no meaning where there are no loops.
    fn check_without_loops(&self) -> Result<(), ModelError> {
        let strange = [
            ("objective = \"weighted\"", self.objective == Objective::Weighted),
            ("subloops", self.subloops.is_some()),
            ("cuts", self.cuts.is_some()),
            ("holes", self.holes.is_some()),
            ("short-loops", self.short_loops.is_some()),
            ("around-empty", self.around_empty.is_some()),
        ];
        match strange.into_iter().find(|(_, given)| *given) {
            Some((key, _)) => {
                Err(self.refuse(format!("{key} is about loops and boards, and 3SoKu has none; leave it out")))
            }
            None => Ok(()),
        }
    }

    /// Whether the families describe the instance's puzzle.
    fn check_families(&self, instance: &Instance) -> Result<(), ModelError> {
        let list = self.family_list()?;
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
        kinds::kind(kind).map_or(Ok(()), |kind| self.check_roles(&list, kind))
    }

    fn check_roles(&self, list: &[FamilyInfo], kind: &Kind) -> Result<(), ModelError> {
        let having = |role| list.iter().filter(|f| f.roles.contains(&role)).map(|f| f.id).collect::<Vec<_>>();
        for (role, what, families) in kind.needed {
            if having(*role).is_empty() {
                return Err(self.refuse(format!("nothing {what}; add {families}")));
            }
        }
        if let [first, second, ..] = having(Role::Counting).as_slice() {
            let why = "they define the tile variables in two ways";
            return Err(self.refuse(format!("{first} and {second} exclude each other: {why}")));
        }
        soku::contradiction(list).map_or(Ok(()), |reason| Err(self.refuse(reason)))
    }

    pub(crate) fn refuse(&self, reason: String) -> ModelError {
        match self.kind {
            FormulationKind::Mip => ModelError::Families { families: self.families.clone(), reason },
            kind => ModelError::Kind { kind, reason },
        }
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
