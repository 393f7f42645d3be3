//! What clauses say of loops and holes, in whatever literals a model has for designated edges and empty places.

use std::ops::Not;

use super::cuts::edges_of;
use super::cycles::{check_cycles, cycles};
use super::holes::HoleCut;
use super::problem::OnBoard;
use crate::error::ModelError;
use crate::single_loop::{LoopEdge, SingleLoop};

/// A model that has clauses over such literals.
pub(super) trait Clauses: OnBoard {
    type Literal: Copy + Not<Output = Self::Literal>;

    /// The kind of its formulations.
    const KIND: &'static str;

    /// Holds where a touching edge is designated.
    fn line(&self, edge: (usize, usize)) -> Option<Self::Literal>;

    /// Holds where no tile lies on a place, if there need not be one.
    fn empty(&self, place: usize) -> Option<Self::Literal>;

    fn add(&mut self, family: &'static str, clause: Vec<Self::Literal>);

    /// Some of the edges of a loop is not designated.
    fn forbid_loop(&mut self, family: &'static str, edges: &[(usize, usize)]) {
        let clause = edges.iter().filter_map(|&edge| self.line(edge)).map(|designated| !designated).collect();
        self.add(family, clause);
    }

    /// Forbids loops of up to `longest` places, and fewer than the challenge has.
    fn forbid_short_loops(&mut self, family: &'static str, longest: usize) -> Result<(), ModelError> {
        let board = self.puzzle().board.clone();
        let longest = longest.min(self.puzzle().challenge - 1);
        check_cycles(Self::KIND, &board, longest)?;
        cycles(&board, longest, &mut |course| self.forbid_loop(family, &edges_of(&board, course)));
        Ok(())
    }

    /// Some place of the ring around a hole is empty, or some place of it has a tile.
    fn forbid_hole(&mut self, family: &'static str, HoleCut { hole, ring }: &HoleCut) {
        let ring = ring.iter().filter_map(|&j| self.empty(j));
        let clause = ring.chain(hole.iter().filter_map(|&j| self.empty(j)).map(|empty| !empty)).collect();
        self.add(family, clause);
    }

    /// The rule of the single loop over the designated edges, for solvers that keep it while they search.
    fn rule_of_one_loop(&self) -> SingleLoop<Self::Literal> {
        let puzzle = self.puzzle();
        let edge = |(here, there): ((usize, usize), (usize, usize))| {
            Some(LoopEdge { ends: [here.0 - 1, there.0 - 1], designated: self.line(here)? })
        };
        let edges = puzzle.board.touching().filter_map(edge).collect();
        SingleLoop { nodes: puzzle.board.len(), length: puzzle.challenge, edges }
    }
}
