//! Rows and bounds that several families share.

use puzzle::tantrix::Colour;

use super::Builder;

impl Builder {
    /// Rows `stem_i`: each sort of tile is used as often as the challenge says (C2', B3).
    pub fn each_sort(&mut self, family: &'static str, stem: &str) {
        for i in 1..=self.tiles() {
            let terms = self.uses(i);
            let count = self.puzzle.tiles.sorts[i - 1].count as f64;
            self.model.add_row(family, format!("{stem}_{i}"), terms, count, count);
        }
    }

    /// Rows `stem_j_l`: lower <= y\[j,l\] <= d - 1 where edge l of place j lies on the rim of the board (C3, B4,
    /// B4+B5).
    pub fn rim_not_designated(&mut self, family: &'static str, stem: &str, lower: f64) {
        let (boundary, below): (Vec<_>, _) = (self.board().boundary().collect(), self.designated() - 1.0);
        for (j, l) in boundary {
            let y = self.y(j, l);
            self.model.add_row(family, format!("{stem}_{j}_{l}"), [(y, 1.0)], lower, below);
        }
    }

    /// Fixes to 0 every x\[i,j,k\] that shows the designated colour on the rim of the board (C4c, B45c).
    pub fn forbid_on_rim(&mut self) {
        let boundary: Vec<_> = self.board().boundary().collect();
        for (j, l) in boundary {
            for (var, _) in self.showing(j, l, self.puzzle.colour) {
                self.model.fix(var, 0.0);
            }
        }
    }

    /// A row: two touching edges (j, l) both show a colour, or neither does (C4c, B45c).
    pub fn same_colour(
        &mut self,
        family: &'static str,
        name: String,
        here: (usize, usize),
        there: (usize, usize),
        colour: Colour,
    ) {
        let beyond = self.showing(there.0, there.1, colour).into_iter().map(|(var, _)| (var, -1.0));
        let terms: Vec<_> = self.showing(here.0, here.1, colour).into_iter().chain(beyond).collect();
        self.model.add_row(family, name, terms, 0.0, 0.0);
    }
}
