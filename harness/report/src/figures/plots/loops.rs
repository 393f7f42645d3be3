//! Loops in the first solution against challenge number.

use super::curves::{Quantity, chart};
use super::{Chart, Plot};
use crate::analysis::Analysis;
use crate::results::PublishedRow;
use crate::stats::float;

/// The plot.
pub struct Loops;

impl Plot for Loops {
    fn name(&self) -> &'static str {
        "loops"
    }

    fn shows(&self) -> &'static str {
        "loops in the first solution by challenge number"
    }

    fn build(&self, analysis: &Analysis) -> Vec<Chart> {
        let first = |p: &&PublishedRow| p.iteration == 0;
        let published: Vec<_> = analysis.experiment.published().iter().filter(first).collect();
        let quantity = Quantity {
            title: "loops in the first solution",
            label: "loops in iteration 0",
            log: false,
            measured: &|o| o.step(0)?.loops,
            published: &|p| {
                let same = |r: &&&PublishedRow| {
                    (&r.source, r.challenge, r.places, &r.formulation, &r.objective)
                        == (&p.source, p.challenge, p.places, &p.formulation, &p.objective)
                };
                let row = published.iter().find(same);
                row.and_then(|r| r.loops).map(float)
            },
            bounded: false,
            spread: false,
        };
        chart(analysis, &quantity).into_iter().collect()
    }
}
