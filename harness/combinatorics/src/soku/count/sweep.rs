//! The states of one side, face by face, with several threads.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;

use super::job::Job;
use super::layer::{Layer, NOWHERE, Step};
use super::stock::Stock;
use super::sums::Sums;

/// Multisets that a thread takes at a time.
const AT_ONCE: usize = 32;

/// In how many ways the first faces of a side can have the tiles of one multiset, by cells. Cells with none are left out.
#[derive(Default)]
pub(super) struct Table {
    /// Groups, and where the cells of each begin.
    groups: Vec<(u32, u32)>,
    keys: Vec<u16>,
    ways: Ways,
}

/// Ways of each cell; most tables have small numbers.
enum Ways {
    Narrow(Vec<u32>),
    Wide(Vec<u64>),
}

impl Default for Ways {
    fn default() -> Self {
        Self::Narrow(Vec::new())
    }
}

impl Table {
    /// Nothing laid, in one way.
    fn root() -> Self {
        Self { groups: vec![(0, 0)], keys: vec![0], ways: Ways::Narrow(vec![1]) }
    }

    fn bytes(&self) -> u64 {
        let ways = match &self.ways {
            Ways::Narrow(ways) => size_of_val(ways.as_slice()),
            Ways::Wide(ways) => size_of_val(ways.as_slice()),
        };
        (size_of::<Self>() + size_of_val(self.groups.as_slice()) + size_of_val(self.keys.as_slice()) + ways) as u64
    }

    /// Calls `each` with every cell that a tile of a sort makes of these, and its ways.
    fn step(&self, step: &Step, sort: usize, mut each: impl FnMut(usize, u64)) {
        match &self.ways {
            Ways::Narrow(ways) => self.step_of(ways, step, sort, &mut each),
            Ways::Wide(ways) => self.step_of(ways, step, sort, &mut each),
        }
    }

    #[inline(always)]
    fn step_of<W: Copy + Into<u64>>(&self, ways: &[W], step: &Step, sort: usize, each: &mut impl FnMut(usize, u64)) {
        for (index, &(group, start)) in self.groups.iter().enumerate() {
            let end = self.groups.get(index + 1).map_or(self.keys.len(), |(_, start)| *start as usize);
            let (keys, ways) = (&self.keys[start as usize..end], &ways[start as usize..end]);
            for &distance in step.of_group[sort][group as usize].iter().take_while(|distance| **distance != NOWHERE) {
                for (&key, &ways) in keys.iter().zip(ways) {
                    each((step.of_key[usize::from(key)] + distance) as usize, ways.into());
                }
            }
        }
    }
}

/// Ways by cell, and which cells have any.
struct Cells {
    ways: Vec<u64>,
    seen: Vec<u64>,
}

impl Cells {
    fn new(cells: usize) -> Self {
        Self { ways: vec![0; cells], seen: vec![0; cells.div_ceil(64)] }
    }

    /// Empties the cells into a table.
    fn drain(&mut self, keys_in_group: usize) -> Table {
        let count = self.seen.iter().map(|bits| bits.count_ones() as usize).sum();
        let (mut groups, mut keys, mut wide) = (Vec::new(), Vec::with_capacity(count), Vec::with_capacity(count));
        let (mut group, mut end, mut greatest) = (0, 0, 0);
        for (word, bits) in self.seen.iter_mut().enumerate() {
            let mut rest = std::mem::take(bits);
            while rest != 0 {
                let cell = word * 64 + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                if cell >= end {
                    group = cell / keys_in_group;
                    end = (group + 1) * keys_in_group;
                    groups.push((group as u32, keys.len() as u32));
                }
                keys.push((cell - group * keys_in_group) as u16);
                let ways = std::mem::take(&mut self.ways[cell]);
                greatest = greatest.max(ways);
                wide.push(ways);
            }
        }
        groups.shrink_to_fit();
        let ways = match u32::try_from(greatest) {
            Ok(_) => Ways::Narrow(wide.into_iter().map(|ways| ways as u32).collect()),
            Err(_) => Ways::Wide(wide),
        };
        Table { groups, keys, ways }
    }
}

/// Why counting ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// Who asked for it wants no more.
    Asked,
    /// More memory or states than allowed.
    TooLarge,
    /// A count does not fit its number.
    Overflow,
}

/// What all threads share: how much was done, how much may be.
pub(super) struct Effort<'a> {
    pub threads: usize,
    /// Bytes that tables may take.
    pub most_bytes: u64,
    pub most_states: u64,
    pub bytes: AtomicU64,
    pub states: AtomicU64,
    /// Whether to go on.
    pub go_on: &'a (dyn Fn() -> bool + Sync),
    pub asked: AtomicBool,
    pub too_large: AtomicBool,
}

impl Effort<'_> {
    /// Whether there is a reason to stop.
    pub fn stopped(&self) -> Option<Stop> {
        if self.too_large.load(Relaxed) {
            return Some(Stop::TooLarge);
        }
        if !self.asked.load(Relaxed) && !(self.go_on)() {
            self.asked.store(true, Relaxed);
        }
        self.asked.load(Relaxed).then_some(Stop::Asked)
    }

    /// Takes note of states that take so many bytes.
    pub fn add(&self, states: u64, bytes: u64) {
        let states = self.states.fetch_add(states, Relaxed) + states;
        let bytes = self.bytes.fetch_add(bytes, Relaxed) + bytes;
        if states > self.most_states || bytes > self.most_bytes {
            self.too_large.store(true, Relaxed);
        }
    }

    /// Takes note that states which took so many bytes are no more.
    pub fn free(&self, bytes: u64) {
        self.bytes.fetch_sub(bytes, Relaxed);
    }

    /// Does things with numbers below `count`, each once, with all threads. Every thread has something of its own, made by `own`.
    pub fn share<T>(&self, count: usize, own: impl Fn() -> T + Sync, work: impl Fn(&mut T, usize) + Sync) -> Vec<T>
    where
        T: Send,
    {
        let next = AtomicUsize::new(0);
        let run = || {
            let mut mine = own();
            loop {
                let first = next.fetch_add(AT_ONCE, Relaxed);
                if first >= count || self.stopped().is_some() {
                    return mine;
                }
                (first..count.min(first + AT_ONCE)).for_each(|index| work(&mut mine, index));
            }
        };
        thread::scope(|scope| {
            let others: Vec<_> = (1..self.threads.min(count.div_ceil(AT_ONCE)))
                .map_while(|_| thread::Builder::new().spawn_scoped(scope, run).ok())
                .collect();
            let mut all = vec![run()];
            for other in others {
                match other.join() {
                    Ok(mine) => all.push(mine),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            all
        })
    }
}

/// The states of a side before its last face, and how that leads to the last cells.
pub(super) struct Side<'a> {
    stock: &'a Stock,
    multisets: Vec<u64>,
    tables: Vec<Table>,
    /// The last face; nothing for a side without faces.
    last: Option<Step>,
    /// The cells after all faces.
    pub cells: Layer<'a>,
}

impl<'a> Side<'a> {
    /// Lays the faces of a side, but for the last.
    pub fn new(
        job: &Job,
        stock: &'a Stock,
        sums: &'a Sums,
        order: &[usize],
        effort: &Effort<'_>,
    ) -> Result<Self, Stop> {
        let root = Table::root();
        effort.add(1, root.bytes());
        let mut side =
            Side { stock, multisets: vec![0], tables: vec![root], last: None, cells: Layer::new(job, sums, order, 0) };
        for laid in 0..order.len() {
            let to = Layer::new(job, sums, order, laid + 1);
            let step = Step::new(job, order, laid, &side.cells, &to);
            if laid + 1 == order.len() {
                side.last = Some(step);
            } else {
                side.lay(&step, &to, laid + 1, effort)?;
            }
            side.cells = to;
        }
        Ok(side)
    }

    /// Lays a tile more.
    fn lay(&mut self, step: &Step, to: &Layer<'_>, laid: usize, effort: &Effort<'_>) -> Result<(), Stop> {
        let multisets = self.stock.of_size(laid);
        let own = || (Cells::new(to.cells()), Vec::new());
        let done = effort.share(multisets.len(), own, |(cells, made), index| {
            self.pull(step, multisets[index], |cell, ways| {
                cells.ways[cell] += ways;
                cells.seen[cell / 64] |= 1 << (cell % 64);
            });
            let table = cells.drain(to.keys);
            effort.add(table.keys.len() as u64, table.bytes());
            made.push((index, table));
        });
        if let Some(stop) = effort.stopped() {
            return Err(stop);
        }
        let before: u64 = self.tables.iter().map(Table::bytes).sum();
        self.tables.clear();
        self.tables.resize_with(multisets.len(), Table::default);
        for (index, table) in done.into_iter().flat_map(|(_, made)| made) {
            self.tables[index] = table;
        }
        self.multisets = multisets;
        effort.free(before);
        Ok(())
    }

    /// Calls `each` with the cells that a tile more makes of what was laid, where all tiles together are `multiset`.
    fn pull(&self, step: &Step, multiset: u64, mut each: impl FnMut(usize, u64)) {
        for sort in 0..self.stock.sorts() {
            let before = self.stock.without(multiset, sort);
            if let Some(Ok(index)) = before.map(|before| self.multisets.binary_search(&before)) {
                self.tables[index].step(step, sort, &mut each);
            }
        }
    }

    /// Calls `each` with the last cells that the tiles of a multiset can make, and in how many ways; a cell may come several times.
    pub fn finish(&self, multiset: u64, mut each: impl FnMut(usize, u64)) {
        match &self.last {
            Some(step) => self.pull(step, multiset, each),
            None if multiset == 0 => each(0, 1),
            None => {}
        }
    }
}
