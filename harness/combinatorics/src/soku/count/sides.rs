//! Counting by two sides: the states of each, face by face with several threads, and both put together.
//!
//! States are known by numbers. A vertex is open if some of its faces have tiles and others do not. A cell is one sum for each open
//! vertex, as a number in a mixed radix: first the open vertices of the face that comes next (they make the cell's group), then the
//! others (they make its key). A tile on the next face changes the group alone, so that all cells of a group move by the same
//! distance.
//!
//! Where one side has some of the tiles the other has the rest, and at the vertices between them the sums make up the capacities.

use std::mem;
use std::sync::Mutex;

use super::effort::{Effort, Stop};
use super::job::{Job, Share, Stock, Sums};

/// Stands for no cell.
pub(super) const NOWHERE: u32 = u32::MAX;

/// The cells after some faces of an order.
pub(super) struct Layer<'a> {
    /// Open vertices with their sums, those of the group first.
    pub open: Vec<(usize, &'a [u32])>,
    /// How many of them make the group.
    grouped: usize,
    strides: Vec<usize>,
    /// Keys in a group.
    pub keys: usize,
    /// Groups.
    pub groups: usize,
}

impl<'a> Layer<'a> {
    /// The cells after the first `laid` faces of an order.
    pub fn new(job: &Job, sums: &'a Sums, order: &[usize], laid: usize) -> Self {
        let (around, degrees) = (job.around(&order[..laid]), job.degrees());
        let next = order.get(laid).map_or([usize::MAX; 3], |&face| job.faces[face]);
        let is_open = |vertex: &usize| around[*vertex] > 0 && around[*vertex] < degrees[*vertex];
        let (group, others): (Vec<usize>, Vec<usize>) =
            (0..degrees.len()).filter(is_open).partition(|vertex| next.contains(vertex));
        let grouped = group.len();
        let open: Vec<(usize, &[u32])> =
            group.into_iter().chain(others).map(|vertex| (vertex, sums.at(vertex, around[vertex]))).collect();
        let mut strides = vec![1_usize; open.len()];
        for index in (1..open.len()).rev() {
            strides[index - 1] = strides[index].saturating_mul(open[index].1.len());
        }
        let size =
            |open: &[(usize, &[u32])]| open.iter().fold(1, |size: usize, (_, sums)| size.saturating_mul(sums.len()));
        Self { keys: size(&open[grouped..]), groups: size(&open[..grouped]), open, grouped, strides }
    }

    /// All cells.
    pub fn cells(&self) -> usize {
        self.keys.saturating_mul(self.groups)
    }

    /// The sum at each open vertex in a cell.
    pub fn sums(&self, cell: usize) -> impl Iterator<Item = (usize, u32)> + '_ {
        let sum =
            move |(&(vertex, sums), stride): (&(usize, &[u32]), &usize)| (vertex, sums[cell / stride % sums.len()]);
        self.open.iter().zip(&self.strides).map(sum)
    }

    /// Where a sum at an open vertex lies; `None` where the vertex cannot have it.
    fn place(&self, vertex: usize, sum: u32) -> Option<usize> {
        let index = self.open.iter().position(|(open, _)| *open == vertex)?;
        Some(self.open[index].1.binary_search(&sum).ok()? * self.strides[index])
    }
}

/// What a tile on the next face does to cells.
pub(super) struct Step {
    /// Of each key: its part of the new cell.
    pub of_key: Vec<u32>,
    /// Of each sort and group: the other part, for each way in which a tile of the sort can lie, [`NOWHERE`] after them.
    pub of_group: Vec<Vec<[u32; 3]>>,
}

impl Step {
    /// From the cells after `laid` faces of an order to those after one more.
    pub fn new(job: &Job, order: &[usize], laid: usize, from: &Layer<'_>, to: &Layer<'_>) -> Self {
        let of_key = (0..from.keys)
            .map(|key| {
                let others = from.sums(key).skip(from.grouped);
                others.filter_map(|(vertex, sum)| to.place(vertex, sum)).sum::<usize>() as u32
            })
            .collect();
        let (around, degrees) = (job.around(&order[..laid]), job.degrees());
        let face = job.faces[order[laid]];
        let target = |sums: &[(usize, u32)], weights: [u32; 3]| {
            let mut cell = 0;
            for (vertex, weight) in face.into_iter().zip(weights) {
                let before = sums.iter().find(|(open, _)| *open == vertex).map_or(0, |(_, sum)| *sum);
                let sum = before.checked_add(weight)?;
                if around[vertex] + 1 < degrees[vertex] {
                    cell += to.place(vertex, sum)?;
                } else if sum != job.capacity[vertex] {
                    return None;
                }
            }
            Some(cell as u32)
        };
        let of_group = |shown: &Vec<[u32; 3]>| {
            let targets = |group: usize| {
                let sums: Vec<_> = from.sums(group * from.keys).take(from.grouped).collect();
                let mut found = shown.iter().filter_map(|&weights| target(&sums, weights));
                std::array::from_fn(|_| found.next().unwrap_or(NOWHERE))
            };
            (0..from.groups).map(targets).collect()
        };
        Self { of_key, of_group: job.shown.iter().map(of_group).collect() }
    }
}

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
    fn root() -> Self {
        Self { groups: vec![(0, 0)], keys: vec![0], ways: Ways::Narrow(vec![1]) }
    }

    fn bytes(&self) -> u64 {
        let ways = match &self.ways {
            Ways::Narrow(ways) => size_of_val(ways.as_slice()),
            Ways::Wide(ways) => size_of_val(ways.as_slice()),
        };
        // With the number of its multiset.
        let own = size_of::<Self>() + size_of::<u64>();
        (own + size_of_val(self.groups.as_slice()) + size_of_val(self.keys.as_slice()) + ways) as u64
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
    /// Whether the ways of a cell became too many for their number.
    overflow: bool,
}

impl Cells {
    fn new(cells: usize) -> Self {
        Self { ways: vec![0; cells], seen: vec![0; cells.div_ceil(64)], overflow: false }
    }

    fn bytes(cells: usize) -> u64 {
        (cells + cells.div_ceil(64)) as u64 * size_of::<u64>() as u64
    }

    fn add(&mut self, cell: usize, ways: u64) {
        let (sum, overflow) = self.ways[cell].overflowing_add(ways);
        self.ways[cell] = sum;
        self.overflow |= overflow;
        self.seen[cell / 64] |= 1 << (cell % 64);
    }

    /// Empties the cells into a table.
    fn drain(&mut self, keys_in_group: usize) -> Table {
        let count = self.seen.iter().map(|bits| bits.count_ones() as usize).sum();
        let (mut groups, mut keys, mut wide) = (Vec::new(), Vec::with_capacity(count), Vec::with_capacity(count));
        let (mut group, mut end, mut greatest) = (0, 0, 0);
        for (word, bits) in self.seen.iter_mut().enumerate() {
            let mut rest = mem::take(bits);
            while rest != 0 {
                let cell = word * 64 + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                if cell >= end {
                    group = cell / keys_in_group;
                    end = (group + 1) * keys_in_group;
                    groups.push((group as u32, keys.len() as u32));
                }
                keys.push((cell - group * keys_in_group) as u16);
                let ways = mem::take(&mut self.ways[cell]);
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
    /// Lays the faces of a side, but for the last, with the tiles of its share.
    pub fn new(
        job: &Job,
        stock: &'a Stock,
        sums: &'a Sums,
        order: &[usize],
        share: &Share,
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
                side.lay(&step, &to, [laid + 1, order.len() - laid - 1], share, effort)?;
            }
            side.cells = to;
        }
        Ok(side)
    }

    /// Lays a tile more: so many lie then, and so many are to come.
    fn lay(
        &mut self,
        step: &Step,
        to: &Layer<'_>,
        [laid, to_come]: [usize; 2],
        share: &Share,
        effort: &Effort<'_>,
    ) -> Result<(), Stop> {
        // What is made is moved once, so that there are two tables for each multiset for a moment.
        let tables = self.stock.number_of_size(laid, share, to_come) * (2 * size_of::<(usize, Table)>()) as f64;
        let working = tables + (effort.threads as u64 * Cells::bytes(to.cells())) as f64;
        effort.reserve(working)?;
        let multisets = self.stock.of_size(laid, share, to_come);
        let own = || (Cells::new(to.cells()), Vec::new());
        let mut tables = Vec::with_capacity(multisets.len());
        tables.resize_with(multisets.len(), Table::default);
        let (mut begun, mut dropped) = (0, 0);
        // Those with few tiles of the first sort come first, and are made of such alone: what only these need is dropped after them.
        for part in multisets.chunk_by(|a, b| self.stock.used(*a, 0) == self.stock.used(*b, 0)) {
            let done = effort.share(part.len(), own, |(cells, made), index| {
                self.pull(step, part[index], |cell, ways| cells.add(cell, ways));
                let table = cells.drain(to.keys);
                effort.add(table.keys.len() as u64, table.bytes());
                if cells.overflow {
                    effort.overflows();
                }
                made.push((begun + index, table));
            });
            if let Some(stop) = effort.stopped() {
                return Err(stop);
            }
            for (index, table) in done.into_iter().flat_map(|(_, made)| made) {
                tables[index] = table;
            }
            begun += part.len();
            let is_needless = |multiset: &u64| self.stock.used(*multiset, 0) < self.stock.used(part[0], 0);
            let needless = self.multisets[dropped..].iter().take_while(|&multiset| is_needless(multiset)).count();
            let freed = self.tables[dropped..dropped + needless].iter_mut().map(|table| mem::take(table).bytes());
            effort.free(freed.sum());
            dropped += needless;
        }
        let before: u64 = self.tables[dropped..].iter().map(Table::bytes).sum();
        self.tables = tables;
        self.multisets = multisets;
        effort.free(before + working as u64);
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

/// What joins.
pub(super) struct Joined {
    /// Solutions; nothing where they are too many for the number.
    pub solutions: Option<u128>,
    /// The first multiset of the first side that is part of a solution.
    pub first: Option<u64>,
}

/// Counts the pairs. `multisets` are those of the first side, `found` is called with the count so far.
/// Errors: memory, ways that do not fit their numbers, or whoever asked to stop.
pub(super) fn join(
    sides: [&Side<'_>; 2],
    stock: &Stock,
    multisets: &[u64],
    effort: &Effort<'_>,
    found: &(dyn Fn(u128) + Sync),
) -> Result<Joined, Stop> {
    let cells = sides[0].cells.cells();
    effort.reserve((effort.threads * cells * size_of::<u64>()) as f64)?;
    let joined = Mutex::new(Joined { solutions: Some(0), first: None });
    effort.share(
        multisets.len(),
        || vec![0_u64; cells],
        |across, index| {
            let multiset = multisets[index];
            let (mut solutions, mut overflow) = (0_u128, fill(sides[1], stock.all() - multiset, across));
            sides[0].finish(multiset, |cell, ways| {
                let (sum, is_over) = solutions.overflowing_add(u128::from(across[cell]) * u128::from(ways));
                solutions = sum;
                overflow |= is_over;
            });
            if overflow {
                effort.overflows();
            }
            if solutions > 0
                && let Ok(mut joined) = joined.lock()
            {
                joined.solutions = joined.solutions.and_then(|so_far| so_far.checked_add(solutions));
                joined.first = Some(joined.first.map_or(multiset, |first| first.min(multiset)));
                found(joined.solutions.unwrap_or(u128::MAX));
            }
        },
    );
    match effort.stopped() {
        Some(stop) => Err(stop),
        None => joined.into_inner().map_err(|_| Stop::Overflow),
    }
}

/// The first cell of the first side in which a multiset of that side is part of a solution.
pub(super) fn meeting(sides: [&Side<'_>; 2], stock: &Stock, multiset: u64) -> Option<usize> {
    let mut across = vec![0; sides[0].cells.cells()];
    fill(sides[1], stock.all() - multiset, &mut across);
    let mut met = None;
    sides[0].finish(multiset, |cell, _| {
        if across[cell] > 0 {
            met = Some(met.map_or(cell, |first: usize| first.min(cell)));
        }
    });
    met
}

/// The ways of the second side by the cell of the first that it completes: at each vertex what one side has is what the other
/// lacks, so that both have the same cells in opposite order. Returns whether ways became too many for their number.
fn fill(side: &Side<'_>, multiset: u64, across: &mut [u64]) -> bool {
    across.fill(0);
    let (last, mut overflow) = (across.len() - 1, false);
    side.finish(multiset, |cell, ways| {
        let (sum, is_over) = across[last - cell].overflowing_add(ways);
        across[last - cell] = sum;
        overflow |= is_over;
    });
    overflow
}
