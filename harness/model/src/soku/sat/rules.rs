//! The clauses of the rules, by families.
//!
//! | family | what it demands |
//! |---|---|
//! | bounds | what no other tiles complete to the capacity of a vertex does not lie there; placed tiles lie where they are |
//! | lies, levels | definitions of lies\[s,f\] and at\[f,i,w\] by the x |
//! | face | one tile on each face; in one rotation |
//! | count | every sort as often as there are copies of it |
//! | capacity | the weights around each vertex add up to its capacity |

use super::variables::Variables;
use crate::sat::{Levels, Lit, add_up, exactly};
use crate::{Cardinality, ModelError};

/// Up to so many literals each pair has a clause of its own; of more the first of them that hold are counted.
const PAIRWISE: usize = 40;

/// Adds all of them.
///
/// # Errors
/// More clauses than a solver could be given.
pub(super) fn add_rules(v: &mut Variables, encoding: Cardinality) -> Result<(), ModelError> {
    for face in 0..v.game.tiles.len() {
        one_tile(v, face);
        v.check_size()?;
    }
    for sort in 0..v.options.items().len() {
        let lies: Vec<Lit> = (0..v.game.tiles.len()).map(|face| v.lies(face)[sort]).collect();
        let before = v.cnf.variables();
        exactly(&mut v.cnf, "count", encoding, &lies, v.options.items()[sort].tiles.len());
        v.cnf.name_from(before, format!("auxiliaries ({encoding}) that count sort {}", sort + 1));
        v.check_size()?;
    }
    for vertex in 0..v.game.capacity.len() {
        let corners = v.game.field.around(vertex);
        let numbers: Vec<Levels> = corners.iter().map(|&(face, corner)| v.at(face, corner).clone()).collect();
        let before = v.cnf.variables();
        add_up(&mut v.cnf, "capacity", encoding, &numbers, u64::from(v.game.capacity[vertex]));
        let name = &v.game.field.vertices()[vertex];
        v.cnf.name_from(before, format!("auxiliaries that add up the weights around {name:?}"));
        v.check_size()?;
    }
    Ok(())
}

fn one_tile(v: &mut Variables, face: usize) {
    let lies = v.lies(face).to_vec();
    v.cnf.add_clause("face", lies.iter().copied());
    let before = v.cnf.variables();
    if lies.len() <= PAIRWISE {
        at_most_one(v, &lies);
    } else {
        exactly(&mut v.cnf, "face", Cardinality::Sequential, &lies, 1);
        v.cnf.name_from(before, format!("auxiliaries that count what lies on face {}", face + 1));
    }
    for sort in 0..v.options.items().len() {
        let rotations = v.x(face)[v.options.items()[sort].options.clone()].to_vec();
        at_most_one(v, &rotations);
    }
}

fn at_most_one(v: &mut Variables, literals: &[Lit]) {
    for (index, &a) in literals.iter().enumerate() {
        for &b in &literals[index + 1..] {
            v.cnf.add_clause("face", [!a, !b]);
        }
    }
}
