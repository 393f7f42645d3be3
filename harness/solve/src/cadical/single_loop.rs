//! Keeps the rule of the single loop while the solver searches, as an external propagator (IPASIR-UP, Fazekas et al.,
//! SAT 2023): an edge that would close a line too early is denied as soon as the line is there, and the reason, the
//! line's edges, is given as a clause only if the solver asks for it.

use std::mem;

use cadical_sys::ExternalPropagator;
use model::SingleLoop;
use model::sat::Lit;

use super::lines::{Joined, Lines};

/// What the solver has been told to keep, and how far it is.
pub(super) struct SingleLoopPropagator {
    rule: SingleLoop<Lit>,
    /// The edge of each variable that designates one.
    edge_of: Vec<Option<usize>>,
    /// The edges at each node, with the node at their other end.
    around: Vec<Vec<(usize, usize)>>,
    state: Vec<State>,
    lines: Lines,
    /// Edges that have a state, oldest first.
    trail: Vec<usize>,
    /// How long the trail was when each level began.
    levels: Vec<usize>,
    /// Edges that must not be designated, oldest first; the solver has been told of the first `told`.
    due: Vec<Due>,
    told: usize,
    /// Why each edge that the solver has been told of is denied.
    reasons: Vec<Vec<i32>>,
    /// How many literals of a reason or clause the solver has read.
    read: usize,
    /// Clauses against the cycles of a whole assignment that slipped through.
    late: Vec<Vec<i32>>,
    forbidden: u64,
    /// All clauses given, for who wants them.
    kept: Option<Vec<Vec<i32>>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Denied,
    Joined,
}

#[derive(Debug, Clone, Copy)]
struct Due {
    edge: usize,
    /// How long the trail is without what made it due.
    since: usize,
}

impl SingleLoopPropagator {
    /// Nothing assigned yet; `None` if two edges have one variable, which no model needs.
    pub(super) fn new(rule: &SingleLoop<Lit>, keep_clauses: bool) -> Option<Self> {
        let most = rule.edges.iter().map(|edge| edge.designated.var().number()).max().unwrap_or(0);
        let mut edge_of = vec![None; most + 1];
        let mut around = vec![Vec::new(); rule.nodes];
        for (index, edge) in rule.edges.iter().enumerate() {
            if edge_of[edge.designated.var().number()].replace(index).is_some() {
                return None;
            }
            let [a, b] = edge.ends;
            around[a].push((b, index));
            around[b].push((a, index));
        }
        Some(Self {
            edge_of,
            around,
            state: vec![State::Open; rule.edges.len()],
            lines: Lines::new(rule.nodes),
            trail: Vec::new(),
            levels: Vec::new(),
            due: Vec::new(),
            told: 0,
            reasons: vec![Vec::new(); rule.edges.len()],
            read: 0,
            late: Vec::new(),
            forbidden: 0,
            kept: keep_clauses.then(Vec::new),
            rule: rule.clone(),
        })
    }

    /// The variables that the solver has to report.
    pub(super) fn observed(&self) -> impl Iterator<Item = i32> {
        self.rule.edges.iter().map(|edge| edge.designated.var().positive().dimacs())
    }

    /// How often it has denied an edge, or forbidden a cycle that slipped through.
    pub(super) fn forbidden(&self) -> u64 {
        self.forbidden
    }

    /// The clauses that the solver has been given, where they are kept.
    pub(super) fn clauses(&self) -> &[Vec<i32>] {
        self.kept.as_deref().unwrap_or_default()
    }

    fn edge(&self, lit: i32) -> Option<(usize, bool)> {
        let edge = (*self.edge_of.get(lit.unsigned_abs() as usize)?)?;
        Some((edge, self.rule.edges[edge].designated.dimacs() == lit))
    }

    fn denial(&self, edge: usize) -> i32 {
        (!self.rule.edges[edge].designated).dimacs()
    }

    fn assign(&mut self, lit: i32) {
        let Some((edge, designated)) = self.edge(lit) else { return };
        // What is fixed may be reported again.
        if self.state[edge] != State::Open {
            return;
        }
        let since = self.trail.len();
        if designated {
            let closing = match self.lines.join(edge, self.rule.edges[edge].ends) {
                // Other rules forbid it, so that the solver is about to go back.
                Joined::Branch => return,
                Joined::Cycle { nodes } => (nodes < self.rule.length).then_some(edge),
                Joined::Line { ends: [a, b], nodes } if nodes < self.rule.length => {
                    let between = self.around[a].iter().find(|(node, _)| *node == b);
                    between.map(|&(_, closing)| closing).filter(|&closing| closing != edge)
                }
                Joined::Line { .. } => None,
            };
            self.due.extend(closing.map(|edge| Due { edge, since }));
            self.state[edge] = State::Joined;
        } else {
            self.state[edge] = State::Denied;
        }
        self.trail.push(edge);
    }

    fn give(&mut self, clause: &[i32]) {
        if let Some(kept) = &mut self.kept {
            kept.push(clause.to_vec());
        }
    }
}

impl ExternalPropagator for SingleLoopPropagator {
    // Whatever it forgets is given again when needed. On boards of 60 places neither way was better (three seeds), and
    // long searches would gather thousands of long clauses.
    fn are_reasons_forgettable(&mut self) -> bool {
        true
    }

    fn notify_assignment(&mut self, lits: &[i32]) {
        for &lit in lits {
            self.assign(lit);
        }
    }

    fn notify_new_decision_level(&mut self) {
        self.levels.push(self.trail.len());
    }

    fn notify_backtrack(&mut self, new_level: usize) {
        let Some(&length) = self.levels.get(new_level) else { return };
        self.levels.truncate(new_level);
        for edge in self.trail.drain(length..).rev() {
            if mem::replace(&mut self.state[edge], State::Open) == State::Joined {
                self.lines.undo();
            }
        }
        self.due.truncate(self.due.partition_point(|due| due.since < length));
        self.told = self.told.min(self.due.len());
    }

    fn cb_propagate(&mut self) -> i32 {
        while let Some(&Due { edge, .. }) = self.due.get(self.told) {
            self.told += 1;
            if self.state[edge] == State::Denied {
                continue;
            }
            let ends = self.rule.edges[edge].ends;
            let Some(line) = self.lines.between(ends, |edge| self.rule.edges[edge].ends) else { continue };
            let mut reason = mem::take(&mut self.reasons[edge]);
            reason.clear();
            reason.push(self.denial(edge));
            reason.extend(line.into_iter().map(|edge| self.denial(edge)));
            self.reasons[edge] = reason;
            self.forbidden += 1;
            return self.denial(edge);
        }
        0
    }

    fn cb_add_reason_clause_lit(&mut self, propagated_lit: i32) -> i32 {
        let Some((edge, _)) = self.edge(propagated_lit) else { return 0 };
        if self.read == 0 {
            let reason = mem::take(&mut self.reasons[edge]);
            self.give(&reason);
            self.reasons[edge] = reason;
        }
        let lit = self.reasons[edge].get(self.read).copied();
        self.read = if lit.is_some() { self.read + 1 } else { 0 };
        lit.unwrap_or(0)
    }

    fn cb_check_found_model(&mut self, model: &[i32]) -> bool {
        let mut designated = vec![false; self.rule.edges.len()];
        for (edge, holds) in model.iter().filter_map(|&lit| self.edge(lit)) {
            designated[edge] = holds;
        }
        let holds = |lit: &Lit| self.edge(lit.dimacs()).is_some_and(|(edge, _)| designated[edge]);
        let cycles = self.rule.subloops(holds);
        self.late = cycles.iter().map(|cycle| cycle.iter().map(|&edge| self.denial(edge)).collect()).collect();
        self.late.is_empty()
    }

    fn cb_has_external_clause(&mut self, is_forgettable: &mut bool) -> bool {
        *is_forgettable = true;
        !self.late.is_empty()
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        let Some(clause) = self.late.last() else { return 0 };
        if let Some(&lit) = clause.get(self.read) {
            self.read += 1;
            return lit;
        }
        self.read = 0;
        if let Some(clause) = self.late.pop() {
            self.forbidden += 1;
            self.give(&clause);
        }
        0
    }
}
