//! A session that plays back what a test wrote down.

use std::collections::VecDeque;
use std::thread;
use std::time::Duration;

use model::Problem;
use model::ir::Model;
use puzzle::{Instance, Solution};
use solve::{Deadline, Session, Solve, SolveError, SolveStatus, Solved};

use crate::common::problem;

/// What to answer to one call.
pub enum Reply {
    /// These tiles, as the values of all variables that the model has by then.
    Solution(SolveStatus, Solution),
    /// The same, changed.
    Damaged(Solution, fn(&mut Vec<f64>)),
    /// No solution.
    Nothing(SolveStatus),
    /// After this time, the next reply.
    Late(Duration, Box<Reply>),
    /// An error.
    Fail,
}

pub fn optimal(solution: &Solution) -> Reply {
    Reply::Solution(SolveStatus::Optimal, solution.clone())
}

/// Plays back replies, one a call.
pub struct Script {
    replies: VecDeque<Reply>,
    /// Goes through the same cuts as the problem under test, so that its variables are the same.
    shadow: Box<dyn Problem>,
    /// Rows of the model at each call.
    pub rows: Vec<usize>,
    /// Time limit of each call.
    pub limits: Vec<Option<Duration>>,
}

impl Script {
    /// A session for a problem made of this instance and these families.
    pub fn new(instance: &Instance, families: &str, replies: impl IntoIterator<Item = Reply>) -> Self {
        Self::beside(problem(instance, families), replies)
    }

    /// A session for a problem that has a twin.
    pub fn beside(twin: Box<dyn Problem>, replies: impl IntoIterator<Item = Reply>) -> Self {
        Self { replies: replies.into_iter().collect(), shadow: twin, rows: Vec::new(), limits: Vec::new() }
    }

    /// Calls so far.
    pub fn calls(&self) -> usize {
        self.rows.len()
    }

    fn answer(&mut self, reply: Reply) -> Result<Solved, SolveError> {
        let (status, solution, damage): (_, _, fn(&mut Vec<f64>)) = match reply {
            Reply::Solution(status, solution) => (status, solution, |_| {}),
            Reply::Damaged(solution, damage) => (SolveStatus::Optimal, solution, damage),
            Reply::Nothing(status) => return Ok(Solved::without_values(Solve::of(status, "nothing"))),
            Reply::Late(time, reply) => {
                thread::sleep(time);
                return self.answer(*reply);
            }
            Reply::Fail => {
                return Err(SolveError::Call { solver: "script", call: "solve", reason: "as written".into() });
            }
        };
        let mut values = self.shadow.encode(&solution);
        self.shadow.separate(&solution);
        damage(&mut values);
        Ok(Solved { outcome: Solve::of(status, "played back"), values: Some(values) })
    }
}

impl Session for Script {
    fn solve(&mut self, model: &Model, deadline: &Deadline) -> Result<Solved, SolveError> {
        assert_eq!(model, self.shadow.model(), "the model has grown by the cuts against the last solution");
        self.rows.push(model.rows().len());
        self.limits.push(deadline.left());
        let reply = self.replies.pop_front().expect("no call more than written down");
        self.answer(reply)
    }

    fn restart(&mut self) {
        assert!(self.shadow.enlarge().expect("the same formulation"), "a larger problem, as under test");
    }
}
