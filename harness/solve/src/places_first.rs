//! The places first, then the tiles: bounded boards and the open plane as fixed boards.
//!
//! As many places as there are tiles are chosen at random, in one part and without holes ([`choices`]), and the puzzle is solved on these
//! alone. Where that shows no solution, or takes longer than its share of the time, other places are chosen; each share is longer than
//! the last. So the time is a small multiple of what a choice takes on which a solution is found, and choices without any cost little. That
//! the puzzle has no solution is shown only where there is no choice.

use std::collections::HashSet;
use std::time::Duration;

use model::{Formulation, Size};
use puzzle::hex::Axial;
use puzzle::tantrix::{Board, BoardTantrix};
use puzzle::{Instance, Known, Puzzle, Solution};
use record::{Answer, Iteration, SOFT_LIMIT, SOLVER_LIMIT, Status};

use crate::search::choices;
use crate::{Backend, Deadline, SessionOptions, Solve, SolveError, SolveStatus, Step, Task};

/// The first share of the time, for each place; each further one is so many times as long.
const FIRST: Duration = Duration::from_millis(50);
const LONGER: f64 = 1.5;

/// Choices in a row that were refuted before, or are no board, after which there seem to be no others.
const DRAWS: usize = 1000;

/// A puzzle on places that are chosen.
pub(crate) struct PlacesFirst {
    whole: Instance,
    /// What it says of the chosen places.
    formulation: Formulation,
    choices: Box<dyn Iterator<Item = Vec<(Axial, usize)>>>,
    refuted: HashSet<Vec<Axial>>,
    first: Chosen,
    /// Whether there are no other places, or no loop of these tiles anywhere.
    is_only: bool,
}

/// Chosen places.
struct Chosen {
    task: Task,
    /// The numbers by which users of the whole puzzle know the places.
    labels: Vec<usize>,
    /// The places as they lie to each other.
    form: Vec<Axial>,
}

impl PlacesFirst {
    /// Chooses places for the first time; `None` if the formulation does not want it.
    /// Errors: as [`Task::build`]; a board without such places.
    pub fn build(
        formulation: &Formulation,
        instance: &Instance,
        deadline: &Deadline,
    ) -> Result<Option<Self>, SolveError> {
        let (is_full, count, no_loop) = match &instance.puzzle {
            Puzzle::TantrixBounded(of) if formulation.places_first() => {
                (of.board.len() == of.challenge, of.challenge, of.tiles.obstacle(of.colour))
            }
            Puzzle::TantrixNatural(of) if formulation.places_first() => {
                (false, of.challenge, of.tiles.obstacle(of.colour))
            }
            _ => return Ok(None),
        };
        let is_only = is_full || no_loop.is_some();
        let whole = instance.clone();
        let formulation = formulation.on_chosen_places();
        let mut choices: Box<dyn Iterator<Item = _>> = Box::new(choices(&whole.puzzle, formulation.seed()));
        let refuted = HashSet::new();
        let none = || {
            let reason = format!("places-first: no {count} places of this board lie together without a bottleneck");
            SolveError::from(model::ModelError::Impossible(reason))
        };
        let first = next(&mut choices, &refuted, (&whole, &formulation), deadline)?.ok_or_else(none)?;
        Ok(Some(Self { whole, formulation, choices, refuted, first, is_only }))
    }

    /// Size of the model on the places that were chosen first.
    pub fn size(&self) -> Option<Size> {
        self.first.task.size()
    }

    /// Solves the puzzle on one choice of places after another.
    /// Errors: as [`Task::solve`].
    pub fn solve(
        mut self,
        backend: &dyn Backend,
        options: &SessionOptions,
        deadline: &Deadline,
        observe: &mut dyn FnMut(Step<'_>),
    ) -> Result<Answer, SolveError> {
        let (mut ended, mut seconds) = (0, 0.0);
        let mut chosen = self.first;
        let mut share = FIRST * u32::try_from(chosen.labels.len()).unwrap_or(u32::MAX);
        for number in 1_u64.. {
            let Chosen { task, labels, form } = chosen;
            let until = if self.is_only { deadline.clone() } else { deadline.within(share) };
            let (ended_before, seconds_before) = (ended, seconds);
            let placed = |solution: &Solution| placed(solution, &labels);
            let mut answer = task.solve(backend, options, &until, &mut |step| match step {
                Step::Built(size) => observe(Step::Built(size)),
                Step::Solving(iteration) => observe(Step::Solving(ended_before + iteration)),
                Step::Solved(Iteration { solve, solution }) => {
                    (ended, seconds) = (ended_before + solve.iteration + 1, seconds_before + solve.cumulative_s);
                    let solve =
                        Solve { iteration: ended_before + solve.iteration, cumulative_s: seconds, ..solve.clone() };
                    observe(Step::Solved(&Iteration { solve, solution: solution.as_ref().map(placed) }));
                }
            })?;
            answer.solution = answer.solution.as_ref().map(placed);
            let is_refuted = answer.status == Status::Infeasible;
            if is_refuted {
                self.refuted.insert(form);
            }
            let goes_on = !self.is_only && answer.solution.is_none() && (is_refuted || answer.reason == SOFT_LIMIT);
            let remark = |message: Option<String>| {
                let choice = (!self.is_only).then(|| format!("choice {number} of places"));
                let parts: Vec<String> = choice.into_iter().chain(message).collect();
                (!parts.is_empty()).then(|| parts.join("; "))
            };
            if !goes_on {
                return Ok(Answer { message: remark(answer.message), ..answer });
            }
            let ended_with = |native: &str, reason| {
                let solve = Solve::of(SolveStatus::Timeout, native);
                Answer { message: remark(None), ..Answer::of(solve, reason, None) }
            };
            if deadline.is_over() {
                return Ok(ended_with("no time left", SOFT_LIMIT));
            }
            share = share.mul_f64(LONGER);
            let of = (&self.whole, &self.formulation);
            chosen = match next(&mut self.choices, &self.refuted, of, deadline)? {
                Some(chosen) => chosen,
                None => return Ok(ended_with("no other places", SOLVER_LIMIT)),
            };
        }
        unreachable!("numbers do not end")
    }
}

/// The next places that were not refuted, if there seem to be any.
fn next(
    choices: &mut dyn Iterator<Item = Vec<(Axial, usize)>>,
    refuted: &HashSet<Vec<Axial>>,
    (whole, formulation): (&Instance, &Formulation),
    deadline: &Deadline,
) -> Result<Option<Chosen>, SolveError> {
    for choice in choices.take(DRAWS) {
        let (at, labels): (Vec<Axial>, Vec<usize>) = choice.into_iter().unzip();
        let form = form(&at);
        if refuted.contains(&form) {
            continue;
        }
        let puzzle = match &whole.puzzle {
            Puzzle::TantrixFixed(of) | Puzzle::TantrixBounded(of) if of.challenge == at.len() => {
                Board::new(&at).map(|board| BoardTantrix { board, ..of.clone() })
            }
            Puzzle::TantrixNatural(of) if of.challenge == at.len() => Board::new(&at).map(|board| of.on(board)),
            _ => continue,
        };
        let Ok(puzzle) = puzzle else { continue };
        let (name, puzzle) = (whole.name.clone(), Puzzle::TantrixFixed(puzzle));
        let instance = Instance { name, known: Known::Unknown, source: String::new(), puzzle };
        return Ok(Some(Chosen { task: Task::build(formulation, &instance, deadline)?, labels, form }));
    }
    Ok(None)
}

/// The places as they lie to each other: the same wherever they lie.
fn form(places: &[Axial]) -> Vec<Axial> {
    let mut form = places.to_vec();
    form.sort_unstable_by_key(|at| (at.q, at.r));
    if let Some(&first) = form.first() {
        form.iter_mut().for_each(|at| *at = at.moved((-first.q, -first.r)));
    }
    form
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
