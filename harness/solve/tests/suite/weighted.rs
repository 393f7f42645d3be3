//! The weighted objective: what the solver calls optimal is the best of all solutions.

use combinatorics::tantrix::shapes::Shape;
use model::{Formulation, Holes, Objective, build_mip};
use puzzle::hex::Axial;
use puzzle::tantrix::{BoardType, Colour};
use puzzle::{Instance, Solution, verify};
use record::Status;
use solve::Backend;

use crate::common::{AMPLE, bounded, exhaust, open, regular, tantrix, to_the_end};
use crate::subjects::is_missing;

/// Minus the sum of 1 - distance from the middle / greatest such distance, over the filled places.
fn value(instance: &Instance, solution: &Solution) -> f64 {
    let points: Vec<(f64, f64)> = tantrix(instance).board.places().iter().map(|at| at.centre()).collect();
    let count = points.len() as f64;
    let middle = (points.iter().map(|p| p.0).sum::<f64>() / count, points.iter().map(|p| p.1).sum::<f64>() / count);
    let distance = |p: &(f64, f64)| ((p.0 - middle.0).powi(2) + (p.1 - middle.1).powi(2)).sqrt();
    let radius = points.iter().map(distance).fold(0.0, f64::max);
    -solution.placements.iter().map(|p| 1.0 - distance(&points[p.place - 1]) / radius).sum::<f64>()
}

#[test]
fn the_optimum_is_the_best_of_all_solutions() {
    // One that minimises, those whose objective is bounded from solve to solve, and one that minimises constraints.
    let backends = ["highs", "cadical", "pumpkin", "cp-sat"].map(|name| solve::backend(name).expect("a backend"));
    let backends: Vec<&dyn Backend> = backends.into_iter().filter(|backend| !is_missing(*backend)).collect();
    let boards: [(Vec<Axial>, usize, Colour); 5] = [
        (regular(BoardType::A, 7), 3, Colour::Yellow),
        (regular(BoardType::B, 12), 4, Colour::Red),
        (regular(BoardType::A, 19), 5, Colour::Red),
        (regular(BoardType::B, 12), 6, Colour::Blue),
        (Shape::Blob.places(10, 2), 6, Colour::Blue),
    ];
    let mut spread = 0.0;
    for (places, n, colour) in boards {
        let instance = bounded(&places, n, colour);
        let mut values = Vec::new();
        exhaust(&instance.name, tantrix(&instance), &mut |solution| {
            values.push(value(&instance, solution));
            true
        });
        let best = values.iter().copied().fold(f64::INFINITY, f64::min);
        spread += values.iter().copied().fold(f64::NEG_INFINITY, f64::max) - best;
        let lists = ["B1 B3 B45c C5x", "B1 B2 B3 B4+B5 B6 C5 C7 C8 C9"];
        for (families, &backend) in lists.iter().flat_map(|list| backends.iter().map(move |backend| (list, backend))) {
            let formulation = Formulation::of("f", families)
                .expect("good")
                .with("objective", Objective::Weighted)
                .expect("good")
                .with("holes", Holes::Resolve)
                .expect("good");
            let mut problem = build_mip(&formulation, &instance).expect("makes sense");
            let answer = to_the_end(problem.as_mut(), open(backend).as_mut(), Some(AMPLE)).expect("an answer");
            assert_eq!(answer.status, Status::Optimal, "{families} on {}", instance.canonical());
            let solution = answer.solution.expect("optimal");
            assert_eq!(verify(&instance, &solution).violations, []);
            let objective = answer.last.and_then(|last| last.objective_value).expect("a value");
            assert!((objective - value(&instance, &solution)).abs() < 1e-6, "{objective}");
            assert!(
                (objective - best).abs() < 1e-6,
                "{}: {objective} instead of {best}: {families} on {n}",
                backend.info().name
            );
        }
    }
    assert!(spread > 1.0, "no solution was worse than any other");
}
