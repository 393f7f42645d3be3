//! The places of a board with their neighbours, as searches see them.

use puzzle::Puzzle;
use puzzle::hex::Axial;
use puzzle::tantrix::{Board, Colour, TileSet};

/// Tiles, colour and board of a Tantrix; no board on the open plane.
pub(crate) fn tantrix(puzzle: &Puzzle) -> (&TileSet, Colour, Option<&Board>) {
    match puzzle {
        Puzzle::TantrixFixed(puzzle) | Puzzle::TantrixBounded(puzzle) => {
            (&puzzle.tiles, puzzle.colour, Some(&puzzle.board))
        }
        Puzzle::TantrixNatural(puzzle) => (&puzzle.tiles, puzzle.colour, None),
        other => unreachable!("{} has no designated colour", other.kind()),
    }
}

/// Beyond the board.
pub(super) const NOWHERE: u32 = u32::MAX;

pub(super) struct Places {
    /// By place the places beyond its edges, or [`NOWHERE`].
    pub beyond: Vec<[u32; 6]>,
    /// Where each lies.
    pub at: Vec<Axial>,
    /// The number by which users know each.
    pub labels: Vec<usize>,
    /// The numbers of the places, row by row in the smallest parallelogram around them.
    grid: Vec<u32>,
    around: Parallelogram,
}

impl Places {
    /// Places of a board, or of the open plane.
    pub fn new(at: Vec<Axial>, board: Option<&Board>) -> Self {
        let around = at.iter().copied().collect::<Parallelogram>();
        let labels = at.iter().map(|&at| label(board, at)).collect();
        let mut places = Self { beyond: Vec::new(), labels, grid: vec![NOWHERE; around.size()], at, around };
        for (&at, number) in places.at.iter().zip(0..) {
            places.grid[places.around.index(at)] = number;
        }
        let beyond = |at: &Axial| std::array::from_fn(|edge| places.number(at.neighbour(edge + 1)));
        places.beyond = places.at.iter().map(beyond).collect();
        places
    }

    /// The number of a place, or [`NOWHERE`].
    pub fn number(&self, at: Axial) -> u32 {
        if self.around.contains(at) { self.grid[self.around.index(at)] } else { NOWHERE }
    }
}

/// The number by which users know a place of a board, or of the open plane.
pub(super) fn label(board: Option<&Board>, at: Axial) -> usize {
    board.map_or_else(|| at.ring_number(), |board| board.number(at).unwrap_or(0))
}

/// The places of so many rings around (0, 0), from the centre outwards.
pub(super) fn hexagon(rings: usize) -> Vec<Axial> {
    (1..=3 * rings * (rings + 1) + 1).filter_map(Axial::from_ring_number).collect()
}

/// All places between two values of each coordinate.
#[derive(Clone, Copy)]
pub(super) struct Parallelogram {
    least: Axial,
    most: Axial,
}

impl Parallelogram {
    pub fn contains(&self, at: Axial) -> bool {
        let Self { least, most } = self;
        least.q <= at.q && at.q <= most.q && least.r <= at.r && at.r <= most.r
    }

    pub fn iter(self) -> impl Iterator<Item = Axial> {
        let Self { least, most } = self;
        (least.r..=most.r).flat_map(move |r| (least.q..=most.q).map(move |q| Axial { q, r }))
    }

    /// The same with so many rows and columns more on each side.
    pub fn grown(self, by: i32) -> Self {
        let Self { least, most } = self;
        Self { least: Axial { q: least.q - by, r: least.r - by }, most: Axial { q: most.q + by, r: most.r + by } }
    }

    pub fn width(&self) -> usize {
        usize::try_from(self.most.q - self.least.q + 1).unwrap_or(0)
    }

    pub fn size(&self) -> usize {
        usize::try_from(self.most.r - self.least.r + 1).unwrap_or(0) * self.width()
    }

    /// The number of a place, row by row.
    pub fn index(&self, at: Axial) -> usize {
        (at.r - self.least.r) as usize * self.width() + (at.q - self.least.q) as usize
    }

    /// The place of a number.
    pub fn at(&self, index: usize) -> Axial {
        Axial { q: (index % self.width()) as i32 + self.least.q, r: (index / self.width()) as i32 + self.least.r }
    }
}

/// The smallest around some places; around none it has no place.
impl FromIterator<Axial> for Parallelogram {
    fn from_iter<I: IntoIterator<Item = Axial>>(places: I) -> Self {
        let nothing = Self { least: Axial { q: 0, r: 0 }, most: Axial { q: -1, r: -1 } };
        let widened = |around: Option<Self>, at: Axial| {
            let Self { least, most } = around.unwrap_or(Self { least: at, most: at });
            Some(Self {
                least: Axial { q: least.q.min(at.q), r: least.r.min(at.r) },
                most: Axial { q: most.q.max(at.q), r: most.r.max(at.r) },
            })
        };
        places.into_iter().fold(None, widened).unwrap_or(nothing)
    }
}
