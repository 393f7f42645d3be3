//! Formulations: what a solver is given. Read from keys in one place, checked against an instance in one (`instances`).

mod instances;
pub(crate) mod keys;

use std::fmt;

use puzzle::{Puzzle, Rule};
use serde::{Deserialize, Serialize};

use crate::error::ModelError;
use crate::family::{Family, Role};
use crate::registry::listed_families;

pub use instances::{PRESETS, Preset, default_preset};
use keys::RESTART_AFTER;
pub use keys::{
    Cardinality, CutChoice, Exploration, FormulationKeys, FormulationKind, Holes, KEYS, Key, MOST_SHORT_LOOPS,
    Objective, StartBy, Strategy, Subloops, Values,
};

/// Length up to which loops are forbidden in advance where a formulation leaves that open (kinds sat and cp).
pub const SHORT_LOOPS: usize = 7;

/// Most tiles that a search takes on the open plane: it holds all of the plane that a loop can reach.
pub const MOST_SEARCHED: usize = 500;

/// How many tiles and places fewer the board has whose solution is started from.
pub const START_FEWER: usize = 5;

/// How many of its tiles are taken where a formulation leaves that open, in percent.
const START_SHARE: usize = 50;

/// The families that fix-and-optimise takes: they have the variables x alone, and tiles of a sort are not told apart.
const WINDOWED: [&str; 13] = ["C1", "C2'", "C3x", "C4c", "C5x", "C6x", "C7", "C8", "C9", "L5", "L6", "L7", "L8"];

/// A formulation that makes sense in itself: its name, its keys as written, and what they mean.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "FormulationKeys", into = "FormulationKeys")]
pub struct Formulation {
    written: FormulationKeys,
    subloops: Subloops,
    holes: Holes,
    places_first: bool,
    approach: Approach,
    /// See [`Formulation::seeded`].
    seed: u64,
}

/// What a formulation chooses beside the treatment of subloops and holes, by its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Approach {
    Mip(Mip),
    Sat(Cardinality, BoardRules),
    Cp(BoardRules),
    Search(Strategy),
    Minizinc(Minizinc),
    Asp { symmetry_breaking: bool },
}

/// Kind mip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mip {
    /// Constraint families in the order of the registry.
    pub families: Vec<&'static Family>,
    pub objective: Objective,
    pub start: Option<Start>,
    /// Whether a full board is mended window by window.
    pub fix_and_optimise: bool,
    /// Whether the designated lines are laid first.
    pub loop_first: bool,
    /// Whether runs also solve the linear relaxation of the first model.
    pub root_bound: bool,
}

/// What is taken from a solution of a smaller board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// How the solver is given it.
    pub by: StartBy,
    /// How many of its tiles, in percent.
    pub share: usize,
}

/// What kinds sat and cp demand of a board in advance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BoardRules {
    /// Designated loops of up to so many places are forbidden.
    pub short_loops: usize,
    /// At most so many tiles around an empty place (5, 4, 3: B6, B6', B6'').
    pub around_empty: Option<usize>,
}

/// Kind minizinc.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Minizinc {
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
    /// `report`; `resolve:` or `lazy:` and the choice of cuts; `propagate`. Empty for puzzles without loops.
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
    /// What the keys mean.
    /// Errors: a key that there is not, or that the kind does not have; a value that makes no sense; keys that
    /// contradict each other.
    pub fn read(self) -> Result<Formulation, ModelError> {
        self.check()?;
        let truth = |key, otherwise| self.value(key).unwrap_or(otherwise);
        let families = listed_families(self.get("families").unwrap_or_default())?;
        let subloops = self.subloops(&families)?;
        let places_first = self.places_first()?;
        let approach = match self.kind {
            FormulationKind::Mip => Approach::Mip(Mip {
                objective: self.value("objective").unwrap_or_default(),
                start: self.start(&families)?,
                loop_first: self.loop_first()?,
                fix_and_optimise: self.fix_and_optimise(&families)?,
                families,
                root_bound: truth("root-bound", false),
            }),
            FormulationKind::Sat => Approach::Sat(self.value("cardinality").unwrap_or_default(), self.board_rules()?),
            FormulationKind::Cp => Approach::Cp(self.board_rules()?),
            FormulationKind::Search => Approach::Search(self.value("strategy").unwrap_or_default()),
            FormulationKind::Minizinc => Approach::Minizinc(Minizinc {
                strategy: self.value("strategy"),
                restart_after: self.restart_after()?,
                one_variable: truth("one-variable", false),
                redundant_sums: truth("redundant-sums", false),
                symmetry_breaking: truth("symmetry-breaking", true),
            }),
            FormulationKind::Asp => Approach::Asp { symmetry_breaking: truth("symmetry-breaking", true) },
        };
        // Chosen places enclose none.
        let holes = if places_first { Holes::Resolve } else { self.value("holes").unwrap_or_default() };
        Ok(Formulation { subloops, holes, places_first, approach, seed: 0, written: self })
    }

    fn board_rules(&self) -> Result<BoardRules, ModelError> {
        let short_loops = self.value("short-loops").unwrap_or(SHORT_LOOPS);
        if let 1 | 2 = short_loops {
            return Err(
                self.refuse(format!("short-loops = {short_loops}, but loops have 3 places and more; 0 for none"))
            );
        }
        Ok(BoardRules { short_loops, around_empty: self.value("around-empty") })
    }

    fn restart_after(&self) -> Result<usize, ModelError> {
        let Some(failures) = self.value("restart-after") else { return Ok(RESTART_AFTER) };
        if self.value("strategy").and_then(Exploration::restart).is_none() {
            let restarting = Exploration::ALL.into_iter().filter(|strategy| strategy.restart().is_some());
            let known: Vec<&str> = restarting.map(Exploration::name).collect();
            return Err(self.refuse(format!("restart-after is for strategies with restarts: {}", known.join(", "))));
        }
        Ok(failures)
    }

    /// What happens to subloops: as the keys say, as the kind does where they say nothing. A search never makes any.
    fn subloops(&self, families: &[&'static Family]) -> Result<Subloops, ModelError> {
        use FormulationKind::{Asp, Cp, Minizinc, Mip, Sat, Search};
        let cuts: Option<CutChoice> = self.value("cuts");
        let usual = if self.kind == Mip { CutChoice::Each } else { CutChoice::Loop };
        let drawn = cuts.unwrap_or(usual);
        let resolve = Subloops::Resolve(drawn);
        let said = self.get("subloops").and_then(|word| Subloops::of_word(word, drawn));
        let cutting: Vec<_> = families.iter().filter(|f| f.has(Role::Cutting)).map(|f| f.id).collect();
        let reason = match (self.kind, said, cutting.as_slice()) {
            (Search, ..) => return Ok(Subloops::Propagate),
            (Sat | Cp | Minizinc | Asp, Some(Subloops::Lazy(_)), _) => {
                "subloops = \"lazy\" is for kind mip; propagate cuts subloops off while the solver searches".to_owned()
            }
            (Minizinc | Asp, Some(Subloops::Resolve(_)), _) => {
                "subloops = \"resolve\" solves again, and a program is solved once; this kind has report and propagate"
                    .to_owned()
            }
            (Minizinc | Asp, ..) => return Ok(said.unwrap_or(Subloops::Propagate)),
            (Sat | Cp, Some(Subloops::Report | Subloops::Propagate), _) if cuts.is_some() => {
                "a choice of cuts without subloops = \"resolve\", which draws them".to_owned()
            }
            (Sat | Cp, ..) => return Ok(said.unwrap_or(resolve)),
            (Mip, Some(Subloops::Propagate), _) => "subloops = \"propagate\" is for kinds sat and cp".to_owned(),
            (Mip, ..) if cuts == Some(CutChoice::Loop) => "cuts = \"loop\" is for kinds sat and cp".to_owned(),
            (Mip, _, [first, second, ..]) => {
                format!("{first} and {second} cut off the same subloops; list one of them")
            }
            (Mip, Some(Subloops::Resolve(_) | Subloops::Lazy(_)), []) => format!(
                "subloops = \"{}\" needs the family that cuts them off: C5, or C5x (puzzles without loops have none)",
                self.get("subloops").unwrap_or_default()
            ),
            (Mip, Some(Subloops::Report), [family]) => format!(
                "{family} is there to cut subloops off, but subloops = \"report\" never does; leave one of them out"
            ),
            (Mip, _, []) if cuts.is_some() => "a choice of cuts without a family that cuts: add C5 or C5x".to_owned(),
            (Mip, _, []) => return Ok(Subloops::Report),
            (Mip, said, [_]) => return Ok(said.unwrap_or(resolve)),
        };
        Err(self.refuse(reason))
    }

    /// Whether a way to any solution is chosen, by its key. Errors: keys that it does not go with, all or one value of them, and why.
    fn way(&self, way: &str, apart: &[(&str, Option<&str>, &str)]) -> Result<bool, ModelError> {
        if !self.value(way).unwrap_or(false) {
            return Ok(false);
        }
        if self.kind == FormulationKind::Mip && self.value("objective") != Some(Objective::None) {
            return Err(self.refuse(format!(
                "{way} looks for any solution, so its objective has to be none (left out, it is virtual): objective = \"none\""
            )));
        }
        let is_said =
            |key: &str, value: Option<&str>| self.get(key).is_some_and(|said| value.is_none_or(|value| value == said));
        match apart.iter().find(|(key, value, _)| is_said(key, *value)) {
            Some((_, _, why)) => Err(self.refuse(format!("{way} {why}"))),
            None => Ok(true),
        }
    }

    fn fix_and_optimise(&self, families: &[&'static Family]) -> Result<bool, ModelError> {
        const LAZY: &str =
            "solves window by window, and subloops = \"lazy\" cuts while the whole is solved; leave one of them out";
        let begun = ("start", None, "begins with a full board; leave start out");
        let is_on = self.way("fix-and-optimise", &[begun, ("subloops", Some("lazy"), LAZY)])?;
        if let Some(family) = families.iter().find(|family| is_on && !WINDOWED.contains(&family.id)) {
            let known = WINDOWED.join(" ");
            return Err(self.refuse(format!(
                "fix-and-optimise takes families on x alone, {known}, and {} is not one of them",
                family.id
            )));
        }
        Ok(is_on)
    }

    fn loop_first(&self) -> Result<bool, ModelError> {
        const LAZY: &str = "cuts off between solves, and subloops = \"lazy\" while one runs; leave one of them out";
        let begun = ("start", None, "begins with the designated lines; leave start out");
        self.way("loop-first", &[begun, ("subloops", Some("lazy"), LAZY)])
    }

    fn places_first(&self) -> Result<bool, ModelError> {
        const BOUND: &str =
            "solves the puzzle on some places, and root-bound is a bound on the whole; leave one of them out";
        let around = ("around-empty", None, "chooses the places with tiles itself; leave around-empty out");
        self.way("places-first", &[around, ("root-bound", Some("true"), BOUND)])
    }

    fn start(&self, families: &[&'static Family]) -> Result<Option<Start>, ModelError> {
        let reason = match (self.value("start"), self.value("start-share")) {
            (None, None) => return Ok(None),
            (None, Some(_)) => "start-share without start, which says how that share is used",
            _ if families.iter().any(|family| family.id == "C2o") => {
                "start lays some of the tiles, and C2o tells equal tiles apart by where all of them lie; leave one of them out"
            }
            (Some(by), share) => return Ok(Some(Start { by, share: share.unwrap_or(START_SHARE) })),
        };
        Err(self.refuse(reason.to_owned()))
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

    /// The same with the seed of a run, which decides what the solver does not: the random objective of a linear model, the smaller board
    /// that it starts from, windows, the places that are chosen first; 0 until then. It is not written.
    #[must_use]
    pub fn seeded(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// See [`Formulation::seeded`].
    pub fn seed(&self) -> u64 {
        self.seed
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

    pub(crate) fn approach(&self) -> &Approach {
        &self.approach
    }

    pub(crate) fn mip(&self) -> Option<&Mip> {
        if let Approach::Mip(mip) = &self.approach { Some(mip) } else { None }
    }

    /// The algorithm. Errors: a formulation of another kind than search.
    pub fn strategy(&self) -> Result<Strategy, ModelError> {
        match self.approach {
            Approach::Search(strategy) => Ok(strategy),
            _ => Err(self.not_of(FormulationKind::Search)),
        }
    }

    /// How a MiniZinc program says to search; `None`: it says nothing, or this is of another kind.
    pub fn exploration(&self) -> Option<Exploration> {
        if let Approach::Minizinc(minizinc) = &self.approach { minizinc.strategy } else { None }
    }

    /// The error where a formulation of another kind is needed.
    pub(crate) fn not_of(&self, kind: FormulationKind) -> ModelError {
        self.refuse(format!("kind {kind} is wanted here"))
    }

    /// Its constraint families, in the order of the registry; none if it is of another kind than mip.
    pub fn families(&self) -> &[&'static Family] {
        self.mip().map_or(&[], |mip| &mip.families)
    }

    /// What is minimised.
    pub fn objective(&self) -> Objective {
        self.mip().map_or(Objective::None, |mip| mip.objective)
    }

    /// What happens to subloops.
    pub fn subloops(&self) -> Subloops {
        self.subloops
    }

    /// What happens to holes.
    pub fn holes(&self) -> Holes {
        self.holes
    }

    /// What is taken from a solution of a smaller board, if anything is.
    pub fn start(&self) -> Option<Start> {
        self.mip()?.start
    }

    /// Whether a full board is mended window by window, instead of solving the whole model.
    pub fn fix_and_optimise(&self) -> bool {
        self.mip().is_some_and(|mip| mip.fix_and_optimise)
    }

    /// Whether a model of the designated lines alone is solved first, then the whole with these lines fixed.
    pub fn loop_first(&self) -> bool {
        self.mip().is_some_and(|mip| mip.loop_first)
    }

    /// Whether places are chosen first and solved as a fixed board.
    pub fn places_first(&self) -> bool {
        self.places_first
    }

    /// What it says of the places that were chosen first.
    #[must_use]
    pub fn on_chosen_places(&self) -> Self {
        let keys = self.written.clone().without("places-first").without("holes");
        keys.read().expect("no other key needs these two").seeded(self.seed)
    }

    /// Whether its runs also solve the linear relaxation of the first model.
    pub fn root_bound(&self) -> bool {
        self.mip().is_some_and(|mip| mip.root_bound)
    }

    /// What it asks for beside one model that is solved as it is, by key; what is so by default is not among them.
    pub fn options(&self) -> Vec<(&'static str, String)> {
        let start =
            self.start().map(|Start { by, share }| [("start", by.to_string()), ("start-share", share.to_string())]);
        let ways = [
            ("fix-and-optimise", self.fix_and_optimise()),
            ("loop-first", self.loop_first()),
            ("places-first", self.places_first),
        ];
        let ways = ways.into_iter().filter(|(_, is_on)| *is_on).map(|(key, _)| (key, "true".to_owned()));
        start.into_iter().flatten().chain(ways).collect()
    }

    /// The formulation in the words of result rows.
    pub fn columns(&self) -> FormulationColumns {
        let rules = |board: &BoardRules| {
            let around = board.around_empty.map(|most| format!("around-empty={most}"));
            [format!("short-loops={}", board.short_loops)].into_iter().chain(around)
        };
        let words: Vec<String> = match &self.approach {
            Approach::Mip(mip) => mip.families.iter().map(|f| f.id.to_owned()).collect(),
            Approach::Sat(cardinality, board) => {
                [format!("cardinality={cardinality}")].into_iter().chain(rules(board)).collect()
            }
            Approach::Cp(board) => rules(board).collect(),
            Approach::Search(strategy) => vec![format!("strategy={strategy}")],
            Approach::Minizinc(choices) => {
                let strategy = choices.strategy.map_or("solver", Exploration::name);
                let words =
                    [format!("strategy={strategy}"), format!("symmetry-breaking={}", choices.symmetry_breaking)];
                // What is as published goes without saying: run ids are made of these words.
                let after = choices.restart_after;
                let after = (after != RESTART_AFTER).then(|| format!("restart-after={after}"));
                let others = [("one-variable", choices.one_variable), ("redundant-sums", choices.redundant_sums)];
                let others = others.into_iter().filter(|(_, is_on)| *is_on).map(|(key, _)| format!("{key}=true"));
                words.into_iter().chain(after).chain(others).collect()
            }
            Approach::Asp { symmetry_breaking } => vec![format!("symmetry-breaking={symmetry_breaking}")],
        };
        FormulationColumns {
            kind: self.kind(),
            families: words.join(" "),
            objective: self.objective().name().to_owned(),
            subloops: match self.subloops {
                Subloops::Report => "report".to_owned(),
                Subloops::Resolve(cuts) => format!("resolve:{cuts}"),
                Subloops::Lazy(cuts) => format!("lazy:{cuts}"),
                Subloops::Propagate => "propagate".to_owned(),
            },
            holes: self.holes.name().to_owned(),
        }
    }

    /// What its answers may lack, and what they do not prove.
    pub fn caveats(&self) -> Caveats {
        let subloops = (self.subloops == Subloops::Report).then_some(Rule::SingleLoop);
        let holes = (self.holes == Holes::Report).then_some(Rule::NoHole);
        let restricting = match &self.approach {
            Approach::Mip(mip) => mip.families.iter().filter(|f| f.has(Role::Restricting)).map(|f| f.id).collect(),
            // At most five forbids nothing but holes of one place.
            Approach::Sat(_, BoardRules { around_empty: Some(3 | 4), .. })
            | Approach::Cp(BoardRules { around_empty: Some(3 | 4), .. }) => vec!["around-empty"],
            _ => Vec::new(),
        };
        Caveats { waived: subloops.into_iter().chain(holes).collect(), restricting }
    }

    pub(crate) fn refuse(&self, reason: String) -> ModelError {
        self.written.refuse(reason)
    }
}
