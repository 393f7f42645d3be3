//! The search of M. De Biasi's IcoSoKu solver in JavaScript, as Rizzo describes it (CSP Modeling of IcoSoKu, section 1.3):
//! the free face whose vertices lack least comes next, and the tiles that are left are tried on it in lexicographic order of
//! their triples, equivalent ones once; deterministic, and nothing but that.
//!
//! The description leaves open which sum says what is lacking (here that of the three vertices), which of equal faces comes
//! first (here the first), whether a tile and its rotations follow each other (here they do, least triple first), and
//! what is noticed when a tile is laid. Here no weight exceeds what a vertex lacks, and the last tile around a vertex has
//! to give exactly that: without this second rule few boards are solved in an instant, and Rizzo says that most were.

use puzzle::Placement;
use puzzle::soku::{Soku, placements_so_far, rotated};

use crate::search::control::{Control, End, Explored};

struct Search<'a, 'w> {
    game: &'a Soku,
    /// Sort and weights.
    options: Vec<(usize, [u32; 3])>,
    left: Vec<usize>,
    lacking: Vec<u32>,
    /// Free faces around each vertex.
    free: Vec<usize>,
    shown: Vec<Option<[u32; 3]>>,
    control: Control<'w>,
}

struct Level {
    face: usize,
    /// The next option to try.
    next: usize,
    /// The option that lies.
    laid: Option<usize>,
}

/// Finds solutions until there are no more, or `found` returns false.
pub(super) fn search(game: &Soku, control: Control<'_>, found: &mut dyn FnMut(Vec<Placement>) -> bool) -> Explored {
    let sorts = game.sorts();
    let mut search = Search {
        game,
        options: sorts.options().collect(),
        left: sorts.all().iter().map(|sort| sort.tiles.len()).collect(),
        lacking: game.capacity.clone(),
        free: (0..game.field.vertices().len()).map(|vertex| game.field.around(vertex).len()).collect(),
        shown: vec![None; game.tiles.len()],
        control,
    };
    for placed in &game.placed {
        let shown = rotated(game.tiles[placed.tile - 1], placed.orientation);
        let option = search.options.iter().position(|(_, weights)| *weights == shown);
        match option.filter(|&option| search.fits(placed.place - 1, option)) {
            Some(option) => search.lay(placed.place - 1, option),
            None => return search.control.ended(End::Exhausted),
        }
    }
    let end = search.go(found);
    search.control.ended(end)
}

impl Search<'_, '_> {
    fn go(&mut self, found: &mut dyn FnMut(Vec<Placement>) -> bool) -> End {
        let mut levels: Vec<Level> = Vec::new();
        loop {
            if self.control.is_late() {
                return End::OutOfTime;
            }
            match self.neediest_last() {
                Some(face) => levels.push(Level { face, next: 0, laid: None }),
                // Vertices without a face of their own are none, so that every one was filled by its last tile.
                None if !found(placements_so_far(self.game, &self.shown).unwrap_or_default()) => return End::Stopped,
                None => {}
            }
            loop {
                let Some(level) = levels.last_mut() else { return End::Exhausted };
                let (face, next) = (level.face, level.next);
                if let Some(option) = level.laid.take() {
                    self.take_back(face, option);
                    self.control.backtracks += 1;
                    self.show();
                }
                let Some(option) = (next..self.options.len()).find(|&option| self.fits(face, option)) else {
                    levels.pop();
                    continue;
                };
                (level.next, level.laid) = (option + 1, Some(option));
                self.lay(face, option);
                self.control.count();
                self.show();
                break;
            }
        }
    }

    /// The free face whose vertices lack least.
    fn neediest_last(&self) -> Option<usize> {
        let lacking = |face: usize| -> u64 {
            self.game.field.faces()[face].iter().map(|&vertex| u64::from(self.lacking[vertex])).sum()
        };
        (0..self.shown.len()).filter(|&face| self.shown[face].is_none()).min_by_key(|&face| lacking(face))
    }

    fn fits(&self, face: usize, option: usize) -> bool {
        let (sort, weights) = self.options[option];
        let corners = self.game.field.faces()[face].iter().zip(weights);
        self.left[sort] > 0 && { corners }.all(|(&vertex, weight)| {
            let lacking = self.lacking[vertex];
            if self.free[vertex] == 1 { weight == lacking } else { weight <= lacking }
        })
    }

    fn lay(&mut self, face: usize, option: usize) {
        let (sort, weights) = self.options[option];
        for (&vertex, weight) in self.game.field.faces()[face].iter().zip(weights) {
            self.lacking[vertex] -= weight;
            self.free[vertex] -= 1;
        }
        self.left[sort] -= 1;
        self.shown[face] = Some(weights);
    }

    fn take_back(&mut self, face: usize, option: usize) {
        let (sort, weights) = self.options[option];
        for (&vertex, weight) in self.game.field.faces()[face].iter().zip(weights) {
            self.lacking[vertex] += weight;
            self.free[vertex] += 1;
        }
        self.left[sort] += 1;
        self.shown[face] = None;
    }

    fn show(&mut self) {
        let (game, shown) = (self.game, &self.shown);
        self.control.step(|| placements_so_far(game, shown).unwrap_or_default());
    }
}
