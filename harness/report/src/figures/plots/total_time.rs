//! Total solve time against challenge number, on a logarithmic axis.

use super::curves::{Quantity, chart};
use super::{Chart, Plot};
use crate::analysis::Analysis;

/// The plot.
pub struct TotalTime;

impl Plot for TotalTime {
    fn name(&self) -> &'static str {
        "total-time"
    }

    fn shows(&self) -> &'static str {
        "total solve time by challenge number"
    }

    fn build(&self, analysis: &Analysis) -> Vec<Chart> {
        let quantity = Quantity {
            title: "total solve time",
            label: "total solve time (s)",
            log: true,
            measured: &|o| o.total_s.or(o.bound_s.filter(|bound| *bound > 0.0)),
            published: &|p| Some(p.total_s),
            bounded: true,
            spread: true,
        };
        chart(analysis, &quantity).into_iter().collect()
    }
}
