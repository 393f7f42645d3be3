//! The weighted objective: round shapes first (Kino & Uno, slides; Bindhu & Varkey 2024, section 5.2).
//!
//! max sum over j of w\[j\] o\[j\] with w\[j\] = 1 - dist(j, centre) / R. The centre is the mean of the places'
//! centres, distances are Euclidean, R is the distance of the place farthest out. As n tiles lie on the board, whatever
//! R, this minimises the sum of the distances.

use super::builder::Builder;
use crate::ir::VarId;

/// Distances that differ by less than this part of R are the same: places farthest out weigh 0 and not what rounding
/// leaves.
const ROUNDING: f64 = 1e-9;

/// Terms to be minimised: -w\[j\] on every x\[i,j,k\].
pub(super) fn weighted(b: &Builder) -> Vec<(VarId, f64)> {
    let weights = weights(b);
    let terms = b.board().numbers().flat_map(|j| b.lying(j).into_iter().map(move |(var, _)| (j, var)));
    terms.map(|(j, var)| (var, -weights[j - 1])).filter(|term| term.1 != 0.0).collect()
}

/// w\[j\] of every place, in the order of their numbers.
fn weights(b: &Builder) -> Vec<f64> {
    let points: Vec<(f64, f64)> = b.board().places().iter().map(|at| at.centre()).collect();
    let mean = |f: fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let distances: Vec<f64> = points.iter().map(|p| (p.0 - x).hypot(p.1 - y)).collect();
    let radius = distances.iter().copied().fold(0.0, f64::max);
    let weight = |d: f64| match radius - d {
        _ if radius == 0.0 => 1.0,
        inwards if inwards < ROUNDING * radius => 0.0,
        _ => 1.0 - d / radius,
    };
    distances.into_iter().map(weight).collect()
}
