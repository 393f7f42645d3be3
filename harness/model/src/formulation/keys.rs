//! The keys of formulations: one table that configs, their schema, the command line and the reader go by.

use std::fmt;

use serde::{Deserialize, Serialize};

use self::FormulationKind::{Asp, Cp, Minizinc, Mip, Sat, Search};

/// Greatest length up to which loops can be forbidden in advance: there are about 3 times as many for each place more.
pub const MOST_SHORT_LOOPS: usize = 12;

/// Gives the variants of an enum their words.
macro_rules! words {
    ($type:ident: $($variant:ident $word:literal),*) => {
        impl $type {
            /// All of them, in the order in which listings show them.
            pub const ALL: [Self; [$($word),*].len()] = [$(Self::$variant),*];

            /// Their words, in the same order.
            pub const WORDS: &[&str] = &[$($word),*];

            /// The word used in configs.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            /// What a word means.
            #[must_use]
            pub fn of_word(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.name() == word)
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

words!(FormulationKind: Mip "mip", Sat "sat", Cp "cp", Search "search", Minizinc "minizinc", Asp "asp");
words!(Cardinality: Totalizer "totalizer", Sequential "sequential", Network "network", Adder "adder");
words!(Strategy: Walk "walk", Propagate "propagate", LeastCapacity "least-capacity", Count "count");
words!(Objective: Virtual "virtual", None "none", Weighted "weighted");
words!(CutChoice: Each "each", Smallest "smallest", Region "region", Loop "loop");
words!(Holes: Report "report", Resolve "resolve");

/// The kind of a formulation: what a solver is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FormulationKind {
    /// Linear rows over integers, made of constraint families.
    #[default]
    Mip,
    /// Clauses over Boolean variables.
    Sat,
    /// Constraints over integer variables: tables, sums, clauses.
    Cp,
    /// The puzzle itself; the solver has an algorithm of its own for it.
    Search,
    /// A program in MiniZinc's language.
    Minizinc,
    /// A logic program for answer set solvers.
    Asp,
}

/// How clauses say that exactly k of some variables hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Cardinality {
    /// Unary counts of the halves, merged up a tree (Bailleux & Boufkhad 2003).
    #[default]
    Totalizer,
    /// Unary counts of the first 1, 2, 3, ... variables (Sinz 2005).
    Sequential,
    /// Odd-even merge sorting networks, cut off above k (Asin et al. 2011).
    Network,
    /// The sum in binary, by full and half adders (Warners 1998).
    Adder,
}

/// An algorithm of kind `search`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Strategy {
    /// Tantrix: plain backtracking that makes the designated line longer tile by tile (King's blog).
    Walk,
    /// Backtracking with propagation, ordering and restarts: on colours, sorts and connections, or on what vertices lack.
    #[default]
    Propagate,
    /// 3SoKu: backtracking on the face whose vertices lack least, tiles in lexicographic order (De Biasi's solver in JavaScript).
    LeastCapacity,
    /// 3SoKu: counts all solutions, and shows one.
    Count,
}

/// What is minimised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Objective {
    /// x[1,1,1], as in the papers: any feasible point will do, but a solver has something to minimise.
    #[default]
    Virtual,
    /// Nothing.
    None,
    /// Minus the sum of the weights of the filled places, greatest in the middle of the board: round shapes first
    /// (bounded boards and the open plane, where the optimum is that of the first board that holds a solution).
    Weighted,
}

/// What to do when a solution shows several designated loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subloops {
    /// Say so and stop.
    Report,
    /// Add these cuts and solve again, until one loop is left.
    Resolve(CutChoice),
    /// Cut them off within the search, as soon as they close.
    Propagate,
}

impl Subloops {
    /// The words used in configs.
    pub const WORDS: &[&str] = &["report", "resolve", "propagate"];

    /// The cuts that are added between solves, if any are.
    #[must_use]
    pub fn cuts(self) -> Option<CutChoice> {
        match self {
            Self::Resolve(cuts) => Some(cuts),
            Self::Report | Self::Propagate => None,
        }
    }
}

/// Which cuts to draw against the subloops of a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CutChoice {
    /// One around the places of each subloop.
    #[default]
    Each,
    /// One around the places of the smallest subloop only.
    Smallest,
    /// One around each subloop together with all places that it encloses.
    Region,
    /// Against each subloop itself: its edges may not all be designated again (kinds sat and cp).
    Loop,
}

/// What to do when a solution encloses holes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Holes {
    /// Say so and stop.
    #[default]
    Report,
    /// Cut them off and solve again, until none is left.
    Resolve,
}

/// The word of [`Minizinc::random_restarts`](super::Minizinc), a value of `strategy`.
pub(super) const RANDOM_RESTARTS: &str = "random-restarts";

/// A key of formulations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// As configs write it.
    pub name: &'static str,
    /// What it says and what holds where it is left out; editors and the command line show it.
    pub about: &'static str,
    /// The kinds of formulations that have it.
    pub kinds: &'static [FormulationKind],
    /// What it may say.
    pub values: Values,
}

/// The values of a [`Key`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// Names of constraint families, separated by spaces.
    Families,
    /// One of some words.
    Words(&'static [&'static str]),
    /// A whole number between two others.
    Whole(usize, usize),
    /// `true` or `false`.
    Truth,
}

impl Key {
    /// The key of a name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        KEYS.iter().find(|key| key.name == name)
    }

    /// The names of the kinds that have it, for messages.
    #[must_use]
    pub fn kind_names(&self) -> String {
        self.kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" and ")
    }
}

/// All keys, in the order in which names of combined formulations show them.
pub static KEYS: [Key; 11] = [
    Key {
        name: "families",
        about: "Kind mip: constraint families, separated by spaces; `tilebench formulations` lists them.",
        kinds: &[Mip],
        values: Values::Families,
    },
    Key {
        name: "objective",
        about: "Kind mip: what is minimised. Left out: virtual.",
        kinds: &[Mip],
        values: Values::Words(Objective::WORDS),
    },
    Key {
        name: "subloops",
        about: "What to do about subloops (propagate: kinds sat and cp). Left out: kind mip: resolve where a cutting \
                family (C5, C5x) is listed, else report; kinds sat and cp: resolve.",
        kinds: &[Mip, Sat, Cp],
        values: Values::Words(Subloops::WORDS),
    },
    Key {
        name: "cuts",
        about: "Which cuts to draw against subloops (loop: kinds sat and cp). Left out: kind mip: each; kinds sat and \
                cp: loop.",
        kinds: &[Mip, Sat, Cp],
        values: Values::Words(CutChoice::WORDS),
    },
    Key {
        name: "holes",
        about: "What to do about holes on bounded boards and the open plane. Left out: report.",
        kinds: &[Mip, Sat, Cp, Search],
        values: Values::Words(Holes::WORDS),
    },
    Key {
        name: "cardinality",
        about: "Kind sat: how clauses count tiles. Left out: totalizer.",
        kinds: &[Sat],
        values: Values::Words(Cardinality::WORDS),
    },
    Key {
        name: "short-loops",
        about: "Kinds sat and cp: designated loops of up to so many places are forbidden in advance; 0: none. Left out: 7.",
        kinds: &[Sat, Cp],
        values: Values::Whole(0, MOST_SHORT_LOOPS),
    },
    Key {
        name: "around-empty",
        about: "Kinds sat and cp, bounded boards and the open plane: at most so many tiles around an empty place (5, 4, \
                3: B6, B6', B6''). Left out: no such rule.",
        kinds: &[Sat, Cp],
        values: Values::Whole(3, 5),
    },
    Key {
        name: "strategy",
        about: "Kind search: the algorithm (walk: Tantrix; least-capacity, count: 3SoKu). Left out: propagate. Kind \
                minizinc: how the program says to search (random-restarts). Left out: it does not.",
        kinds: &[Search, Minizinc],
        values: Values::Words(&["walk", "propagate", "least-capacity", "count", RANDOM_RESTARTS]),
    },
    Key {
        name: "symmetry-breaking",
        about: "Kinds minizinc and asp: whether uniform tiles are not rotated and equal tiles lie in order (Rizzo, \
                listings 5 and 12). Left out: true.",
        kinds: &[Minizinc, Asp],
        values: Values::Truth,
    },
    Key {
        name: "root-bound",
        about: "Kind mip: whether each run also solves the linear relaxation of the model, for the column root_bound. \
                Left out: false.",
        kinds: &[Mip],
        values: Values::Truth,
    },
];
