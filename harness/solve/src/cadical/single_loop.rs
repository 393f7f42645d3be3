//! Keeps the rule of the single loop while the solver searches, as an external propagator (IPASIR-UP, Fazekas et al.,
//! SAT 2023): an edge that would close a line too early is denied as soon as the line is there, and the reason, the
//! line's edges, is given as a clause only if the solver asks for it.

use std::mem;

use cadical_sys::ExternalPropagator;
use model::SingleLoop;
use model::sat::Lit;

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
    /// How often it has denied an edge, or forbidden a cycle that slipped through.
    pub(super) forbidden: u64,
    /// All clauses given, where they are to be kept.
    pub(super) kept: Option<Vec<Vec<i32>>>,
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
        let most = rule.edges.iter().map(|edge| edge.designated.variable()).max().unwrap_or(0);
        let mut edge_of = vec![None; most + 1];
        let mut around = vec![Vec::new(); rule.nodes];
        for (index, edge) in rule.edges.iter().enumerate() {
            if edge_of[edge.designated.variable()].replace(index).is_some() {
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
        self.rule.edges.iter().map(|edge| edge.designated.dimacs().abs())
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

/// Edges that no two of the same ends have, joined to lines and cycles, with what it takes to undo the last.
#[derive(Debug, Clone)]
struct Lines {
    /// For each node the edges that meet there, oldest first; `degree` says how many of them count.
    at: Vec<[usize; 2]>,
    degree: Vec<u8>,
    /// Of each end of a line the other end; stale for nodes inside of one.
    other: Vec<usize>,
    /// Of each end of a line its number of nodes; stale likewise.
    nodes: Vec<usize>,
    steps: Vec<Step>,
}

/// What an edge has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joined {
    /// There is a longer line now.
    Line {
        ends: [usize; 2],
        nodes: usize,
    },
    Cycle {
        nodes: usize,
    },
    /// It would be the third edge at a node, and was left out.
    Branch,
}

#[derive(Debug, Clone, Copy)]
struct Step {
    ends: [usize; 2],
    /// The outer ends of the two lines that were joined, and how many nodes each had; `None` for an edge that closed one.
    joined: Option<([usize; 2], [usize; 2])>,
}

impl Lines {
    fn new(nodes: usize) -> Self {
        Self {
            at: vec![[usize::MAX; 2]; nodes],
            degree: vec![0; nodes],
            other: (0..nodes).collect(),
            nodes: vec![1; nodes],
            steps: Vec::new(),
        }
    }

    fn join(&mut self, edge: usize, ends: [usize; 2]) -> Joined {
        let [a, b] = ends;
        if self.degree[a] == 2 || self.degree[b] == 2 {
            return Joined::Branch;
        }
        for node in ends {
            self.at[node][usize::from(self.degree[node])] = edge;
            self.degree[node] += 1;
        }
        let outer = [self.other[a], self.other[b]];
        if outer == [b, a] {
            self.steps.push(Step { ends, joined: None });
            return Joined::Cycle { nodes: self.nodes[a] };
        }
        let [first, last] = outer;
        let nodes = self.nodes[a] + self.nodes[b];
        self.steps.push(Step { ends, joined: Some((outer, [self.nodes[first], self.nodes[last]])) });
        (self.other[first], self.other[last]) = (last, first);
        (self.nodes[first], self.nodes[last]) = (nodes, nodes);
        Joined::Line { ends: outer, nodes }
    }

    /// Takes back the edge that was added last and not yet taken back.
    fn undo(&mut self) {
        let Some(Step { ends, joined }) = self.steps.pop() else { return };
        for node in ends {
            self.degree[node] -= 1;
        }
        if let Some(([first, last], [before_first, before_last])) = joined {
            [self.other[first], self.other[last]] = ends;
            (self.nodes[first], self.nodes[last]) = (before_first, before_last);
        }
    }

    /// The edges of a line from a node that was its end once, the way it went then, to another; `None` if it does not
    /// come there.
    fn between(&self, [from, to]: [usize; 2], ends_of: impl Fn(usize) -> [usize; 2]) -> Option<Vec<usize>> {
        let mut edges = Vec::new();
        let mut node = from;
        // The edge that came first is the one of the line that ended here.
        let mut edge = (self.degree[from] > 0).then_some(self.at[from][0])?;
        while edges.len() < self.steps.len() {
            edges.push(edge);
            let [a, b] = ends_of(edge);
            node = if a == node { b } else { a };
            if node == to {
                return Some(edges);
            }
            if self.degree[node] < 2 {
                return None;
            }
            edge = if self.at[node][0] == edge { self.at[node][1] } else { self.at[node][0] };
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small generator of numbers that look random (xorshift), so that the steps are the same each time.
    fn below(state: &mut u64, limit: usize) -> usize {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        usize::try_from(*state >> 33).expect("31 bits") % limit
    }

    /// What an edge does to the edges before it, by walking along them.
    fn plain(ends: &[[usize; 2]], before: &[usize], edge: usize) -> Joined {
        let degree = |node| before.iter().filter(|&&e| ends[e].contains(&node)).count();
        let [a, b] = ends[edge];
        if degree(a) >= 2 || degree(b) >= 2 {
            return Joined::Branch;
        }
        let far = |start: usize| {
            let (mut node, mut last, mut nodes) = (start, usize::MAX, 1);
            while let Some(&next) = before.iter().find(|&&e| e != last && ends[e].contains(&node)) {
                node = if ends[next][0] == node { ends[next][1] } else { ends[next][0] };
                (last, nodes) = (next, nodes + 1);
            }
            (node, nodes)
        };
        let ((first, left), (last, right)) = (far(a), far(b));
        if first == b {
            Joined::Cycle { nodes: left }
        } else {
            Joined::Line { ends: [first, last], nodes: left + right }
        }
    }

    #[test]
    fn joining_and_taking_back_agrees_with_walking_along_the_edges() {
        let mut state = 88_172_645_463_325_252;
        for nodes in [4, 6, 9] {
            let ends: Vec<[usize; 2]> = (0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| [a, b])).collect();
            let mut lines = Lines::new(nodes);
            let mut kept = Vec::new();
            let (mut cycles, mut branches) = (0, 0);
            for _ in 0..20_000 {
                if below(&mut state, 5) < 2 {
                    lines.undo();
                    kept.pop();
                    continue;
                }
                let edge = below(&mut state, ends.len());
                if kept.contains(&edge) {
                    continue;
                }
                let joined = lines.join(edge, ends[edge]);
                assert_eq!(joined, plain(&ends, &kept, edge), "{edge} after {kept:?}");
                match joined {
                    Joined::Branch => {
                        branches += 1;
                        continue;
                    }
                    Joined::Cycle { nodes } => {
                        cycles += 1;
                        let line = lines.between(ends[edge], |e| ends[e]).expect("the way round");
                        assert_eq!(line.len(), nodes - 1);
                        assert!(!line.contains(&edge) && line.iter().all(|e| kept.contains(e)));
                    }
                    Joined::Line { ends: outer, nodes } => {
                        assert_eq!(lines.between(outer, |e| ends[e]).map(|line| line.len()), Some(nodes - 1));
                    }
                }
                kept.push(edge);
            }
            assert!(cycles > 50 && branches > 50, "{cycles} cycles and {branches} branches are too few to show much");
        }
    }

    #[test]
    fn a_line_is_found_again_when_it_has_grown_at_both_ends() {
        let ends = [[0, 1], [1, 2], [2, 3], [5, 0], [3, 4]];
        let mut lines = Lines::new(6);
        for (edge, &ends) in ends.iter().enumerate() {
            lines.join(edge, ends);
        }
        assert_eq!(lines.between([0, 3], |e| ends[e]), Some(vec![0, 1, 2]));
        assert_eq!(lines.between([3, 0], |e| ends[e]), Some(vec![2, 1, 0]));
    }
}
