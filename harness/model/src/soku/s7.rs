//! S7: how many of the weights around a vertex can be k or more (ours; Chvatal-Gomory cuts of S1 and S3).
//!
//! With d corners at v, least weight a and greatest weight z of all tiles, and b the greatest weight below k, let m corners have
//! weights of k or more. Then m k + (d - m) a <= c(v) <= m z + (d - m) b, which m = sum of the x\[t,f,r\] that show at least k there keeps within
//! whole numbers. A row for each vertex and each weight k > a for which that says anything.

use super::{Builder, Family, KINDS};
use crate::{FamilyInfo, Role};

pub struct S7;

impl Family for S7 {
    fn info(&self) -> FamilyInfo {
        FamilyInfo {
            id: "S7",
            summary: "bounds of how many weights around a vertex are k or more, for each k",
            source: "ours: Chvatal-Gomory cuts of S1 and S3",
            kinds: &KINDS,
            roles: &[Role::Strengthening],
        }
    }

    fn add(&self, b: &mut Builder) {
        let mut weights: Vec<u32> = b.game.tiles.iter().flatten().copied().collect();
        weights.sort_unstable();
        weights.dedup();
        let (Some(&least), Some(&greatest)) = (weights.first(), weights.last()) else { return };
        for vertex in 0..b.game.capacity.len() {
            let corners = b.game.field.around(vertex).len() as u64;
            let capacity = u64::from(b.game.capacity[vertex]);
            for pair in weights.windows(2) {
                let [below, k] = [pair[0], pair[1]];
                let sum = |m: u64, these: u32, others: u32| m * u64::from(these) + (corners - m) * u64::from(others);
                let possible = |m: &u64| sum(*m, k, least) <= capacity && capacity <= sum(*m, greatest, below);
                let mut counts = (0..=corners).filter(possible);
                let name = format!("S7_{}_{k}", Builder::vertex_name(vertex));
                let (lower, upper) = match counts.next() {
                    Some(first) => (first as f64, counts.next_back().unwrap_or(first) as f64),
                    // No number is possible: neither is a solution.
                    None => (corners as f64 + 1.0, corners as f64 + 1.0),
                };
                if lower > 0.0 || upper < corners as f64 {
                    let terms = b.around(vertex, |weight| f64::from(u8::from(weight >= k)));
                    b.model.add_row("S7", name, terms, lower, upper);
                }
            }
        }
    }
}
