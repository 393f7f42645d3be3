//! The variables of a board as a linear model, and terms that families share.

use std::collections::HashMap;

use puzzle::hex::{EDGES, opposite};
use puzzle::tantrix::{Board, BoardTantrix, Colour, Line, Tile};

use crate::error::{self, ModelError};
use crate::ir::{Domain, Model, Term, VarId};

/// A model under construction: the puzzle, the variables, the rows so far.
///
/// Indices are the papers': tile i, place j, orientation k, edge l, all from 1.
pub(crate) struct Builder {
    pub puzzle: BoardTantrix,
    pub model: Model,
    /// Whether every place has a tile.
    pub full: bool,
    tiles: Vec<Tile>,
    /// The variables that there are beside the x.
    pub(super) derived: HashMap<Derived, VarId>,
}

/// Whether a model may have the x of so many tile indices and places; asked before anything of that size is built.
pub(super) fn check_size(tiles: usize, places: usize) -> Result<(), ModelError> {
    error::check_size(tiles, places, tiles.saturating_mul(places).saturating_mul(6))
}

/// A variable that follows from the x.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Derived {
    Y(usize, usize),
    Z(usize, usize),
    O(usize),
    /// Of two places, the lesser first.
    U(usize, usize),
    /// Of a touching edge as its first place sees it, and a colour.
    E(usize, usize, Colour),
    /// Whether the loop leaves the place by the edge.
    Arc(usize, usize),
    /// How far along the loop the place is.
    Rank(usize),
    /// What flows out of the place by the edge, towards all places or one.
    Flow(Option<usize>, usize, usize),
}

impl Builder {
    /// Starts a model with the variables x\[i,j,k\]: tile i lies on place j in orientation k.
    ///
    /// `full`: every place has a tile (fixed boards), else at most one. `distinguished`: i = 1..=n, each tile for
    /// itself (C2); else i is one of the sorts (C2', B3).
    pub fn new(puzzle: BoardTantrix, full: bool, distinguished: bool) -> Self {
        // Copies come round by round, so that tile i is of sort (i - 1) mod 10 + 1, as in section 4.1.
        let rounds = puzzle.tiles.sorts.iter().map(|s| s.count).max().unwrap_or(0);
        let tiles: Vec<Tile> = (0..if distinguished { rounds } else { 1 })
            .flat_map(|round| puzzle.tiles.sorts.iter().filter(move |s| s.count > round))
            .map(|sort| sort.tile)
            .collect();
        let mut model = Model::default();
        for i in 1..=tiles.len() {
            for j in puzzle.board.numbers() {
                for k in 1..=6 {
                    model.add_variable(format!("x_{i}_{j}_{k}"), Domain::Binary, 0.0, 1.0);
                }
            }
        }
        Self { puzzle, model, full, tiles, derived: HashMap::new() }
    }

    pub fn board(&self) -> &Board {
        &self.puzzle.board
    }

    pub fn tile(&self, i: usize) -> &Tile {
        &self.tiles[i - 1]
    }

    /// Number of tile indices: n under C2, the number of sorts under C2' and B3.
    pub fn tiles(&self) -> usize {
        self.tiles.len()
    }

    /// x\[i,j,k\].
    pub fn x(&self, i: usize, j: usize, k: usize) -> VarId {
        VarId(((i - 1) * self.puzzle.board.len() + j - 1) * 6 + k - 1)
    }

    /// Terms 1 * x\[i,j,k\] of tile i on any place in any orientation.
    pub fn uses(&self, i: usize) -> Vec<Term> {
        self.board().numbers().flat_map(|j| (1..=6).map(move |k| (self.x(i, j, k), 1.0))).collect()
    }

    /// Terms 1 * x\[i,j,k\] over all (i, k) whose tile in that orientation satisfies a condition.
    pub fn turned(&self, j: usize, condition: impl Fn(&Tile, usize) -> bool) -> Vec<Term> {
        let all = (1..=self.tiles()).flat_map(|i| (1..=6).map(move |k| (i, k)));
        all.filter(|&(i, k)| condition(self.tile(i), k)).map(|(i, k)| (self.x(i, j, k), 1.0)).collect()
    }

    /// Terms 1 * x\[i,j,k\] of any tile on place j in any orientation.
    pub fn lying(&self, j: usize) -> Vec<Term> {
        self.turned(j, |_, _| true)
    }

    /// Terms 1 * x\[i,j,k\] over all (i, k) that show a colour on edge l of place j.
    pub fn showing(&self, (j, l): (usize, usize), colour: Colour) -> Vec<Term> {
        self.turned(j, |tile, k| tile.colour(k, l) == colour)
    }

    /// Terms 1 * x\[i,j,k\] over all (i, k) whose designated line joins these two edges of place j.
    pub fn joining(&self, j: usize, edges: (usize, usize)) -> Vec<Term> {
        let wanted = Line { edges: (edges.0.min(edges.1), edges.0.max(edges.1)) };
        self.turned(j, |tile, k| tile.line(k, self.puzzle.colour) == Some(wanted))
    }

    /// The paper's colour number c: the designated colour has the highest (3 where there are three
    /// colours), the others 1, 2, ... in the order of [`Colour::ALL`].
    pub fn colour_number(&self, colour: Colour) -> usize {
        if colour == self.puzzle.colour {
            return self.colours().len();
        }
        let others = self.colours().into_iter().filter(|&c| c != self.puzzle.colour);
        others.take_while(|&c| c != colour).count() + 1
    }

    /// Adds a variable beside the x, with its bounds.
    pub fn add(&mut self, derived: Derived, name: String, (lower, upper): (f64, f64)) -> VarId {
        let domain = if (lower, upper) == (0.0, 1.0) { Domain::Binary } else { Domain::Integer };
        let var = self.model.add_variable(name, domain, lower, upper);
        self.derived.insert(derived, var);
        var
    }

    /// The colours that appear on the tiles.
    pub fn colours(&self) -> Vec<Colour> {
        self.puzzle.tiles.colours()
    }

    /// Number of the designated colour: 3 where there are three colours.
    pub fn designated(&self) -> f64 {
        self.colours().len() as f64
    }

    /// y\[j,l\], the colour number on edge l of place j (section 4.1), 0 where the place is empty. The first call adds
    /// all of them with their defining rows y\[j,l\] = sum c(i,k,l) x\[i,j,k\].
    pub fn y(&mut self, j: usize, l: usize) -> VarId {
        if !self.derived.contains_key(&Derived::Y(j, l)) {
            self.add_y();
        }
        self.derived[&Derived::Y(j, l)]
    }

    fn add_y(&mut self) {
        let numbers: Vec<[f64; 6]> = (1..=self.tiles())
            .map(|i| EDGES.map(|edge| self.colour_number(self.tile(i).colour(1, edge)) as f64))
            .collect();
        let least = if self.full { 1.0 } else { 0.0 };
        for (j, l) in self.puzzle.board.numbers().flat_map(|j| EDGES.map(|l| (j, l))) {
            let var = self.add(Derived::Y(j, l), format!("y_{j}_{l}"), (least, self.designated()));
            let mut terms = vec![(var, -1.0)];
            for i in 1..=self.tiles() {
                // Orientation k shows on edge l what orientation 1 shows k - 1 edges further on.
                terms.extend((1..=6).map(|k| (self.x(i, j, k), numbers[i - 1][(l + k - 2) % 6])));
            }
            self.model.equal("y", format!("y_{j}_{l}_is"), terms, 0.0);
        }
    }

    /// z\[j,l\], 1 where edge l of place j shows the designated colour (section 4.4), with the two rows that
    /// tie it to y: z <= (y - 1) / (d - 1) and z >= y - (d - 1), where d = 3 is the designated number. Where places
    /// may be empty y may be 0, and the first is z <= y / d.
    ///
    /// The rows are written without fractions.
    pub fn z(&mut self, family: &'static str, j: usize, l: usize) -> VarId {
        if let Some(&var) = self.derived.get(&Derived::Z(j, l)) {
            return var;
        }
        let (y, below) = (self.y(j, l), self.designated() - 1.0);
        let z = self.add(Derived::Z(j, l), format!("z_{j}_{l}"), (0.0, 1.0));
        let (factor, most) = if self.full { (below, -1.0) } else { (below + 1.0, 0.0) };
        self.model.at_most(family, format!("{family}_z_{j}_{l}_only_if"), [(z, factor), (y, -1.0)], most);
        self.model.at_most(family, format!("{family}_z_{j}_{l}_if"), [(y, 1.0), (z, -1.0)], below);
        z
    }

    fn e_of(&self, j: usize, l: usize, colour: Colour) -> Derived {
        match self.board().neighbour(j, l) {
            Some(next) if l > 3 => Derived::E(next, opposite(l), colour),
            _ => Derived::E(j, l, colour),
        }
    }

    /// e\[j,l,c\], 1 where touching edges, edge l of place j and the edge beyond it, show colour c. The first call adds it with the row
    /// e\[j,l,c\] = the sum of the x\[i,j,k\] that show the colour on edge l; from the other place it is the same variable.
    pub fn e(&mut self, family: &'static str, j: usize, l: usize, colour: Colour) -> VarId {
        let derived = self.e_of(j, l, colour);
        if let Some(&var) = self.derived.get(&derived) {
            return var;
        }
        let var = self.add(derived, format!("e_{j}_{l}_{colour}"), (0.0, 1.0));
        let terms = minus(self.showing((j, l), colour), [(var, 1.0)]);
        self.model.equal(family, format!("e_{j}_{l}_{colour}_is"), terms, 0.0);
        var
    }

    /// Terms that are 1 where the designated line crosses edge l of place j: e\[j,l,d\] if there is one (C4e, SCF, MCF, MTZ), else the x that show the
    /// designated colour there.
    pub fn crossing(&self, j: usize, l: usize) -> Vec<Term> {
        let designated = self.puzzle.colour;
        let e = self.derived.get(&self.e_of(j, l, designated));
        e.map_or_else(|| self.showing((j, l), designated), |&var| vec![(var, 1.0)])
    }

    /// o\[j\], 1 where a tile lies on place j. The first call adds all of them with their defining rows
    /// o\[j\] = sum x\[i,j,k\], under the family name `o`.
    pub fn o(&mut self, j: usize) -> VarId {
        if !self.derived.contains_key(&Derived::O(j)) {
            for j in self.puzzle.board.numbers() {
                let var = self.add(Derived::O(j), format!("o_{j}"), (0.0, 1.0));
                let terms = minus(self.lying(j), [(var, 1.0)]);
                self.model.equal("o", format!("o_{j}_is"), terms, 0.0);
            }
        }
        self.derived[&Derived::O(j)]
    }

    /// u\[j,j'\], 1 only where exactly one of the two places has a tile: u <= o\[j\] + o\[j'\] <= 2 - u.
    pub fn u(&mut self, family: &'static str, j: usize, next: usize) -> VarId {
        let (j, next) = (j.min(next), j.max(next));
        if let Some(&var) = self.derived.get(&Derived::U(j, next)) {
            return var;
        }
        let (a, b, name) = (self.o(j), self.o(next), format!("u_{j}_{next}"));
        let u = self.add(Derived::U(j, next), name.clone(), (0.0, 1.0));
        self.model.at_most(family, format!("{name}_some"), [(u, 1.0), (a, -1.0), (b, -1.0)], 0.0);
        self.model.at_most(family, format!("{name}_not_both"), [(u, 1.0), (a, 1.0), (b, 1.0)], 2.0);
        u
    }
}

/// The terms of a difference.
pub(super) fn minus(terms: Vec<Term>, less: impl IntoIterator<Item = Term>) -> Vec<Term> {
    terms.into_iter().chain(less.into_iter().map(|(var, factor)| (var, -factor))).collect()
}
