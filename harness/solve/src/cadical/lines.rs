//! Lines of designated edges: joined, followed and taken back in constant time for each edge.

/// Edges that no two of the same ends have, joined to lines and cycles, with what it takes to undo the last.
#[derive(Debug, Clone)]
pub(super) struct Lines {
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
pub(super) enum Joined {
    /// There is a longer line now.
    Line {
        /// Its ends.
        ends: [usize; 2],
        /// How many nodes it passes.
        nodes: usize,
    },
    /// A line is closed.
    Cycle {
        /// How many nodes it passes.
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
    /// No edge yet.
    pub(super) fn new(nodes: usize) -> Self {
        Self {
            at: vec![[usize::MAX; 2]; nodes],
            degree: vec![0; nodes],
            other: (0..nodes).collect(),
            nodes: vec![1; nodes],
            steps: Vec::new(),
        }
    }

    /// Adds an edge.
    pub(super) fn join(&mut self, edge: usize, ends: [usize; 2]) -> Joined {
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
    pub(super) fn undo(&mut self) {
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
    pub(super) fn between(&self, [from, to]: [usize; 2], ends_of: impl Fn(usize) -> [usize; 2]) -> Option<Vec<usize>> {
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
