//! Classes of boards and their numbers.

use puzzle::FieldError;
use puzzle::soku::{ICOSAHEDRON, ICOSOKU_TILES, Soku, named};

use crate::soku::symmetries::{Symmetry, symmetries};

/// Number of classes: 12! / 120.
pub const CLASSES: u32 = 3_991_680;

/// Capacities of the vertices A to L: 1 to 12, each once.
pub type Capacities = [u8; 12];

/// IcoSoKu with these capacities.
pub fn game(board: &Capacities) -> Result<Soku, FieldError> {
    let field = named(ICOSAHEDRON)?;
    Ok(Soku { field, capacity: board.map(u32::from).to_vec(), tiles: ICOSOKU_TILES.to_vec(), placed: Vec::new() })
}

/// Orders of the capacities at C, D, E and F with that of C below that of F.
const AROUND: u32 = 12;

/// Orders of the capacities at G to L.
const BELOW: u32 = 720;

/// Knows the classes by their numbers.
///
/// A number is made of three: which capacities are at B to F (462 sets, ascending as binary numbers), in which of 12 orders those
/// at C to F are, and in which of 720 those at G to L (both lexicographic).
#[derive(Debug, Clone)]
pub struct Classes {
    symmetries: Vec<Symmetry>,
    /// The vertices of [`Symmetry::vertices`], by `symmetry[vertex at A][which of its neighbours is at B][is it mirrored]`.
    images: [[[(u8, Capacities); 2]; 5]; 12],
    /// The neighbours of each vertex in the order in which they lie around it.
    neighbours: [[u8; 5]; 12],
    /// By the bits of five capacities (bit 0 for capacity 2): the number of the set.
    sets: Vec<u16>,
    /// The sets by their numbers.
    of_sets: Vec<u16>,
    /// By the ranks of C, D and E among the four, two bits each: the number of the order.
    orders: [u8; 64],
    of_orders: [[u8; 4]; AROUND as usize],
    /// Number of bits in eleven bits.
    ones: Vec<u8>,
}

impl Default for Classes {
    fn default() -> Self {
        Self::new()
    }
}

impl Classes {
    /// Makes the tables.
    pub fn new() -> Self {
        let symmetries = named(ICOSAHEDRON).ok().and_then(|field| symmetries(&field)).unwrap_or_default();
        let mut images = [[[(0, [0; 12]); 2]; 5]; 12];
        let mut neighbours = [[0; 5]; 12];
        for rotation in symmetries.iter().filter(|symmetry| !symmetry.is_mirrored) {
            let at = |vertex: usize| rotation.vertices[vertex] as u8;
            neighbours[rotation.vertices[0]] = [at(1), at(2), at(3), at(4), at(5)];
        }
        for (index, symmetry) in symmetries.iter().enumerate() {
            let of = &symmetry.vertices;
            let at_b = neighbours[of[0]].iter().position(|&vertex| usize::from(vertex) == of[1]).unwrap_or(0);
            let image = (index as u8, std::array::from_fn(|vertex| of[vertex] as u8));
            images[of[0]][at_b][usize::from(symmetry.is_mirrored)] = image;
        }
        let ones: Vec<u8> = (0..1_u16 << 11).map(|bits| bits.count_ones() as u8).collect();
        let of_sets: Vec<u16> = (0..1 << 11).filter(|bits: &u16| bits.count_ones() == 5).collect();
        let mut sets = vec![0; 1 << 11];
        for (number, &set) in of_sets.iter().enumerate() {
            sets[usize::from(set)] = number as u16;
        }
        let (mut orders, mut of_orders, mut number) = ([0; 64], [[0; 4]; AROUND as usize], 0);
        for code in 0..256_usize {
            // Most significant first, so that the orders come lexicographically.
            let order: [usize; 4] = std::array::from_fn(|place| code >> (6 - 2 * place) & 3);
            let is_order = (0..4).all(|rank| order.contains(&rank));
            if is_order && order[0] < order[3] {
                orders[order[0] << 4 | order[1] << 2 | order[2]] = number;
                of_orders[usize::from(number)] = order.map(|rank| rank as u8);
                number += 1;
            }
        }
        Self { symmetries, images, neighbours, sets, of_sets, orders, of_orders, ones }
    }

    /// The symmetries of the icosahedron, by the numbers that [`Classes::canonical`] gives.
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// The board that stands for the class of this one, and the symmetry that makes it of this one.
    /// Panics: capacities above 12.
    #[inline]
    pub fn canonical(&self, board: &Capacities) -> (Capacities, usize) {
        let top = board.iter().position(|&capacity| capacity == 1).unwrap_or(0);
        let around = self.neighbours[top].map(|vertex| board[usize::from(vertex)]);
        let (mut least, mut at_b) = (u8::MAX, 0);
        for (place, &capacity) in around.iter().enumerate() {
            if capacity < least {
                (least, at_b) = (capacity, place);
            }
        }
        let is_mirrored = around[(at_b + 1) % 5] > around[(at_b + 4) % 5];
        let (symmetry, image) = &self.images[top][at_b][usize::from(is_mirrored)];
        (image.map(|vertex| board[usize::from(vertex)]), usize::from(*symmetry))
    }

    /// The number of the class that this board stands for, which [`Classes::canonical`] gives.
    /// Panics: capacities below 2 beside the one at A, or above 12.
    #[inline]
    pub fn rank(&self, board: &Capacities) -> u32 {
        let bit = |vertex: usize| 1_usize << (board[vertex] - 2);
        let around = bit(2) | bit(3) | bit(4) | bit(5);
        let among = |set: usize, vertex: usize| u32::from(self.ones[set & (bit(vertex) - 1)]);
        let order = self.orders[(among(around, 2) << 4 | among(around, 3) << 2 | among(around, 4)) as usize];
        let mut rank = u32::from(self.sets[around | bit(1)]) * AROUND + u32::from(order);
        let mut left = 0x7FF & !(around | bit(1));
        for vertex in 6..11 {
            rank = rank * (12 - vertex as u32) + among(left, vertex);
            left &= !bit(vertex);
        }
        rank
    }

    /// The board that stands for the class of a number.
    /// Panics: a number that no class has.
    pub fn capacities(&self, rank: u32) -> Capacities {
        let (set, order) = (rank / BELOW / AROUND, rank / BELOW % AROUND);
        let set = self.of_sets[set as usize];
        let mut board = [0; 12];
        board[0] = 1;
        // B has the least of the set, C to F the others in their order.
        let mut around = [0; 4];
        for (place, capacity) in members(set).enumerate() {
            *if place == 0 { &mut board[1] } else { &mut around[place - 1] } = capacity;
        }
        for (place, &rank) in self.of_orders[order as usize].iter().enumerate() {
            board[2 + place] = around[usize::from(rank)];
        }
        let mut below = [0; 6];
        below.iter_mut().zip(members(0x7FF & !set)).for_each(|(place, capacity)| *place = capacity);
        let (mut rank, mut orders) = (rank % BELOW, BELOW);
        for (left, capacity) in (1..=6).rev().zip(&mut board[6..]) {
            orders /= left;
            let place = (rank / orders) as usize;
            *capacity = below[place];
            below.copy_within(place + 1.., place);
            rank %= orders;
        }
        board
    }
}

/// The capacities of a set, ascending.
fn members(set: u16) -> impl Iterator<Item = u8> {
    (0..11).filter(move |bit| set >> bit & 1 == 1).map(|bit| bit + 2)
}
