//! Tantrix: board shapes and smaller boards from seeds, exhaustive search on a board, all solutions on the open plane.

mod exhaust;
mod natural;
pub mod shapes;

pub use exhaust::exhaust;
pub use natural::{Count, Laid, MOST_COUNTED, count_natural, count_on_board, enumerate_natural, enumerate_on_board};
pub use shapes::{Smaller, smaller};
