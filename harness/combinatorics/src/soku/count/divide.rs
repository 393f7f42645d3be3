//! How to divide faces whose fillings are listed one by one, and about how many fillings that makes.
//!
//! Tiles are taken for random here: each open face lets through all that is left, and a vertex that gets its last tile one of as many
//! fillings as there are sums that its weights take about equally often.

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
