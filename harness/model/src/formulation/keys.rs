//! The keys of formulations: one table that configs, their schema, the command line and the reader go by; and formulations as keys with
//! values.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use puzzle::soku::SOKU;
use puzzle::tantrix::{BOUNDED, FIXED, NATURAL, TANTRIX};
use puzzle::words;
use serde::{Deserialize, Serialize};

use self::FormulationKind::{Asp, Cp, Minizinc, Mip, Sat, Search};
use crate::error::ModelError;

/// Greatest length up to which loops can be forbidden in advance: there are about 3 times as many for each place more.
pub const MOST_SHORT_LOOPS: usize = 12;

/// Failures after which a MiniZinc program begins anew where nothing is said (Rizzo 2020, listing 7).
pub(super) const RESTART_AFTER: usize = 100;

words!(FormulationKind: Mip "mip", Sat "sat", Cp "cp", Search "search", Minizinc "minizinc", Asp "asp");
words!(Cardinality, a "cardinality": Totalizer "totalizer", Sequential "sequential", Network "network", Adder "adder");
words!(Strategy, a "strategy": Walk "walk", ShuffledWalk "shuffled-walk", Propagate "propagate", Parts "parts", LeastCapacity "least-capacity", Count "count", Sums "sums");
words!(Exploration, a "strategy": FirstFail "first-fail", FirstFailRestarts "first-fail-restarts", Random "random",
    RandomRestarts "random-restarts", RandomLuby "random-luby");
words!(Objective, a "objective": Virtual "virtual", None "none", Weighted "weighted", Random "random");
words!(StartBy, a "start": Hint "hint", Fix "fix");
words!(CutChoice, a "choice of cuts": Each "each", Smallest "smallest", Region "region", Loop "loop");
words!(Holes, a "treatment of holes": Report "report", Resolve "resolve");

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
    /// Tantrix: the same with the tiles in an order that the seed shuffles.
    ShuffledWalk,
    /// Backtracking with propagation, ordering and restarts: on colours, sorts and connections, or on what vertices lack.
    #[default]
    Propagate,
    /// Tantrix with many tiles: as many places filled part by part with matching edges, then mended until the numbers of tiles are
    /// right and one loop is left.
    Parts,
    /// 3SoKu: backtracking on the face whose vertices lack least, tiles in lexicographic order (De Biasi's solver in JavaScript).
    LeastCapacity,
    /// 3SoKu: counts all solutions, and shows one.
    Count,
    /// 3SoKu with large weights: the last faces, or all, by lists of sums. Games that part their tiles between two vertices (Partition,
    /// Rizzo, lemma 1) by the sums of their tiles.
    Sums,
}

impl Strategy {
    /// The kinds of instances that it searches, as instance files name them.
    pub(super) fn instances(self) -> &'static [&'static str] {
        match self {
            Self::Walk | Self::ShuffledWalk | Self::Parts => &TANTRIX,
            Self::Propagate => &[FIXED, BOUNDED, NATURAL, SOKU],
            Self::LeastCapacity | Self::Count | Self::Sums => &[SOKU],
        }
    }
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
    /// The sum of all x with weights from 0 to 9 that follow from the seed of the run: any feasible point will do, and each seed leads a
    /// solver elsewhere.
    Random,
}

/// How a solver is given the tiles of a solution of a smaller board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartBy {
    /// As values to start from, which it may leave.
    Hint,
    /// Fixed, and free again where there is no solution with them.
    Fix,
}

/// What to do when a solution shows several designated loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subloops {
    /// Say so and stop.
    Report,
    /// Add these cuts and solve again, until one loop is left.
    Resolve(CutChoice),
    /// Add these cuts while the solver runs, whenever it comes to a solution with several loops.
    Lazy(CutChoice),
    /// Cut them off within the search, as soon as they close.
    Propagate,
}

impl Subloops {
    /// The words used in configs.
    pub const WORDS: &[&str] = &["report", "resolve", "lazy", "propagate"];

    /// The meaning of a word, with these cuts.
    pub(super) fn of_word(word: &str, cuts: CutChoice) -> Option<Self> {
        let all = [Self::Report, Self::Resolve(cuts), Self::Lazy(cuts), Self::Propagate];
        all.into_iter().zip(Self::WORDS).find(|(_, w)| **w == word).map(|(s, _)| s)
    }

    /// The cuts that are added between solves or while the solver runs, if any are.
    pub fn cuts(self) -> Option<CutChoice> {
        match self {
            Self::Resolve(cuts) | Self::Lazy(cuts) => Some(cuts),
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

/// How a MiniZinc program says to search: the face or place with the fewest tiles left comes first, and of its tiles either the first or a random
/// one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exploration {
    /// The first tile.
    FirstFail,
    /// The first tile, and a new beginning after a constant number of failures.
    FirstFailRestarts,
    /// A random tile.
    Random,
    /// A random tile, and a new beginning after a constant number of failures (Rizzo 2020, listing 7).
    RandomRestarts,
    /// A random tile, and new beginnings after multiples of this number that follow the sequence of Luby, Sinclair and Zuckerman (1993).
    RandomLuby,
}

impl Exploration {
    /// Whether tiles are tried at random.
    pub fn is_random(self) -> bool {
        !matches!(self, Self::FirstFail | Self::FirstFailRestarts)
    }

    /// MiniZinc's annotation for when to begin anew, if the search ever does.
    pub fn restart(self) -> Option<&'static str> {
        match self {
            Self::FirstFail | Self::Random => None,
            Self::FirstFailRestarts | Self::RandomRestarts => Some("restart_constant"),
            Self::RandomLuby => Some("restart_luby"),
        }
    }
}

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
    /// The kinds of instances that it says something of, as instance files name them; empty: all.
    pub instances: &'static [&'static str],
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

const fn key(name: &'static str, kinds: &'static [FormulationKind], values: Values) -> Key {
    Key { name, about: "", kinds, values, instances: &[] }
}

impl Key {
    const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    const fn of(self, instances: &'static [&'static str]) -> Self {
        Self { instances, ..self }
    }

    /// Whether it says something of instances of a kind.
    pub fn fits(&self, instance_kind: &str) -> bool {
        self.instances.is_empty() || self.instances.contains(&instance_kind)
    }

    /// A key with a value as configs have it: numbers and truth values bare, all else as text.
    pub fn written(name: &str, value: &str) -> String {
        match Self::find(name).map(|key| key.values) {
            Some(Values::Whole(..) | Values::Truth) => format!("{name} = {value}"),
            _ => format!("{name} = \"{value}\""),
        }
    }

    /// The key of a name.
    pub fn find(name: &str) -> Option<&'static Self> {
        KEYS.iter().find(|key| key.name == name)
    }

    /// The names of the kinds that have it, for messages.
    pub fn kind_names(&self) -> String {
        self.kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" and ")
    }

    /// Why formulations of a kind cannot have this value.
    fn objection(&self, kind: FormulationKind, value: &str) -> Option<String> {
        let name = self.name;
        match self.values {
            Values::Families => None,
            Values::Words(words) => {
                let words = match (name, kind) {
                    ("strategy", Search) => Strategy::WORDS,
                    ("strategy", _) => Exploration::WORDS,
                    _ => words,
                };
                // Other kinds have other strategies.
                let there = if name == "strategy" { "this kind has" } else { "there is" };
                let reason = || format!("{name} = \"{value}\"; {there} {}", words.join(", "));
                (!words.contains(&value)).then(reason)
            }
            Values::Whole(least, most) => match value.parse::<usize>() {
                Ok(number) if (least..=most).contains(&number) => None,
                Ok(number) => Some(format!("{name} = {number}; it is from {least} to {most}")),
                Err(_) => Some(format!("{name} = {value}, which is no whole number")),
            },
            Values::Truth => value.parse::<bool>().is_err().then(|| format!("{name} = {value}; it is true or false")),
        }
    }
}

/// The words of the key `strategy`: those of kind search, then those of kind minizinc.
const STRATEGIES: [&str; Strategy::ALL.len() + Exploration::ALL.len()] = {
    let mut words = [""; Strategy::ALL.len() + Exploration::ALL.len()];
    let (first, rest) = words.split_at_mut(Strategy::ALL.len());
    first.copy_from_slice(Strategy::WORDS);
    rest.copy_from_slice(Exploration::WORDS);
    words
};

/// All keys, in the order in which names of combined formulations show them.
pub static KEYS: [Key; 19] = [
    key("families", &[Mip], Values::Families)
        .about("Kind mip: constraint families, separated by spaces; `tilebench formulations` lists them."),
    key("objective", &[Mip], Values::Words(Objective::WORDS)).about("Kind mip: what is minimised. Left out: virtual."),
    key("start", &[Mip], Values::Words(StartBy::WORDS)).about(
        "Kind mip, fixed boards: how the solver is given tiles as they lie in a solution of a board with five places fewer (hint: the solver \
         may start from them, which highs and cp-sat can; fix: they are fixed, and free again where there is no solution with \
         them). Left out: no smaller board is solved.",
    ),
    key("start-share", &[Mip], Values::Whole(1, 100)).about(
        "Kind mip, with start: how many of the tiles of the smaller board, in percent: those farthest from the places that it lacks. \
         Left out: 50.",
    ),
    key("fix-and-optimise", &[Mip], Values::Truth).about(
        "Kind mip, fixed boards, rows on x alone and objective = \"none\": whether a full board whose touching edges match is mended window \
         by window, all other tiles fixed, instead of solving the whole model. That a board has no solution is found on small ones only. \
         Left out: false.",
    ),
    key("loop-first", &[Mip], Values::Truth).about(
        "Kind mip, fixed and bounded boards, objective = \"none\": whether a model of the designated lines alone is solved first, then the whole \
         with these lines fixed, and both again with another loop where no tiles fit (fix-and-optimise: windows of the first). Left out: false.",
    ),
    key("places-first", &[Mip, Sat, Cp, Minizinc, Asp], Values::Truth).about(
        "Bounded boards and the open plane, all kinds but search: whether as many places as there are tiles are chosen at random and solved as a fixed \
         board, then others, until one has a solution; the formulation is of fixed boards, kind mip with objective = \"none\". That there is no \
         solution is not shown, unless no place is spare. Left out: false.",
    ),
    key("subloops", &[Mip, Sat, Cp, Minizinc, Asp], Values::Words(Subloops::WORDS)).of(&TANTRIX).about(
        "What to do about subloops (propagate: not kind mip; resolve: not kinds minizinc and asp; lazy, cut off while the solver runs: kind \
         mip, by pyscipopt). Left out: kind mip: \
         resolve where a cutting family (C5, C5x) is listed, else report; kinds sat and cp: resolve; kinds minizinc and asp: \
         propagate.",
    ),
    key("cuts", &[Mip, Sat, Cp], Values::Words(CutChoice::WORDS)).of(&TANTRIX).about(
        "Which cuts to draw against subloops (loop: kinds sat and cp). Left out: kind mip: each; kinds sat and \
         cp: loop.",
    ),
    key("holes", &[Mip, Sat, Cp, Search, Minizinc, Asp], Values::Words(Holes::WORDS))
        .of(&TANTRIX).about("What to do about holes on bounded boards and the open plane. Left out: report."),
    key("cardinality", &[Sat], Values::Words(Cardinality::WORDS))
        .about("Kind sat: how clauses count tiles. Left out: totalizer."),
    key("short-loops", &[Sat, Cp], Values::Whole(0, MOST_SHORT_LOOPS)).of(&TANTRIX).about(
        "Kinds sat and cp: designated loops of up to so many places are forbidden in advance; 0: none. Left out: 7.",
    ),
    key("around-empty", &[Sat, Cp], Values::Whole(3, 5)).of(&TANTRIX).about(
        "Kinds sat and cp, bounded boards and the open plane: at most so many tiles around an empty place (5, 4, \
         3: B6, B6', B6''). Left out: no such rule.",
    ),
    key("strategy", &[Search, Minizinc], Values::Words(&STRATEGIES)).about(
        "Kind search: the algorithm (walk, shuffled-walk, parts: Tantrix, parts for many tiles; least-capacity, count, sums: 3SoKu). Left out: propagate. Kind \
         minizinc: how the program says to search (the face or place with the fewest tiles left first; of its tiles the first or a \
         random one; with restarts or without; random-restarts: as published). Left out: it does not.",
    ),
    key("restart-after", &[Minizinc], Values::Whole(1, 1_000_000_000)).about(
        "Kind minizinc, strategies with restarts: failures after which the search begins anew, or of which random-luby \
         takes multiples. Left out: 100.",
    ),
    key("symmetry-breaking", &[Minizinc, Asp], Values::Truth).of(&[SOKU]).about(
        "Kinds minizinc and asp, 3SoKu: whether uniform tiles are not rotated and equal tiles lie in order (Rizzo, \
         listings 5 and 12). Left out: true.",
    ),
    key("one-variable", &[Minizinc], Values::Truth).of(&[SOKU]).about(
        "Kind minizinc, 3SoKu: whether tile and rotation of a face are one variable instead of two. Left out: false.",
    ),
    key("redundant-sums", &[Minizinc], Values::Truth).of(&[SOKU]).about(
        "Kind minizinc, 3SoKu: whether sums of up to four of the weights around a vertex are kept within its capacity, which follows \
         from the rest (Rizzo, section 3.3). Left out: false.",
    ),
    key("root-bound", &[Mip], Values::Truth).about(
        "Kind mip: whether each run also solves the linear relaxation of the model, for the column root_bound. \
         Left out: false.",
    ),
];

/// A formulation as configs, the command line and jobs write it; [`FormulationKeys::read`] tells what it means.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormulationKeys {
    /// How tables and plots name it.
    pub name: String,
    /// What a solver is given.
    pub kind: FormulationKind,
    /// Values by [`Key::name`], as text.
    pub keys: BTreeMap<String, String>,
}

impl FormulationKeys {
    /// A formulation of a kind with these keys and values.
    #[must_use]
    pub fn new(name: &str, kind: FormulationKind, keys: &[(&str, &str)]) -> Self {
        let text = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
        Self { name: name.to_owned(), kind, keys: keys.iter().map(text).collect() }
    }

    /// The same with another value of a key.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl fmt::Display) -> Self {
        self.keys.insert(key.to_owned(), value.to_string());
        self
    }

    /// The same without a key.
    #[must_use]
    pub fn without(mut self, key: &str) -> Self {
        self.keys.remove(key);
        self
    }

    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.keys.get(key).map(String::as_str)
    }

    /// The value of a key, where [`FormulationKeys::check`] found nothing wrong.
    pub(super) fn value<T: FromStr>(&self, key: &str) -> Option<T> {
        self.get(key)?.parse().ok()
    }

    /// Refuses keys that there are not or that the kind does not have, and values that keys do not have.
    pub(super) fn check(&self) -> Result<(), ModelError> {
        if let Some(unknown) = self.keys.keys().find(|name| Key::find(name).is_none()) {
            let known: Vec<&str> = KEYS.iter().map(|key| key.name).collect();
            return Err(self.refuse(format!("unknown key {unknown}; there is {}", known.join(", "))));
        }
        for (key, value) in KEYS.iter().filter_map(|key| Some((key, self.get(key.name)?))) {
            let shown = match (key.name, value) {
                _ if key.kinds.contains(&self.kind) => {
                    key.objection(self.kind, value).map_or(Ok(()), |reason| Err(self.refuse(reason)))?;
                    continue;
                }
                // Other kinds than mip have no families and minimise nothing, which these say or leave open.
                ("families", "") | ("objective", "virtual" | "none") => continue,
                ("objective", value) => format!("objective = \"{value}\""),
                (name, _) => name.to_owned(),
            };
            return Err(self.refuse(format!("{shown} is for kind {}; leave it out", key.kind_names())));
        }
        Ok(())
    }

    pub(super) fn refuse(&self, reason: String) -> ModelError {
        match self.kind {
            Mip => ModelError::families(self.get("families").unwrap_or_default(), reason),
            kind => ModelError::kind(kind.name(), reason),
        }
    }
}
