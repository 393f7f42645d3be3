//! The normal form of a formulation, for rows and identities; what its answers are worth.

use puzzle::{Puzzle, Rule};

use super::SHORT_LOOPS;
use crate::{CutChoice, Formulation, FormulationKind, Holes, ModelError, Objective, Role, Strategy, Subloops};

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
    /// The kind.
    pub kind: FormulationKind,
    /// Kind mip: families in the order of the registry, separated by spaces. Other kinds: what the formulation
    /// chooses instead, `key=value` separated by spaces.
    pub families: String,
    /// `virtual`, `none` or `weighted`.
    pub objective: String,
    /// `report`; `resolve:` and the choice of cuts; `propagate`. Empty for puzzles without loops.
    pub subloops: String,
    /// `report` or `resolve`. Empty for puzzles without loops.
    pub holes: String,
}

impl NormalisedFormulation {
    /// What of it has a meaning for a puzzle: where there are no loops and holes, nothing is said of them.
    #[must_use]
    pub fn about(mut self, puzzle: &Puzzle) -> Self {
        if !puzzle.has_loops() {
            let words = self.families.split(' ').filter(|word| !word.starts_with("short-loops="));
            self.families = words.collect::<Vec<_>>().join(" ");
            if self.families.is_empty() {
                self.families.push_str("none");
            }
            self.subloops.clear();
            self.holes.clear();
        }
        self
    }
}

impl Formulation {
    /// The formulation in normal form.
    ///
    /// # Errors
    /// As [`Formulation::treatment`], or a key that the kind does not have.
    pub fn normalised(&self) -> Result<NormalisedFormulation, ModelError> {
        self.check_keys()?;
        let cuts = match self.kind {
            FormulationKind::Mip => self.cuts.unwrap_or_default(),
            _ => self.loop_cuts(),
        };
        Ok(NormalisedFormulation {
            kind: self.kind,
            families: self.choices()?,
            objective: match self.kind {
                FormulationKind::Mip => self.objective,
                _ => Objective::None,
            }
            .name()
            .to_owned(),
            subloops: match self.treatment()? {
                Subloops::Resolve => format!("resolve:{cuts}"),
                treatment => treatment.name().to_owned(),
            },
            holes: self.holes.unwrap_or_default().name().to_owned(),
        })
    }

    /// Which cuts kinds sat and cp add.
    #[must_use]
    pub fn loop_cuts(&self) -> CutChoice {
        self.cuts.unwrap_or(CutChoice::Loop)
    }

    /// Families or what the formulation chooses instead, in normal form.
    fn choices(&self) -> Result<String, ModelError> {
        let short_loops = || format!("short-loops={}", self.short_loops.unwrap_or(SHORT_LOOPS));
        let around_empty = self.around_empty.map(|most| format!("around-empty={most}"));
        let words: Vec<String> = match self.kind {
            FormulationKind::Mip => self.family_list()?.iter().map(|f| f.id.to_owned()).collect(),
            FormulationKind::Sat => {
                let cardinality = format!("cardinality={}", self.cardinality.unwrap_or_default());
                [cardinality, short_loops()].into_iter().chain(around_empty).collect()
            }
            FormulationKind::Cp => [short_loops()].into_iter().chain(around_empty).collect(),
            FormulationKind::Search => vec![format!("strategy={}", self.strategy.unwrap_or_default())],
            FormulationKind::Minizinc => {
                vec![format!("strategy={}", self.strategy.map_or("solver", Strategy::name)), self.symmetry()]
            }
            FormulationKind::Asp => vec![self.symmetry()],
        };
        Ok(words.join(" "))
    }

    fn symmetry(&self) -> String {
        format!("symmetry-breaking={}", self.symmetry_breaking.unwrap_or(true))
    }

    /// What its answers may lack, and what they do not prove.
    ///
    /// # Errors
    /// As [`Formulation::treatment`].
    pub fn caveats(&self) -> Result<Caveats, ModelError> {
        let subloops = (self.treatment()? == Subloops::Report).then_some(Rule::SingleLoop);
        let holes = (self.holes.unwrap_or_default() == Holes::Report).then_some(Rule::NoHole);
        let restricting = match self.kind {
            FormulationKind::Mip => {
                let list = self.family_list()?;
                list.iter().filter(|f| f.roles.contains(&Role::Restricting)).map(|f| f.id).collect()
            }
            // At most five forbids nothing but holes of one place.
            _ => self.around_empty.filter(|&most| most < 5).map(|_| "around-empty").into_iter().collect(),
        };
        Ok(Caveats { waived: subloops.into_iter().chain(holes).collect(), restricting })
    }
}
