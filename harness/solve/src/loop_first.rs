//! The designated lines first, then the tiles: logic-based Benders decomposition (Hooker & Ottosson 2003) of linear models of boards.
//!
//! The master problem is the same puzzle with the designated lines alone ([`BoardTantrix::lines`]): three sorts of tiles, two colours. Where
//! its solution, a loop, is fixed in the whole model, each tile has a few orientations left, and the other colours decide which tiles
//! lie where. If none do, the master problem gets a row against this loop and is solved again. That the master problem has no solution
//! shows that the puzzle has none.

use model::{Formulation, ModelError, Problem, build_mip};
use puzzle::tantrix::BoardTantrix;
use puzzle::{Instance, Known, Puzzle};
use record::{Answer, Status};

use crate::resolve::{Solves, resolve_on};
use crate::{Deadline, Iteration, Session, SolveError, Step};

/// The puzzle of the designated lines.
pub(crate) struct Lines {
    pub instance: Instance,
    pub problem: Box<dyn Problem>,
}

impl Lines {
    /// Builds their model, under the formulation of the whole; `None` if the puzzle has no board.
    /// Errors: as [`build_mip`].
    pub fn build(formulation: &Formulation, instance: &Instance) -> Result<Option<Self>, ModelError> {
        let puzzle = match &instance.puzzle {
            Puzzle::TantrixFixed(board) => Puzzle::TantrixFixed(board.lines()),
            Puzzle::TantrixBounded(board) => Puzzle::TantrixBounded(board.lines()),
            Puzzle::TantrixNatural(_) | Puzzle::Soku(_) => return Ok(None),
        };
        let instance = Instance { name: instance.name.clone(), known: Known::Unknown, source: String::new(), puzzle };
        let problem = build_mip(formulation, &instance)?;
        Ok(Some(Self { instance, problem }))
    }

    fn board(&self) -> Option<&BoardTantrix> {
        match &self.instance.puzzle {
            Puzzle::TantrixFixed(board) | Puzzle::TantrixBounded(board) => Some(board),
            Puzzle::TantrixNatural(_) | Puzzle::Soku(_) => None,
        }
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
            let of_lines = resolve_on(&mut solves, self.problem.as_mut(), first, deadline, &mut |step| match step {
                Step::Solved(iteration) => {
                    observe(Step::Solved(&Iteration { solution: None, solve: iteration.solve.clone() }));
                }
                other => observe(other),
            })?;
            let Some((laid, board)) = of_lines.solution.as_ref().zip(self.board()) else { return Ok(of_lines) };
            let lines = board.lines_of(&laid.placements);
            whole.follow(&lines);
            then.restart();
            let answer = resolve_on(&mut solves, whole, then, deadline, observe)?;
            if answer.status != Status::Infeasible {
                return Ok(answer);
            }
            self.problem.avoid(&lines);
        }
    }
}
