//! Whether a formulation makes sense for an instance.

use puzzle::soku::SOKU;
use puzzle::tantrix::{BOUNDED, FIXED, NATURAL};
use puzzle::{Instance, Puzzle};

use super::{Approach, Formulation, Holes, MOST_SEARCHED, Mip, Objective, START_FEWER, Search, Strategy};
use crate::error::ModelError;
use crate::family::Role;
use crate::registry::families;

/// What a kind of instance asks of formulations.
pub(super) struct Needs {
    /// Whether every place has a tile.
    pub full: bool,
    /// Whether solutions have loops.
    pub loops: bool,
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
    loops: true,
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
    loops: true,
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
    loops: false,
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
        let foreign = if needs.loops { self.about_games() } else { self.about_loops() };
        let families = || self.mip().ok().and_then(|mip| about_families(mip, instance, needs));
        let start = || self.about_start(&instance.puzzle);
        foreign.or_else(families).or_else(start).or_else(|| self.about_approach(instance, needs))
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
        let strategy = match self.approach() {
            Approach::Search(Search { strategy, .. }) => Some(*strategy),
            _ => None,
        };
        match (self.approach(), strategy, &instance.puzzle) {
            (_, Some(s @ (Strategy::LeastCapacity | Strategy::Count | Strategy::Sums)), _) if needs.loops => {
                Some(format!("strategy = \"{s}\" is for 3SoKu"))
            }
            (_, Some(s @ (Strategy::Walk | Strategy::ShuffledWalk | Strategy::Parts)), _) if !needs.loops => {
                Some(format!("strategy = \"{s}\" makes a loop, and 3SoKu has none"))
            }
            (_, Some(s), Puzzle::TantrixNatural(puzzle))
                if puzzle.challenge > MOST_SEARCHED && s != Strategy::Parts =>
            {
                Some(format!(
                    "{} tiles on the open plane, of which a search takes {MOST_SEARCHED} at most, and strategy = \"parts\" \
                     any number",
                    puzzle.challenge
                ))
            }
            (Approach::Minizinc(_) | Approach::Asp(_), _, Puzzle::TantrixNatural(_)) => Some(
                "a program is of one board, and the open plane needs boards that grow; kinds mip, sat, cp and search \
                 have them"
                    .to_owned(),
            ),
            _ if needs.full && needs.loops => self.about_room(),
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
            "every solution of a fixed board has the same weight; objective = \"weighted\""
        } else {
            return None;
        };
        Some(format!("{reason} is for bounded boards and the open plane"))
    }

    /// What has no meaning where there are no games of 3SoKu.
    fn about_games(&self) -> Option<String> {
        let of_games = ["symmetry-breaking", "one-variable", "redundant-sums"];
        let key = of_games.into_iter().find(|key| self.written().keys.contains_key(*key))?;
        Some(format!("{key} is about the published programs of 3SoKu, and this is a board of Tantrix; leave it out"))
    }

    /// What has no meaning where there are no loops.
    fn about_loops(&self) -> Option<String> {
        let weighted = (self.objective() == Objective::Weighted).then_some("objective = \"weighted\"");
        let of_loops = ["subloops", "cuts", "holes", "short-loops", "around-empty"];
        // To report what there is not does no harm, as a default for all formulations of a config may say.
        let given =
            of_loops.into_iter().find(|key| self.written().keys.get(*key).is_some_and(|value| value != "report"));
        let key = weighted.or(given)?;
        Some(format!("{key} is about loops and boards, and 3SoKu has none; leave it out"))
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
