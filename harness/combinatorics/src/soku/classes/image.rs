//! Solutions under symmetries.

use super::{Classes, Records};

/// Orders of the corners of a face: its rotations, and those of its mirror image.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];

/// Knows what a solution of a board becomes under each symmetry.
#[derive(Debug, Clone)]
pub struct Images {
    /// By symmetry and face: which face comes to lie there, and in which order its corners.
    faces: Vec<[(u8, u8); 20]>,
    /// By order and option: the option.
    options: [Vec<u8>; 6],
}

impl Images {
    /// Makes the tables.
    #[must_use]
    pub fn new(classes: &Classes, records: &Records) -> Self {
        let order = |corners: &[usize; 3]| ORDERS.iter().position(|order| order == corners).unwrap_or(0) as u8;
        let faces = classes
            .symmetries()
            .iter()
            .map(|symmetry| std::array::from_fn(|face| (symmetry.faces[face] as u8, order(&symmetry.corners[face]))));
        let turned = |order: [usize; 3]| {
            let of = |weights: &[u8; 3]| records.option(order.map(|corner| weights[corner])).unwrap_or(0);
            records.weights().map(of).collect()
        };
        Self { faces: faces.collect(), options: ORDERS.map(turned) }
    }

    /// What lies on each face under a symmetry, by the number that [`Classes::canonical`] gives: options before and after.
    ///
    /// # Panics
    /// A symmetry or an option that there is not.
    #[must_use]
    #[inline]
    pub fn image(&self, symmetry: usize, options: &[u8; 20]) -> [u8; 20] {
        self.faces[symmetry]
            .map(|(face, order)| self.options[usize::from(order)][usize::from(options[usize::from(face)])])
    }
}
