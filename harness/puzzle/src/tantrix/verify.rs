//! Verification of solutions, from puzzle data alone.

use std::collections::{BTreeMap, HashSet};

use super::arrangement::{Arrangement, patch, trace};
use super::puzzles::{BoardTantrix, NaturalTantrix};
use crate::hex::{Axial, holes};
use crate::solution::{Placement, Solution, Terms};
use crate::verdict::{Rule, Verdict, Violation};

/// So many places of a hole are named.
const MOST_NAMED: usize = 8;

/// Checks a solution on a board against every rule. On a board of as many places as tiles each must have one.
pub fn verify(name: &str, puzzle: &BoardTantrix, solution: &Solution) -> Verdict {
    let last = puzzle.board.len();
    let mut violations = check_name(name, solution);
    let filled = check_placements(puzzle, solution, last, &solution.placements, &mut violations);
    if last == puzzle.challenge {
        for place in puzzle.board.numbers().filter(|place| !filled.contains(place)) {
            violations.push(Violation { rule: Rule::FullBoard, message: format!("place {place} has no tile") });
        }
    }
    check(puzzle, solution, violations)
}

/// Checks a solution on the open plane against every rule.
pub fn verify_natural(name: &str, puzzle: &NaturalTantrix, solution: &Solution) -> Verdict {
    let (on_patch, renumbered) = patch(puzzle, solution);
    let mut violations = check_name(name, solution);
    check_placements(&on_patch, solution, puzzle.last_place(), &renumbered.placements, &mut violations);
    check(&on_patch, &renumbered, violations)
}

/// All rules that need no more than what lies on the board.
fn check(puzzle: &BoardTantrix, solution: &Solution, mut violations: Vec<Violation>) -> Verdict {
    let board = &puzzle.board;
    check_counts(puzzle, &solution.placements, &mut violations);
    let arrangement = Arrangement::new(board, &puzzle.tiles, &solution.placements);
    check_matching(puzzle, &arrangement, &mut violations);

    let mut lines = trace(board, &arrangement, puzzle.colour);
    for [(j, l), (j2, l2)] in &lines.open {
        let message = format!(
            "a {} line is not closed: it ends at edge {l} of place {} and at edge {l2} of place {}",
            puzzle.colour,
            board.label(*j),
            board.label(*j2)
        );
        violations.push(Violation { rule: Rule::ClosedLines, message });
    }
    for place in lines.loops.iter_mut().flatten() {
        *place = board.label(*place);
    }
    if lines.loops.len() > 1 {
        let loops: Vec<String> = lines.loops.iter().map(|l| format!("{l:?}")).collect();
        let message = format!("{} {} loops, through places {}", lines.loops.len(), puzzle.colour, loops.join(" and "));
        violations.push(Violation { rule: Rule::SingleLoop, message });
    }

    let filled: Vec<Axial> = board.numbers().filter(|&j| arrangement.is_filled(j)).map(|j| board.at(j)).collect();
    let found = holes(&filled.iter().copied().collect());
    violations.extend(found.iter().map(|hole| Violation { rule: Rule::NoHole, message: enclosed(hole) }));
    // What is no solution can be no record.
    let remarks = record_rule(&filled)
        .filter(|_| violations.is_empty())
        .map(|rule| {
            format!(
                "official record rule: {} (longest row {}; {:.0} % and {:.0} % of the rows of the other axes are long \
                 enough, more than 75 % must be)",
                if rule.holds() { "met" } else { "not met" },
                rule.longest_row,
                100.0 * rule.shares[0],
                100.0 * rule.shares[1]
            )
        })
        .into_iter()
        .collect();
    Verdict { violations, loops: lines.loops, holes: found.len(), remarks }
}

fn enclosed(hole: &[Axial]) -> String {
    let at: Vec<String> = hole.iter().take(MOST_NAMED).map(|at| format!("[{}, {}]", at.q, at.r)).collect();
    let more = hole.len() - at.len();
    match at.as_slice() {
        [one] => format!("the empty place {one} is enclosed"),
        several if more == 0 => format!("the empty places {} are enclosed", several.join(", ")),
        several => format!("the empty places {} and {more} more are enclosed", several.join(", ")),
    }
}

fn check_name(name: &str, solution: &Solution) -> Vec<Violation> {
    let mut violations = Vec::new();
    if solution.instance != name {
        let message = format!("the solution is for {:?}, not for {name:?}", solution.instance);
        violations.push(Violation { rule: Rule::Instance, message });
    }
    if solution.terms != Terms::Places && !solution.placements.is_empty() {
        let message = "placements have face and rotation; in Tantrix they have place and orientation".to_owned();
        violations.push(Violation { rule: Rule::Range, message });
    }
    violations
}

/// Checks placement by placement. `placements` are those of the solution by the board's own numbers, in the same
/// order; `last` is the greatest number that the solution may use. Returns the filled places.
fn check_placements(
    puzzle: &BoardTantrix,
    solution: &Solution,
    last: usize,
    placements: &[Placement],
    violations: &mut Vec<Violation>,
) -> HashSet<usize> {
    let mut broken = |rule, message| violations.push(Violation { rule, message });
    let mut filled = HashSet::new();
    for (index, (p, on_board)) in solution.placements.iter().zip(placements).enumerate() {
        let entry = index + 1;
        if !puzzle.board.numbers().contains(&on_board.place) {
            broken(Rule::Range, format!("placement {entry}: place {} is not one of 1..{last}", p.place));
        } else if !filled.insert(on_board.place) {
            broken(Rule::OneTile, format!("placement {entry}: place {} has a tile already", p.place));
        }
        if puzzle.tiles.sort(p.tile).is_none() {
            broken(
                Rule::Range,
                format!("placement {entry}: tile {} is not one of 1..{}", p.tile, puzzle.tiles.sorts.len()),
            );
        }
        if !(1..=6).contains(&p.orientation) {
            broken(Rule::Range, format!("placement {entry}: orientation {} is not one of 1..6", p.orientation));
        }
    }
    filled
}

fn check_counts(puzzle: &BoardTantrix, placements: &[Placement], violations: &mut Vec<Violation>) {
    for sort in &puzzle.tiles.sorts {
        let used = placements.iter().filter(|p| p.tile == sort.tile.number).count();
        if used != sort.count {
            violations.push(Violation {
                rule: Rule::TileCount,
                message: format!("tile {} is used {used} times instead of {}", sort.tile.number, sort.count),
            });
        }
    }
}

fn check_matching(puzzle: &BoardTantrix, arrangement: &Arrangement, violations: &mut Vec<Violation>) {
    let label = |j| puzzle.board.label(j);
    for ((j, l), (j2, l2)) in puzzle.board.touching() {
        if let (Some(here), Some(there)) = (arrangement.colour(j, l), arrangement.colour(j2, l2))
            && here != there
        {
            violations.push(Violation {
                rule: Rule::Matching,
                message: format!(
                    "edge {l} of place {} is {here}, edge {l2} of place {} that it touches is {there}",
                    label(j),
                    label(j2)
                ),
            });
        }
    }
}

/// What the rule says of a shape. It makes no solution invalid.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordRule {
    /// Tiles in the longest row of all.
    pub longest_row: usize,
    /// Share of rows with more than 30 % of that, along the two other axes; both must exceed 0.75.
    pub shares: [f64; 2],
}

impl RecordRule {
    /// Whether the shape could be an official record.
    pub fn holds(&self) -> bool {
        self.shares.iter().all(|&share| share > 0.75)
    }
}

/// Applies the rule: let x be the tile count of the longest row and A its axis; along each of the other two
/// axes more than 75 % of the rows hold more than 30 % of x tiles.
///
/// Where several axes have a longest row, the one that serves the shape best counts. Nothing for no tiles.
pub fn record_rule(filled: &[Axial]) -> Option<RecordRule> {
    let mut rows: [BTreeMap<i32, usize>; 3] = Default::default();
    for at in filled {
        for (axis, row) in rows.iter_mut().zip(at.rows()) {
            *axis.entry(row).or_default() += 1;
        }
    }
    let longest = |axis: &BTreeMap<i32, usize>| axis.values().max().copied();
    let longest_row = rows.iter().filter_map(longest).max()?;
    let share = |axis: &BTreeMap<i32, usize>| {
        // More than 30 % of x, in whole numbers.
        let long = axis.values().filter(|&&count| 10 * count > 3 * longest_row).count();
        long as f64 / axis.len() as f64
    };
    (0..3)
        .filter(|&axis| longest(&rows[axis]) == Some(longest_row))
        .map(|axis| RecordRule { longest_row, shares: [share(&rows[(axis + 1) % 3]), share(&rows[(axis + 2) % 3])] })
        .max_by(|a, b| a.shares[0].min(a.shares[1]).total_cmp(&b.shares[0].min(b.shares[1])))
}
