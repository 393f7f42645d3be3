//! Sizes of every family, pinned: by formula on any board, and as plain numbers on one.

use crate::common::{instance, sizes, tantrix};
use combinatorics::tantrix::shapes::Shape;
use model::ir::Model;
use model::{Formulation, build_mip};
use proptest::prelude::*;
use puzzle::tantrix::{Arrangement, trace};
use puzzle::{Instance, Solution};

fn model(instance: &Instance, families: &str) -> Model {
    build_mip(&Formulation::of("f", families).expect("good"), instance).expect("makes sense").model().clone()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn sizes_follow_from_places_and_touching_edges(n in 6usize..45, seed in 0u64..1000) {
        let instance = instance(&Shape::Blob.places(n, seed), "");
        let board = &tantrix(&instance).board;
        let (sorts, touching, rim) = (n.min(10), board.touching().count(), board.boundary().count());
        prop_assert_eq!(rim, 6 * n - 2 * touching);

        let printed = model(&instance, "C1 C2' C3 C4 C5 C6 C7 C8 C9");
        prop_assert_eq!(printed.variables().len(), 6 * n * sorts + 6 * n);
        let rows = sizes(&printed);
        prop_assert_eq!(rows["C1"], (n, 6 * n * sorts));
        prop_assert_eq!(rows["C2'"], (sorts, 6 * n * sorts));
        prop_assert_eq!(rows["y"], (6 * n, 6 * n * (6 * sorts + 1)));
        prop_assert_eq!(rows["C3"], (rim, rim));
        prop_assert_eq!(rows["C4"], (touching, 2 * touching));
        prop_assert_eq!(rows["C7"].0, 2 * touching);
        prop_assert_eq!(rows["C8"].0, touching);
        prop_assert!(!rows.contains_key("C5"));

        let told_apart = model(&instance, "C1 C2 C3 C4");
        prop_assert_eq!(told_apart.variables().len(), 6 * n * n + 6 * n);
        prop_assert_eq!(sizes(&told_apart)["C2"], (n, 6 * n * n));

        // A row for each place and each pair of equal tiles that follow each other.
        let in_order = model(&instance, "C1 C2 C2o C3 C4");
        prop_assert_eq!(in_order.variables().len(), told_apart.variables().len());
        prop_assert_eq!(in_order.rows().len() - told_apart.rows().len(), n * (n - sorts));
        prop_assert_eq!(in_order.nonzeros() - told_apart.nonzeros(), 6 * n * n * (n - sorts));

        // Each tile shows each colour on an edge in 2 of its 6 orientations.
        let by_colour = model(&instance, "C1 C2' C3x C4c C6x");
        prop_assert_eq!(by_colour.variables().len(), 6 * n * sorts);
        let rows = sizes(&by_colour);
        prop_assert_eq!(rows["C4c"], (3 * touching, 3 * touching * 4 * sorts));
        prop_assert_eq!(rows["C3x"], (rim, rim * 2 * sorts));
        prop_assert!(!rows.contains_key("y"));
        let fixed = by_colour.variables().iter().filter(|v| v.upper == 0.0).count();
        prop_assert!(fixed > 0 && fixed <= rim * 2 * sorts);

        // A variable for each pair of touching edges and each colour, tied to the x of both sides.
        let by_edge = model(&instance, "C1 C2' C4e L5");
        prop_assert_eq!(by_edge.variables().len(), 6 * n * sorts + 3 * touching);
        let rows = sizes(&by_edge);
        prop_assert_eq!(rows["C4e"], (6 * touching, 6 * touching * (2 * sorts + 1)));
        let on_x = sizes(&model(&instance, "C1 C2' C4c L5"))["L5"];
        prop_assert_eq!(on_x, (rows["L5"].0, 2 * sorts * rows["L5"].1));

        // A flow on each arc, or one for each place; an arc and a number for each place. Each with e of the line on an edge.
        for (family, variables, rows) in [
            ("SCF", 2 * touching, touching + n - 1),
            ("MCF", 2 * touching * (n - 1), (touching + n - 1) * (n - 1)),
            ("MTZ", 2 * touching + n, 3 * touching - board.inner_edges(1).count() + 2 * n),
        ] {
            let single = model(&instance, &format!("C1 C2' C4c {family}"));
            prop_assert_eq!(single.variables().len(), 6 * n * sorts + touching + variables);
            prop_assert_eq!(sizes(&single)[family].0, touching + rows, "with the rows of e");
        }
    }
}

#[test]
fn the_numbers_on_one_board_stay_what_they_are() {
    let instance = instance(&Shape::Spur.places(20, 1), "colour = \"blue\"");
    let printed = model(&instance, "C1 C2' C3 C4 C5 C6 C7 C8 C9");
    assert_eq!((printed.variables().len(), printed.rows().len(), printed.nonzeros()), (1320, 413, 11380));
    let expected = [
        ("C1", (20, 1200)),
        ("C2'", (10, 1200)),
        ("C3", (36, 36)),
        ("C4", (42, 84)),
        ("C6", (16, 16)),
        ("C7", (84, 672)),
        ("C8", (42, 336)),
        ("C9", (43, 516)),
        ("y", (120, 7320)),
    ];
    assert_eq!(sizes(&printed), expected.into_iter().collect());
    assert_eq!(printed.objective().len(), 1);
    assert_eq!(printed.variables()[printed.objective()[0].0.0].name, "x_1_1_1");
}

#[test]
fn a_cut_adds_its_rows_and_only_those() {
    let (instance, solution, cut_edges) = (0..100)
        .find_map(|seed| two_loops(instance(&Shape::Blob.places(7, seed), "")))
        .expect("some board of 7 has two loops");
    for (families, rows_per_edge, variables_per_edge) in [("C1 C2' C3 C4 C5", 2, 1), ("C1 C2' C4c C5x", 0, 0)] {
        let mut problem = build_mip(&Formulation::of("f", families).expect("good"), &instance).expect("makes sense");
        let (rows, variables) = (problem.model().rows().len(), problem.model().variables().len());
        let separation = problem.separate(&solution);
        assert_eq!(separation.loop_lengths, [4, 3]);
        assert_eq!(separation.cuts.len(), 1, "both sides have the same border");
        assert_eq!(separation.cuts[0].len(), cut_edges);
        assert_eq!(problem.model().rows().len(), rows + 1 + rows_per_edge * cut_edges);
        assert_eq!(problem.model().variables().len(), variables + variables_per_edge * cut_edges);
        assert!(problem.forbidden_by(&solution).is_some());
        let broken: Vec<_> = problem.model().rows().iter().filter(|r| r.family.starts_with("C5")).collect();
        let values = problem.encode(&solution);
        let sum: f64 = broken[broken.len() - 1].terms.iter().map(|&(var, c)| c * values[var.0]).sum();
        assert_eq!(sum, 0.0, "nothing crosses the cut");
    }
}

/// Tiles on a board of seven places (tile counts and other colours ignored) with loops of 4 and 3, and the
/// number of edges between them.
pub fn two_loops(instance: Instance) -> Option<(Instance, Solution, usize)> {
    let puzzle = tantrix(&instance);
    let loops = |s: &Solution| {
        let lying = Arrangement::new(&puzzle.board, &puzzle.tiles, &s.placements);
        trace(&puzzle.board, &lying, puzzle.colour).loops
    };
    let solution = crate::lines::all(&instance).into_iter().find(|s| loops(s).len() == 2)?;
    let small = &loops(&solution)[1];
    let beyond = small.iter().flat_map(|&j| puzzle.board.inner_edges(j)).filter(|(_, next)| !small.contains(next));
    let edges = beyond.count();
    Some((instance, solution, edges))
}
