//! Tantrix: board shapes and smaller boards from seeds, all solutions on the open plane or on a board.

mod natural;
pub mod shapes;

pub use natural::{Count, Laid, MOST_COUNTED, count_natural, count_on_board, enumerate_natural, enumerate_on_board};
pub use shapes::{Smaller, smaller};
