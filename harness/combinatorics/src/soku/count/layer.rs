//! States by numbers: which sums there may be at the open vertices once the first faces of an order have tiles, and what another tile
//! makes of them.
//!
//! A vertex is open if some of its faces have tiles and others do not. A cell is one sum for each open vertex, as a number in a mixed
//! radix: first the open vertices of the face that comes next (they make the cell's group), then the others (they make its key). A
//! tile on the next face changes the group alone, so that all cells of a group move by the same distance.

use super::job::Job;
use super::sums::Sums;

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
        let (around, degrees) = (laid_around(job, &order[..laid]), job.degrees());
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
        let (around, degrees) = (laid_around(job, &order[..laid]), job.degrees());
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

/// How many of some faces meet at each vertex.
pub(super) fn laid_around(job: &Job, faces: &[usize]) -> Vec<usize> {
    let mut around = vec![0; job.capacity.len()];
    for &vertex in faces.iter().flat_map(|&face| &job.faces[face]) {
        around[vertex] += 1;
    }
    around
}
