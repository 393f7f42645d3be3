//! The weighted objective against weights computed here: 1 - distance from the centre / greatest such distance.

use crate::common::{Dice, bounded, bounded_distinct, natural, regular};
use crate::scatter::anything;
use combinatorics::tantrix::shapes::Shape;
use model::{Formulation, Objective, Problem, build_mip};
use puzzle::hex::Axial;
use puzzle::tantrix::{BoardType, Colour};
use puzzle::{Instance, Solution};

fn weighted(instance: &Instance, families: &str) -> Box<dyn Problem> {
    let formulation =
        Formulation::of("f", families).expect("good").with("objective", Objective::Weighted).expect("good");
    build_mip(&formulation, instance).expect("makes sense")
}

fn objective(problem: &dyn Problem, solution: &Solution) -> f64 {
    let values = problem.encode(solution);
    problem.model().objective().iter().map(|&(var, c)| c * values[var.0]).sum()
}

/// Distance between two points of the plane in axial coordinates, by the law of cosines.
fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    let (q, r) = (a.0 - b.0, a.1 - b.1);
    (q * q + q * r + r * r).sqrt()
}

#[test]
fn objective_values_are_minus_the_weights_of_the_filled_places() {
    type Board = (Vec<Axial>, Option<(f64, f64)>);
    let boards: [Board; 4] = [
        (regular(BoardType::A, 19), Some((0.0, 0.0))),
        (regular(BoardType::B, 27), Some((1.0 / 3.0, 1.0 / 3.0))),
        (regular(BoardType::B, 12), Some((1.0 / 3.0, 1.0 / 3.0))),
        (Shape::Blob.places(17, 3), None),
    ];
    for (places, centre) in boards {
        let axial: Vec<(f64, f64)> = places.iter().map(|at| (f64::from(at.q), f64::from(at.r))).collect();
        let mean = |f: fn(&(f64, f64)) -> f64| axial.iter().map(f).sum::<f64>() / axial.len() as f64;
        let centre = centre.unwrap_or_else(|| (mean(|p| p.0), mean(|p| p.1)));
        let radius = axial.iter().map(|&p| distance(p, centre)).fold(0.0, f64::max);
        for instance in [bounded(&places, 10, Colour::Blue), bounded_distinct(&places, 12, Colour::Red)] {
            let problems = ["B1 B3 B45c", "B1 B2 B3 B4+B5 C5"].map(|families| weighted(&instance, families));
            let mut dice = Dice(6);
            for _ in 0..60 {
                let laid = anything(&instance, &mut dice);
                let filled = laid.placements.iter().map(|p| axial[p.place - 1]);
                let expected: f64 = filled.map(|at| 1.0 - distance(at, centre) / radius).sum();
                for problem in &problems {
                    let found = objective(problem.as_ref(), &laid);
                    assert!((found + expected).abs() < 1e-9, "{found} is not -{expected}");
                }
            }
        }
    }
}

#[test]
fn places_farthest_out_have_no_weight_and_others_one_weight_each() {
    let boards = [(BoardType::A, [7, 19, 37, 61]), (BoardType::B, [3, 12, 27, 48])];
    for (kind, size) in boards.into_iter().flat_map(|(kind, sizes)| sizes.map(|size| (kind, size))) {
        let third = if kind == BoardType::B { 1.0 / 3.0 } else { 0.0 };
        let places = regular(kind, size);
        let from_centre = |at: &Axial| distance((f64::from(at.q), f64::from(at.r)), (third, third));
        let radius = places.iter().map(from_centre).fold(0.0, f64::max);
        let problem = weighted(&bounded(&places, 3, Colour::Red), "B1 B3 B45c");
        let model = problem.model();
        let mut farthest = 0;
        for (place, at) in (1..).zip(&places) {
            let on = |name: &str| name.split('_').nth(2) == Some(&format!("{place}"));
            let terms = model.objective().iter().filter(|(var, _)| on(&model.variables()[var.0].name));
            let weights: Vec<f64> = terms.map(|&(_, c)| -c).collect();
            let expected = 1.0 - from_centre(at) / radius;
            if expected < 1e-6 {
                assert_eq!(weights, Vec::<f64>::new(), "not even rounding noise: place {place} of type {kind} {size}");
                farthest += 1;
            } else {
                assert_eq!(weights.len(), 6 * 3, "one for each x: place {place} of type {kind} {size}");
                assert!(weights.iter().all(|w| (w - expected).abs() < 1e-9), "{weights:?} is not {expected}");
            }
        }
        // The corners of the board; that of three places is a triangle.
        let corners = if kind == BoardType::A || size > 3 { 6 } else { 3 };
        assert_eq!(farthest, corners, "type {kind} {size}");
    }
}

#[test]
fn other_objectives_stay_what_they_are() {
    for instance in [bounded(&regular(BoardType::B, 12), 5, Colour::Red), natural(5)] {
        let terms = |objective| {
            let formulation =
                Formulation::of("f", "B1 B3 B45c").expect("good").with("objective", objective).expect("good");
            let problem = build_mip(&formulation, &instance).expect("makes sense");
            let name = |var: usize| problem.model().variables()[var].name.clone();
            problem.model().objective().iter().map(|&(var, c)| (name(var.0), c)).collect::<Vec<_>>()
        };
        assert_eq!(terms(Objective::None), []);
        assert_eq!(terms(Objective::Virtual), [("x_1_1_1".to_owned(), 1.0)]);
    }
}
