//! The places first, then the tiles: bounded boards and the open plane as fixed boards.
//!
//! As many places as there are tiles are chosen at random, in one part and without holes ([`choices`]), and the puzzle is solved on these
//! alone. Where that shows no solution, or takes longer than its share of the time, other places are chosen. A share that was too short
//! makes the next one longer, so that the time is a small multiple of what a choice takes on which a solution is found. That the puzzle
//! has no solution is shown only where there is no choice.

use std::collections::HashSet;
use std::mem;
use std::time::{Duration, Instant};

use model::{Formulation, ModelError};
use puzzle::hex::Axial;
use puzzle::tantrix::{Board, BoardTantrix};
use puzzle::{Instance, Puzzle, Solution};
use record::{Answer, Iteration, NO_OTHER_PLACES, SOFT_LIMIT, SOLVER_LIMIT, Status};

use crate::resolve::Step;
use crate::search::{choices, tantrix};
use crate::{Deadline, Solve, SolveError, SolveStatus};

/// The first share of the time, beside that of each place; after one that was too short the next is so many times as long.
const FIRST: Duration = Duration::from_secs(1);
const OF_PLACE: Duration = Duration::from_millis(50);
const LONGER: f64 = 1.5;

/// Choices in a row that were refuted before, or are no board, after which there seem to be no others.
const DRAWS: usize = 1000;

/// How a fixed board is solved until a deadline; it tells of the solves.
pub(crate) type SolveBoard<'a> =
    &'a mut dyn FnMut(&Instance, &Deadline, &mut dyn FnMut(Step<'_>)) -> Result<Answer, SolveError>;

/// A puzzle on places that are chosen.
pub(crate) struct PlacesFirst {
    whole: Instance,
    choices: Box<dyn Iterator<Item = Vec<(Axial, usize)>>>,
    refuted: HashSet<Vec<Axial>>,
    first: Chosen,
    /// Whether there are no other places, or no loop of these tiles anywhere.
    is_only: bool,
}

/// Chosen places.
struct Chosen {
    /// The puzzle on them, as a fixed board.
    board: Instance,
    /// The numbers by which users of the whole puzzle know them.
    labels: Vec<usize>,
    form: Vec<Axial>,
}

impl PlacesFirst {
    /// Chooses places for the first time; `None` if the formulation does not want it.
    /// Errors: a board without such places.
    pub fn choose(formulation: &Formulation, instance: &Instance) -> Result<Option<Self>, SolveError> {
        if !formulation.places_first() {
            return Ok(None);
        }
        let mut choices: Box<dyn Iterator<Item = _>> = Box::new(choices(&instance.puzzle, formulation.seed()));
        let none = || {
            let reason = "places-first: no places of this board, as many as tiles, lie together without a bottleneck";
            SolveError::from(ModelError::Impossible(reason.to_owned()))
        };
        let refuted = HashSet::new();
        let first = next(&mut choices, &refuted, instance).ok_or_else(none)?;
        let (tiles, colour, board) = tantrix(&instance.puzzle);
        let is_full = board.is_some_and(|board| board.len() == first.labels.len());
        let is_only = is_full || tiles.obstacle(colour).is_some();
        Ok(Some(Self { whole: instance.clone(), choices, refuted, first, is_only }))
    }

    /// The puzzle on the places that were chosen first.
    pub fn board(&self) -> &Instance {
        &self.first.board
    }

    /// Solves the puzzle on one choice of places after another. What is told of their solves has the place numbers of the whole puzzle;
    /// the time to build a model after the first, and to open its solver, counts as one of the solve that follows.
    /// Errors: those of solving a board.
    pub fn solve(
        mut self,
        solve_board: SolveBoard<'_>,
        deadline: &Deadline,
        observe: &mut dyn FnMut(Step<'_>),
    ) -> Result<Answer, SolveError> {
        let (mut ended, mut seconds, mut before_s) = (0, 0.0, 0.0);
        let mut share = FIRST + OF_PLACE * u32::try_from(self.first.labels.len()).unwrap_or(u32::MAX);
        let (mut chosen, mut number) = (self.first, 1);
        loop {
            let Chosen { board, labels, form } = chosen;
            let until = if self.is_only { deadline.clone() } else { deadline.within(share) };
            let (ended_before, mut seconds_before) = (ended, seconds);
            let (begun, mut has_begun) = (Instant::now(), false);
            let placed = |solution: &Solution| placed(solution, &labels);
            let answer = solve_board(&board, &until, &mut |step| match step {
                Step::Built(size) if number == 1 => observe(Step::Built(size)),
                // Rows have the size of the first.
                Step::Built(_) => {}
                Step::Solving(iteration) => {
                    if !mem::replace(&mut has_begun, true) && number > 1 {
                        before_s += begun.elapsed().as_secs_f64();
                    }
                    observe(Step::Solving(ended_before + iteration));
                }
                Step::Solved(Iteration { solve, solution }) => {
                    let more_s = mem::take(&mut before_s);
                    seconds_before += more_s;
                    seconds = seconds_before + solve.cumulative_s;
                    ended = ended_before + solve.iteration + 1;
                    let solve = Solve {
                        iteration: ended - 1,
                        time_s: solve.time_s + more_s,
                        cumulative_s: seconds,
                        choice: Some(number),
                        ..solve.clone()
                    };
                    observe(Step::Solved(&Iteration { solve, solution: solution.as_ref().map(placed) }));
                }
            })?;
            if !has_begun {
                before_s += begun.elapsed().as_secs_f64();
            }
            let is_refuted = answer.status == Status::Infeasible;
            let may_go_on = is_refuted || answer.status == Status::Timeout;
            if self.is_only || !may_go_on {
                let solution = answer.solution.as_ref().map(placed);
                return Ok(Answer { solution, ..answer });
            }
            if is_refuted {
                self.refuted.insert(form);
            } else {
                share = share.mul_f64(LONGER);
            }
            let left_off = |native: &str, reason| Answer::of(Solve::of(SolveStatus::Timeout, native), reason, None);
            if deadline.is_over() {
                return Ok(left_off("no time left", SOFT_LIMIT));
            }
            let Some(next) = next(&mut self.choices, &self.refuted, &self.whole) else {
                return Ok(left_off(NO_OTHER_PLACES, SOLVER_LIMIT));
            };
            (chosen, number) = (next, number + 1);
        }
    }
}

/// The next places that were not refuted, if there seem to be any.
fn next(
    choices: &mut dyn Iterator<Item = Vec<(Axial, usize)>>,
    refuted: &HashSet<Vec<Axial>>,
    whole: &Instance,
) -> Option<Chosen> {
    let (tiles, colour, _) = tantrix(&whole.puzzle);
    choices.take(DRAWS).find_map(|choice| {
        let (at, labels): (Vec<Axial>, Vec<usize>) = choice.into_iter().unzip();
        let (form, challenge) = (form(&at), at.len());
        let count: usize = tiles.sorts.iter().map(|sort| sort.count).sum();
        // On a board that is too narrow they are fewer than tiles.
        if refuted.contains(&form) || challenge < count {
            return None;
        }
        let puzzle = BoardTantrix { challenge, tiles: tiles.clone(), colour, board: Board::new(&at).ok()? };
        Some(Chosen { board: Instance::part(&whole.name, Puzzle::TantrixFixed(puzzle)), labels, form })
    })
}

/// The places as they lie to each other: the same wherever they lie, and however they are turned.
fn form(places: &[Axial]) -> Vec<Axial> {
    let turned = |steps| {
        let mut form: Vec<Axial> = places.iter().map(|at| at.turned(steps)).collect();
        form.sort_unstable();
        let first = form.first().copied();
        form.iter().filter_map(|at| Some(at.moved((-first?.q, -first?.r)))).collect()
    };
    (0..6).map(turned).min().unwrap_or_default()
}

/// A solution on chosen places, by the numbers of the whole puzzle.
fn placed(solution: &Solution, labels: &[usize]) -> Solution {
    let mut solution = solution.clone();
    let label = |place: &mut usize| *place = labels[*place - 1];
    solution.placements.iter_mut().for_each(|placement| label(&mut placement.place));
    solution.cuts.iter_mut().flatten().for_each(|(place, _)| label(place));
    solution.placements.sort_unstable_by_key(|placement| placement.place);
    solution
}
