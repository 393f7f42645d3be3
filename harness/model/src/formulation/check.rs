//! Whether a formulation makes sense for an instance.

use puzzle::soku::SOKU;
use puzzle::tantrix::{BOUNDED, FIXED, NATURAL};
use puzzle::{Instance, Puzzle};

use super::{Approach, Formulation, Holes, KEYS, MOST_SEARCHED, Mip, Objective, START_FEWER, Search, Strategy};
use crate::error::ModelError;
use crate::family::Role;
use crate::registry::families;

/// What a kind of instance asks of formulations.
pub(super) struct Needs {
    /// Whether every place has a tile.
    pub full: bool,
    /// What the names of default formulations of other kinds than mip begin with.
    pub prefix: &'static str,
    /// Name of the preset of kind mip that is used when nothing is asked for.
    pub default: &'static str,
    /// The roles that a list of families must have, what they do, and the families that have them.
    roles: &'static [(Role, &'static str, &'static str)],
}

/// Fixed boards.
static FULL: Needs = Needs {
    full: true,
    prefix: "",
    default: "colour",
    roles: &[
        (Role::Placing, "puts one tile on each place", "C1"),
        (Role::Counting, "says how often each tile is used", "C2 or C2'"),
        (Role::Boundary, "keeps designated lines on the board", "C3, C3x, C4c or C4e"),
        (Role::Matching, "makes touching edges match", "C4, C4c or C4e"),
    ],
};

/// Bounded boards and the open plane, which is solved on them.
static SPARSE: Needs = Needs {
    full: false,
    prefix: "bounded-",
    default: "bounded-colour",
    roles: &[
        (Role::Placing, "puts at most one tile on each place", "B1"),
        (Role::Counting, "says how often each tile is used", "B3"),
        (Role::Boundary, "keeps designated lines on the tiles", "B4, B4+B5 or B45c"),
        (Role::Matching, "makes touching edges match", "B5, B4+B5 or B45c"),
    ],
};

/// 3SoKu.
static FACES: Needs = Needs {
    full: true,
    prefix: "soku-",
    default: "soku",
    roles: &[
        (Role::Placing, "puts one tile on each face", "S1"),
        (Role::Counting, "says how often each tile is used", "S2 or S2'"),
        (Role::Capacity, "makes weights meet the capacities", "S3"),
    ],
};

impl Needs {
    /// Those of the kind that instance files name so.
    pub fn of(kind: &str) -> Option<&'static Self> {
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
        let Some(needs) = Needs::of(kind) else { return Some(format!("there are no formulations for {kind}")) };
        let families = || self.mip().ok().and_then(|mip| about_families(mip, instance, needs));
        let start = || self.about_start(&instance.puzzle);
        self.about_keys(kind).or_else(families).or_else(start).or_else(|| self.about_approach(instance, needs))
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
            (Approach::Search(Search { strategy, .. }), _) if !strategy.instances().contains(&kind) => Some(format!(
                "strategy = \"{strategy}\" is for {}, and this is {kind}",
                strategy.instances().join(" and ")
            )),
            (Approach::Search(Search { strategy, .. }), Puzzle::TantrixNatural(puzzle))
                if puzzle.challenge > MOST_SEARCHED && *strategy != Strategy::Parts =>
            {
                Some(format!(
                    "{} tiles on the open plane, of which a search takes {MOST_SEARCHED} at most, and strategy = \"parts\" \
                     any number",
                    puzzle.challenge
                ))
            }
            (Approach::Minizinc(_) | Approach::Asp(_), Puzzle::TantrixNatural(_)) => Some(
                "a program is of one board, and the open plane needs boards that grow; kinds mip, sat, cp and search \
                 have them"
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
        } else if self.written().keys.contains_key("around-empty") {
            "a fixed board has no empty places; around-empty"
        } else if self.objective() == Objective::Weighted {
            "where every place has a tile, all solutions have the same weight; objective = \"weighted\""
        } else {
            return None;
        };
        Some(format!("{reason} is for bounded boards and the open plane"))
    }

    /// What says nothing of a kind of instance.
    fn about_keys(&self, kind: &str) -> Option<String> {
        // To report what there is not does no harm, as a default for all formulations of a config may say.
        let given = |name: &str| self.written().keys.get(name).is_some_and(|value| value != "report");
        let key = KEYS.iter().find(|key| given(key.name) && !key.fits(kind))?;
        Some(format!("{} is for {}, and this is {kind}; leave it out", key.name, key.instances.join(" and ")))
    }
}

/// Why the families do not describe the instance's puzzle, if so.
fn about_families(mip: &Mip, instance: &Instance, needs: &Needs) -> Option<String> {
    let (list, kind) = (&mip.families, instance.puzzle.kind());
    if let Some(stray) = list.iter().find(|f| !f.kinds.contains(&kind)) {
        return Some(format!(
            "{} is for {}, but {} is {kind}; its families: {}",
            stray.id,
            stray.kinds.join(" and "),
            instance.name,
            families().filter(|f| f.kinds.contains(&kind)).map(|f| f.id).collect::<Vec<_>>().join(" ")
        ));
    }
    let having = |role| list.iter().filter(move |f| f.has(role)).map(|f| f.id);
    if let Some((_, what, families)) = needs.roles.iter().find(|(role, ..)| having(*role).next().is_none()) {
        return Some(format!("nothing {what}; add {families}"));
    }
    if let [first, second, ..] = having(Role::Counting).collect::<Vec<_>>()[..] {
        return Some(format!("{first} and {second} exclude each other: they define the tile variables in two ways"));
    }
    let needing = list.iter().find_map(|f| f.needs.filter(|id| list.iter().all(|g| g.id != *id)).map(|id| (f.id, id)));
    needing.map(|(id, needs)| format!("{id} is about tiles that are told apart; list {needs} with it, or leave it out"))
}
