//! Formulations: what a solver is given. Read from keys in one place, checked against an instance in one ([`check`]).

mod check;
pub(crate) mod keys;
mod presets;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use puzzle::{Puzzle, Rule};
use serde::{Deserialize, Serialize};

use crate::error::ModelError;
use crate::family::{Family, Role};
use crate::registry::listed_families;

use keys::{MOST_RESTART_AFTER, RESTART_AFTER};

pub use keys::{
    Cardinality, CutChoice, Exploration, FormulationKind, Holes, KEYS, Key, MOST_SHORT_LOOPS, Objective, StartBy,
    Strategy, Subloops, Values,
};
pub use presets::{PRESETS, Preset, default_preset};

/// Length up to which loops are forbidden in advance where a formulation leaves that open (kinds sat and cp).
pub const SHORT_LOOPS: usize = 7;

/// Most tiles that a search takes on the open plane: it holds all of the plane that a loop can reach.
pub const MOST_SEARCHED: usize = 500;

/// How many tiles and places fewer the board has whose solution is started from.
pub const START_FEWER: usize = 5;

/// How many of its tiles are taken where a formulation leaves that open, in percent.
const START_SHARE: usize = 50;

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

/// A formulation that makes sense in itself: its name, its keys as written, and what they mean.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "FormulationKeys", into = "FormulationKeys")]
pub struct Formulation {
    written: FormulationKeys,
    approach: Approach,
}

/// What a formulation chooses, by its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Approach {
    /// A linear model.
    Mip(Mip),
    /// Clauses.
    Sat(Sat),
    /// Constraints.
    Cp(BoardRules),
    /// The puzzle itself.
    Search(Search),
    /// A MiniZinc program.
    Minizinc(Minizinc),
    /// A logic program.
    Asp(Asp),
}

/// Kind mip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mip {
    /// Constraint families in the order of the registry.
    pub families: Vec<&'static Family>,
    /// What is minimised.
    pub objective: Objective,
    /// Which cuts to add against subloops between solves; there is one exactly if a family cuts subloops off.
    pub cuts: Option<CutChoice>,
    /// What to do about holes.
    pub holes: Holes,
    /// What is taken from a solution of a smaller board, if anything is.
    pub start: Option<Start>,
    /// Whether runs also solve the linear relaxation of the first model.
    pub root_bound: bool,
    /// Seed of the objective, if that is random, and of the smaller board; see [`Formulation::seeded`].
    pub seed: u64,
}

/// What is taken from a solution of a smaller board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// What becomes of it.
    pub by: StartBy,
    /// How many of its tiles, in percent.
    pub share: usize,
}

/// Kind sat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sat {
    /// How clauses count tiles.
    pub cardinality: Cardinality,
    /// What it has against loops and holes.
    pub board: BoardRules,
}

/// What kinds sat and cp have against loops and holes of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardRules {
    /// What to do about subloops.
    pub subloops: Subloops,
    /// Designated loops of up to so many places are forbidden in advance.
    pub short_loops: usize,
    /// At most so many tiles around an empty place (5, 4, 3: B6, B6', B6'').
    pub around_empty: Option<usize>,
    /// What to do about holes.
    pub holes: Holes,
}

/// Kind search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// The algorithm.
    pub strategy: Strategy,
    /// What to do about holes.
    pub holes: Holes,
}

/// Kind minizinc.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Minizinc {
    /// How the program says to search; `None`: it says nothing.
    pub strategy: Option<Exploration>,
    /// Failures after which a strategy with restarts begins anew, or of which it takes multiples.
    pub restart_after: usize,
    /// Whether tile and rotation of a face are one variable, 3 times the tile plus the rotation (ours; Rizzo, section 3.3, speaks of
    /// alternative models and prints none); else two (listing 3).
    pub one_variable: bool,
    /// Whether sums of up to four of the weights around a vertex are kept within its capacity, which follows from the rest (Rizzo,
    /// section 3.3; the constraints themselves are in the repository of the paper before July 2020).
    pub redundant_sums: bool,
    /// Whether uniform tiles are not rotated and equal tiles lie in order (Rizzo, listing 5).
    pub symmetry_breaking: bool,
    /// What it has against loops and holes of a board.
    pub board: ProgramRules,
}

/// What kinds minizinc and asp have against loops and holes of a board. A program is solved once, so what it does not report it forbids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramRules {
    /// What to do about subloops: never [`Subloops::Resolve`].
    pub subloops: Subloops,
    /// What to do about holes.
    pub holes: Holes,
}

/// Kind asp.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asp {
    /// Whether uniform tiles are not rotated and equal tiles lie in order (Rizzo, listing 12).
    pub symmetry_breaking: bool,
    /// What it has against loops and holes of a board.
    pub board: ProgramRules,
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
pub struct FormulationColumns {
    /// The kind.
    pub kind: FormulationKind,
    /// Kind mip: families in the order of the registry, separated by spaces. Other kinds: what the formulation
    /// chooses instead, `key=value` separated by spaces.
    pub families: String,
    /// `virtual`, `none`, `weighted` or `random`.
    pub objective: String,
    /// `report`; `resolve:` and the choice of cuts; `propagate`. Empty for puzzles without loops.
    pub subloops: String,
    /// `report` or `resolve`. Empty for puzzles without loops.
    pub holes: String,
}

impl FormulationColumns {
    /// What of it has a meaning for a puzzle: without keys that are for others, and without loops and holes where there are none.
    #[must_use]
    pub fn about(mut self, puzzle: &Puzzle) -> Self {
        let key = |word: &str| Key::find(word.split_once('=')?.0);
        let words = self.families.split(' ').filter(|word| key(word).is_none_or(|key| key.fits(puzzle.kind())));
        self.families = words.collect::<Vec<_>>().join(" ");
        if self.families.is_empty() {
            self.families.push_str("none");
        }
        if !puzzle.has_loops() {
            self.subloops.clear();
            self.holes.clear();
        }
        self
    }
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

    /// What the keys mean.
    /// Errors: a key that there is not, or that the kind does not have; a value that makes no sense; keys that
    /// contradict each other.
    pub fn read(self) -> Result<Formulation, ModelError> {
        let approach = self.approach()?;
        Ok(Formulation { written: self, approach })
    }

    fn approach(&self) -> Result<Approach, ModelError> {
        self.refuse_foreign()?;
        let holes = self.word("holes", Holes::of_word)?.unwrap_or_default();
        Ok(match self.kind {
            FormulationKind::Mip => {
                let families = listed_families(self.get("families").unwrap_or_default())?;
                Approach::Mip(Mip {
                    objective: self.word("objective", Objective::of_word)?.unwrap_or_default(),
                    cuts: self.cuts_by(&families)?,
                    start: self.start(&families)?,
                    families,
                    holes,
                    root_bound: self.truth("root-bound", false)?,
                    seed: 0,
                })
            }
            FormulationKind::Sat => Approach::Sat(Sat {
                cardinality: self.word("cardinality", Cardinality::of_word)?.unwrap_or_default(),
                board: self.board(holes)?,
            }),
            FormulationKind::Cp => Approach::Cp(self.board(holes)?),
            FormulationKind::Search => Approach::Search(Search {
                strategy: match self.get("strategy") {
                    None => Strategy::default(),
                    Some(word) => Strategy::of_word(word).ok_or_else(|| self.strange_strategy(Strategy::WORDS))?,
                },
                holes,
            }),
            FormulationKind::Minizinc => Approach::Minizinc(Minizinc {
                strategy: self.exploration()?,
                restart_after: self.restart_after()?,
                one_variable: self.truth("one-variable", false)?,
                redundant_sums: self.truth("redundant-sums", false)?,
                symmetry_breaking: self.truth("symmetry-breaking", true)?,
                board: self.program_rules(holes)?,
            }),
            FormulationKind::Asp => Approach::Asp(Asp {
                symmetry_breaking: self.truth("symmetry-breaking", true)?,
                board: self.program_rules(holes)?,
            }),
        })
    }

    fn get(&self, key: &str) -> Option<&str> {
        self.keys.get(key).map(String::as_str)
    }

    /// Refuses keys that there are not or that the kind does not have.
    fn refuse_foreign(&self) -> Result<(), ModelError> {
        if let Some(unknown) = self.keys.keys().find(|name| Key::find(name).is_none()) {
            let known: Vec<&str> = KEYS.iter().map(|key| key.name).collect();
            return Err(self.refuse(format!("unknown key {unknown}; there is {}", known.join(", "))));
        }
        for key in KEYS.iter().filter(|key| !key.kinds.contains(&self.kind)) {
            let shown = match (key.name, self.get(key.name)) {
                (_, None) | ("families", Some("")) => continue,
                // Other kinds minimise nothing, which these say or leave open.
                ("objective", Some("virtual" | "none")) => continue,
                ("objective", Some(value)) => format!("objective = \"{value}\""),
                (name, Some(_)) => name.to_owned(),
            };
            return Err(self.refuse(format!("{shown} is for kind {}; leave it out", key.kind_names())));
        }
        Ok(())
    }

    fn word<T>(&self, key: &str, of_word: impl Fn(&str) -> Option<T>) -> Result<Option<T>, ModelError> {
        let Some(word) = self.get(key) else { return Ok(None) };
        of_word(word).map(Some).ok_or_else(|| {
            let known = match Key::find(key).map(|key| key.values) {
                Some(Values::Words(words)) => words.join(", "),
                _ => String::new(),
            };
            self.refuse(format!("{key} = \"{word}\"; there is {known}"))
        })
    }

    fn parsed<T: FromStr>(&self, key: &str, what: &str) -> Result<Option<T>, ModelError> {
        let Some(text) = self.get(key) else { return Ok(None) };
        text.parse().map(Some).map_err(|_| self.refuse(format!("{key} = {text}{what}")))
    }

    fn number(&self, key: &str) -> Result<Option<usize>, ModelError> {
        self.parsed(key, ", which is no whole number")
    }

    fn truth(&self, key: &str, otherwise: bool) -> Result<bool, ModelError> {
        Ok(self.parsed(key, "; it is true or false")?.unwrap_or(otherwise))
    }

    fn strange_strategy(&self, right: &[&str]) -> ModelError {
        let strategy = self.get("strategy").unwrap_or_default();
        self.refuse(format!("strategy = \"{strategy}\"; this kind has {}", right.join(", ")))
    }

    fn exploration(&self) -> Result<Option<Exploration>, ModelError> {
        let strange = |_| self.strange_strategy(Exploration::WORDS);
        self.get("strategy").map(|word| Exploration::of_word(word).ok_or(()).map_err(strange)).transpose()
    }

    fn restart_after(&self) -> Result<usize, ModelError> {
        let Some(failures) = self.number("restart-after")? else { return Ok(RESTART_AFTER) };
        if !(1..=MOST_RESTART_AFTER).contains(&failures) {
            return Err(self.refuse(format!("restart-after = {failures}; it is from 1 to {MOST_RESTART_AFTER}")));
        }
        let restarts = |strategy: &&str| Exploration::of_word(strategy).is_some_and(|s| s.restart().is_some());
        if self.get("strategy").filter(|strategy| restarts(strategy)).is_none() {
            let known: Vec<&str> = Exploration::WORDS.iter().copied().filter(restarts).collect();
            return Err(self.refuse(format!("restart-after is for strategies with restarts: {}", known.join(", "))));
        }
        Ok(failures)
    }

    fn board(&self, holes: Holes) -> Result<BoardRules, ModelError> {
        let short_loops = self.number("short-loops")?.unwrap_or(SHORT_LOOPS);
        if short_loops != 0 && !(3..=MOST_SHORT_LOOPS).contains(&short_loops) {
            return Err(self.refuse(format!(
                "short-loops = {short_loops}, but loops have 3 places and more, and at most {MOST_SHORT_LOOPS} are \
                 forbidden in advance; 0 for none"
            )));
        }
        let around_empty = self.number("around-empty")?;
        if let Some(most) = around_empty.filter(|most| !(3..=5).contains(most)) {
            return Err(self.refuse(format!("around-empty = {most}; there is 5, 4 or 3, or no such rule")));
        }
        Ok(BoardRules { subloops: self.subloops()?, short_loops, around_empty, holes })
    }

    fn program_rules(&self, holes: Holes) -> Result<ProgramRules, ModelError> {
        let resolve = Subloops::Resolve(CutChoice::Loop);
        match self.word("subloops", |word| Subloops::of_word(word, resolve))?.unwrap_or(Subloops::Propagate) {
            Subloops::Resolve(_) => Err(self.refuse(
                "subloops = \"resolve\" solves again, and a program is solved once; this kind has report and propagate"
                    .to_owned(),
            )),
            subloops => Ok(ProgramRules { subloops, holes }),
        }
    }

    /// The treatment of subloops of kinds sat and cp.
    fn subloops(&self) -> Result<Subloops, ModelError> {
        let cuts = self.word("cuts", CutChoice::of_word)?;
        let resolve = Subloops::Resolve(cuts.unwrap_or(CutChoice::Loop));
        let subloops = self.word("subloops", |word| Subloops::of_word(word, resolve))?.unwrap_or(resolve);
        if cuts.is_some() && subloops != resolve {
            return Err(self.refuse("a choice of cuts without subloops = \"resolve\", which draws them".to_owned()));
        }
        Ok(subloops)
    }

    /// The cuts of kind mip, if a family of the list draws them.
    fn cuts_by(&self, families: &[&'static Family]) -> Result<Option<CutChoice>, ModelError> {
        let cuts = self.word("cuts", CutChoice::of_word)?;
        let resolve = Subloops::Resolve(cuts.unwrap_or_default());
        let subloops = self.word("subloops", |word| Subloops::of_word(word, resolve))?;
        let cutting: Vec<_> = families.iter().filter(|f| f.has(Role::Cutting)).map(|f| f.id).collect();
        let reason = match (subloops, cutting.as_slice()) {
            (Some(Subloops::Propagate), _) => "subloops = \"propagate\" is for kinds sat and cp".to_owned(),
            _ if cuts == Some(CutChoice::Loop) => "cuts = \"loop\" is for kinds sat and cp".to_owned(),
            (_, [first, second, ..]) => format!("{first} and {second} cut off the same subloops; list one of them"),
            (Some(Subloops::Resolve(_)), []) => {
                "subloops = \"resolve\" needs the family that cuts them off: C5, or C5x".to_owned()
            }
            (Some(Subloops::Report), [family]) => format!(
                "{family} is there to cut subloops off, but subloops = \"report\" never does; leave one of them out"
            ),
            (_, []) if cuts.is_some() => "a choice of cuts without a family that cuts: add C5 or C5x".to_owned(),
            (_, []) => return Ok(None),
            (_, [_]) => return Ok(resolve.cuts()),
        };
        Err(self.refuse(reason))
    }

    /// What is taken from a smaller board.
    fn start(&self, families: &[&'static Family]) -> Result<Option<Start>, ModelError> {
        let (by, share) = (self.word("start", StartBy::of_word)?, self.number("start-share")?);
        let reason = match (by, share) {
            (None, None) => return Ok(None),
            (None, Some(_)) => "start-share without start, which says what becomes of that share".to_owned(),
            (_, Some(share)) if !(1..=100).contains(&share) => {
                format!("start-share = {share}; it is from 1 to 100, in percent")
            }
            _ if families.iter().any(|family| family.id == "C2o") => {
                "start lays some of the tiles, and C2o tells equal tiles apart by where all of them lie; leave one of them out"
                    .to_owned()
            }
            (Some(by), share) => return Ok(Some(Start { by, share: share.unwrap_or(START_SHARE) })),
        };
        Err(self.refuse(reason))
    }

    fn refuse(&self, reason: String) -> ModelError {
        match self.kind {
            FormulationKind::Mip => ModelError::families(self.get("families").unwrap_or_default(), reason),
            kind => ModelError::kind(kind.name(), reason),
        }
    }
}

impl TryFrom<FormulationKeys> for Formulation {
    type Error = ModelError;

    fn try_from(written: FormulationKeys) -> Result<Self, ModelError> {
        written.read()
    }
}

impl From<Formulation> for FormulationKeys {
    fn from(formulation: Formulation) -> Self {
        formulation.written
    }
}

/// What a formulation chooses, where it has to be of one kind.
macro_rules! of_kind {
    ($($method:ident $kind:ident $choices:ident;)+) => {$(
        /// What it chooses, where it is of the kind that this is named after.
        pub fn $method(&self) -> Result<&$choices, ModelError> {
            match &self.approach {
                Approach::$kind(choices) => Ok(choices),
                _ => Err(self.not_of(FormulationKind::$kind)),
            }
        }
    )+};
}

impl Formulation {
    /// A formulation of kind mip from a list of families, everything else as configs leave it out.
    pub fn of(name: &str, families: &str) -> Result<Self, ModelError> {
        FormulationKeys::new(name, FormulationKind::Mip, &[("families", families)]).read()
    }

    /// A formulation of a kind without any key; one of kind mip has no families and fits no instance.
    pub fn plain(name: &str, kind: FormulationKind) -> Self {
        FormulationKeys::new(name, kind, &[]).read().expect("no key is needed")
    }

    /// The same with another value of a key.
    pub fn with(&self, key: &str, value: impl fmt::Display) -> Result<Self, ModelError> {
        self.written.clone().with(key, value).read()
    }

    /// The same with the seed of a run, from which follows what in a linear model is random; 0 until then. It is not written.
    #[must_use]
    pub fn seeded(mut self, seed: u64) -> Self {
        if let Approach::Mip(mip) = &mut self.approach {
            mip.seed = seed;
        }
        self
    }

    /// How tables and plots name it.
    pub fn name(&self) -> &str {
        &self.written.name
    }

    /// Its kind.
    pub fn kind(&self) -> FormulationKind {
        self.written.kind
    }

    /// As it is written.
    pub fn written(&self) -> &FormulationKeys {
        &self.written
    }

    /// What it chooses.
    pub fn approach(&self) -> &Approach {
        &self.approach
    }

    of_kind! { mip Mip Mip; sat Sat Sat; cp Cp BoardRules; search Search Search; }

    fn not_of(&self, kind: FormulationKind) -> ModelError {
        self.refuse(format!("kind {kind} is wanted here"))
    }

    /// Its constraint families, in the order of the registry; none if it is of another kind than mip.
    pub fn families(&self) -> &[&'static Family] {
        match &self.approach {
            Approach::Mip(mip) => &mip.families,
            _ => &[],
        }
    }

    /// What is minimised.
    pub fn objective(&self) -> Objective {
        match &self.approach {
            Approach::Mip(mip) => mip.objective,
            _ => Objective::None,
        }
    }

    /// What happens to subloops. A search never makes any.
    pub fn subloops(&self) -> Subloops {
        match &self.approach {
            Approach::Mip(Mip { cuts, .. }) => cuts.map_or(Subloops::Report, Subloops::Resolve),
            Approach::Sat(Sat { board, .. }) | Approach::Cp(board) => board.subloops,
            Approach::Search(_) => Subloops::Propagate,
            Approach::Minizinc(Minizinc { board, .. }) | Approach::Asp(Asp { board, .. }) => board.subloops,
        }
    }

    /// What happens to holes.
    pub fn holes(&self) -> Holes {
        match &self.approach {
            Approach::Mip(Mip { holes, .. }) | Approach::Search(Search { holes, .. }) => *holes,
            Approach::Sat(Sat { board, .. }) | Approach::Cp(board) => board.holes,
            Approach::Minizinc(Minizinc { board, .. }) | Approach::Asp(Asp { board, .. }) => board.holes,
        }
    }

    /// What is taken from a solution of a smaller board, if anything is.
    pub fn start(&self) -> Option<Start> {
        self.mip().ok().and_then(|mip| mip.start)
    }

    /// Whether its runs also solve the linear relaxation of the first model.
    pub fn root_bound(&self) -> bool {
        self.mip().is_ok_and(|mip| mip.root_bound)
    }

    /// The formulation in the words of result rows.
    pub fn columns(&self) -> FormulationColumns {
        let rules = |board: &BoardRules| {
            let around = board.around_empty.map(|most| format!("around-empty={most}"));
            [format!("short-loops={}", board.short_loops)].into_iter().chain(around)
        };
        let symmetry = |broken: &bool| format!("symmetry-breaking={broken}");
        let words: Vec<String> = match &self.approach {
            Approach::Mip(mip) => mip.families.iter().map(|f| f.id.to_owned()).collect(),
            Approach::Sat(Sat { cardinality, board }) => {
                [format!("cardinality={cardinality}")].into_iter().chain(rules(board)).collect()
            }
            Approach::Cp(board) => rules(board).collect(),
            Approach::Search(search) => vec![format!("strategy={}", search.strategy)],
            Approach::Minizinc(Minizinc {
                strategy,
                restart_after,
                one_variable,
                redundant_sums,
                symmetry_breaking,
                ..
            }) => {
                let strategy = strategy.map_or("solver", Exploration::name);
                // What is as published goes without saying: run ids are made of these words.
                let after = (*restart_after != RESTART_AFTER).then(|| format!("restart-after={restart_after}"));
                let others = [("one-variable", *one_variable), ("redundant-sums", *redundant_sums)];
                let others = others.into_iter().filter(|(_, is_on)| *is_on).map(|(key, _)| format!("{key}=true"));
                let words = [format!("strategy={strategy}"), symmetry(symmetry_breaking)];
                words.into_iter().chain(after).chain(others).collect()
            }
            Approach::Asp(Asp { symmetry_breaking, .. }) => vec![symmetry(symmetry_breaking)],
        };
        FormulationColumns {
            kind: self.kind(),
            families: words.join(" "),
            objective: self.objective().name().to_owned(),
            subloops: match self.subloops() {
                Subloops::Report => "report".to_owned(),
                Subloops::Resolve(cuts) => format!("resolve:{cuts}"),
                Subloops::Propagate => "propagate".to_owned(),
            },
            holes: self.holes().name().to_owned(),
        }
    }

    /// What its answers may lack, and what they do not prove.
    pub fn caveats(&self) -> Caveats {
        let subloops = (self.subloops() == Subloops::Report).then_some(Rule::SingleLoop);
        let holes = (self.holes() == Holes::Report).then_some(Rule::NoHole);
        let restricting = match &self.approach {
            Approach::Mip(mip) => mip.families.iter().filter(|f| f.has(Role::Restricting)).map(|f| f.id).collect(),
            // At most five forbids nothing but holes of one place.
            Approach::Sat(Sat { board: BoardRules { around_empty: Some(3 | 4), .. }, .. })
            | Approach::Cp(BoardRules { around_empty: Some(3 | 4), .. }) => vec!["around-empty"],
            _ => Vec::new(),
        };
        Caveats { waived: subloops.into_iter().chain(holes).collect(), restricting }
    }

    pub(crate) fn refuse(&self, reason: String) -> ModelError {
        self.written.refuse(reason)
    }
}
