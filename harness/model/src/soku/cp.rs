//! A game as a constraint model: what lies on each face, which weight each corner has.
//!
//! - s\[f\], the state of face f: a sort of tile with the rotation of the least triple that it can show, numbered from 1.
//! - t\[f\], its sort, from 1. A table of s\[f\] and t\[f\] ties them; it lacks the states that cannot lie there.
//! - w\[f,i\], the weight at corner i of face f. A table of s\[f\] and w\[f,i\] ties them.
//!
//! As each table names s\[f\] and all of them together are a tree, they propagate as much as one table of all would. Every
//! sort lies as often as there are copies of it; the weights around each vertex add up to its capacity.

use std::collections::HashMap;

use puzzle::soku::Soku;

use super::options::{Bounds, Options, Oriented};
use super::problem::{Game, OnFaces};
use crate::cp::{Model, Table, Var, number};
use crate::error::ModelError;
use crate::formulation::Formulation;

pub(crate) fn build(_: &Formulation, name: &str, game: &Soku) -> Result<Game<Model>, ModelError> {
    let mut g: Game<Model> = Game::new(name, game, Options::of_sorts(game))?;
    check_weights(game)?;
    let (states, sorts) = (number(g.options.all().len()), number(g.options.items().len()));
    for (letter, last) in [('s', states), ('t', sorts)] {
        for face in g.faces() {
            g.model.add_variable(format!("{letter}_{}", face + 1), 1, last);
        }
    }
    let weights = || game.tiles.iter().flatten().map(|&weight| number(weight));
    let (least, greatest) = (weights().min().unwrap_or(0), weights().max().unwrap_or(0));
    for (face, corner) in g.faces().flat_map(|face| [0, 1, 2].map(|corner| (face, corner))) {
        g.model.add_variable(format!("w_{}_{corner}", face + 1), least, greatest);
    }
    g.tie();
    g.count();
    g.meet_capacities();
    Ok(g)
}

impl Game<Model> {
    fn state(&self, face: usize) -> Var {
        Var(face)
    }

    fn sort(&self, face: usize) -> Var {
        Var(self.faces().len() + face)
    }

    fn weight(&self, face: usize, corner: usize) -> Var {
        Var(2 * self.faces().len() + 3 * face + corner)
    }

    fn tie(&mut self) {
        let numbered: Vec<(i32, Oriented)> = (1..).zip(self.options.all().iter().copied()).collect();
        let at = |corner: usize| numbered.iter().map(|(k, option)| vec![*k, number(option.weights[corner])]).collect();
        let corners: [Table; 3] = [0, 1, 2].map(|corner| self.model.add_table(at(corner)));
        // One table for all faces that allow the same.
        let mut tables: HashMap<Vec<bool>, Table> = HashMap::new();
        let bounds = Bounds::new(&self.game);
        for face in self.faces() {
            let allows = |option: &Oriented| bounds.allows(&self.game, face, option.weights);
            let allowed: Vec<bool> = numbered.iter().map(|(_, option)| allows(option)).collect();
            let table = *tables.entry(allowed).or_insert_with_key(|allowed| {
                let rows = numbered.iter().zip(allowed).filter(|(_, allowed)| **allowed);
                self.model.add_table(rows.map(|((k, option), _)| vec![*k, number(option.item + 1)]).collect())
            });
            let state = self.state(face);
            self.model.add_table_constraint("tiles", vec![state, self.sort(face)], table);
            for (corner, &table) in corners.iter().enumerate() {
                self.model.add_table_constraint("weights", vec![state, self.weight(face, corner)], table);
            }
        }
    }

    fn count(&mut self) {
        for (sort, item) in (1..).zip(self.options.items()) {
            let terms = self.faces().map(|face| (1, self.sort(face).is(sort))).collect();
            let copies = number(item.tiles.len());
            self.model.add_sum("counts", terms, copies, copies);
        }
    }

    fn meet_capacities(&mut self) {
        for (vertex, capacity) in self.game.capacity.iter().map(|&c| number(c)).enumerate() {
            let around = self.game.field.around(vertex);
            let terms = around.iter().map(|&(face, corner)| (1, self.weight(face, corner))).collect();
            self.model.add_linear("capacity", terms, capacity, capacity);
        }
    }
}

impl OnFaces for Model {
    fn read(game: &Game<Self>, values: &[i32]) -> Result<Vec<(usize, usize)>, ModelError> {
        let states = 1..=game.options.all().len();
        let state = |face: usize| usize::try_from(values[face]).ok().filter(|state| states.contains(state));
        Ok(game.faces().filter_map(|face| Some((face, state(face)? - 1))).collect())
    }

    fn write(game: &Game<Self>, lying: &[(usize, usize)]) -> Vec<i32> {
        // A face without a tile has a state that there is not.
        let mut values = vec![0; game.model.variables().len()];
        for &(face, index) in lying {
            let option = game.options.all()[index];
            values[game.state(face).0] = number(index + 1);
            values[game.sort(face).0] = number(option.item + 1);
            for (corner, shown) in option.weights.into_iter().enumerate() {
                values[game.weight(face, corner).0] = number(shown);
            }
        }
        values
    }
}

/// Solvers add up in 32 bits.
fn check_weights(game: &Soku) -> Result<(), ModelError> {
    let greatest = u64::from(game.tiles.iter().flatten().max().copied().unwrap_or(0));
    let corners = (0..game.capacity.len()).map(|vertex| game.field.around(vertex).len()).max().unwrap_or(0);
    let capacity = u64::from(game.capacity.iter().max().copied().unwrap_or(0));
    let most = greatest.saturating_mul(corners as u64) + capacity;
    if most <= i32::MAX as u64 {
        return Ok(());
    }
    let reason = format!(
        "{corners} weights of up to {greatest} around a vertex of capacity {capacity} at most may add up to {most}, and solvers \
         of kind cp add up to {}; kind sat takes more",
        i32::MAX
    );
    Err(ModelError::Impossible(reason))
}
