//! The designated loops of a full board, and how many of them there are after a chain is exchanged.

use super::chains::Link;
use crate::search::places::Places;
use crate::search::table::Table;

const NONE: usize = usize::MAX;

pub(super) struct Loops<'a> {
    places: &'a Places,
    table: &'a Table<1>,
    /// By place: the loop that passes it, and how far along.
    number: Vec<usize>,
    position: Vec<usize>,
    /// By loop; 0 for numbers that are not used.
    length: Vec<usize>,
    unused: Vec<usize>,
    pub count: usize,
    /// The places of all loops but the longest.
    pub minor: Vec<u32>,
    /// Touching places that the chain looked at last parts, and those that it joins.
    parted: Vec<[usize; 2]>,
    joined: Vec<[usize; 2]>,
}

/// One of the edges that a chain takes from a loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cut {
    number: usize,
    position: usize,
    /// Where the loop ends before the cut, and where it begins behind it.
    ends: [usize; 2],
}

impl<'a> Loops<'a> {
    pub fn new(table: &'a Table<1>, places: &'a Places, values: &[u16]) -> Self {
        let count = values.len();
        let mut loops = Self {
            places,
            table,
            number: vec![NONE; count],
            position: vec![0; count],
            length: vec![0; count],
            unused: (0..count).rev().collect(),
            count: 0,
            minor: Vec::new(),
            parted: Vec::new(),
            joined: Vec::new(),
        };
        for place in 0..count {
            if loops.number[place] == NONE {
                loops.follow(values, place);
            }
        }
        loops.find_minor();
        loops
    }

    /// By how much the number of loops changes if a chain is exchanged.
    pub fn change(&mut self, values: &[u16], links: &[Link]) -> isize {
        self.parted.clear();
        self.joined.clear();
        for link in links {
            let next = self.places.beyond[link.place][link.exit];
            let [before, after] = [values[link.place], link.value]
                .map(|value| self.table.values[usize::from(value)].ends.contains(&link.exit));
            match (before, after) {
                (true, false) => self.parted.push([link.place, next as usize]),
                (false, true) => self.joined.push([link.place, next as usize]),
                _ => (),
            }
        }
        let mut cuts: Vec<Cut> = self.parted.iter().map(|&places| self.cut(places)).collect();
        cuts.sort_unstable();
        // Cut i has the ends 2 i and 2 i + 1; a part of a loop runs from an odd one to the even one of the next cut.
        let mut other = vec![NONE; 2 * cuts.len()];
        let (mut before, mut first) = (0, 0);
        for of_loop in cuts.chunk_by(|a, b| a.number == b.number) {
            before += 1;
            for index in 0..of_loop.len() {
                let (from, to) = (2 * (first + index) + 1, 2 * (first + (index + 1) % of_loop.len()));
                (other[from], other[to]) = (to, from);
            }
            first += of_loop.len();
        }
        let mut met = vec![NONE; other.len()];
        for &places in &self.joined {
            let [a, b] = places.map(|place| {
                let end = (0..met.len()).find(|&end| met[end] == NONE && cuts[end / 2].ends[end % 2] == place);
                let end = end.unwrap_or(0);
                met[end] = end;
                end
            });
            (met[a], met[b]) = (b, a);
        }
        let mut after = 0;
        for start in 0..met.len() {
            let mut end = start;
            if other[end] == NONE {
                continue;
            }
            after += 1;
            while other[end] != NONE {
                let far = std::mem::replace(&mut other[end], NONE);
                other[far] = NONE;
                end = met[far];
            }
        }
        after - before
    }

    fn cut(&self, [a, b]: [usize; 2]) -> Cut {
        let number = self.number[a];
        let follows = (self.position[a] + 1) % self.length[number] == self.position[b];
        let ends = if follows { [a, b] } else { [b, a] };
        Cut { number, position: self.position[ends[0]], ends }
    }

    /// The chain that was looked at last is exchanged in `values`; gives back how many places were looked at.
    pub fn renew(&mut self, values: &[u16]) -> usize {
        let parted = std::mem::take(&mut self.parted);
        for &place in parted.iter().flatten() {
            let number = self.number[place];
            if number != NONE && self.length[number] > 0 {
                self.length[number] = 0;
                self.unused.push(number);
                self.count -= 1;
            }
        }
        parted.iter().flatten().for_each(|&place| self.number[place] = NONE);
        let mut passed = 0;
        for &place in parted.iter().flatten() {
            if self.number[place] == NONE {
                passed += self.follow(values, place);
            }
        }
        self.parted = parted;
        passed + self.find_minor()
    }

    /// Gives a number to the loop that passes a place; returns its length.
    fn follow(&mut self, values: &[u16], start: usize) -> usize {
        let Some(number) = self.unused.pop() else { return 0 };
        let ends = |place: usize| self.table.values[usize::from(values[place])].ends;
        let (mut place, mut exit, mut length) = (start, ends(start)[1], 0);
        loop {
            self.number[place] = number;
            self.position[place] = length;
            length += 1;
            place = self.places.beyond[place][exit] as usize;
            if place == start {
                break;
            }
            let entry = (exit + 3) % 6;
            let [a, b] = ends(place);
            exit = if a == entry { b } else { a };
        }
        self.length[number] = length;
        self.count += 1;
        length
    }

    fn find_minor(&mut self) -> usize {
        self.minor.clear();
        if self.count < 2 {
            return 0;
        }
        let longest = self.number.iter().copied().max_by_key(|&number| self.length[number]);
        let places = self.number.iter().zip(0..).filter(|&(&number, _)| Some(number) != longest);
        self.minor.extend(places.map(|(_, place)| place));
        self.number.len()
    }
}
