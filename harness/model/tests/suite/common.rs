//! Small boards, models and rolls of a die for the tests of this crate.

use std::collections::BTreeMap;

use model::ir::Model;
use model::{Formulation, Problem, build_mip};
use puzzle::hex::Axial;
use puzzle::tantrix::Colour;
use puzzle::{Instance, Solution};

pub use crate::boards::{bounded, exhaust, natural, on_board, regular, tantrix, tetrahedron};

/// The colours that every one of the ten sorts has.
pub const COLOURS: [Colour; 3] = [Colour::Red, Colour::Blue, Colour::Yellow];

/// An instance of the repeated set on these places, one tile on each.
pub fn instance(places: &[Axial], extra: &str) -> Instance {
    on_board("tantrix-fixed", places.len(), places, &format!("tiles = \"repeated\"\n{extra}"))
}

/// A challenge on a bounded board with tiles that are all distinct: four colours where there are 15 of them.
pub fn bounded_distinct(places: &[Axial], challenge: usize, colour: Colour) -> Instance {
    on_board("tantrix-bounded", challenge, places, &format!("tiles = \"distinct\"\ncolour = \"{colour}\""))
}

/// The model of an instance under these families.
pub fn problem(instance: &Instance, families: &str) -> Box<dyn Problem> {
    build_mip(&Formulation::of("f", families).expect("good"), instance).expect("makes sense")
}

/// Every solution by exhaustive search.
pub fn solutions(instance: &Instance) -> Vec<Solution> {
    let mut all = Vec::new();
    exhaust(&instance.name, tantrix(instance), &mut |solution| {
        all.push(solution.clone());
        true
    });
    all
}

/// Whether a solution breaks a row of a family (or, for an empty name, any row or bound at all).
pub fn breaks(problem: &dyn Problem, solution: &Solution, family: &str) -> bool {
    let values = problem.encode(solution);
    if family.is_empty() {
        return !problem.model().broken(&values, 1e-9).is_empty();
    }
    problem.model().rows().iter().filter(|row| row.family == family).any(|row| {
        let sum: f64 = row.terms.iter().map(|&(var, c)| c * values[var.0]).sum();
        sum < row.lower - 1e-9 || sum > row.upper + 1e-9
    })
}

/// The value of a variable by its name.
pub fn value(problem: &dyn Problem, values: &[f64], name: &str) -> f64 {
    values[problem.model().variables().iter().position(|v| v.name == name).expect(name)]
}

/// Rolls that are the same every time: splitmix64.
pub struct Dice(pub u64);

impl Dice {
    /// One of 0..sides.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % sides as u64) as usize
    }

    /// One of several.
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.roll(of.len())]
    }
}

/// Rows and nonzeros by family.
pub fn sizes(model: &Model) -> BTreeMap<&'static str, (usize, usize)> {
    let mut sizes = BTreeMap::new();
    for row in model.rows() {
        let entry: &mut (usize, usize) = sizes.entry(row.family).or_default();
        *entry = (entry.0 + 1, entry.1 + row.terms.len());
    }
    sizes
}
