//! In which ways a closed line lies on a board.

use super::outline::Outline;
use puzzle::hex::Axial;
use puzzle::tantrix::Board;

/// A way in which a line lies on a board: turned counterclockwise by so many steps of 60 degrees and then moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fit {
    pub turns: usize,
    pub by: (i32, i32),
}

/// A board to lay lines on.
#[derive(Clone, Copy)]
pub(super) struct Room<'a> {
    board: &'a Board,
    extent: [i32; 3],
}

impl<'a> Room<'a> {
    pub fn on(board: &'a Board) -> Self {
        Self { board, extent: extent(board.places()) }
    }

    /// Every way in which a line lies on the board, turned by less than what carries it into itself: so each solution
    /// of the line comes up once.
    pub fn fits(self, outline: &Outline) -> impl Iterator<Item = Fit> {
        (0..6 / outline.symmetry).flat_map(move |turns| {
            let turned: Vec<Axial> = outline.places.iter().map(|place| place.at.turned(turns)).collect();
            let small = extent(&turned).iter().zip(self.extent).all(|(&length, room)| length <= room);
            let starts: &[Axial] = if small { self.board.places() } else { &[] };
            starts.iter().filter_map(move |start| {
                let by = (start.q - turned[0].q, start.r - turned[0].r);
                let lies = turned.iter().all(|at| self.board.number(at.moved(by)).is_some());
                lies.then_some(Fit { turns, by })
            })
        })
    }
}

/// Number of rows between the outermost places, along each axis.
fn extent(places: &[Axial]) -> [i32; 3] {
    std::array::from_fn(|axis| {
        let rows = || places.iter().map(|at| at.rows()[axis]);
        rows().max().unwrap_or(0) - rows().min().unwrap_or(0)
    })
}
