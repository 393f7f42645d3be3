//! Tiles for a closed line: first colours for all pairs of edges that touch, then tiles that show them.
//!
//! Place and angle fix how a tile lies (but for straight lines, which have two turns). What tiles have to
//! agree on is the colours of touching edges, and once these are chosen, tiles of each kind are dealt out
//! independently of the other kinds; [`Supply`] knows in how many ways.

use std::collections::{BTreeMap, HashMap};

use puzzle::tantrix::{Colour, TileSet};

use super::lines::{MOST_COUNTED, Outline, kind};
use super::supply::{NONE, State, Supply};

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

/// The choices at a place, by the [`key`] of the colours of the edges that have one.
type Options = Vec<Vec<Choice>>;

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
    /// Errors: a tile lacks the colour, or there are too many or too few tiles.
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
        let mut options = vec![Vec::new(); 1 << (2 * site.known.count_ones())];
        for ((known, colours), ways) in groups {
            let demand = supply.demand(ways.iter().map(|way| way.sort).collect());
            options[known].push(Choice { colours, demand, ways });
        }
        self.options.push(options);
        self.numbers.insert(site, self.options.len() - 1);
        self.options.len() - 1
    }
}

/// Deals the tiles of one set to closed lines.
#[derive(Clone)]
pub(super) struct Filler {
    catalogue: Catalogue,
    supplies: [Supply; 3],
    copies: Vec<usize>,
}

/// A place to be coloured.
struct Step {
    place: usize,
    kind: usize,
    options: usize,
    /// Pairs that have a colour when its turn comes, and those that get one.
    known: Vec<u8>,
    new: Vec<u8>,
}

/// A place, and the choice made there.
type Chosen<'a> = (usize, &'a Choice);

impl Filler {
    pub fn new(tiles: &TileSet, colour: Colour) -> Result<Self, String> {
        let catalogue = Catalogue::new(tiles, colour)?;
        let supplies = std::array::from_fn(|kind| Supply::new(tiles, &catalogue.sorts[kind]));
        Ok(Self { catalogue, supplies, copies: tiles.sorts.iter().map(|sort| sort.count).collect() })
    }

    /// Number of tiles of each kind.
    pub fn kinds(&self) -> [usize; 3] {
        std::array::from_fn(|kind| self.catalogue.sorts[kind].iter().map(|&sort| self.copies[usize::from(sort)]).sum())
    }

    /// In how many ways the tiles go to the places; rotations of the line count. Nothing if there are too many to
    /// count.
    pub fn count(&mut self, outline: &Outline) -> Option<u64> {
        let mut count = Some(0u64);
        self.colour(outline, &mut |_, ways| {
            count = count.zip(ways).and_then(|(count, ways)| count.checked_add(ways));
            count.is_some()
        });
        count
    }

    /// Every way in which the tiles go to the places, until `found` returns false; tells whether it did not.
    pub fn each(&mut self, outline: &Outline, found: &mut dyn FnMut(&[Way]) -> bool) -> bool {
        let n = outline.places.len();
        let copies = self.copies.clone();
        self.colour(outline, &mut |chosen, _| {
            let mut ways: Vec<&[Way]> = vec![&[]; n];
            for &(place, choice) in chosen {
                ways[place] = &choice.ways;
            }
            deal(&ways, &mut copies.clone(), &mut Vec::with_capacity(n), found)
        })
    }

    /// Calls `found` with the choice at each place and the number of ways to deal the tiles, if there are any; `None`
    /// if these are too many to count.
    fn colour(&mut self, outline: &Outline, found: &mut dyn FnMut(&[Chosen], Option<u64>) -> bool) -> bool {
        self.supplies.iter_mut().for_each(Supply::trim);
        let steps = self.plan(outline);
        let mut colouring = Colouring {
            catalogue: &self.catalogue,
            supplies: &mut self.supplies,
            steps: &steps,
            colours: vec![0; outline.touching],
            chosen: Vec::with_capacity(steps.len()),
            found,
        };
        colouring.go(0, [0; 3])
    }

    /// The order of the places: first those that touch nothing, then always one beside places that went
    /// before, so that few pairs of edges have a colour on one side only.
    fn plan(&mut self, outline: &Outline) -> Vec<Step> {
        let mut coloured = vec![false; outline.touching];
        let mut left: Vec<usize> = (0..outline.places.len()).collect();
        let mut steps = Vec::with_capacity(left.len());
        while !left.is_empty() {
            let rank = |&place: &usize| {
                let pairs = || outline.places[place].pairs.iter().flatten();
                let known = pairs().filter(|&&pair| coloured[usize::from(pair)]).count();
                let new = pairs().count() - known;
                let lone = new > 0 && known == 0;
                (lone, if lone { 6 - new } else { 6 + new - known }, 6 - known)
            };
            let Some(best) = (0..left.len()).min_by_key(|&index| rank(&left[index])) else { break };
            let index = left.swap_remove(best);
            let place = &outline.places[index];
            let (mut known, mut new) = (Vec::new(), Vec::new());
            let mut site = Site { angle: place.angle, known: 0, new: 0 };
            for (edge, pair) in place.pairs.iter().enumerate().filter_map(|(edge, pair)| Some((edge, (*pair)?))) {
                if std::mem::replace(&mut coloured[usize::from(pair)], true) {
                    site.known |= 1 << edge;
                    known.push(pair);
                } else {
                    site.new |= 1 << edge;
                    new.push(pair);
                }
            }
            let kind = kind(place.angle);
            let options = self.catalogue.number(site, &mut self.supplies[kind]);
            steps.push(Step { place: index, kind, options, known, new });
        }
        steps
    }
}

struct Colouring<'a, 'f> {
    catalogue: &'a Catalogue,
    supplies: &'a mut [Supply; 3],
    steps: &'a [Step],
    colours: Vec<u8>,
    chosen: Vec<Chosen<'a>>,
    found: &'f mut dyn FnMut(&[Chosen], Option<u64>) -> bool,
}

impl Colouring<'_, '_> {
    fn go(&mut self, index: usize, states: [State; 3]) -> bool {
        let Some(step) = self.steps.get(index) else {
            let ways: [Option<u64>; 3] = std::array::from_fn(|kind| self.supplies[kind].ways(states[kind]));
            let all = ways.iter().try_fold(1u64, |all, ways| all.checked_mul((*ways)?));
            return ways.contains(&Some(0)) || (self.found)(&self.chosen, all);
        };
        let known = key(step.known.iter().map(|&pair| self.colours[usize::from(pair)]));
        for choice in &self.catalogue.options[step.options][known] {
            let mut states = states;
            states[step.kind] = self.supplies[step.kind].after(states[step.kind], choice.demand);
            if states[step.kind] == NONE {
                continue;
            }
            for (&pair, &colour) in step.new.iter().zip(&choice.colours) {
                self.colours[usize::from(pair)] = colour;
            }
            self.chosen.push((step.place, choice));
            let go_on = self.go(index + 1, states);
            self.chosen.pop();
            if !go_on {
                return false;
            }
        }
        true
    }
}

/// Every way to give each place a tile of its own.
fn deal(ways: &[&[Way]], copies: &mut [usize], dealt: &mut Vec<Way>, found: &mut dyn FnMut(&[Way]) -> bool) -> bool {
    let Some(here) = ways.get(dealt.len()) else { return found(dealt) };
    for &way in *here {
        let sort = usize::from(way.sort);
        if copies[sort] > 0 {
            copies[sort] -= 1;
            dealt.push(way);
            let go_on = deal(ways, copies, dealt, found);
            dealt.pop();
            copies[sort] += 1;
            if !go_on {
                return false;
            }
        }
    }
    true
}
