//! How the faces are divided into two sides, and in what order each of them is laid: for tables so that there are few states, for lists so
//! that there are few fillings.
//!
//! A state is a multiset of tiles and a sum for each open vertex. The tiles determine what all sums add up to, so that the widest of them
//! follows from the others; how many states there can be after some faces depends on which they are, not on their order.
//!
//! For lists tiles are taken for random: each open face lets through all that is left, and a vertex that gets its last tile one of as many
//! fillings as there are sums that its weights take about equally often.

use std::collections::BTreeMap;

use super::job::{Job, Stock, Sums};

/// Up to this many faces the best order of a side is found among all.
const MOST_ORDERED: usize = 12;

/// So many sets of faces of one size are followed at most, fewer on large fields.
const MOST_FOLLOWED: usize = 64;

/// About this number of further faces are examined for an order.
const MOST_LOOKED_AT: usize = 400_000;

/// So many cells between the sides take as long as a state.
const CELLS_OF_STATE: f64 = 32.0;

/// So many places to divide an order are looked at closely.
const MOST_CUTS: usize = 4;

/// Orders of more faces than these are not looked for: such fields can only be counted where next to nothing fits.
const MOST_FOLLOWED_FACES: usize = 300;

/// On fields of up to this number of faces, the faces around each face may make a side.
const MOST_BALLS: usize = 40;

/// The sides, as indices of faces in the order in which they are laid.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Plan {
    pub sides: [Vec<usize>; 2],
    /// Upper bound on the states of both sides.
    pub states: f64,
}

/// The first faces of an order.
#[derive(Clone)]
struct Beginning {
    /// The states after each face, together.
    sum: f64,
    order: Vec<usize>,
    states: Vec<f64>,
    /// How many of the faces meet at each vertex.
    around: Vec<usize>,
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

    /// How many sums there can be at a vertex, 1 if it is not open.
    fn open(&self, vertex: usize, laid: usize) -> f64 {
        if laid > 0 && laid < self.degrees[vertex] { self.sums[vertex][laid] } else { 1.0 }
    }

    /// Upper bound on the states after some faces.
    fn states(&self, faces: &[usize]) -> f64 {
        self.states_around(faces.len(), &self.job.around(faces))
    }

    fn states_around(&self, faces: usize, around: &[usize]) -> f64 {
        let (mut product, mut widest) = (1.0, 1.0_f64);
        for (vertex, &laid) in around.iter().enumerate() {
            product *= self.open(vertex, laid);
            widest = widest.max(self.open(vertex, laid));
        }
        self.stock.sizes[faces] * product / widest
    }

    /// A good order, and the states after each face: of all beginnings of one length, only those with the fewest states so far
    /// are followed (beam search).
    fn followed(&self, faces: &[usize]) -> (Vec<usize>, Vec<f64>) {
        if faces.len() > MOST_FOLLOWED_FACES {
            return self.as_it_is(faces);
        }
        let width = (MOST_LOOKED_AT / faces.len().pow(2).max(1)).clamp(4, MOST_FOLLOWED);
        let none = Beginning { sum: 0.0, order: Vec::new(), states: Vec::new(), around: vec![0; self.degrees.len()] };
        let mut beginnings = vec![none];
        for size in 1..=faces.len() {
            // Beginnings by the set of their faces: the order does not matter to what follows.
            let mut next = BTreeMap::<Vec<usize>, (f64, f64, usize)>::new();
            for (index, Beginning { sum, order, around, .. }) in beginnings.iter().enumerate() {
                for &face in faces.iter().filter(|face| !order.contains(face)) {
                    let mut around = around.clone();
                    self.job.faces[face].iter().for_each(|&vertex| around[vertex] += 1);
                    let states = self.states_around(size, &around);
                    let mut set: Vec<usize> = order.iter().copied().chain([face]).collect();
                    set.sort_unstable();
                    let entry = next.entry(set).or_insert((f64::INFINITY, 0.0, 0));
                    if sum + states < entry.0 {
                        *entry = (sum + states, states, index * self.job.faces.len() + face);
                    }
                }
            }
            let mut best: Vec<_> = next.into_values().collect();
            best.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
            best.truncate(width);
            let grown = |(sum, states, from): (f64, f64, usize)| {
                let mut beginning = beginnings[from / self.job.faces.len()].clone();
                let face = from % self.job.faces.len();
                self.job.faces[face].iter().for_each(|&vertex| beginning.around[vertex] += 1);
                beginning.order.push(face);
                beginning.states.push(states);
                Beginning { sum, ..beginning }
            };
            beginnings = best.into_iter().map(grown).collect();
        }
        beginnings.into_iter().next().map(|best| (best.order, best.states)).unwrap_or_default()
    }

    /// The order that is given, and the states after each face.
    fn as_it_is(&self, faces: &[usize]) -> (Vec<usize>, Vec<f64>) {
        let mut around = vec![0; self.degrees.len()];
        let state = |(index, &face): (usize, &usize)| {
            self.job.faces[face].iter().for_each(|&vertex| around[vertex] += 1);
            self.states_around(index + 1, &around)
        };
        let states = faces.iter().enumerate().map(state).collect();
        (faces.to_vec(), states)
    }

    /// An order of a side, and the states that have to be kept: those before its last face.
    fn ordered(&self, faces: &[usize]) -> (Vec<usize>, f64) {
        if faces.len() > MOST_ORDERED {
            let (order, states) = self.followed(faces);
            return (order, states[..states.len() - 1].iter().sum());
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

    /// Two sides: the beginning and the end of a good order of all faces, or the faces around a face and the others. Of those for which
    /// there is room, the one with the fewest states; without any, the one with the fewest.
    pub fn plan(&self, has_room: impl Fn(&Plan) -> bool) -> Plan {
        let (order, states) = self.line();
        // The states between the sides are never made, and those on the far side are as many, seen from there.
        let mut cuts: Vec<usize> = (1..order.len()).collect();
        cuts.sort_by(|&a, &b| states[b - 1].total_cmp(&states[a - 1]));
        let mut firsts: Vec<Vec<usize>> = cuts.into_iter().take(MOST_CUTS).map(|cut| order[..cut].to_vec()).collect();
        if order.len() <= MOST_BALLS {
            for face in &self.job.faces {
                let touches = |other: &usize| self.job.faces[*other].iter().any(|vertex| face.contains(vertex));
                let ball: Vec<usize> = (0..order.len()).filter(touches).collect();
                if ball.len() < order.len() {
                    firsts.push(ball);
                }
            }
        }
        let mut plans: Vec<Plan> = firsts.iter().map(|first| self.of_sides(first)).collect();
        plans.sort_by(|a, b| a.states.total_cmp(&b.states));
        let roomy = plans.iter().position(&has_room).unwrap_or(0);
        if plans.is_empty() { Plan { sides: [order, Vec::new()], states: 0.0 } } else { plans.swap_remove(roomy) }
    }

    /// The plan with these faces on the first side.
    pub fn of_sides(&self, first: &[usize]) -> Plan {
        let second: Vec<usize> = (0..self.job.faces.len()).filter(|face| !first.contains(face)).collect();
        let between = self.job.around(first);
        let cells: f64 = between.iter().enumerate().map(|(vertex, &laid)| self.open(vertex, laid)).product();
        // All cells between the sides are gone over for each multiset, which takes little for each.
        let join = self.stock.sizes[first.len()] * cells / CELLS_OF_STATE;
        let ((first, a), (second, b)) = (self.ordered(first), self.ordered(&second));
        Plan { sides: [first, second], states: a + b + join }
    }

    /// One order of all faces, and an upper bound on the states after each of them.
    pub fn line(&self) -> (Vec<usize>, Vec<f64>) {
        self.followed(&(0..self.job.faces.len()).collect::<Vec<_>>())
    }
}

/// Faces that a vertex lacks, from which on more make no difference to the order.
const A_FEW: usize = 2;

/// How the faces of a side are laid: one after the other, or two at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Any tile that fits.
    Any,
    /// The last face around the vertex at this corner.
    Last(usize),
    /// The last two faces around a vertex, which is at these corners of them.
    LastTwo([usize; 2]),
}

/// The steps of an order of faces, each with the position of its first face. `degrees`: how many faces meet at each vertex in all.
pub(super) fn steps(faces: &[[usize; 3]], degrees: &[usize], order: &[usize]) -> Vec<(usize, Step)> {
    let mut around = vec![0; degrees.len()];
    let after: Vec<[usize; 3]> = order
        .iter()
        .map(|&face| {
            faces[face].map(|vertex| {
                around[vertex] += 1;
                degrees[vertex] - around[vertex]
            })
        })
        .collect();
    let last = |position: usize| (0..3).filter(|&corner| after[position][corner] == 0).collect::<Vec<_>>();
    let (mut steps, mut position) = (Vec::new(), 0);
    while position < order.len() {
        let here = faces[order[position]];
        let two = || {
            let next = order.get(position + 1).map(|&face| faces[face])?;
            let on_both = |second: usize| Some([here.iter().position(|vertex| *vertex == next[second])?, second]);
            last(position + 1).into_iter().find_map(on_both)
        };
        let step = match (last(position).first(), two()) {
            (Some(&corner), _) => Step::Last(corner),
            (None, Some(corners)) => Step::LastTwo(corners),
            (None, None) => Step::Any,
        };
        steps.push((position, step));
        position += if matches!(step, Step::LastTwo(_)) { 2 } else { 1 };
    }
    steps
}

/// Faces to be filled by tiles of which only is known what they are like.
#[derive(Debug, Clone)]
pub(super) struct Region<'a> {
    pub faces: &'a [[usize; 3]],
    /// How many faces meet at each vertex.
    pub degrees: Vec<usize>,
    /// In how many ways a tile can lie on average.
    pub turns: f64,
    /// Standard deviation of the weights.
    pub deviation: f64,
}

/// Two sides, the one with fewer fillings first.
#[derive(Debug, Clone)]
pub(super) struct Halves {
    pub sides: [Vec<usize>; 2],
    /// About how many fillings the first side has.
    pub listed: f64,
    /// About how many beginnings of fillings both have.
    pub made: f64,
}

impl Region<'_> {
    /// How many sums around a vertex are about equally frequent: two draws agree with the inverse of this as probability.
    fn spread(&self, vertex: usize) -> f64 {
        (2.0 * std::f64::consts::PI.sqrt() * self.deviation * (self.degrees[vertex] as f64).sqrt()).max(1.0)
    }

    /// The fillings of all faces; the sum around one of the vertices follows from the others.
    pub fn solutions(&self) -> f64 {
        let mut ways: f64 = (1..=self.faces.len()).map(|tiles| self.turns * tiles as f64).product();
        let mut widest = 1.0_f64;
        for vertex in (0..self.degrees.len()).filter(|&vertex| self.degrees[vertex] > 0) {
            ways /= self.spread(vertex);
            widest = widest.max(self.spread(vertex));
        }
        ways * widest
    }

    /// The fillings of the faces of an order, and the beginnings that lead there.
    fn fillings(&self, order: &[usize]) -> (f64, f64) {
        let mut around = vec![0; self.degrees.len()];
        let (mut ways, mut made, mut laid) = (1.0, 0.0, 0);
        for (position, step) in steps(self.faces, &self.degrees, order) {
            for &face in &order[position..position + if matches!(step, Step::LastTwo(_)) { 2 } else { 1 }] {
                ways *= self.turns * (self.faces.len() - laid) as f64;
                laid += 1;
                for &vertex in &self.faces[face] {
                    around[vertex] += 1;
                    if around[vertex] == self.degrees[vertex] {
                        ways /= self.spread(vertex);
                    }
                }
            }
            made += ways;
        }
        (ways, made)
    }

    /// So many faces that lie together, if there are as many.
    pub fn grown(&self, most: usize) -> Vec<usize> {
        let all: Vec<usize> = (0..self.faces.len()).collect();
        all.first().map(|&first| self.grown_from(&all, first, most)).unwrap_or_default()
    }

    /// Faces one after the other from a first one on, so that vertices get their last tiles early: next comes a face that leaves the fewest
    /// vertices open; of those, one whose vertices lack the fewest faces, where more than a few count as a few.
    fn grown_from(&self, among: &[usize], first: usize, most: usize) -> Vec<usize> {
        let mut around = vec![0_usize; self.degrees.len()];
        let (mut order, mut left, mut next) = (Vec::new(), among.to_vec(), Some(first));
        while let Some(face) = next.filter(|_| order.len() < most) {
            left.retain(|&other| other != face);
            order.push(face);
            self.faces[face].iter().for_each(|&vertex| around[vertex] += 1);
            next = left.iter().copied().min_by_key(|&face| {
                let (mut opened, mut lacking) = (0_i32, 0_i32);
                for &vertex in &self.faces[face] {
                    let lacks = self.degrees[vertex] - around[vertex];
                    if around[vertex] == 0 {
                        opened += i32::from(lacks > 1);
                    } else {
                        opened -= i32::from(lacks == 1);
                        lacking -= lacks.min(A_FEW) as i32;
                    }
                    lacking += (lacks - 1).min(A_FEW) as i32;
                }
                (opened, lacking, face)
            });
        }
        order
    }

    /// Two sides of about the same size with few beginnings of fillings.
    pub fn halves(&self) -> Halves {
        let all: Vec<usize> = (0..self.faces.len()).collect();
        let made = if all.is_empty() { 0.0 } else { f64::INFINITY };
        let mut best = Halves { sides: [Vec::new(), Vec::new()], listed: 1.0, made };
        for &first in &all {
            let half = all.len() / 2;
            let mut a = self.grown_from(&all, first, all.len());
            let b = a.split_off(half);
            let (listed, made) = self.fillings(&a);
            for &start in &b {
                let b = self.grown_from(&b, start, b.len());
                let (others, more) = self.fillings(&b);
                if made + more < best.made {
                    let (sides, listed) =
                        if listed <= others { ([a.clone(), b], listed) } else { ([b, a.clone()], others) };
                    best = Halves { sides, listed, made: made + more };
                }
            }
        }
        best
    }
}
