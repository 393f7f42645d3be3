//! Verification of solutions, from puzzle data alone.

use std::collections::HashSet;

use super::{Arrangement, FixedTantrix, record_rule, trace};
use crate::hex::{Axial, holes};
use crate::{Placement, Rule, Solution, Verdict, Violation};

/// Checks a solution of a fixed board against every rule.
#[must_use]
pub fn verify(name: &str, puzzle: &FixedTantrix, solution: &Solution) -> Verdict {
    let mut violations = Vec::new();
    if solution.instance != name {
        let message = format!("the solution is for {:?}, not for {name:?}", solution.instance);
        violations.push(Violation { rule: Rule::Instance, message });
    }
    check_placements(puzzle, &solution.placements, &mut violations);
    check_counts(puzzle, &solution.placements, &mut violations);

    let arrangement = Arrangement::new(&puzzle.board, &puzzle.tiles, &solution.placements);
    check_matching(puzzle, &arrangement, &mut violations);

    let lines = trace(&puzzle.board, &arrangement, puzzle.colour);
    for [(j, l), (j2, l2)] in &lines.open {
        let message = format!(
            "a {} line is no loop: it ends at edge {l} of place {j} and at edge {l2} of place {j2}",
            puzzle.colour
        );
        violations.push(Violation { rule: Rule::ClosedLines, message });
    }
    if lines.loops.len() > 1 {
        let loops: Vec<String> = lines.loops.iter().map(|l| format!("{l:?}")).collect();
        let message = format!("{} {} loops, through places {}", lines.loops.len(), puzzle.colour, loops.join(" and "));
        violations.push(Violation { rule: Rule::SingleLoop, message });
    }

    let filled: Vec<Axial> =
        puzzle.board.numbers().filter(|&j| arrangement.is_filled(j)).map(|j| puzzle.board.at(j)).collect();
    let found = holes(&filled.iter().copied().collect());
    for hole in &found {
        let at: Vec<String> = hole.iter().map(|a| format!("[{}, {}]", a.q, a.r)).collect();
        let message = format!("the empty place {} is enclosed", at.join(", "));
        violations.push(Violation { rule: Rule::NoHole, message });
    }
    let remarks = record_rule(&filled)
        .map(|rule| {
            format!(
                "official record rule: {} (longest row {}; {:.0} % and {:.0} % of the rows of the other axes are long enough, more than 75 % must be)",
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

fn check_placements(puzzle: &FixedTantrix, placements: &[Placement], violations: &mut Vec<Violation>) {
    let mut broken = |rule, message| violations.push(Violation { rule, message });
    let mut filled = HashSet::new();
    for (index, p) in placements.iter().enumerate() {
        let entry = index + 1;
        if !puzzle.board.numbers().contains(&p.place) {
            broken(
                Rule::Range,
                format!("placement {entry}: place {} is not one of 1..{}", p.place, puzzle.board.len()),
            );
        } else if !filled.insert(p.place) {
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
    for place in puzzle.board.numbers().filter(|place| !filled.contains(place)) {
        broken(Rule::FullBoard, format!("place {place} has no tile"));
    }
}

fn check_counts(puzzle: &FixedTantrix, placements: &[Placement], violations: &mut Vec<Violation>) {
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

fn check_matching(puzzle: &FixedTantrix, arrangement: &Arrangement, violations: &mut Vec<Violation>) {
    for ((j, l), (j2, l2)) in puzzle.board.touching() {
        if let (Some(here), Some(there)) = (arrangement.colour(j, l), arrangement.colour(j2, l2))
            && here != there
        {
            violations.push(Violation {
                rule: Rule::Matching,
                message: format!("edge {l} of place {j} is {here}, edge {l2} of place {j2} that it touches is {there}"),
            });
        }
    }
}
