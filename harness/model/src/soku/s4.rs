//! S4: tiles whose weights are all equal are not rotated (Rizzo 2020, listing 5). One that was placed beforehand stays in its rotation.
//!
//! sum over f and r other than 0 of x\[t,f,r\] = 0 for each uniform tile t.

use super::{Builder, Family, KINDS};
use crate::{FamilyInfo, Role};

pub struct S4;

impl Family for S4 {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "S4",
            summary: "uniform tiles are not rotated (with S2: breaks a symmetry)",
            source: "Rizzo 2020, section 3.1 and listing 5",
            kinds: &KINDS,
            roles: &[Role::Strengthening],
        }
    }

    fn add(&self, b: &mut Builder) {
        let uniform = |tile: &[u32; 3]| tile[0] == tile[1] && tile[1] == tile[2];
        let tiles: Vec<usize> = (0..b.game.tiles.len()).filter(|&tile| uniform(&b.game.tiles[tile])).collect();
        for tile in tiles {
            let placed = b.game.placed.iter().find(|placed| placed.tile == tile + 1);
            let due = placed.map_or(0, |placed| placed.orientation);
            let options = b.options.items()[tile].options.clone();
            let turned: Vec<usize> = options.filter(|&option| b.options.all()[option].rotation != due).collect();
            let terms: Vec<_> = b.faces().flat_map(|face| turned.iter().map(move |&option| (face, option))).collect();
            let terms: Vec<_> = terms.into_iter().map(|(face, option)| (b.x(face, option), 1.0)).collect();
            b.model.add_row("S4", format!("S4_{}", tile + 1), terms, 0.0, 0.0);
        }
    }
}
