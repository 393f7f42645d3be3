//! What `mock` claims, and the solutions that it shows for it.

use combinatorics::tantrix::{enumerate_natural, enumerate_on_board};
use puzzle::tantrix::TileSet;
use puzzle::{Instance, Placement, Puzzle, Rule, Solution, verify};
use record::Status;
use runner::protocol;

use super::NAME;
use super::options::Answer;

/// A claim, as the last iteration and the answer make it.
#[derive(Debug)]
pub(super) struct Claim {
    pub status: Status,
    reason: &'static str,
    message: Option<&'static str>,
    pub solution: Option<Solution>,
}

impl Claim {
    pub fn without_solution(status: Status, reason: &'static str) -> Self {
        Self { status, reason, message: None, solution: None }
    }

    fn solved(status: Status, solution: Solution) -> Self {
        Self { solution: Some(solution), ..Self::without_solution(status, "solved") }
    }

    /// The claim as an answer.
    pub fn into_answer(self) -> protocol::Answer {
        protocol::Answer {
            status: self.status,
            reason: self.reason.to_owned(),
            native_status: Some(NAME.to_owned()),
            solution: self.solution,
            objective_value: None,
            bound: None,
            gap: None,
            message: self.message.map(str::to_owned),
            peak_memory_b: None,
            memory_source: None,
        }
    }
}

/// What is claimed of an instance, as long as it is `in_time`.
///
/// # Errors
/// An instance that is too large for the search.
pub(super) fn claim(answer: Answer, instance: &Instance, in_time: &mut dyn FnMut() -> bool) -> Result<Claim, String> {
    let plain = |status: Status| Claim::without_solution(status, status.as_str());
    Ok(match answer {
        Answer::Correct | Answer::Feasible => match search(instance, in_time)? {
            Some(solution) if answer == Answer::Correct => Claim::solved(Status::Optimal, solution),
            Some(solution) => Claim::solved(Status::Feasible, solution),
            None if in_time() => plain(Status::Infeasible),
            None => Claim::without_solution(Status::Timeout, "soft-limit"),
        },
        Answer::Wrong => Claim::solved(Status::Optimal, wrong(instance)),
        Answer::Infeasible => plain(Status::Infeasible),
        Answer::Timeout => Claim::without_solution(Status::Timeout, "soft-limit"),
        Answer::Memout => plain(Status::Memout),
        Answer::Unsupported => Claim { message: Some("mock cannot do this"), ..plain(Status::Unsupported) },
        Answer::Error => Claim { message: Some("mock failed"), ..plain(Status::Error) },
        Answer::FeasibleWithoutSolution => plain(Status::Feasible),
    })
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
        Puzzle::Soku(_) => return Err("mock has no search for 3SoKu".to_owned()),
    }
    Ok(found.map(|placements| solution(instance, placements)))
}

/// Every tile somewhere, but not so that the colours match.
fn wrong(instance: &Instance) -> Solution {
    let tiles = match &instance.puzzle {
        Puzzle::TantrixFixed(p) | Puzzle::TantrixBounded(p) => &p.tiles,
        Puzzle::TantrixNatural(p) => &p.tiles,
        // No tiles at all are wrong on any field.
        Puzzle::Soku(_) => return Solution::default(),
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
