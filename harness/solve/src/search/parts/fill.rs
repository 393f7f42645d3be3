//! Places filled so that touching edges match, whatever sorts and lines come out: a board part by part, and a patch of it
//! anew.

use puzzle::Placement;

use crate::search::control::{Control, End, Random};
use crate::search::places::{NOWHERE, Places};
use crate::search::sets::{Set, both, members, only, size, without};
use crate::search::table::{EMPTY, Table};

/// Places of a part.
const PART: usize = 40;

/// Dead ends after which an attempt to fill a part ends at first.
const PATIENCE: u64 = 1000;

/// Within so many steps at most of a dead end places are filled anew.
const FARTHEST: u32 = 8;

/// How an attempt to fill some places ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Filled {
    Yes,
    /// Nothing matches, with what lies around them.
    Never,
    /// There were as many dead ends as were granted.
    GivenUp,
    OutOfTime,
}

/// To come back to; see [`Fill::undo`].
#[derive(Clone, Copy)]
struct Mark {
    changes: usize,
    settled: usize,
}

struct Choice {
    place: usize,
    /// The values that are still to be tried, the last one first.
    values: Vec<usize>,
    mark: Mark,
}

pub(super) struct Fill<'a, const W: usize> {
    table: &'a Table<W>,
    places: &'a Places,
    domains: Vec<Set<W>>,
    /// Places and the values that they were given, in this order.
    settled: Vec<(u32, u16)>,
    is_settled: Vec<bool>,
    /// Copies of each sort that lie nowhere yet; fewer than none where too many lie.
    left: Vec<i32>,
    changes: Vec<(u32, Set<W>)>,
    queue: Vec<u32>,
    /// The place for which no value was left last.
    stuck: usize,
}

impl<'a, const W: usize> Fill<'a, W> {
    /// An empty board.
    pub fn new(table: &'a Table<W>, places: &'a Places) -> Self {
        Self::among(table, places, vec![without(&table.all(), &table.nothing()); places.beyond.len()])
    }

    /// An empty board; what may lie on each place.
    pub fn among(table: &'a Table<W>, places: &'a Places, domains: Vec<Set<W>>) -> Self {
        let count = domains.len();
        Self {
            table,
            places,
            domains,
            settled: Vec::with_capacity(count),
            is_settled: vec![false; count],
            left: table.supply.iter().map(|&count| count as i32).collect(),
            changes: Vec::new(),
            queue: Vec::new(),
            stuck: 0,
        }
    }

    /// Fills the whole board, with ever more patience.
    pub fn board(mut self, random: &mut Random, control: &mut Control<'_>) -> Result<Vec<u16>, End> {
        let mut patience = PATIENCE;
        loop {
            match self.attempt(patience, random, control) {
                Filled::Yes => return Ok(self.values()),
                Filled::Never => return Err(End::Exhausted),
                Filled::OutOfTime => return Err(End::OutOfTime),
                Filled::GivenUp => patience = patience.saturating_mul(2),
            }
            control.filling().restarts += 1;
        }
    }

    /// Fills the whole board, part by part in rows. If a part cannot be filled, or there were so many dead ends, what lies around the
    /// place where nothing fitted is filled anew with it, each time with as many dead ends and farther around; at last the board is left
    /// empty.
    pub fn attempt(&mut self, patience: u64, random: &mut Random, control: &mut Control<'_>) -> Filled {
        let off_board = 1 << EMPTY;
        control.worked(self.domains.len() as u64);
        let is_within = (0..self.domains.len()).all(|place| {
            (0..6).all(|edge| {
                self.places.beyond[place][edge] != NOWHERE || self.keep(place, *self.table.beside(edge, off_board))
            })
        });
        self.queue.extend((0..).take(self.domains.len()));
        if !is_within || !self.propagate() {
            return Filled::Never;
        }
        let mut order: Vec<u32> = (0..).take(self.domains.len()).collect();
        order.sort_by_key(|&place| (self.places.at[place as usize].r, self.places.at[place as usize].q));
        let empty = self.domains.clone();
        for part in order.chunks(PART) {
            let (mut open, mut radius) = (part.to_vec(), 1);
            loop {
                let mark = self.mark();
                match self.fill(&open, patience, random, control) {
                    Filled::Yes => break,
                    Filled::OutOfTime => return Filled::OutOfTime,
                    Filled::Never if mark.settled == 0 => return Filled::Never,
                    Filled::Never | Filled::GivenUp => self.undo(mark),
                }
                control.worked(self.domains.len() as u64);
                if radius == FARTHEST {
                    self.free(u32::MAX, &empty);
                    return Filled::GivenUp;
                }
                radius += 1;
                open.extend(self.free(radius, &empty));
            }
            control.filling().parts += 1;
        }
        Filled::Yes
    }

    /// Fills a patch of a full board anew, at random; `None` if that takes too long.
    pub fn patch(
        mut self,
        values: &[u16],
        patch: &[usize],
        random: &mut Random,
        control: &mut Control<'_>,
    ) -> Option<Vec<u16>> {
        self.is_settled.fill(true);
        patch.iter().for_each(|&place| self.is_settled[place] = false);
        for (place, &value) in values.iter().enumerate() {
            if self.is_settled[place] {
                self.domains[place] = only(value.into());
                self.left[self.table.values[usize::from(value)].sort] -= 1;
            }
        }
        for &place in patch {
            for edge in 0..6 {
                let shown = match self.places.beyond[place][edge] {
                    NOWHERE => 1 << EMPTY,
                    next => self.table.shown(&self.domains[next as usize], (edge + 3) % 6),
                };
                self.keep(place, *self.table.beside(edge, shown));
            }
        }
        // What lies there matches, so that there is no dead end yet.
        self.propagate();
        let numbers: Vec<u32> = patch.iter().map(|&place| place as u32).collect();
        (self.fill(&numbers, PATIENCE, random, control) == Filled::Yes).then(|| self.values())
    }

    /// What lies on each place of a full board.
    pub fn values(&self) -> Vec<u16> {
        self.domains.iter().map(|&domain| members(domain).next().map_or(0, |value| value as u16)).collect()
    }

    /// Backtracks on the place with the fewest values.
    fn fill(&mut self, part: &[u32], patience: u64, random: &mut Random, control: &mut Control<'_>) -> Filled {
        let most = control.backtracks.saturating_add(patience);
        let mut choices: Vec<Choice> = Vec::new();
        loop {
            control.worked(part.len() as u64);
            let Some(choice) = self.choose(part, random) else { return Filled::Yes };
            choices.push(choice);
            loop {
                if control.is_late() {
                    return Filled::OutOfTime;
                }
                let Some(choice) = choices.last_mut() else { return Filled::Never };
                let place = choice.place;
                self.undo(choice.mark);
                let Some(value) = choice.values.pop() else {
                    choices.pop();
                    continue;
                };
                control.count();
                if self.lay(place, value) {
                    control.step(|| self.placements());
                    break;
                }
                control.backtracks += 1;
                if control.backtracks >= most {
                    return Filled::GivenUp;
                }
            }
        }
    }

    /// The place to go on with, and its values in a random order that prefers sorts of which many are left.
    fn choose(&self, part: &[u32], random: &mut Random) -> Option<Choice> {
        let open = part.iter().map(|&place| place as usize).filter(|&place| !self.is_settled[place]);
        let place = open.min_by_key(|&place| size(&self.domains[place]))?;
        let weight = |value: usize| f64::from(self.left[self.table.values[value].sort].max(0)) + 0.5;
        let values = random.order(members(self.domains[place]).map(|value| (value, Some(weight(value)))));
        Some(Choice { place, values, mark: self.mark() })
    }

    /// Whether all places still have a value then.
    fn lay(&mut self, place: usize, value: usize) -> bool {
        self.is_settled[place] = true;
        self.settled.push((place as u32, value as u16));
        self.left[self.table.values[value].sort] -= 1;
        self.keep(place, only(value)) && self.propagate()
    }

    fn keep(&mut self, place: usize, values: Set<W>) -> bool {
        let old = self.domains[place];
        let new = both(&old, &values);
        if new == old {
            return true;
        }
        self.changes.push((place as u32, old));
        self.domains[place] = new;
        self.queue.push(place as u32);
        if size(&new) == 0 {
            self.stuck = place;
            return false;
        }
        true
    }

    /// Touching edges match.
    fn propagate(&mut self) -> bool {
        while let Some(place) = self.queue.pop() {
            let domain = self.domains[place as usize];
            for edge in 0..6 {
                let next = self.places.beyond[place as usize][edge];
                if next == NOWHERE {
                    continue;
                }
                let shown = self.table.shown(&domain, edge);
                if !self.keep(next as usize, *self.table.beside((edge + 3) % 6, shown)) {
                    return false;
                }
            }
        }
        true
    }

    fn mark(&self) -> Mark {
        Mark { changes: self.changes.len(), settled: self.settled.len() }
    }

    /// Takes everything back that was done since.
    fn undo(&mut self, mark: Mark) {
        self.queue.clear();
        for (place, value) in self.settled.drain(mark.settled..) {
            self.is_settled[place as usize] = false;
            self.left[self.table.values[usize::from(value)].sort] += 1;
        }
        for (place, old) in self.changes.drain(mark.changes..).rev() {
            self.domains[place as usize] = old;
        }
    }

    /// Frees the places within so many steps of where nothing fitted last; `empty` holds what could lie on each at first.
    fn free(&mut self, radius: u32, empty: &[Set<W>]) -> Vec<u32> {
        let at = &self.places.at;
        let is_near = |&(place, _): &(u32, u16)| at[place as usize].distance(at[self.stuck]) <= radius;
        let (freed, kept): (Vec<_>, Vec<_>) = self.settled.iter().copied().partition(is_near);
        for &(place, value) in &freed {
            self.is_settled[place as usize] = false;
            self.left[self.table.values[usize::from(value)].sort] += 1;
        }
        for place in (0..empty.len()).filter(|&place| !self.is_settled[place]) {
            self.domains[place] = empty[place];
        }
        self.queue.extend(kept.iter().map(|&(place, _)| place));
        self.settled = kept;
        // Fewer tiles lie than before, so that there is no dead end.
        self.propagate();
        self.changes.clear();
        freed.into_iter().map(|(place, _)| place).collect()
    }

    fn placements(&self) -> Vec<Placement> {
        let value = |place: usize| members(self.domains[place]).next();
        let lying = (0..self.domains.len()).filter(|&place| self.is_settled[place]);
        lying.filter_map(|place| self.table.placement(self.places, place, value(place)?)).collect()
    }
}
