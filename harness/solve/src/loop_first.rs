//! The designated lines first, then the tiles: logic-based Benders decomposition (Hooker & Ottosson 2003) of linear models of boards.
//!
//! The master problem is the same puzzle with the designated lines alone ([`BoardTantrix::lines`]): up to three sorts of tiles, two colours.
//! Where its solution, a loop, is fixed in the whole model, each tile has a few orientations left, and the other colours decide which tiles
//! lie where. If none do, the master problem gets rows against this loop and is solved again: where few places are the reason
//! ([`conflicts`]), against their lines wherever they fit on the board, else against the loop as it lies. That the master problem has no
//! solution shows that the puzzle has none.

mod conflicts;

use std::collections::HashSet;
use std::time::Instant;

use model::{Formulation, Problem, build_mip};
use puzzle::tantrix::BoardTantrix;
use puzzle::{Instance, Puzzle};
use record::{Answer, Lays, SolveStatus, Status};

use self::conflicts::{Laid, conflicts, everywhere};
use crate::resolve::{Solves, resolve_on};
use crate::{Deadline, Iteration, Session, Solve, SolveError, Step};

/// Rows against conflicts, after which further ones are avoided only where they lie.
const MOST_AVOIDED: usize = 200_000;

/// The master problem of a puzzle.
pub(crate) struct Lines {
    whole: BoardTantrix,
    board: BoardTantrix,
    /// The master problem as an instance.
    pub instance: Instance,
    /// Its model.
    pub problem: Box<dyn Problem>,
    avoided: HashSet<Laid>,
}

impl Lines {
    /// Builds the model of the lines, under the formulation of the whole; `None` if the puzzle has no board.
    /// Errors: as [`build_mip`].
    pub fn build(formulation: &Formulation, instance: &Instance) -> Result<Option<Self>, SolveError> {
        let (whole, kind): (&BoardTantrix, fn(BoardTantrix) -> Puzzle) = match &instance.puzzle {
            Puzzle::TantrixFixed(board) => (board, Puzzle::TantrixFixed),
            Puzzle::TantrixBounded(board) => (board, Puzzle::TantrixBounded),
            Puzzle::TantrixNatural(_) | Puzzle::Soku(_) => return Ok(None),
        };
        let board = whole.lines();
        let instance = Instance::part(&instance.name, kind(board.clone()));
        let problem = build_mip(formulation, &instance)?;
        Ok(Some(Self { whole: whole.clone(), board, instance, problem, avoided: HashSet::new() }))
    }

    /// Solves the model of the lines by one session and the whole model by another, in turn. What is told of solves of the first has no
    /// solution, as its tiles are none of the puzzle's.
    /// Errors: as [`crate::resolve`].
    pub fn solve(
        mut self,
        whole: &mut dyn Problem,
        [first, then]: [&mut dyn Session; 2],
        deadline: &Deadline,
        observe: &mut dyn FnMut(Step<'_>),
    ) -> Result<Answer, SolveError> {
        let mut solves = Solves::begin();
        loop {
            // The last one is told of when it is known what was added because of it.
            let mut last: Option<Solve> = None;
            let of_lines = resolve_on(&mut solves, self.problem.as_mut(), first, deadline, &mut |step| match step {
                Step::Solved(iteration) => {
                    last = Some(Solve { lays: Some(Lays::Lines), ..iteration.solve.clone() });
                }
                other => {
                    if let Some(solve) = last.take() {
                        observe(Step::Solved(&Iteration { solve, solution: None }));
                    }
                    observe(other);
                }
            })?;
            let begun = Instant::now();
            let lines = of_lines.solution.as_ref().map(|solution| self.board.lines_of(&solution.placements));
            let added = lines.as_ref().map_or(0, |lines| self.refute(lines, deadline));
            solves.add(begun.elapsed());
            if let Some(solve) = last {
                let solve = Solve { cuts_added: solve.cuts_added + added, ..solve };
                observe(Step::Solved(&Iteration { solve, solution: None }));
            }
            let Some(lines) = lines else { return Ok(of_lines) };
            if added > 0 {
                continue;
            }
            whole.follow(&lines);
            then.restart();
            // Of a run all solves have such figures, or none.
            let windows = of_lines.last.and_then(|last| last.patches).map(|_| 0);
            let answer = resolve_on(&mut solves, whole, then, deadline, &mut |step| match step {
                Step::Solved(Iteration { solve, solution }) => {
                    // These lines are avoided then.
                    let added = u64::from(solve.status == SolveStatus::Infeasible);
                    let solve = Solve {
                        lays: Some(Lays::Tiles),
                        cuts_added: solve.cuts_added + added,
                        patches: windows,
                        restarts: windows,
                        ..solve.clone()
                    };
                    observe(Step::Solved(&Iteration { solve, solution: solution.clone() }));
                }
                other => observe(other),
            })?;
            if answer.status != Status::Infeasible {
                return Ok(answer);
            }
            self.problem.avoid(&lines);
        }
    }

    /// Adds rows against the conflicts among lines, wherever they fit on the board; how many.
    fn refute(&mut self, lines: &Laid, deadline: &Deadline) -> u64 {
        let mut added = 0;
        let conflicts = conflicts(&self.whole, lines);
        for conflict in conflicts.iter().take_while(|_| !deadline.is_over()) {
            let is_room = self.avoided.len() < MOST_AVOIDED;
            let images = if is_room { everywhere(&self.whole, conflict) } else { vec![conflict.clone()] };
            for image in images {
                if !self.avoided.contains(&image) {
                    self.problem.avoid(&image);
                    self.avoided.insert(image);
                    added += 1;
                }
            }
        }
        added
    }
}
