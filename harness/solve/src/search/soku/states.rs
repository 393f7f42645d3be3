//! What a game is to the search: the triples that tiles can show (options) as bits, what a vertex lacks, and the options that
//! may therefore still lie around it.

use puzzle::soku::Soku;

use crate::search::sets::{Set, insert, union, without};

/// An option: a sort of tiles and the weights that it shows near the corners 0, 1, 2 of a face.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    pub sort: u16,
    pub weights: [u32; 3],
    /// The ranks of the weights among those that there are.
    pub ranks: [u16; 3],
    /// How extreme the weights are: the sum of their distances from the middle, each 3 for 0 and for the largest weight.
    pub extremes: i32,
}

/// A face: its place on the field, and its vertices.
#[derive(Debug, Clone, Copy)]
pub(super) struct Face {
    pub place: u32,
    pub corners: [u32; 3],
}

/// What does not change while a game is searched, nor between games of one field and the same tiles.
#[derive(Debug, Clone)]
pub(super) struct Table<const W: usize> {
    pub faces: Vec<Face>,
    /// Number of faces around each vertex.
    pub degrees: Vec<u32>,
    pub choices: Vec<Choice>,
    /// The options of each sort.
    pub sorts: Vec<Set<W>>,
    /// Number of tiles of each sort.
    pub counts: Vec<u16>,
    /// The weights that there are, ascending.
    pub weights: Vec<u32>,
    /// For each corner and rank: the options with this weight or a lesser one there.
    at_most: [Vec<Set<W>>; 3],
}

impl<const W: usize> Table<W> {
    pub fn new(game: &Soku) -> Self {
        let sorts = game.sorts();
        let mut weights: Vec<u32> = game.tiles.iter().flatten().copied().collect();
        weights.sort_unstable();
        weights.dedup();
        let rank = |weight: u32| weights.partition_point(|&other| other < weight) as u16;
        let largest = weights.last().map_or(1, |&weight| i64::from(weight.max(1)));
        let choices: Vec<Choice> = sorts
            .options()
            .map(|(sort, weights)| {
                let extremes = weights.map(|weight| (6 * i64::from(weight) / largest - 3).abs() as i32);
                Choice { sort: sort as u16, weights, ranks: weights.map(rank), extremes: extremes.iter().sum() }
            })
            .collect();
        let set = |holds: &dyn Fn(&Choice) -> bool| {
            let mut set = [0; W];
            for (index, _) in choices.iter().enumerate().filter(|(_, choice)| holds(choice)) {
                insert(&mut set, index);
            }
            set
        };
        let ranks = 0..weights.len() as u16;
        Self {
            faces: (0..)
                .zip(game.field.faces())
                .map(|(place, corners)| Face { place, corners: corners.map(|vertex| vertex as u32) })
                .collect(),
            degrees: (0..game.field.vertices().len()).map(|vertex| game.field.around(vertex).len() as u32).collect(),
            sorts: (0..sorts.all().len()).map(|sort| set(&|choice| usize::from(choice.sort) == sort)).collect(),
            counts: sorts.all().iter().map(|sort| sort.tiles.len() as u16).collect(),
            at_most: std::array::from_fn(|corner| {
                ranks.clone().map(|rank| set(&|choice| choice.ranks[corner] <= rank)).collect()
            }),
            choices,
            weights,
        }
    }

    /// The options that show a weight from `least` to `most` at a corner.
    pub fn between(&self, corner: usize, least: u32, most: u32) -> Set<W> {
        let below = self.weights.partition_point(|&weight| weight < least);
        let up_to = self.weights.partition_point(|&weight| weight <= most);
        if up_to <= below {
            return [0; W];
        }
        let set = self.at_most[corner][up_to - 1];
        if below > 0 { without(&set, &self.at_most[corner][below - 1]) } else { set }
    }
}

/// Costs of weights are in parts of a unit, so that everything is whole numbers; a unit is a third of the largest weight.
const UNIT: i64 = 64;

/// Rows of all vertex states may take so much memory, in bytes; else the states are looked at anew each time.
const MOST_ROWS: u64 = 48 << 20;

/// States of vertices: what one lacks (its capacity less the weights that lie around it) and how many faces around it are
/// open.
pub(super) trait States<const W: usize>: Clone + Send + Sync + 'static {
    type State: Copy + Send + Sync;

    /// A vertex with nothing around it; `None` if that can never be filled.
    fn start(&self, degree: u32, capacity: u32) -> Option<Self::State>;

    /// With a weight more. The weight is one that [`States::permitted`] leaves.
    fn after(&self, state: Self::State, weight: u32) -> Self::State;

    /// With that weight taken back.
    fn before(&self, state: Self::State, weight: u32) -> Self::State;

    /// The options that a vertex permits as each of the three corners of a face.
    fn permitted(&self, state: Self::State) -> [Set<W>; 3];

    /// What a weight (and its rank) costs: the square of its distance from what each open face would have to give on average, a little
    /// more above that than below.
    fn cost(&self, state: Self::State, weight: u32, rank: u16) -> i32;
}

/// All states in a table, with the options that leave a sum that can be reached by weights that there are.
#[derive(Debug, Clone)]
pub(super) struct Rows<const W: usize> {
    /// Rows of a number of open faces.
    stride: u32,
    sets: Vec<[Set<W>; 3]>,
    ranks: usize,
    costs: Vec<i32>,
    reachable: Vec<bool>,
}

impl<const W: usize> Rows<W> {
    /// The states of vertices that lack at most so much; `None` where they would take too much memory.
    pub fn new(table: &Table<W>, most: u32) -> Option<Self> {
        let degree = table.degrees.iter().copied().max().unwrap_or(0);
        let ranks = table.weights.len();
        let count = (u64::from(degree) + 1) * (u64::from(most) + 1);
        if count.saturating_mul(24 * W as u64 + 4 * ranks as u64 + 1) > MOST_ROWS {
            return None;
        }
        let stride = most + 1;
        let width = stride as usize;
        let mut reachable = vec![false; count as usize];
        reachable[0] = true;
        for row in width..reachable.len() {
            let (open, lacking) = (row / width, row % width);
            let from = |&weight: &u32| {
                lacking.checked_sub(weight as usize).is_some_and(|less| reachable[(open - 1) * width + less])
            };
            reachable[row] = table.weights.iter().any(from);
        }
        let (mut sets, mut costs) = (vec![[[0; W]; 3]; count as usize], Vec::with_capacity(count as usize * ranks));
        for (row, sets) in sets.iter_mut().enumerate() {
            let (open, lacking) = (row / width, row % width);
            for &weight in &table.weights {
                let fits = open > 0 && lacking >= weight as usize && reachable[row - width - weight as usize];
                if fits {
                    for (corner, set) in sets.iter_mut().enumerate() {
                        *set = union(set, &table.between(corner, weight, weight));
                    }
                }
                costs.push(cost(table, lacking as u32, open as u32, weight));
            }
        }
        Some(Self { stride, sets, ranks, costs, reachable })
    }
}

impl<const W: usize> States<W> for Rows<W> {
    type State = u32;

    fn start(&self, degree: u32, capacity: u32) -> Option<u32> {
        let row = degree * self.stride + capacity;
        (capacity < self.stride && self.reachable[row as usize]).then_some(row)
    }

    #[inline(always)]
    fn after(&self, row: u32, weight: u32) -> u32 {
        row - self.stride - weight
    }

    #[inline(always)]
    fn before(&self, row: u32, weight: u32) -> u32 {
        row + self.stride + weight
    }

    #[inline(always)]
    fn permitted(&self, row: u32) -> [Set<W>; 3] {
        self.sets[row as usize]
    }

    #[inline(always)]
    fn cost(&self, row: u32, _weight: u32, rank: u16) -> i32 {
        self.costs[row as usize * self.ranks + usize::from(rank)]
    }
}

/// For sums that are too large for a table: only the least and the largest weight say what can be reached.
#[derive(Debug, Clone)]
pub(super) struct Bounds<const W: usize> {
    table: Table<W>,
    least: u32,
    most: u32,
}

/// What a vertex lacks, and how many faces around it are open.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lack {
    sum: u32,
    open: u32,
}

impl<const W: usize> Bounds<W> {
    pub fn new(table: &Table<W>) -> Self {
        let (least, most) = (table.weights.first().copied(), table.weights.last().copied());
        Self { table: table.clone(), least: least.unwrap_or(0), most: most.unwrap_or(0) }
    }

    /// The least and the largest weight that may come next; none if the first is larger.
    fn range(&self, Lack { sum, open }: Lack) -> (u32, u32) {
        let others = u64::from(open.saturating_sub(1));
        let least = u64::from(sum).saturating_sub(others * u64::from(self.most));
        let most = u64::from(sum).checked_sub(others * u64::from(self.least));
        most.map_or((1, 0), |most| (least.min(u64::from(u32::MAX)) as u32, most as u32))
    }
}

impl<const W: usize> States<W> for Bounds<W> {
    type State = Lack;

    fn start(&self, degree: u32, capacity: u32) -> Option<Lack> {
        let state = Lack { sum: capacity, open: degree };
        let (least, most) = self.range(state);
        (least <= most.min(self.most) && most >= self.least).then_some(state)
    }

    fn after(&self, Lack { sum, open }: Lack, weight: u32) -> Lack {
        Lack { sum: sum - weight, open: open - 1 }
    }

    fn before(&self, Lack { sum, open }: Lack, weight: u32) -> Lack {
        Lack { sum: sum + weight, open: open + 1 }
    }

    fn permitted(&self, state: Lack) -> [Set<W>; 3] {
        let (least, most) = self.range(state);
        std::array::from_fn(|corner| self.table.between(corner, least, most))
    }

    fn cost(&self, Lack { sum, open }: Lack, weight: u32, _rank: u16) -> i32 {
        cost(&self.table, sum, open, weight)
    }
}

fn cost<const W: usize>(table: &Table<W>, lacking: u32, open: u32, weight: u32) -> i32 {
    let largest = table.weights.last().map_or(1, |&weight| i64::from(weight.max(1)));
    let share = 3 * UNIT * i64::from(lacking) / (i64::from(open.max(1)) * largest);
    let below = (share - 3 * UNIT * i64::from(weight) / largest).min(1 << 20);
    (below * below / UNIT - below / 8).min(1 << 20) as i32
}
