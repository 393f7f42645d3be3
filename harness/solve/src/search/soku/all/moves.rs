//! Moves from a solution of one board of IcoSoKu to solutions of others.
//!
//! A move keeps the tiles, so that all it can spoil is that the sums around the vertices are 1 to 12, each once. Every sum adds
//! five bits to a number that counts how often each sum occurs; what a face adds to it under each option is made up once for a board,
//! and two faces without a common vertex change places for the better if their two numbers cancel.

use puzzle::soku::{Soku, Sorts};

/// Faces of the icosahedron.
const FACES: usize = 20;

/// No second face.
const NONE: u8 = u8::MAX;

/// A solution of a board: the option on each face, and the sums around the vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Solved {
    pub options: [u8; FACES],
    pub sums: [u8; 12],
}

/// One face or two show something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Move {
    faces: [u8; 2],
    options: [u8; 2],
    /// What the sums change by, modulo 256.
    change: [u8; 12],
    /// The vertices whose sums change, as bits, and from bit 12 on the faces.
    touches: u32,
}

impl Move {
    /// Whether two moves have no face and no changed sum in common, so that both together are as good as each.
    #[inline(always)]
    pub fn is_apart(&self, other: &Self) -> bool {
        self.touches & other.touches == 0
    }

    /// Makes the move.
    #[inline(always)]
    pub fn apply(&self, to: &mut Solved) {
        for (&face, &option) in self.faces.iter().zip(&self.options) {
            if face != NONE {
                to.options[usize::from(face)] = option;
            }
        }
        to.sums = self.sums(&to.sums);
    }

    /// The sums after the move.
    #[inline(always)]
    pub fn sums(&self, sums: &[u8; 12]) -> [u8; 12] {
        std::array::from_fn(|vertex| sums[vertex].wrapping_add(self.change[vertex]))
    }
}

/// Two faces with a common vertex: which corners of theirs lie at common vertices.
struct Touching {
    faces: [usize; 2],
    /// Corner of the first and of the second face.
    common: Vec<[usize; 2]>,
    /// Corners of each face that lie elsewhere.
    own: [Vec<usize>; 2],
}

/// Knows the field and the tiles of IcoSoKu.
pub(super) struct Moves {
    faces: Vec<[usize; 3]>,
    /// Sort and weights of each option.
    options: Vec<(usize, [u8; 3])>,
    /// The options of each sort.
    of_sort: Vec<Vec<u8>>,
    apart: Vec<[usize; 2]>,
    touching: Vec<Touching>,
}

impl Moves {
    pub fn new(game: &Soku) -> Self {
        let faces = game.field.faces().to_vec();
        let sorts = Sorts::of(&game.tiles);
        let options: Vec<_> =
            sorts.options().map(|(sort, weights)| (sort, weights.map(|weight| weight as u8))).collect();
        let of_sort = |sort| -> Vec<u8> {
            (0..options.len()).filter(|&option| options[option].0 == sort).map(|option| option as u8).collect()
        };
        let (mut apart, mut touching) = (Vec::new(), Vec::new());
        for second in 0..faces.len() {
            for first in 0..second {
                let corners = || (0..3).flat_map(|a| (0..3).map(move |b| [a, b]));
                let common: Vec<[usize; 2]> = corners().filter(|&[a, b]| faces[first][a] == faces[second][b]).collect();
                if common.is_empty() {
                    apart.push([first, second]);
                } else {
                    let own = [0, 1].map(|which| {
                        (0..3).filter(|&corner| common.iter().all(|pair| pair[which] != corner)).collect()
                    });
                    touching.push(Touching { faces: [first, second], common, own });
                }
            }
        }
        Self { of_sort: (0..sorts.all().len()).map(of_sort).collect(), faces, options, apart, touching }
    }

    /// Every single move from a solution after which the sums are 1 to 12 again, as many as there is room for.
    pub fn from(&self, solved: &Solved, moves: &mut Vec<Move>, room: usize) {
        moves.clear();
        let shown: [(usize, [u8; 3]); FACES] = solved.options.map(|option| self.options[usize::from(option)]);
        // What a corner adds under each weight, then what a face adds under each option.
        let mut corners = [[[0_u64; 4]; 3]; FACES];
        let mut gains = [[0_u64; 64]; FACES];
        for (face, vertices) in self.faces.iter().enumerate() {
            for (corner, &vertex) in vertices.iter().enumerate() {
                let sum = solved.sums[vertex];
                let without = sum - shown[face].1[corner];
                corners[face][corner] = [0, 1, 2, 3].map(|weight| count(without + weight).wrapping_sub(count(sum)));
            }
            let [a, b, c] = &corners[face];
            for (gain, (_, weights)) in gains[face].iter_mut().zip(&self.options) {
                let [x, y, z] = weights.map(|weight| usize::from(weight & 3));
                *gain = a[x].wrapping_add(b[y]).wrapping_add(c[z]);
            }
        }
        for (face, &(sort, _)) in shown.iter().enumerate() {
            for &option in &self.of_sort[sort] {
                if option != solved.options[face] && gains[face][usize::from(option)] == 0 {
                    self.add(solved, [face as u8, NONE], [option, NONE], moves, room);
                }
            }
        }
        for &[first, second] in &self.apart {
            let (for_second, for_first) = (shown[first].0, shown[second].0);
            if for_first == for_second {
                continue;
            }
            for &a in &self.of_sort[for_first] {
                for &b in &self.of_sort[for_second] {
                    if gains[first][usize::from(a)] == gains[second][usize::from(b)].wrapping_neg() {
                        self.add(solved, [first as u8, second as u8], [a, b], moves, room);
                    }
                }
            }
        }
        for Touching { faces: [first, second], common, own } in &self.touching {
            let ((for_second, old_first), (for_first, old_second)) = (shown[*first], shown[*second]);
            if for_first == for_second {
                continue;
            }
            for &a in &self.of_sort[for_first] {
                let new_first = self.options[usize::from(a)].1;
                let of_own = |total: u64, &corner: &usize| {
                    total.wrapping_add(corners[*first][corner][usize::from(new_first[corner] & 3)])
                };
                let gain = own[0].iter().fold(0, of_own);
                for &b in &self.of_sort[for_second] {
                    let new_second = self.options[usize::from(b)].1;
                    let mut gain = gain;
                    for &corner in &own[1] {
                        gain = gain.wrapping_add(corners[*second][corner][usize::from(new_second[corner] & 3)]);
                    }
                    for &[x, y] in common {
                        let sum = solved.sums[self.faces[*first][x]];
                        let new = sum + new_first[x] + new_second[y] - old_first[x] - old_second[y];
                        gain = gain.wrapping_add(count(new)).wrapping_sub(count(sum));
                    }
                    if gain == 0 {
                        self.add(solved, [*first as u8, *second as u8], [a, b], moves, room);
                    }
                }
            }
        }
    }

    fn add(&self, solved: &Solved, faces: [u8; 2], options: [u8; 2], moves: &mut Vec<Move>, room: usize) {
        if moves.len() == room {
            return;
        }
        let (mut change, mut touches) = ([0_u8; 12], 0);
        for (face, option) in faces.into_iter().zip(options).filter(|(face, _)| *face != NONE) {
            let face = usize::from(face);
            let (new, old) = (self.options[usize::from(option)].1, self.options[usize::from(solved.options[face])].1);
            for (corner, &vertex) in self.faces[face].iter().enumerate() {
                change[vertex] = change[vertex].wrapping_add(new[corner]).wrapping_sub(old[corner]);
            }
            touches |= 1 << (12 + face);
        }
        for (vertex, _) in change.iter().enumerate().filter(|(_, change)| **change != 0) {
            touches |= 1 << vertex;
        }
        moves.push(Move { faces, options, change, touches });
    }
}

/// What a sum adds to the counts: one in the five bits of that sum. Sums that no board has count together in the highest
/// bits, which hold as many as there are vertices.
#[inline(always)]
fn count(sum: u8) -> u64 {
    const COUNTS: [u64; 32] = {
        let mut counts = [1 << 60; 32];
        let mut sum = 1;
        while sum <= 12 {
            counts[sum] = 1 << (5 * (sum - 1));
            sum += 1;
        }
        counts
    };
    COUNTS[usize::from(sum & 31)]
}
