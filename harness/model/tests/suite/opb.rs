//! OPB files: read back, they hold exactly where their model does, and say as much of the objective.

use crate::common::{Dice, bounded, instance, problem, regular, solutions, tetrahedron};
use combinatorics::tantrix::shapes::Shape;
use model::Problem;
use model::formats::opb;
use puzzle::tantrix::{BoardType, Colour};

fn written(problem: &dyn Problem) -> String {
    opb(problem.model(), &["one\ntwo"]).expect("pure 0-1")
}

/// The sum of the terms in front of the last words of a line, at a point.
fn sum(terms: &[&str], point: &[f64]) -> f64 {
    let value = |name: &str| point[name[1..].parse::<usize>().expect("a number") - 1];
    terms.chunks(2).map(|term| term[0].parse::<f64>().expect("whole") * value(term[1])).sum()
}

/// Whether every row of a file holds at a point.
fn holds(file: &str, point: &[f64]) -> bool {
    file.lines().filter(|line| !line.starts_with(['*', 'm'])).all(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [terms @ .., relation, side, ";"] = words.as_slice() else { panic!("{line}") };
        let (sum, side) = (sum(terms, point), side.parse::<f64>().expect("whole"));
        if *relation == "=" { sum == side } else { sum >= side }
    })
}

#[test]
fn a_file_holds_where_its_model_does() {
    let mut dice = Dice(7);
    let fixed = instance(&Shape::Round.places(3, 1), "colour = \"yellow\"");
    let roomy = bounded(&regular(BoardType::A, 7), 3, Colour::Yellow);
    for (instance, families, found) in [
        (&fixed, "C1 C2' C4c C7 C8", solutions(&fixed)),
        (&roomy, "B1 B3 B45c B6 C7", solutions(&roomy)),
        (&tetrahedron(), "S1 S2' S3", Vec::new()),
    ] {
        let problem = problem(instance, families);
        let (model, file) = (problem.model(), written(&*problem));
        let rows = file.lines().filter(|line| line.ends_with(';') && !line.starts_with('m')).count();
        let header = format!("* #variable= {} #constraint= {rows}\n* one\n* two\n* x1 is ", model.variables().len());
        assert!(file.starts_with(&header), "{file}");
        let mut points: Vec<Vec<f64>> = found.iter().take(40).map(|solution| problem.encode(solution)).collect();
        assert!(!points.is_empty() || families.starts_with('S'), "{families} on {}", instance.name);
        // What is near to a solution breaks few rows, so that each of them is seen broken.
        let zero = vec![0.0; model.variables().len()];
        for index in 0..300 {
            let mut point = points.get(index % points.len().max(1)).unwrap_or(&zero).clone();
            for _ in 0..1 + dice.roll(4) {
                let place = dice.roll(point.len());
                point[place] = 1.0 - point[place];
            }
            points.push(point);
        }
        let mut both = [0, 0];
        for point in &points {
            let broken = model.broken(point, 1e-9);
            assert_eq!(holds(&file, point), broken.is_empty(), "{families}: {broken:?}");
            both[usize::from(broken.is_empty())] += 1;
            let objective: f64 = model.objective().iter().map(|&(var, factor)| factor * point[var.0]).sum();
            let line = file.lines().find_map(|line| line.strip_prefix("min: ")?.strip_suffix(" ;")).unwrap_or("");
            assert_eq!(sum(&line.split_whitespace().collect::<Vec<_>>(), point), objective, "{line}");
        }
        assert!(both[0] > 100 && (both[1] > 0 || families.starts_with('S')), "{families}: {both:?}");
    }
}

#[test]
fn what_is_no_pseudo_boolean_model_is_refused() {
    let instance = instance(&Shape::Round.places(5, 1), "");
    let error = opb(problem(&instance, "C1 C2 C3 C4").model(), &[]).expect_err("colours are numbers");
    assert!(error.to_string().contains("y_1_1 is a whole number from 1 to "), "{error}");
}
