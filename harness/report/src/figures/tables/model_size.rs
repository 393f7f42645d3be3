//! Sizes of the models, by instance and formulation.

use crate::analysis::{Analysis, Outcome, caveats};
use crate::figures::{self, Cell, Grid};
use crate::group::by_first;
use crate::stats::median;

/// The solvers that were given a model of one size.
type Size<'a> = Vec<&'a Outcome>;

type Column<'a> = figures::Column<'a, Size<'a>>;

pub fn build(analysis: &Analysis) -> Vec<Grid> {
    let sizes = sizes(analysis);
    if sizes.is_empty() {
        return Vec::new();
    }
    let labels = |size: &Size| {
        let solvers: Vec<_> = size.iter().map(|o| o.key.solver.as_str()).collect();
        vec![size[0].key.instance.clone(), size[0].key.formulation.clone(), solvers.join(", ")]
    };
    let columns = [
        Column::new("", "variables", |size| Cell::count(size[0].variables)),
        Column::new("", "constraints", |size| Cell::count(size[0].constraints)),
        Column::new("", "nonzeros", |size| Cell::count(size[0].nonzeros)),
        Column::new("", "build time (s)", |size| {
            Cell::seconds(median(size.iter().filter_map(|o| o.build_s).collect()))
        }),
    ];
    vec![Grid {
        caption: "Size of the models".to_owned(),
        notes: vec![
            "Build time: the median over the solvers of a row, of their medians over seeds and repeats".to_owned(),
        ],
        caveats: caveats::of_shown(sizes.iter().flatten().copied(), false),
        ..Grid::of(&["instance", "formulation", "solver"], labels, &columns, &sizes)
    }]
}

/// Solvers of one kind are given the same model: they share a row, unless their models differ.
fn sizes(analysis: &Analysis) -> Vec<Size<'_>> {
    let catalog = &analysis.experiment.catalog;
    let figures = |o: &Outcome| [o.variables, o.constraints, o.nonzeros];
    let cells = catalog.instances.iter().flat_map(|i| catalog.formulations.iter().map(move |f| (&i.name, &f.name)));
    let of_cell = |(instance, formulation): (&String, &String)| {
        let found = catalog.solvers.iter().filter_map(|s| analysis.aggregates().outcome(instance, formulation, s));
        let sized = found.filter(|o| o.variables.is_some()).map(|o| (figures(o), o));
        by_first(sized).into_iter().map(|(_, size)| size).collect::<Vec<_>>()
    };
    cells.flat_map(of_cell).collect()
}
