//! S3: the weights around each vertex add up to its capacity (Rizzo 2020, equation 1).
//!
//! sum over the corners (f, i) at v and over t, r of w(t, r, i) x\[t,f,r\] = c(v), where w(t, r, i) is the weight that tile t in rotation r
//! has near corner i.

use super::{Builder, Family, KINDS};
use crate::{FamilyInfo, Role};

pub struct S3;

impl Family for S3 {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "S3",
            summary: "the weights around each vertex add up to its capacity",
            source: "Rizzo 2020, equation 1",
            kinds: &KINDS,
            roles: &[Role::Capacity],
        }
    }

    fn add(&self, b: &mut Builder) {
        for vertex in 0..b.game.capacity.len() {
            let (terms, capacity) = (b.around(vertex, f64::from), f64::from(b.game.capacity[vertex]));
            b.model.add_row("S3", format!("S3_{}", Builder::vertex_name(vertex)), terms, capacity, capacity);
        }
    }
}
