//! The variables of a board, and the clauses that define them by the x.
//!
//! Indices are the papers': sort i, place j, orientation k, edge l, all from 1.
//!
//! | variable | holds where |
//! |---|---|
//! | x\[i,j,k\] | a tile of sort i lies on place j in orientation k |
//! | lies\[i,j\] | a tile of sort i lies on place j |
//! | filled\[j\] | a tile lies on place j; only on boards with room |
//! | edge\[j,l,c\] | the edge l of place j shows colour c on its one side or on its other; one variable for both sides |

use puzzle::hex::EDGES;
use puzzle::tantrix::{Board, BoardTantrix, Colour, Tile};

use crate::sat::{Cnf, Lit};

/// A formula under construction: the puzzle, the variables by their indices, the clauses so far.
pub(crate) struct Variables {
    pub puzzle: BoardTantrix,
    pub cnf: Cnf,
    /// Whether every place has a tile.
    pub full: bool,
    pub colours: Vec<Colour>,
    /// By sort, place and orientation.
    x: Vec<Vec<Lit>>,
    lies: Vec<Vec<Lit>>,
    filled: Vec<Lit>,
    /// By place and edge, where a place of the board lies beyond; by colour.
    edges: Vec<[Vec<Lit>; 6]>,
}

impl Variables {
    /// Starts a formula with all variables and their definitions.
    pub fn of(puzzle: BoardTantrix, full: bool) -> Self {
        let tiles: Vec<Tile> = puzzle.tiles.sorts.iter().map(|sort| sort.tile).collect();
        let colours = Colour::ALL.into_iter().filter(|&c| tiles.iter().any(|t| t.line(1, c).is_some())).collect();
        let mut all = Self {
            cnf: Cnf::default(),
            full,
            colours,
            x: Vec::new(),
            lies: Vec::new(),
            filled: Vec::new(),
            edges: vec![Default::default(); puzzle.board.len()],
            puzzle,
        };
        all.add_x();
        all.add_lies();
        if !full {
            all.add_filled();
        }
        all.add_edges();
        all
    }

    pub fn board(&self) -> &Board {
        &self.puzzle.board
    }

    /// The sorts, by i.
    pub fn sorts(&self) -> std::ops::RangeInclusive<usize> {
        1..=self.puzzle.tiles.sorts.len()
    }

    pub fn tile(&self, i: usize) -> &Tile {
        &self.puzzle.tiles.sorts[i - 1].tile
    }

    /// x\[i,j,k\] for all k.
    pub fn x(&self, i: usize, j: usize) -> &[Lit] {
        &self.x[i - 1][(j - 1) * 6..j * 6]
    }

    /// The x of place j whose tile in its orientation satisfies a condition.
    pub fn turned(&self, j: usize, condition: impl Fn(&Tile, usize) -> bool) -> Vec<Lit> {
        let all = self.sorts().flat_map(|i| (1..).zip(self.x(i, j)).map(move |(k, &x)| (i, k, x)));
        all.filter(|&(i, k, _)| condition(self.tile(i), k)).map(|(_, _, x)| x).collect()
    }

    /// The x of place j that show a colour on edge l.
    pub fn showing(&self, j: usize, l: usize, colour: Colour) -> Vec<Lit> {
        self.turned(j, |tile, k| tile.colour(k, l) == colour)
    }

    /// lies\[i,j\].
    pub fn lies(&self, i: usize, j: usize) -> Lit {
        self.lies[i - 1][j - 1]
    }

    /// lies\[i,j\] for all j.
    pub fn lies_anywhere(&self, i: usize) -> &[Lit] {
        &self.lies[i - 1]
    }

    /// filled\[j\], negated; nothing where every place has a tile. In front of a clause it means: if a tile lies there.
    pub fn if_filled(&self, j: usize) -> Option<Lit> {
        self.filled.get(j - 1).map(|&filled| !filled)
    }

    /// filled\[j\].
    pub fn filled(&self, j: usize) -> Option<Lit> {
        self.filled.get(j - 1).copied()
    }

    /// edge\[j,l,c\] for all c in the order of the colours; none at the rim of the board.
    pub fn edge(&self, j: usize, l: usize) -> &[Lit] {
        &self.edges[j - 1][l - 1]
    }

    /// edge\[j,l,c\] for the designated colour c; `None` at the rim of the board.
    pub fn designated(&self, j: usize, l: usize) -> Option<Lit> {
        let index = self.colours.iter().position(|&c| c == self.puzzle.colour)?;
        self.edge(j, l).get(index).copied()
    }

    pub fn designated_around(&self, j: usize) -> Vec<Lit> {
        EDGES.into_iter().filter_map(|l| self.designated(j, l)).collect()
    }

    fn add_x(&mut self) {
        for i in self.sorts() {
            let x =
                self.puzzle.board.numbers().flat_map(|j| self.cnf.add_named(6, format!("x_{i}_{j}_1 to x_{i}_{j}_6")));
            self.x.push(x.collect());
        }
    }

    fn add_lies(&mut self) {
        let places = self.puzzle.board.len();
        for i in self.sorts() {
            let lies = self.cnf.add_named(places, format!("lies_{i}_1 to lies_{i}_{places}"));
            for (j, &lies) in (1..).zip(&lies) {
                let x = self.x(i, j).to_vec();
                self.define_by_any("lies", lies, &x);
            }
            self.lies.push(lies);
        }
    }

    fn add_filled(&mut self) {
        let places = self.puzzle.board.len();
        self.filled = self.cnf.add_named(places, format!("filled_1 to filled_{places}"));
        for j in self.puzzle.board.numbers() {
            let lies: Vec<Lit> = self.sorts().map(|i| self.lies(i, j)).collect();
            self.define_by_any("filled", self.filled[j - 1], &lies);
        }
    }

    fn define_by_any(&mut self, family: &'static str, defined: Lit, by: &[Lit]) {
        for &lit in by {
            self.cnf.add_clause(family, [!lit, defined]);
        }
        self.cnf.add_clause(family, by.iter().copied().chain([!defined]));
    }

    /// Each side shows what the edge shows, so that touching edges match; a side without a tile shows nothing, and
    /// there the edge shows what the other does. The designated colour needs both sides.
    fn add_edges(&mut self) {
        let pairs: Vec<_> = self.puzzle.board.touching().collect();
        let names: Vec<&str> = self.colours.iter().map(|c| c.name()).collect();
        for ((j, l), (next, opposite)) in pairs {
            let meaning = format!("edge_{j}_{l} (edge_{next}_{opposite}) {}", names.join(" "));
            let edge = self.cnf.add_named(self.colours.len(), meaning);
            for (&shown, colour) in edge.iter().zip(self.colours.clone()) {
                let designated = colour == self.puzzle.colour;
                for (j, l) in [(j, l), (next, opposite)] {
                    let showing = self.showing(j, l, colour);
                    for &x in &showing {
                        self.cnf.add_clause("edges", [!x, shown]);
                    }
                    let if_filled = self.if_filled(j).filter(|_| !designated);
                    self.cnf.add_clause("edges", showing.into_iter().chain(if_filled).chain([!shown]));
                }
                if let (Some(here), Some(there), false) = (self.filled(j), self.filled(next), designated) {
                    self.cnf.add_clause("edges", [here, there, !shown]);
                }
            }
            self.edges[j - 1][l - 1].clone_from(&edge);
            self.edges[next - 1][opposite - 1] = edge;
        }
    }
}
