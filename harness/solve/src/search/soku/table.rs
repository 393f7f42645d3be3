//! What a game is to the search: the triples that tiles can show (options) as bits, and for every state of a vertex the
//! options that may still lie around it.

use puzzle::soku::Soku;

/// A set of options.
pub(super) type Set<const W: usize> = [u64; W];

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

/// What does not change while a game is searched, nor between games of one field and the same tiles.
#[derive(Debug, Clone)]
pub(super) struct Table<const W: usize> {
    pub faces: Vec<[u32; 3]>,
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
                set[index / 64] |= 1 << (index % 64);
            }
            set
        };
        let ranks = 0..weights.len() as u16;
        Self {
            faces: game.field.faces().iter().map(|corners| corners.map(|vertex| vertex as u32)).collect(),
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
        let mut set = self.at_most[corner][up_to - 1];
        if below > 0 {
            let less = &self.at_most[corner][below - 1];
            set.iter_mut().zip(less).for_each(|(word, less)| *word &= !less);
        }
        set
    }
}
