//! What a formulation chooses: its kind, the objective, how to say what it says, what to do about subloops and holes.

use std::fmt;

use serde::{Deserialize, Serialize};

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
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

/// An algorithm of kind `search`; how a program of kind `minizinc` says to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// Plain backtracking that makes the designated line longer tile by tile (King's blog).
    Walk,
    /// Backtracking with propagation, ordering and restarts: on colours, sorts and connections, or on what vertices lack.
    #[default]
    Propagate,
    /// 3SoKu: backtracking on the face whose vertices lack least, tiles in lexicographic order (De Biasi's solver in JavaScript).
    LeastCapacity,
    /// 3SoKu: counts all solutions, and shows one.
    Count,
    /// 3SoKu, kind minizinc: random values, and a restart after every hundred nodes (Rizzo, listing 7).
    RandomRestarts,
}

/// Gives a choice its words.
macro_rules! words {
    ($type:ident: $($variant:ident $word:literal),*) => {
        impl $type {
            /// All of them, in the order in which listings show them.
            pub const ALL: [Self; [$($word),*].len()] = [$(Self::$variant),*];

            /// The word used in configs.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
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
words!(Strategy: Walk "walk", Propagate "propagate", LeastCapacity "least-capacity", Count "count",
    RandomRestarts "random-restarts");
words!(Objective: Virtual "virtual", None "none", Weighted "weighted");
words!(Subloops: Report "report", Resolve "resolve", Propagate "propagate");
words!(CutChoice: Each "each", Smallest "smallest", Region "region", Loop "loop");
words!(Holes: Report "report", Resolve "resolve");

/// What is minimised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Subloops {
    /// Say so and stop.
    Report,
    /// Cut them off and solve again, until one loop is left.
    Resolve,
    /// Cut them off within the search, as soon as they close (kinds sat and cp).
    Propagate,
}

/// Which cuts to draw against the subloops of a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Holes {
    /// Say so and stop.
    #[default]
    Report,
    /// Cut them off and solve again, until none is left.
    Resolve,
}
