//! What a formulation chooses beside its families: the keys of an entry, of its matrix and of the defaults.

use std::ops::Range;

use model::{Cardinality, CutChoice, Formulation, FormulationKind, Holes, Objective, Strategy, Subloops};

use super::entries::FormulationFile;
use super::file::FormulationDefaults;
use super::formulations::spread;
use super::values::At;

/// Where a key stands.
pub(super) struct Given {
    pub key: &'static str,
    pub entry: bool,
    pub matrix: bool,
    pub defaults: bool,
    /// Number of values that the matrix has.
    pub values: u64,
    /// Where in the text, if in the entry or its matrix.
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
                matrix: file.matrix.$field.is_some(),
                defaults: defaults.$field.is_some(),
                values: file.matrix.$field.as_ref().map_or(1, |list| list.len() as u64),
                span: file.$field.iter().chain(file.matrix.$field.iter().flatten()).next().map(At::span),
            }),+]
        }

        /// Every combination of what the matrix lists, each with what it adds to the name. A default of a key that the kind
        /// does not have is none.
        pub(super) fn combinations(
            file: &FormulationFile,
            defaults: &FormulationDefaults,
            kind: FormulationKind,
        ) -> Vec<(String, Choices)> {
            let has = |key| Formulation::kinds_with(key).contains(&kind);
            let plain = Choices {
                $($field: file.$field.as_ref().map(At::get).or(defaults.$field.as_ref().filter(|_| has($key))).map(|word| word.0),)+
            };
            let all = vec![(String::new(), plain)];
            $(let all = spread(all, &file.matrix.$field, |word, choices| {
                choices.$field = Some(word.get().0);
                format!(" {}={}", $key, word.get().0)
            });)+
            all
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
    given.filter(|given| given.defaults && !given.entry && !given.matrix).map(|given| given.key).collect()
}
