//! Sizes of the models, by instance and formulation.

use super::Table;
use crate::analysis::{Analysis, Outcome, caveats};
use crate::figures::{Cell, Grid, Group, Row};
use crate::stats::median;

/// The table.
pub const MODEL_SIZE: Table =
    Table { name: "model-size", shows: "variables, constraints, nonzeros and build time of the models", build };

fn build(analysis: &Analysis) -> Vec<Grid> {
    let sizes = sizes(analysis);
    let rows: Vec<_> = sizes.iter().map(Size::row).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let columns = ["variables", "constraints", "nonzeros", "build time (s)"];
    vec![Grid {
        caption: "Size of the models".to_owned(),
        notes: vec![
            "Build time: the median over the solvers of a row, of their medians over seeds and repeats".to_owned(),
        ],
        caveats: caveats::of_shown(sizes.iter().flat_map(|s| s.members.iter().copied()), false),
        stubs: ["instance", "formulation", "solver"].map(ToOwned::to_owned).to_vec(),
        groups: vec![Group::new("", columns.map(ToOwned::to_owned).to_vec())],
        rows,
        ..Grid::default()
    }]
}

/// The solvers that were given a model of one size.
struct Size<'a> {
    members: Vec<&'a Outcome>,
}

/// Solvers of one kind are given the same model: they share a row, unless their models differ.
fn sizes(analysis: &Analysis) -> Vec<Size<'_>> {
    let catalog = analysis.experiment.catalog();
    let mut sizes: Vec<Size> = Vec::new();
    for instance in &catalog.instances {
        for formulation in &catalog.formulations {
            let start = sizes.len();
            for solver in &catalog.solvers {
                let found = analysis.aggregates().outcome(&instance.name, &formulation.name, solver);
                let Some(outcome) = found.filter(|o| o.variables.is_some()) else { continue };
                match sizes[start..].iter_mut().find(|s| figures(s.members[0]) == figures(outcome)) {
                    Some(size) => size.members.push(outcome),
                    None => sizes.push(Size { members: vec![outcome] }),
                }
            }
        }
    }
    sizes
}

fn figures(outcome: &Outcome) -> [Option<f64>; 3] {
    [outcome.variables, outcome.constraints, outcome.nonzeros]
}

impl Size<'_> {
    fn row(&self) -> Row {
        let first = self.members[0];
        let solvers: Vec<_> = self.members.iter().map(|o| o.key.solver.as_str()).collect();
        let times = self.members.iter().filter_map(|o| o.build_s).collect();
        let mut cells: Vec<_> = figures(first).map(Cell::count).to_vec();
        cells.push(Cell::seconds(median(times)));
        let labels = vec![first.key.instance.clone(), first.key.formulation.clone(), solvers.join(", ")];
        Row::new(labels, cells)
    }
}
