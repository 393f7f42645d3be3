//! Number of iterations against challenge number.

use super::curves::{Quantity, chart};
use super::{Chart, Plot};
use crate::analysis::Analysis;
use crate::stats::float;

/// The plot.
pub struct Iterations;

impl Plot for Iterations {
    fn name(&self) -> &'static str {
        "iterations"
    }

    fn shows(&self) -> &'static str {
        "iterations by challenge number"
    }

    fn build(&self, analysis: &Analysis) -> Vec<Chart> {
        let quantity = Quantity {
            title: "number of iterations",
            label: "iterations (number of solves)",
            log: false,
            measured: &|o| o.solves,
            published: &|p| Some(float(p.solves)),
            bounded: true,
            spread: false,
        };
        chart(analysis, &quantity).into_iter().collect()
    }
}
