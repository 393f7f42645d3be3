//! Which tiles fit a place of the line, given the colours on some of its edges.

use std::collections::{BTreeMap, HashMap};

use super::MOST_COUNTED;
use super::angles::kind;
use super::supply::Supply;
use puzzle::tantrix::{Colour, TileSet};

/// Most edges of a place that the line does not cross.
const FREE_EDGES: usize = 4;

/// A tile in an orientation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Way {
    /// Index of the sort.
    pub sort: u8,
    /// Orientation (0 for 1) if the line leaves at edge 1.
    pub turn: u8,
}

/// Colours for the edges of a place that have none yet, and the tiles that show them.
#[derive(Clone)]
pub(super) struct Choice {
    pub colours: [u8; FREE_EDGES],
    pub demand: u16,
    pub ways: Vec<Way>,
}

/// The choices at a place for all colours of the edges that have one.
#[derive(Clone)]
pub(super) struct Options {
    choices: Vec<Choice>,
    /// Range of the choices, by [`key`].
    ranges: Vec<(u16, u16)>,
}

impl Options {
    pub fn range(&self, key: usize) -> std::ops::Range<usize> {
        let (from, to) = self.ranges[key];
        usize::from(from)..usize::from(to)
    }

    pub fn choice(&self, index: usize) -> &Choice {
        &self.choices[index]
    }
}

/// One number for the colours of several edges.
pub(super) fn key(colours: impl Iterator<Item = u8>) -> usize {
    colours.fold(0, |key, colour| key << 2 | usize::from(colour))
}

/// A place as far as options depend on it: its angle, and which edges have a colour, or get one here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Site {
    pub angle: u8,
    pub known: u8,
    pub new: u8,
}

/// The tiles of a set, and all options that were asked for.
#[derive(Clone)]
pub(super) struct Catalogue {
    /// For each angle every tile and turn with that angle, and its colours from the exit on.
    shown: [Vec<(Way, [u8; 6])>; 6],
    /// The sorts (indices) of each kind.
    pub sorts: [Vec<u8>; 3],
    numbers: HashMap<Site, usize>,
    options: Vec<Options>,
}

impl Catalogue {
    /// Sorts the tiles by the angles that their line of the colour makes.
    ///
    /// # Errors
    /// A tile lacks the colour, or there are too many or too few tiles.
    pub fn new(tiles: &TileSet, colour: Colour) -> Result<Self, String> {
        let n: usize = tiles.sorts.iter().map(|sort| sort.count).sum();
        if !(3..=MOST_COUNTED).contains(&n) {
            return Err(format!("{n} tiles; exact counts are for 3 to {MOST_COUNTED}"));
        }
        if let Some(tile) = tiles.lacking(colour) {
            return Err(format!("tile {} has no {colour} line, so it cannot be part of a {colour} loop", tile.number));
        }
        let mut shown: [Vec<_>; 6] = Default::default();
        let mut sorts: [Vec<u8>; 3] = Default::default();
        for (index, sort) in tiles.sorts.iter().enumerate().filter(|(_, sort)| sort.count > 0) {
            for orientation in 1..=6 {
                let colours: [Colour; 6] = std::array::from_fn(|i| sort.tile.colour(orientation, i + 1));
                let Some(angle) = (1..6).find(|&edge| colours[0] == colour && colours[edge] == colour) else {
                    continue;
                };
                let way = Way { sort: index as u8, turn: orientation as u8 - 1 };
                shown[angle].push((way, colours.map(|c| c as u8)));
                let of_kind = &mut sorts[kind(angle as u8)];
                if !of_kind.contains(&way.sort) {
                    of_kind.push(way.sort);
                }
            }
        }
        Ok(Self { shown, sorts, numbers: HashMap::new(), options: Vec::new() })
    }

    /// Number of the options at a site; works them out if need be.
    pub fn number(&mut self, site: Site, supply: &mut Supply) -> usize {
        if let Some(&number) = self.numbers.get(&site) {
            return number;
        }
        let edges = |mask: u8| (0..6).filter(move |edge| mask >> edge & 1 == 1);
        let mut groups: BTreeMap<(usize, [u8; FREE_EDGES]), Vec<Way>> = BTreeMap::new();
        for (way, colours) in &self.shown[usize::from(site.angle)] {
            let mut new = [0; FREE_EDGES];
            for (slot, edge) in new.iter_mut().zip(edges(site.new)) {
                *slot = colours[edge];
            }
            groups.entry((key(edges(site.known).map(|edge| colours[edge])), new)).or_default().push(*way);
        }
        let mut ranges = vec![(0, 0); 1 << (2 * site.known.count_ones())];
        let mut choices: Vec<Choice> = Vec::new();
        for ((known, colours), ways) in groups {
            let at = choices.len() as u16;
            let range: &mut (u16, u16) = &mut ranges[known];
            *range = if range.1 == 0 { (at, at + 1) } else { (range.0, at + 1) };
            let demand = supply.demand(ways.iter().map(|way| way.sort).collect());
            choices.push(Choice { colours, demand, ways });
        }
        self.options.push(Options { choices, ranges });
        self.numbers.insert(site, self.options.len() - 1);
        self.options.len() - 1
    }

    pub fn options(&self, number: usize) -> &Options {
        &self.options[number]
    }
}
