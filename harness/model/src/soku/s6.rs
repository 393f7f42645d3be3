//! S6: a weight that no other tiles complete to the capacity of a vertex does not lie there (ours). The other corners at the vertex get
//! at most the greatest weights of as many tiles, and at least the least.
//!
//! sum of all x\[t,f,r\] that show such a weight = 0 for each vertex that has one. Follows from S1, S2 and S3 together.

use super::bounds::Bounds;
use super::{Builder, Family, KINDS};
use crate::{FamilyInfo, Role};

pub struct S6;

impl Family for S6 {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "S6",
            summary: "a weight that no other tiles complete to the capacity does not lie there",
            source: "ours: bounds of what the other corners at the vertex can have",
            kinds: &KINDS,
            roles: &[Role::Strengthening],
        }
    }

    fn add(&self, b: &mut Builder) {
        let bounds = Bounds::new(&b.game);
        for vertex in 0..b.game.capacity.len() {
            let strange = |weight| f64::from(u8::from(!bounds.completes(&b.game, vertex, weight)));
            let terms = b.around(vertex, strange);
            if terms.iter().any(|&(_, factor)| factor != 0.0) {
                b.model.add_row("S6", format!("S6_{}", Builder::vertex_name(vertex)), terms, 0.0, 0.0);
            }
        }
    }
}
