//! Chains: small changes after which all touching edges still match.
//!
//! A chain runs from place to place and comes back to where it began, or runs from rim to rim. The edges that it crosses show two
//! colours in turn; exchanged, they leave every tile on its way two edges of each colour, and if that is a tile of the set
//! everywhere, other tiles can lie there and the rest of the board stays as it is.

use crate::search::control::Random;
use crate::search::places::{NOWHERE, Places};
use crate::search::sets::only;
use crate::search::table::Table;

/// Places of the longest chain.
const LONGEST: usize = 16;

/// All tiles show the same three, and lines alone one of them and another.
const COLOURS: usize = 3;

/// A place of a chain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link {
    pub place: usize,
    /// The edge (index) by which the chain leaves.
    pub exit: usize,
    /// What lies there after the exchange.
    pub value: u16,
}

/// The edges by which a chain can leave a tile, each with the value that then lies there; their number is 0 or a power of two.
#[derive(Debug, Clone, Copy, Default)]
struct Ways {
    count: u8,
    ways: [(u8, u16); 4],
}

pub(super) struct Chains<'a> {
    places: &'a Places,
    designated: usize,
    /// By value and edge.
    colours: Vec<[usize; 6]>,
    /// By colour, those that a chain can exchange it for; one alone stands there twice, and for none the colour itself.
    others: [[usize; 2]; COLOURS],
    /// By value, the edge by which a chain comes in, and the colour that it brings there.
    ways: Vec<Ways>,
    /// The attempt that passed a place last.
    seen: Vec<u64>,
    attempt: u64,
    /// What was found last.
    pub links: Vec<Link>,
    /// Whether that changes designated lines.
    pub is_designated: bool,
}

impl<'a> Chains<'a> {
    /// Of all chains, or of those that leave designated lines as they are.
    pub fn new(table: &Table<1>, places: &'a Places, keeps_lines: bool) -> Self {
        let colour = |value, edge| table.shown(&only(value), edge).trailing_zeros() as usize;
        let colours: Vec<[usize; 6]> =
            (0..table.values.len()).map(|value| std::array::from_fn(|edge| colour(value, edge))).collect();
        let may_change = |colour: usize| !(keeps_lines && colour == table.designated);
        let is_shown = |colour: &usize| colours.iter().flatten().any(|shown| shown == colour);
        let others = std::array::from_fn(|colour| {
            let is_other = |&other: &usize| other != colour && may_change(colour) && may_change(other);
            let mut others = (0..COLOURS).filter(is_other).filter(is_shown);
            let first = others.next().unwrap_or(colour);
            [first, others.next().unwrap_or(first)]
        });
        let all = |value| (0..6).flat_map(move |entry| (0..COLOURS).map(move |brought| (value, entry, brought)));
        let ways =
            (0..colours.len()).flat_map(all).map(|(value, entry, brought)| ways(&colours, value, entry, brought));
        Self {
            places,
            designated: table.designated,
            ways: ways.collect(),
            colours,
            others,
            seen: vec![0; places.beyond.len()],
            attempt: 0,
            links: Vec::with_capacity(LONGEST),
            is_designated: false,
        }
    }

    /// Tries a random chain from a place; whether it came to an end, and then in `links`.
    pub fn find(&mut self, values: &[u16], start: usize, random: &mut Random) -> bool {
        // Sixteen bits, one, and two for each place.
        let mut bits = random.bits();
        let first = ((bits & 0xFFFF) as usize * 6) >> 16;
        let colour = self.colours[usize::from(values[start])][first];
        let other = self.others[colour][(bits >> 16 & 1) as usize];
        bits >>= 17;
        let from_rim = self.places.beyond[start][first] == NOWHERE;
        self.is_designated = colour == self.designated || other == self.designated;
        if self.is_designated && from_rim {
            return false;
        }
        self.attempt += 1;
        self.links.clear();
        let (mut place, mut entry, mut brought) = (start, first, other);
        while self.links.len() < LONGEST {
            let ways = &self.ways[(usize::from(values[place]) * 6 + entry) * COLOURS + brought];
            if ways.count == 0 {
                return false;
            }
            let (exit, value) = ways.ways[(bits as u8 & (ways.count - 1)) as usize];
            bits >>= 2;
            let exit = usize::from(exit);
            self.seen[place] = self.attempt;
            self.links.push(Link { place, exit, value });
            let next = self.places.beyond[place][exit];
            if next == NOWHERE {
                return from_rim;
            }
            (place, entry) = (next as usize, (exit + 3) % 6);
            if place == start {
                // Over the first edge again, where it brings what was exchanged for.
                return !from_rim && entry == first && self.links.len().is_multiple_of(2);
            }
            if self.seen[place] == self.attempt {
                return false;
            }
            brought = if brought == colour { other } else { colour };
        }
        false
    }
}

/// An edge comes to show the colour that is brought, so that one of the others that show it must change.
fn ways(colours: &[[usize; 6]], value: usize, entry: usize, brought: usize) -> Ways {
    let mut ways = Ways::default();
    let old = colours[value];
    for exit in (0..6).filter(|&exit| old[exit] == brought && old[entry] != brought) {
        let mut new = old;
        new.swap(entry, exit);
        if let Some(value) = colours.iter().position(|&shown| shown == new) {
            ways.ways[usize::from(ways.count)] = (exit as u8, value as u16);
            ways.count += 1;
        }
    }
    ways
}
