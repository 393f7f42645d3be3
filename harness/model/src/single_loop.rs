//! The rule that the designated lines form one loop, as plain data, for solvers that keep it while they search.

use std::collections::HashMap;

use serde::Serialize;

/// An edge that may be designated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LoopEdge<L> {
    /// The nodes that it joins, different from each other.
    pub ends: [usize; 2],
    /// Holds where the edge is designated.
    pub designated: L,
}

/// A graph some of whose edges are designated. Other rules see to it that none or two of them meet at each node; this
/// one demands that no cycle of designated edges has fewer nodes than `length`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SingleLoop<L> {
    /// Number of nodes; they are numbered from 0.
    pub nodes: usize,
    /// Number of nodes that the loop has to pass.
    pub length: usize,
    /// The edges; no two join the same nodes.
    pub edges: Vec<LoopEdge<L>>,
}

impl<L> SingleLoop<L> {
    /// The cycles that are too short, each as its edges (their indices) in order.
    ///
    /// Edges at a node where another number than two of them are designated belong to no cycle.
    pub fn subloops(&self, holds: impl Fn(&L) -> bool) -> Vec<Vec<usize>> {
        let mut at: HashMap<usize, Vec<usize>> = HashMap::new();
        let designated: Vec<usize> = (0..self.edges.len()).filter(|&e| holds(&self.edges[e].designated)).collect();
        for &edge in &designated {
            for end in self.edges[edge].ends {
                at.entry(end).or_default().push(edge);
            }
        }
        let mut seen = vec![false; self.edges.len()];
        let mut found = Vec::new();
        for &first in &designated {
            if seen[first] {
                continue;
            }
            let [start, mut node] = self.edges[first].ends;
            let (mut cycle, mut edge) = (vec![first], first);
            seen[first] = true;
            let closed = loop {
                if node == start {
                    break at[&node].len() == 2;
                }
                let [a, b] = at[&node][..] else { break false };
                edge = if a == edge { b } else { a };
                if seen[edge] {
                    break false;
                }
                seen[edge] = true;
                cycle.push(edge);
                let [from, to] = self.edges[edge].ends;
                node = if from == node { to } else { from };
            };
            if closed && cycle.len() < self.length {
                found.push(cycle);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles that share no node, joined by an edge.
    fn triangles(length: usize) -> SingleLoop<bool> {
        let edge = |a, b, designated| LoopEdge { ends: [a, b], designated };
        let edges = vec![
            edge(0, 1, true),
            edge(1, 2, true),
            edge(4, 3, true),
            edge(0, 2, true),
            edge(4, 5, true),
            edge(3, 5, true),
            edge(2, 3, false),
        ];
        SingleLoop { nodes: 6, length, edges }
    }

    #[test]
    fn cycles_that_are_too_short_are_found_with_their_edges_in_order() {
        assert_eq!(triangles(6).subloops(|&d| d), [vec![0, 1, 3], vec![2, 5, 4]]);
    }

    #[test]
    fn cycles_that_are_long_enough_are_not() {
        assert_eq!(triangles(3).subloops(|&d| d), Vec::<Vec<usize>>::new());
    }

    #[test]
    fn open_lines_and_branches_are_no_cycles() {
        let mut graph = triangles(6);
        graph.edges[1].designated = false;
        assert_eq!(graph.subloops(|&d| d), [vec![2, 5, 4]]);
        assert_eq!(graph.subloops(|_| true), Vec::<Vec<usize>>::new());
    }
}
