//! Which faces make the two sides, and in what order each of them is laid: so that there are few states.
//!
//! A state is a multiset of tiles and a sum for each open vertex. The tiles determine what all sums add up to, so that the widest of them
//! follows from the others; how many states there can be after some faces depends on which they are, not on their order.

use super::job::Job;
use super::layer::laid_around;
use super::stock::Stock;
use super::sums::Sums;

/// Up to this many faces the best order of a side is found among all.
const MOST_ORDERED: usize = 12;

/// From so many faces at most an order is begun, from fewer on large fields, where an order takes longer to find.
const MOST_BEGINNINGS: usize = 24;

/// Fields of more faces are large.
const LARGE: usize = 40;

/// So many pairs of sides are looked at closely.
const MOST_PAIRS: usize = 16;

/// The sides, as indices of faces in the order in which they are laid.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Plan {
    pub sides: [Vec<usize>; 2],
    /// Upper bound on the states of both sides.
    pub states: f64,
}

/// What there can be at most after some faces, by the faces.
pub(super) struct Widths<'a> {
    job: &'a Job,
    stock: &'a Stock,
    degrees: Vec<usize>,
    /// Of each vertex and each number of faces with tiles: how many sums there can be.
    sums: Vec<Vec<f64>>,
}

impl<'a> Widths<'a> {
    /// Without the sums, the capacities bound how many there are.
    pub fn new(job: &'a Job, stock: &'a Stock, sums: Option<&Sums>) -> Self {
        let degrees = job.degrees();
        let at = |vertex: usize, laid: usize| match sums {
            Some(sums) => sums.at(vertex, laid).len() as f64,
            None => f64::from(job.capacity[vertex]) + 1.0,
        };
        let of = |vertex: usize| (0..=degrees[vertex]).map(|laid| at(vertex, laid)).collect();
        Self { job, stock, sums: (0..degrees.len()).map(of).collect(), degrees }
    }

    /// Upper bound on the states after some faces.
    fn states(&self, faces: &[usize]) -> f64 {
        self.states_around(faces.len(), &laid_around(self.job, faces))
    }

    fn states_around(&self, faces: usize, around: &[usize]) -> f64 {
        let (mut product, mut widest) = (1.0, 1.0_f64);
        for (vertex, &laid) in around.iter().enumerate() {
            if laid > 0 && laid < self.degrees[vertex] {
                product *= self.sums[vertex][laid];
                widest = widest.max(self.sums[vertex][laid]);
            }
        }
        self.stock.number(faces) * product / widest
    }

    /// Begins with a face and goes on with the one after which there are fewest states. Also the states after each.
    fn greedy(&self, faces: &[usize], first: usize) -> (Vec<usize>, Vec<f64>) {
        let (mut order, mut around) = (Vec::new(), vec![0; self.degrees.len()]);
        let mut left: Vec<usize> = faces.to_vec();
        let mut states = Vec::new();
        let mut next = left.iter().position(|&face| face == first);
        while let Some(index) = next {
            let face = left.remove(index);
            order.push(face);
            self.job.faces[face].iter().for_each(|&vertex| around[vertex] += 1);
            states.push(self.states_around(order.len(), &around));
            let after = |&face: &usize| {
                let mut around = around.clone();
                self.job.faces[face].iter().for_each(|&vertex| around[vertex] += 1);
                self.states_around(order.len() + 1, &around)
            };
            let costs: Vec<f64> = left.iter().map(after).collect();
            next = (0..left.len()).min_by(|&a, &b| costs[a].total_cmp(&costs[b]));
        }
        (order, states)
    }

    /// An order of a side, and the states that have to be kept: those before its last face.
    fn ordered(&self, faces: &[usize]) -> (Vec<usize>, f64) {
        let kept = |states: &[f64]| states[..states.len().saturating_sub(1)].iter().sum::<f64>();
        if faces.len() > MOST_ORDERED {
            let orders = beginnings(faces).map(|first| self.greedy(faces, first));
            let orders = orders.map(|(order, states)| (order, kept(&states)));
            return orders.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_default();
        }
        // The least that each set of faces costs, and the face that comes last in it then; all sets within one have lesser numbers.
        let full = (1_usize << faces.len()) - 1;
        let mut best = vec![(f64::INFINITY, 0); full + 1];
        best[0].0 = 0.0;
        for set in 1..=full {
            let members = (0..faces.len()).filter(|index| set >> index & 1 == 1);
            let last =
                members.clone().min_by(|a, b| best[set ^ 1 << a].0.total_cmp(&best[set ^ 1 << b].0)).unwrap_or(0);
            let chosen: Vec<usize> = members.map(|index| faces[index]).collect();
            let own = if set == full { 0.0 } else { self.states(&chosen) };
            best[set] = (best[set ^ 1 << last].0 + own, last);
        }
        let (mut order, mut set) = (Vec::new(), full);
        while set > 0 {
            order.push(faces[best[set].1]);
            set ^= 1 << best[set].1;
        }
        order.reverse();
        (order, best[full].0)
    }

    /// Two sides: the beginnings of good orders of all faces, and the faces around each face.
    pub fn plan(&self) -> Plan {
        let faces: Vec<usize> = (0..self.job.faces.len()).collect();
        let mut firsts: Vec<(f64, Vec<usize>)> = Vec::new();
        let mut propose = |side: Vec<usize>, cost: f64| {
            let mut sorted = side;
            sorted.sort_unstable();
            if !firsts.iter().any(|(_, other)| *other == sorted) {
                firsts.push((cost, sorted));
            }
        };
        for first in beginnings(&faces) {
            let (order, states) = self.greedy(&faces, first);
            let all: f64 = states.iter().sum();
            // The states between the sides are never made, and those on the far side are as many, seen from there.
            let Some(cut) = (0..(order.len() - 1).max(1)).max_by(|&a, &b| states[a].total_cmp(&states[b])) else {
                continue;
            };
            propose(order[..=cut].to_vec(), all - states[cut]);
            let touches = |face: &&usize| self.job.faces[**face].iter().any(|v| self.job.faces[first].contains(v));
            let ball: Vec<usize> = faces.iter().filter(touches).copied().collect();
            if ball.len() < faces.len() {
                propose(ball, 0.0);
            }
        }
        firsts.sort_by(|a, b| a.0.total_cmp(&b.0));
        firsts.truncate(MOST_PAIRS);
        let plans = firsts.into_iter().map(|(_, side)| self.of_sides(&side));
        plans.min_by(|a, b| a.states.total_cmp(&b.states)).unwrap_or(Plan { sides: [faces, Vec::new()], states: 0.0 })
    }

    /// The plan with these faces on the first side.
    pub fn of_sides(&self, first: &[usize]) -> Plan {
        let second: Vec<usize> = (0..self.job.faces.len()).filter(|face| !first.contains(face)).collect();
        let ((first, a), (second, b)) = (self.ordered(first), self.ordered(&second));
        Plan { sides: [first, second], states: a + b }
    }

    /// One order of all faces, and an upper bound on the states after each of them.
    pub fn line(&self) -> (Vec<usize>, Vec<f64>) {
        let faces: Vec<usize> = (0..self.job.faces.len()).collect();
        let orders = beginnings(&faces).map(|first| self.greedy(&faces, first));
        let sum = |states: &[f64]| states.iter().sum::<f64>();
        orders.min_by(|a, b| sum(&a.1).total_cmp(&sum(&b.1))).unwrap_or_default()
    }
}

/// Some of the faces, evenly spread.
fn beginnings(faces: &[usize]) -> impl Iterator<Item = usize> + '_ {
    let most = (MOST_BEGINNINGS * LARGE / faces.len().max(1)).clamp(3, MOST_BEGINNINGS);
    faces.iter().copied().step_by(faces.len().div_ceil(most).max(1))
}
