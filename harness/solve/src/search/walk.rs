//! Plain backtracking that makes the designated line longer tile by tile, as published in King's blog: tile 1 first,
//! then at the end of the line the remaining tiles in order, each in the two ways in which its line joins. A tile stays
//! if its place is free and all its edges match; when the last one closes the loop, that is a solution.
//!
//! The post leaves open from which end of tile 1 the line goes on and which of the two ways comes first. Here tile 1
//! lies at (0, 0) in orientation 1, the line leaves it over the edge of the smaller number, and a tile is joined by its
//! edge of the smaller number (in orientation 1) first. So the loop of 16 tiles comes out that the post describes:
//! 1-2-3-4-5-6-7 at its beginning, a hole, and tiles 4 and 10 that can be exchanged. Its loop of 15 that begins with 1-5-3
//! does not: whichever end is taken and whichever way comes first, a loop that begins with 1-2 is found before.
//!
//! What the post does not have: the tiles in another order than that of their numbers, the first of which takes the part of
//! tile 1; copies of a sort (the repeated set), of which only one is tried at a time; boards, on which the first tile is tried on
//! every place in every orientation; and loops with a hole passed over where holes are unwanted.

use std::collections::HashSet;

use puzzle::hex::{Axial, holes};
use puzzle::tantrix::{Board, Colour, Sort};
use puzzle::{Placement, Puzzle};

use super::control::{Control, End, Explored, Random};
use super::places::{Parallelogram, label, tantrix};

/// Finds loops until there are no more, or `found` returns false. With a seed tiles are tried in a random order, not in that of their
/// numbers; with the first of them the line begins.
pub(super) fn walk(
    puzzle: &Puzzle,
    seed: Option<u64>,
    no_holes: bool,
    control: Control<'_>,
    found: &mut dyn FnMut(Vec<Placement>) -> bool,
) -> Explored {
    let (tiles, colour, board) = tantrix(puzzle);
    let mut sorts = tiles.sorts.clone();
    if let Some(seed) = seed {
        Random(seed).shuffle(&mut sorts);
    }
    let mut left: Vec<usize> = sorts.iter().map(|sort| sort.count).collect();
    let count = left.iter().sum();
    left[0] -= 1;
    let mut walk = Walk {
        pieces: pieces(&sorts, colour),
        designated: colour as u16,
        field: Field::new(board, count),
        left,
        count,
        line: Vec::with_capacity(count),
        no_holes,
        control,
        found,
    };
    let end = match board {
        None => walk.from(Axial { q: 0, r: 0 }, 1),
        Some(board) => {
            let starts = board.places().iter().flat_map(|&at| (1..=6).map(move |orientation| (at, orientation)));
            let mut ends = starts.map(|(at, orientation)| walk.from(at, orientation));
            ends.find(|&end| end != End::Exhausted).unwrap_or(End::Exhausted)
        }
    };
    walk.control.ended(end)
}

/// A tile in an orientation, and the edge (index) where the line leaves it.
#[derive(Clone, Copy)]
struct Piece {
    colours: u16,
    exit: usize,
    /// Number of the tile.
    tile: usize,
    orientation: usize,
}

/// A place of the line that is tried.
struct Link {
    cell: usize,
    /// Edge (index) where the line comes in.
    entry: usize,
    /// Number of the next piece to try: twice the sort, and which end.
    next: usize,
    /// The piece that lies, if one does.
    piece: Option<usize>,
}

struct Walk<'a, 'w> {
    /// By entry and number.
    pieces: [Vec<Piece>; 6],
    designated: u16,
    field: Field<'a>,
    left: Vec<usize>,
    count: usize,
    /// From the first tile on.
    line: Vec<Link>,
    no_holes: bool,
    control: Control<'w>,
    found: &'a mut dyn FnMut(Vec<Placement>) -> bool,
}

impl Walk<'_, '_> {
    /// All loops with the first tile at a place in an orientation.
    fn from(&mut self, at: Axial, orientation: usize) -> End {
        // The first tile comes in by its second end, so that it leaves by the first.
        let first = self.pieces.iter().enumerate().find(|(_, pieces)| pieces[1].orientation == orientation);
        let (Some((entry, pieces)), cell) = (first, self.field.around.index(at)) else { return End::Exhausted };
        let first = pieces[1];
        if self.control.is_late() {
            return End::OutOfTime;
        }
        self.control.count();
        if !self.field.fits(cell, first.colours, self.designated) {
            return End::Exhausted;
        }
        self.line.push(Link { cell, entry, next: 2, piece: None });
        self.lay(1);
        let end = self.go(cell, first);
        if end == End::Exhausted {
            self.take_back();
            self.line.pop();
        }
        end
    }

    /// All loops that go on behind the first tile.
    fn go(&mut self, start: usize, first: Piece) -> End {
        self.go_on(start, first);
        loop {
            if self.control.is_late() {
                return End::OutOfTime;
            }
            if self.line.len() == 1 {
                return End::Exhausted;
            }
            self.take_back();
            let Some(number) = self.next_that_fits() else {
                self.line.pop();
                continue;
            };
            self.lay(number);
            let Some(link) = self.line.last() else { return End::Exhausted };
            let (cell, piece) = (link.cell, self.pieces[link.entry][number]);
            if self.line.len() < self.count {
                self.go_on(cell, piece);
            } else if self.field.beyond(cell, piece.exit) == start && !self.report() {
                return End::Stopped;
            }
        }
    }

    /// Opens the place where the line goes on, if it is free; else the piece is of no use.
    fn go_on(&mut self, cell: usize, piece: Piece) {
        let next = self.field.beyond(cell, piece.exit);
        if self.field.cells[next] == FREE {
            self.line.push(Link { cell: next, entry: (piece.exit + 3) % 6, next: 0, piece: None });
        }
    }

    /// The next piece at the end of the line that stays.
    fn next_that_fits(&mut self) -> Option<usize> {
        let link = self.line.last_mut()?;
        let pieces = &self.pieces[link.entry];
        for (number, piece) in pieces.iter().enumerate().skip(link.next) {
            if self.left[number / 2] == 0 {
                continue;
            }
            self.control.count();
            if self.field.fits(link.cell, piece.colours, self.designated) {
                link.next = number + 1;
                return Some(number);
            }
        }
        None
    }

    fn lay(&mut self, number: usize) {
        let Some(link) = self.line.last_mut() else { return };
        link.piece = Some(number);
        self.field.cells[link.cell] = self.pieces[link.entry][number].colours;
        if self.line.len() > 1 {
            self.left[number / 2] -= 1;
        }
        let Self { control, line, pieces, field, .. } = self;
        control.step(|| placements(line, pieces, field));
    }

    /// Takes the tile at the end of the line back, if one lies there.
    fn take_back(&mut self) {
        let is_first = self.line.len() == 1;
        let Some(link) = self.line.last_mut() else { return };
        let Some(number) = link.piece.take() else { return };
        self.field.cells[link.cell] = FREE;
        self.control.backtracks += 1;
        if !is_first {
            self.left[number / 2] += 1;
        }
        let Self { control, line, pieces, field, .. } = self;
        control.step(|| placements(line, pieces, field));
    }

    /// Reports a solution; false if that was enough.
    fn report(&mut self) -> bool {
        if self.no_holes {
            let filled: HashSet<Axial> = self.line.iter().map(|link| self.field.around.at(link.cell)).collect();
            if !holes(&filled).is_empty() {
                return true;
            }
        }
        (self.found)(placements(&self.line, &self.pieces, &self.field))
    }
}

fn placements(line: &[Link], pieces: &[Vec<Piece>; 6], field: &Field) -> Vec<Placement> {
    let placement = |link: &Link| {
        let Piece { tile, orientation, .. } = pieces[link.entry][link.piece?];
        Some(Placement { place: label(field.board, field.around.at(link.cell)), tile, orientation })
    };
    line.iter().filter_map(placement).collect()
}

/// For each edge where a line comes in: every tile, joined by the first end of its line and by the second.
fn pieces(sorts: &[Sort], colour: Colour) -> [Vec<Piece>; 6] {
    std::array::from_fn(|entry| {
        let mut pieces = Vec::with_capacity(2 * sorts.len());
        for tile in sorts.iter().map(|sort| sort.tile) {
            let Some(line) = tile.line(1, colour) else { continue };
            for (joined, other) in [line.edges, (line.edges.1, line.edges.0)] {
                // Orientation 1 + k shows on edge l what orientation 1 shows on edge l + k.
                let turn = (joined + 5 - entry) % 6;
                let colours = laid(std::array::from_fn(|edge| tile.colour(turn + 1, edge + 1)));
                let (exit, tile) = ((other + 5 - turn) % 6, tile.number);
                pieces.push(Piece { colours, exit, tile, orientation: turn + 1 });
            }
        }
        pieces
    })
}

const FREE: u16 = 0;
const BLOCKED: u16 = 1 << 12;
/// Something lies here; the colours of the six edges in the bits below, two each.
const LAID: u16 = 1 << 13;

/// Cells around a board, or around (0, 0) where there is none.
struct Field<'a> {
    /// What lies in each cell.
    cells: Vec<u16>,
    /// From a cell to that beyond edge 1, 2, ..., 6.
    steps: [isize; 6],
    around: Parallelogram,
    board: Option<&'a Board>,
}

impl<'a> Field<'a> {
    /// The places of a board, or as much of the plane as a line of so many tiles from (0, 0) can reach.
    fn new(board: Option<&'a Board>, tiles: usize) -> Self {
        let reach = i32::try_from(tiles).unwrap_or(i32::MAX / 4) + 1;
        let around: Parallelogram = match board {
            Some(board) => board.places().iter().copied().collect::<Parallelogram>().grown(1),
            None => [Axial { q: 0, r: 0 }].into_iter().collect::<Parallelogram>().grown(reach),
        };
        let along = around.width() as isize;
        let mut cells = vec![if board.is_some() { BLOCKED } else { FREE }; around.size()];
        for &at in board.into_iter().flat_map(Board::places) {
            cells[around.index(at)] = FREE;
        }
        Self { cells, steps: [1, along, along - 1, -1, -along, 1 - along], around, board }
    }

    /// The cell beyond an edge (index).
    #[inline(always)]
    fn beyond(&self, cell: usize, edge: usize) -> usize {
        cell.wrapping_add_signed(self.steps[edge])
    }

    /// Whether a tile of these colours matches all that it would touch.
    #[inline(always)]
    fn fits(&self, cell: usize, tile: u16, designated: u16) -> bool {
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
fn laid(colours: [Colour; 6]) -> u16 {
    colours.iter().enumerate().fold(LAID, |all, (edge, &colour)| all | (colour as u16) << (2 * edge))
}
