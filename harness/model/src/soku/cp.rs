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
use super::problem::OnFaces;
use crate::cp::{Model, Table, Var, number};
use crate::error::ModelError;

pub(crate) struct CpBuilder {
    pub game: Soku,
    pub model: Model,
    /// What can lie on a face; state number k is at index k - 1.
    pub options: Options,
    /// s\[f\], t\[f\] and w\[f,i\], of faces from 0.
    state: Vec<Var>,
    sort: Vec<Var>,
    weight: Vec<[Var; 3]>,
}

impl CpBuilder {
    pub fn new(game: &Soku) -> Result<Self, ModelError> {
        let options = Options::of_sorts(game);
        let faces = game.field.faces().len();
        options.check_size(faces)?;
        check_weights(game)?;
        let mut model = Model::default();
        let (states, sorts) = (number(options.all().len()), number(options.items().len()));
        let state = (1..=faces).map(|face| model.add_variable(format!("s_{face}"), 1, states)).collect();
        let sort = (1..=faces).map(|face| model.add_variable(format!("t_{face}"), 1, sorts)).collect();
        let weights = game.tiles.iter().flatten();
        let (least, greatest) =
            (weights.clone().min().map_or(0, |&w| number(w)), weights.max().map_or(0, |&w| number(w)));
        let corner = |face: usize, corner: usize| format!("w_{face}_{corner}");
        let weight =
            (1..=faces).map(|face| [0, 1, 2].map(|at| model.add_variable(corner(face, at), least, greatest))).collect();
        let mut builder = Self { game: game.clone(), model, options, state, sort, weight };
        builder.tie(faces);
        builder.count(faces);
        builder.meet_capacities();
        Ok(builder)
    }

    /// The option whose number is a value of a state, by its index.
    fn option(&self, value: i32) -> Option<usize> {
        usize::try_from(value).ok()?.checked_sub(1).filter(|&index| index < self.options.all().len())
    }

    fn tie(&mut self, faces: usize) {
        let numbered: Vec<(i32, Oriented)> = (1..).zip(self.options.all().iter().copied()).collect();
        let at = |corner: usize| numbered.iter().map(|(k, option)| vec![*k, number(option.weights[corner])]).collect();
        let corners: [Table; 3] = [0, 1, 2].map(|corner| self.model.add_table(at(corner)));
        // One table for all faces that allow the same.
        let mut tables: HashMap<Vec<bool>, Table> = HashMap::new();
        let bounds = Bounds::new(&self.game);
        for face in 0..faces {
            let allows = |option: &Oriented| bounds.allows(&self.game, face, option.weights);
            let allowed: Vec<bool> = numbered.iter().map(|(_, option)| allows(option)).collect();
            let model = &mut self.model;
            let table = *tables.entry(allowed).or_insert_with_key(|allowed| {
                let rows = numbered.iter().zip(allowed).filter(|(_, allowed)| **allowed);
                model.add_table(rows.map(|((k, option), _)| vec![*k, number(option.item + 1)]).collect())
            });
            model.add_table_constraint("tiles", vec![self.state[face], self.sort[face]], table);
            for (corner, &table) in corners.iter().enumerate() {
                model.add_table_constraint("weights", vec![self.state[face], self.weight[face][corner]], table);
            }
        }
    }

    fn count(&mut self, faces: usize) {
        for (sort, item) in (1..).zip(self.options.items()) {
            let terms = (0..faces).map(|face| (1, self.sort[face].is(sort))).collect();
            let copies = number(item.tiles.len());
            self.model.add_sum("counts", terms, copies, copies);
        }
    }

    fn meet_capacities(&mut self) {
        for (vertex, capacity) in self.game.capacity.iter().map(|&c| number(c)).enumerate() {
            let around = self.game.field.around(vertex);
            let terms = around.iter().map(|&(face, corner)| (1, self.weight[face][corner])).collect();
            self.model.add_linear("capacity", terms, capacity, capacity);
        }
    }
}

impl OnFaces for CpBuilder {
    type Form = Model;

    fn parts(&self) -> (&Soku, &Model, &Options) {
        (&self.game, &self.model, &self.options)
    }

    fn read(&self, values: &[i32]) -> Result<Vec<(usize, usize)>, ModelError> {
        let on = |face: usize| Some((face, self.option(values[self.state[face].0])?));
        Ok((0..self.game.tiles.len()).filter_map(on).collect())
    }

    fn write(&self, lying: &[(usize, usize)]) -> Vec<i32> {
        // A face without a tile has a state that there is not.
        let mut values = vec![0; self.model.variables().len()];
        for &(face, index) in lying {
            let option = self.options.all()[index];
            values[self.state[face].0] = number(index + 1);
            values[self.sort[face].0] = number(option.item + 1);
            for (var, shown) in self.weight[face].into_iter().zip(option.weights) {
                values[var.0] = number(shown);
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
         of this kind add up to {}; kind sat takes more",
        i32::MAX
    );
    Err(ModelError::kind("cp", reason))
}
