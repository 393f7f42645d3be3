//! What a formulation chooses beside its families: the keys of an entry and of the defaults.

use std::ops::Range;

use model::{Cardinality, CutChoice, Formulation, FormulationKind, Holes, Objective, Strategy, Subloops};

use super::file::{FormulationDefaults, FormulationFile};
use super::values::At;

/// Where a key stands.
pub(super) struct Given {
    pub key: &'static str,
    pub entry: bool,
    pub defaults: bool,
    /// Where in the text, if in the entry.
    pub span: Option<Range<usize>>,
}

/// Keys with their types, in the order in which names show them.
macro_rules! choices {
    ($($field:ident $key:literal $type:ty;)+) => {
        /// Values of the keys; `None`: left out.
        #[derive(Clone, Copy)]
        pub(super) struct Choices {
            $(pub $field: Option<$type>,)+
        }

        /// Where each key stands.
        pub(super) fn given(file: &FormulationFile, defaults: &FormulationDefaults) -> Vec<Given> {
            vec![$(Given {
                key: $key,
                entry: file.$field.is_some(),
                defaults: defaults.$field.is_some(),
                span: file.$field.as_ref().map(At::span),
            }),+]
        }

        /// The choices of an entry. A default of a key that the kind does not have is none.
        pub(super) fn chosen(file: &FormulationFile, defaults: &FormulationDefaults, kind: FormulationKind) -> Choices {
            let has = |key| Formulation::kinds_with(key).contains(&kind);
            Choices {
                $($field: file.$field.as_ref().map(At::get).or(defaults.$field.as_ref().filter(|_| has($key))).map(|word| word.0),)+
            }
        }
    };
}

choices! {
    objective "objective" Objective;
    subloops "subloops" Subloops;
    cuts "cuts" CutChoice;
    holes "holes" Holes;
    cardinality "cardinality" Cardinality;
    short_loops "short-loops" usize;
    around_empty "around-empty" usize;
    strategy "strategy" Strategy;
    symmetry_breaking "symmetry-breaking" bool;
}

impl Choices {
    /// A formulation of a kind that makes these choices.
    pub fn formulation(self, name: &str, kind: FormulationKind, families: String) -> Formulation {
        Formulation {
            families,
            objective: self.objective.unwrap_or_default(),
            subloops: self.subloops,
            cuts: self.cuts,
            holes: self.holes,
            cardinality: self.cardinality,
            short_loops: self.short_loops,
            around_empty: self.around_empty,
            strategy: self.strategy,
            symmetry_breaking: self.symmetry_breaking,
            ..Formulation::plain(name, kind)
        }
    }
}

/// Keys that an entry leaves to the defaults.
pub(super) fn defaulted(file: &FormulationFile, defaults: &FormulationDefaults) -> Vec<&'static str> {
    let given = given(file, defaults).into_iter();
    given.filter(|given| given.defaults && !given.entry).map(|given| given.key).collect()
}
