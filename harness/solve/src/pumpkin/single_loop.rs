//! A propagator that keeps designated edges from closing a loop that is too short.
//!
//! Wherever designated edges form a path of fewer nodes than the loop needs and its ends are joined by an edge, that
//! edge is not designated, because of the edges of the path. Where several edges turn designated at once, they may close a
//! loop before that: its edges are the conflict.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use model::SingleLoop;
use pumpkin_core::declare_inference_label;
use pumpkin_core::predicates::{Predicate, PropositionalConjunction};
use pumpkin_core::proof::{ConstraintTag, InferenceCode};
use pumpkin_core::propagation::{
    EventsToRegister, Priority, PropagationContext, Propagator, PropagatorConstructor, PropagatorConstructorContext,
    PropagatorSpec, ReadDomains, RuntimeCheckers,
};
use pumpkin_core::state::{PropagationStatusCP, propagator_conflict};
use pumpkin_core::variables::Reason;

declare_inference_label!(ShortLoop);

pub(super) struct SingleLoopArgs {
    pub rule: SingleLoop<Predicate>,
    pub tag: ConstraintTag,
    /// Where it counts how often it denied an edge or found a loop closed.
    pub cut_off: Arc<AtomicU64>,
}

#[derive(Debug, Clone)]
pub(super) struct SingleLoopPropagator {
    rule: SingleLoop<Predicate>,
    /// For each node its edges, with the node at their other ends.
    at: Vec<Vec<(usize, usize)>>,
    code: InferenceCode,
    cut_off: Arc<AtomicU64>,
}

impl PropagatorConstructor for SingleLoopArgs {
    type PropagatorImpl = SingleLoopPropagator;

    fn create(self, mut context: PropagatorConstructorContext) -> PropagatorSpec<SingleLoopPropagator> {
        let mut at = vec![Vec::new(); self.rule.nodes];
        for (index, edge) in self.rule.edges.iter().enumerate() {
            let [a, b] = edge.ends;
            at[a].push((index, b));
            at[b].push((index, a));
            context.register_predicate(edge.designated);
        }
        let code = InferenceCode::new(self.tag, ShortLoop);
        PropagatorSpec {
            // It wakes for edges that turn designated and for nothing else.
            registration: EventsToRegister::empty(),
            checkers: RuntimeCheckers::empty(),
            propagator: SingleLoopPropagator { rule: self.rule, at, code, cut_off: self.cut_off },
        }
    }
}

impl SingleLoopPropagator {
    /// From a node along designated edges, none of them `from`: the edges passed and the node where it ends. A path
    /// ends where not exactly two designated edges meet, and at `stop`.
    fn follow(&self, designated: &[Vec<(usize, usize)>], stop: usize, from: (usize, usize)) -> (Vec<usize>, usize) {
        let (mut edge, mut node) = from;
        let mut passed = vec![edge];
        while node != stop {
            let [a, b] = designated[node][..] else { break };
            (edge, node) = if a.0 == edge { b } else { a };
            passed.push(edge);
        }
        (passed, node)
    }

    fn because(&self, edges: &[usize]) -> PropositionalConjunction {
        edges.iter().map(|&edge| self.rule.edges[edge].designated).collect()
    }
}

impl Propagator for SingleLoopPropagator {
    fn name(&self) -> &str {
        "SingleLoop"
    }

    fn priority(&self) -> Priority {
        Priority::Low
    }

    fn propagate_from_scratch(&self, mut context: PropagationContext) -> PropagationStatusCP {
        let mut designated: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.rule.nodes];
        for (index, edge) in self.rule.edges.iter().enumerate() {
            if context.evaluate_predicate(edge.designated) == Some(true) {
                let [a, b] = edge.ends;
                designated[a].push((index, b));
                designated[b].push((index, a));
            }
        }
        // Paths first, from each of their two ends; what is left then are loops.
        let mut seen = vec![false; self.rule.edges.len()];
        for start in 0..self.rule.nodes {
            let [first] = designated[start][..] else { continue };
            if seen[first.0] {
                continue;
            }
            let (path, end) = self.follow(&designated, start, first);
            for &edge in &path {
                seen[edge] = true;
            }
            if designated[end].len() != 1 || path.len() + 1 >= self.rule.length {
                continue;
            }
            let Some(&(closing, _)) = self.at[start].iter().find(|(_, beyond)| *beyond == end) else { continue };
            let predicate = self.rule.edges[closing].designated;
            // A path of one edge is no loop with itself.
            if path.len() >= 2 && context.evaluate_predicate(predicate).is_none() {
                self.cut_off.fetch_add(1, Ordering::Relaxed);
                context.post(!predicate, Reason::Eager(self.because(&path), self.code.clone()))?;
            }
        }
        for start in 0..self.rule.nodes {
            let [first, _] = designated[start][..] else { continue };
            if seen[first.0] {
                continue;
            }
            let (cycle, end) = self.follow(&designated, start, first);
            for &edge in &cycle {
                seen[edge] = true;
            }
            if end == start && cycle.len() < self.rule.length {
                self.cut_off.fetch_add(1, Ordering::Relaxed);
                return propagator_conflict(self.because(&cycle), &self.code);
            }
        }
        Ok(())
    }
}
