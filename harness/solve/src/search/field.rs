//! The lattice as an array of cells, for searches that lay tiles beside tiles.

use puzzle::Puzzle;
use puzzle::hex::Axial;
use puzzle::tantrix::{Board, Colour, TileSet};

/// Nothing lies here.
pub(super) const FREE: u16 = 0;
/// Off the board.
pub(super) const BLOCKED: u16 = 1 << 12;
/// Something lies here; the colours of the six edges in the bits below, two each.
const LAID: u16 = 1 << 13;

/// Cells around a board, or around (0, 0) where there is none.
pub(super) struct Field<'a> {
    /// What lies in each cell.
    pub cells: Vec<u16>,
    /// From a cell to that beyond edge 1, 2, ..., 6.
    pub steps: [isize; 6],
    side: usize,
    origin: Axial,
    board: Option<&'a Board>,
}

impl<'a> Field<'a> {
    /// The places of a board, or as much of the plane as a line of so many tiles from (0, 0) can reach.
    pub fn new(board: Option<&'a Board>, tiles: usize) -> Self {
        let reach = i32::try_from(tiles).unwrap_or(i32::MAX / 4) + 1;
        let all = || board.into_iter().flat_map(Board::places);
        let least = |f: fn(&Axial) -> i32| all().map(f).min().map_or(-reach, |least| least - 1);
        let most = |f: fn(&Axial) -> i32| all().map(f).max().map_or(reach, |most| most + 1);
        let origin = Axial { q: least(|at| at.q), r: least(|at| at.r) };
        let side = (most(|at| at.q) - origin.q + 1) as usize;
        let rows = (most(|at| at.r) - origin.r + 1) as usize;
        let along = side as isize;
        let mut field = Self {
            cells: vec![if board.is_some() { BLOCKED } else { FREE }; side * rows],
            steps: [1, along, along - 1, -1, -along, 1 - along],
            side,
            origin,
            board,
        };
        for &at in all() {
            let cell = field.cell(at);
            field.cells[cell] = FREE;
        }
        field
    }

    pub fn cell(&self, at: Axial) -> usize {
        (at.r - self.origin.r) as usize * self.side + (at.q - self.origin.q) as usize
    }

    pub fn at(&self, cell: usize) -> Axial {
        Axial { q: (cell % self.side) as i32 + self.origin.q, r: (cell / self.side) as i32 + self.origin.r }
    }

    /// The number by which users know the place of a cell.
    pub fn place(&self, cell: usize) -> usize {
        let at = self.at(cell);
        self.board.map_or_else(|| at.ring_number(), |board| board.number(at).unwrap_or(0))
    }

    /// The cell beyond an edge (index).
    #[inline(always)]
    pub fn beyond(&self, cell: usize, edge: usize) -> usize {
        cell.wrapping_add_signed(self.steps[edge])
    }

    /// Whether a tile of these colours matches all that it would touch.
    #[inline(always)]
    pub fn fits(&self, cell: usize, tile: u16, designated: u16) -> bool {
        (0..6).all(|edge| {
            let shown = tile >> (2 * edge) & 3;
            match self.cells[self.beyond(cell, edge)] {
                FREE => true,
                BLOCKED => shown != designated,
                other => other >> (2 * ((edge + 3) % 6)) & 3 == shown,
            }
        })
    }
}

/// The content of a cell with these colours on its edges.
pub(super) fn laid(colours: [Colour; 6]) -> u16 {
    colours.iter().enumerate().fold(LAID, |all, (edge, &colour)| all | (colour as u16) << (2 * edge))
}

/// Tiles, colour and board of a Tantrix; no board on the open plane.
///
/// # Panics
/// On another puzzle.
pub(super) fn parts(puzzle: &Puzzle) -> (&TileSet, Colour, Option<&Board>) {
    match puzzle {
        Puzzle::TantrixFixed(puzzle) | Puzzle::TantrixBounded(puzzle) => {
            (&puzzle.tiles, puzzle.colour, Some(&puzzle.board))
        }
        Puzzle::TantrixNatural(puzzle) => (&puzzle.tiles, puzzle.colour, None),
        Puzzle::Soku(_) => unreachable!("3SoKu has no colours"),
    }
}
