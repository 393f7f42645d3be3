//! A full board is changed in small steps until its numbers of tiles are right and one loop is left.

use puzzle::Placement;

use super::chains::{Chains, Link};
use super::fill::Fill;
use super::loops::Loops;
use crate::search::control::{Control, End, Random};
use crate::search::places::{NOWHERE, Places};
use crate::search::table::Table;

/// [`Mending::mend`] looks at loops as soon as not more copies are too many or missing.
const FEW_WRONG: i32 = 8;

/// What changes cost. A loop more costs so much at least, and on large boards the logarithm of the places over [`PLACES_OF_LOOP`]:
/// about one loop too many is to be expected then. At higher costs a single loop remains early and hardly changes.
pub(super) const COSTS_OF_TILES: Costs = Costs { copy: 1.0, a_loop: 2.0 };
const PLACES_OF_LOOP: f64 = 40.0;

/// Chains that are tried before it is looked whether there was a single loop meanwhile.
const CHAINS_OF_LOOK: u64 = 1 << 19;

/// Looks after which a patch is filled anew in any case.
const LOOKS: u64 = 16;

/// Farthest place of a patch, in steps from its middle.
const RADIUS: u32 = 3;

/// What a change may cost; it is accepted with a probability that falls exponentially with its costs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Costs {
    /// A copy too many or missing.
    pub copy: f64,
    /// A loop more.
    pub a_loop: f64,
}

/// A full board on which all touching edges match.
pub(super) struct Mending<'a, 'c, 'w> {
    table: &'a Table<1>,
    places: &'a Places,
    pub values: Vec<u16>,
    costs: Costs,
    chains: Chains<'a>,
    pub numbers: Numbers,
    /// Where loops count.
    loops: Option<Loops<'a>>,
    /// With not more loops the next stage is reached.
    next_stage: usize,
    pub random: Random,
    pub control: &'c mut Control<'w>,
}

impl<'a, 'c, 'w> Mending<'a, 'c, 'w> {
    pub fn new(
        table: &'a Table<1>,
        places: &'a Places,
        chains: Chains<'a>,
        values: Vec<u16>,
        costs: Costs,
        random: Random,
        control: &'c mut Control<'w>,
    ) -> Self {
        let a_loop = (values.len() as f64 / PLACES_OF_LOOP).ln().max(costs.a_loop);
        let (costs, numbers) = (Costs { a_loop, ..costs }, Numbers::new(table, &values));
        Self { table, places, values, costs, chains, numbers, loops: None, next_stage: usize::MAX, random, control }
    }

    /// `None`: there were so many attempts.
    pub fn mend(mut self, attempts: u64, found: &mut dyn FnMut(Vec<Placement>) -> bool) -> Option<End> {
        let (mut is_new, mut was_single) = (true, false);
        if self.numbers.wrong > FEW_WRONG {
            self.stage();
        }
        for attempt in 1..=attempts {
            if self.loops.is_none() && self.numbers.wrong <= FEW_WRONG {
                self.look_at_loops();
                is_new = true;
            }
            let is_single = self.is_single();
            if is_new && is_single && self.numbers.wrong == 0 && !found(self.placements()) {
                return Some(End::Stopped);
            }
            if let Some(loops) = &self.loops
                && loops.count <= self.next_stage
            {
                self.next_stage = loops.count / 2;
                self.stage();
            }
            is_new = self.exchange();
            if is_new {
                self.tell();
            }
            was_single |= is_single;
            if attempt.is_multiple_of(CHAINS_OF_LOOK) {
                if !was_single || attempt.is_multiple_of(LOOKS * CHAINS_OF_LOOK) {
                    is_new |= self.patch();
                }
                was_single = false;
            }
            if self.control.is_late() {
                return Some(End::OutOfTime);
            }
        }
        None
    }

    /// From now on loops count.
    pub fn look_at_loops(&mut self) {
        self.control.worked(self.values.len() as u64);
        self.loops = Some(Loops::new(self.table, self.places, &self.values));
    }

    /// Whether there is one loop; not until loops count.
    pub fn is_single(&self) -> bool {
        self.loops.as_ref().is_some_and(|loops| loops.count == 1)
    }

    /// Tries a chain; whether it was exchanged.
    pub fn exchange(&mut self) -> bool {
        let start = self.start();
        let is_chain = self.chains.find(&self.values, start, &mut self.random);
        self.control.worked(self.chains.links.len() as u64 + 1);
        if !is_chain {
            return false;
        }
        self.control.count();
        let links = &self.chains.links;
        let before = self.numbers.wrong;
        self.numbers.exchange(&self.values, links, 1);
        let mut loops = self.loops.as_mut().filter(|_| self.chains.is_designated);
        let more = loops.as_mut().map_or(0, |loops| loops.change(&self.values, links));
        let cost = self.costs.copy * f64::from(self.numbers.wrong - before) + self.costs.a_loop * more as f64;
        if cost > 0.0 && self.random.next() >= (-cost).exp() {
            self.numbers.exchange(&self.values, links, -1);
            self.control.backtracks += 1;
            return false;
        }
        links.iter().for_each(|link| self.values[link.place] = link.value);
        self.control.filling().loops_merged += more.min(0).unsigned_abs() as u64;
        if let Some(loops) = loops {
            self.control.worked(loops.renew(&self.values) as u64);
        }
        true
    }

    /// Any place, or every other time one of a loop that is not the longest.
    fn start(&mut self) -> usize {
        let minor = self.loops.as_ref().map(|loops| &loops.minor).filter(|minor| !minor.is_empty());
        match minor {
            Some(minor) if self.random.bits() & 1 == 1 => minor[self.random.below(minor.len())] as usize,
            _ => self.random.below(self.values.len()),
        }
    }

    /// Fills the places around one anew; whether that came to an end.
    fn patch(&mut self) -> bool {
        let middle = self.start();
        let at = |place: usize| self.places.at[place];
        let mut patch = vec![middle];
        let mut next = 0;
        while let Some(&place) = patch.get(next) {
            next += 1;
            for &beyond in self.places.beyond[place].iter().filter(|&&beyond| beyond != NOWHERE) {
                let beyond = beyond as usize;
                if at(beyond).distance(at(middle)) <= RADIUS && !patch.contains(&beyond) {
                    patch.push(beyond);
                }
            }
        }
        let fill = Fill::new(self.table, self.places);
        let Some(values) = fill.patch(&self.values, &patch, &mut self.random, self.control) else { return false };
        self.values = values;
        self.control.filling().patches += 1;
        self.numbers = Numbers::new(self.table, &self.values);
        if self.loops.is_some() {
            self.look_at_loops();
        }
        self.tell();
        true
    }

    /// What lies.
    pub fn placements(&self) -> Vec<Placement> {
        self.table.placements(self.places, &self.values)
    }

    /// Tells of what lies as a step.
    pub fn tell(&mut self) {
        self.control.step(|| self.table.placements(self.places, &self.values));
    }

    /// Tells of the board as it is: full for the first time or around a loop, when loops are looked at, and with half as many loops as
    /// the last time.
    pub fn stage(&mut self) {
        let surplus = self.numbers.wrong.unsigned_abs() / 2;
        self.control.stage(surplus, || self.table.placements(self.places, &self.values));
    }
}

/// How often each sort lies on the board, against how often it should.
pub(super) struct Numbers {
    /// By value.
    sorts: Vec<usize>,
    /// By sort: copies that lie beyond the supply, or are missing (negative).
    surplus: Vec<i32>,
    /// Copies too many and copies missing, over all sorts.
    pub wrong: i32,
}

impl Numbers {
    fn new(table: &Table<1>, values: &[u16]) -> Self {
        let sorts: Vec<usize> = table.values.iter().map(|value| value.sort).collect();
        let mut surplus: Vec<i32> = table.supply.iter().map(|&count| -(count as i32)).collect();
        values.iter().for_each(|&value| surplus[sorts[usize::from(value)]] += 1);
        let wrong = surplus.iter().map(|surplus| surplus.abs()).sum();
        Self { sorts, surplus, wrong }
    }

    /// The chain is exchanged (`copies` 1), or is not after all (-1).
    fn exchange(&mut self, values: &[u16], links: &[Link], copies: i32) {
        for link in links {
            self.add(values[link.place], -copies);
            self.add(link.value, copies);
        }
    }

    fn add(&mut self, value: u16, copies: i32) {
        let surplus = &mut self.surplus[self.sorts[usize::from(value)]];
        self.wrong += (*surplus + copies).abs() - surplus.abs();
        *surplus += copies;
    }
}
