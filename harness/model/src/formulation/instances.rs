//! Formulations and kinds of instances: whether they fit, and which formulations have a name.

use puzzle::soku::SOKU;
use puzzle::tantrix::{BOUNDED, FIXED, NATURAL};
use puzzle::{Instance, Puzzle};

use super::FormulationKind::{self, Asp, Cp, Minizinc, Mip, Sat};
use super::{Approach, Formulation, FormulationKeys, Holes, KEYS, MOST_SEARCHED, Objective, START_FEWER, Strategy};
use crate::error::ModelError;
use crate::family::{Family, Role};
use crate::registry::families;

/// What a kind of instance asks of formulations.
struct Needs {
    /// Whether every place has a tile.
    full: bool,
    /// What the names of default formulations of other kinds than mip begin with.
    prefix: &'static str,
    /// Name of the preset of kind mip that is used when nothing is asked for.
    default: &'static str,
    /// The roles that a list of families must have, and what they do.
    roles: &'static [(Role, &'static str)],
}

static FULL: Needs = Needs {
    full: true,
    prefix: "",
    default: "colour",
    roles: &[
        (Role::Placing, "puts one tile on each place"),
        (Role::Counting, "says how often each tile is used"),
        (Role::Boundary, "keeps designated lines on the board"),
        (Role::Matching, "makes touching edges match"),
    ],
};

/// Bounded boards and the open plane, which is solved on them.
static SPARSE: Needs = Needs {
    full: false,
    prefix: "bounded-",
    default: "bounded-colour",
    roles: &[
        (Role::Placing, "puts at most one tile on each place"),
        (Role::Counting, "says how often each tile is used"),
        (Role::Boundary, "keeps designated lines on the tiles"),
        (Role::Matching, "makes touching edges match"),
    ],
};

static FACES: Needs = Needs {
    full: true,
    prefix: "soku-",
    default: "soku",
    roles: &[
        (Role::Placing, "puts one tile on each face"),
        (Role::Counting, "says how often each tile is used"),
        (Role::Capacity, "makes weights meet the capacities"),
    ],
};

impl Needs {
    /// Those of the kind that instance files name so.
    fn of(kind: &str) -> Option<&'static Self> {
        match kind {
            FIXED => Some(&FULL),
            BOUNDED | NATURAL => Some(&SPARSE),
            SOKU => Some(&FACES),
            _ => None,
        }
    }
}

impl Formulation {
    /// Whether the formulation makes sense for an instance.
    pub fn check(&self, instance: &Instance) -> Result<(), ModelError> {
        self.objection(instance).map_or(Ok(()), |reason| Err(self.refuse(reason)))
    }

    fn objection(&self, instance: &Instance) -> Option<String> {
        let kind = instance.puzzle.kind();
        if self.places_first() && ![BOUNDED, NATURAL].contains(&kind) {
            return Some(format!("places-first is for bounded boards and the open plane, and this is {kind}"));
        }
        // What else it says is of the board that it chooses.
        let of = if self.places_first() { FIXED } else { kind };
        let Some(needs) = Needs::of(of) else { return Some(format!("there are no formulations for {kind}")) };
        let families = || self.mip().and_then(|mip| about_families(&mip.families, of, needs, &self.of_what(instance)));
        let start = || self.about_start(&instance.puzzle);
        let windows = || {
            let reason = || format!("fix-and-optimise is for fixed boards, and this is {kind}");
            (self.fix_and_optimise() && !needs.full).then(reason)
        };
        let lines = || {
            let reason = || format!("loop-first is for fixed and bounded boards, and this is {kind}");
            (self.loop_first() && ![FIXED, BOUNDED].contains(&of)).then(reason)
        };
        self.about_keys(kind)
            .or_else(families)
            .or_else(start)
            .or_else(windows)
            .or_else(lines)
            .or_else(|| self.about_approach(instance, needs))
    }

    /// What its families are to describe.
    fn of_what(&self, instance: &Instance) -> String {
        match self.places_first() {
            true => format!("places-first solves boards of kind {FIXED}"),
            false => format!("{} is {}", instance.name, instance.puzzle.kind()),
        }
    }

    /// Why there is no smaller board to start from, if it is wanted.
    fn about_start(&self, puzzle: &Puzzle) -> Option<String> {
        let by = self.start()?.by;
        match puzzle {
            Puzzle::TantrixFixed(board) if board.challenge < START_FEWER + 3 => Some(format!(
                "start = \"{by}\" begins with a board of {START_FEWER} places fewer, and of {} too few are left for a loop",
                board.challenge
            )),
            Puzzle::TantrixFixed(_) => None,
            other => Some(format!("start = \"{by}\" is for fixed boards, and this is {}", other.kind())),
        }
    }

    /// What an approach cannot do with a kind of instance.
    fn about_approach(&self, instance: &Instance, needs: &Needs) -> Option<String> {
        let kind = instance.puzzle.kind();
        match (self.approach(), &instance.puzzle) {
            (Approach::Search(strategy), _) if !strategy.instances().contains(&kind) => {
                let others = Strategy::ALL.into_iter().filter(|other| other.instances().contains(&kind));
                Some(format!(
                    "strategy = \"{strategy}\" is for {}, and this is {kind}; strategies for {kind}: {}",
                    strategy.instances().join(" and "),
                    others.map(Strategy::name).collect::<Vec<_>>().join(", ")
                ))
            }
            (Approach::Search(strategy), Puzzle::TantrixNatural(puzzle))
                if puzzle.challenge > MOST_SEARCHED && *strategy != Strategy::Parts =>
            {
                Some(format!(
                    "{} tiles on the open plane, of which a search takes {MOST_SEARCHED} at most, and strategy = \"parts\" \
                     any number",
                    puzzle.challenge
                ))
            }
            _ if self.places_first() => None,
            (Approach::Minizinc(_) | Approach::Asp { .. }, Puzzle::TantrixNatural(_)) => Some(
                "a program is of one board, and the open plane needs boards that grow, which kinds mip, sat, cp and search have, or \
                 places-first = true"
                    .to_owned(),
            ),
            _ if needs.full => self.about_room(),
            _ => None,
        }
    }

    /// What has no meaning where every place has a tile.
    fn about_room(&self) -> Option<String> {
        let reason = if self.holes() == Holes::Resolve {
            "a fixed board leaves no room for holes; holes = \"resolve\""
        } else if self.written().get("around-empty").is_some() {
            "a fixed board has no empty places; around-empty"
        } else if self.objective() == Objective::Weighted {
            "where every place has a tile, all solutions have the same weight; objective = \"weighted\""
        } else {
            return None;
        };
        Some(format!("{reason} is for bounded boards and the open plane"))
    }

    /// A key that says nothing of a kind of instance.
    fn about_keys(&self, kind: &str) -> Option<String> {
        // To report what there is not does no harm, as a default for all formulations of a config may say.
        let given = |name: &str| self.written().get(name).is_some_and(|value| value != "report");
        let key = KEYS.iter().find(|key| given(key.name) && !key.fits(kind))?;
        Some(format!("{} is for {}, and this is {kind}; leave it out", key.name, key.instances.join(" and ")))
    }
}

/// Why the families do not describe the instance's puzzle, if so.
fn about_families(list: &[&Family], kind: &str, needs: &Needs, of_what: &str) -> Option<String> {
    if let Some(stray) = list.iter().find(|f| !f.kinds.contains(&kind)) {
        return Some(format!(
            "{} is for {}, but {of_what}; its families: {}",
            stray.id,
            stray.kinds.join(" and "),
            families().filter(|f| f.kinds.contains(&kind)).map(|f| f.id).collect::<Vec<_>>().join(" ")
        ));
    }
    let having = |role| list.iter().filter(move |f| f.has(role)).map(|f| f.id);
    if let Some((role, what)) = needs.roles.iter().find(|(role, _)| having(*role).next().is_none()) {
        let able = families().filter(|f| f.kinds.contains(&kind) && f.has(*role)).map(|f| f.id);
        return Some(format!("nothing {what}; add {}", able.collect::<Vec<_>>().join(" or ")));
    }
    if let [first, second, ..] = having(Role::Counting).collect::<Vec<_>>()[..] {
        return Some(format!("{first} and {second} exclude each other: they define the tile variables in two ways"));
    }
    let needing = list.iter().find_map(|f| f.needs.filter(|id| list.iter().all(|g| g.id != *id)).map(|id| (f.id, id)));
    needing.map(|(id, needs)| format!("{id} is about tiles that are told apart; list {needs} with it, or leave it out"))
}

/// A formulation with a name and a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// Its kind.
    pub kind: FormulationKind,
    /// Its keys with their values.
    pub keys: &'static [(&'static str, &'static str)],
    /// Where it comes from or what it is good for.
    pub summary: &'static str,
}

impl Preset {
    const fn about(self, summary: &'static str) -> Self {
        Self { summary, ..self }
    }

    /// The formulation.
    pub fn written(&self) -> FormulationKeys {
        FormulationKeys::new(self.name, self.kind, self.keys)
    }
}

const fn preset(name: &'static str, kind: FormulationKind, keys: &'static [(&'static str, &'static str)]) -> Preset {
    Preset { name, kind, keys, summary: "" }
}

/// Every named formulation.
pub static PRESETS: [Preset; 28] = [
    preset("basic", Mip, &[("families", "C1 C2 C3 C4 C5")]).about("fixed boards; Kino & Uno 2012, Table 2"),
    preset("sorts", Mip, &[("families", "C1 C2' C3 C4 C5")]).about("fixed boards; Kino & Uno 2012, Table 3"),
    preset("corners", Mip, &[("families", "C1 C2' C3 C4 C5 C6")]).about("fixed boards; Kino & Uno 2012, Table 4"),
    preset("best", Mip, &[("families", "C1 C2' C3 C4 C5 C6 C7 C8 C9")])
        .about("fixed boards; Kino & Uno 2012, Table 5: their best"),
    preset("colour", Mip, &[("families", "C1 C2' C4c C5x C6x C7 C8 C9")])
        .about("fixed boards; the same on x alone, matching colour by colour: the fastest here, and the default"),
    preset(
        "fix-and-optimise",
        Mip,
        &[("families", "C1 C2' C4c C5x C6x C7 C8 C9"), ("objective", "none"), ("fix-and-optimise", "true")],
    )
    .about("fixed boards; as colour, a full board mended window by window: for large boards that have a solution"),
    preset(
        "loop-first",
        Mip,
        &[
            ("families", "C1 C2' C4c C5x C6x C7 C8 C9"),
            ("objective", "none"),
            ("fix-and-optimise", "true"),
            ("loop-first", "true"),
        ],
    )
    .about(
        "fixed boards; as fix-and-optimise with the designated lines alone, then as colour with tiles that have these lines: for \
         large boards that have a solution",
    ),
    preset("bounded-basic", Mip, &[("families", "B1 B2 B3 B4+B5")])
        .about("bounded boards; Kino & Uno, slides, the basic formulation"),
    preset("bounded-final", Mip, &[("families", "B1 B2 B3 B4+B5 B6' C7 C8 C9"), ("objective", "weighted")])
        .about("bounded boards; Kino & Uno, slides, one of their final three"),
    preset("bounded-colour", Mip, &[("families", "B1 B3 B45c B6 C5x C7 C8 C9"), ("holes", "resolve")])
        .about("bounded boards and the open plane; matching colour by colour, subloops and holes cut off: the default"),
    preset(
        "bounded-loop-first",
        Mip,
        &[
            ("families", "B1 B3 B45c B6 C5x C7 C8 C9"),
            ("objective", "none"),
            ("loop-first", "true"),
            ("holes", "resolve"),
        ],
    )
    .about("bounded boards; as bounded-colour with the designated lines alone, then with tiles that have these lines"),
    preset(
        "places-first",
        Mip,
        &[
            ("families", "C1 C2' C4c C5x C6x C7 C8 C9"),
            ("objective", "none"),
            ("fix-and-optimise", "true"),
            ("loop-first", "true"),
            ("places-first", "true"),
        ],
    )
    .about("bounded boards and the open plane; as loop-first on places that are chosen first: for puzzles that have a solution"),
    preset("sat", Sat, &[]).about("any board; as clauses, short loops forbidden in advance, others cut off one by one"),
    preset("bounded-sat", Sat, &[("holes", "resolve"), ("around-empty", "5")])
        .about("bounded boards and the open plane; as clauses, holes cut off too"),
    preset("compact-sat", Sat, &[("holes", "resolve"), ("around-empty", "3")])
        .about("bounded boards and the open plane; the same without bays: finds solutions fastest, proves nothing"),
    preset("cp", Cp, &[("subloops", "propagate"), ("short-loops", "5")])
        .about("any board; tables, counts and clauses, subloops cut off while the solver searches"),
    preset(
        "bounded-cp",
        Cp,
        &[("subloops", "propagate"), ("short-loops", "5"), ("holes", "resolve"), ("around-empty", "5")],
    )
    .about("bounded boards and the open plane; tables, counts and clauses, holes cut off too"),
    preset("minizinc", Minizinc, &[])
        .about("boards; a MiniZinc program of tables, a count of values and a circuit; for Gecode add a strategy"),
    preset("bounded-minizinc", Minizinc, &[("holes", "resolve")]).about("bounded boards; the same without holes"),
    preset("asp", Asp, &[]).about("boards; a logic program, in which the one loop reaches all tiles"),
    preset("bounded-asp", Asp, &[("holes", "resolve")]).about("bounded boards; the same without holes"),
    preset("soku", Mip, &[("families", "S1 S2' S3")]).about("3SoKu; equal tiles are not told apart: the default"),
    preset("soku-distinct", Mip, &[("families", "S1 S2 S3 S4 S5")])
        .about("3SoKu; Rizzo's formulation as an integer program, symmetries broken"),
    preset("soku-sat", Sat, &[]).about("3SoKu; as clauses, weights added up in unary"),
    preset("soku-cp", Cp, &[]).about("3SoKu; tables, counts and sums of weights"),
    preset("soku-minizinc", Minizinc, &[]).about("3SoKu; Rizzo 2020, the MiniZinc model, searched as the solver likes"),
    preset("soku-minizinc-restarts", Minizinc, &[("strategy", "random-restarts")]).about(
        "3SoKu; Rizzo 2020, the MiniZinc model with random tiles and restarts: finds solutions fast, seldom a proof",
    ),
    preset("soku-asp", Asp, &[]).about("3SoKu; Rizzo 2020, the logic program"),
];

/// The formulation of a kind used when none is asked for, if there is one for this kind of instance. Of kinds other than
/// mip it is the preset that is named like the kind (on boards with room `bounded-` and the kind, for 3SoKu `soku-` and the
/// kind), or the plain one.
pub fn default_preset(instance_kind: &str, of: FormulationKind) -> Option<FormulationKeys> {
    let needs = Needs::of(instance_kind)?;
    let name = match of {
        Mip => needs.default.to_owned(),
        _ => format!("{}{of}", needs.prefix),
    };
    let named = PRESETS.iter().find(|preset| preset.name == name).map(Preset::written);
    let plain = || FormulationKeys::new(&name, of, if needs.full { &[] } else { &[("holes", "resolve")] });
    named.or_else(|| (of != Mip).then(plain))
}
