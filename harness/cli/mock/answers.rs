//! What `mock` claims, and the solutions that it shows for it.

use combinatorics::tantrix::{enumerate_natural, enumerate_on_board};
use puzzle::tantrix::TileSet;
use puzzle::{Instance, Placement, Puzzle, Rule, Solution, verify};
use record::{SOFT_LIMIT, Status};
use runner::protocol;

use crate::options::Answer;

/// What is claimed of an instance, as long as it is `in_time`, without the solve that it rests on.
///
/// # Errors
/// An instance that is too large for the search.
pub(super) fn claim(
    answer: Answer,
    instance: &Instance,
    in_time: &mut dyn FnMut() -> bool,
) -> Result<protocol::Answer, String> {
    let plain = |status: Status| protocol::Answer::without_solve(status, status.name());
    let solved = |status, solution| protocol::Answer {
        solution: Some(solution),
        ..protocol::Answer::without_solve(status, "solved")
    };
    let remarked = |status, remark: &str| protocol::Answer { message: Some(remark.to_owned()), ..plain(status) };
    Ok(match answer {
        Answer::Correct | Answer::Feasible => match search(instance, in_time)? {
            Some(solution) if answer == Answer::Correct => solved(Status::Optimal, solution),
            Some(solution) => solved(Status::Feasible, solution),
            None if in_time() => plain(Status::Infeasible),
            None => out_of_time(),
        },
        Answer::Wrong => solved(Status::Optimal, wrong(instance)),
        Answer::Infeasible => plain(Status::Infeasible),
        Answer::Timeout => out_of_time(),
        Answer::Memout => plain(Status::Memout),
        Answer::Unsupported => remarked(Status::Unsupported, "mock cannot do this"),
        Answer::Error => remarked(Status::Error, "mock failed"),
        Answer::FeasibleWithoutSolution => plain(Status::Feasible),
    })
}

/// The claim that the time limit struck.
pub(super) fn out_of_time() -> protocol::Answer {
    protocol::Answer::without_solve(Status::Timeout, SOFT_LIMIT)
}

/// Lengths of so many loops through all tiles.
pub(super) fn lengths(instance: &Instance, loops: u64) -> Vec<u64> {
    let tiles = instance.facts().challenge.unwrap_or(1);
    let loops = loops.clamp(1, tiles.max(1));
    (0..loops).map(|index| tiles / loops + u64::from(index < tiles % loops)).collect()
}

/// The first solution of an exhaustive search.
fn search(instance: &Instance, in_time: &mut dyn FnMut() -> bool) -> Result<Option<Solution>, String> {
    let mut found = None;
    match &instance.puzzle {
        Puzzle::TantrixFixed(p) | Puzzle::TantrixBounded(p) => {
            enumerate_on_board(&p.board, &p.tiles, p.colour, in_time, &mut |placements| {
                found = Some(placements.to_vec());
                false
            })?;
        }
        Puzzle::TantrixNatural(p) => enumerate_natural(&p.tiles, p.colour, &mut |laid| {
            let placement = |l: &combinatorics::tantrix::Laid| Placement {
                place: l.at.ring_number(),
                tile: l.tile,
                orientation: l.orientation,
            };
            found = Some(laid.iter().map(placement).collect());
            false
        })?,
        other => return Err(format!("mock has no search for {}", other.kind())),
    }
    Ok(found.map(|placements| solution(instance, placements)))
}

/// Every tile somewhere, but not so that the colours match.
fn wrong(instance: &Instance) -> Solution {
    let tiles = match &instance.puzzle {
        Puzzle::TantrixFixed(p) | Puzzle::TantrixBounded(p) => &p.tiles,
        Puzzle::TantrixNatural(p) => &p.tiles,
        // No tiles at all are wrong for any puzzle.
        _ => return Solution::default(),
    };
    let mut turned = (1..=6).map(|orientation| solution(instance, in_order(tiles, orientation)));
    // Loops and holes are no rules to everyone: some formulations only report them.
    let breaks = |solution: &Solution| !verify(instance, solution).is_valid_but_for(&[Rule::SingleLoop, Rule::NoHole]);
    // No tiles at all are wrong on any board.
    turned.find(breaks).unwrap_or_default()
}

/// Tiles on places 1, 2, ... in the order of their numbers, the first in this orientation.
fn in_order(tiles: &TileSet, orientation: usize) -> Vec<Placement> {
    let each = tiles.sorts.iter().flat_map(|sort| std::iter::repeat_n(sort.tile.number, sort.count));
    let placement = |(place, tile)| Placement { place, tile, orientation: if place == 1 { orientation } else { 1 } };
    (1..).zip(each).map(placement).collect()
}

fn solution(instance: &Instance, placements: Vec<Placement>) -> Solution {
    Solution::on_places(&instance.name, placements)
}
