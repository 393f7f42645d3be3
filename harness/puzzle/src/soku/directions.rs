//! Where to put the tiles, in words and as tables.

use super::{Soku, arranged, draw};
use crate::{Directions, Placement, SmallTable, Solution};

/// Capacities in one table.
const IN_TABLE: usize = 12;

/// A solution as instructions, face by face (Rizzo, listing 6), and as tables of the weights at each face's vertices (figure 10).
/// Weights are those of the tile as it lies. Faces without a tile are left out.
///
/// Without a solution: the capacities, and the tiles that lie already.
#[must_use]
pub fn directions(name: &str, game: &Soku, solution: Option<&Solution>) -> Directions {
    let title = draw(name, game, solution).title;
    match solution {
        Some(solution) => {
            let lying = faces(game, &solution.placements);
            let sentences = lying.iter().map(|(face, weights)| put("Put tile", *weights, game.field.corners(*face)));
            let sentences = sentences.collect();
            Directions { title, sentences, tables: lying.iter().map(|lying| table(game, *lying)).collect() }
        }
        None => {
            let capacities: Vec<(String, String)> =
                game.field.vertices().iter().cloned().zip(game.capacity.iter().map(u32::to_string)).collect();
            let mut sentences: Vec<String> = capacities
                .iter()
                .map(|(vertex, capacity)| format!("Vertex {vertex} has capacity {capacity}."))
                .collect();
            let placed = faces(game, &game.placed);
            sentences.extend(
                placed.iter().map(|(face, weights)| put("There lies tile", *weights, game.field.corners(*face))),
            );
            let heading = |index| if index == 0 { "capacities".to_owned() } else { String::new() };
            let chunks = capacities.chunks(IN_TABLE).enumerate();
            let mut tables: Vec<SmallTable> =
                chunks.map(|(index, some)| SmallTable { heading: heading(index), columns: some.to_vec() }).collect();
            tables.extend(placed.iter().map(|lying| table(game, *lying)));
            Directions { title, sentences, tables }
        }
    }
}

/// The faces with a tile, with its weights.
fn faces(game: &Soku, placements: &[Placement]) -> Vec<(usize, [u32; 3])> {
    let shown = arranged(game, placements).into_iter().enumerate();
    shown.filter_map(|(face, weights)| Some((face, weights?))).collect()
}

fn put(what: &str, weights: [u32; 3], corners: [&str; 3]) -> String {
    let weights = weights.map(|weight| weight.to_string()).join(" ");
    format!("{what} ({weights}) on face ({}).", corners.join(", "))
}

fn table(game: &Soku, (face, weights): (usize, [u32; 3])) -> SmallTable {
    let columns = game.field.corners(face).into_iter().zip(weights);
    let columns = columns.map(|(vertex, weight)| (vertex.to_owned(), weight.to_string())).collect();
    SmallTable { heading: format!("face {}", face + 1), columns }
}
