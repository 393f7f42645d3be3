//! Fix-and-optimise: the model of a window, and formulations that cannot be solved so.

use combinatorics::tantrix::shapes::Shape;
use model::ir::{Model, VarId};
use model::{FormulationKeys, FormulationKind};
use puzzle::Placement;
use puzzle::tantrix::{BoardType, Colour};

use crate::common::{Dice, bounded, instance, problem, regular, solutions};

const FAMILIES: &str = "C1 C2' C4c C5x C6x C7";

#[test]
fn a_window_holds_where_its_rows_are_broken_by_less_and_enough_changes_and_nowhere_else() {
    let boards = (0..).map(|seed| instance(&Shape::Blob.places(9, seed), ""));
    let board = boards.into_iter().find(|board| !solutions(board).is_empty()).expect("one has a solution");
    let problem = problem(&board, FAMILIES);
    let model = problem.model();
    let mut rng = Dice(1);
    let (mut held, mut broken) = (0, 0);
    for solution in solutions(&board).into_iter().take(20) {
        let mut changed = solution.clone();
        for _ in 0..rng.roll(3) {
            let place = rng.roll(9);
            let Placement { tile, orientation, .. } = solution.placements[rng.roll(9)];
            changed.placements[place] = Placement { tile, orientation, ..changed.placements[place] };
        }
        let values = problem.encode(&changed);
        let free: Vec<VarId> = (0..values.len()).filter(|_| rng.roll(2) == 0).map(VarId).collect();
        let lies = free.iter().any(|var| values[var.0] > 0.5);
        for (less, changed) in [(1.0, 0.0), (0.0, 0.0), (0.0, 1.0), (-1.0, 0.0)] {
            let window = model.window(&values, &free, |_| true, less, changed);
            assert!(free.iter().zip(window.variables()).all(|(var, own)| own.name == model.variables()[var.0].name));
            // What a row lacks and what it is above, as the row before it was left out or not.
            let point = window.variables().iter().enumerate().map(|(index, variable)| {
                let lacking = |(way, sign): (&str, f64)| {
                    let row = variable.name.strip_prefix(way)?;
                    let row = model.rows().iter().find(|known| known.name == row)?;
                    Some((sign * Model::excess(row, &values)).max(0.0))
                };
                let slack = [("lacks_", -1.0), ("above_", 1.0)].into_iter().find_map(lacking);
                slack.unwrap_or_else(|| values[free[index].0])
            });
            let point: Vec<f64> = point.collect();
            // A tile where none of its kind may lie is out of the question, however much may break.
            let may_lie = |(var, value): (&VarId, &f64)| *value <= model.variables()[var.0].upper;
            if !free.iter().zip(&point).all(may_lie) {
                continue;
            }
            let holds = window.broken(&point, 1e-6).is_empty();
            let same = less <= 0.0 && (changed == 0.0 || !lies);
            assert_eq!(holds, same, "the values break as much as they do: {:?}", window.broken(&point, 1e-6));
            if holds { held += 1 } else { broken += 1 }
        }
    }
    assert!(held > 0 && broken > 0, "{held} {broken}");
}

#[test]
fn rows_that_are_not_soft_hold_in_a_window() {
    let board = instance(&Shape::Blob.places(9, 0), "");
    let problem = problem(&board, FAMILIES);
    let empty = vec![0.0; problem.model().variables().len()];
    let all: Vec<VarId> = (0..empty.len()).map(VarId).collect();
    let window = problem.model().window(&empty, &all, |_| false, 0.0, 0.0);
    let (rows, whole) = (window.rows(), problem.model().rows());
    // The last one limits nothing, as nothing may break.
    assert_eq!(&rows[..whole.len()], whole);
    assert_eq!(rows[whole.len()..].iter().map(|row| row.terms.len()).collect::<Vec<_>>(), [0]);
}

#[test]
fn formulations_that_cannot_be_solved_in_windows_are_refused_with_the_reason() {
    let board = instance(&Shape::Round.places(12, 1), "");
    let keys = |others: &[(&str, &str)]| {
        let own = [("families", FAMILIES), ("objective", "none"), ("fix-and-optimise", "true")];
        FormulationKeys::new("f", FormulationKind::Mip, &[&own, others].concat())
    };
    let refusal = |written: FormulationKeys, instance| {
        written.read().and_then(|formulation| formulation.check(instance)).expect_err("makes no sense").to_string()
    };
    keys(&[]).read().expect("good").check(&board).expect("fits");
    for (written, reason) in [
        (keys(&[("families", "C1 C2 C3 C4 C5")]), "C2 is not one of them"),
        (keys(&[("families", "C1 C2' C4e C5x")]), "C4e is not one of them"),
        (keys(&[]).without("objective"), "its objective has to be none"),
        (keys(&[("objective", "random")]), "its objective has to be none"),
        (keys(&[("start", "hint")]), "leave start out"),
        (keys(&[("fix-and-optimise", "yes")]), "it is true or false"),
    ] {
        let text = refusal(written, &board);
        assert!(text.contains(reason), "{text}");
    }
    let sparse = bounded(&regular(BoardType::A, 19), 12, Colour::Red);
    let text = refusal(keys(&[]), &sparse);
    assert!(text.contains("C1 is for") || text.contains("fix-and-optimise is for fixed boards"), "{text}");
}
