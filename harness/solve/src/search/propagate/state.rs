//! A board as the search sees it: its places with their neighbours, the values that are left for each, the lines that tiles
//! form, and what follows when values are taken away.

use puzzle::Placement;

use crate::search::places::{NOWHERE, Places};
use crate::search::sets::{Set, both, meets, members, size, without};
use crate::search::table::{EMPTY, Table};

/// No solution lies this way.
#[derive(Debug)]
pub(super) struct DeadEnd;

/// What was there before a change.
enum Change<const W: usize> {
    Domain(u32, Set<W>),
    Mate(u32, u32),
}

/// To come back to; see [`State::undo`].
#[derive(Clone, Copy)]
pub(super) struct Mark {
    changes: usize,
    touched: usize,
    settled: usize,
    lines: usize,
    last_line: (u32, u32),
}

pub(super) struct State<'a, const W: usize> {
    pub table: &'a Table<W>,
    pub places: &'a Places,
    pub domains: Vec<Set<W>>,
    /// Places of one value whose consequences were drawn, in this order.
    pub settled: Vec<u32>,
    pub is_settled: Vec<bool>,
    /// Places whose values are not those of the beginning any more.
    pub touched: Vec<u32>,
    is_touched: Vec<bool>,
    /// Copies of each sort that lie nowhere yet.
    pub left: Vec<u32>,
    pub tiles_left: usize,
    pub empty_left: usize,
    /// The other end of the line that ends at a half edge (six times the place, plus the edge).
    mates: Vec<u32>,
    /// How many lines there are.
    pub lines: usize,
    /// The ends of the line that was made longer last.
    pub last_line: (u32, u32),
    changes: Vec<Change<W>>,
    queue: Vec<u32>,
    is_queued: Vec<bool>,
    /// Places that were looked at since somebody asked.
    work: u64,
}

impl<'a, const W: usize> State<'a, W> {
    pub fn new(table: &'a Table<W>, places: &'a Places) -> Self {
        let count = places.beyond.len();
        let tiles_left = table.supply.iter().map(|&count| count as usize).sum();
        Self {
            table,
            places,
            domains: vec![table.all(); count],
            settled: Vec::new(),
            is_settled: vec![false; count],
            touched: Vec::new(),
            is_touched: vec![false; count],
            left: table.supply.clone(),
            tiles_left,
            empty_left: count - tiles_left,
            mates: vec![0; 6 * count],
            lines: 0,
            last_line: (0, 0),
            changes: Vec::new(),
            queue: Vec::new(),
            is_queued: vec![false; count],
            work: 0,
        }
    }

    /// What the edge of the board and the number of places demand.
    pub fn begin(&mut self) -> Result<(), DeadEnd> {
        let off_board = 1 << EMPTY;
        for place in 0..self.domains.len() {
            for edge in 0..6 {
                if self.places.beyond[place][edge] == NOWHERE {
                    self.keep(place, *self.table.beside(edge, off_board))?;
                }
            }
            if self.empty_left == 0 {
                self.keep(place, without(&self.table.all(), &self.table.nothing()))?;
            }
        }
        self.propagate()
    }

    /// Leaves a place only these of its values.
    pub fn keep(&mut self, place: usize, values: Set<W>) -> Result<(), DeadEnd> {
        let old = self.domains[place];
        let mut new = both(&old, &values);
        if new == old {
            return Ok(());
        }
        if !self.is_touched[place] {
            // Nobody has looked here since some sorts were used up.
            let used_up = (0..self.left.len()).filter(|&sort| self.left[sort] == 0);
            new = used_up.fold(new, |new, sort| without(&new, &self.table.of_sort[sort]));
        }
        if size(&new) == 0 {
            return Err(DeadEnd);
        }
        self.changes.push(Change::Domain(place as u32, old));
        self.domains[place] = new;
        if !self.is_touched[place] {
            self.is_touched[place] = true;
            self.touched.push(place as u32);
        }
        if !self.is_queued[place] {
            self.is_queued[place] = true;
            self.queue.push(place as u32);
        }
        Ok(())
    }

    pub fn propagate(&mut self) -> Result<(), DeadEnd> {
        while let Some(place) = self.queue.pop() {
            let place = place as usize;
            self.is_queued[place] = false;
            self.work += 1;
            self.look_around(place)?;
            self.settle(place)?;
        }
        Ok(())
    }

    /// Touching edges match.
    fn look_around(&mut self, place: usize) -> Result<(), DeadEnd> {
        let domain = self.domains[place];
        for edge in 0..6 {
            let next = self.places.beyond[place][edge];
            if next != NOWHERE && !self.is_settled[next as usize] {
                let shown = self.table.shown(&domain, edge);
                self.keep(next as usize, *self.table.beside((edge + 3) % 6, shown))?;
            }
        }
        Ok(())
    }

    /// A place of one value takes it from the supply and joins lines.
    fn settle(&mut self, place: usize) -> Result<(), DeadEnd> {
        let domain = self.domains[place];
        if self.is_settled[place] || size(&domain) != 1 {
            return Ok(());
        }
        let Some(value) = members(domain).next() else { return Err(DeadEnd) };
        let Some(&value) = self.table.values.get(value) else {
            self.empty_left = self.empty_left.checked_sub(1).ok_or(DeadEnd)?;
            self.is_settled[place] = true;
            self.settled.push(place as u32);
            return if self.empty_left == 0 { self.fill_the_rest() } else { Ok(()) };
        };
        self.left[value.sort] = self.left[value.sort].checked_sub(1).ok_or(DeadEnd)?;
        self.tiles_left -= 1;
        self.is_settled[place] = true;
        self.settled.push(place as u32);
        self.join(place, value.ends)?;
        if self.tiles_left == 0 {
            return self.empty_the_rest();
        }
        if self.left[value.sort] == 0 {
            self.take_from_touched(&self.table.of_sort[value.sort])?;
        }
        Ok(())
    }

    /// The line of a tile joins those beside it; a loop may close with the last tile only.
    fn join(&mut self, place: usize, ends: [usize; 2]) -> Result<(), DeadEnd> {
        let half = |place: usize, edge: usize| (6 * place + edge) as u32;
        self.pair(half(place, ends[0]), half(place, ends[1]));
        self.lines += 1;
        for edge in ends {
            let next = self.places.beyond[place][edge];
            if next == NOWHERE || !self.is_settled[next as usize] {
                continue;
            }
            let (ours, theirs) = (half(place, edge), half(next as usize, (edge + 3) % 6));
            let (a, b) = (self.mates[ours as usize], self.mates[theirs as usize]);
            if a != theirs {
                self.pair(a, b);
                self.lines -= 1;
            } else if self.tiles_left > 0 {
                return Err(DeadEnd);
            }
        }
        Ok(())
    }

    /// A line has these ends now.
    fn pair(&mut self, a: u32, b: u32) {
        for (at, mate) in [(a, b), (b, a)] {
            self.changes.push(Change::Mate(at, self.mates[at as usize]));
            self.mates[at as usize] = mate;
        }
        self.last_line = (a, b);
    }

    fn fill_the_rest(&mut self) -> Result<(), DeadEnd> {
        let something = without(&self.table.all(), &self.table.nothing());
        for place in 0..self.domains.len() {
            if !self.is_settled[place] {
                self.keep(place, something)?;
            }
        }
        Ok(())
    }

    /// The last tile lies: nothing may be asked for anywhere.
    fn empty_the_rest(&mut self) -> Result<(), DeadEnd> {
        let nothing = self.table.nothing();
        let open = |&&place: &&u32| !self.is_settled[place as usize];
        if self.touched.iter().filter(open).any(|&place| !meets(&self.domains[place as usize], &nothing)) {
            return Err(DeadEnd);
        }
        Ok(())
    }

    fn take_from_touched(&mut self, values: &Set<W>) -> Result<(), DeadEnd> {
        self.worked(self.touched.len());
        for index in 0..self.touched.len() {
            let place = self.touched[index] as usize;
            if !self.is_settled[place] && meets(&self.domains[place], values) {
                self.keep(place, without(&self.domains[place], values))?;
            }
        }
        Ok(())
    }

    /// The tiles that lie.
    pub fn placements(&self) -> Vec<Placement> {
        let placement = |&place: &u32| {
            let value = members(self.domains[place as usize]).next()?;
            self.table.placement(self.places, place as usize, value)
        };
        self.settled.iter().filter_map(placement).collect()
    }

    /// So many places were looked at.
    pub fn worked(&mut self, places: usize) {
        self.work += places as u64;
    }

    /// How many places were looked at since the last call.
    pub fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    /// Grows with every change.
    pub fn mark_of_changes(&self) -> usize {
        self.changes.len()
    }

    pub fn mark(&self) -> Mark {
        Mark {
            changes: self.changes.len(),
            touched: self.touched.len(),
            settled: self.settled.len(),
            lines: self.lines,
            last_line: self.last_line,
        }
    }

    /// Takes everything back that was done since.
    pub fn undo(&mut self, mark: Mark) {
        (self.lines, self.last_line) = (mark.lines, mark.last_line);
        self.queue.drain(..).for_each(|place| self.is_queued[place as usize] = false);
        while self.settled.len() > mark.settled {
            let Some(place) = self.settled.pop() else { break };
            self.is_settled[place as usize] = false;
            let value = members(self.domains[place as usize]).next();
            match value.and_then(|value| self.table.values.get(value)) {
                None => self.empty_left += 1,
                Some(value) => {
                    self.left[value.sort] += 1;
                    self.tiles_left += 1;
                }
            }
        }
        while self.changes.len() > mark.changes {
            match self.changes.pop() {
                Some(Change::Domain(place, old)) => self.domains[place as usize] = old,
                Some(Change::Mate(at, old)) => self.mates[at as usize] = old,
                None => break,
            }
        }
        for place in self.touched.drain(mark.touched..) {
            self.is_touched[place as usize] = false;
        }
    }
}
